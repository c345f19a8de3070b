"""Tasks: heads that make up labels, probabilities that multiply, and labels decoded from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.errors import DataError
from otherwords.labels import all_labels
from otherwords.learn.data.task import NOT_ASKED, LabelTask, binary_task, bootstrapped_task, is_positive, label_task

TURKU = [str(label) for label in all_labels() if str(label) not in ("1", "x")]


def certain(task: LabelTask, label: str) -> list[np.ndarray]:
    """Probabilities of 1 for the classes of a label."""
    tables = []
    for head, number in zip(task.heads, task.targets([label])[0], strict=True):
        table = np.zeros((1, len(head.classes)))
        table[0, max(number, 0)] = 1
        tables.append(table)
    return tables


def test_a_turku_label_is_four_choices_of_which_three_are_made_for_4_only() -> None:
    task = label_task(["2", "3", "4>s", "4"])
    assert [head.name for head in task.heads] == ["base", "arrow", "s", "i"]
    assert task.heads[0].classes == ("2", "3", "4")
    assert task.targets(["3", "4>s"]).tolist() == [[1, NOT_ASKED, NOT_ASKED, NOT_ASKED], [2, 2, 1, 0]]
    assert len(task.labels) == 2 + 12


@pytest.mark.parametrize("jointly", [False, True])
def test_every_label_is_decoded_from_its_own_classes(jointly: bool) -> None:
    task = label_task(TURKU)
    assert set(task.labels) == set(TURKU)
    for label in task.labels:
        assert task.decode(certain(task, label), jointly=jointly) == [label]


@given(st.integers(0, 2**32 - 1))
def test_probabilities_of_complete_labels_sum_to_1(seed: int) -> None:
    task = label_task(TURKU)
    random = np.random.default_rng(seed)
    heads = [random.dirichlet(np.ones(len(head.classes)), 3) for head in task.heads]
    assert np.allclose(task.joint(heads).sum(axis=1), 1)
    assert np.allclose(task.positive(heads), 1 - heads[0][:, 0])


def test_decoding_jointly_takes_the_most_probable_complete_label() -> None:
    task = label_task(["3", "4", "4>", "4<", "2"])
    heads = [np.array([[0.0, 0.4, 0.6]]), np.array([[0.4, 0.3, 0.3]]), np.array([[0.9, 0.1]]), np.array([[0.9, 0.1]])]
    assert task.decode(heads) == ["4"]  # the best base is 4, the best arrow none
    assert task.decode(heads, jointly=True) == ["3"]  # 0.6 × 0.4 × 0.9 × 0.9 is less than 0.4


def test_harvested_negatives_are_one_class() -> None:
    task = bootstrapped_task()
    assert task.heads[0].classes == ("neg", "3", "4")
    assert task.positive(certain(task, "neg")).tolist() == [0]
    assert task.positive(certain(task, "4<is")).tolist() == [1]


def test_other_labels_have_one_head() -> None:
    task = label_task(["yes", "no", "perhaps"])
    assert [head.classes for head in task.heads] == [("no", "perhaps", "yes")]
    with pytest.raises(DataError) as problem:
        task.positive([np.ones((1, 3))])
    assert problem.value.code == "no-positive-label"
    assert label_task(["4", "3", "1"]).labels == ("1", "3", "4")


def test_a_column_of_ids_is_no_column_of_labels() -> None:
    with pytest.raises(DataError) as problem:
        label_task([f"row {number}" for number in range(100)])
    assert problem.value.code == "too-many-labels"


def test_which_labels_are_positive() -> None:
    expected = {"positive": True, "negative": False, "neg": False, "2": False, "3": True, "4>": True, "x": None}
    assert {label: is_positive(label) for label in expected} == expected
    assert binary_task().labels == ("negative", "positive")


def test_margins_are_what_the_heads_were_before_they_were_joined() -> None:
    task = label_task(["2", "3", "4>", "4i"])
    random = np.random.default_rng(1)
    heads = [random.dirichlet(np.ones(len(head.classes)), 5) for head in task.heads]
    for head, margin in zip(heads, task.margins(task.joint(heads)), strict=True):
        assert margin == pytest.approx(head)


def test_margins_of_a_flag_that_no_pair_can_have_are_even() -> None:
    task = label_task(["2", "4i"])
    joint = np.zeros((1, len(task.labels)))
    joint[0, task.labels.index("2")] = 1.0
    assert task.margins(joint)[1].tolist() == [[1 / 3] * 3]
