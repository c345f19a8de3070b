"""Batches from filters and samples, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from otherwords.annotate.batch_plans.create import BatchPlan, change_batch_state, choose_items, create_batch
from otherwords.annotate.batch_plans.selection import preview_selection, select_pairs, shuffle
from otherwords.annotate.batches.batch import Batch, BatchItem, BatchRules, HiddenTests, insert_batch, load_batch
from otherwords.annotate.browse.filter import NO_FILTER, parse_filter
from otherwords.annotate.work.reservations import reserve
from otherwords.errors import UsageError
from otherwords.project import Project, search
from otherwords.project.ledger import schema
from otherwords.records import Pair
from tests.annotate.browsed import CURATOR, put, put_pairs
from tests.errors import raises
from tests.web.persons import joined

PRESENT = [
    *("agreed", "open", "settled", "taken-back", "imported", "changed"),
    *("typed", "bare", "foreign", "rewritten", "placed"),
]


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    for name in ("anna", "ben"):
        joined(project, name)
    with project.ledger.writing() as connection:
        put(connection)
    search.update_index(project)
    with project.ledger.writing() as connection:
        yield connection


def choose_and_create(
    connection: Connection, project: Project, plan: BatchPlan, author: str | None = None, key: str | None = None
) -> Batch:
    """Choose the pairs of a plan and create its batch."""
    return create_batch(connection, project, plan, choose_items(connection, project, plan), author, key)


def chosen(connection: Connection, project: Project, *, not_in: tuple[str, ...] = (), **params: str) -> list[str]:
    wanted = parse_filter(params)
    names = [item.item for item in select_pairs(connection, project, wanted, not_in=not_in)]
    shown = preview_selection(connection, project, wanted, CURATOR, not_in)
    assert (shown.pairs, shown.complete, [item.id for item in shown.first]) == (len(names), True, names[:5])
    return names


@pytest.mark.parametrize(
    ("params", "names"),
    [
        ({}, PRESENT),
        ({"source": "news"}, ["agreed", "open", "changed"]),
        ({"query": "harbour"}, ["agreed", "open"]),
        ({"label": "4", "projection": "base"}, ["agreed", "settled", "rewritten"]),
        ({"label": "4<i"}, ["settled"]),
        ({"label": "x"}, ["changed"]),
        ({"type": "syn"}, ["typed"]),
        ({"has": "none", "source": "films"}, ["taken-back"]),
        ({"batch": "double"}, ["open", "bare"]),
        ({"measure": "bleu", "low": "0.6"}, ["bare"]),
        ({"annotator": "ben", "source": "news"}, ["agreed", "open"]),
        ({"source": "nowhere"}, []),
    ],
)
def test_pairs_are_chosen_by_any_filter(
    connection: Connection, project: Project, params: dict[str, str], names: list[str]
) -> None:
    assert chosen(connection, project, **params) == names


def test_pairs_of_other_batches_are_left_out(connection: Connection, project: Project) -> None:
    insert_batch(connection, "bread", [BatchItem("typed")], scheme="turku")
    left = chosen(connection, project, not_in=("double", "bread"))
    assert set(PRESENT) - set(left) == {"open", "bare", "typed"}
    with raises("no-such-batch", match="'doubble'"):
        chosen(connection, project, not_in=("doubble",))


def test_a_sample_is_drawn_without_the_hidden_tests(connection: Connection, project: Project) -> None:
    """Otherwise a batch of ten with tests would have fewer than ten other pairs."""
    put_pairs(
        connection, *(Pair(id=f"n{number}", text1=f"one {number}", text2="two", source="s") for number in range(20))
    )
    tests = [f"n{number}" for number in range(0, 20, 2)]
    plan = BatchPlan(
        name="ten", wanted=parse_filter({"source": "s"}), sample=10, rules=BatchRules(tests=HiddenTests(tests))
    )
    assert {item.item for item in choose_items(connection, project, plan)} == {f"n{n}" for n in range(1, 20, 2)}


def test_all_pages_of_a_corpus_are_read(connection: Connection, project: Project) -> None:
    more = [Pair(id=f"n{number:04}", text1=f"one {number}", text2="two", source="many") for number in range(1203)]
    put_pairs(connection, *more)
    assert chosen(connection, project, source="many") == [pair.id for pair in more]
    shown = preview_selection(connection, project, parse_filter({"source": "many"}), CURATOR, seconds=-1)
    assert (shown.pairs, shown.complete, len(shown.first)) == (1000, False, 5)


def test_a_preview_does_not_reveal_judgements_of_pairs_that_the_viewer_has_to_judge(
    connection: Connection, project: Project
) -> None:
    insert_batch(
        connection,
        "mine",
        [BatchItem("agreed")],
        scheme="turku",
        rules=BatchRules(people=[CURATOR.name], assigned=True),
    )
    shown = preview_selection(connection, project, parse_filter({"source": "news"}), CURATOR)
    assert (shown.pairs, [pair.id for pair in shown.first]) == (3, ["agreed", "open", "changed"])
    shown = preview_selection(connection, project, parse_filter({"source": "news", "label": "4>s"}), CURATOR)
    assert (shown.pairs, shown.first) == (1, [])


def test_the_same_seed_takes_the_same_pairs_whatever_the_order_of_arrival(
    connection: Connection, project: Project
) -> None:
    names = [f"s{number}" for number in range(40)]
    put_pairs(connection, *(Pair(id=name, text1="a", text2="b", source="first") for name in names))

    def sample(source: str, seed: int, **others: Any) -> list[str]:
        wanted = parse_filter({"source": source})
        return [item.item for item in select_pairs(connection, project, wanted, sample=10, seed=seed, **others)]

    first = sample("first", 7)
    assert first == [name for name in names if name in first]  # in the order of arrival
    assert len(first) == 10
    assert sample("first", 7) == first
    assert set(sample("first", 8)) != set(first)
    assert set(sample("first", 7, order="shuffled")) == set(first)
    assert sample("first", 7, order="shuffled") != first
    assert sample("first", 7, order="shuffled") == shuffle(first, 7, "order")
    assert set(shuffle(reversed(names), 7, "sample")[:10]) == set(first)


def test_random_order_is_the_same_everywhere() -> None:
    assert shuffle(["a", "b", "c", "d", "e"], 1, "sample") == EXPECTED
    assert shuffle(["e", "d", "c", "b", "a"], 1, "sample") == EXPECTED
    assert shuffle(["a", "b", "c", "d", "e"], 1, "order") != EXPECTED


EXPECTED = ["a", "c", "b", "e", "d"]


def test_the_maker_of_a_pair_comes_along(connection: Connection, project: Project) -> None:
    put_pairs(connection, Pair(id="mine", text1="a", text2="b", source="own", meta={"annotator": "anna"}))
    put_pairs(connection, Pair(id="nobody's", text1="a", text2="b", source="own"))
    assert select_pairs(connection, project, parse_filter({"source": "own"})) == [
        BatchItem("mine", "anna"),
        BatchItem("nobody's"),
    ]
    rules = BatchRules(people=["anna", "ben"], own=False)
    choose_and_create(
        connection, project, BatchPlan(name="others", wanted=parse_filter({"source": "own"}), rules=rules)
    )
    assert [held.item for held in reserve(connection, "others", "anna", 9)] == ["nobody's"]


def events(connection: Connection) -> list[tuple[str | None, str, dict[str, Any]]]:
    table = schema.events
    rows = connection.execute(select(table).where(table.c.action.startswith("batch")).order_by(table.c.seq)).mappings()
    return [(row["actor"], row["action"], row["detail"]) for row in rows]


def test_a_batch_and_its_line_in_the_audit_trail(connection: Connection, project: Project) -> None:
    rules = BatchRules(people=["ANNA", "ben"], assigned=True, context=False, undo=False)
    chance = {"sample": 2, "seed": 3, "also_decided": True}
    plan = BatchPlan(
        name="twice", wanted=parse_filter({"source": "news"}), **chance, asked=2, purpose="agreement", rules=rules
    )
    created = choose_and_create(connection, project, plan, "carl")
    assert load_batch(connection, "twice") == created
    assert (created.scheme, created.purpose, created.asked, created.author) == ("turku", "agreement", 2, "carl")
    assert created.rules == BatchRules(people=["anna", "ben"], assigned=True, context=False, undo=False)
    ((actor, action, detail),) = events(connection)
    assert (actor, action) == ("carl", "batch made")
    assert (detail["batch"], detail["pairs"], detail["filter"]) == ("twice", 2, {"source": "news"})
    assert (detail["sample"], detail["seed"]) == (2, 3)


def test_the_same_plan_sent_again_is_one_batch(connection: Connection, project: Project) -> None:
    plan = BatchPlan(name="once", wanted=parse_filter({"source": "news"}))
    created = choose_and_create(connection, project, plan, "carl", "k1")
    assert choose_and_create(connection, project, plan, "carl", "k1") == created
    assert len(events(connection)) == 1
    with raises("key-reused"):
        choose_and_create(connection, project, BatchPlan(name="other"), "carl", "k1")
    for author, key in (("carl", "k2"), ("cora", "k1"), ("carl", None)):
        with raises("duplicate-batch", match="'once'"):
            choose_and_create(connection, project, plan, author, key)


def test_pairs_removed_after_they_were_chosen_are_left_out(connection: Connection, project: Project) -> None:
    items = select_pairs(connection, project, parse_filter({"source": "news"}))
    connection.execute(update(schema.pairs).where(schema.pairs.c.id == "open").values(state="removed"))
    create_batch(connection, project, BatchPlan(name="late"), items)
    assert [held.item for held in reserve(connection, "late", "anna", 9)] == ["agreed", "changed"]


@pytest.mark.parametrize(
    ("plan", "code", "fact"),
    [
        ({"name": "new"}, "reserved-name", "'new'"),
        ({"name": "a/b"}, "bad-name", None),
        ({"name": ""}, "bad-name", None),
        ({"wanted": parse_filter({"source": "nowhere"})}, "empty-batch", None),
        ({"sample": 0}, "bad-sample-size", None),
        ({"asked": 0}, "bad-judgement-count", "1 to 100"),
        ({"asked": 3, "rules": BatchRules(people=["anna", "ben"])}, "too-few-people", "3 judgements .* has 2"),
        ({"rules": BatchRules(assigned=True)}, "no-people", None),
        ({"rules": BatchRules(people=["anna", "bert"])}, "no-such-account", "'bert'"),
        ({"not_in": ("none",)}, "no-such-batch", "'none'"),
    ],
)
def test_impossible_plans_are_refused(
    connection: Connection, project: Project, plan: dict[str, Any], code: str, fact: str | None
) -> None:
    with raises(code, match=fact):
        choose_and_create(connection, project, BatchPlan(**{"name": "it", **plan}))
    assert events(connection) == []


def test_a_misspelt_scheme_is_refused(connection: Connection, project: Project) -> None:
    with pytest.raises(UsageError, match="turkku"):
        choose_and_create(connection, project, BatchPlan(name="it", scheme="turkku"))
    assert events(connection) == []


def test_a_closed_account_gets_no_batch(connection: Connection, project: Project) -> None:
    connection.execute(update(schema.accounts).where(schema.accounts.c.name == "ben").values(state="closed"))
    with raises("account-closed", match="ben"):
        choose_and_create(connection, project, BatchPlan(name="it", rules=BatchRules(people=["Ben"])))


def test_closing_and_opening(connection: Connection, project: Project) -> None:
    choose_and_create(connection, project, BatchPlan(name="it", wanted=NO_FILTER))
    assert change_batch_state(connection, "it", "closed", "carl").state == "closed"
    assert change_batch_state(connection, "it", "closed", "carl").state == "closed"
    assert reserve(connection, "it", "anna") == []
    assert change_batch_state(connection, "it", "open").state == "open"
    assert [(actor, action) for actor, action, _ in events(connection)][1:] == [
        ("carl", "batch closed"),
        (None, "batch opened"),
    ]
    with raises("bad-batch-state"):
        change_batch_state(connection, "it", "shut")
    with raises("no-such-batch"):
        change_batch_state(connection, "none", "open")
