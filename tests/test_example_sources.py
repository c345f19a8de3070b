"""The raw texts among the examples: each file reads through its kind, and what was planted in it can be found.

The guides and the demo import these files, so their counts are part of what is promised here.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from otherwords.align.candidates import Band, count_reasons
from otherwords.align.forum import CONTAINED, forum_pairs
from otherwords.align.lines.align import LineAlignment, align_lines
from otherwords.align.news import news_pairs
from otherwords.align.posts import post_sentences
from otherwords.align.versions import documents_by_id, version_pairs
from otherwords.records import Document
from otherwords.text import pack
from tests.conftest import EXAMPLES
from tests.sources.documents.reading_documents import read

SOURCES = EXAMPLES / "sources"
EPISODES = ("Harbour Street S01E01", "Harbour Street S01E02", "Harbour Street S01E03")
PARTS = ("The Night Ferry Part One (2014)", "The Night Ferry Part Two (2014)")
COURIER, GAZETTE, OBSERVER = "Pellerby Courier", "Coast Gazette", "Wend Valley Observer"
SAME_EVENT = Band(0.5, 0.8)
TOGETHER = 400.0  # ms; less is only a cue that one translator shows earlier than the other
CLOCKS = {  # drift and offset in ms of the second version by the first
    EPISODES[0]: (1.0, 0.0),
    EPISODES[1]: (23.976 / 25, 2300.0),
    EPISODES[2]: (1.0, 0.0),
    PARTS[0]: (1.0, 0.0),
    PARTS[1]: (1.0, 5400.0),
}


def clean_reading(kind: str, path: str, **options: Any) -> list[Document]:
    """The documents of a reading that refuses nothing and has nothing to remark."""
    found, account = read(kind, SOURCES / path, lang="en", **options)
    assert not account.skipped
    assert not account.marked
    return found


@pytest.fixture(scope="module")
def films() -> dict[str, dict[str, Document]]:
    """The subtitles by movie or episode, and by version."""
    grouped: dict[str, dict[str, Document]] = {}
    for document in clean_reading("subtitles", "subtitles"):
        grouped.setdefault(str(document.group), {})[document.meta["version"]] = document
    return grouped


@pytest.fixture(scope="module")
def articles() -> list[Document]:
    return clean_reading("news", "news")


@pytest.fixture(scope="module")
def posts() -> list[Document]:
    return clean_reading("posts", "posts/posts.jsonl")


def aligned(versions: dict[str, Document]) -> LineAlignment:
    first, second = versions["v1"], versions["v2"]
    return align_lines(first.text, second.text, first.meta["cues"], second.meta["cues"])


def test_every_file_belongs_to_a_kind() -> None:
    found = Counter(path.relative_to(SOURCES).parts[0] for path in SOURCES.rglob("*") if path.is_file())
    assert found == {
        "README.md": 1, "answers": 8, "forum": 1, "news": 3, "outputs": 4, "posts": 2, "sentences": 2, "subtitles": 11,
        "translations": 10,
    }  # fmt: skip


def test_every_file_is_in_nfc_and_names_no_real_address() -> None:
    for path in SOURCES.rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        assert unicodedata.is_normalized("NFC", text), path.name
        hosts = set(re.findall(r"https?://([^/\s\"]+)", text)) - {"purl.org"}  # the namespace of RSS content
        assert all(host.endswith(".example") for host in hosts), hosts


def test_subtitles_are_two_versions_of_each_film_and_three_of_one(films: dict[str, dict[str, Document]]) -> None:
    assert {group: sorted(versions) for group, versions in films.items()} == {
        **{group: ["v1", "v2"] for group in CLOCKS},
        EPISODES[0]: ["v1", "v2", "v3"],
    }
    for document in (version for versions in films.values() for version in versions.values()):
        cues = document.meta["cues"]
        assert 45 <= len(cues) <= 70
        assert 300_000 <= cues[-1][2] <= 400_000
        assert document.lang == "en"


@pytest.mark.parametrize(("group", "clock"), CLOCKS.items())
def test_the_clocks_of_two_versions_are_found(
    films: dict[str, dict[str, Document]], group: str, clock: tuple[float, float]
) -> None:
    found = aligned(films[group])
    drift, offset = clock
    assert found.method == "time"
    assert found.drift == pytest.approx(drift, rel=0.002)
    assert found.offset_ms == pytest.approx(offset, abs=400)


@pytest.mark.parametrize("group", CLOCKS)
def test_cues_are_split_differently_and_some_lines_left_out(films: dict[str, dict[str, Document]], group: str) -> None:
    drift, offset = CLOCKS[group]
    first, second = (films[group][name].meta["cues"] for name in ("v1", "v2"))
    shifted = [(drift * start + offset, drift * end + offset) for _, start, end in first]
    theirs = [(start, end) for _, start, end in second]
    met = [*on_screen_with(shifted, theirs), *on_screen_with(theirs, shifted)]
    assert met.count(2) >= 2
    assert met.count(0) >= 1
    assert set(met) == {0, 1, 2}


def on_screen_with(cues: list[tuple[float, float]], others: list[tuple[float, float]]) -> list[int]:
    """How many of the others are on the screen together with each cue."""
    return [sum(min(end, last) - max(start, first) >= TOGETHER for first, last in others) for start, end in cues]


def test_the_third_version_is_too_similar_and_the_others_are_kept(films: dict[str, dict[str, Document]]) -> None:
    named = {version.id: name for versions in films.values() for name, version in versions.items()}
    documents = documents_by_id(version for versions in films.values() for version in versions.values())
    decided = {
        (each.group, frozenset({named[each.doc1], named[str(each.doc2)]})): each.decision
        for each in version_pairs(documents, 0.5, 0.95)
    }
    assert decided[EPISODES[0], frozenset({"v1", "v3"})] == "dropped"
    assert Counter(group for (group, _), decision in decided.items() if decision == "kept") == dict.fromkeys(CLOCKS, 1)


def test_articles_of_three_outlets_fall_within_three_weeks(articles: list[Document]) -> None:
    assert Counter(article.meta["outlet"] for article in articles) == {COURIER: 24, GAZETTE: 24, OBSERVER: 6}
    days = sorted(str(article.time)[:10] for article in articles)
    assert (days[0], days[-1]) == ("2022-04-25", "2022-05-15")
    assert len({article.meta["title"] for article in articles}) == 54
    assert not any(re.search(r"<\w|&\w+;", article.text) for article in articles)


def test_fourteen_events_are_in_both_papers_and_two_in_the_feed(articles: list[Document]) -> None:
    by_name = {article.id: article for article in articles}
    pairs = [(by_name[pair.doc1], by_name[pair.doc2]) for pair in news_pairs(articles, SAME_EVENT).pairs]
    outlets = Counter(frozenset(article.meta["outlet"] for article in pair) for pair in pairs)
    assert outlets == {
        frozenset({COURIER, GAZETTE}): 14,
        frozenset({COURIER, OBSERVER}): 2,
        frozenset({GAZETTE, OBSERVER}): 2,
    }
    for first, second in pairs:
        assert first.meta["title"] != second.meta["title"]
        assert said_first(first.text) & said_first(second.text), (first.meta["title"], second.meta["title"])


def said_first(text: str) -> set[str]:
    """The first three words of each quotation: where a paper breaks a quotation off differs."""
    quoted = re.findall(r"[\"“]([^\"“”]+)[\"”]", text)
    return {" ".join(re.findall(r"[\w']+", words)[:3]) for words in quoted}


def test_forum_has_openers_with_the_same_title_and_replies() -> None:
    messages = clean_reading("forum", "forum")
    found = forum_pairs(messages, Band(0.35, 1.0), floor=0.0)
    titles = Counter(str(message.group).casefold() for message in messages if message.meta["position"] == 0)
    assert len(messages) == 30
    assert sorted(titles.values()) == [2] * 6 + [3] * 2
    rows = found.candidates.to_pylist()
    assert len(rows) == 6 + 2 * 3
    assert [row["group"] for row in rows if row["reason"] == CONTAINED] == ["cycling / chain comes off"]
    assert {pair.group for pair in found.pairs} == {  # those about the same matter
        "baking / why is my bread so dense?",
        "neighbours / drummer upstairs",
        "pets / cat won't eat",
        "phones / storage full",
        "travel / flying with a toddler",
    }


@pytest.mark.parametrize(
    ("part", "sizes", "sentences", "words"),
    [
        ("translations", {"clockmakers-letter": 3, "keepers-daughter": 4, "storm-soup": 3}, (12, 20), (170, 250)),
        ("answers", {"before-a-storm": 4, "why-are-there-tides": 4}, (6, 8), (60, 120)),
    ],
)
def test_groups_have_the_texts_that_they_should(
    part: str, sizes: dict[str, int], sentences: tuple[int, int], words: tuple[int, int]
) -> None:
    texts = clean_reading("groups", part, part=part)
    assert Counter(text.group for text in texts) == sizes
    assert {text.source for text in texts} == {part}
    for text in texts:
        assert sentences[0] <= len(pack("en").sentences(text.text, lines=True)) <= sentences[1], text.meta["name"]
        assert words[0] <= len(text.text.split()) <= words[1], text.meta["name"]
        assert not re.search(r"[*#>]|translator:", text.text)


def test_no_two_translators_or_students_wrote_the_same_sentence() -> None:
    texts = clean_reading("groups", "translations") + clean_reading("groups", "answers", part="answers")
    for first, second in combinations(texts, 2):
        shared = set(re.split(r"(?<=[.!?])\s+|\n+", first.text)) & set(re.split(r"(?<=[.!?])\s+|\n+", second.text))
        assert shared <= {"Your loving brother, Anselm"}, (first.meta["name"], second.meta["name"])


@pytest.mark.parametrize(
    ("by", "sizes"),
    [
        ("trend", {"stormedda": 14, "wend bridge": 12, "uptherovers": 13}),
        ("url", {"courier.example/2022/05/silver-horn": 11, "petition.example/save-our-library": 10}),
    ],
)
def test_posts_make_three_trends_and_two_shared_addresses(
    posts: list[Document], by: str, sizes: dict[str, int]
) -> None:
    table = post_sentences(posts, by)
    members = {(row["group"], row["document"]) for row in table.to_pylist() if row["group"] != "spam.example/x1"}
    assert len(posts) == len({post.id for post in posts}) == 60
    assert Counter(group for group, _ in members if group) == sizes


def test_posts_have_spam_and_near_duplicates(posts: list[Document]) -> None:
    dropped = count_reasons(post_sentences(posts, "trend")), count_reasons(post_sentences(posts, "url"))
    assert [each["duplicate"] for each in dropped] == [2, 1]
    spam = {reason for each in dropped for reason in each if reason.startswith("spam: ")}
    assert spam == {"spam: follow me", "spam: earn money", "spam: share to win", "spam: my channel"}
    assert sum(post.text.startswith("RT @") for post in posts) == 5
