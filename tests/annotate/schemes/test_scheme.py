"""The shipped schemes, which answers they take, and what follows from an answer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from otherwords import labels
from otherwords.annotate import schemes
from otherwords.annotate.schemes import guidelines, load_scheme
from otherwords.annotate.schemes.checks import ADOPTING_KEYS, PAGE_KEYS
from otherwords.annotate.schemes.reading import parse_scheme
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.project import Project
from tests.errors import raises

SHIPPED = {
    *("turku", "binary-loose", "binary-strict", "suzuki", "rupaws", "vila", "likert", "opusparcus"),
    *("swap-errors", "paraphrase-categories", "good-poor", "suzuki-changes", "machine-or-not", "topic"),
}

MARKS = {"fluency": "5", "similarity": "4", "diversity": "2"}


def test_the_schemes_of_the_papers_are_shipped() -> None:
    assert set(schemes.scheme_names()) >= SHIPPED


@pytest.mark.parametrize("name", schemes.scheme_names())
def test_every_shipped_scheme_is_checked_and_has_a_guideline(name: str) -> None:
    scheme = load_scheme(name)
    assert len(guidelines.shipped(name).text) > 400
    for question in scheme.questions:
        keys = {entry.key for entry in (*question.values, *question.flags)}
        assert not keys & (PAGE_KEYS | ADOPTING_KEYS)
        assert all(value.help for value in question.values)


@pytest.mark.parametrize(
    ("name", "answer", "canonical"),
    [
        ("turku", "4si>", "4>is"),
        ("binary-loose", True, "yes"),
        ("binary-strict", False, "no"),
        ("suzuki", "Unnatural", "Unnatural"),
        ("rupaws", {"well_formed": True, "paraphrase": "no"}, {"well_formed": "yes", "paraphrase": "no"}),
        (
            "likert",
            {"diversity": 2, "fluency": 5, "similarity": "4"},
            {"fluency": "5", "similarity": "4", "diversity": "2"},
        ),
        ("opusparcus", 3, "3"),
        ("swap-errors", "entities", "entities"),
        ("good-poor", {"copy": 0, "phrase": 2, "word": 1}, {"word": 1, "phrase": 2}),
        ("suzuki-changes", ["order", "content-words"], ["content-words", "order"]),
        ("suzuki-changes", [], []),
        ("machine-or-not", "people", "people"),
        ("topic", "sports", "sports"),
    ],
)
def test_answers_are_normalised(name: str, answer: Any, canonical: Any) -> None:
    scheme = load_scheme(name)
    assert scheme.normalise(answer) == canonical
    assert scheme.normalise(canonical) == canonical


@pytest.mark.parametrize(
    ("name", "answer", "code", "fact"),
    [
        ("turku", "5", "unknown-value", "'5'.*4 3 2 1 x"),
        ("turku", "3s", "flag-not-allowed", "4.*3"),
        ("turku", "4<>", "exclusive-flags", ""),
        ("turku", "4ss", "duplicate-flag", ""),
        ("turku", True, "unknown-value", "True"),
        ("turku", None, "unknown-value", "None"),
        ("binary-loose", "yess", "unknown-value", "'yess'"),
        ("binary-loose", 1, "unknown-value", "'1'"),
        ("rupaws", "yes", "answer-not-by-question", "well_formed, paraphrase"),
        ("rupaws", {"well_formed": "yes"}, "missing-answer", "'paraphrase'"),
        ("rupaws", {"well_formed": "yes", "paraphrase": "no", "funny": "no"}, "no-such-question", "'funny'"),
        ("likert", {"fluency": 6, "similarity": 1, "diversity": 1}, "unknown-value", "fluency: '6'.*1 2 3 4 5"),
        ("likert", {"fluency": 10**30, "similarity": 1, "diversity": 1}, "unknown-value", ""),
        ("likert", {"fluency": 4.5, "similarity": 1, "diversity": 1}, "unknown-value", r"4\.5"),
        ("good-poor", {"copy": -1}, "bad-count", "1"),
        ("good-poor", {"copy": True}, "bad-count", ""),
        ("good-poor", {"fun": 1}, "unknown-value", "'fun'"),
        ("good-poor", ["copy"], "answer-not-counts", ""),
        ("suzuki-changes", "order", "answer-not-a-list", ""),
        ("suzuki-changes", ["order", "order"], "duplicate-answer", ""),
    ],
)
def test_answers_outside_the_scheme_are_refused(name: str, answer: Any, code: str, fact: str) -> None:
    with raises(code, match=fact):
        load_scheme(name).normalise(answer)


@pytest.mark.parametrize(
    ("name", "answer", "positive"),
    [
        ("turku", "4>s", True),
        ("turku", "3", True),
        ("turku", "2", False),
        ("turku", "x", None),
        ("suzuki", "Positive", True),
        ("suzuki", "Negative", False),
        ("suzuki", "Other", None),
        ("rupaws", {"well_formed": "yes", "paraphrase": "yes"}, True),
        ("rupaws", {"well_formed": "yes", "paraphrase": "no"}, False),
        ("rupaws", {"well_formed": "no", "paraphrase": "yes"}, None),
        ("opusparcus", "2", False),
        ("topic", "sports", None),
        ("turku", None, None),
    ],
)
def test_what_counts_as_a_paraphrase(name: str, answer: Any, positive: bool | None) -> None:
    assert load_scheme(name).positive_of(answer) is positive


@pytest.mark.parametrize("projection", labels.PROJECTIONS)
def test_turku_projects_like_its_label_algebra(projection: labels.Projection) -> None:
    for label in labels.all_labels():
        assert load_scheme("turku").project(str(label), projection) == label.project(projection)


def test_projections_of_other_schemes() -> None:
    assert load_scheme("rupaws").project({"well_formed": "no", "paraphrase": "yes"}, "binary") == "positive"
    assert load_scheme("suzuki").project("Other", "binary") is None
    assert load_scheme("likert").project({"fluency": 1, "similarity": 2, "diversity": 3}, "full")["diversity"] == "3"
    with raises("no-such-projection", match="'halves'; known: full, arrows, base, binary"):
        load_scheme("turku").project("4", "halves")


def test_order_of_values_and_searchable_labels() -> None:
    assert load_scheme("turku").order() == ("4", "3", "2", "1")
    assert load_scheme("likert").order("similarity") == ("1", "2", "3", "4", "5")
    assert load_scheme("likert").labels()[:2] == ["fluency=1", "fluency=2"]
    assert load_scheme("turku").labels()[:3] == ["4", "4<", "4>"]
    assert len(load_scheme("good-poor").labels()) == 11
    with raises("no-such-question", match="'speed'"):
        load_scheme("likert").order("speed")


def yes_no(name: str, **others: Any) -> dict[str, Any]:
    values = [{"value": "yes", "key": "1", "name": "yes"}, {"value": "no", "key": "0", "name": "no"}]
    return {"name": name, "values": values, **others}


def two_steps() -> Scheme:
    questions = [yes_no("funny"), yes_no("rude", only_if={"funny": ["yes"]}), yes_no("old", only_if={"rude": ["no"]})]
    return parse_scheme({"name": "humour", "title": "Funny?", "questions": questions, "positive": ["rude=yes"]})


@pytest.mark.parametrize(
    ("answer", "canonical", "positive"),
    [
        ({"funny": "no"}, {"funny": "no"}, None),
        ({"funny": "no", "rude": None}, {"funny": "no"}, None),
        ({"funny": "yes", "rude": "yes"}, {"funny": "yes", "rude": "yes"}, True),
        ({"funny": True, "rude": False, "old": True}, {"funny": "yes", "rude": "no", "old": "yes"}, False),
    ],
)
def test_a_question_is_asked_only_after_certain_answers(answer: Any, canonical: Any, positive: bool | None) -> None:
    assert two_steps().normalise(answer) == canonical
    assert two_steps().positive_of(answer) is positive


@pytest.mark.parametrize(
    ("answer", "code", "fact"),
    [
        ({"funny": "no", "rude": "no"}, "question-not-asked", "'rude'.*funny is yes"),
        ({"funny": "yes"}, "missing-answer", "'rude'"),
        ({"funny": "no", "old": "yes"}, "question-not-asked", "'old'.*rude is no"),
    ],
)
def test_answers_to_questions_that_were_not_asked_are_refused(answer: Any, code: str, fact: str) -> None:
    with raises(code, match=fact):
        two_steps().normalise(answer)


def test_a_project_has_schemes_and_guidelines_of_its_own(project: Project) -> None:
    folder = project.folder / "schemes"
    folder.mkdir()
    (folder / "suzuki.toml").write_text(
        'name = "suzuki"\ntitle = "Ours"\n[[values]]\nvalue = "y"\nkey = "y"\nname = "yes"\n', encoding="utf-8"
    )
    (folder / "suzuki.md").write_text("# Ours\r\n\r\nLook twice.\n", encoding="utf-8")
    assert load_scheme("suzuki", project.folder).title == "Ours"
    assert load_scheme("suzuki").title != "Ours"
    with project.ledger.reading() as connection:
        assert guidelines.current_guideline(connection, "suzuki", project.folder).text == "# Ours\n\nLook twice."
        assert guidelines.current_guideline(connection, "suzuki").text.startswith("# Natural")
    with raises("no-such-scheme", match="'suzuky'; did you mean suzuki"):
        load_scheme("suzuky", project.folder)


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "schemes").mkdir()
    path = tmp_path / "schemes" / "mine.toml"
    for number, title in enumerate(("One", "Two")):
        path.write_text(f'name = "mine"\ntitle = "{title}"\n[[values]]\nvalue = "y"\nkey = "y"\nname = "yes"\n')
        os.utime(path, ns=(number, number))
        assert load_scheme("mine", tmp_path).title == title
