"""A whole simulation through the site, on both databases."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update

from otherwords.annotate.adjudication.disagreements import cases, settled
from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.crowd.introduction import count_consents, publish_introduction
from otherwords.annotate.schemes import load_scheme
from otherwords.errors import NotFound, ProjectError, UsageError
from otherwords.project import Project, create_project, open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records, row_of
from otherwords.project.simulated import is_simulated
from otherwords.records import Document, DocumentPair, Judgement, Pair
from otherwords.simulate.options import SimulationOptions
from otherwords.simulate.simulation import CURATOR, PRACTICE_ROUNDS, SimulationResult, annotator_names, simulate
from otherwords.web.accounts.accounts import account_of, close
from tests.errors import raises
from tests.simulate.texts import PARTS, put_batch, put_documents, put_pairs

NOTHING = {"triage": 0, "extract": 0, "seed": 0, "judge": 0, "adjudicate": 0}
SCHEMES = ["vila", "vila-simplified", "rupaws", "likert", "good-poor", "suzuki-changes", "binary-strict"]
GOLD = {"label": "yes", "explanation": "It says so."}


def judgements(project: Project, *conditions: Any) -> list[Judgement]:
    with project.ledger.reading() as connection:
        return list(read_records(connection, Judgement, *conditions))


def content(project: Project) -> list[Any]:
    """All judgements, without ids and times."""
    with project.ledger.reading() as connection:
        texts = {pair.id: (pair.text1, pair.text2, pair.rewrite_of is None) for pair in read_records(connection, Pair)}
    return [
        (
            texts.get(judgement.pair, judgement.pair),
            judgement.annotator,
            judgement.batch,
            judgement.kind,
            judgement.value,
            judgement.unsure,
            judgement.note,
            judgement.seconds,
        )
        for judgement in judgements(project)
    ]


def test_all_that_waits_is_done(project: Project) -> None:
    put_documents(project)
    put_batch(project, "double", put_pairs(project, 3), asked=2, own=False)
    seen: list[tuple[str, int]] = []
    counted: Counter[str] = Counter()
    options = SimulationOptions(accuracy=0.6, seed=3)
    done = simulate(
        project,
        options,
        begin=lambda task, waiting: seen.append((task, waiting)),
        progress=lambda task, count: counted.update([task]),
    )
    assert done.people == ["sim-anna", "sim-ben", "sim-dora", "sim-emil"]
    assert done.left == NOTHING
    assert done.done == counted
    assert [task for task, _ in seen] == ["triage", "extract", "seed", "judge", "adjudicate"]
    assert dict(seen)["triage"] == done.done["triage"] == 1
    assert dict(seen)["judge"] == done.done["judge"]
    with project.ledger.reading() as connection:
        assert is_simulated(connection)
        states = {pair.id: pair.status for pair in read_records(connection, DocumentPair)}
        progress = settled(cases(connection, load_batch(connection, "double"), load_scheme("turku")))
        assert connection.execute(select(func.count()).select_from(schema.tokens)).scalar_one() == 0
        remarks = connection.execute(
            select(schema.remarks.c.item, schema.remarks.c.author, schema.remarks.c.text)
        ).all()
    doubts = [row for row in judgements(project, schema.judgements.c.batch == "double") if row.note]
    assert {tuple(row) for row in remarks} == {(row.pair, row.annotator, row.note) for row in doubts} != set()
    assert (states["dp-news"], states["dp-none"]) == ("finished", "empty")
    assert states["dp-forum"] in ("rejected", "finished")
    assert (progress.pairs, progress.complete, progress.waiting) == (30, 30, 0)
    assert progress.decided == progress.disagreeing == done.done["adjudicate"] > 3


def test_votes_of_a_crowd_are_not_adjudicated(project: Project) -> None:
    put_batch(project, "crowd", put_pairs(project, 1), scheme="binary-loose", asked=6)
    done = simulate(project, SimulationOptions(people=6, accuracy=0.7))
    assert "adjudicate" not in done.done
    assert done.left == NOTHING
    assert not judgements(project, schema.judgements.c.kind == "consensus")


def test_what_is_extracted_is_in_the_documents(project: Project) -> None:
    put_documents(project)
    simulate(project, SimulationOptions(seed=1))
    with project.ledger.reading() as connection:
        texts = {document.id: document.text for document in read_records(connection, Document)}
        extracted = list(read_records(connection, Pair, schema.pairs.c.method == "extract"))
    assert extracted
    for pair in extracted:
        for passage, text in ((pair.doc1, pair.text1), (pair.doc2, pair.text2)):
            assert passage is not None
            assert texts[passage.id][passage.start : passage.end] == text
    answers = judgements(project, schema.judgements.c.batch == "extracted")
    assert {answer.pair for answer in answers} >= {pair.id for pair in extracted}
    makers = {pair.id: pair.meta["annotator"] for pair in extracted}
    assert all(answer.annotator == makers[answer.pair] for answer in answers if answer.pair in makers)


def test_the_same_seed_gives_the_same_judgements(tmp_path: Any) -> None:
    contents = []
    for name, seed in (("one", 5), ("two", 5), ("three", 6)):
        create_project(tmp_path / name, "en", "turku")
        with open_project(tmp_path / name) as corpus:
            put_documents(corpus)
            put_batch(corpus, "double", put_pairs(corpus, 2), asked=2)
            simulate(corpus, SimulationOptions(seed=seed, accuracy=0.7))
            contents.append(content(corpus))
    assert contents[0] == contents[1]
    assert contents[0] != contents[2]


def test_the_curator_gives_the_true_answer(project: Project) -> None:
    put_batch(project, "double", put_pairs(project, 3), asked=2)
    simulate(project, SimulationOptions(accuracy=0.5))
    decided = judgements(project, schema.judgements.c.kind == "consensus")
    individual = {answer.id: answer for answer in judgements(project, schema.judgements.c.kind == "individual")}
    adopted = [decision for decision in decided if decision.meta["adopted"]]
    assert 0 < len(adopted) < len(decided)
    assert all(individual[decision.meta["adopted"]].value == decision.value for decision in adopted)
    assert {decision.annotator for decision in decided} == {CURATOR}


def test_every_kind_of_scheme(project: Project) -> None:
    pairs = put_pairs(project)
    for name in SCHEMES:
        put_batch(project, name, pairs, scheme=name, asked=2)
    done = simulate(project, SimulationOptions(people=2, accuracy=0.7))
    assert (done.done["judge"], done.left) == (20 * len(SCHEMES), NOTHING)


def test_no_more_judgements_than_the_limit(project: Project) -> None:
    put_batch(project, "first", put_pairs(project))
    assert simulate(project, SimulationOptions(most=4)).done == {"judge": 4}
    assert simulate(project, SimulationOptions(most=0)).done == {}
    rest = simulate(project, SimulationOptions())
    assert (rest.done, rest.left) == ({"judge": 6}, NOTHING)
    assert simulate(project, SimulationOptions()) == SimulationResult(annotator_names(4), {}, NOTHING)


def test_only_some_batches_and_tasks(project: Project) -> None:
    put_documents(project)
    pairs = put_pairs(project)
    put_batch(project, "first", pairs)
    put_batch(project, "second", pairs, asked=2)
    done = simulate(project, SimulationOptions(batches=["second"], tasks=["judge"], accuracy=0.3))
    assert done.done == {"judge": 20}
    assert done.left["adjudicate"] > 0
    assert done.left["extract"] > 0
    assert {judgement.batch for judgement in judgements(project)} == {"second"}


def test_a_batch_for_others_is_left_to_them(project: Project) -> None:
    pairs = put_pairs(project)
    put_batch(project, "theirs", pairs, people=["anna"])
    put_batch(project, "often", pairs[:2], asked=3)
    done = simulate(project, SimulationOptions(people=2))
    assert done.done == {"judge": 4}
    assert done.left["judge"] == 12


def test_hidden_tests_and_a_gate(project: Project) -> None:
    pairs = put_pairs(project, 3)
    tests = [Pair(id=f"t{n}", text1=f"A test {n}.", text2=f"Test {n} it is.", lang="en") for n in range(5)]
    with project.ledger.writing() as connection:
        rows = [row_of(pair, **PARTS) | {"gold": GOLD} for pair in tests]
        connection.execute(insert(schema.pairs), rows)
    rules = {"tests": {"pairs": [pair.id for pair in tests]}, "gate": {"fewest_tests": 2}}
    put_batch(project, "crowd", pairs, scheme="binary-loose", asked=2, **rules)
    simulate(project, SimulationOptions(accuracy=0.3, people=3))
    golds = judgements(project, schema.judgements.c.purpose == "gold")
    assert golds
    with project.ledger.reading() as connection:
        states = connection.execute(select(schema.takers.c.state)).scalars().all()
    assert "paused" in states


def test_careful_people_know_the_answers_to_hidden_tests(project: Project) -> None:
    pairs = put_pairs(project, 6)
    golds = {f"t{n}": ("yes", "no")[n % 2] for n in range(20)}
    tests = [Pair(id=name, text1=f"A test {name}.", text2=f"Test {name} it is.", lang="en") for name in golds]
    with project.ledger.writing() as connection:
        rows = [row_of(pair, **PARTS) | {"gold": {"label": golds[pair.id], "explanation": "Look."}} for pair in tests]
        connection.execute(insert(schema.pairs), rows)
    rules = {"tests": {"pairs": [pair.id for pair in tests], "every": 4}, "gate": {}}
    put_batch(project, "crowd", pairs, scheme="binary-loose", asked=5, **rules)
    simulate(project, SimulationOptions(people=5, accuracy=0.95))
    with project.ledger.reading() as connection:
        takers = connection.execute(select(schema.takers)).all()
    assert sum(taker.state == "paused" for taker in takers) <= 1
    assert sum(taker.tests for taker in takers) >= 50
    assert sum(taker.right for taker in takers) / sum(taker.tests for taker in takers) > 0.95


def put_practice(project: Project) -> dict[str, str]:
    """A batch of four pairs that opens after a practice round of six; the known answers by their pairs."""
    golds = {f"g{number}": ("yes", "no")[number % 2] for number in range(6)}
    pairs = [Pair(id=name, text1=f"An example {name}.", text2=f"Here is {name}.", lang="en") for name in golds]
    with project.ledger.writing() as connection:
        rows = [row_of(pair, **PARTS) | {"gold": {"label": golds[pair.id], "explanation": "Look."}} for pair in pairs]
        connection.execute(insert(schema.pairs), rows)
    rules = {"practice": {"pairs": list(golds), "share": 0.8}}
    put_batch(project, "crowd", put_pairs(project)[:4], scheme="binary-loose", asked=2, **rules)
    return golds


def practice_rounds(project: Project) -> Counter[str]:
    """How many rounds everybody has practised."""
    answers = schema.practice_answers
    query = select(answers.c.annotator, func.max(answers.c.round)).group_by(answers.c.annotator)
    with project.ledger.reading() as connection:
        return Counter({row[0]: row[1] for row in connection.execute(query)})


def test_simulated_people_practise_before_a_batch_opens_for_them(project: Project) -> None:
    put_practice(project)
    done = simulate(project, SimulationOptions(people=3, accuracy=0.95))
    assert done.left == NOTHING
    assert done.done["judge"] == 8
    rounds = practice_rounds(project)
    assert set(rounds) == set(done.people)
    assert not [judgement for judgement in judgements(project) if judgement.pair.startswith("g")]
    simulate(project, SimulationOptions(people=3, accuracy=0.95))
    assert practice_rounds(project) == rounds, "nobody practises again after having passed"


def test_simulated_people_who_do_not_pass_a_practice_round_give_up(project: Project) -> None:
    put_practice(project)
    done = simulate(project, SimulationOptions(people=2, accuracy=0.0))
    assert (done.left["judge"], done.done) == (8, {})
    assert practice_rounds(project) == dict.fromkeys(done.people, PRACTICE_ROUNDS)


def test_simulated_people_agree_to_an_introduction(project: Project) -> None:
    put_batch(project, "crowd", put_pairs(project, 4))
    with project.ledger.writing() as connection:
        publish_introduction(connection, "crowd", "Welcome.", None, None)
    assert simulate(project, SimulationOptions(people=2)).left == NOTHING
    with project.ledger.reading() as connection:
        assert count_consents(connection, "crowd") == {1: 2}


def test_others_do_the_work_of_those_who_are_away(project: Project) -> None:
    put_batch(project, "first", put_pairs(project, 6))
    done = simulate(project, SimulationOptions(absent=0.9))
    assert done.left == NOTHING
    assert len({judgement.annotator for judgement in judgements(project)}) > 1


def test_seconds_are_noted(project: Project) -> None:
    put_batch(project, "first", put_pairs(project, 4))
    simulate(project, SimulationOptions(seconds=20))
    taken = sorted(answer.seconds for answer in judgements(project) if answer.seconds is not None)
    assert 10 < taken[len(taken) // 2] < 40
    assert taken[0] < taken[-1]


def test_where_people_have_judged_nothing_is_simulated(project: Project) -> None:
    put_batch(project, "first", put_pairs(project))
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.judgements), [row_of(Judgement(id="j", pair="p0-0", value="4"))])
    with pytest.raises(ProjectError, match="people have judged"):
        simulate(project, SimulationOptions())
    with project.ledger.reading() as connection:
        assert not is_simulated(connection)
        assert connection.execute(select(schema.accounts.c.name)).all() == []


@pytest.mark.parametrize(
    ("options", "problem", "fact"),
    [
        (SimulationOptions(batches=["nothing"]), NotFound, "'nothing'"),
        (SimulationOptions(bias={("4", "5"): 0.1}), UsageError, "4:5"),
    ],
)
def test_options_that_name_missing_things(
    project: Project, options: SimulationOptions, problem: type[Exception], fact: str
) -> None:
    with pytest.raises(problem, match=fact):
        simulate(project, options)
    with project.ledger.reading() as connection:
        assert not is_simulated(connection)


def test_an_account_that_was_closed(project: Project) -> None:
    simulate(project, SimulationOptions())
    with project.ledger.writing() as connection:
        close(connection, account_of(connection, "sim-ben"), None)
    with raises("account-unusable", match="sim-ben"):
        simulate(project, SimulationOptions())


def test_stopped_in_the_middle_it_goes_on_later(project: Project) -> None:
    put_batch(project, "first", put_pairs(project))

    def stop(task: str, done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(project, SimulationOptions(), progress=stop)
    assert len([answer for answer in judgements(project) if not answer.meta.get("rewrite")]) == 3
    with project.ledger.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.tokens)).scalar_one() == 0
    assert not [thread for thread in threading.enumerate() if thread.name == "site"]
    assert simulate(project, SimulationOptions()).done == {"judge": 7}


def test_withdrawn_judgements_are_given_again(project: Project) -> None:
    put_batch(project, "first", put_pairs(project))
    simulate(project, SimulationOptions())
    with project.ledger.writing() as connection:
        slot = schema.slots
        connection.execute(update(slot).where(slot.c.position < 2).values(judgement=None, holder=None, until=None))
    assert simulate(project, SimulationOptions()).done == {"judge": 2}


def test_names_are_always_the_same() -> None:
    assert annotator_names(2) == ["sim-anna", "sim-ben"]
    assert annotator_names(16)[-2:] == ["sim-p15", "sim-p16"]
    assert len(set(annotator_names(50))) == 50
