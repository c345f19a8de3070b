"""Recipes stop where people are needed, say what is left, and go on when they have done it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, insert, select, update

from otherwords.annotate.adjudicating import Decided, decide
from otherwords.annotate.schemes import scheme
from otherwords.annotate.triaging import decide as triage
from otherwords.annotate.waiting import batches_for
from otherwords.errors import DataError, RecipeError, Refused, UsageError
from otherwords.project import Project, schema
from otherwords.project.project import now
from otherwords.project.recipe import Step, find_recipe, read_recipe, with_settings
from otherwords.project.run import plan, run_recipe, run_step
from otherwords.project.status import status
from otherwords.project.work import WORKS, Result
from tests.annotate.disputed import batch_of, judged, put_pairs, taken
from tests.annotate.reading import forum_pairs


def step(does: str, name: str = "step", **parameters: Any) -> Step:
    return Step(name, does, WORKS.get(does).checked(parameters))


def left(project: Project, task: str, *batches: str) -> str | None:
    _, result = run_step(project, step("people", task=task, batches=list(batches)))
    return result.waiting.what if result and result.waiting else None


def accounts(connection: Connection, *names: str) -> None:
    about = {"role": "annotator", "password": None, "state": "active", "settings": {}, "created": now()}
    connection.execute(insert(schema.accounts), [{"name": name, **about} for name in names])


def test_triage_waits_until_every_thread_is_decided(project: Project) -> None:
    names = forum_pairs(project, 2)
    assert left(project, "triage") == "2 document pairs are left"
    with project.ledger.writing() as connection:
        for name in names:
            triage(connection, "anna", name, "accept" if name == names[0] else "reject", None, None, name)
    assert left(project, "triage") is None
    assert left(project, "extract") == "1 document pair is left"


def test_judging_waits_for_the_answers_of_open_batches(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "twice", 2)
        batch_of(connection, "other", 1, asked=1)
        judged(connection, "twice", "anna", {"p0": "4", "p1": "3"})
    assert left(project, "judge", "twice") == "2 judgements are left"
    assert left(project, "judge", "twice", "other") == "3 judgements are left"
    assert left(project, "judge", "no such batch") is None


def test_adjudication_waits_for_decisions(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "twice", 2)
        by_anna = judged(connection, "twice", "anna", {"p0": "4", "p1": "3"})
        by_ben = judged(connection, "twice", "ben", {"p0": "4", "p1": "2"})
    assert left(project, "adjudicate", "twice") == "1 disagreement is left"
    with project.ledger.writing() as connection:
        seen = [by_anna[1].id, by_ben[1].id]
        told = Decided(key="k", batch="twice", pair="p1", value="3", made_from=seen)
        decide(connection, "carl", "curator", told, scheme("turku"))
    assert left(project, "adjudicate", "twice") is None


def test_what_comes_after_people_waits_too(project: Project) -> None:
    forum_pairs(project, 1)
    told: list[tuple[str, str | None]] = []

    def tell(planned: Any, result: Result | None) -> None:
        told.append((planned.step.name, result.waiting.then if result and result.waiting else None))

    steps = [step("people", "triage", task="triage"), step("label", "label")]
    run_recipe(project, steps, told=tell)
    assert [name for name, _ in told] == ["triage"]
    assert f"(otherwords serve {project.folder}), page Triage" in (told[0][1] or "")
    assert plan(project, steps[0]).state == "waiting"


def states(project: Project) -> list[tuple[str, str, str]]:
    return [(one["name"], one["state"], one["why"].partition(" 20")[0]) for one in status(project)["steps"]]


def test_status_lists_the_step_that_waits(project: Project) -> None:
    (name,) = forum_pairs(project, 1)
    steps = [step("people", "triage", task="triage"), step("people", "judging", task="judge")]
    for _ in range(2):
        run_recipe(project, steps)
        assert states(project) == [("triage", "waiting", "1 document pair is left")]
    with project.ledger.writing() as connection:
        triage(connection, "anna", name, "reject", None, None, "k")
    assert states(project) == [("triage", "new", "people have done their part; run the recipe again")]
    run_recipe(project, steps)
    assert states(project) == [("triage", "done", "done"), ("judging", "done", "done")]


def test_the_later_of_two_alike_steps_waits(project: Project) -> None:
    steps = [step("people", name, task="triage") for name in ("first", "again")]
    run_recipe(project, steps[:1])
    forum_pairs(project, 2)
    run_recipe(project, steps)
    assert states(project) == [("first", "done", "done"), ("again", "waiting", "2 document pairs are left")]
    assert [plan(project, one, steps).state for one in steps] == ["done", "waiting"]
    assert plan(project, steps[0], steps[:1]).state == "waiting", "alone, it asks again"


def test_a_step_waits_again_when_what_is_before_it_was_redone(project: Project) -> None:
    steps = [step("label", "label"), *(step("people", name, task="triage") for name in ("first", "again"))]
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "once", 1, asked=1)
        judged(connection, "once", "anna", {"p0": "4"})
    run_recipe(project, steps[:2])
    forum_pairs(project, 1)
    assert plan(project, steps[1], steps).state == "done"
    with project.ledger.writing() as connection:
        batch_of(connection, "more", 2, asked=1)
        judged(connection, "more", "ben", {"p1": "3"})
    run_step(project, steps[0])
    assert plan(project, steps[1], steps).state == "waiting"


def test_an_unknown_task_is_refused(project: Project) -> None:
    with pytest.raises(RecipeError, match="it is one of triage, extract, judge, adjudicate"):
        left(project, "dance")


@pytest.mark.parametrize(
    ("parameters", "size", "asked"),
    [
        ({}, 6, 1),
        ({"sample": 2.0, "asked": 2}, 2, 2),
        ({"sample": 0.5}, 3, 1),
        ({"leave": 4}, 2, 1),
        ({"asked": 0}, 6, 3),
        ({"filter": {"query": "4 lamps"}}, 1, 1),
    ],
)
def test_a_batch_is_made_once(project: Project, parameters: dict[str, Any], size: int, asked: int) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        accounts(connection, "anna", "ben", "cleo")
    for _ in range(2):  # the second time as after a changed parameter
        _, result = run_step(project, step("batch", "first", scheme="turku", **parameters))
        parameters = parameters | {"seed": 7}
        assert result is not None
        assert result.rows_out == size
    with project.ledger.reading() as connection:
        assert connection.execute(select(schema.batches.c.id, schema.batches.c.asked)).all() == [("first", asked)]


def test_a_batch_takes_what_is_in_no_other(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "before", 5)
    _, result = run_step(project, step("batch", "rest", not_in=["before"]))
    assert result is not None
    assert result.rows_out == 1


def test_no_batch_is_made_of_nothing(project: Project) -> None:
    _, result = run_step(project, step("batch", "none"))
    assert result is not None
    assert result.counts == {"nothing to judge": 1}
    assert left(project, "judge", "none") is None


def test_training_is_for_all_annotators_and_there_have_to_be_some(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
    with pytest.raises(Refused, match=r"no annotators yet; invite them: otherwords user invite .*corpus --role"):
        run_step(project, step("batch", "training", asked=0))


def test_a_check_of_no_rewrites_is_none(project: Project) -> None:
    _, result = run_step(project, step("check-rewrites", "rewrites"))
    assert result is not None
    assert result.counts == {"no rewrites to check": 1}


def test_a_recipe_without_texts_says_how_to_bring_them(project: Project) -> None:
    with pytest.raises(DataError, match="otherwords import .* subtitles PATH or otherwords import .* groups PATH"):
        run_step(project, step("need", sources=["subtitles", "translations", "answers"]))
    with pytest.raises(DataError, match="otherwords import .* pairs PATH"):
        run_step(project, step("need"))


def test_an_optional_step_without_documents_is_passed_over(project: Project) -> None:
    optional = Step("news", "align-news", WORKS.get("align-news").checked({}), optional=True)
    planned, result = run_step(project, optional)
    assert (planned.state, result) == ("skipped", None)


@pytest.mark.parametrize("name", ["turku", "vila"])
def test_shipped_recipes_are_read_in_their_order(name: str) -> None:
    steps = read_recipe(find_recipe(name))
    assert [one.does for one in steps[-4:]] == ["label", "split", "report", "release"]
    batches = {one.name for one in steps if one.does in ("batch", "check-rewrites")} | {"extracted"}
    for one in steps:
        assert set(one.parameters.get("batches", [])) <= batches
        assert set(one.parameters.get("not_in", [])) <= batches


def test_a_parameter_is_changed_for_one_run() -> None:
    steps = with_settings(read_recipe(find_recipe("vila")), {"training.sample": 8.0, "rest.leave": 0})
    assert {one.name: one.parameters.get("sample") for one in steps}["training"] == 8.0
    for wrong in ("training", "no-step.sample", "training.nothing"):
        with pytest.raises((UsageError, RecipeError)):
            with_settings(steps, {wrong: 1})


def test_a_second_round_follows_the_first_unless_it_is_set() -> None:
    def minutes(**given: float) -> dict[str, float]:
        settings = {name.replace("_again", "-again") + ".minutes": value for name, value in given.items()}
        steps = with_settings(read_recipe(find_recipe("turku")), settings)
        return {one.name: one.parameters["minutes"] for one in steps if one.does == "align-subtitles"}

    assert minutes(subtitles=3.0) == {"subtitles": 3.0, "subtitles-again": 3.0}
    assert minutes(subtitles=3.0, subtitles_again=5.0) == {"subtitles": 3.0, "subtitles-again": 5.0}
    assert minutes(subtitles_again=5.0) == {"subtitles": 15.0, "subtitles-again": 5.0}
    rounds = {one.name: one.parameters.get("round") for one in read_recipe(find_recipe("turku"))}
    assert (rounds["subtitles"], rounds["subtitles-again"]) == (1, 2)


def test_what_somebody_judged_is_for_others_to_judge_again(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        accounts(connection, "anna", "ben", "cleo")
        batch_of(connection, "first", 2, asked=1)
        judged(connection, "first", "anna", {"p0": "4", "p1": "3"})
        batch_of(connection, "trained", 2, asked=1, purpose="training")
        judged(connection, "trained", "ben", {"p0": "4", "p1": "3"})  # which is not for the corpus itself
    told = next(one for one in read_recipe(find_recipe("turku")) if one.name == "double").parameters
    run_step(project, step("batch", "double", **{**told, "sample": 0.0, "scheme": "turku"}))
    with project.ledger.writing() as connection:
        assert not taken(connection, "double", "anna")
        assert "double" not in {one.batch.id for one in batches_for(connection, "anna")}
        assert {one.batch.id: one.left for one in batches_for(connection, "ben")}["double"] == 2
        assert set(taken(connection, "double", "ben")) == {"p0", "p1"}
    assert left(project, "judge", "double") == "4 judgements are left"
    closed = update(schema.accounts).where(schema.accounts.c.name == "cleo").values(state="closed")
    with project.ledger.writing() as connection:
        connection.execute(closed)
    assert "4 judgements are left; 2 pairs have too few people for it: whoever" in str(left(project, "judge", "double"))


def test_what_others_judged_cannot_be_dealt_out(project: Project) -> None:
    rules = {"again": False, "assigned": True, "people": ["anna"]}
    with project.ledger.writing() as connection:
        put_pairs(connection)
        accounts(connection, "anna")
    with pytest.raises(Refused, match="let the batch be a pool"):
        run_step(project, step("batch", "double", rules=rules))


def test_people_are_told_how_much_they_did(project: Project) -> None:
    names = forum_pairs(project, 3)
    with project.ledger.writing() as connection:
        for name in names:
            triage(connection, "anna", name, "accept" if name == names[0] else "reject", None, None, name)
        put_pairs(connection)
        batch_of(connection, "twice", 2)
        by_anna = judged(connection, "twice", "anna", {"p0": "4", "p1": "3"})
        by_ben = judged(connection, "twice", "ben", {"p0": "4", "p1": "2"})
        seen = [by_anna[1].id, by_ben[1].id]
        told = Decided(key="k", batch="twice", pair="p1", value="3", made_from=seen)
        decide(connection, "carl", "curator", told, scheme("turku"))
    assert done(project, "triage") == (3, 1, {"rejected": 2})
    assert done(project, "judge", "twice") == (2, 4, {})
    assert done(project, "adjudicate", "twice") == (1, 1, {})


def done(project: Project, task: str, *batches: str) -> tuple[int, int, dict[str, Any]]:
    _, result = run_step(project, step("people", task, task=task, batches=list(batches)))
    assert result is not None
    return result.rows_in, result.rows_out, result.counts


def test_what_all_say_in_training_is_kept(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "training", 3, purpose="training")
        judged(connection, "training", "anna", {"p0": "4", "p1": "3", "p2": "2"})
        judged(connection, "training", "ben", {"p0": "4", "p1": "2"})
    _, result = run_step(project, step("keep-agreed", batches=["training"]))
    assert result is not None
    assert (result.rows_in, result.rows_out) == (3, 1)
    said = schema.judgements
    with project.ledger.reading() as connection:
        kept = connection.execute(select(said.c.pair, said.c.value).where(said.c.kind == "consensus")).all()
    assert kept == [("p0", "4")]
