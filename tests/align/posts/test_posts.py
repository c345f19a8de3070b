"""Posts to ranked sentences: grouping, reasons, deduplication, ranking, and the laws they obey."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from otherwords.align.candidates import count_reasons
from otherwords.align.posts import SCHEMA, post_sentences, without_punctuation
from otherwords.align.posts.grouping import group_posts, normalise_address
from otherwords.align.posts.spam import NEEDED, SHIPPED_PATTERNS, compile_patterns
from otherwords.align.posts.topics import rank_sentences, words
from otherwords.records import Document
from tests.errors import raises


def post(name: str, text: str, time: str | None = None, **meta: Any) -> Document:
    return Document(id=name, text=text, lang="en", time=time, meta={"trend": "ferry", **meta})


POSTS = [
    post("p1", "The ferry is late again today. LOL", "2024-01-01T10:00:00Z"),
    post("p2", "RT @port: the FERRY is late, again today!", "2024-01-01T11:00:00Z"),
    post("p3", "The ferry is late and the harbour is full. Follow me for more ferry news! 😀", "2024-01-01T12:00:00Z"),
    post("p4", "🎉🎉🎉 #ferry", "2024-01-01T13:00:00Z"),
    post("p5", "*** *** *** ***", "2024-01-01T14:00:00Z"),
    Document(id="p6", text="Nothing to do with it at all.", lang="en"),
]


def columns(table: pa.Table, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in table.to_pylist()]


def test_every_sentence_has_a_rank_or_a_reason() -> None:
    table = post_sentences(POSTS)
    assert table.schema == SCHEMA
    assert columns(table, "group", "document", "text", "tokens", "kept", "reason", "rank") == [
        ("ferry", "p1", "The ferry is late again today.", 7, True, None, 2),
        ("ferry", "p1", "LOL", 1, False, "fewer than 5 tokens", None),
        ("ferry", "p2", "the FERRY is late, again today!", 8, False, "duplicate", None),
        ("ferry", "p3", "The ferry is late and the harbour is full.", 10, True, None, 1),
        ("ferry", "p3", "Follow me for more ferry news!", 7, False, "spam: follow me", None),
        ("ferry", "p4", "", 0, False, "nothing left after cleaning", None),
        ("ferry", "p5", "*** *** *** ***", 12, False, "no words", None),
        (None, "p6", "Nothing to do with it at all.", 0, False, "no trend", None),
    ]
    assert count_reasons(table)["duplicate"] == 1
    assert sum(count_reasons(table).values()) == table["kept"].to_pylist().count(False)


def test_probabilities_are_shares_of_the_groups_own_words() -> None:
    # the 3, ferry 2, is 3, late 2, again 1, today 1, and 1, harbour 1, full 1: 15 words
    probabilities = dict(columns(post_sentences(POSTS), "document", "probability")[:1])
    assert probabilities["p1"] == pytest.approx((3 + 2 + 3 + 2 + 1 + 1) / 6 / 15)
    last = post_sentences(POSTS)["probability"].to_pylist()[3]
    assert last == pytest.approx((3 + 2 + 3 + 2 + 1 + 3 + 1 + 3 + 1) / 9 / 15)


def test_choices() -> None:
    loose = post_sentences(POSTS, min_tokens=1, patterns=[])
    assert count_reasons(loose) == {"duplicate": 1, "no trend": 1, "no words": 1, "nothing left after cleaning": 1}
    own = post_sentences(POSTS, patterns={"harbours": r"\bharbours?\b"})
    assert count_reasons(own)["spam: harbours"] == 1
    japanese = Document(id="j", text="今日は船が遅れています。", meta={"trend": "船"})
    assert post_sentences([japanese], lang="ja")["tokens"].to_pylist() == [9]
    assert post_sentences([]).num_rows == 0


def test_groups_by_hashtag_and_by_address() -> None:
    posts = [
        post("a", "x", urls=["http://www.a.org/1?utm_source=q", "https://b.org"], hashtags=["Ferry", "ferry"]),
        post("b", "y", urls=["https://a.org/1/#top"], hashtags=["port"]),
        post("c", "z", urls=["not an address"], hashtags=[]),
    ]
    groups, alone = group_posts(posts, "url")
    assert {name: [post.id for post in members] for name, members in groups.items()} == {
        "a.org/1": ["a", "b"],
        "b.org": ["a"],
    }
    assert [post.id for post in alone] == ["c"]
    groups, alone = group_posts(posts, "hashtag")
    assert {name: [post.id for post in members] for name, members in groups.items()} == {"ferry": ["a"], "port": ["b"]}
    assert post_sentences(posts, "url")["reason"].to_pylist()[-1] == "no url"
    with raises("unknown-grouping", match="did you mean trend"):
        group_posts(posts, "trends")


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://www.Example.org/Path/?b=2&a=1&utm_medium=x&fbclid=y#part", "example.org/Path?a=1&b=2"),
        ("http://example.org:80/Path", "example.org/Path"),
        ("https://example.org:8080", "example.org:8080"),
        ("example.org/a b", "example.org/a b"),
        ("https://t.co/AbC?x", "t.co/AbC?x="),
        ("https://пример.рф/путь", "пример.рф/путь"),
        ("https://[broken", None),
        ("https://a.org:port/", None),
        ("mailto:a@b.org", None),
        ("nothing", None),
        ("", None),
    ],
)
def test_addresses_are_compared_without_what_is_technical(address: str, name: str | None) -> None:
    assert normalise_address(address) == name


@given(
    st.text(max_size=30)
    | st.from_regex(r"(https?://)?(www\.)?[a-z]{1,3}\.org/[a-z%/]{0,5}(\?[a-z=&_]{0,8})?", fullmatch=True)
)
def test_normalising_an_address_twice_changes_nothing(address: str) -> None:
    once = normalise_address(address)
    assert once is None or normalise_address(once) in (once, None)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Follow Me PLEASE", "follow me"),
        ("follow please thanks", "follow please"),
        ("RT and follow to win a boat", "share to win"),
        ("Retweet if you love the sea", "share if"),
        ("Gain 100 new followers fast", "more followers"),
        ("more at the link in my bio", "link in bio"),
        ("Check out my new channel", "my channel"),
        ("click here for the story", "click here"),
        ("DM me for prices", "message me"),
        ("The best boats, order yours now!", "order now"),
        ("Earn $500 a day from home", "earn money"),
        ("The police followed the boat and its followers", None),
        ("He told me to win the race", None),
        ("The order came today from the king of now", None),
    ],
)
def test_shipped_patterns(sentence: str, name: str | None) -> None:
    assert compile_patterns().reason(sentence) == name
    # the same without the quick look at needed words
    assert compile_patterns({f"own {key}": expression for key, expression in SHIPPED_PATTERNS.items()}).reason(
        sentence
    ) == (name and f"own {name}")


def test_patterns_are_checked() -> None:
    assert NEEDED.keys() == SHIPPED_PATTERNS.keys()
    assert compile_patterns(["a+b"]).reason("xaab") == "a+b"
    assert compile_patterns([]).reason("follow me") is None
    with raises("wrong-pattern", match=r"'\('"):
        compile_patterns(["("])


SENTENCES = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=12)


@given(SENTENCES)
def test_ranks_are_a_permutation_and_follow_the_probabilities(sentences: list[list[str]]) -> None:
    places = rank_sentences(sentences)
    assert sorted(place.rank for place in places) == list(range(1, len(sentences) + 1))
    total = sum(map(len, sentences))
    counts = Counter(word for sentence in sentences for word in sentence)
    exact = [
        Fraction(sum(counts[word] for word in sentence), len(sentence) * total) if sentence else Fraction(0)
        for sentence in sentences
    ]
    assert [place.probability for place in places] == [float(mean) for mean in exact]
    expected = sorted(range(len(exact)), key=lambda place: (-exact[place], place))
    assert [place.rank for place in places] == [expected.index(place) + 1 for place in range(len(exact))]


def test_words_are_tokens_with_letters_or_digits() -> None:
    assert words(["The", "STRASSE", "Straße", "3", "!", "_", "’s"]) == ["the", "strasse", "strasse", "3", "’s"]


WORDS = ["the", "ferry", "is", "late", "again", "today", "Harbour", "full!", "😀", "#sea", "@ann", "follow me", "."]
ANY_POSTS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join),
        st.sampled_from(["ferry", "Port", None]),
        st.sampled_from(["2024-01-01", "2024-01-02", None]),
    ),
    max_size=8,
).map(
    lambda rows: [
        Document(id=f"p{place}", text=text, lang="en", time=time, meta={"trend": trend} if trend else {})
        for place, (text, trend, time) in enumerate(rows)
    ]
)


@settings(max_examples=120)
@given(ANY_POSTS, st.randoms(use_true_random=False))
def test_the_order_of_posts_changes_nothing(posts: list[Document], chance: random.Random) -> None:
    shuffled = chance.sample(posts, len(posts))
    assert post_sentences(shuffled).equals(post_sentences(posts))


@settings(max_examples=120)
@given(ANY_POSTS)
@example([Document(id="p0", text="the the 😀 . . the", lang="en", time="2024-01-01", meta={"trend": "ferry"})])
def test_no_post_is_lost_and_what_is_kept_is_kept_again(posts: list[Document]) -> None:
    table = post_sentences(posts)
    assert set(table["document"].to_pylist()) == {post.id for post in posts}
    rows = table.to_pylist()
    assert all((row["reason"] is None) == row["kept"] == (row["rank"] is not None) for row in rows)
    for group in {row["group"] for row in rows if row["kept"]}:
        kept = [row for row in rows if row["group"] == group and row["kept"]]
        assert sorted(row["rank"] for row in kept) == list(range(1, len(kept) + 1))
        compared = [without_punctuation(row["text"]) for row in kept]
        assert len(set(compared)) == len(compared)
        again = post_sentences(
            [Document(id=f"{n:03}", text=row["text"], lang="en", meta={"trend": group}) for n, row in enumerate(kept)]
        )
        assert again["text"].to_pylist() == [row["text"] for row in kept]
        assert count_reasons(again) == {}


def test_comparison_is_without_case_and_punctuation() -> None:
    assert without_punctuation("It’s  LATE — _again_!") == "its late again"
    assert without_punctuation("कि") != without_punctuation("का")
