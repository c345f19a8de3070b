"""Posts to ranked sentences: grouping, reasons, deduplication, ranking, and the laws they obey."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.align.posts import SCHEMA, post_sentences, reasons, without_punctuation
from otherwords.align.posts_grouping import grouped, normalised_address
from otherwords.align.ranking import ranked, words
from otherwords.align.spam import NEEDED, SHIPPED, spam
from otherwords.errors import UsageError
from otherwords.records import Document


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
    assert reasons(table)["duplicate"] == 1
    assert sum(reasons(table).values()) == table["kept"].to_pylist().count(False)


def test_probabilities_are_shares_of_the_groups_own_words() -> None:
    # the 3, ferry 2, is 3, late 2, again 1, today 1, and 1, harbour 1, full 1: 15 words
    found = dict(columns(post_sentences(POSTS), "document", "probability")[:1])
    assert found["p1"] == pytest.approx((3 + 2 + 3 + 2 + 1 + 1) / 6 / 15)
    last = post_sentences(POSTS)["probability"].to_pylist()[3]
    assert last == pytest.approx((3 + 2 + 3 + 2 + 1 + 3 + 1 + 3 + 1) / 9 / 15)


def test_choices() -> None:
    loose = post_sentences(POSTS, min_tokens=1, patterns=[])
    assert reasons(loose) == {"duplicate": 1, "no trend": 1, "no words": 1, "nothing left after cleaning": 1}
    own = post_sentences(POSTS, patterns={"harbours": r"\bharbours?\b"})
    assert reasons(own)["spam: harbours"] == 1
    japanese = Document(id="j", text="今日は船が遅れています。", meta={"trend": "船"})
    assert post_sentences([japanese], lang="ja")["tokens"].to_pylist() == [9]
    assert post_sentences([]).num_rows == 0


def test_groups_by_hashtag_and_by_address() -> None:
    posts = [
        post("a", "x", urls=["http://www.a.org/1?utm_source=q", "https://b.org"], hashtags=["Ferry", "ferry"]),
        post("b", "y", urls=["https://a.org/1/#top"], hashtags=["port"]),
        post("c", "z", urls=["not an address"], hashtags=[]),
    ]
    groups, alone = grouped(posts, "url")
    assert {name: [one.id for one in members] for name, members in groups.items()} == {
        "a.org/1": ["a", "b"],
        "b.org": ["a"],
    }
    assert [one.id for one in alone] == ["c"]
    groups, alone = grouped(posts, "hashtag")
    assert {name: [one.id for one in members] for name, members in groups.items()} == {"ferry": ["a"], "port": ["b"]}
    assert post_sentences(posts, "url")["reason"].to_pylist()[-1] == "no url"
    with pytest.raises(UsageError, match="did you mean trend"):
        grouped(posts, "trends")


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
    assert normalised_address(address) == name


@given(
    st.text(max_size=30)
    | st.from_regex(r"(https?://)?(www\.)?[a-z]{1,3}\.org/[a-z%/]{0,5}(\?[a-z=&_]{0,8})?", fullmatch=True)
)
def test_normalising_an_address_twice_changes_nothing(address: str) -> None:
    once = normalised_address(address)
    assert once is None or normalised_address(once) in (once, None)


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
    assert spam().reason(sentence) == name
    # the same without the quick look at needed words
    assert spam({f"own {key}": expression for key, expression in SHIPPED.items()}).reason(sentence) == (
        name and f"own {name}"
    )


def test_patterns_are_checked() -> None:
    assert NEEDED.keys() == SHIPPED.keys()
    assert spam(["a+b"]).reason("xaab") == "a+b"
    assert spam([]).reason("follow me") is None
    with pytest.raises(UsageError, match=r"spam pattern '\(' is not a regular expression"):
        spam(["("])


SENTENCES = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=12)


@given(SENTENCES)
def test_ranks_are_a_permutation_and_follow_the_probabilities(sentences: list[list[str]]) -> None:
    places = ranked(sentences)
    assert sorted(place.rank for place in places) == list(range(1, len(sentences) + 1))
    total = sum(map(len, sentences))
    counts = Counter(word for sentence in sentences for word in sentence)
    exact = [
        Fraction(sum(counts[word] for word in sentence), len(sentence) * total) if sentence else Fraction(0)
        for sentence in sentences
    ]
    assert [place.probability for place in places] == [float(mean) for mean in exact]
    expected = sorted(range(len(exact)), key=lambda one: (-exact[one], one))
    assert [place.rank for place in places] == [expected.index(one) + 1 for one in range(len(exact))]


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


@settings(max_examples=120, deadline=None)
@given(ANY_POSTS, st.randoms(use_true_random=False))
def test_the_order_of_posts_changes_nothing(posts: list[Document], chance: random.Random) -> None:
    shuffled = chance.sample(posts, len(posts))
    assert post_sentences(shuffled).equals(post_sentences(posts))


@settings(max_examples=120, deadline=None)
@given(ANY_POSTS)
def test_no_post_is_lost_and_what_is_kept_is_kept_again(posts: list[Document]) -> None:
    table = post_sentences(posts)
    assert set(table["document"].to_pylist()) == {one.id for one in posts}
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
        assert reasons(again) == {}


def test_comparison_is_without_case_and_punctuation() -> None:
    assert without_punctuation("It’s  LATE — _again_!") == "its late again"
    assert without_punctuation("कि") != without_punctuation("का")
