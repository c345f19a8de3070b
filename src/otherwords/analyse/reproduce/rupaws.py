"""Martynov et al. 2022: RuPAWS, adversarial paraphrases in Russian.

The annotated pairs are released in two parts (Quora and Wikipedia), each for training and testing; the stages before
them, the raters' answers and the models' predictions are not. The released Wikipedia part is larger than the paper
says. Beside Table 4 stands what calling every pair a paraphrase comes to. Corpora of others (Table 2) are counted where
their files are here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from otherwords.analyse.catalogue import AnalysisOptions, run_analyses
from otherwords.analyse.finding import Cell
from otherwords.analyse.label_classes import NEGATIVE
from otherwords.analyse.reproduce.item import Compute, Paper, PaperItem, Recognised, Role, grid, printed_rows
from otherwords.analyse.reproduce.materials import Materials
from otherwords.analyse.reproduce.recomputed import Recomputed, among, share_value
from otherwords.corpus.corpus import Corpus, open_corpus
from otherwords.measures.bins import range_names
from otherwords.sources.reading import open_records

WHOLE, QQP, WIKI = 8_814, 2_154, 6_660  # annotated pairs, Table 3
PARTS = {"PAWS QQP": ("qqp", QQP), "PAWS Wiki": ("wiki", WIKI)}
TRAIN, TEST = "train", "test"
OURS = tuple(f"{part}-{section}" for part in ("qqp", "wiki") for section in (TRAIN, TEST))
OTHERS = {  # formats of other corpora, and the row of Table 2 that they belong to
    "mrpc": "MRPC", "qqp": "QQP", "twitter-url": "TURL", "paws": "PAWS", "paraphraser": "ParaPhraser"
}  # fmt: skip
TENTHS = 10
NO_STAGES = "pairs of this stage are not released"
NO_PREDICTIONS = "what the models predicted is not released"
NO_TYPES = "the pairs with their types of change are not released"
NO_RATERS = "what each rater answered is not released"
LARGER = "the released Wikipedia part is larger than the paper says"
NOT_DRAWN = "this file is one part of that corpus, and not drawn from it at random"
ALWAYS = "every pair is called a paraphrase, for which no model is needed"
NO_MODEL = "this is no score of the paper's model"
TABLE_2 = """
MRPC        |   5,801 | 18
QQP         | 404,290 | 37
TURL        |  51,524 | 25
PAWS        | 108,463 | 33
PAWS-X      | 320,065 | 44
ParaPhraser |   9,151 | 63
RuPAWS      |   8,814 | 39
"""
TABLE_3 = """
raw pairs                          | 12,663 | 95,798
noise-filtered: total              | 12,225 | 87,695
noise-filtered: paraphrase         |  4,157 | 31,570
noise-filtered: non-paraphrase     |  8,068 | 56,125
machine-translated: total          |  6,076 | 38,558
machine-translated: paraphrase     |  2,082 | 13,967
machine-translated: non-paraphrase |  3,994 | 24,591
annotated: total                   |  2,154 |  6,660
annotated: paraphrase              |    907 |  2,563
annotated: non-paraphrase          |  1,247 |  4,097
"""
COLUMNS_4 = tuple(f"{test}, {score}" for test in ("PP", "Wiki", "QQP", "Wiki+QQP") for score in ("Acc.", "F1"))
TABLE_4 = """
BOW, PP             | 62.5 | 60.5 | 34.7 | 54.9 | 45.4 | 60.2 | 35.0 | 55.5
BOW, PP+RuPAWS      | 62.5 | 60.0 | 46.0 | 55.6 | 49.2 | 61.0 | 46.3 | 56.0
BiLSTM, PP          | 74.3 | 81.6 | 39.1 | 54.4 | 46.0 | 62.0 | 40.1 | 55.6
BiLSTM, PP+RuPAWS   | 66.3 | 74.1 | 65.4 | 60.9 | 52.4 | 60.0 | 63.5 | 60.7
RuBERT, PP          | 85.0 | 87.7 | 38.4 | 55.5 | 46.0 | 63.0 | 39.1 | 56.2
RuBERT, PP+RuPAWS   | 84.6 | 87.3 | 79.6 | 75.4 | 73.6 | 71.3 | 79.0 | 74.9
"""
TABLE_1 = """
Adjective swap    | 0.96 | 0.02
Named entity swap | 0.97 | 0.08
Verb swap         | 0.96 | 0.03
Word replacement  | 0.96 | 0.02
"""
TYPES = """
Figure 2, named entity swap, pairs        | 699
Figure 2, named entity swap, accuracy     | 83%
Figure 2, adjective swap, pairs           | 121
Figure 2, adjective swap, accuracy        | 72%
Figure 3, lexical substitution            | 47%
Figure 3, syntax change                   | 37%
Figure 3, addition/deletion, accuracy     | 82%
Figure 3, other, accuracy                 | 74%
names that were translated in two ways    | 52%
"""


def _recognise(path: Path, format: str) -> Recognised | None:
    if format != "rupaws" and format not in OTHERS:
        return None
    with open_records(path, format) as records:
        rows = sum(1 for _ in records.pairs())
    if format != "rupaws":
        return Recognised(OTHERS[format], f"{OTHERS[format]}, {rows:,} pairs", rows)
    words = " ".join(part.lower() for part in path.parts[-3:])
    part = next((part for part in ("qqp", "wiki") if part in words), None)
    section = next((section for section in (TRAIN, TEST) if section in path.name.lower()), None)
    if part is None or section is None:
        return Recognised(None, "pairs of RuPAWS, but no name says qqp or wiki, train or test", rows)
    return Recognised(f"{part}-{section}", f"RuPAWS {part}, {section}: {rows:,} pairs", rows)


def _corpora(data: Materials, *roles: str) -> list[Corpus]:
    formats = {name: format for format, name in OTHERS.items()}
    return [open_corpus(file.path, format=formats.get(file.role or "", "rupaws")) for file in data.in_roles(*roles)]


def _polarities(data: Materials, *roles: str) -> list[bool]:
    """Whether each pair is a paraphrase; pairs whose label does not say are left out."""

    def read() -> list[bool]:
        found = (corpus.positive(pair) for corpus in _corpora(data, *roles) for pair in corpus.pairs())
        return [positive for positive in found if positive is not None]

    return data.keep(("polarities", *roles), read)


def _table_2(row: str, column: str) -> Compute | None:
    sizes = {name: int(cells[0].replace(",", "")) for name, cells in printed_rows(TABLE_2)}
    roles = OURS if row == "RuPAWS" else (row,)
    if row == "PAWS-X":
        return None

    def compute(data: Materials) -> Recomputed | None:
        pairs = _polarities(data, *roles)
        if not pairs:
            return None
        if column == "size":
            return Recomputed(len(pairs), len(pairs), whole=sizes[row])
        return share_value(sum(pairs), len(pairs), len(pairs), sizes[row])

    return compute


def _table_3(row: str, column: str) -> Compute | None:
    stage, _, kind = row.partition(": ")
    part, whole = PARTS[column]

    def compute(data: Materials) -> Recomputed | None:
        pairs = _polarities(data, f"{part}-{TRAIN}", f"{part}-{TEST}")
        if not pairs:
            return None
        if kind == "total":
            return Recomputed(len(pairs), len(pairs), whole=whole)
        return among(sum(positive == (kind == "paraphrase") for positive in pairs), len(pairs), whole)

    return compute if stage == "annotated" else None


def _overlap_tables(data: Materials, *roles: str) -> list[dict[str, list[dict[str, Cell]]]]:
    """The tables of ``otherwords analyse --only ngrams``, for each file."""

    def analyse() -> list[dict[str, list[dict[str, Cell]]]]:
        found = [run_analyses([corpus], AnalysisOptions(), ["ngrams"]) for corpus in _corpora(data, *roles)]
        return [{table.name: table.as_dicts() for table in result.findings[0].tables} for [result] in found]

    return data.keep(("overlap", *roles), analyse)


def _over_half(data: Materials, *, roles: tuple[str, ...], whole: int) -> Recomputed | None:
    """The share of non-paraphrases with an n-gram overlap over 0.5."""
    hits = negatives = 0
    for tables in _overlap_tables(data, *roles):
        for row in tables["kinds"]:
            if row["kind"] == NEGATIVE:
                count = int(row["pairs"] or 0)
                negatives += count
                hits += round(float(row["over_half"] or 0.0) * count)
    return share_value(hits, negatives, len(_polarities(data, *roles)), whole) if negatives else None


def _in_range(name: str, data: Materials, *, roles: tuple[str, ...], whole: int) -> Recomputed | None:
    """The share of non-paraphrases in a range of n-gram overlap."""
    rows = [row for tables in _overlap_tables(data, *roles) for row in tables["ranges"] if NEGATIVE in row]
    hits = sum(int(row[NEGATIVE] or 0) for row in rows if row["range"] == name)
    negatives = sum(int(row[NEGATIVE] or 0) for row in rows)
    return share_value(hits, negatives, len(_polarities(data, *roles)), whole) if negatives else None


def _negatives(data: Materials) -> Recomputed | None:
    pairs = _polarities(data, *OURS)
    return share_value(pairs.count(False), len(pairs), len(pairs), WHOLE)


def _always(score: str, roles: tuple[str, ...], data: Materials) -> Recomputed | None:
    """What calling every pair a paraphrase comes to."""
    pairs = _polarities(data, *roles)
    if not pairs:
        return None
    right = sum(pairs)
    return Recomputed(100 * (right / len(pairs) if score == "Acc." else 2 * right / (len(pairs) + right)), len(pairs))


def _test_pairs(kind: bool | None, data: Materials) -> Recomputed | None:
    pairs = _polarities(data, f"wiki-{TEST}", f"qqp-{TEST}")
    count = sum(kind is None or positive == kind for positive in pairs)
    return Recomputed(count, len(pairs)) if pairs else None


def _items() -> Iterator[PaperItem]:
    models = ("RuBERT (PP)", "RuBERT (PP+RuPAWS)")
    yield from grid("Table 1", models, TABLE_1, needs=lambda row, column: NO_PREDICTIONS)
    for item in grid("Table 2", ("size", "% positive"), TABLE_2, _table_2, lambda row, column: f"files of {row}"):
        because = LARGER if item.row == "RuPAWS" else NOT_DRAWN
        needs = item.needs if item.compute else "data of others in seven languages"
        yield PaperItem(item.place, item.row, item.column, item.printed, item.compute, needs, because=because)
    annotated = "the released parts, training and testing"
    for item in grid("Table 3", tuple(PARTS), TABLE_3, _table_3):
        needs = annotated if item.compute else NO_STAGES
        because = LARGER if item.column == "PAWS Wiki" else ""
        yield PaperItem(item.place, item.row, item.column, item.printed, item.compute, needs, because=because)
    yield PaperItem("§3.3", "both raters agree", "% of pairs", "87%", needs=NO_RATERS)
    yield PaperItem("§3.4", "non-paraphrases", "% of pairs", "61%", _negatives, annotated, because=LARGER)
    definition = "n-gram overlap is |shared| / min(|a|, |b|) over 1–3-grams, which fits the figure best"
    for row, printed, roles, whole in (("RuPAWS", "47%", OURS, WHOLE), ("ParaPhraser", "6%", ("ParaPhraser",), 9_151)):
        overlap = partial(_over_half, roles=roles, whole=whole)
        because = LARGER if row == "RuPAWS" else ""
        yield PaperItem("Figure 1", row, "non-paraphrases over 0.5", printed, overlap, f"files of {row}",
                   because=because, definition=definition)  # fmt: skip
        for name in range_names(TENTHS):
            share = partial(_in_range, name, roles=roles, whole=whole)
            yield PaperItem("Figure 1", f"{row}, {name}", "% of non-paraphrases", None, share, f"files of {row}",
                       definition=definition)  # fmt: skip
    yield from grid("Table 4", COLUMNS_4, TABLE_4, needs=lambda row, column: NO_PREDICTIONS)
    for column, roles in (("Wiki", ("wiki-test",)), ("QQP", ("qqp-test",)), ("Wiki+QQP", ("wiki-test", "qqp-test"))):
        for score in ("Acc.", "F1"):
            printed = dict(printed_rows(TABLE_4))["RuBERT, PP"][COLUMNS_4.index(f"{column}, {score}")]
            yield PaperItem("Table 4", "always paraphrase, beside RuBERT, PP", f"{column}, {score}", printed,
                       partial(_always, score, roles), f"RuPAWS {column}, test",
                       because=NO_MODEL, definition=ALWAYS)  # fmt: skip
    for row, printed, kind in (("paraphrase", "741", True), ("non-paraphrase", "932", False), ("all", "1,673", None)):
        yield PaperItem("§5", f"test set, {row}", "pairs", printed, partial(_test_pairs, kind), "RuPAWS, both tests")
    for row, printed in (("false positives", "218"), ("false negatives", "130")):
        yield PaperItem("§5", row, "pairs", printed, needs=NO_PREDICTIONS)
    yield from grid("§5", ("types of change",), TYPES, needs=lambda row, column: NO_TYPES)


PAPER = Paper(
    "rupaws",
    "Martynov et al. 2022, RuPAWS: A Russian Adversarial Dataset for Paraphrase Identification",
    tuple(_items()),
    (
        *(Role(role, f"RuPAWS {role.replace('-', ', ')}") for role in OURS),
        *(Role(name, f"{name}, by others, for Table 2") for name in OTHERS.values()),
    ),
    _recognise,
)
