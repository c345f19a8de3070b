"""Recipes stop where people are needed, say what is left, and go on when they have done it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select, update

import otherwords
from otherwords.annotate.adjudication.decide import AdjudicationInput, decide
from otherwords.annotate.batches.batch import BatchItem, BatchRules, Gate, insert_batch
from otherwords.annotate.documents.triage import decide as triage
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.open_batches import open_batches_for
from otherwords.api.projects import StepRun
from otherwords.cli.talk import step_bars
from otherwords.errors import MissingExtra, RecipeError, Refused, UsageError
from otherwords.project import Project, search
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.pipeline.kind import PeopleWork, Step, StepResult, make_step
from otherwords.project.pipeline.plan import FOLLOWS, NOTHING, StepPlan, plan
from otherwords.project.pipeline.run import run_recipe, run_step
from otherwords.project.project import now
from otherwords.records import Pair
from otherwords.steps.catalogue import STEP_KINDS
from otherwords.steps.known_recipes import kept_recipe
from otherwords.steps.recipe import find_recipe, read_recipe, with_settings
from otherwords.steps.status import status
from tests.annotate.disputed import batch_of, judged, put_pairs, taken
from tests.annotate.reading import forum_pairs, put
from tests.conftest import EXAMPLES
from tests.errors import raises


def step(does: str, name: str = "step", **parameters: Any) -> Step:
    return make_step(STEP_KINDS.get(does), name, **parameters)


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


def test_what_a_step_of_people_counted_does_not_count_again_in_a_later_one(project: Project) -> None:
    def counted(name: str) -> tuple[int, int, dict[str, Any]] | None:
        _, result = run_step(project, step("people", name, task="triage"))
        return None if result is None else (result.rows_in, result.rows_out, result.counts)

    names = forum_pairs(project, 2)
    with project.ledger.writing() as connection:
        for name, decision in zip(names, ("accept", "reject"), strict=True):
            triage(connection, "anna", name, decision, None, None, name)
    assert counted("triage") == (2, 1, {"rejected": 1})
    assert counted("triage-again") == (0, 0, {"rejected": 0})


def test_judging_waits_for_the_answers_of_open_batches(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "twice", 2)
        batch_of(connection, "other", 1, asked=1)
        judged(connection, "twice", "anna", {"p0": "4", "p1": "3"})
    assert left(project, "judge", "twice") == "2 judgements are left"
    assert left(project, "judge", "twice", "other") == "3 judgements are left"
    assert left(project, "judge", "no such batch") is None


def test_while_a_crowd_votes_the_way_on_names_how_workers_are_invited(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        rules = BatchRules(gate=Gate())
        insert_batch(connection, "crowd", [BatchItem("p0")], scheme="turku", asked=2, rules=rules)
        batch_of(connection, "team", 1)
    for name, is_crowd in (("crowd", True), ("team", False)):
        _, result = run_step(project, step("people", task="judge", batches=[name]))
        assert result is not None
        assert result.waiting is not None
        then = result.waiting.then
        invite = f"invite workers with otherwords crowd invite {project.folder} {name}, or on the page Crowd"
        assert (invite in then, "otherwords serve" in then) == (is_crowd, True)


def test_a_reason_that_is_no_quantity_has_no_number_in_the_line_of_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    planned = StepPlan(step("people"), "", {}, {}, "new", "", NOTHING)
    with step_bars() as bars:
        bars.end(StepRun(planned, StepResult(102, 0, {"no range lacks negatives": True, "of one": 1})))
    assert "step: 102 in, 0 out (no range lacks negatives; of one: 1)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("waits", "words"),
    [
        (("people", {"task": "judge"}), "waiting for people"),
        (("people", {"task": "adjudicate"}), "waiting for decisions"),
        (("release", {}), "waiting for a decision"),
    ],
)
def test_a_run_says_whether_it_waits_for_people_or_for_a_decision(
    project: Project, waits: tuple[str, dict[str, Any]], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    does, parameters = waits
    result = StepResult(waiting=PeopleWork("something is left", "see to it"))
    planned = StepPlan(step(does, **parameters), "", {}, {}, "waiting", "", NOTHING)
    with step_bars() as bars:
        bars.end(StepRun(planned, result))
    assert f"step: {words}: something is left" in capsys.readouterr().err


def test_adjudication_waits_for_decisions(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "twice", 2)
        by_anna = judged(connection, "twice", "anna", {"p0": "4", "p1": "3"})
        by_ben = judged(connection, "twice", "ben", {"p0": "4", "p1": "2"})
    assert left(project, "adjudicate", "twice") == "1 disagreement is left"
    with project.ledger.writing() as connection:
        seen = [by_anna[1].id, by_ben[1].id]
        value = AdjudicationInput(key="k", batch="twice", pair="p1", value="3", made_from=seen)
        decide(connection, "carl", "curator", value, load_scheme("turku"))
    assert left(project, "adjudicate", "twice") is None


def test_steps_after_people_wait_too(project: Project) -> None:
    forum_pairs(project, 1)
    reports: list[tuple[str, str | None]] = []

    def report(planned: Any, result: StepResult | None) -> None:
        reports.append((planned.step.name, result.waiting.then if result and result.waiting else None))

    steps = [step("people", "triage", task="triage"), step("label", "label")]
    run_recipe(project, steps, report=report)
    assert [name for name, _ in reports] == ["triage"]
    assert f"(otherwords serve {project.folder}), page Triage" in (reports[0][1] or "")
    assert plan(project, steps[0]).state == "waiting"


def states(project: Project) -> list[tuple[str, str, str]]:
    return [(row["name"], row["state"], row["why"].partition(" 20")[0]) for row in status(project)["steps"]]


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
    assert [plan(project, step, steps).state for step in steps] == ["done", "waiting"]
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
    with raises("bad-parameter", "one of adjudicate, extract, judge, seed, triage"):
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
    search.update_index(project)  # it knows nothing of the pairs that come now
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


def test_a_gate_that_can_never_fire_is_said_when_a_recipe_makes_its_batch(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
    _, result = run_step(project, step("batch", "late", scheme="turku", asked=2, rules={"gate": "usual"}))
    assert result is not None
    [gap] = result.counts["gate"]
    assert gap.startswith("the gate can never pause anybody for differing from the others")
    _, result = run_step(project, step("batch", "plain", scheme="turku", asked=2))
    assert result is not None
    assert "gate" not in result.counts


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


def test_a_batch_that_was_not_made_for_want_of_pairs_holds_no_later_one_up(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
    run_step(project, step("batch", "training", sample=50.0))
    run_step(project, step("batch", "agreement", sample=100.0, not_in=["training"]))
    _, result = run_step(project, step("batch", "rest", leave=1, not_in=["training", "agreement"]))
    assert result is not None
    assert result.rows_out == 0
    with raises("no-such-batch"):
        run_step(project, step("batch", "closing", not_in=["agrement"]))


def test_training_is_for_all_annotators_and_there_have_to_be_some(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
    with pytest.raises(Refused, match=r"no annotators yet; invite them: otherwords user invite .*corpus --role"):
        run_step(project, step("batch", "training", asked=0))


def test_each_annotator_gets_all_of_the_training_and_nobody_else_any(project: Project) -> None:
    training = next(step for step in read_recipe(find_recipe("vila")) if step.name == "training").as_json()
    with project.ledger.writing() as connection:
        put_pairs(connection)
        accounts(connection, "anna", "ben", "cleo")
    run_step(project, step("batch", "training", **{**training, "sample": 4.0}))
    with project.ledger.writing() as connection:
        accounts(connection, "dora")  # who comes too late for it
        with raises("not-your-batch"):
            taken(connection, "training", "dora")
        assert len(taken(connection, "training", "anna")) == 4
        assert {offer.batch.id: offer.left for offer in open_batches_for(connection, "ben")} == {"training": 4}
        assert taken(connection, "training", "ben").keys() == taken(connection, "training", "cleo").keys()


def test_a_sample_of_a_recipe_leaves_out_what_is_decided_or_doubly_judged(project: Project) -> None:
    double = next(step for step in read_recipe(find_recipe("turku")) if step.name == "double").as_json()
    double |= {"sample": 100.0, "scheme": "turku"}
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "first", 4, asked=1)
        judged(connection, "first", "anna", {"p0": "4", "p1": "3", "p2": "4", "p3": "2"})
        batch_of(connection, "trained", 2, asked=1, purpose="training")
        judged(connection, "trained", "ben", {"p0": "4", "p1": "3"})
    run_step(project, step("batch", "double", **double))
    double["rules"] = {**double["rules"], "also_decided": True}
    run_step(project, step("batch", "all", **double))
    with project.ledger.reading() as connection:
        items = connection.execute(select(schema.slots.c.batch, schema.slots.c.item).distinct()).all()
    assert {item for batch, item in items if batch == "double"} == {"p2", "p3"}
    assert {item for batch, item in items if batch == "all"} == {"p0", "p1", "p2", "p3"}


def test_a_check_of_no_rewrites_is_none(project: Project) -> None:
    _, result = run_step(project, step("check-rewrites", "rewrites"))
    assert result is not None
    assert result.counts == {"no rewrites to check": 1}


def test_a_recipe_without_texts_says_how_to_bring_them(project: Project) -> None:
    with raises("nothing-imported", match="otherwords import .* subtitles PATH or otherwords import .* groups PATH"):
        run_step(project, step("need", sources=["subtitles", "translations", "answers"]))
    with raises("nothing-imported", match="otherwords import .* pairs PATH"):
        run_step(project, step("need"))


def test_pairs_that_a_recipe_makes_do_not_bring_it_back_to_its_beginning(project: Project) -> None:
    put(project, Pair(id="made", text1="a", text2="b", method="localise"))
    assert needed_rows(project) == 1  # without imported pairs, all are something to begin with
    count = import_file(project, "pairs", EXAMPLES / "pairs.jsonl").added
    assert needed_rows(project) == count
    put(project, Pair(id="made-too", text1="c", text2="d", method="localise"))
    assert plan(project, step("need")).state == "done"


def needed_rows(project: Project) -> int:
    _, result = run_step(project, step("need"))
    assert result is not None
    return result.rows_out


def test_the_wrong_recipe_does_not_take_the_place_of_the_right_one(project: Project) -> None:
    import_file(project, "pairs", EXAMPLES / "pairs.jsonl")
    otherwords.run(project.folder, recipe="rupaws")
    with raises("nothing-imported"):
        otherwords.run(project.folder, recipe="turku")
    with project.ledger.reading() as connection:
        assert kept_recipe(connection) == "rupaws"


def test_an_optional_step_without_documents_is_passed_over(project: Project) -> None:
    optional = replace(make_step(STEP_KINDS.get("align-news"), "news"), optional=True)
    planned, result = run_step(project, optional)
    assert (planned.state, result) == ("skipped", None)


def test_an_optional_step_that_cannot_be_done_is_passed_over_with_the_reason(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
    sets = step("references", "sets", fewest=8)
    with raises("too-few-references"):
        run_step(project, sets)
    planned, result = run_step(project, replace(sets, optional=True))
    assert (planned.state, result) == ("skipped", None)
    assert "no text has 8 direct paraphrases; ask for fewer (--set sets.fewest=3)" in planned.why


def test_what_reads_a_skipped_step_is_skipped_or_refused(project: Project) -> None:
    mined = replace(step("mine", "neighbours"), optional=True)
    drawn = replace(step("mine-sample", "strata"), inputs={"pairs": mined})
    planned, result = run_step(project, replace(drawn, optional=True))
    assert (planned.state, result) == ("skipped", None)
    assert planned.why == "neighbours was skipped"
    with raises("input-skipped", "strata cannot be done: neighbours was skipped: there is nothing for it to work on"):
        run_step(project, drawn)


def test_an_optional_step_that_reads_what_is_still_to_be_made_is_to_run(project: Project) -> None:
    recipe = read_recipe(find_recipe("multipit"))
    planned = {step.name: plan(project, step, recipe) for step in recipe}
    follows = {"overlap", "bow", "references", "write", "measure", "denoise"}
    assert {planned[name].state for name in follows} == {"new"}
    assert planned["overlap"].why == FOLLOWS
    assert planned["overlap"].estimate.seconds is None


def test_an_optional_step_is_skipped_once_its_inputs_leave_it_nothing(project: Project) -> None:
    learned = replace(step("train-classifier", "overlap", model="overlap"), optional=True)
    planned, result = run_step(project, learned)
    assert (planned.state, result) == ("skipped", None)


def test_a_package_that_is_missing_is_named_and_blocks_nothing(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(request: object, progress: object) -> None:
        raise MissingExtra("hf", "training an encoder")

    monkeypatch.setattr("otherwords.steps.retrieval.train_encoder", missing)
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "once", 4, asked=1)
        judged(connection, "once", "anna", {"p0": "4", "p1": "2", "p2": "3", "p3": "4"})
    encoder = replace(step("train-encoder", "encoder"), optional=True)
    planned, result = run_step(project, encoder)
    assert (planned.state, result) == ("skipped", None)
    assert "pip install 'otherwords[hf]'" in planned.why
    reported: list[str] = []
    run_recipe(project, [encoder, step("label", "label")], report=lambda planned, _: reported.append(planned.step.name))
    assert reported == ["encoder", "label"]


@pytest.mark.parametrize("name", ["multipit", "turku", "vila"])
def test_shipped_recipes_are_read_in_their_order(name: str) -> None:
    steps = read_recipe(find_recipe(name))
    ending = [step.kind.name for step in steps if step.name in ("label", "split", "report", "release")]
    assert ending == ["label", "split", "report", "release"]
    making = ("batch", "check-rewrites", "mine-sample", "cluster-sample", "outputs")
    batches = {step.name for step in steps if step.kind.name in making} | {"extracted"}
    for step in steps:
        assert set(step.as_json().get("batches", [])) <= batches
        assert set(step.as_json().get("not_in", [])) <= batches


def test_a_parameter_is_changed_for_one_run() -> None:
    steps = with_settings(read_recipe(find_recipe("vila")), {"training.sample": 8.0, "rest.leave": 0})
    assert {step.name: step.as_json().get("sample") for step in steps}["training"] == 8.0
    for wrong in ("training", "no-step.sample", "training.nothing"):
        with pytest.raises((UsageError, RecipeError)):
            with_settings(steps, {wrong: 1})


def test_a_second_round_follows_the_first_unless_it_is_set() -> None:
    def minutes(**changed: float) -> dict[str, float]:
        settings = {name.replace("_again", "-again") + ".minutes": value for name, value in changed.items()}
        steps = with_settings(read_recipe(find_recipe("turku")), settings)
        return {step.name: step.as_json()["minutes"] for step in steps if step.kind.name == "align-subtitles"}

    assert minutes(subtitles=3.0) == {"subtitles": 3.0, "subtitles-again": 3.0}
    assert minutes(subtitles=3.0, subtitles_again=5.0) == {"subtitles": 3.0, "subtitles-again": 5.0}
    assert minutes(subtitles_again=5.0) == {"subtitles": 15.0, "subtitles-again": 5.0}
    rounds = {step.name: step.as_json().get("round") for step in read_recipe(find_recipe("turku"))}
    assert (rounds["subtitles"], rounds["subtitles-again"]) == (1, 2)


def test_pairs_that_somebody_judged_are_offered_to_others(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        accounts(connection, "anna", "ben", "cleo")
        batch_of(connection, "first", 2, asked=1)
        judged(connection, "first", "anna", {"p0": "4", "p1": "3"})
        batch_of(connection, "trained", 1, asked=1, purpose="training")
        judged(connection, "trained", "ben", {"p0": "4"})  # that was for another purpose, and he knows it all the same
    double = next(step for step in read_recipe(find_recipe("turku")) if step.name == "double").as_json()
    run_step(project, step("batch", "double", **{**double, "sample": 0.0, "scheme": "turku"}))
    with project.ledger.writing() as connection:
        assert not taken(connection, "double", "anna")
        assert "double" not in {offer.batch.id for offer in open_batches_for(connection, "anna")}
        assert {offer.batch.id: offer.left for offer in open_batches_for(connection, "ben")}["double"] == 1
        assert set(taken(connection, "double", "ben")) == {"p1"}
    assert "4 judgements are left; 1 pair has too few people for it" in str(left(project, "judge", "double"))
    closed = update(schema.accounts).where(schema.accounts.c.name == "cleo").values(state="closed")
    with project.ledger.writing() as connection:
        connection.execute(closed)
    assert "4 judgements are left; 2 pairs have too few people for it: whoever" in str(left(project, "judge", "double"))


def test_pairs_that_others_judged_cannot_be_assigned(project: Project) -> None:
    rules = {"again": False, "assigned": True, "people": ["anna"]}
    with project.ledger.writing() as connection:
        put_pairs(connection)
        accounts(connection, "anna")
    with pytest.raises(Refused, match="let the batch be a pool"):
        run_step(project, step("batch", "double", rules=rules))


def test_counts_of_what_people_did(project: Project) -> None:
    names = forum_pairs(project, 3)
    with project.ledger.writing() as connection:
        for name in names:
            triage(connection, "anna", name, "accept" if name == names[0] else "reject", None, None, name)
        put_pairs(connection)
        batch_of(connection, "twice", 2)
        by_anna = judged(connection, "twice", "anna", {"p0": "4", "p1": "3"})
        by_ben = judged(connection, "twice", "ben", {"p0": "4", "p1": "2"})
        seen = [by_anna[1].id, by_ben[1].id]
        value = AdjudicationInput(key="k", batch="twice", pair="p1", value="3", made_from=seen)
        decide(connection, "carl", "curator", value, load_scheme("turku"))
    assert done(project, "triage") == (3, 1, {"rejected": 2})
    assert done(project, "judge", "twice") == (2, 4, {})
    assert done(project, "adjudicate", "twice") == (1, 1, {})


def done(project: Project, task: str, *batches: str) -> tuple[int, int, dict[str, Any]]:
    _, result = run_step(project, step("people", task, task=task, batches=list(batches)))
    assert result is not None
    return result.rows_in, result.rows_out, result.counts


def test_answers_that_agree_in_training_become_the_consensus(project: Project) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "training", 3, purpose="training")
        judged(connection, "training", "anna", {"p0": "4", "p1": "3", "p2": "2"})
        judged(connection, "training", "ben", {"p0": "4", "p1": "2"})
    _, result = run_step(project, step("keep-agreed", batches=["training"]))
    assert result is not None
    assert (result.rows_in, result.rows_out) == (3, 1)
    judgements = schema.judgements
    with project.ledger.reading() as connection:
        consensus = select(judgements.c.pair, judgements.c.value).where(judgements.c.kind == "consensus")
        kept = connection.execute(consensus).all()
    assert kept == [("p0", "4")]
