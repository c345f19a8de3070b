"""Vila et al. 2014: paraphrase types in P4P, MSRP-A and WRPA-A, and how far annotators agree (IAPTA).

Words are those that the release counts itself; phenomena per word are scope tokens over words; the average length of a
phenomenon is the mean over both texts. Each pair of the release has the annotation of one person, so Table 5, which
compares two, cannot be recomputed. Table 2 holds examples only; there is no Table 6 with numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from otherwords.analyse.reproduce.item import NO_DATA, Compute, Paper, PaperItem, Recognised, Role, grid, printed_rows
from otherwords.analyse.reproduce.materials import Materials
from otherwords.analyse.reproduce.recomputed import Recomputed, count_value, ratio_value
from otherwords.analyse.reproduce.vila_example import EXAMPLE
from otherwords.analyse.types.annotations import Annotation, TypeAnnotations, load_annotations
from otherwords.analyse.types.table import TypesTable, canonical, pearson, types_table
from otherwords.records import Judgement
from otherwords.sources.reading import open_records

CORPORA = {"P4P": 856, "MSRP-A": 3900, "WRPA-A": 1000}  # pairs, Table 3
ONE_ANNOTATOR = "the release has the annotation of one person for each pair"
UNNUMBERED = "Figure 3 draws the annotations of Pair 2 without the numbers of its tokens"
SAME_TOKENS = "B's tokens, which Figure 3 only draws, are taken from the text of §4"
TYPES = {  # the name in Table 4, and our tag
    "Inflectional": "mor_inflectional", "Modal verb": "mor_modal_verb", "Derivational": "mor_derivational",
    "Spelling": "lex_spelling", "Same-polarity": "lex_same_polarity", "Synthetic/analytic": "lex_synt_ana",
    "Opposite-polarity": "lex_opposite_polarity", "Converse": "lex_inverse", "Diathesis": "syn_diathesis",
    "Negation": "syn_negation", "Ellipsis": "syn_ellipsis", "Coordination": "syn_coordination",
    "Subordination&nesting": "syn_subord_nesting", "Punctuation": "dis_punctuation",
    "Direct/indirect": "dis_direct_indirect", "Sentence modality": "dis_sent_modality",
    "Syntax/discourse structure": "syn_dis_structure", "Semantic": "semantic", "Format": "format", "Order": "order",
    "Addition/deletion": "addition_deletion", "Identical": "identical", "Entailment": "entailment",
    "Non-paraphrase": "non_paraphrases",
}  # fmt: skip
TABLE_1 = """
agr_w | 0.98
agr_w, pairwise | 0.98
agr_w, typewise | 0.56
agr_w, pairwise and typewise | 0.57
agr_ph | 0.81
agr_ph, pairwise | 0.81
agr_ph, typewise | 0.62
agr_ph, pairwise and typewise | 0.60
agr_o, partial | 0.76
agr_o, total | 0.55
F1 | 0.74
"""
TABLE_3 = """
Words                        | 83,745 | 186,616 | 20,544
Pairs                        |    856 |   3,900 |  1,000
Paraphrase phenomena         | 11,420 |  22,105 |  1,332
Word average in pair members |  48.92 |   23.93 |  10.27
Average phenomena per pair   |  13.34 |    5.67 |   1.33
Average phenomena per word   |   1.47 |    1.28 |   0.36
"""
TABLE_4 = """
Inflectional               |  2.22 |  1.30 |  2.78 |  1.45 |  3.75 | 1.07
Modal verb                 |  1.02 |  2.47 |  0.83 |  2.37 |  0.38 | 2.00
Derivational               |  2.29 |  1.03 |  0.85 |  1.05 |  1.73 | 1.00
Spelling                   |  3.83 |  1.58 |  2.91 |  2.06 |       |
Same-polarity              | 44.41 |  1.53 | 24.81 |  1.75 | 53.15 | 1.76
Synthetic/analytic         |  5.86 |  3.33 |  4.42 |  3.53 |       |
Opposite-polarity          |  0.57 |  2.65 |  0.09 |  2.03 |       |
Converse                   |  0.29 |  2.09 |  0.20 |  1.95 |       |
Diathesis                  |  1.14 | 13.28 |  0.73 | 11.52 |       |
Negation                   |  0.29 | 11.73 |  0.09 |  6.88 |       |
Ellipsis                   |  0.76 | 11.08 |  0.30 | 12.88 |       |
Coordination               |  1.84 | 26.02 |  0.22 | 14.61 |       |
Subordination&nesting      |  5.23 | 18.83 |  2.14 | 12.31 |       |
Punctuation                |  4.71 | 23.16 |  3.77 | 18.09 |       |
Direct/indirect            |  0.32 | 20.40 |  0.30 | 21.06 |       |
Sentence modality          |  0.31 | 18.37 |       |       |       |
Syntax/discourse structure |  2.74 | 17.36 |  1.39 | 16.33 |       |
Semantic                   |  2.98 |  9.10 |  1.53 |  6.25 | 16.22 | 3.35
Format                     |       |       |  1.10 |  1.69 |       |
Order                      |  5.04 |  5.39 |  3.89 |  5.98 |  0.08 | 2.00
Addition/deletion          | 12.91 |  1.67 | 25.94 |  1.41 |       |
Identical                  |  0.88 | 14.20 | 17.54 | 13.80 | 14.57 | 4.15
Entailment                 |       |       |  0.37 |  6.82 |  4.05 | 2.33
Non-paraphrase             |  0.39 | 15.35 |  3.81 |  2.73 |  6.08 | 9.15
"""
COLUMNS_4 = tuple(f"{name}, {what}" for name in CORPORA for what in ("RF", "AL"))
COLUMNS_5 = (
    "P4P, A–B", "MSRP-A, A–B", "MSRP-A, A–C", "MSRP-A, B–C", "WRPA-A, A–B", "WRPA-A, A–C", "WRPA-A, B–C"
)  # fmt: skip
TABLE_5 = """
agr_w                         | 0.96 | 0.99 | 0.99 | 1.00 | 0.91 | 0.95 | 0.96
agr_w, pairwise               | 0.96 | 0.99 | 0.99 | 1.00 | 0.91 | 0.94 | 0.97
agr_w, typewise               | 0.65 | 0.62 | 0.59 | 0.69 | 0.70 | 0.79 | 0.79
agr_w, pairwise and typewise  | 0.65 | 0.63 | 0.60 | 0.69 | 0.70 | 0.77 | 0.78
agr_ph                        | 0.98 | 0.98 | 0.99 | 0.99 | 0.97 | 0.99 | 0.96
agr_ph, pairwise              | 0.85 | 0.89 | 0.88 | 0.88 | 0.92 | 0.92 | 0.91
agr_ph, typewise              | 0.67 | 0.64 | 0.65 | 0.74 | 0.70 | 0.84 | 0.79
agr_ph, pairwise and typewise | 0.36 | 0.49 | 0.42 | 0.48 | 0.56 | 0.52 | 0.60
agr_o, partial                | 0.67 | 0.80 | 0.77 | 0.77 | 0.78 | 0.75 | 0.77
agr_o, total                  | 0.42 | 0.54 | 0.49 | 0.51 | 0.55 | 0.63 | 0.53
F1                            | 0.62 | 0.74 | 0.73 | 0.73 | 0.73 | 0.75 | 0.74
"""
CORRELATIONS = (("P4P", "MSRP-A", "0.74"), ("MSRP-A", "WRPA-A", "0.63"), ("P4P", "WRPA-A", "0.86"))  # §5.1


def _recognise(path: Path, format: str) -> Recognised | None:
    """Which of the three corpora a file of annotated types is: by the name inside it, else by that of the file."""
    if format not in ("p4p", "msrp-a"):
        return None
    with open_records(path, format, noun="judgements") as records:
        first = next((record for record in records if isinstance(record, Judgement)), None)
    inside = first.meta.get("source") if first else None
    named = [name for name in CORPORA if name.replace("-", "") in f"{inside} {path.name}".upper().replace("-", "")]
    if not named:
        return Recognised(None, "annotated types, of none of the three corpora")
    _, types = load_annotations(path, format=format)
    pairs = len(types.annotations)
    return Recognised(named[0], f"{named[0]}, {pairs:,} of {CORPORA[named[0]]:,} pairs", pairs)


def _annotations(data: Materials, corpus: str) -> TypeAnnotations | None:
    def load() -> TypeAnnotations | None:
        files = data.in_roles(corpus)
        return load_annotations(files[0].path)[1] if files else None

    return data.keep(("annotations", corpus), load)


@dataclass(frozen=True, slots=True)
class TypedPair:
    """What ``otherwords types`` counts of one pair, and the plagiarised text that it was taken from, if any."""

    text: str
    table: TypesTable


def _typed_pairs(data: Materials, corpus: str) -> list[TypedPair]:
    def count() -> list[TypedPair]:
        loaded = _annotations(data, corpus)
        rows = loaded.annotations if loaded else []
        return [TypedPair(_text_of(row), types_table(corpus, TypeAnnotations([row], Counter()))) for row in rows]

    return data.keep(("pairs", corpus), count)


def _text_of(annotation: Annotation) -> str:
    """The text that a pair is a passage of: pairs of one text are not drawn one by one (P4P)."""
    descriptions = [snippet.get("source_description") for snippet in annotation.snippets or []]
    names = [about.get("plagiarism_reference") for about in descriptions if isinstance(about, dict)]
    return next((f"text {name}" for name in names if name is not None), annotation.pair)


RATIOS: dict[str, Callable[[TypesTable], tuple[float, float]]] = {  # the lower half of Table 3
    "Word average in pair members": lambda table: (table.words, 2),
    "Average phenomena per pair": lambda table: (table.phenomena, 1),
    "Average phenomena per word": lambda table: (table.scope_tokens, table.words),
}
COUNTS: dict[str, Callable[[TypesTable], int]] = {  # the upper half
    "Words": lambda table: table.words,
    "Paraphrase phenomena": lambda table: table.phenomena,
}


def _totals(row: str, corpus: str) -> Compute:
    def compute(data: Materials) -> Recomputed | None:
        pairs, whole = _typed_pairs(data, corpus), CORPORA[corpus]
        if not pairs:
            return None
        if row in COUNTS:
            return count_value(((pair.text, COUNTS[row](pair.table)) for pair in pairs), len(pairs), whole)
        if row in RATIOS:
            return ratio_value(((pair.text, *RATIOS[row](pair.table)) for pair in pairs), len(pairs), whole)
        return Recomputed(len(pairs), len(pairs), whole=whole)

    return compute


def _by_type(row: str, column: str) -> Compute:
    corpus, _, what = column.rpartition(", ")

    def compute(data: Materials) -> Recomputed | None:
        pairs = _typed_pairs(data, corpus)
        terms = []
        for pair in pairs:
            tags = [tag for tag in pair.table.counts if canonical(tag) == TYPES[row]]
            count, tokens = (sum(found[tag] for tag in tags) for found in (pair.table.counts, pair.table.tokens))
            if what == "RF":
                terms.append((pair.text, 100.0 * count, float(pair.table.phenomena)))
            elif count:
                terms.append((pair.text, float(tokens), 2.0 * count))
        return ratio_value(terms, len(pairs), CORPORA[corpus])

    return compute


def _printed_frequencies(corpus: str) -> list[float]:
    """The relative frequencies that Table 4 prints; empty cells count 0."""
    place = COLUMNS_4.index(f"{corpus}, RF")
    return [float(cells[place] or 0) for _, cells in printed_rows(TABLE_4)]


def _frequencies(data: Materials, corpus: str) -> list[float] | None:
    """The relative frequencies of the 24 types in the released corpus, if all of it is here."""
    pairs = _typed_pairs(data, corpus)
    if len(pairs) != CORPORA[corpus]:
        return None
    counts: Counter[str] = Counter()
    for pair in pairs:
        for tag, count in pair.table.counts.items():
            counts[canonical(tag)] += count
    return [counts[tag] / counts.total() for tag in TYPES.values()]


def _from_print(first: str, second: str) -> Compute:
    def compute(data: Materials) -> Recomputed | None:
        value = pearson(_printed_frequencies(first), _printed_frequencies(second))
        return Recomputed(value, len(TYPES), "types") if value is not None else None

    return compute


def _from_data(first: str, second: str) -> Compute:
    def compute(data: Materials) -> Recomputed | None:
        side1, side2 = _frequencies(data, first), _frequencies(data, second)
        value = pearson(side1, side2) if side1 is not None and side2 is not None else None
        return Recomputed(value, len(TYPES), "types") if value is not None else None

    return compute


def _worked(compute: Callable[[], float], data: Materials) -> Recomputed:
    return Recomputed(compute(), 1, "pair")


def _items() -> Iterator[PaperItem]:
    for place, what, printed, compute in EXAMPLE:
        worked = partial(_worked, compute)
        yield PaperItem("§4", f"worked example, {place}", what, printed, worked, NO_DATA, definition=SAME_TOKENS)
    yield from grid("Table 1", ("Pairs 1 and 2",), TABLE_1, needs=lambda row, column: UNNUMBERED)
    yield from grid("Table 3", tuple(CORPORA), TABLE_3, _totals, lambda row, column: column)
    yield from grid("Table 4", COLUMNS_4, TABLE_4, _by_type, lambda row, column: column.rpartition(", ")[0])
    for first, second, printed in CORRELATIONS:
        names = f"{first} and {second}"
        yield PaperItem(
            "§5.1", names, "Pearson, from the printed Table 4", printed, _from_print(first, second), NO_DATA
        )
        yield PaperItem(
            "§5.1", names, "Pearson, from the data", printed, _from_data(first, second), f"all pairs of {names}"
        )
    yield from grid("Table 5", COLUMNS_5, TABLE_5, needs=lambda row, column: ONE_ANNOTATOR)
    for pair, printed in (("A–B", "0.79"), ("A–C", "0.78"), ("B–C", "0.78")):
        yield PaperItem("§5.2", f"MSRP-A, closing round, {pair}", "F1", printed, needs=ONE_ANNOTATOR)


PAPER = Paper(
    "vila",
    "Vila et al. 2014, Corpus annotation with paraphrase types: new annotation scheme and inter-annotator agreement "
    "measures",
    tuple(_items()),
    tuple(Role(name, f"{name}: {pairs:,} pairs with their types (XML)") for name, pairs in CORPORA.items()),
    _recognise,
)
