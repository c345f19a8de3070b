"""Practice rounds: feedback at once, a share to reach, as many rounds as it takes, and nothing that counts."""

from __future__ import annotations

import pytest
from sqlalchemy import func, insert, select

from otherwords.annotate.batch_plans.create import create_batch
from otherwords.annotate.batch_plans.request import decode_request
from otherwords.annotate.batches.batch import Batch, load_batch
from otherwords.annotate.crowd.practice import answer_practice, practice_pairs, practice_state
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.reservations import reserve
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Gold, Pair
from tests.errors import raises

LOOSE = load_scheme("binary-loose")
WHY = "Late is not gone."


@pytest.fixture
def filled(project: Project) -> Project:
    """Six pairs to judge, and five whose answer is known."""
    pairs = [Pair(id=f"c{at}", text1=f"It rains {at}.", text2=f"Rain falls {at}.", lang="en") for at in range(6)]
    for at in range(5):
        gold = Gold(label="yes" if at % 2 else "no", explanation=WHY)
        pairs.append(Pair(id=f"g{at}", text1=f"Bus {at} is late.", text2=f"Bus {at} has gone.", lang="en", gold=gold))
    about = {"import_id": None, "step": None, "step_key": None, "state": None}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs), [row_of(pair, **about) for pair in pairs])
    return project


def make(project: Project, **options: object) -> Batch:
    request = decode_request({"name": "harbour", "scheme": "binary-loose", "practice": "all", **options})
    with project.ledger.writing() as connection:
        plan = request.plan(connection, project)
        create_batch(connection, project, plan, request.items(connection, project, plan))
        return load_batch(connection, "harbour")


def play(project: Project, batch: Batch, name: str, wrong: int = 0) -> list[str]:
    """A whole round, in which the first so many answers are wrong; the pairs in their order."""
    with project.ledger.writing() as connection:
        left = practice_pairs(connection, batch, name)
        for at, pair in enumerate(left):
            right = "yes" if int(pair.pair[1:]) % 2 else "no"
            value = {"yes": "no", "no": "yes"}[right] if at < wrong else right
            learnt = answer_practice(connection, batch, name, pair.pair, value, LOOSE)
            assert (learnt.right, learnt.label, learnt.explanation) == (at >= wrong, right, WHY)
            assert learnt.state.answered == at + 1
        return [pair.pair for pair in left]


def test_a_batch_opens_after_a_round_that_is_good_enough(filled: Project) -> None:
    batch = make(filled, practice_share=0.8)
    with filled.ledger.writing() as connection:
        assert {row.item for row in connection.execute(select(schema.slots.c.item))} == {f"c{at}" for at in range(6)}
        with raises("practice-needed"):
            reserve(connection, batch, "anna", 2)
        assert practice_state(connection, batch, "anna").needed == 4
    first = play(filled, batch, "anna", wrong=2)
    with filled.ledger.writing() as connection:
        with raises("practice-needed"):
            reserve(connection, batch, "anna", 2)
        assert connection.execute(select(func.count()).select_from(schema.takers)).scalar() == 0
    second = play(filled, batch, "anna", wrong=1)
    assert sorted(first) == sorted(second)
    assert first != second  # in an order of its own
    with filled.ledger.writing() as connection:
        assert len(reserve(connection, batch, "anna", 2)) == 2
        assert practice_state(connection, batch, "anna").passed
        assert practice_pairs(connection, batch, "anna") == []
        with raises("practice-needed"):  # everybody for themselves
            reserve(connection, batch, "ben", 2)
        assert connection.execute(select(func.count()).select_from(schema.judgements)).scalar() == 0


def test_an_answer_that_is_sent_again_changes_nothing(filled: Project) -> None:
    batch = make(filled)
    with filled.ledger.writing() as connection:
        answer_practice(connection, batch, "anna", "g1", "no", LOOSE)
        again = answer_practice(connection, batch, "anna", "g1", "yes", LOOSE)
        assert (again.state.answered, again.state.right) == (1, 0)
        with raises("no-practice-pair"):
            answer_practice(connection, batch, "anna", "c1", "yes", LOOSE)
        with raises("unknown-value"):
            answer_practice(connection, batch, "anna", "g2", "maybe", LOOSE)


def test_so_many_of_the_pairs_with_an_answer_and_the_rest_are_tests(filled: Project) -> None:
    batch = make(filled, practice="2", tests="all", seed="3")
    assert batch.rules.practice is not None
    assert batch.rules.tests is not None
    assert len(batch.rules.practice.pairs) == 2
    assert sorted(batch.rules.practice.pairs + batch.rules.tests.pairs) == [f"g{at}" for at in range(5)]
    with raises("duplicate-batch"):
        make(filled, practice="2", tests="all", seed="3")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"practice": "9"}, "too-few-gold-pairs"),
        ({"practice": "source=nowhere"}, "no-test-pairs"),
        ({"practice_share": "1.2"}, "bad-batch-option"),
        ({"scheme": "vila"}, "bad-gold-label"),
    ],
)
def test_rounds_that_cannot_be(filled: Project, options: dict[str, str], code: str) -> None:
    with raises(code):
        make(filled, **options)


def test_what_is_withdrawn_keeps_nobody_out(filled: Project) -> None:
    batch = make(filled)
    withdraw(filled, "g0", noun="pair")
    play(filled, batch, "anna")
    with filled.ledger.writing() as connection:
        assert practice_state(connection, batch, "anna").pairs == 4
        assert reserve(connection, batch, "anna", 1)
    withdraw(filled, "anna", noun="annotator")
    with filled.ledger.reading() as connection:
        assert connection.execute(select(schema.practice_answers)).all() == []
