"""Small corpora for tests of analyses, and what holds of every finding."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, insert

from otherwords.analyse.catalogue import PAIR_ANALYSES, AnalysisOptions
from otherwords.analyse.figures.render import save
from otherwords.analyse.finding import Finding
from otherwords.analyse.pair_batch import pair_batches
from otherwords.corpus.corpus import Corpus, open_corpus
from otherwords.project.ledger.rows import TABLES, row_of
from otherwords.records import Pair, Record


def corpus(path: Path, pairs: list[Pair], **reading_options: Any) -> Corpus:
    """A corpus in a file."""
    path.write_bytes(b"".join(msgspec.json.encode(pair) + b"\n" for pair in pairs))
    return open_corpus(path, format="jsonl", **reading_options)


def run_analysis(name: str, source: Corpus, options: AnalysisOptions | None = None) -> Finding | None:
    """The finding of one analysis of a corpus."""
    analysis = PAIR_ANALYSES.get(name)(source, options or AnalysisOptions())
    for batch in pair_batches(source):
        analysis.add(batch)
    finding = analysis.finding()
    assert finding is None or finding.name == name
    return finding


found = run_analysis  # the name by which tests/papers imports it


def checked_finding(name: str, source: Corpus, options: AnalysisOptions | None = None) -> Finding:
    """The finding of an analysis that has something to report, checked by :func:`check`."""
    finding = run_analysis(name, source, options)
    assert finding is not None
    check(finding, source.path.parent)
    return finding


def check(finding: Finding, folder: Path) -> None:
    """Rows fit their columns, numbers have signatures, figures can be drawn."""
    assert all(len(row) == len(table.columns) for table in finding.tables for row in table.rows)
    for table in finding.tables:
        assert {table.name, *(column.name for column in table.columns)} & set(finding.signatures)
    assert all("version:" in signature for signature in finding.signatures.values())
    for figure in finding.figures:
        files = [folder / f"{figure.name}.{suffix}" for suffix in ("svg", "png")]
        save(figure.spec, *files)
        assert all(file.stat().st_size > 1000 for file in files)


def shuffled(pairs: list[Pair]) -> list[Pair]:
    """The same pairs in another order."""
    others = list(pairs)
    random.Random(7).shuffle(others)
    assert others != pairs or len(pairs) < 2
    return others


def cells(finding: Finding, table_name: str) -> list[dict[str, Any]]:
    """The rows of a table of a finding."""
    return next(table for table in finding.tables if table.name == table_name).as_dicts()


def insert_records(connection: Connection, *records: Record) -> None:
    """Put records into a ledger."""
    for record in records:
        connection.execute(insert(TABLES[type(record)]).values(**row_of(record)))
