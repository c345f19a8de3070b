"""What two texts share word for word: exact places, full coverage on both sides, and no text that takes for ever."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.annotate.verbatim import LONGEST, verbatim_matches
from otherwords.errors import Refused

SIZE = 50_000
SECONDS = 2.0  # of the processor; ours takes 0.1 to 0.4, a quadratic one minutes


@pytest.mark.parametrize(
    ("text1", "text2", "shortest", "shared"),
    [
        ("the old boat left", "an old boat sank", 5, [(" old boat ", " old boat ")]),
        ("the old\nboat left", "an old  boat sank", 5, [(" old\nboat ", " old  boat ")]),
        ("Old Boat", "old boat", 4, []),
        ("Old Boat", "old boat", 3, [("ld ", "ld "), ("oat", "oat")]),
        ("abc", "abc", 4, []),
        ("abc", "abc", 3, [("abc", "abc")]),
        ("", "abc", 1, []),
        ("abc", "", 1, []),
        ("一二三四五", "九二三四八", 3, [("二三四", "二三四")]),
        ("x👨‍👩‍👧y", "z👨‍👩‍👧w", 5, [("👨‍👩‍👧", "👨‍👩‍👧")]),
        ("ذهب الولد", "جاء الولد", 4, [(" الولد", " الولد")]),
    ],
)
def test_what_is_shared(text1: str, text2: str, shortest: int, shared: list[tuple[str, str]]) -> None:
    found = verbatim_matches(text1, text2, shortest)
    assert [(text1[a:b], text2[c:d]) for a, b, c, d in found] == shared


def test_what_stands_twice_on_one_side_is_grey_in_both_places() -> None:
    once, twice = "the old boat", "the old boat and the old boat"
    for one, two in ((once, twice), (twice, once)):
        grey1, grey2 = coverage(one, two, 10)
        assert grey1 == {place for place in range(len(one)) if not 12 <= place < 17}
        assert grey2 == {place for place in range(len(two)) if not 12 <= place < 17}


def coverage(text1: str, text2: str, shortest: int) -> tuple[set[int], set[int]]:
    found = verbatim_matches(text1, text2, shortest)
    return {n for a, b, _, _ in found for n in range(a, b)}, {n for _, _, c, d in found for n in range(c, d)}


WORDS = st.text(alphabet="ab \n", max_size=40)


@given(WORDS, WORDS, st.integers(1, 6))
def test_every_shared_window_is_covered_and_nothing_else(text1: str, text2: str, shortest: int) -> None:
    one, two = " ".join(text1.split()), " ".join(text2.split())  # single blanks, so that places can be counted
    grey1, grey2 = coverage(one, two, shortest)

    def windows(text: str, other: str) -> set[int]:
        starts = [n for n in range(len(text) - shortest + 1) if text[n : n + shortest] in other]
        return {place for n in starts for place in range(n, n + shortest)}

    assert grey1 == windows(one, two)
    assert grey2 == windows(two, one)
    assert coverage(two, one, shortest) == (grey2, grey1)


@given(WORDS, WORDS, st.integers(1, 6))
def test_stretches_are_the_same_but_for_white_space_and_cannot_go_on(text1: str, text2: str, shortest: int) -> None:
    for a, b, c, d in verbatim_matches(text1, text2, shortest):
        same1, same2 = (" ".join(f"|{text}|".split()) for text in (text1[a:b], text2[c:d]))
        assert same1 == same2
        assert len(same1) - 2 >= shortest
        if b < len(text1) and d < len(text2):
            assert (text1[b].isspace() and text2[d].isspace()) is False
            assert text1[b] != text2[d]


def _repetitive() -> list[tuple[str, str]]:
    chance = random.Random(1)
    words = ["sea", "boat", "heron", "noon", "left", "the"]
    some = " ".join(chance.choice(words) for _ in range(SIZE // 5))
    others = " ".join(chance.choice(words) for _ in range(SIZE // 5))
    sentence = "The ferry left at noon and nobody waved. "
    return [
        ("a" * SIZE, "a" * SIZE),
        ("a" * SIZE, "a" * (SIZE // 2)),
        ("a" * (SIZE // 2) + "b" + "a" * (SIZE // 2), "a" * SIZE),
        ("ab" * (SIZE // 2), "ba" * (SIZE // 2)),
        (sentence * (SIZE // 41), sentence[1:] * (SIZE // 40)),
        (some, others),
        ("一二三" * (SIZE // 3), "三二一" * (SIZE // 3)),
        ("a" * 30 + "".join("a" * (n % 60) + "b" for n in range(SIZE // 30)), "a" * 59 + "b" + "a" * SIZE),
        ("\n \t" * (SIZE // 3), " " * SIZE),
    ]


@pytest.mark.parametrize("shortest", [1, 12, LONGEST])
@pytest.mark.parametrize("number", range(9))
def test_no_text_takes_for_ever(number: int, shortest: int) -> None:
    text1, text2 = _repetitive()[number]
    begin = time.process_time()
    found = verbatim_matches(text1, text2, shortest)
    assert time.process_time() - begin < SECONDS
    assert len(found) <= len(text1) + len(text2)


@settings(max_examples=20)
@given(st.integers(-5, LONGEST + 5).filter(lambda number: not 1 <= number <= LONGEST))
def test_a_length_that_makes_no_sense(shortest: int) -> None:
    with pytest.raises(Refused, match="between 1 and 200"):
        verbatim_matches("abc", "abc", shortest)
