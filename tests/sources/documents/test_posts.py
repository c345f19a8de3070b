"""Posts of social platforms: the exports of each, what is refused, and what never changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import DataError
from otherwords.sources.documents.posts import post_time
from otherwords.sources.documents.posts.fields import addresses, hashtags, without_tags
from otherwords.sources.rows.json_objects import field_at, text_at
from otherwords.text.normalise import document_text
from tests.errors import raises
from tests.sources.anything import json as any_json
from tests.sources.documents.reading_documents import documents, read, rejected


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("posts")


def written(tmp_path: Path, *rows: Any) -> Path:
    path = tmp_path / "posts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_exports_of_the_platforms(fixtures: Path) -> None:
    path = fixtures / "documents" / "posts" / "platforms.jsonl"
    results, log = read("posts", path)
    assert [(post.text, post.lang, post.time, post.meta["urls"], post.meta["hashtags"]) for post in results] == [
        (
            "RT @harbour_news: The old ferry left the harbour on time &amp; nobody noticed… https://t.co/abc",
            "en",
            "2018-10-10T20:19:24Z",
            ["https://www.example.org/ferry?utm_source=x"],
            ["Ferry"],
        ),
        ("The long post of which only the start is shown elsewhere", None, "2021-03-04T05:06:07Z", [], ["long"]),
        (
            "Vanha lautta lähti satamasta\najallaan.\n\nKatso https://example.org/lautta",
            "fi",
            "2023-01-02T01:04:05Z",
            ["https://example.org/lautta"],
            ["lautta"],
        ),
        ("The ferry is late again #ferry", "en", "2024-05-01T10:00:00Z", ["https://example.org/late"], ["ferry"]),
        (
            "No time and no list: www.example.org/a, see #Ferry and #渡し船!",
            None,
            None,
            ["www.example.org/a"],
            ["Ferry", "渡し船"],
        ),
        ("When was this?", None, None, [], ["one", "two"]),
    ]
    assert [post.meta.get("post") for post in results] == ["101", "102", "103", None, None, None]
    assert results[4].meta == {
        "trend": "Ferry Strike",
        "topic": "event",
        "urls": ["www.example.org/a"],
        "hashtags": ["Ferry", "渡し船"],
        "file": str(path),
        "line": 5,
    }
    assert results[5].meta["time"] == "yesterday evening"
    assert dict(log.marked) == {
        "no time: such posts come before all others of their group": 1,
        "a time that cannot be read, kept in meta.time": 1,
    }
    assert {post.source for post in results} == {"posts"}


def test_nothing_of_the_author_is_kept(fixtures: Path) -> None:
    results = documents("posts", fixtures / "documents" / "posts" / "platforms.jsonl")
    assert not any(name in str(post.meta) for post in results for name in ("somebody", "joku"))


def test_what_is_refused(fixtures: Path, tmp_path: Path) -> None:
    path = fixtures / "documents" / "posts" / "broken.jsonl"
    assert len(documents("posts", path)) == 1
    rejections = rejected("posts", path, tmp_path)
    assert [line for _, line, _ in rejections] == [2, 3, 4, 5, 6]
    assert [reason.split(";")[0].split("(")[0].strip() for _, _, reason in rejections[1:]] == [
        "a JSON object is expected, found a list",
        "no text",
        "no text: the post is empty",
        "a JSON object is expected, found null",
    ]
    assert "not JSON" in rejections[0][2]
    assert "texte" in rejections[2][2]


def test_the_same_file_twice_gives_the_same_ids(fixtures: Path) -> None:
    path = fixtures / "documents" / "posts" / "platforms.jsonl"
    first, second = documents("posts", path), documents("posts", path)
    assert [post.id for post in first] == [post.id for post in second]
    assert len({post.id for post in first}) == len(first)


def test_one_post_under_two_trends_is_two_documents(tmp_path: Path) -> None:
    rows = [{"id": 1, "text": "Same words", "trend": trend} for trend in ("a", "b", "a")]
    first, second, third = documents("posts", written(tmp_path, *rows))
    assert first.id == third.id != second.id


def test_the_users_names_go_first(tmp_path: Path) -> None:
    path = written(tmp_path, {"text": "no", "said": {"words": "yes"}, "topic": "cup final"})
    (post,), _ = read("posts", path, columns={"text": "said.words", "trend": "topic"}, source="tweets", lang="sv")
    assert (post.text, post.meta["trend"], post.source, post.lang) == ("yes", "cup final", "tweets", "sv")
    with raises("no-such-field"):
        read("posts", path, columns={"texts": "said"})
    assert read("posts", path, columns={"text": "nowhere"})[1].skipped == {
        "a text is expected in the field 'nowhere', and there is none": 1
    }


def test_a_list_in_one_piece_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "posts.json"
    path.write_text('[{"text": "one"},\n {"text": "two"}]', encoding="utf-8")
    assert [(post.text, post.meta["line"]) for post in documents("posts", path)] == [("one", 1), ("two", 2)]


def test_a_single_endless_line_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "endless.jsonl"
    with path.open("wb") as stream:
        stream.write(b'{"text": "')
        stream.truncate(64 * 2**20)
    with raises("line-too-long", match="is longer than 32 MB"):
        read("posts", path)


def test_half_a_character_and_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "posts.jsonl"
    path.write_bytes(b'{"text": "\\ud83d"}\n{"text": "\xe4"}\n{"text": "\\ud83d\\ude00", "lang": "?!"}\n')
    results, log = read("posts", path)
    assert ([document.text for document in results], log.skipped.total()) == (["😀"], 2)
    path.write_bytes('{"text": "Äiti", "lang": "fin"}\nno\n'.encode("utf-16"))
    (post,), log = read("posts", path)
    assert (post.text, post.lang, log.skipped.total()) == ("Äiti", "fi", 1)


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("Wed Oct 10 20:19:24 +0200 2018", "2018-10-10T18:19:24Z"),
        ("2021-03-04 05:06:07 UTC", "2021-03-04T05:06:07Z"),
        ("2021-03-04T05:06:07", "2021-03-04T05:06:07"),
        (1600000000, "2020-09-13T12:26:40Z"),
        (1600000000000, "2020-09-13T12:26:40Z"),
        (1600000000000000, "2020-09-13T12:26:40Z"),
        ("", None),
        (True, None),
        ([], None),
    ],
)
def test_times(value: object, time: str | None) -> None:
    assert post_time(value) == time


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see https://a.org/b?c=d#e, or (http://x.fi).", ["https://a.org/b?c=d#e", "http://x.fi"]),
        ("これhttps://t.co/abcです", ["https://t.co/abc"]),
        ("WWW.Example.org and a@www.example.org", ["WWW.Example.org"]),
        ("no address, not even e.g. this/that", []),
    ],
)
def test_addresses(text: str, found: list[str]) -> None:
    assert addresses(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#One, #two_2 and #One", ["One", "two_2"]),
        ("#1 is no tag, C# is none, https://a.org/#b is none, &#39; is none", []),
        ("#क्रिकेट ＃渡し船 #می‌خواهم", ["क्रिकेट", "渡し船", "می‌خواهم"]),
    ],
)
def test_hashtags(text: str, found: list[str]) -> None:
    assert hashtags(text) == found


def test_html_becomes_what_readers_see() -> None:
    assert without_tags("<p>A &lt; B<br/>and <b>C</b></p><p>D</p>") == "A < B\nand C\n\nD"
    assert without_tags("1 < 2 and <p> is a tag") == "1 < 2 and <p> is a tag"


def test_fields_inside_fields() -> None:
    row = {"a": {"b": 1}, "a.c": "dotted", "d": "x"}
    assert [field_at(row, path) for path in ("a.b", "a.c", "d", "d.e", "z")] == [1, "dotted", "x", None, None]
    assert [text_at(row, path) for path in ("a.b", "a", "d", "z")] == ["1", None, "x", None]


@given(st.text())
def test_plain_text_is_idempotent(text: str) -> None:
    once = document_text(text)
    assert document_text(once) == once
    assert "\r" not in once
    assert "\0" not in once


ANY_POST = st.dictionaries(
    st.sampled_from(
        ["text", "time", "urls", "hashtags", "entities", "data", "trend", "lang", "id", "content", "facets"]
    ),
    any_json | st.lists(st.dictionaries(st.sampled_from(["url", "tag", "text", "features"]), any_json, max_size=2)),
)


@settings(max_examples=80)
@given(ANY_POST, st.lists(ANY_POST | any_json, max_size=4))
def test_whatever_json_comes_every_row_is_counted(folder: Path, first: dict[str, Any], others: list[Any]) -> None:
    rows = [first, *others]
    results, log = read("posts", written(folder, *rows))
    assert len(results) + log.skipped.total() == len(rows)


@settings(max_examples=60)
@given(st.data())
def test_damage_is_a_reason_and_no_crash(folder: Path, fixtures: Path, data: st.DataObject) -> None:
    content = bytearray((fixtures / "documents" / "posts" / "platforms.jsonl").read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=6)):
        content[place] = data.draw(st.integers(0, 255))
    path = folder / "damaged.jsonl"
    path.write_bytes(bytes(content))
    try:
        results, log = read("posts", path)
    except DataError:
        return
    assert len(results) + log.skipped.total() >= 1
