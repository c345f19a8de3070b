"""Vila et al. 2014: the worked example of IAPTA (§4), Tables 3 and 4 (§5.1), and how alike the corpora are.

The example is given by the numbers of its tokens (Figure 1, which counts both ends); the words are others. Figure 1 has
annotator C. What B marked is made up so that every number that the paper prints of it comes out.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.analyse.types.annotations import load_annotations
from otherwords.analyse.types.table import pearson, types_table
from otherwords.measures.agreement.iapta import iapta_coefficients, tokenise_text
from otherwords.measures.agreement.iapta_overlap import OverlapVariant, overlap_counts
from otherwords.measures.agreement.iapta_tokens import mark_tokens
from otherwords.records import Phenomenon
from otherwords.sources.rows.token_ranges import char_ranges, token_spans

TEXTS = (" ".join(f"left{number}" for number in range(28)), " ".join(f"right{number}" for number in range(25)))
CUTS = (tokenise_text(TEXTS[0], tokeniser="blank"), tokenise_text(TEXTS[1], tokeniser="blank"))


def tokens(spelled: str, text: str) -> list[tuple[int, int]]:
    """``18-22,27`` as ranges of code points."""
    numbers: list[int] = []
    for part in filter(None, spelled.split(",")):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return [(start, end) for start, end in char_ranges(numbers, token_spans(text))]


def phenomenon(
    type: str, tokens1: str, tokens2: str, projection: str = "", key1: str = "", key2: str = ""
) -> Phenomenon:
    return Phenomenon(
        type=type,
        scope1=tokens(tokens1, TEXTS[0]),
        scope2=tokens(tokens2, TEXTS[1]),
        projection=projection or None,  # type: ignore[arg-type]
        key1=tokens(key1, TEXTS[0]),
        key2=tokens(key2, TEXTS[1]),
    )


C = [
    phenomenon("lex_synt_ana", "1-3", "0-1", "local"),
    phenomenon("mor_inflectional", "17", "16-17", "global"),
    phenomenon("syn_coordination", "0-27", "0-24", key2="9"),
    phenomenon("syn_subord_nesting", "0-13", "0-7", key1="6"),
    phenomenon("order", "23-26", "12-15", "local"),
    phenomenon("addition_deletion", "", "10-11", "local"),
    phenomenon("identical", "18-22,27", "19-24"),
    phenomenon("dis_punctuation", "0-5", "0-1", key1="0,4-5"),
]
B = [
    phenomenon("lex_synt_ana", "0-5", "0-1", "local"),
    phenomenon("dis_punctuation", "0-5", "0-1", key1="0,4-5"),
    phenomenon("syn_subord_nesting", "0-20", "0-11"),
    phenomenon("mor_derivational", "17", "16-17", "local"),
    phenomenon("identical", "18-22,27", "19-24"),
    phenomenon("order", "23-26", "12-15", "local"),
]


@pytest.fixture(scope="module")
def scores() -> dict[str, float]:
    coefficients = iapta_coefficients({"B": {"1": B}, "C": {"1": C}}, {"1": CUTS}, replicates=0)
    return {coefficient.measure: coefficient.value for coefficient in coefficients if coefficient.value is not None}


def test_numbers_of_phenomena(scores: dict[str, float]) -> None:
    assert scores["iapta-agr-ph"] == 6 / 8 == 0.75


def test_numbers_of_tokens_of_one_type() -> None:
    ours, theirs = ([mark for mark in marks if mark.type == "lex_synt_ana"] for marks in (B, C))
    coefficients = iapta_coefficients({"B": {"1": ours}, "C": {"1": theirs}}, {"1": CUTS}, replicates=0)
    assert coefficients[0].measure == "iapta-agr-w"
    assert coefficients[0].value == 5 / 8 == 0.625


def test_partial_overlap(scores: dict[str, float]) -> None:
    by_type = [
        overlap_counts(
            *([mark_tokens(mark, CUTS) for mark in marks if mark.type == type] for marks in (B, C)), OverlapVariant()
        )
        for type in {mark.type for mark in (*B, *C)}
    ]
    partial = sum(counts.partial1 for counts in by_type)
    precision, recall = partial / len(B), partial / len(C)
    assert partial == 5
    assert (round(precision, 3), round(recall, 3)) == (0.833, 0.625)
    assert scores["iapta-tpo-partial"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert round(scores["iapta-tpo-partial"], 3) == 0.714
    assert sum(counts.total1 for counts in by_type) == 3  # punctuation, order and identical


@pytest.mark.parametrize(("place", "overlapping"), list(enumerate([0.75, 1, 0.67, 0, 1, 1])))
def test_overlapping_of_each_phenomenon(place: int, overlapping: float) -> None:
    coefficients = iapta_coefficients({"B": {"1": [B[place]]}, "C": {"1": C}}, {"1": CUTS}, replicates=0)
    [degree] = [coefficient.value for coefficient in coefficients if coefficient.measure == "iapta-do-k1"]
    assert degree is not None
    assert round(degree, 2) == overlapping


def test_global_overlapping(scores: dict[str, float]) -> None:
    assert round(scores["iapta-do-k1"], 2) == 0.74
    assert scores["iapta-do-f1"] < scores["iapta-do-k1"]  # C marked more than B


# Table 4, relative frequencies in per cent: P4P, MSRP-A, WRPA-A; None where the table is empty.
FREQUENCIES = {
    "mor_inflectional": (2.22, 2.78, 3.75),
    "mor_modal_verb": (1.02, 0.83, 0.38),
    "mor_derivational": (2.29, 0.85, 1.73),
    "lex_spelling": (3.83, 2.91, None),
    "lex_same_polarity": (44.41, 24.81, 53.15),
    "lex_synt_ana": (5.86, 4.42, None),
    "lex_opposite_polarity": (0.57, 0.09, None),
    "lex_inverse": (0.29, 0.20, None),
    "syn_diathesis": (1.14, 0.73, None),
    "syn_negation": (0.29, 0.09, None),
    "syn_ellipsis": (0.76, 0.30, None),
    "syn_coordination": (1.84, 0.22, None),
    "syn_subord_nesting": (5.23, 2.14, None),
    "dis_punctuation": (4.71, 3.77, None),
    "dis_direct_indirect": (0.32, 0.30, None),
    "dis_sent_modality": (0.31, None, None),
    "syn_dis_structure": (2.74, 1.39, None),
    "semantic": (2.98, 1.53, 16.22),
    "format": (None, 1.10, None),
    "order": (5.04, 3.89, 0.08),
    "addition_deletion": (12.91, 25.94, None),
    "identical": (0.88, 17.54, 14.57),
    "entailment": (None, 0.37, 4.05),
    "non_paraphrases": (0.39, 3.81, 6.08),
}
# Table 4, average length in tokens, of types that are frequent enough in any half of P4P.
LENGTHS = {"mor_inflectional": 1.30, "mor_modal_verb": 2.47, "mor_derivational": 1.03, "lex_same_polarity": 1.53}
LENGTHS |= {"lex_synt_ana": 3.33, "syn_subord_nesting": 18.83, "semantic": 9.10, "addition_deletion": 1.67}
SPELLED = {"lex_spelling": "lex_spelling_and_format", "dis_punctuation": "dis_punct_format"}


@pytest.mark.parametrize(("corpus1", "corpus2", "printed"), [(0, 1, 0.74), (1, 2, 0.63), (0, 2, 0.86)])
def test_correlation_of_the_corpora(corpus1: int, corpus2: int, printed: float) -> None:
    """Empty cells count 0."""
    correlation = pearson(*([row[side] or 0.0 for row in FREQUENCIES.values()] for side in (corpus1, corpus2)))
    assert correlation is not None
    assert round(correlation, 2) == printed


@pytest.fixture(scope="module")
def p4p(shared_data: Path) -> dict[str, float]:
    """The tables of the first 400 of 856 pairs."""
    table = types_table(*load_annotations(shared_data / "p4p" / "P4P-first-400.xml", format="p4p"))
    totals = table.as_dict()
    assert table.notes == {"addition_deletion with scopes in both texts": 6}, "as they were released"
    types = {f"{tag}.{name}": value for tag, row in totals.pop("types").items() for name, value in row.items()}
    return totals | types


def test_table_3(p4p: dict[str, float]) -> None:
    assert (p4p["words"], p4p["pairs"], p4p["phenomena"]) == (39165, 400, 5206)
    assert p4p["words_per_member"] == pytest.approx(48.92, rel=0.01)
    assert p4p["phenomena_per_pair"] == pytest.approx(13.34, rel=0.03)
    assert p4p["phenomena_per_word"] == pytest.approx(1.47, rel=0.04)


@pytest.mark.parametrize("tag", FREQUENCIES)
def test_table_4_frequencies(tag: str, p4p: dict[str, float]) -> None:
    printed = FREQUENCIES[tag][0] or 0.0
    assert p4p.get(f"{SPELLED.get(tag, tag)}.frequency", 0.0) == pytest.approx(printed, abs=0.6)


@pytest.mark.parametrize("tag", LENGTHS)
def test_table_4_lengths(tag: str, p4p: dict[str, float]) -> None:
    assert p4p[f"{tag}.length"] == pytest.approx(LENGTHS[tag], rel=0.07)
