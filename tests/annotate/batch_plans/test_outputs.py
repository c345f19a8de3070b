"""Batches of what systems wrote: what is asked about, what is left out, and that nothing tells the system."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from otherwords.annotate.batch_plans.outputs import Ask, OutputBatch, SystemOutput, create_from_outputs
from otherwords.annotate.batches.output_pairs import systems_of
from otherwords.annotate.work.reservations import reserve
from otherwords.annotate.work.tasks import Task, build_tasks
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.records import Pair
from tests.errors import raises

SOURCES = ("The ferry leaves at noon.", "Nobody saw the heron.", "The mill is closed today.")
WRITTEN = {
    "small": ("The ferry leaves at noon.", "The heron went unseen.", "Today the mill is shut."),
    "large": ("At noon the ferry goes.", "The heron went unseen.", "The mill does not open today."),
    "trip": ("The boat starts at midday.", "No one noticed the heron.", " "),
}


def written(*systems: str) -> list[SystemOutput]:
    return [
        SystemOutput(system, source, text, "en", {"m": len(text) / 100})
        for system in systems or WRITTEN
        for source, text in zip(SOURCES, WRITTEN[system], strict=True)
    ]


def make(project: Project, outputs: list[SystemOutput], ask: Ask = "ratings", **options: object) -> OutputBatch:
    with project.ledger.writing() as connection:
        return create_from_outputs(connection, project, "rated", outputs, ask=ask, **options)  # type: ignore[arg-type]


def pairs(project: Project) -> list[Pair]:
    with project.ledger.reading() as connection:
        return list(read_records(connection, Pair))


def tasks(project: Project, made: OutputBatch) -> list[Task]:
    with project.ledger.writing() as connection:
        return build_tasks(connection, made.batch, reserve(connection, made.batch, "anna", 50))


def test_outputs_are_rated_three_times_and_the_same_text_once(project: Project) -> None:
    made = make(project, written())
    assert (made.items, made.batch.asked, made.batch.scheme, made.sources) == (7, 3, "likert", 3)
    assert made.left_out == {"the output is empty": 1}
    by_text = {pair.text2: systems_of(pair.meta) for pair in pairs(project)}
    assert by_text["The heron went unseen."] == ["large", "small"]
    assert by_text["The ferry leaves at noon."] == ["small"]
    assert {pair.scores["m"] for pair in pairs(project)} == {len(text) / 100 for text in by_text}


@pytest.mark.parametrize("ask", ["ratings", "types", "preference", "best-worst"])
def test_nothing_that_a_rater_gets_names_a_system(project: Project, ask: Ask) -> None:
    made = make(project, written(), ask)
    shown = tasks(project, made)
    assert shown
    assert not any(system in repr(shown) for system in WRITTEN)
    assert {task.pair for task in shown} == {None}
    assert not any(
        system in pair.id + (pair.group or "") + (pair.source or "") for pair in pairs(project) for system in WRITTEN
    )


def test_the_order_follows_from_the_seed_and_not_from_the_systems(project: Project) -> None:
    many = [SystemOutput(system, f"Source {n}.", f"{system} {n}") for system in ("a", "b") for n in range(20)]
    texts = [task.text2 for task in tasks(project, make(project, many, seed=1))]
    assert texts != sorted(texts)
    assert {text[0] for text in texts[:10]} == {"a", "b"}


def test_preference_compares_every_two_systems_unless_they_wrote_the_same(project: Project) -> None:
    made = make(project, written(), "preference")
    assert made.batch.unit == "group"
    shown = {tuple(sorted(task.texts[1:])) for task in tasks(project, made)}
    assert len(shown) == made.items == 3 + 1 + 1  # of two texts, two systems wrote one
    for source, place in zip(SOURCES, range(3), strict=True):
        for first, second in (("small", "large"), ("small", "trip"), ("large", "trip")):
            both = WRITTEN[first][place], WRITTEN[second][place]
            asked = all(text.strip() for text in both) and both[0] != both[1]
            assert (tuple(sorted(both)) in shown) == asked, source


def test_a_copy_of_the_source_is_shown_like_any_other_text(project: Project) -> None:
    made = make(project, written(), "best-worst")
    (task,) = tasks(project, made)
    assert task.texts[0] == SOURCES[0]
    assert sorted(task.texts[1:]) == sorted(system[0] for system in WRITTEN.values())
    assert made.left_out["fewer than 3 different outputs for its source"] == 5


def test_of_many_systems_four_are_shown_together(project: Project) -> None:
    many = [SystemOutput(f"s{n}", source, f"{source} {n}") for n in range(6) for source in SOURCES]
    shown = tasks(project, make(project, many, "best-worst"))
    assert {len(task.texts) for task in shown} == {5}
    assert len({task.texts[1][-1] for task in shown} | {task.texts[2][-1] for task in shown}) > 2


def test_sources_that_not_all_have_are_left_out(project: Project) -> None:
    others = [SystemOutput("other", SOURCES[0], "Ferries go at noon."), SystemOutput("other", "Alone.", "By itself.")]
    made = make(project, [*written("small", "large"), *others])
    assert {pair.text1 for pair in pairs(project)} == {SOURCES[0]}
    assert made.left_out == {"not every system has an output for its source": 5}


def test_a_sample_is_of_sources(project: Project) -> None:
    made = make(project, written("small", "large"), sample=1)
    assert made.sources == 1
    assert made.left_out["its source was not drawn"] == 4


def test_the_same_outputs_may_be_asked_about_twice(project: Project) -> None:
    make(project, written())
    with project.ledger.writing() as connection:
        second = create_from_outputs(connection, project, "again", written(), ask="types")
    assert (second.items, second.batch.asked) == (7, 1)
    with project.ledger.reading() as connection:
        assert len(set(connection.execute(select(schema.slots.c.item)).scalars())) == 14


def test_what_cannot_be_asked_is_refused(project: Project) -> None:
    with raises("no-shared-source"):
        make(project, [SystemOutput("a", "One.", "Two."), SystemOutput("b", "Three.", "Four.")])
    with raises("one-system"):
        make(project, written("small"), "preference")
    with raises("no-outputs-left"):
        make(project, [SystemOutput("a", "One.", " "), SystemOutput("b", "One.", "")])
    with raises("no-outputs-left"):
        make(project, [SystemOutput("a", "One.", "Two."), SystemOutput("b", "One.", "Two.")], "preference")
    assert pairs(project) == []
