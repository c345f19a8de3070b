"""Schemes: the shipped ones, what answers they take, and what follows from an answer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from otherwords import labels
from otherwords.annotate import guidelines, schemes
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.schemes import parse, scheme
from otherwords.annotate.schemes.checks import ADOPTING_KEYS, PAGE_KEYS
from otherwords.errors import LabelError, UsageError
from otherwords.project import Project

SHIPPED = {
    *("turku", "binary-loose", "binary-strict", "suzuki", "rupaws", "vila", "likert", "opusparcus"),
    *("swap-errors", "paraphrase-categories", "good-poor", "suzuki-changes", "machine-or-not", "topic"),
}

MARKS = {"fluency": "5", "similarity": "4", "diversity": "2"}


def test_the_papers_schemes_are_there() -> None:
    assert set(schemes.names()) >= SHIPPED


@pytest.mark.parametrize("name", schemes.names())
def test_every_shipped_scheme_is_checked_and_has_a_guideline(name: str) -> None:
    found = scheme(name)
    assert len(guidelines.shipped(name).text) > 400
    for question in found.questions:
        keys = {one.key for one in (*question.values, *question.flags)}
        assert not keys & (PAGE_KEYS | ADOPTING_KEYS)
        assert all(value.help for value in question.values)


@pytest.mark.parametrize(
    ("name", "said", "kept"),
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
def test_answers_are_normalised(name: str, said: Any, kept: Any) -> None:
    found = scheme(name)
    assert found.normalise(said) == kept
    assert found.normalise(kept) == kept


@pytest.mark.parametrize(
    ("name", "said", "reason"),
    [
        ("turku", "5", "'5' is not one of 4 3 2 1 x"),
        ("turku", "3s", "goes with 4, not with 3"),
        ("turku", "4<>", "exclude each other"),
        ("turku", "4ss", "given twice"),
        ("turku", True, "True is not one of"),
        ("turku", None, "None is not one of"),
        ("binary-loose", "yess", "'yess' is not one of yes no x"),
        ("binary-loose", 1, "'1' is not one of"),
        ("rupaws", "yes", "expected an answer to each of well_formed, paraphrase"),
        ("rupaws", {"well_formed": "yes"}, "'paraphrase' has no answer"),
        ("rupaws", {"well_formed": "yes", "paraphrase": "no", "funny": "no"}, "no question 'funny'"),
        ("likert", {"fluency": 6, "similarity": 1, "diversity": 1}, "fluency: '6' is not one of 1 2 3 4 5"),
        ("likert", {"fluency": 10**30, "similarity": 1, "diversity": 1}, "is not one of"),
        ("likert", {"fluency": 4.5, "similarity": 1, "diversity": 1}, "4.5 is not one of"),
        ("good-poor", {"copy": -1}, "-1 is not a number of times"),
        ("good-poor", {"copy": True}, "not a number of times"),
        ("good-poor", {"fun": 1}, "'fun' is not one of"),
        ("good-poor", ["copy"], "expected a number for each"),
        ("suzuki-changes", "order", "expected a list"),
        ("suzuki-changes", ["order", "order"], "given twice"),
    ],
)
def test_answers_outside_the_scheme_say_why(name: str, said: Any, reason: str) -> None:
    with pytest.raises(LabelError, match=reason):
        scheme(name).normalise(said)


@pytest.mark.parametrize(
    ("name", "said", "positive"),
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
def test_what_counts_as_a_paraphrase(name: str, said: Any, positive: bool | None) -> None:
    assert scheme(name).positive_of(said) is positive


@pytest.mark.parametrize("projection", labels.PROJECTIONS)
def test_turku_projects_like_its_label_algebra(projection: labels.Projection) -> None:
    for label in labels.all_labels():
        assert scheme("turku").project(str(label), projection) == label.project(projection)


def test_projections_of_other_schemes() -> None:
    assert scheme("rupaws").project({"well_formed": "no", "paraphrase": "yes"}, "binary") == "positive"
    assert scheme("suzuki").project("Other", "binary") is None
    assert scheme("likert").project({"fluency": 1, "similarity": 2, "diversity": 3}, "full")["diversity"] == "3"
    with pytest.raises(LabelError, match="no projection 'halves'; known: full, arrows, base, binary"):
        scheme("turku").project("4", "halves")


def test_the_order_of_values_and_what_can_be_looked_for() -> None:
    assert scheme("turku").order() == ("4", "3", "2", "1")
    assert scheme("likert").order("similarity") == ("1", "2", "3", "4", "5")
    assert scheme("likert").labels()[:2] == ["fluency=1", "fluency=2"]
    assert scheme("turku").labels()[:3] == ["4", "4<", "4>"]
    assert len(scheme("good-poor").labels()) == 11
    with pytest.raises(LabelError, match="no question 'speed'"):
        scheme("likert").order("speed")


def yes_no(name: str, **others: Any) -> dict[str, Any]:
    values = [{"value": "yes", "key": "1", "name": "yes"}, {"value": "no", "key": "0", "name": "no"}]
    return {"name": name, "values": values, **others}


def two_steps() -> Scheme:
    told = [yes_no("funny"), yes_no("rude", only_if={"funny": ["yes"]}), yes_no("old", only_if={"rude": ["no"]})]
    return parse({"name": "humour", "title": "Funny?", "questions": told, "positive": ["rude=yes"]})


@pytest.mark.parametrize(
    ("said", "kept", "positive"),
    [
        ({"funny": "no"}, {"funny": "no"}, None),
        ({"funny": "no", "rude": None}, {"funny": "no"}, None),
        ({"funny": "yes", "rude": "yes"}, {"funny": "yes", "rude": "yes"}, True),
        ({"funny": True, "rude": False, "old": True}, {"funny": "yes", "rude": "no", "old": "yes"}, False),
    ],
)
def test_a_question_is_asked_only_after_certain_answers(said: Any, kept: Any, positive: bool | None) -> None:
    assert two_steps().normalise(said) == kept
    assert two_steps().positive_of(said) is positive


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"funny": "no", "rude": "no"}, "'rude' is asked only if funny is yes"),
        ({"funny": "yes"}, "'rude' has no answer"),
        ({"funny": "no", "old": "yes"}, "'old' is asked only if rude is no"),
    ],
)
def test_answers_to_what_was_not_asked(said: Any, reason: str) -> None:
    with pytest.raises(LabelError, match=reason):
        two_steps().normalise(said)


def test_a_project_has_schemes_and_guidelines_of_its_own(project: Project) -> None:
    folder = project.folder / "schemes"
    folder.mkdir()
    (folder / "suzuki.toml").write_text(
        'name = "suzuki"\ntitle = "Ours"\n[[values]]\nvalue = "y"\nkey = "y"\nname = "yes"\n', encoding="utf-8"
    )
    (folder / "suzuki.md").write_text("# Ours\r\n\r\nLook twice.\n", encoding="utf-8")
    assert scheme("suzuki", project.folder).title == "Ours"
    assert scheme("suzuki").title != "Ours"
    with project.ledger.reading() as connection:
        assert guidelines.current(connection, "suzuki", project.folder).text == "# Ours\n\nLook twice."
        assert guidelines.current(connection, "suzuki").text.startswith("# Natural")
    with pytest.raises(UsageError, match="no scheme 'suzuky'; did you mean suzuki"):
        scheme("suzuky", project.folder)


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "schemes").mkdir()
    path = tmp_path / "schemes" / "mine.toml"
    for number, title in enumerate(("One", "Two")):
        path.write_text(f'name = "mine"\ntitle = "{title}"\n[[values]]\nvalue = "y"\nkey = "y"\nname = "yes"\n')
        os.utime(path, ns=(number, number))
        assert scheme("mine", tmp_path).title == title
