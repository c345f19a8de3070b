"""Vila et al. 2014: paraphrase types in P4P, MSRP-A and WRPA-A, and how far annotators agree (IAPTA).

Words are those that the release counts itself; phenomena per word are scope tokens over words; the average length of a
phenomenon is the mean over both texts. Each pair of the release has the annotation of one person, so Table 5, which
compares two, cannot be recomputed. Table 2 holds examples only; there is no Table 6 with numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from otherwords.analyse.reproduce.item import NO_DATA, Compute, Item, Paper, Recognised, Role, Value, grid, printed_rows
from otherwords.analyse.reproduce.materials import Materials
from otherwords.analyse.reproduce.sampling import count_value, ratio_value
from otherwords.analyse.reproduce.vila_example import EXAMPLE
from otherwords.analyse.types.annotations import TypeAnnotations, load_annotations
from otherwords.analyse.types.table import TypesTable, canonical, pearson, types_table

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
    inside = ""
    if format == "p4p":
        for _, element in ElementTree.iterparse(path, events=("start",)):
            inside = element.get("name", "")
            break
    named = [name for name in CORPORA if name.replace("-", "") in f"{inside} {path.name}".upper().replace("-", "")]
    if not named:
        return Recognised(None, "annotated types, of none of the three corpora")
    _, types = load_annotations(path, format=format)
    pairs = len(types.annotations)
    return Recognised(named[0], f"{named[0]}, {pairs:,} of {CORPORA[named[0]]:,} pairs", pairs)


def _annotations(data: Materials, corpus: str) -> TypeAnnotations | None:
    def load() -> TypeAnnotations | None:
        files = data.of(corpus)
        return load_annotations(files[0].path)[1] if files else None

    return data.keep(("annotations", corpus), load)


def _tables(data: Materials, corpus: str) -> list[TypesTable]:
    """The table of types of each pair: what ``otherwords types`` counts, pair by pair."""

    def count() -> list[TypesTable]:
        loaded = _annotations(data, corpus)
        rows = loaded.annotations if loaded else []
        return [types_table(corpus, TypeAnnotations([row], loaded.notes)) for row in rows] if loaded else []

    return data.keep(("tables", corpus), count)


def _totals(row: str, corpus: str) -> Compute:
    def compute(data: Materials) -> Value | None:
        tables, of = _tables(data, corpus), CORPORA[corpus]
        n = len(tables)
        if not n:
            return None
        if row == "Pairs":
            return Value(n, n, of=of)
        counts = {"Words": "words", "Paraphrase phenomena": "phenomena"}
        if row in counts:
            numbers = (float(getattr(table, counts[row])) for table in tables)
            return count_value(((str(place), number) for place, number in enumerate(numbers)), n, of)
        part, whole = {
            "Word average in pair members": (lambda table: table.words, lambda table: 2),
            "Average phenomena per pair": (lambda table: table.phenomena, lambda table: 1),
            "Average phenomena per word": (lambda table: table.scope_tokens, lambda table: table.words),
        }[row]
        return ratio_value(((str(place), part(table), whole(table)) for place, table in enumerate(tables)), n, of)

    return compute


def _by_type(row: str, column: str) -> Compute:
    corpus, _, what = column.rpartition(", ")

    def compute(data: Materials) -> Value | None:
        tables, of = _tables(data, corpus), CORPORA[corpus]
        tags = {tag for table in tables for tag in table.counts if canonical(tag) == TYPES[row]}
        terms = []
        for place, table in enumerate(tables):
            count, tokens = (sum(of_type[tag] for tag in tags) for of_type in (table.counts, table.tokens))
            terms.append((str(place), 100.0 * count, table.phenomena) if what == "RF" else (str(place), tokens, 2 * count))
        used = terms if what == "RF" else [term for term in terms if term[2]]
        return ratio_value(used, len(tables), of)

    return compute


def _printed_frequencies(corpus: str) -> list[float]:
    """The relative frequencies that Table 4 prints; empty cells count 0."""
    place = COLUMNS_4.index(f"{corpus}, RF")
    return [float(cells[place] or 0) for _, cells in printed_rows(TABLE_4)]


def _frequencies(data: Materials, corpus: str) -> list[float] | None:
    """The relative frequencies of the 24 types in the released corpus, if all of it is here."""
    tables = _tables(data, corpus)
    if len(tables) != CORPORA[corpus]:
        return None
    total = sum(table.phenomena for table in tables)
    by_tag = {tag: 0.0 for tag in TYPES.values()}
    for table in tables:
        for tag, count in table.counts.items():
            by_tag[canonical(tag)] = by_tag.get(canonical(tag), 0.0) + count / total
    return list(by_tag.values())


def _from_print(first: str, second: str) -> Compute:
    def compute(data: Materials) -> Value | None:
        value = pearson(_printed_frequencies(first), _printed_frequencies(second))
        return Value(value, len(TYPES), "types") if value is not None else None

    return compute


def _from_data(first: str, second: str) -> Compute:
    def compute(data: Materials) -> Value | None:
        sides = _frequencies(data, first), _frequencies(data, second)
        if sides[0] is None or sides[1] is None:
            return None
        value = pearson(*sides)
        return Value(value, len(sides[0]), "types") if value is not None else None

    return compute


def _items() -> Iterator[Item]:
    for place, what, printed, compute in EXAMPLE:
        yield Item(place, "worked example, Pair 1", what, printed,
                   lambda data, compute=compute: Value(compute(), 1, "pair"), NO_DATA, definition=SAME_TOKENS)  # type: ignore[misc]
    yield from grid("Table 1", ("Pairs 1 and 2",), TABLE_1, needs=lambda row, column: UNNUMBERED)
    yield from grid("Table 3", tuple(CORPORA), TABLE_3, _totals, lambda row, column: column)
    yield from grid("Table 4", COLUMNS_4, TABLE_4, _by_type, lambda row, column: column.rpartition(", ")[0])
    for first, second, printed in CORRELATIONS:
        names = f"{first} and {second}"
        yield Item("§5.1", names, "Pearson, from the printed Table 4", printed, _from_print(first, second), NO_DATA)
        yield Item("§5.1", names, "Pearson, from the data", printed, _from_data(first, second), f"all pairs of {names}")
    yield from grid("Table 5", COLUMNS_5, TABLE_5, needs=lambda row, column: ONE_ANNOTATOR)
    for pair, printed in (("A–B", "0.79"), ("A–C", "0.78"), ("B–C", "0.78")):
        yield Item("§5.2", f"MSRP-A, closing round, {pair}", "F1", printed, needs=ONE_ANNOTATOR)


PAPER = Paper(
    "vila",
    "Vila et al. 2014, Relational paraphrase types: annotation scheme, agreement measures and three corpora",
    tuple(_items()),
    tuple(Role(name, f"{name}: {pairs:,} pairs with their types (XML)") for name, pairs in CORPORA.items()),
    _recognise,
)
