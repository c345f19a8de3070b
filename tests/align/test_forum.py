"""Opening messages with one title, and the test for messages that are part of others."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.align.candidates import TOO_HIGH, TOO_LOW, Band, is_contained
from otherwords.align.forum import COMPARED, CONTAINED, NO_TITLE, REPLY, forum_pairs
from otherwords.align.groups import ALONE
from otherwords.records import Document

CAT = "My cat will not eat dry food any more. She is twelve years old and the vet finds nothing wrong with her."
CAT_TOO = "Our old cat has stopped eating her dry food. The vet says that nothing is wrong. What can I try?"
TRAIN = "Does anybody know whether bicycles are allowed on the slow train on Sundays?"


def message(
    name: str, text: str = CAT, title: str = "Cat does not eat", subforum: str = "Pets", **meta: Any
) -> Document:
    return Document(
        id=name, text=text, source="forum", meta={"title": title, "subforum": subforum, "position": 0, **meta}
    )


def test_openers_with_the_same_title_and_sub_forum_meet() -> None:
    documents = [
        message("a"),
        message("b", CAT_TOO, title=" cat does  NOT eat"),
        message("c", CAT_TOO, subforum="Food"),
        message("d", CAT_TOO, title="Cat does not sleep"),
        message("e", CAT_TOO, position=1),
        message("f", CAT_TOO, title=""),
    ]
    pairs, _, counts = forum_pairs(documents, Band())
    assert [(pair.doc1, pair.doc2, pair.group, pair.method) for pair in pairs] == [
        ("a", "b", "pets / cat does not eat", "forum")
    ]
    assert counts == {REPLY: 1, NO_TITLE: 1, ALONE: 2, COMPARED: 1}


def test_what_is_dropped_has_a_reason() -> None:
    documents = [
        message("a"),
        message("b", CAT_TOO),
        message("c", TRAIN),
        message("d", CAT),
        message("e", CAT + " Help!"),
    ]
    _, candidates, _ = forum_pairs(documents, Band(0.25, 0.99), floor=0.0)
    reasons = {(row["doc1"], row["doc2"]): row["reason"] for row in candidates.to_pylist()}
    assert reasons[("a", "b")] is None
    assert reasons[("a", "c")] == TOO_LOW
    assert reasons[("a", "d")] == TOO_HIGH
    assert reasons[("a", "e")] == CONTAINED
    assert len(reasons) == 10
    assert forum_pairs(documents, Band(0.25, 0.99)).candidates.num_rows == sum(
        reason != TOO_LOW for reason in reasons.values()
    )


def test_the_order_of_the_messages_does_not_matter() -> None:
    documents = [message(f"m{place}", text) for place, text in enumerate([CAT, CAT_TOO, TRAIN, CAT[:60], CAT_TOO[20:]])]
    whole = forum_pairs(documents, Band(0.1, 0.9))
    random.Random(5).shuffle(documents)
    again = forum_pairs(documents, Band(0.1, 0.9), threads=3)
    assert (again.pairs, again.candidates) == (whole.pairs, whole.candidates)


@pytest.mark.parametrize(
    ("text1", "text2", "expected"),
    [
        (CAT, CAT, True),
        (CAT, "Hello!\n\n" + CAT.upper().replace(" ", "  ") + " Thanks", True),
        ("“Cat” food", 'a "cat" food b', True),
        ("", CAT, True),
        (CAT, CAT_TOO, False),
        ("one two three", "three two one zero", False),
        ("a b c d e f g", "a b c d e x f g a b", False),
    ],
)
def test_containment(text1: str, text2: str, expected: bool) -> None:
    assert is_contained(text1, text2) is expected
    assert is_contained(text2, text1) is expected


@pytest.mark.parametrize(("tokens", "expected"), [(104, True), (103, False)])
def test_one_in_twenty_runs_of_five_tokens_may_be_new(tokens: int, expected: bool) -> None:
    """A word put in before the last five breaks four runs, another last word a fifth: 5 of 100, or 5 of 99."""
    shorter = [f"w{number}" for number in range(tokens)]
    longer = [*shorter[:-5], "between", *shorter[-5:-1], "other", "and", "more"]
    assert is_contained(" ".join(shorter), " ".join(longer)) is expected


@settings(max_examples=60)
@given(st.text("ab ", max_size=30), st.text("ab ", max_size=30), st.text("ab ", max_size=30))
def test_a_part_is_contained(before: str, text: str, after: str) -> None:
    assert is_contained(text, f"{before} {text} {after}")
