"""Of equal pairs one is kept, which is chosen by rule; left-out pairs are in no label, split, release or new batch."""

from __future__ import annotations

import json
from typing import Any

import pytest

import otherwords
from otherwords.annotate.batch_plans.create import BatchPlan, choose_items
from otherwords.annotate.browse.filter import parse_filter
from otherwords.annotate.browse.pairs import load_pair, pair_page
from otherwords.corpus.corpus import open_corpus
from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import LabelledPair, read_table
from otherwords.project import Project
from otherwords.project.left_out import DUPLICATE, leave_out, take_back
from tests.annotate.browsed import CURATOR
from tests.corpus.released_corpus import add, fill, judgement, pair, released
from tests.errors import raises

SAME = {"text1": "The ferry left at noon.", "text2": "At midday the boat sailed."}


def labelled(project: Project) -> dict[str, LabelledPair]:
    return {row.id: row for row in read_table(labels_table(project))}


def copies(project: Project, *labels: tuple[str, ...], **texts: str) -> list[str]:
    """Equal pairs with these judgements, the first one first."""
    ids = [f"c{number}" for number in range(len(labels))]
    for name, values in zip(ids, labels, strict=True):
        add(project, pair(70, id=name, **SAME | texts))
        add(project, *(judgement(name, value, f"person{n}") for n, value in enumerate(values)))
    return ids


@pytest.mark.parametrize(
    ("labels", "kept"),
    [
        ([(), (), ()], "c0"),
        ([(), ("4",), ()], "c1"),
        ([("4",), ("4", "4"), ("4", "4")], "c1"),
        ([("4", "3"), ("4",), ()], "c1"),
    ],
    ids=["the oldest", "the one with a label", "the one with most judgements", "a label before judgements"],
)
def test_one_of_each_set_is_kept(project: Project, labels: list[tuple[str, ...]], kept: str) -> None:
    ids = copies(project, *labels)
    add(project, pair(1))
    planned = otherwords.leave_out(project.folder, duplicates=True, dry_run=True)
    assert planned.kept == {name: kept for name in ids if name != kept}
    assert (planned.changed, planned.left_out) == ([], [])
    done = otherwords.leave_out(project.folder, duplicates=True)
    assert sorted(done.changed) == sorted(planned.kept)
    assert {(row.reason, row.kept) for row in done.left_out} == {(DUPLICATE, kept)}
    assert otherwords.leave_out(project.folder, duplicates=True).changed == [], "nothing is left to find"


def test_swapped_texts_are_equal_and_different_labels_are_for_people(project: Project) -> None:
    add(project, pair(1, id="a", **SAME), judgement("a", "4>"))
    add(project, pair(1, id="b", text1=SAME["text2"], text2=SAME["text1"] + " "), judgement("b", "4<"))
    add(project, pair(2, id="c"), judgement("c", "4"), pair(2, id="d"), judgement("d", "3"))
    found = otherwords.leave_out(project.folder, duplicates=True)
    assert (found.kept, found.contradictions) == ({"b": "a"}, 1)


def test_all_duplicates_are_taken_back_at_once_and_nothing_else(project: Project) -> None:
    copies(project, (), (), ())
    add(project, pair(1))
    otherwords.leave_out(project.folder, ["p01"], reason="spam")
    otherwords.leave_out(project.folder, duplicates=True)
    undone = otherwords.leave_out(project.folder, duplicates=True, undo=True)
    assert undone.changed == ["c1", "c2"]
    assert [row.pair for row in undone.left_out] == ["p01"]


def test_options_that_do_not_fit(project: Project) -> None:
    with raises("conflicting-options"):
        otherwords.leave_out(project.folder, ["p1"], duplicates=True)
    with raises("conflicting-options"):
        otherwords.leave_out(project.folder, ["p1"], reason="spam", dry_run=True)
    with raises("no-reason"):
        otherwords.leave_out(project.folder, ["p1"])


def test_a_pair_that_is_left_out_has_no_label_until_it_is_taken_back(project: Project) -> None:
    fill(project, 8)
    before = labelled(project)["p00"]
    with project.ledger.writing() as connection:
        leave_out(connection, ["p00"], "not a sentence", "anna")
    out = labelled(project)["p00"]
    assert (out.state, out.label, out.reason, out.judgements) == ("left out", None, "left out: not a sentence", [])
    with project.ledger.reading() as connection:
        details = load_pair(connection, project, "p00", CURATOR)
        assert (details.row.label, details.row.left_out, details.row.judgements) == (None, "not a sentence", 2)
        assert details.left_out is not None
        assert details.left_out.author == "anna"
        assert "p00" not in [row.id for row in pair_page(connection, project, parse_filter({"label": "4"}), CURATOR)[0]]
    with project.ledger.writing() as connection:
        take_back(connection, ["p00"])
    assert labelled(project)["p00"] == before


def test_a_release_does_not_have_it_and_says_why(project: Project) -> None:
    fill(project)
    with project.ledger.writing() as connection:
        leave_out(connection, ["p00", "p01"], "not a sentence")
    folder = released(project).folder
    lines = (folder / "data" / "pairs.jsonl").read_text("utf-8").splitlines()
    assert {"p00", "p01"}.isdisjoint(json.loads(line)["id"] for line in lines)
    facts: dict[str, Any] = json.loads((folder / "release.json").read_text("utf-8"))
    assert facts["left_out"]["left out: not a sentence"] == 2
    assert "p00" not in (folder / "judgements.jsonl").read_text("utf-8")
    assert {"p00", "p01"}.isdisjoint(row.id for row in open_corpus(project.folder).pairs())


def test_it_is_not_chosen_for_a_new_batch(project: Project) -> None:
    add(project, *(pair(number) for number in range(4)))
    with project.ledger.writing() as connection:
        leave_out(connection, ["p01"], "spam")
        items = choose_items(connection, project, BatchPlan(name="first"))
    assert [item.item for item in items] == ["p00", "p02", "p03"]
