"""For every format and every noun it holds: recognised by itself, and written and read again without loss."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from otherwords.errors import OtherwordsError
from otherwords.records import Judgement, Pair, Record
from otherwords.sources import write_records
from otherwords.sources.format import NOUNS
from otherwords.sources.formats import FORMATS
from otherwords.sources.source import ReadLog, Source
from tests.sources.inputs import OURS, input_name, inputs
from tests.sources.laws import read, recognised

COUNTED = ("pit2015", "twitter-url")
READ_ONLY = ("xlsx",)
PARTS = ("mini:", "msrp-a:", "data/", "train/", "test/")  # ids made of the files in a folder
NO_PAIRS = {"token-votes", "turku/texts.json"}
# Older or second layouts of a corpus, which are written in its main layout: texts and labels stay.
SECOND_LAYOUTS = {"tmup/older.tsv", "twitter-url/tokens"}


cases = pytest.mark.parametrize("case", inputs(), ids=input_name)


def test_every_format_has_a_fixture() -> None:
    assert {name for name, _ in inputs()} == set(FORMATS) - set(OURS)


@cases
def test_is_recognised(case: tuple[str, Path]) -> None:
    format, path = case
    assert recognised(path) == format


def nouns_of(format: str, path: Path) -> dict[str, list[Record]]:
    """What can be read from an input, by noun."""
    by_noun: dict[str, list[Record]] = {}
    for noun, kind in NOUNS.items():
        if kind not in FORMATS.get(format).nouns:
            continue
        try:
            records, _ = read(path, format, noun=noun, on_error="skip")
        except OtherwordsError:
            continue
        if records:
            by_noun[noun] = records
    return by_noun


@cases
def test_read_write_read(case: tuple[str, Path], tmp_path: Path) -> None:
    format, path = case
    by_noun = nouns_of(format, path)
    assert "pairs" in by_noun or format in NO_PAIRS or input_name(case) in NO_PAIRS
    for noun, records in by_noun.items():
        if format in READ_ONLY or not writes(format, records):
            continue
        once, twice = tmp_path / noun / "once" / path.name, tmp_path / noun / "twice" / path.name
        for target in (once, twice):
            target.parent.mkdir(parents=True)
        write_records(records, once, format)
        again, log = read(once, format, noun=noun)
        assert comparable(again, case, once) == comparable(records, case, path)
        assert not log.skipped
        write_records(again, twice, format)
        assert read(twice, format, noun=noun)[0] == again


@cases
def test_through_our_own_forms(case: tuple[str, Path], tmp_path: Path) -> None:
    format, path = case
    for noun, records in nouns_of(format, path).items():
        for ours in OURS:
            file = tmp_path / f"{noun}.{ours}"
            write_records(records, file)
            assert read(file, noun=noun)[0] == records, ours


EMPTY = Pair(id="", text1="", text2="b", lang="", source="", group="", time="", method="", rewrite_of="", label="")


@pytest.mark.parametrize("ours", OURS)
def test_empty_texts_are_the_same_in_all_our_forms(ours: str, tmp_path: Path) -> None:
    file = tmp_path / f"x.{ours}"
    write_records([EMPTY], file)
    (pair,) = read(file)[0]
    assert isinstance(pair, Pair)
    assert msgspec.structs.replace(pair, id="") == Pair(id="", text1="", text2="b")
    assert pair.id in ("x:1", "x:2")  # a table has a header before it


def test_an_empty_group_of_a_released_corpus_is_none(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text("Four-class labels\tBinary labels\tEntity\tDefinition1\tDefinition2\n1\t0\t\ta\tb\n", "utf-8")
    (pair,) = read(file, "parade")[0]
    assert isinstance(pair, Pair)
    assert pair.group is None


def writes(format: str, records: list[Record]) -> bool:
    """Votes and ratings that were derived from a pair's counts are written with the pair, not by themselves."""
    return not (isinstance(records[0], Judgement) and records[0].annotator is None and format in COUNTED)


def comparable(records: list[Record], case: tuple[str, Path], path: Path) -> list[object]:
    """Ids made of file and line change when blank lines go; ids of the corpus must not."""
    if input_name(case) in SECOND_LAYOUTS:
        return [(pair.text1, pair.text2, pair.label) for pair in records if isinstance(pair, Pair)]
    stem = Source(path, ReadLog()).stem
    return [placeless(record, stem) for record in records]


def placeless(record: Record, stem: str) -> Record:
    places = (f"{stem}:", *PARTS)
    fields = ("id", "pair", "rewrite_of")
    return msgspec.structs.replace(
        record, **{name: "" for name in fields if str(getattr(record, name, None)).startswith(places)}
    )
