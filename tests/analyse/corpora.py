"""Small corpora for tests of analyses: pairs in, a corpus that can be read again and again out."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec

from otherwords.analyse.analyses import OF_PAIRS, Wishes
from otherwords.analyse.figures import save
from otherwords.analyse.finding import Finding
from otherwords.analyse.seen import seen
from otherwords.corpus.corpora import Corpus, corpus_of
from otherwords.records import Pair


def corpus(path: Path, pairs: list[Pair], **wishes: Any) -> Corpus:
    """A corpus in a file."""
    path.write_bytes(b"".join(msgspec.json.encode(pair) + b"\n" for pair in pairs))
    return corpus_of(path, format="jsonl", **wishes)


def found(name: str, of: Corpus, wishes: Wishes | None = None) -> Finding | None:
    """What one analysis says of a corpus."""
    analysis = OF_PAIRS.get(name)(of, wishes or Wishes())
    for batch in seen(of):
        analysis.add(batch)
    finding = analysis.finding()
    assert finding is None or finding.name == name
    return finding


def said(name: str, of: Corpus, wishes: Wishes | None = None) -> Finding:
    """The same where there is something to say; its figures can be drawn, its numbers have signatures."""
    finding = found(name, of, wishes)
    assert finding is not None
    check(finding, of.path.parent)
    return finding


def check(finding: Finding, folder: Path) -> None:
    """What holds of every finding."""
    assert all(len(row) == len(table.columns) for table in finding.tables for row in table.rows)
    for table in finding.tables:
        assert {table.name, *(column.name for column in table.columns)} & set(finding.signatures)
    assert all("version:" in one for one in finding.signatures.values())
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


def cells(finding: Finding, table: str) -> list[dict[str, Any]]:
    """The rows of one of its tables."""
    return next(one for one in finding.tables if one.name == table).as_dicts()
