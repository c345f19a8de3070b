"""The blind check of rewrites, from the batch to its results, on both databases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from sqlalchemy import Connection, insert, select, update

from otherwords.annotate.batch_plans.create import create_batch, find_created
from otherwords.annotate.batch_plans.rewrite_check import CheckHalf, check_result, choose_check, plan_check
from otherwords.annotate.batches.batch import Batch, BatchItem, BatchRules, insert_batch, load_batch
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers
from otherwords.annotate.work.reservations import reserve
from otherwords.annotate.work.tasks import build_tasks
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair
from tests.annotate.browsed import put_pairs
from tests.errors import raises
from tests.web.persons import joined

PEOPLE = ("anna", "ben", "cleo", "dan")


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    """Twelve pairs, each judged by anna or ben, who rewrote every second one; the others are fresh."""
    for name in PEOPLE:
        joined(project, name)
    with project.ledger.writing() as connection:
        for number in range(12):
            annotator = ("anna", "ben")[number % 4 // 2]
            texts = {"text1": f"The bell rang {number} times.", "text2": f"{number} strokes were heard."}
            pair = Pair(id=f"p{number:02}", **texts)
            put_pairs(connection, pair)
            judged(connection, pair.id, annotator, "3")
            if number % 2 == 0:
                texts["text2"] = f"One heard the bell {number} times."
                meta = {"annotator": annotator, "judgement": f"{pair.id}-{annotator}"}
                name = f"{pair.id}-{annotator}-r1"
                put_pairs(connection, Pair(id=name, **texts, rewrite_of=pair.id, method="rewrite", meta=meta))
                judged(connection, name, annotator, "4")
        put_pairs(connection, *(Pair(id=f"fresh{number}", text1="A tree.", text2="One tree.") for number in range(4)))
        yield connection


def judged(connection: Connection, pair: str, annotator: str, value: str) -> None:
    judgement = Judgement(
        id=f"{pair}-{annotator}", pair=pair, value=value, annotator=annotator, scheme="turku", kind="individual"
    )
    connection.execute(insert(schema.judgements), [row_of(judgement)])


def create_check(
    connection: Connection,
    project: Project,
    size: int,
    people: Sequence[str] = (),
    author: str | None = None,
    key: str | None = None,
) -> Batch:
    """A check called "blind" with seed 1, created as the site does it."""
    plan = plan_check("blind", 1, people, size)
    items = [] if find_created(connection, plan, author, key) else choose_check(connection, size, 1, people)
    return create_batch(connection, project, plan, items, author, key)


def is_rewrite(name: str) -> bool:
    return name.endswith("-r1")


def test_halves_are_shuffled_and_cannot_be_told_apart(connection: Connection, project: Project) -> None:
    created = create_check(connection, project, 8, PEOPLE, "carl")
    assert (created.purpose, created.asked) == ("check", 2)
    assert created.rules == BatchRules(people=list(PEOPLE), context=False, own=False)
    rows = connection.execute(select(schema.slots).order_by(schema.slots.c.position)).mappings().all()
    items = [row["item"] for row in rows if row["number"] == 0]
    assert sum(map(is_rewrite, items)) == 4
    assert len(set(items)) == 8
    assert items != sorted(items)
    kinds = [is_rewrite(item) for item in items]
    assert kinds not in ([True] * 4 + [False] * 4, [False] * 4 + [True] * 4)
    originals = {item[:3] for item in items if is_rewrite(item)}
    assert not originals & set(items)
    assert {row["maker"] for row in rows} <= {"anna", "ben"}
    for annotator in ("cleo", "dan"):
        taken = reserve(connection, "blind", annotator, 9)
        shown = build_tasks(connection, created, taken)
        assert len(shown) == 8
        assert {(task.pair, task.context) for task in shown} == {(None, False)}
    assert reserve(connection, "blind", "anna", 9) == []


def test_nobody_gets_pairs_that_they_know(connection: Connection, project: Project) -> None:
    create_check(connection, project, 8)
    for annotator in ("anna", "ben"):
        known = {"anna": (0, 1), "ben": (2, 3)}[annotator]
        assert all(int(held.item[1:3]) % 4 not in known for held in reserve(connection, "blind", annotator, 9))


def test_the_same_seed_gives_the_same_check(connection: Connection, project: Project) -> None:
    first = choose_check(connection, 8, 5, PEOPLE)
    assert choose_check(connection, 8, 5, PEOPLE) == first
    assert choose_check(connection, 8, 6, PEOPLE) != first
    judged_before = [item.item for item in first if not is_rewrite(item.item)]
    assert not any(item.startswith("fresh") for item in judged_before)


def test_fresh_pairs_fill_up(connection: Connection, project: Project) -> None:
    chosen = choose_check(connection, 12, 1, ())
    ordinary = [item.item for item in chosen if not is_rewrite(item.item)]
    assert sorted(ordinary) == ["p01", "p03", "p05", "p07", "p09", "p11"]
    connection.execute(update(schema.pairs).where(schema.pairs.c.id.in_(["p01", "p03"])).values(state="removed"))
    ordinary = [item.item for item in choose_check(connection, 12, 1, ()) if not is_rewrite(item.item)]
    assert sum(name.startswith("fresh") for name in ordinary) == 2


def test_one_rewrite_of_an_original_and_none_that_several_know(connection: Connection) -> None:
    twin = {"text1": "The bell rang twice.", "text2": "Two strokes of the bell.", "meta": {"annotator": "anna"}}
    put_pairs(connection, Pair(id="p00-anna-r2", rewrite_of="p00", method="rewrite", **twin))
    judged(connection, "p02", "cleo", "2")  # so cleo knows the original of a rewrite by ben
    connection.execute(update(schema.pairs).where(schema.pairs.c.id == "p04-anna-r1").values(state="removed"))
    with raises("too-few-pairs", match="only 4 rewrites are fit for a check, and 6 are needed; each may be"):
        choose_check(connection, 12, 1, ())
    names = {item.item for item in choose_check(connection, 8, 1, ())}
    assert len({"p00-anna-r1", "p00-anna-r2"} & names) == 1
    assert not {"p02-ben-r1", "p04-anna-r1", "p02"} & names
    # Ben wrote it and Cleo is not of this team, so two who never saw it are left.
    assert "p02-ben-r1" in {item.item for item in choose_check(connection, 10, 1, ("anna", "ben", "dan"))}


@pytest.mark.parametrize(
    ("size", "people", "code", "fact"),
    [
        (7, (), "odd-check-size", "not 7"),
        (0, (), "odd-check-size", "not 0"),
        (14, (), "too-few-pairs", "6 rewrites are .* 7 are needed"),
        (2, ("anna", "ben"), "too-few-pairs", "only 0 rewrites .* new to 2 of these people"),
        (2, ("anna", "bert"), "no-such-account", "'bert'"),
    ],
)
def test_impossible_checks_are_refused(
    connection: Connection, project: Project, size: int, people: tuple[str, ...], code: str, fact: str
) -> None:
    with raises(code, match=fact):
        create_check(connection, project, size, people)
    assert connection.execute(select(schema.batches)).first() is None


def test_too_few_others(connection: Connection) -> None:
    connection.execute(update(schema.pairs).where(schema.pairs.c.rewrite_of.is_(None)).values(state="removed"))
    with raises("too-few-pairs", match="only 0 other pairs are fit"):
        choose_check(connection, 2, 1, ())
    connection.execute(update(schema.pairs).where(schema.pairs.c.id == "fresh0").values(state=None))
    with raises("too-few-pairs", match="only 1 other pair is fit for a check, and 2 are needed"):
        choose_check(connection, 4, 1, ())


def test_a_check_sent_twice_is_created_once(connection: Connection, project: Project) -> None:
    created = create_check(connection, project, 12, PEOPLE, "carl", "k1")
    for item in connection.execute(select(schema.slots.c.item).distinct()).scalars().all():
        judged(connection, item, "dan", "4")  # by now too few would be left
    assert create_check(connection, project, 12, PEOPLE, "carl", "k1") == created
    with raises("key-reused"):
        create_check(connection, project, 10, PEOPLE, "carl", "k1")


def test_the_share_of_plain_paraphrases(connection: Connection, project: Project) -> None:
    create_check(connection, project, 8, PEOPLE)
    nothing = CheckHalf(4, 0, 0, 0, 0, 0, 0, None, None, None)
    result = check_result(connection, project, "blind")
    assert (result.label, result.rewrites, result.others) == ("4", nothing, nothing)
    answers = {
        True: [("4", "4"), ("4", "4>"), ("4", "3"), ("4", None)],
        False: [("3", "3"), ("4", "4"), ("2", "4s"), ("3", "3")],
    }
    places: dict[str, tuple[str | None, ...]] = {}
    for annotator in (0, 1):
        for held in reserve(connection, "blind", ("cleo", "dan")[annotator], 9):
            if held.item not in places:
                places[held.item] = answers[is_rewrite(held.item)].pop(0)
            value = places[held.item][annotator]
            if value is not None:
                body = AnswerBody(key=f"{annotator}-{held.slot}", slot=held.slot, value=value)
                (saved,) = save_answers(connection, [(("cleo", "dan")[annotator], body)], load_scheme, lambda *_: True)
                assert isinstance(saved, Judgement)
    result = check_result(connection, project, "blind")
    assert result.rewrites == CheckHalf(4, 4, 3, 1, 0, 2, 1, 1.0, 1 / 3, 1.0)
    assert result.others == CheckHalf(4, 4, 4, 3, 0, 1, 1, 1 / 3, 1 / 4, 1 / 2)

    settle(connection, next(item for item, values in places.items() if values == ("4", "4>")), "4>")
    settle(connection, next(item for item, values in places.items() if values == ("4", "3")), "4")
    result = check_result(connection, project, "blind")
    assert result.rewrites == CheckHalf(4, 4, 3, 1, 2, 0, 2, 2 / 3, 2 / 3, 2 / 3)


def settle(connection: Connection, pair: str, value: str) -> None:
    judgement = Judgement(id=f"{pair}-team", pair=pair, value=value, scheme="turku", kind="consensus")
    connection.execute(insert(schema.judgements), [row_of(judgement)])


def test_an_older_consensus_says_nothing_about_the_check(connection: Connection, project: Project) -> None:
    settle(connection, "p01", "2")
    insert_batch(connection, "blind", [BatchItem("p01")], scheme="turku", asked=2, purpose="check")
    for annotator in ("cleo", "dan"):
        (held,) = reserve(connection, "blind", annotator)
        save_answers(
            connection,
            [(annotator, AnswerBody(key=annotator, slot=held.slot, value="4"))],
            load_scheme,
            lambda *_: True,
        )
    half = check_result(connection, project, "blind").others
    assert (half.agreed, half.adjudicated, half.share) == (1, 0, 1.0)


def test_an_ordinary_batch_is_no_check(connection: Connection, project: Project) -> None:
    insert_batch(connection, "plain", [BatchItem("p01")], scheme="turku")
    assert load_batch(connection, "plain").purpose == "production"
    with raises("not-a-rewrite-check", match="'plain'"):
        check_result(connection, project, "plain")
