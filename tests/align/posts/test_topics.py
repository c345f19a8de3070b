"""Topics of groups: what people said, what the model makes of it, and a balanced draw."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.align.posts.topics import draw_balanced, majority_topics, topic_table, train_topics
from otherwords.text import pack
from tests.errors import raises

TEXTS = {
    "g1": "goal match goal",
    "g2": "match team",
    "g3": "vote law",
    "g4": "goal vote vote",
    "g5": "unheard words",
}
TOPICS = {"g1": "sports", "g2": "sports", "g3": "politics", "g6": "sports", "g5": None}


def test_the_majority_of_people_and_ties() -> None:
    judged = [("a", "sports"), ("a", "event"), ("a", "sports "), ("b", "event"), ("b", "others"), ("c", "others")]
    assert majority_topics(judged) == {"a": "sports", "b": None, "c": "others"}


def test_naive_bayes_by_hand() -> None:
    model = train_topics(TEXTS, TOPICS, pack("en"))
    assert model.topics == ("politics", "sports")
    # five words; sports has 5 (goal 2, match 2, team 1), politics 2 (vote, law); two groups to one
    sports = 2 / 3 * (3 / 10) * (1 / 10) ** 2
    politics = 1 / 3 * (1 / 7) * (2 / 7) ** 2
    assert model.probabilities("Goal vote VOTE unheard")["sports"] == pytest.approx(sports / (sports + politics))
    assert model.topic("goal vote vote")[0] == "politics"
    assert model.topic("nothing known") == ("sports", pytest.approx(2 / 3))


def test_a_model_needs_two_topics() -> None:
    with raises("too-few-topics", match="sports"):
        train_topics(TEXTS, {"g1": "sports", "g2": None}, pack("en"))


def test_the_table_says_who_spoke() -> None:
    model = train_topics(TEXTS, TOPICS, pack("en"))
    rows = topic_table(TEXTS, TOPICS, model).to_pylist()
    assert [(row["group"], row["topic"], row["by"]) for row in rows] == [
        ("g1", "sports", "person"),
        ("g2", "sports", "person"),
        ("g3", "politics", "person"),
        ("g4", "politics", "model"),
        ("g5", "sports", "model"),
    ]
    assert [row["probability"] is None for row in rows] == [True, True, True, False, False]
    assert topic_table(TEXTS, TOPICS)["topic"].to_pylist()[3:] == [None, None]
    assert topic_table({}, {}).num_rows == 0


@given(st.permutations(sorted(TEXTS)))
def test_training_does_not_depend_on_order(order: list[str]) -> None:
    shuffled = train_topics(
        {group: TEXTS[group] for group in order}, {group: TOPICS.get(group) for group in order}, pack("en")
    )
    model = train_topics(TEXTS, TOPICS, pack("en"))
    assert shuffled.probabilities("goal law team") == model.probabilities("goal law team")


MANY = {f"g{n:02}": ("sports" if n % 4 else "politics") for n in range(40)} | {"none": None}


def test_a_balanced_draw() -> None:
    drawn = draw_balanced(MANY, 7, seed=1)
    assert [sum(MANY[group] == topic for group in drawn) for topic in ("sports", "politics")] == [7, 7]
    assert drawn == draw_balanced(MANY, 7, seed=1) == sorted(drawn)
    assert drawn != draw_balanced(MANY, 7, seed=2)
    assert len(draw_balanced(MANY, 100, seed=1)) == 40
    assert "none" not in draw_balanced(MANY, 100, seed=1)
    with raises("wrong-limit"):
        draw_balanced(MANY, 0, seed=1)


@given(st.integers(), st.integers(1, 12), st.randoms(use_true_random=False))
def test_a_draw_hangs_on_seed_and_names_only(seed: int, per_topic: int, chance: random.Random) -> None:
    drawn = draw_balanced(MANY, per_topic, seed)
    shuffled = dict(chance.sample(sorted(MANY.items()), len(MANY)))
    assert draw_balanced(shuffled, per_topic, seed) == drawn
    sports = {group: topic for group, topic in MANY.items() if topic == "sports"}
    assert draw_balanced(sports, per_topic, seed) == [group for group in drawn if MANY[group] == "sports"]
    assert set(draw_balanced(MANY, per_topic, seed)) <= set(draw_balanced(MANY, per_topic + 1, seed))


def test_every_group_has_a_fair_chance() -> None:
    times = [sum("g04" in draw_balanced(MANY, 5, seed) for seed in range(400))]
    assert math.isclose(times[0], 200, abs_tol=60)  # five of ten
