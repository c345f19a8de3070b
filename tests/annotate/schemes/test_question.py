"""All answers that a question may get."""

from __future__ import annotations

from otherwords.annotate.schemes import load_scheme, scheme_names
from otherwords.annotate.schemes.question import Question


def test_labels_of_turku_are_the_values_with_every_choice_of_flags() -> None:
    labels = load_scheme("turku").question().labels()
    assert len(labels) == len(set(labels)) == 16
    assert {"4", "4>", "4<is", "4s", "3", "x"} <= set(labels)
    assert not {"4<>", "3s"} & set(labels)


def test_every_label_is_an_answer_in_its_own_spelling() -> None:
    questions: list[Question] = [question for name in scheme_names() for question in load_scheme(name).questions]
    plain = [question for question in questions if question.has_one_answer]
    assert plain
    for question in plain:
        assert [question.normalise(label) for label in question.labels()] == question.labels()
