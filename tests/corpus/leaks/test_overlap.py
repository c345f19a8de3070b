"""A pair overlaps with a test by its group, an address, a sentence, or one that is nearly the same."""

from __future__ import annotations

import random

import pytest

from otherwords.corpus.leaks.overlap import find_overlap, own_addresses
from otherwords.records import Pair
from otherwords.text.normalise import plain

TESTS = [
    Pair(id="t1", text1="The ferry to the island was cancelled today.", text2="No boats to the island.", group="storm"),
    Pair(id="t2", text1="See https://www.harbour.example/news?utm_source=x now", text2="Look at the pictures there"),
]


def pair(text1: str, text2: str = "Something else altogether", **fields: str) -> Pair:
    return Pair(id="p", text1=text1, text2=text2, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("candidate", "kind"),
    [
        (pair("Gulls fly inland when it blows", group="storm"), "group"),
        (pair("Pictures: http://harbour.example/news/."), "address"),
        (pair("THE FERRY to the island was cancelled, today!"), "sentence"),
        (pair("x", "no boats to the island"), "sentence"),
        (pair("The ferries to the island was cancelled today"), "near"),
        (pair("Gulls fly inland when it blows", group="calm"), None),
    ],
)
def test_kinds(candidate: Pair, kind: str | None) -> None:
    overlap = find_overlap([candidate], {"1.0": TESTS})["1.0"]
    assert overlap.any.tolist() == [kind is not None]
    assert [name for name, count in overlap.counts().items() if count] == ([kind] if kind else [])
    assert overlap.copies.tolist() == [False]


def test_copies_have_both_texts() -> None:
    copy = pair("no boats to the island", "The ferry to the island was cancelled to-day")
    found = find_overlap([copy, pair("Nothing")], {"1.0": TESTS, "1.1": TESTS[1:], "1.2": []})
    assert found["1.0"].copies.tolist() == [True, False]
    assert not found["1.1"].any.any()
    assert not found["1.2"].any.any()
    assert find_overlap([], {"1.0": TESTS})["1.0"].counts() == {"group": 0, "address": 0, "sentence": 0, "near": 0}


def test_addresses_of_metadata_and_group() -> None:
    listed = Pair(
        id="p", text1="a", text2="b", group="harbour.example/a", meta={"urls": ["https://harbour.example/b/"]}
    )
    assert own_addresses(listed) == {"harbour.example/a", "harbour.example/b"}


@pytest.mark.parametrize(
    "meta",
    [
        {"urls": "https://harbour.example/b"},
        {"url": "http://www.harbour.example/b/?utm_source=x"},
        {"url": ["https://harbour.example/b"], "urls": None},
    ],
)
def test_an_address_may_stand_alone(meta: dict[str, object]) -> None:
    """Tables and scrapers write one address as a text, and under either name."""
    listed = Pair(id="p", text1="a", text2="b", meta=meta)
    assert own_addresses(listed) == {"harbour.example/b"}
    test = Pair(id="t", text1="c", text2="d", group="https://harbour.example/b")
    assert find_overlap([listed], {"1.0": [test]})["1.0"].counts()["address"] == 1


def test_near_is_all_that_a_slow_search_finds() -> None:
    rng = random.Random(4)
    words = ["boat", "ferry", "island", "harbour", "storm", "captain", "morning", "waves", "nets", "gulls"]
    tests = [Pair(id=str(n), text1=" ".join(rng.choices(words, k=7)), text2="") for n in range(30)]
    pairs = []
    for n in range(60):
        text = rng.choice(tests).text1.split()
        for _ in range(rng.randint(1, 3)):
            text[rng.randrange(7)] = rng.choice(words)
        pairs.append(Pair(id=str(n), text1=" ".join(text), text2=f"{n} other {n * 7}"))

    def trigrams(text: str) -> set[str]:
        marked = f"^{plain(text).replace(' ', '_')}$"
        return {marked[start : start + 3] for start in range(len(marked) - 2)}

    def dice(a: set[str], b: set[str]) -> float:
        return 2 * len(a & b) / max(1, len(a) + len(b))

    known = [trigrams(test.text1) for test in tests]
    slow = [any(dice(trigrams(pair.text1), other) >= 0.8 for other in known) for pair in pairs]
    assert find_overlap(pairs, {"1.0": tests}, 0.8)["1.0"].kinds["near"].tolist() == slow
    assert 5 < sum(slow) < 55
