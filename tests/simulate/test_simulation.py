"""A whole simulation through the site, on both databases."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update

from otherwords.annotate.batches import batch
from otherwords.annotate.disagreements import cases, settled
from otherwords.annotate.schemes import scheme
from otherwords.errors import NotFound, ProjectError, UsageError
from otherwords.project import Project, create, opened, schema
from otherwords.project.rows import records, row_of
from otherwords.project.simulated import is_simulated
from otherwords.records import Document, DocumentPair, Judgement, Pair
from otherwords.simulate import Simulated, Wishes, simulate
from otherwords.simulate.people import CURATOR, names
from otherwords.web.accounts import account_of, close
from tests.simulate.texts import PARTS, put_batch, put_documents, put_pairs

NOTHING = {"triage": 0, "extract": 0, "judge": 0, "adjudicate": 0}
SCHEMES = ["vila", "vila-simplified", "rupaws", "likert", "good-poor", "suzuki-changes", "binary-strict"]
GOLD = {"label": "yes", "explanation": "It says so."}


def judgements(project: Project, *conditions: Any) -> list[Judgement]:
    with project.ledger.reading() as connection:
        return list(records(connection, Judgement, *conditions))


def content(project: Project) -> list[Any]:
    """All that was said, but for ids and times."""
    with project.ledger.reading() as connection:
        texts = {one.id: (one.text1, one.text2, one.rewrite_of is None) for one in records(connection, Pair)}
    return [
        (
            texts.get(one.pair, one.pair),
            one.annotator,
            one.batch,
            one.kind,
            one.value,
            one.unsure,
            one.note,
            one.seconds,
        )
        for one in judgements(project)
    ]


def test_all_that_waits_is_done(project: Project) -> None:
    put_documents(project)
    put_batch(project, "double", put_pairs(project, 3), asked=2, own=False)
    seen: list[tuple[str, int]] = []
    counted: Counter[str] = Counter()
    wishes = Wishes(accuracy=0.6, seed=3)
    done = simulate(
        project, wishes, begin=lambda *told: seen.append(told), progress=lambda task, many: counted.update([task])
    )
    assert done.people == ["sim-anna", "sim-ben", "sim-dora", "sim-emil"]
    assert done.left == NOTHING
    assert done.done == counted
    assert [task for task, _ in seen] == ["triage", "extract", "judge", "adjudicate"]
    assert dict(seen)["triage"] == done.done["triage"] == 1
    assert dict(seen)["judge"] == done.done["judge"]
    with project.ledger.reading() as connection:
        assert is_simulated(connection)
        states = {one.id: one.status for one in records(connection, DocumentPair)}
        told = settled(cases(connection, batch(connection, "double"), scheme("turku")))
        assert connection.execute(select(func.count()).select_from(schema.tokens)).scalar_one() == 0
    assert (states["dp-news"], states["dp-none"]) == ("finished", "empty")
    assert states["dp-forum"] in ("rejected", "finished")
    assert (told.pairs, told.complete, told.waiting) == (30, 30, 0)
    assert told.decided == told.disagreeing == done.done["adjudicate"] > 3


def test_what_is_extracted_is_in_the_documents(project: Project) -> None:
    put_documents(project)
    simulate(project, Wishes(seed=1))
    with project.ledger.reading() as connection:
        texts = {one.id: one.text for one in records(connection, Document)}
        found = list(records(connection, Pair, schema.pairs.c.method == "extract"))
    assert found
    for pair in found:
        for passage, text in ((pair.doc1, pair.text1), (pair.doc2, pair.text2)):
            assert passage is not None
            assert texts[passage.id][passage.start : passage.end] == text
    said = judgements(project, schema.judgements.c.batch == "extracted")
    assert {one.pair for one in said} >= {pair.id for pair in found}
    makers = {pair.id: pair.meta["annotator"] for pair in found}
    assert all(one.annotator == makers[one.pair] for one in said if one.pair in makers)


def test_the_same_seed_says_the_same(tmp_path: Any) -> None:
    told = []
    for name, seed in (("one", 5), ("two", 5), ("three", 6)):
        create(tmp_path / name, "en", "turku")
        with opened(tmp_path / name) as corpus:
            put_documents(corpus)
            put_batch(corpus, "double", put_pairs(corpus, 2), asked=2)
            simulate(corpus, Wishes(seed=seed, accuracy=0.7))
            told.append(content(corpus))
    assert told[0] == told[1]
    assert told[0] != told[2]


def test_the_curator_says_what_is_true(project: Project) -> None:
    put_batch(project, "double", put_pairs(project, 3), asked=2)
    simulate(project, Wishes(accuracy=0.5))
    decided = judgements(project, schema.judgements.c.kind == "consensus")
    said = {one.id: one for one in judgements(project, schema.judgements.c.kind == "individual")}
    adopted = [one for one in decided if one.meta["adopted"]]
    assert 0 < len(adopted) < len(decided)
    assert all(said[one.meta["adopted"]].value == one.value for one in adopted)
    assert {one.annotator for one in decided} == {CURATOR}


def test_every_kind_of_scheme(project: Project) -> None:
    pairs = put_pairs(project)
    for name in SCHEMES:
        put_batch(project, name, pairs, scheme=name, asked=2)
    done = simulate(project, Wishes(people=2, accuracy=0.7))
    assert (done.done["judge"], done.left) == (20 * len(SCHEMES), NOTHING)


def test_no_more_than_asked_for(project: Project) -> None:
    put_batch(project, "first", put_pairs(project))
    assert simulate(project, Wishes(most=4)).done == {"judge": 4}
    assert simulate(project, Wishes(most=0)).done == {}
    rest = simulate(project, Wishes())
    assert (rest.done, rest.left) == ({"judge": 6}, NOTHING)
    assert simulate(project, Wishes()) == Simulated(names(4), {}, NOTHING)


def test_only_some_batches_and_tasks(project: Project) -> None:
    put_documents(project)
    pairs = put_pairs(project)
    put_batch(project, "first", pairs)
    put_batch(project, "second", pairs, asked=2)
    done = simulate(project, Wishes(batches=["second"], tasks=["judge"], accuracy=0.3))
    assert done.done == {"judge": 20}
    assert done.left["adjudicate"] > 0
    assert done.left["extract"] > 0
    assert {one.batch for one in judgements(project)} == {"second"}


def test_a_batch_for_others_is_left_to_them(project: Project) -> None:
    pairs = put_pairs(project)
    put_batch(project, "theirs", pairs, people=["anna"])
    put_batch(project, "often", pairs[:2], asked=3)
    done = simulate(project, Wishes(people=2))
    assert done.done == {"judge": 4}
    assert done.left["judge"] == 12


def test_hidden_tests_and_a_gate(project: Project) -> None:
    pairs = put_pairs(project, 3)
    tests = [Pair(id=f"t{n}", text1=f"A test {n}.", text2=f"Test {n} it is.", lang="en") for n in range(5)]
    with project.ledger.writing() as connection:
        rows = [row_of(one, **PARTS) | {"gold": GOLD} for one in tests]
        connection.execute(insert(schema.pairs), rows)
    rules = {"tests": {"pairs": [one.id for one in tests]}, "gate": {"fewest_tests": 2}}
    put_batch(project, "crowd", pairs, scheme="binary-loose", asked=2, **rules)
    simulate(project, Wishes(accuracy=0.3, people=3))
    golds = judgements(project, schema.judgements.c.purpose == "gold")
    assert golds
    with project.ledger.reading() as connection:
        states = connection.execute(select(schema.takers.c.state)).scalars().all()
    assert "paused" in states


def test_others_do_the_work_of_those_who_are_away(project: Project) -> None:
    put_batch(project, "first", put_pairs(project, 6))
    done = simulate(project, Wishes(absent=0.9))
    assert done.left == NOTHING
    assert len({one.annotator for one in judgements(project)}) > 1


def test_seconds_are_noted(project: Project) -> None:
    put_batch(project, "first", put_pairs(project, 4))
    simulate(project, Wishes(seconds=20))
    taken = sorted(one.seconds for one in judgements(project) if one.seconds is not None)
    assert 10 < taken[len(taken) // 2] < 40
    assert taken[0] < taken[-1]


def test_where_people_have_judged_nothing_is_made_up(project: Project) -> None:
    put_batch(project, "first", put_pairs(project))
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.judgements), [row_of(Judgement(id="j", pair="p0-0", value="4"))])
    with pytest.raises(ProjectError, match="people have judged"):
        simulate(project, Wishes())
    with project.ledger.reading() as connection:
        assert not is_simulated(connection)
        assert connection.execute(select(schema.accounts.c.name)).all() == []


@pytest.mark.parametrize(
    ("wishes", "problem", "words"),
    [
        (Wishes(batches=["nothing"]), NotFound, "no batch 'nothing'"),
        (Wishes(bias={("4", "5"): 0.1}), UsageError, "no question has"),
    ],
)
def test_what_is_not_there(project: Project, wishes: Wishes, problem: type[Exception], words: str) -> None:
    with pytest.raises(problem, match=words):
        simulate(project, wishes)
    with project.ledger.reading() as connection:
        assert not is_simulated(connection)


def test_an_account_that_was_closed(project: Project) -> None:
    simulate(project, Wishes())
    with project.ledger.writing() as connection:
        close(connection, account_of(connection, "sim-ben"), None)
    with pytest.raises(ProjectError, match="sim-ben is closed"):
        simulate(project, Wishes())


def test_stopped_in_the_middle_it_goes_on_later(project: Project) -> None:
    put_batch(project, "first", put_pairs(project))

    def stop(task: str, done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(project, Wishes(), progress=stop)
    assert len([one for one in judgements(project) if not one.meta.get("rewrite")]) == 3
    with project.ledger.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.tokens)).scalar_one() == 0
    assert not [one for one in threading.enumerate() if one.name == "site"]
    assert simulate(project, Wishes()).done == {"judge": 7}


def test_what_was_taken_back_is_said_again(project: Project) -> None:
    put_batch(project, "first", put_pairs(project))
    simulate(project, Wishes())
    with project.ledger.writing() as connection:
        slot = schema.slots
        connection.execute(update(slot).where(slot.c.position < 2).values(judgement=None, holder=None, until=None))
    assert simulate(project, Wishes()).done == {"judge": 2}


def test_names_are_always_the_same() -> None:
    assert names(2) == ["sim-anna", "sim-ben"]
    assert names(16)[-2:] == ["sim-p15", "sim-p16"]
    assert len(set(names(50))) == 50
