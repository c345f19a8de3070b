"""Models judge beside people: every pair is judged once by each version or counted, and people never notice."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, select

import otherwords
from otherwords.analyse.dashboard.progress import batch_states, people_states, source_states
from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.browse.export import judgement_lines
from otherwords.annotate.browse.history import history_for
from otherwords.annotate.judges import judged_enough, judges_of
from otherwords.annotate.labels.pair_labels import labels_of_pairs
from otherwords.annotate.pseudonyms import pseudonyms
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers
from otherwords.annotate.work.open_batches import open_batches_for
from otherwords.annotate.work.reservations import reserve
from otherwords.learn.judging.judge import GONE, judge_batch
from otherwords.learn.judging.judges import GeneratorJudge, RunJudge, answers_of_labels, model_judge
from otherwords.learn.judging.prompts import NO_ANSWER, OTHER_ANSWER, prompt_for
from otherwords.models.asking import BackendStopped
from otherwords.project import Project, create_project, open_project
from otherwords.project.answer_cache import cached_models
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.project.left_out import leave_out
from otherwords.records import Judgement
from tests.errors import raises
from tests.learn.judging.models import PAIRS, SAYS_YES, Parrot, fill, judge_with, overlap_run

NAMES = [pair.id for pair in PAIRS]
LOOSE = load_scheme("binary-loose")


def judgements(project: Project) -> list[Judgement]:
    with project.ledger.reading() as connection:
        return list(read_records(connection, Judgement))


def new_project(folder: Path) -> Project:
    create_project(folder, lang="en", scheme="binary-loose")
    return open_project(folder)


def answer(connection: Connection, annotator: str, value: str = "yes", most: int = 1) -> list[str]:
    """Let somebody take pairs and answer; which ones."""
    taken = reserve(connection, "monday", annotator, most)
    sent = [(annotator, AnswerBody(key=f"{annotator} {held.slot}", slot=held.slot, value=value)) for held in taken]
    saved = save_answers(connection, sent, load_scheme, lambda *_: True)
    assert all(isinstance(judgement, Judgement) for judgement in saved)
    return [held.item for held in taken]


def test_every_pair_is_judged_or_counted(project: Project) -> None:
    fill(project)
    answers = {"0": " Yes.", "1": '"no"', "2": "yes, because", "3": "", "4": None, "5": "x"}
    parrot = Parrot(lambda prompt: next(reply for key, reply in answers.items() if f"left at {key} " in prompt))
    result = judge_with(project, parrot)
    assert (result.pairs, result.written, result.known, result.asked) == (6, 3, 0, 6)
    assert result.reasons == {OTHER_ANSWER: 1, NO_ANSWER: 1, "the model is tired": 1}
    found = {judgement.pair: judgement for judgement in judgements(project)}
    assert {pair: judgement.value for pair, judgement in found.items()} == {"p0": "yes", "p1": "no", "p5": "x"}
    judgement = found["p0"]
    assert (judgement.kind, judgement.annotator, judgement.batch) == ("model", SAYS_YES, "monday")
    assert judgement.meta["prompt"] == prompt_for(LOOSE).version
    assert judgement.meta["model"] == f"parrot|version:1|prompt:{prompt_for(LOOSE).version}"


def test_nothing_is_asked_or_written_twice(project: Project) -> None:
    fill(project)
    parrot = Parrot(lambda prompt: "nothing of the kind" if "left at 3" in prompt else "yes")
    judge_with(project, parrot)
    before, asked = judgements(project), len(parrot.asked)
    again = judge_with(project, parrot)
    assert (again.written, again.known, again.asked, again.reasons) == (0, 5, 0, {OTHER_ANSWER: 1})
    assert judgements(project) == before
    assert len(parrot.asked) == asked == 6


def test_another_version_supersedes_and_may_come_back(project: Project, tmp_path: Path) -> None:
    fill(project)
    file = tmp_path / "prompt.txt"
    file.write_text("{values} {text1} | {text2}?", "utf-8")
    prompts = [None, prompt_for(LOOSE, file), None]
    results = [judge_with(project, Parrot(), prompt) for prompt in prompts]
    assert [(result.written, result.superseded) for result in results] == [(6, 0), (6, 6), (6, 6)]
    assert results[0].signature == results[2].signature != results[1].signature
    of_first = [judgement for judgement in judgements(project) if judgement.pair == "p0"]
    assert [judgement.supersedes for judgement in of_first] == [None, of_first[0].id, of_first[1].id]


def test_pairs_that_are_gone_are_counted(project: Project) -> None:
    fill(project)
    with project.ledger.writing() as connection:
        leave_out(connection, ["p2"], "a duplicate")
    result = judge_with(project, Parrot())
    assert (result.pairs, result.written, result.reasons) == (6, 5, {GONE: 1})


def test_a_model_that_stops_keeps_what_it_said(project: Project) -> None:
    fill(project)

    def rule(prompt: str) -> str:
        if "left at 4" in prompt:
            raise BackendStopped("the budget is used up", code="budget-used-up")
        return "yes"

    with raises("budget-used-up"):
        judge_with(project, Parrot(rule))
    assert len(judgements(project)) == 4
    assert judge_with(project, Parrot()).written == 2


def test_it_takes_nothing_from_people_and_is_no_progress(project: Project) -> None:
    fill(project, times=2)
    judge_with(project, Parrot())
    with project.ledger.writing() as connection:
        [state] = batch_states(connection)
        assert (state.done, state.slots, state.held, state.people) == (0, 12, 0, ())
        assert judged_enough(connection, "pair", "binary-loose", NAMES) == set()
        assert judges_of(connection, NAMES) == {}
        assert people_states(connection) == []
        assert [source.judged for source in source_states(connection)] == [0]
        [waiting] = open_batches_for(connection, "anna")
        assert waiting.left == 6
        assert answer(connection, "anna", most=9) == NAMES
        assert judged_enough(connection, "pair", "binary-loose", NAMES) == set()  # a person and a model are one person
        assert [person.name for person in people_states(connection)] == ["anna"]


@pytest.mark.parametrize("role", ["annotator", "curator", "admin"])
def test_nobody_sees_it_before_they_have_answered(project: Project, role: str) -> None:
    fill(project)
    judge_with(project, Parrot())

    def seen(connection: Connection, viewer: str, pair: str) -> list[str]:
        return [entry.kind for entry in history_for(connection, viewer, role, pair).judgements]

    with project.ledger.writing() as connection:
        assert seen(connection, "anna", "p0") == []
        [pair] = answer(connection, "anna")
        assert sorted(seen(connection, "anna", pair)) == ["individual", "model"]
        assert "model" not in seen(connection, "ben", pair)
        assert seen(connection, "anna", "p5") == []


@pytest.mark.parametrize("role", ["annotator", "curator"])
def test_nobody_sees_it_before_all_have_answered(project: Project, role: str) -> None:
    fill(project, times=2)
    judge_with(project, Parrot())
    with project.ledger.writing() as connection:
        [pair] = answer(connection, "anna")
        assert [entry.kind for entry in history_for(connection, "anna", role, pair).judgements] == ["individual"]
        assert answer(connection, "ben") == [pair]
        kinds = sorted(entry.kind for entry in history_for(connection, "anna", role, pair).judgements)
        assert kinds == ["individual", "individual", "model"]


def test_it_makes_no_label_unless_asked(project: Project) -> None:
    fill(project)
    judge_with(project, Parrot())
    with project.ledger.writing() as connection:
        assert answer(connection, "anna", "no") == ["p0"]
        labels = labels_of_pairs(connection, NAMES, "binary-loose", LOOSE)
    assert {pair: label.label for pair, label in labels.items()} == {"p0": "no"} | dict.fromkeys(NAMES[1:])
    assert [label.judgements for label in labels.values()] == [1, 0, 0, 0, 0, 0]
    folder = project.folder
    plain = otherwords.label(folder, scheme="binary-loose")
    assert (plain.labels, plain.states, plain.by_model) == ({"no": 1}, {"unjudged": 5, "labelled": 1}, 0)
    counted = otherwords.label(folder, scheme="binary-loose", count_models=True)
    assert counted.by_model == counted.labels["yes"] == 5  # on p0 Anna and the model differ
    assert otherwords.label(folder, scheme="binary-loose") == plain


def test_a_label_of_a_model_is_in_no_test_part(tmp_path: Path) -> None:
    with new_project(tmp_path / "corpus") as project:
        fill(project)
        with project.ledger.writing() as connection:
            judged = answer(connection, "anna", most=3)
        judge_with(project, Parrot())
        out = tmp_path / "parts.jsonl"
        result = otherwords.split(project.folder, parts="50/50", count_models=True, out=out)
        [reason] = result.none
    assert "model" in reason
    parts = {pair.id: (pair.meta.get("part"), pair) for pair in _read(out)}
    tested = {name for name, (part, _) in parts.items() if part == "test"}
    assert tested <= set(judged)
    assert result.none[reason] == sum(part is None for part, _ in parts.values()) > 0
    bare = tmp_path / "bare.jsonl"  # a file says so itself: a split of it keeps them out of the test as well
    otherwords.convert(out, bare)
    for options in ({"parts": "20/80"}, {"folds": 2}):
        again = otherwords.split(bare, by="pair", **options)
        assert again.none[reason] > 0


def _read(path: Path) -> list[otherwords.Pair]:
    from otherwords.sources import open_records

    with open_records(path) as records:
        return [record for record in records if isinstance(record, otherwords.Pair)]


def test_it_is_exported_and_imported_under_its_own_name(project: Project, tmp_path: Path) -> None:
    fill(project)
    with project.ledger.writing() as connection:
        answer(connection, "anna")
    judge_with(project, Parrot())
    with project.ledger.reading() as connection:
        lines = b"".join(judgement_lines(connection, pseudonyms(connection, bytes(32)))).decode()
    assert lines.count(f'"{SAYS_YES}"') == 6
    assert "anna" not in lines
    otherwords.export(project.folder, tmp_path / "out")
    with new_project(tmp_path / "other") as other:
        otherwords.import_(other.folder, "export", tmp_path / "out")
        copies = {judgement.id: judgement for judgement in judgements(other) if judgement.kind == "model"}
    originals = {judgement.id: judgement for judgement in judgements(project) if judgement.kind == "model"}
    assert {name: (copy.value, copy.annotator) for name, copy in copies.items()} == {
        name: (judgement.value, SAYS_YES) for name, judgement in originals.items()
    }
    assert all(copies[name].meta["model"] == judgement.meta["model"] for name, judgement in originals.items())


def test_withdrawn_texts_are_in_no_prompt_and_no_answer(project: Project) -> None:
    fill(project)
    judge_with(project, Parrot(lambda prompt: f"I read: {prompt}"))
    assert [(model.signature, model.answers) for model in cached_models(project)] == [("parrot|version:1", 6)]
    otherwords.withdraw(project.folder, "p3", noun="pair")
    assert [model.answers for model in cached_models(project)] == [5]
    assert all(b"left at 3" not in path.read_bytes() for path in (project.folder / "cache").iterdir())


def test_a_trained_classifier_judges(project: Project, tmp_path: Path) -> None:
    run = overlap_run(tmp_path)
    fill(project, pairs=[*PAIRS[:2], otherwords.Pair(id="same", text1="the oak stands", text2="the oak stands")])
    model = model_judge(f"run:{run.folder}", LOOSE)
    result = judge_batch(project, "monday", model)
    assert (result.written, result.model) == (3, "model/overlap")
    found = {judgement.pair: judgement for judgement in judgements(project)}
    assert found["same"].value == "yes"
    assert found["p0"].value == "no"
    assert found["same"].meta["hash"] == run.record.model_digest
    assert 0.5 <= found["same"].meta["probability"] <= 1
    assert judge_batch(project, "monday", model_judge(str(run.folder), LOOSE)).known == 3


def test_labels_of_a_classifier_have_to_be_answers_of_the_scheme(tmp_path: Path) -> None:
    run = overlap_run(tmp_path)
    assert answers_of_labels(run.record.task, LOOSE) == {"positive": "yes", "negative": "no"}
    with raises("labels-of-another-scheme", match="turku"):
        RunJudge(run, load_scheme("turku"))
    with raises("prompt-for-classifier"):
        model_judge(f"run:{run.folder}", LOOSE, prompt="prompt.txt")
    with raises("not-a-run"):
        model_judge(f"run:{tmp_path / 'nowhere'}", LOOSE)


def test_models_judge_batches_of_pairs(project: Project) -> None:
    fill(project)
    with project.ledger.writing() as connection:
        batch = load_batch(connection, "monday")
        connection.execute(schema.batches.update().values(unit="group"))
    with raises("batch-not-of-pairs"):
        judge_batch(project, batch.id, GeneratorJudge(Parrot(), prompt_for(LOOSE), LOOSE))
    with project.ledger.reading() as connection:
        assert connection.execute(select(schema.judgements.c.id)).first() is None
