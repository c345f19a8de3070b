"""The worked example of IAPTA (Vila et al. 2014, §4): one pair annotated by B and C, recomputed by our measures.

The example is given by the numbers of its tokens; the words are placeholders. C's phenomena are those of Figure 1,
whose ranges count both ends. Figure 3 draws B's without numbers: the tokens here are those that the text states (six
and two tokens of synthetic/analytic, three types that overlap wholly), and the subordination is as long as its
overlapping of 0.67 says. So what rests on B follows from the paper's own words, and is no check of how B's tokens were
read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.iapta import iapta_coefficients, tokenise_text
from otherwords.measures.agreement.iapta_overlap import OverlapCounts, OverlapVariant, overlap_counts
from otherwords.measures.agreement.iapta_tokens import mark_tokens
from otherwords.records import Phenomenon
from otherwords.sources.rows.token_ranges import char_ranges, token_spans

LENGTHS = (28, 25)  # tokens of the two texts, Figure 1
TEXTS = tuple(
    " ".join(f"{side}{number}" for number in range(length)) for side, length in zip("ab", LENGTHS, strict=True)
)
SYNTHETIC = "lex_synt_ana"
# Type, tokens of both texts, projection, key elements of both texts.
Row = tuple[str, str, str, str, str, str]
ANNOTATOR_C: Sequence[Row] = (
    (SYNTHETIC, "1-3", "0-1", "local", "", ""),
    ("mor_inflectional", "17", "16-17", "global", "", ""),
    ("syn_coordination", "0-27", "0-24", "", "", "9"),
    ("syn_subord_nesting", "0-13", "0-7", "", "6", ""),
    ("order", "23-26", "12-15", "local", "", ""),
    ("addition_deletion", "", "10-11", "local", "", ""),
    ("identical", "18-22,27", "19-24", "", "", ""),
    ("dis_punctuation", "0-5", "0-1", "", "0,4-5", ""),
)
ANNOTATOR_B: Sequence[Row] = (
    (SYNTHETIC, "0-5", "0-1", "local", "", ""),
    ("dis_punctuation", "0-5", "0-1", "", "0,4-5", ""),
    ("syn_subord_nesting", "0-20", "0-11", "", "", ""),
    ("mor_derivational", "17", "16-17", "local", "", ""),
    ("identical", "18-22,27", "19-24", "", "", ""),
    ("order", "23-26", "12-15", "local", "", ""),
)


def _ranges(tokens: str, text: str) -> list[tuple[int, int]]:
    """``18-22,27`` as ranges of code points."""
    numbers: list[int] = []
    for part in filter(None, tokens.split(",")):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return [(start, end) for start, end in char_ranges(numbers, token_spans(text))]


def _phenomena(rows: Sequence[Row]) -> list[Phenomenon]:
    return [
        Phenomenon(
            type=type,
            scope1=_ranges(tokens1, TEXTS[0]),
            scope2=_ranges(tokens2, TEXTS[1]),
            projection=projection or None,  # type: ignore[arg-type]
            key1=_ranges(key1, TEXTS[0]),
            key2=_ranges(key2, TEXTS[1]),
        )
        for type, tokens1, tokens2, projection, key1, key2 in rows
    ]


B, C = _phenomena(ANNOTATOR_B), _phenomena(ANNOTATOR_C)
CUTS = (tokenise_text(TEXTS[0], tokeniser="blank"), tokenise_text(TEXTS[1], tokeniser="blank"))


def _coefficient(name: str, ours: list[Phenomenon], theirs: list[Phenomenon]) -> float:
    coefficients: list[Coefficient] = iapta_coefficients(
        {"B": {"1": ours}, "C": {"1": theirs}}, {"1": CUTS}, replicates=0
    )
    [value] = [coefficient.value for coefficient in coefficients if coefficient.measure == name]
    assert value is not None
    return value


def _of_type(marks: list[Phenomenon], type: str) -> list[Phenomenon]:
    return [mark for mark in marks if mark.type == type]


def _overlaps() -> list[OverlapCounts]:
    """How many phenomena of B overlap those of C, by type."""
    types = sorted({mark.type for mark in (*B, *C)})
    marked = ([[mark_tokens(mark, CUTS) for mark in _of_type(marks, type)] for marks in (B, C)] for type in types)
    return [overlap_counts(ours, theirs, OverlapVariant()) for ours, theirs in marked]


def _partial() -> float:
    return float(sum(counts.partial1 for counts in _overlaps()))


EXAMPLE: Sequence[tuple[str, str, str, Callable[[], float]]] = (  # where, what, as printed, as computed
    ("Eq. 2", "agr_ph", "0.75", lambda: _coefficient("iapta-agr-ph", B, C)),
    (
        "Eq. 3",
        "agr_w of synthetic/analytic",
        "0.625",
        lambda: _coefficient("iapta-agr-w", _of_type(B, SYNTHETIC), _of_type(C, SYNTHETIC)),
    ),
    ("Eq. 9", "partialCount of B", "5", _partial),
    ("Eq. 10", "precision of B", "0.833", lambda: _partial() / len(B)),
    ("Eq. 11", "recall of B", "0.625", lambda: _partial() / len(C)),
    ("Eq. 12", "F1 of B", "0.714", lambda: 2 * _partial() / (len(B) + len(C))),
    ("§4.2", "agr_o, partial", "0.714", lambda: _coefficient("iapta-tpo-partial", B, C)),
    (
        "Eq. 20",
        "overlapping of synthetic/analytic",
        "0.75",
        lambda: _coefficient("iapta-do-k1", _of_type(B, SYNTHETIC), C),
    ),
    (
        "Eq. 21",
        "overlapping of subordination & nesting",
        "0.67",
        lambda: _coefficient("iapta-do-k1", _of_type(B, "syn_subord_nesting"), C),
    ),
    ("Eq. 21", "K_B", "0.74", lambda: _coefficient("iapta-do-k1", B, C)),
)
