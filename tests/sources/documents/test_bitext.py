"""Bitext: Moses files, TMX, tables, and pair corpora by name."""

from __future__ import annotations

import contextlib
import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import DataError, UsageError
from otherwords.records import Pair
from otherwords.sources.documents import KINDS
from otherwords.sources.documents.bitext.files import parse_languages
from otherwords.sources.source import OnError, ReadLog, Source
from tests.errors import raises

MEMORY = (
    '<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>One</seg></tuv>'
    '<tuv xml:lang="fi"><seg>Yksi</seg></tuv></tu></body></tmx>'
)


def read(
    path: Path, on_error: OnError = "stop", columns: dict[str, str] | None = None, **options: Any
) -> tuple[list[Pair], ReadLog]:
    kind = KINDS.get("bitext")
    source = Source(path, ReadLog(on_error), Pair, columns=columns or {})
    results = [pair for pair in kind.read(source, kind.checked(options)) if isinstance(pair, Pair)]
    return results, source.account


def sides(path: Path, **options: Any) -> list[tuple[str, str, str | None, str | None]]:
    return [(p.text1, p.text2, p.meta.get("lang1"), p.meta.get("lang2")) for p in read(path, **options)[0]]


@pytest.fixture
def bitext(fixtures: Path) -> Path:
    return fixtures / "documents" / "bitext"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bitext")


def test_moses_by_prefix_by_either_file_and_by_both(bitext: Path) -> None:
    english_first = [
        ("The boat is red.", "Vene on punainen.", "en", "fi"),
        ("The sea is calm tonight.", "Meri on tyyni tänä iltana.", "en", "fi"),
    ]
    finnish_first = [(b, a, "fi", "en") for a, b, *_ in english_first]
    assert sides(bitext / "boats") == english_first
    assert sides(bitext / "boats.en") == english_first
    assert sides(bitext / "boats.fi") == finnish_first
    assert sides(bitext / "boats", langs="fi-en") == finnish_first
    assert sides(bitext / "boats.en", other=str(bitext / "boats.fi")) == english_first
    assert sides(bitext / "boats.en", other=str(bitext / "boats.fi"), langs="sv-et")[0][2:] == ("sv", "et")
    first, second = read(bitext / "boats")[0]
    assert (first.lang, first.method, first.source) == (None, "bitext", "bitext")
    assert second.meta["line"] == 3
    assert [first.meta["file"], first.meta["file2"]] == [str(bitext / "boats.en"), str(bitext / "boats.fi")]


def test_moses_compressed_and_among_others(tmp_path: Path) -> None:
    for name, text in (("c.en-fi.en.gz", "Yes.\n"), ("c.en-fi.fi.gz", "Kyllä.\n"), ("c.en-fi.sv.gz", "Ja.\n")):
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
    (tmp_path / "c.en-fi.ids").write_text("1 2\n", encoding="utf-8")
    with raises("missing-file"):
        read(tmp_path / "c.en-fi")
    assert sides(tmp_path / "c.en-fi", langs="en-fi") == [("Yes.", "Kyllä.", "en", "fi")]
    with raises("missing-file", match=r"c\.en-fi\.et"):
        read(tmp_path / "c.en-fi", langs="en-et")
    with raises("file-unreadable"):
        read(tmp_path / "elsewhere")


def test_moses_of_unequal_length(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text("one\ntwo\n", encoding="utf-8")
    (tmp_path / "a.fi").write_text("yksi\n", encoding="utf-8")
    with raises("unequal-files"):
        read(tmp_path / "a")


def test_tables(bitext: Path, tmp_path: Path) -> None:
    assert sides(bitext / "header.tsv") == [
        ("A red boat", "Punainen vene", "en", "fi"),
        ('The "calm" sea', "Tyyni meri", "en", "fi"),
    ]
    results, log = read(bitext / "plain.tsv", langs="en-fi")
    assert [(pair.text1, pair.text2) for pair in results] == [
        ("A red boat", "Punainen vene"),
        ("Only one", ""),
        ("Three", "Kolme"),
    ]
    assert results[0].id == read(bitext / "header.tsv")[0][0].id
    assert log.marked == {"an empty text": 1}
    wide = tmp_path / "wide.tsv"
    wide.write_text("score\tEnglish\tFinnish\n0.5\tYes\tKyllä\n", encoding="utf-8")
    (pair,), _ = read(wide, columns={"text1": "English", "text2": "Finnish"})
    assert (pair.text1, pair.text2, pair.meta["lang1"], pair.meta["score"]) == ("Yes", "Kyllä", "en", "0.5")
    with raises("missing-column", match="no column 'Finish'; did you mean Finnish"):
        read(wide, columns={"text1": "English", "text2": "Finish"})
    with raises("missing-column", match="found 3 columns"):
        read(wide, format="tsv")
    with raises("no-such-field", match="are text1 and text2"):
        read(wide, columns={"label": "score"}, format="tsv")


def test_memories(bitext: Path) -> None:
    results, log = read(bitext / "memory.tmx", "skip")
    assert [(p.text1, p.text2, p.meta["lang1"], p.meta["lang2"], p.meta["line"]) for p in results] == [
        ("The boat is red.", "Vene on punainen.", "en", "fi", 7),
        ("The sea is calm.", "Meri on tyyni.", "en", "fi", 8),
    ]
    assert dict(log.skipped) == {
        "a unit in two languages is expected, found: en": 1,
        "a unit in two languages is expected, found: en, fi, sv; choose two languages with langs=en-fi": 1,
    }
    swedish, _ = read(bitext / "memory.tmx", "skip", langs="sv-en")
    assert [(pair.text1, pair.text2) for pair in swedish] == [("Tre", "Three")]
    with raises("bad-row", match="line 9: a unit in two languages"):
        read(bitext / "memory.tmx")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_the_document_type_of_a_memory_is_ignored(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "memory.tmx"
    path.write_bytes(('<?xml version="1.0"?>\n<!DOCTYPE tmx SYSTEM\n"tmx14.dtd">\n' + MEMORY).encode(encoding))
    (pair,), _ = read(path)
    assert (pair.text1, pair.text2, pair.meta["line"]) == ("One", "Yksi", 4)
    path.write_text('<!DOCTYPE tmx SYSTEM "a.dtd" [<!ENTITY a "b">]>' + MEMORY, encoding="utf-8")
    with raises("external-document-type"):
        read(path)


def test_the_encoding_of_a_memory_is_the_readers_to_judge(bitext: Path) -> None:
    source = Source(bitext / "memory.tmx", ReadLog(), Pair, encoding="klingon")
    with raises("no-such-encoding"):
        list(KINDS.get("bitext").read(source, {"format": "tmx"}))


def test_standard_input_is_one_file() -> None:
    with raises("file-needed"):
        list(KINDS.get("bitext").read(Source(None, ReadLog(), Pair), {"format": "moses"}))


def test_what_is_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "memory.tmx"
    path.write_text("<xliff/>", encoding="utf-8")
    with raises("wrong-root"):
        read(path)
    path.write_text(MEMORY.replace('"fi"', '"?!"'), encoding="utf-8")
    with raises("bad-row"):
        read(path)


def test_pair_corpora_by_name_and_by_look(fixtures: Path, tmp_path: Path) -> None:
    tatoeba = fixtures / "tatoeba" / "sample.eng-fin.txt"
    by_look, by_name = read(tatoeba)[0], read(tatoeba, format="tatoeba")[0]
    assert by_look == by_name
    assert by_look[0].meta["lang1"] == "eng"
    with raises("unknown-format", match="unknown format 'tmy' of bitext; did you mean tmx"):
        read(tatoeba, format="tmy")


def test_the_two_languages() -> None:
    assert parse_languages("en-fi") == ("en", "fi")
    assert parse_languages("en_GB-Finnish") == ("en", "fi")
    assert parse_languages("") is None
    for wrong in ("en", "en-fi-sv"):
        with raises("bad-option"):
            parse_languages(wrong)


def test_the_same_pair_has_the_same_id_everywhere(bitext: Path, tmp_path: Path) -> None:
    table = tmp_path / "boats.tsv"
    table.write_text("en\tfi\nThe boat is red.\tVene on punainen.\n", encoding="utf-8")
    ids = [read(path, "skip")[0][0].id for path in (bitext / "boats", bitext / "memory.tmx", table)]
    assert len(set(ids)) == 1


@settings(max_examples=80)
@given(st.data())
def test_damage_is_a_reason_and_no_crash(folder: Path, fixtures: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["memory.tmx", "header.tsv", "plain.tsv"]))
    content = bytearray((fixtures / "documents" / "bitext" / name).read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=5)):
        content[place] = data.draw(st.integers(0, 255))
    path = folder / name
    path.write_bytes(bytes(content))
    with contextlib.suppress(DataError, UsageError):
        read(path, "skip")
