"""Forum messages from vertical text and from tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.sources import source as source_module
from otherwords.sources.documents.forum import vrt as vrt_module
from otherwords.sources.documents.forum.vrt_spacing import join_by_hints, join_tokens
from tests.errors import raises
from tests.sources.documents.reading_documents import documents, read, rejected

NO_TEXT = "the message has no text; if it is in another column, name it with --columns text=…"


@pytest.fixture
def forum(fixtures: Path) -> Path:
    return fixtures / "documents" / "forum"


def test_vertical_text_with_hints_about_blanks(forum: Path, tmp_path: Path) -> None:
    (opener, reply), log = read("forum", forum / "suomi.vrt", lang="fi")
    assert opener.text == "Leivon ruisleipää, mutta <3! Entä\nte?\nKiitos"
    assert opener.group == 'Ruoka ja juoma > Leivonta: Mikä "paras" leipä?'
    assert (opener.time, opener.lang, opener.source) == ("2019-01-11T16:55:26", "fi", "forum")
    assert opener.meta == {
        "title": 'Mikä "paras" leipä?',
        "subforum": "Ruoka ja juoma > Leivonta",
        "thread": "101",
        "position": 0,
        "file": str(forum / "suomi.vrt"),
        "line": 3,
    }
    assert (reply.text, reply.meta["position"], reply.group) == ("Ohra.", 1, opener.group)
    assert "somebody" not in repr(opener)
    assert log.skipped == {NO_TEXT: 1}
    assert rejected("forum", forum / "suomi.vrt", tmp_path) == [("suomi.vrt", 40, NO_TEXT)]


def test_vertical_text_without_hints(forum: Path) -> None:
    (opener, reply, open_ended), log = read("forum", forum / "plain.vrt")
    assert opener.text == '"Which ones," she asked (again). I don\'t know... :)'
    assert (opener.group, opener.meta["thread"]) == ("Cars | Winter: Winter tyres", "5")
    assert (reply.text, reply.meta["position"]) == ("The studded ones!", 1)
    assert (open_ended.text, open_ended.meta["position"], open_ended.time) == ("Cut short", 0, None)
    assert log.marked == {
        "a message without its end, read up to the next": 1,
        "the file ends inside a message, read as far as it goes": 1,
        "a date that cannot be read, left out": 1,
    }


@pytest.mark.parametrize(("file", "openers", "replies"), [("suomi.vrt", 1, 2), ("threads.jsonl", 2, 3)])
def test_openers_only(file: str, openers: int, replies: int, forum: Path) -> None:
    results, log = read("forum", forum / file, openers=True)
    assert [document.meta["position"] for document in results] == [0] * openers
    assert log.marked["a reply, left out because only openers were asked for"] == replies
    assert not log.skipped


def test_json_lines(forum: Path) -> None:
    results, log = read("forum", forum / "threads.jsonl")
    assert [(document.text, document.meta["position"], document.lang) for document in results] == [
        ("How long do you let it rise?\nMine takes a day.", 0, None),
        ("Two days in winter.", 1, None),
        ("A day\nand a half.", 2, None),
        ("Kuinka kauan annat sen nousta?", 0, "fi"),
    ]
    assert {document.group for document in results} == {"Baking: Sourdough & time", "Leivonta: Leivän juuri"}
    assert results[0].time == "2019-01-01T00:00:00Z"
    assert "ann" not in results[0].meta.values()
    assert log.skipped == {NO_TEXT: 1}


def test_tables(forum: Path) -> None:
    results, log = read("forum", forum / "posts.tsv")
    assert [(document.group, document.meta["position"], document.meta["line"]) for document in results] == [
        ("Cars: Tyres", 0, 2),
        ("Cars: Tyres", 1, 3),
        (None, 0, 4),
    ]
    assert log.marked == {"no title: such messages cannot be paired by title": 1}


def test_threads_without_parents_or_positions_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("title,text,thread\na,one,1\na,two,1\nb,three,2\n", encoding="utf-8")
    assert [document.meta["position"] for document in documents("forum", file)] == [0, 1, 0]


def test_the_same_file_twice_gives_the_same_ids(forum: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.vrt"
    copy.write_bytes((forum / "suomi.vrt").read_bytes())
    ids = [document.id for document in documents("forum", copy)]
    assert ids == [document.id for document in documents("forum", forum / "suomi.vrt")]
    assert len(set(ids)) == 2


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("word\tlemma\n<text>\n", r"x\.vrt: line 1: .* found 'word"),
        ("<corpus>\n</corpus>\n", r"x\.vrt: <text> is expected"),
    ],
)
def test_what_is_no_vertical_text(content: str, place: str, tmp_path: Path) -> None:
    (tmp_path / "x.vrt").write_text(content, encoding="utf-8")
    with raises("not-vrt", match=place):
        documents("forum", tmp_path / "x.vrt")


def test_a_message_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vrt_module, "MAX_LINE", 1000)
    (tmp_path / "x.vrt").write_text("<text>\n" + "word\n" * 1000, encoding="utf-8")
    with raises("element-too-large", match="line 1: a message is larger than"):
        documents("forum", tmp_path / "x.vrt")


def test_a_huge_line_ends_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "MAX_LINE", 2**20)
    huge = tmp_path / "huge.json"
    with huge.open("wb") as stream:
        stream.write(b'{"title": "')
        stream.truncate(2 * 2**30)  # sparse: it takes no room on disk
    with raises("line-too-long", match="line 1: the line is longer than 1 MB"):
        documents("forum", huge)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("Hello , world !", "Hello, world!"),
        ("What ?! Really ...", "What?! Really..."),
        ('He said " no " to " them " .', 'He said "no" to "them".'),
        ("” Ei ” , hän sanoi .", "”Ei”, hän sanoi."),
        ("“ No ” , he said .", "“No”, he said."),
        ("» Nej » , sade han .", "»Nej», sade han."),
        ("« Non » !", "«Non»!"),
        ("„ Nein “ .", "„Nein “."),
        ("It 's fine , I 'm sure you ca n't .", "It's fine, I'm sure you can't."),
        ("( a ) [ b ]", "(a) [b]"),
        ("a - b :) 50 %", "a - b :) 50%"),
        ("¿ Dónde ?", "¿Dónde?"),
        ("", ""),
    ],
)
def test_tokens_are_joined_as_people_write(tokens: str, text: str) -> None:
    assert join_tokens(tokens.split()) == text


def test_hints_are_followed() -> None:
    tokens = [("a", "_"), ("b", "SpaceAfter=No"), ("c", "SpacesAfter=\\s\\n"), ("d", "SpacesBefore=\\s|SpaceAfter=No")]
    assert join_by_hints(tokens) == "a bc\n d"


@given(st.lists(st.text("ab.,\"'()”«»", min_size=1, max_size=3), max_size=12))
def test_joining_changes_blanks_only(tokens: list[str]) -> None:
    text = join_tokens(tokens)
    assert text.replace(" ", "") == "".join(tokens)
    assert "  " not in text
    assert text == text.strip()
