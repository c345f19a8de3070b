"""Suzuki et al. 2017: the evaluation corpus for Japanese paraphrase identification (tmup).

The released file holds the 655 pairs that were kept, cut into words. The 500,000 candidates, the pairs that were called
Unnatural or Other, and what each of the two people answered are not released. Below an overlap of 0.5 some pairs lie in
a neighbouring range of the table; from 0.5 up every count agrees.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from otherwords.analyse.catalogue import AnalysisOptions, run_analyses
from otherwords.analyse.finding import Cell, Finding
from otherwords.analyse.reproduce.item import Compute, Paper, PaperItem, Recognised, Role, grid
from otherwords.analyse.reproduce.materials import Materials
from otherwords.analyse.reproduce.recomputed import Recomputed, among
from otherwords.corpus.corpus import open_corpus
from otherwords.measures import measure
from otherwords.measures.bins import range_names
from otherwords.records import Pair
from otherwords.sources.reading import open_records

ROLE = "tmup"
WHOLE = 655  # pairs, §4.2
MACHINE, RANDOM = "machine-translated", "random"  # origins of negatives
NO_CANDIDATES = "the 500,000 translated sentences and the 2,000 that were sampled are not released"
NO_DISCARDED = "pairs that were called Unnatural or Other were discarded and are not released"
NO_ANSWERS = "what each person answered is not released"
NO_GUESSES = "what the three people guessed is not released"
NO_ANALYSIS = "the 168 pairs with their types of change are not released"
COLUMNS = (
    *("# Sentence", "length of source", "length of PBMT", "length of NMT", "# Sample"),
    *("# Positive", "# Negative, translated", "# Negative, Wikipedia", "# Unnatural", "# Other"),
)
COMPUTED = {
    "# Positive": "label 1",
    "# Negative, translated": f"negatives {MACHINE}",
    "# Negative, Wikipedia": f"negatives {RANDOM}",
}
TABLE_1 = """
[0.0, 0.1) |     228 | 19.42 | 20.65 | 19.75 |   200 |   2 |   1 |   0 |    80 | 117
[0.1, 0.2) |   2,117 | 21.56 | 24.81 | 22.01 |   200 |  11 |  14 |   0 |   147 |  28
[0.2, 0.3) |  14,080 | 21.56 | 26.50 | 23.37 |   200 |  20 |   9 |   0 |   162 |   9
[0.3, 0.4) |  51,316 | 23.48 | 29.69 | 26.29 |   200 |  24 |  15 |   0 |   161 |   0
[0.4, 0.5) | 100,674 | 24.40 | 31.35 | 28.08 |   200 |  27 |  16 |   0 |   151 |   6
[0.5, 0.6) | 134,101 | 23.16 | 29.90 | 27.26 |   200 |  34 |  16 |   0 |   142 |   8
[0.6, 0.7) | 100,745 | 21.04 | 27.32 | 25.30 |   200 |  38 |  13 |   0 |   129 |  20
[0.7, 0.8) |  55,610 | 18.83 | 24.57 | 23.04 |   200 |  53 |  12 |  40 |   131 |   4
[0.8, 0.9) |  26,884 | 16.23 | 21.31 | 20.24 |   200 |  81 |   3 |  80 |    94 |  22
[0.9, 1.0) |   8,071 | 13.79 | 18.40 | 17.55 |   200 |  73 |   3 |  70 |    56 |  68
[1.0, 1.0] |   6,174 | 10.10 | 13.07 | 12.96 |     0 |   0 |   0 |   0 |     0 |   0
Total      | 500,000 | 19.42 | 24.32 | 22.35 | 2,000 | 363 | 102 | 190 | 1,253 | 282
"""
TABLE_3 = """
Content word replacement         | 63.1
Phrasal/Sentential replacement   | 25.0
Function word replacement        | 23.2
Function word insertion/deletion | 14.3
Content word insertion/deletion  |  9.5
Word order                       |  6.5
Lexical entailment               |  4.2
"""
# Table 4: its examples by the SHA-256 of the English source, as the released file spells it, and their overlap.
TABLE_4 = {
    "example 1": ("5248e898a8799ead", "0.60"),
    "example 2": ("8a153792a26a7fe4", "0.90"),
    "example 3": ("d26c54d994cde2ea", "0.07"),
    "example 4": ("80acd17b8bd8d33c", "0.15"),
}


def _recognise(path: Path, format: str) -> Recognised | None:
    if format != "tmup":
        return None
    with open_records(path, "tmup") as records:
        rows = sum(1 for _ in records.pairs())
    return Recognised(ROLE, f"the released corpus, {rows:,} of {WHOLE:,} pairs", rows)


def _pairs(data: Materials) -> list[Pair]:
    def read() -> Iterator[Pair]:
        for file in data.in_roles(ROLE):
            with open_records(file.path, "tmup") as records:
                yield from records.pairs()

    return data.keep("pairs", lambda: list(read()))


def _overlap(data: Materials) -> Finding | None:
    """Word overlap by range, as ``otherwords analyse`` has it; of the first file."""

    def analyse() -> Finding | None:
        files = data.in_roles(ROLE)
        if not files:
            return None
        [result] = run_analyses([open_corpus(files[0].path, format="tmup")], AnalysisOptions(), ["overlap"])
        return result.findings[0]

    return data.keep("overlap", analyse)


def _rows(data: Materials, table: str, key: str) -> dict[Cell, dict[str, Cell]]:
    finding = _overlap(data)
    tables = {found.name: found for found in finding.tables} if finding else {}
    return {row[key]: row for row in tables[table].as_dicts()} if table in tables else {}


def _count(row: str, column: str) -> Compute | None:
    def compute(data: Materials) -> Recomputed | None:
        rows = _rows(data, "ranges", "range")
        if not rows:
            return None
        *_, total = rows.values()
        cells = total if row == "Total" else rows[row]
        return among(int(cells.get(COMPUTED[column]) or 0), int(total["pairs"] or 0), WHOLE)

    return compute if column in COMPUTED else None


def _labelled(label: str | None) -> Compute:
    def compute(data: Materials) -> Recomputed | None:
        pairs = _pairs(data)
        if not pairs:
            return None
        if label is None:
            return Recomputed(len(pairs), len(pairs), whole=WHOLE)
        return among(sum(pair.label == label for pair in pairs), len(pairs), WHOLE)

    return compute


def _share(row: str, column: str) -> Compute:
    def compute(data: Materials) -> Recomputed | None:
        rows = _rows(data, "ranges", "range")
        share = rows[row][column] if rows else None
        pairs = len(_pairs(data))
        return Recomputed(100 * float(share), pairs, whole=WHOLE) if share is not None else None

    return compute


def _accuracy(threshold: float) -> Compute:
    def compute(data: Materials) -> Recomputed | None:
        row = _rows(data, "accuracy", "threshold").get(threshold)
        return Recomputed(float(row["accuracy"] or 0.0), len(_pairs(data)), whole=WHOLE) if row else None

    return compute


def _example(digest: str) -> Compute:
    def compute(data: Materials) -> Recomputed | None:
        jaccard = measure("jaccard", tokeniser="blank")
        for pair in _pairs(data):
            source = str(pair.meta.get("source_sentence") or "")
            if hashlib.sha256(source.encode()).hexdigest().startswith(digest):
                return Recomputed(float(jaccard.scores([pair.text1], [pair.text2])[0]), 1)
        return None

    return compute


def _needs(row: str, column: str) -> str:
    if column in COMPUTED:
        return "tmup.tsv"
    return NO_DISCARDED if column in ("# Unnatural", "# Other") else NO_CANDIDATES


def _items() -> Iterator[PaperItem]:
    yield from grid("Table 1", COLUMNS, TABLE_1, _count, _needs)
    for row, printed, label in (("pairs", "655", None), ("positive", "363", "1"), ("negative", "292", "0")):
        yield PaperItem("§4.2", row, "pairs", printed, _labelled(label), "tmup.tsv")
    yield PaperItem("§4.2", "two people", "kappa", "0.60", needs=NO_ANSWERS)
    yield PaperItem("§4.2", "two people", "disagreements", "89", needs=NO_ANSWERS)
    yield PaperItem("§3.2", "translated or random", "mean F-score", "0.34", needs=NO_GUESSES)
    for name, column in (("Figure 2", "positives"), ("Figure 3", "negatives")):
        for row in range_names(10)[:-1]:
            yield PaperItem(name, row, f"% of {column}", None, _share(row, column), "tmup.tsv")
    yield from grid("Table 3", ("%",), TABLE_3, needs=lambda row, column: NO_ANALYSIS)
    for row, (digest, printed) in TABLE_4.items():
        yield PaperItem("Table 4", row, "Jaccard", printed, _example(digest), "tmup.tsv with this example")
    for tenth in range(11):
        yield PaperItem("Figure 4", f"threshold {tenth / 10:.1f}", "accuracy", None, _accuracy(tenth / 10), "tmup.tsv")


PAPER = Paper(
    "suzuki",
    "Suzuki et al. 2017, Building a Non-Trivial Paraphrase Corpus Using Multiple Machine Translation Systems",
    tuple(_items()),
    (Role(ROLE, "tmup.tsv: 655 pairs with label, two sentences and the English source"),),
    _recognise,
)
