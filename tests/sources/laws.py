"""What holds for every format: it is recognised, and what was read can be written and read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from otherwords.records import Pair, Record
from otherwords.sources import reading, write
from otherwords.sources.reading import recognise
from otherwords.sources.source import Account, Source


def read(path: Path, format: str | None = None, **wishes: Any) -> tuple[list[Record], Account]:
    """All records of a file and the account of the reading."""
    with reading(path, format, **wishes) as records:
        return list(records), records.account


def pairs(path: Path, format: str | None = None, **wishes: Any) -> list[Pair]:
    return [record for record in read(path, format, **wishes)[0] if isinstance(record, Pair)]


def rejected(path: Path, format: str, tmp_path: Path) -> list[tuple[int, str]]:
    """Line and reason of every row that a reading refuses."""
    aside = tmp_path / "refused.jsonl"
    read(path, format, on_error="quarantine", quarantine=aside)
    rows = [msgspec.json.decode(line) for line in aside.read_bytes().splitlines()]
    return [(row["line"], row["reason"]) for row in rows]


def recognised(path: Path) -> str:
    return recognise(Source(path, Account())).name


def check_round_trip(path: Path, format: str, tmp_path: Path) -> None:
    """Read, write and read again is the same, and so is the way through our JSON Lines."""
    records = pairs(path, format)
    assert records
    again, by_jsonl = tmp_path / "again" / path.name, tmp_path / "through.jsonl"
    again.parent.mkdir()
    write(records, again, format)
    assert _apart_from_places(pairs(again, format), again) == _apart_from_places(records, path)
    assert recognised(again) == format

    write(records, by_jsonl)
    assert pairs(by_jsonl, "jsonl") == records
    through = tmp_path / "through" / path.name
    through.parent.mkdir()
    write(pairs(by_jsonl, "jsonl"), through, format)
    assert _contents(through) == _contents(again)


def _contents(path: Path) -> dict[str, bytes]:
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return {file.name: file.read_bytes() for file in files}


def _apart_from_places(records: list[Pair], path: Path) -> list[Pair]:
    """Ids made of file and line change when blank lines go; ids of the corpus must not."""
    stem = Source(path, Account()).stem
    return [msgspec.structs.replace(pair, id="") if pair.id.startswith(f"{stem}:") else pair for pair in records]
