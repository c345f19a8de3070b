"""Every check finds what it is there for, stops a release, and can be overruled by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from otherwords.corpus.checks import NotReleased
from otherwords.corpus.released import Check
from otherwords.errors import DataError, UsageError
from otherwords.project import Project
from otherwords.records import Document, Passage
from tests.corpus.released_corpus import TEXT, add, fill, pair, released, rows, said

Spoil = Callable[[Project], None]


def _twice(project: Project) -> None:
    add(project, pair(70, text1=pair(0).text2, text2=f" {pair(0).text1} ", group="g0"), said("p70", "4"))


def _mirrored(project: Project) -> None:
    """The same label on swapped texts, where the arrow should have turned."""
    add(project, pair(70, text1=pair(1).text2, text2=pair(1).text1, group="g0"), said("p70", "4>"))


def _leaking(project: Project) -> None:
    texts = {"text1": "The pier is closed.", "text2": "No way onto the pier!"}
    for number in range(70, 90):
        add(project, pair(number, group=f"g{number}", **texts), said(f"p{number}", "4"))


def _outside(project: Project) -> None:
    add(project, pair(70), said("p70", "5"))


def _no_document(project: Project) -> None:
    add(project, pair(70, doc1=Passage(id="nowhere", start=0, end=3)), said("p70", "4"))


def _other_place(project: Project) -> None:
    add(project, pair(70, doc1=Passage(id="open", start=3, end=9)), said("p70", "4"))


def _personal(project: Project) -> None:
    add(project, pair(70, text1="Write to kaisa@laituri.example.org, please."), said("p70", "4"))


def _named(project: Project) -> None:
    add(project, pair(70), said("p70", "4", note="I think Bertil is wrong here"))


def _closed(project: Project) -> None:
    add(project, Document(id="closed", text=TEXT, source="paper", licence=None))
    add(project, pair(70, text1=TEXT[:24], doc1=Passage(id="closed", start=0, end=24)), said("p70", "4"))


def _empty(project: Project) -> None:
    add(project, pair(70, text2=" "), said("p70", "4"))


FOUND: list[tuple[str, Spoil, int, str]] = [
    ("duplicates", _twice, 1, "p00 = p70"),
    ("contradictions", _mirrored, 1, "p01 = p70"),
    ("empty", _empty, 1, "pair p70: text2"),
    ("leaks", _leaking, 1, "train and"),
    ("labels", _outside, 1, "'5' is outside the scheme turku"),
    ("context", _no_document, 1, "there is no document 'nowhere'"),
    ("context", _other_place, 1, "has another text at 3–9"),
    ("personal-data", _personal, 1, "pair p70: e-mail address"),
    ("names", _named, 1, "of pair p70"),
    ("source-licences", _closed, 1, "paper (1) has no licence"),
]


@pytest.mark.parametrize(("name", "spoil", "least", "example"), FOUND)
def test_it_stops_and_can_be_overruled(project: Project, name: str, spoil: Spoil, least: int, example: str) -> None:
    fill(project)
    spoil(project)
    others = ("duplicates",) if name == "leaks" else ()
    with pytest.raises(NotReleased, match=f"--anyway {name}") as refused:
        released(project, anyway=others)
    [check] = [one for one in refused.value.checks if one.refuses]
    assert (check.name, check.count >= least) == (name, True)
    assert any(example in one for one in check.examples)
    assert rows(project, "releases") == []
    assert not list((project.folder / "releases").iterdir())
    made = released(project, anyway=(name, *others))
    assert [one.overruled for one in made.checks if one.name == name] == [True]


def test_what_is_found_is_not_shown_to_the_world(project: Project) -> None:
    fill(project)
    _personal(project)
    add(project, said("p00", "4", "carl", note="as anna said"))
    made = released(project, anyway=("personal-data", "names"))
    told = (made.folder / "release.json").read_text("utf-8").lower()
    assert "kaisa@" not in told
    assert "anna" not in told


def test_a_mirrored_arrow_is_no_contradiction(project: Project) -> None:
    fill(project)
    add(project, pair(70, text1=pair(1).text2, text2=pair(1).text1, group="g0"), said("p70", "4<"))
    with pytest.raises(NotReleased) as refused:
        released(project)
    assert [one.name for one in refused.value.checks if one.refuses] == ["duplicates"]


def test_nothing_to_release_cannot_be_overruled(project: Project) -> None:
    add(project, *(pair(number) for number in range(16)), *(said(f"p{number:02}", "x") for number in range(16)))
    with pytest.raises(NotReleased, match=r"no pair to release; left out: label x 16"):
        released(project, anyway=("nothing",))


def test_a_project_without_labels(project: Project) -> None:
    add(project, *(pair(number) for number in range(16)))
    with pytest.raises(DataError, match="no pair has a label"):
        released(project)
    with pytest.raises(NotReleased, match="no pair to release; left out: nobody has judged it 16"):
        released(project, by="none")


def test_one_label_is_a_warning(project: Project) -> None:
    add(project, *(pair(number) for number in range(40)), *(said(f"p{number:02}", "4") for number in range(40)))
    made = released(project)
    [check] = [one for one in made.checks if one.name == "one-label"]
    assert (check.count, check.stops, check.says) == (1, False, "all pairs have the same label (4)")


def test_shared_sentences_are_told(project: Project) -> None:
    fill(project)
    add(project, *(pair(number, text1="Quite so.", group=f"g{number}") for number in range(70, 90)))
    add(project, *(said(f"p{number}", "4") for number in range(70, 90)))
    [check] = [one for one in released(project).checks if one.name == "shared-texts"]
    assert check.count >= 1
    assert not check.stops
    assert "Quite so." in check.examples[0]


@pytest.mark.parametrize(
    ("licence", "says"),
    [("CC-BY-SA", "did you mean CC-BY-SA-"), ("my own", "the usual ones are"), ("CC-BY-SA-4", "CC-BY-SA-4.0")],
)
def test_an_unknown_licence(project: Project, licence: str, says: str) -> None:
    fill(project)
    with pytest.raises(NotReleased, match=says):
        released(project, licence=licence)
    made = released(project, licence=licence, anyway=("licence", "source-licences"))
    assert f"SPDX-License-Identifier: {licence}\n" in (made.folder / "LICENSE").read_text("utf-8")


def test_an_unknown_check_is_wrong_usage(project: Project) -> None:
    fill(project)
    with pytest.raises(UsageError, match="did you mean duplicates"):
        released(project, anyway=("duplicate",))


def test_a_check_refuses_only_if_it_stops_and_found_something() -> None:
    def refuses(**fields: Any) -> bool:
        return Check("x", "", **fields).refuses

    assert refuses(count=1)
    assert not refuses(count=0)
    assert not refuses(count=1, stops=False)
    assert not refuses(count=1, overruled=True)


def test_a_missing_licence_names_the_command_that_says_it(project: Project) -> None:
    fill(project)
    _closed(project)
    with pytest.raises(NotReleased, match="otherwords import PROJECT KIND FILE --licence NAME") as refused:
        released(project)
    assert "--licence NAME" in refused.value.summary
