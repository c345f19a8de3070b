"""What holds for every format: it is recognised, and what was read can be written and read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from otherwords.records import Pair, Record
from otherwords.sources import open_records, write_records
from otherwords.sources.reading import recognise
from otherwords.sources.source import ReadLog, Source


def read(path: Path, format: str | None = None, **options: Any) -> tuple[list[Record], ReadLog]:
    """All records of a file and the log of the reading."""
    with open_records(path, format, **options) as records:
        return list(records), records.account


def pairs(path: Path, format: str | None = None, **options: Any) -> list[Pair]:
    return [record for record in read(path, format, **options)[0] if isinstance(record, Pair)]


def rejected(path: Path, format: str, tmp_path: Path) -> list[tuple[int, str]]:
    """Line and reason of every row that a reading refuses."""
    aside = tmp_path / "refused.jsonl"
    read(path, format, on_error="quarantine", quarantine=aside)
    rows = [msgspec.json.decode(line) for line in aside.read_bytes().splitlines()]
    return [(row["line"], row["reason"]) for row in rows]


def recognised(path: Path) -> str:
    return recognise(Source(path, ReadLog())).name


def check_round_trip(path: Path, format: str, tmp_path: Path) -> None:
    """Read, write and read again is the same, and so is the way through our JSON Lines."""
    records = pairs(path, format)
    assert records
    again, by_jsonl = tmp_path / "again" / path.name, tmp_path / "through.jsonl"
    again.parent.mkdir()
    write_records(records, again, format)
    assert _apart_from_places(pairs(again, format), again) == _apart_from_places(records, path)
    assert recognised(again) == format

    write_records(records, by_jsonl)
    assert pairs(by_jsonl, "jsonl") == records
    through = tmp_path / "through" / path.name
    through.parent.mkdir()
    write_records(pairs(by_jsonl, "jsonl"), through, format)
    assert _contents(through) == _contents(again)


def _contents(path: Path) -> dict[str, bytes]:
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return {file.name: file.read_bytes() for file in files}


def _apart_from_places(records: list[Pair], path: Path) -> list[Pair]:
    """Ids made of file and line change when blank lines go; ids of the corpus must not."""
    stem = Source(path, ReadLog()).stem
    return [msgspec.structs.replace(pair, id="") if pair.id.startswith(f"{stem}:") else pair for pair in records]
