"""Whatever is done to a corpus in any of the formats, its reader takes it or says what is wrong."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec
import pytest

from otherwords.errors import OtherwordsError
from otherwords.sources import open_records, write_records
from otherwords.sources.format import NOUNS
from otherwords.sources.formats import FORMATS
from tests.conftest import ROOT
from tests.fuzz.damage import Files
from tests.fuzz.hunt import Read, files_of, fuzz_seconds, hunt, hunt_for
from tests.sources.laws import pairs, read

FIXTURES = ROOT / "tests" / "fixtures"
OURS = {"jsonl": "pairs.jsonl", "csv": "pairs.csv", "tsv": "pairs.tsv", "parquet": "pairs.parquet"}
MIXED = ("turku/context.json", "prodigy/answers.jsonl", "p4p/corpus.xml", "rupaws/numbered.csv")


def seeds_of(format: str, place: Path) -> list[Files]:
    """The fixtures of a format; ours have none and are written from those of others."""
    if format not in OURS:
        return [files_of(path) for path in sorted((FIXTURES / format).iterdir())]
    place.mkdir()
    inputs = []
    for number, name in enumerate(MIXED):
        path = place / str(number) / OURS[format]
        path.parent.mkdir()
        write_records(pairs(FIXTURES / name), path)
        inputs.append(files_of(path))
    return inputs


def reader(format: str, aside: Path) -> Read:
    """Read every noun of it, with what is refused written aside; then as a user who names nothing would."""

    nouns = [noun for noun, kind in NOUNS.items() if kind in FORMATS.get(format).nouns]

    def take(path: Path) -> int:
        count = 0
        for noun in nouns:
            with contextlib.suppress(OtherwordsError):
                records, _ = read(path, format, noun=noun, on_error="quarantine", quarantine=aside)
                count += len(msgspec.json.encode(records)) > len(b"[]")
        with open_records(path, noun=nouns[0]) as recognised:
            msgspec.json.encode(list(recognised))
        return count

    return take


@pytest.mark.parametrize("format", list(FORMATS))
def test_only_our_errors(format: str, tmp_path: Path) -> None:
    tally = hunt(reader(format, tmp_path / "refused"), seeds_of(format, tmp_path / "seeds"), tmp_path / "case", 40)
    assert tally.refused > 0
    assert tally.taken > 0 or format == "parquet"  # which nearly every damage makes unreadable


@pytest.mark.soak
@pytest.mark.parametrize("format", list(FORMATS))
def test_only_our_errors_for_long(format: str, tmp_path: Path) -> None:
    seeds = seeds_of(format, tmp_path / "seeds")
    print(format, hunt_for(reader(format, tmp_path / "refused"), seeds, tmp_path / "case", fuzz_seconds()))
