"""Batches from filters and samples, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from otherwords.annotate.batches import Rules, Wanted, batch, make
from otherwords.annotate.choosing import by_chance, preview, select_pairs
from otherwords.annotate.making import Plan, change_state, make_batch, put_together
from otherwords.annotate.pair_filter import EVERYTHING, parse
from otherwords.annotate.taking import take
from otherwords.errors import Conflict, NotFound, OtherwordsError, Refused, UsageError
from otherwords.project import Project, schema, search
from otherwords.records import Pair
from tests.annotate.browsed import CURATOR, put, put_pairs
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
    search.catch_up(project)
    with project.ledger.writing() as connection:
        yield connection


def chosen(connection: Connection, project: Project, *, not_in: tuple[str, ...] = (), **params: str) -> list[str]:
    wanted = parse(params)
    names = [one.item for one in select_pairs(connection, project, wanted, not_in=not_in)]
    told = preview(connection, project, wanted, CURATOR, not_in)
    assert (told.pairs, told.complete, [one.id for one in told.first]) == (len(names), True, names[:5])
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
def test_any_filter_chooses(connection: Connection, project: Project, params: dict[str, str], names: list[str]) -> None:
    assert chosen(connection, project, **params) == names


def test_what_is_in_some_batches_is_left_out(connection: Connection, project: Project) -> None:
    make(connection, "bread", [Wanted("typed")], scheme="turku")
    left = chosen(connection, project, not_in=("double", "bread"))
    assert set(PRESENT) - set(left) == {"open", "bare", "typed"}
    with pytest.raises(NotFound, match="'doubble'"):
        chosen(connection, project, not_in=("doubble",))


def test_every_page_of_a_corpus_is_gone_through(connection: Connection, project: Project) -> None:
    more = [Pair(id=f"n{number:04}", text1=f"one {number}", text2="two", source="many") for number in range(1203)]
    put_pairs(connection, *more)
    assert chosen(connection, project, source="many") == [pair.id for pair in more]
    told = preview(connection, project, parse({"source": "many"}), CURATOR, seconds=-1)
    assert (told.pairs, told.complete, len(told.first)) == (1000, False, 5)


def test_a_preview_tells_nobody_what_others_said_of_a_pair_that_they_have_to_judge(
    connection: Connection, project: Project
) -> None:
    make(connection, "mine", [Wanted("agreed")], scheme="turku", rules=Rules(people=[CURATOR.name], assigned=True))
    told = preview(connection, project, parse({"source": "news"}), CURATOR)
    assert (told.pairs, [one.id for one in told.first]) == (3, ["agreed", "open", "changed"])
    told = preview(connection, project, parse({"source": "news", "label": "4>s"}), CURATOR)
    assert (told.pairs, told.first) == (1, [])


def test_the_same_seed_takes_the_same_pairs_whatever_the_order_of_arrival(
    connection: Connection, project: Project
) -> None:
    names = [f"s{number}" for number in range(40)]
    put_pairs(connection, *(Pair(id=name, text1="a", text2="b", source="first") for name in names))

    def sample(source: str, seed: int, **others: Any) -> list[str]:
        wanted = parse({"source": source})
        return [one.item for one in select_pairs(connection, project, wanted, sample=10, seed=seed, **others)]

    first = sample("first", 7)
    assert first == [name for name in names if name in first]  # in the order of arrival
    assert len(first) == 10
    assert sample("first", 7) == first
    assert set(sample("first", 8)) != set(first)
    assert set(sample("first", 7, order="shuffled")) == set(first)
    assert sample("first", 7, order="shuffled") != first
    assert sample("first", 7, order="shuffled") == by_chance(first, 7, "order")
    assert set(by_chance(reversed(names), 7, "sample")[:10]) == set(first)


def test_chance_is_the_same_everywhere() -> None:
    assert by_chance(["a", "b", "c", "d", "e"], 1, "sample") == EXPECTED
    assert by_chance(["e", "d", "c", "b", "a"], 1, "sample") == EXPECTED
    assert by_chance(["a", "b", "c", "d", "e"], 1, "order") != EXPECTED


EXPECTED = ["a", "c", "b", "e", "d"]


def test_who_extracted_or_wrote_a_pair_comes_along(connection: Connection, project: Project) -> None:
    put_pairs(connection, Pair(id="mine", text1="a", text2="b", source="own", meta={"annotator": "anna"}))
    put_pairs(connection, Pair(id="nobody's", text1="a", text2="b", source="own"))
    assert select_pairs(connection, project, parse({"source": "own"})) == [Wanted("mine", "anna"), Wanted("nobody's")]
    rules = Rules(people=["anna", "ben"], own=False)
    make_batch(connection, project, Plan(name="others", wanted=parse({"source": "own"}), rules=rules))
    assert [one.item for one in take(connection, "others", "anna", 9)] == ["nobody's"]


def events(connection: Connection) -> list[tuple[str | None, str, dict[str, Any]]]:
    one = schema.events
    found = connection.execute(select(one).where(one.c.action.startswith("batch")).order_by(one.c.seq)).mappings()
    return [(row["actor"], row["action"], row["detail"]) for row in found]


def test_a_batch_and_its_line_in_the_audit_trail(connection: Connection, project: Project) -> None:
    rules = Rules(people=["ANNA", "ben"], assigned=True, context=False, undo=False)
    chance = {"sample": 2, "seed": 3}
    plan = Plan(name="twice", wanted=parse({"source": "news"}), **chance, asked=2, purpose="agreement", rules=rules)
    made = make_batch(connection, project, plan, "carl")
    assert batch(connection, "twice") == made
    assert (made.scheme, made.purpose, made.asked, made.author) == ("turku", "agreement", 2, "carl")
    assert made.rules == Rules(people=["anna", "ben"], assigned=True, context=False, undo=False)
    ((actor, action, detail),) = events(connection)
    assert (actor, action) == ("carl", "batch made")
    assert (detail["batch"], detail["pairs"], detail["filter"]) == ("twice", 2, {"source": "news"})
    assert (detail["sample"], detail["seed"]) == (2, 3)


def test_the_same_plan_sent_again_is_one_batch(connection: Connection, project: Project) -> None:
    plan = Plan(name="once", wanted=parse({"source": "news"}))
    made = make_batch(connection, project, plan, "carl", "k1")
    assert make_batch(connection, project, plan, "carl", "k1") == made
    assert len(events(connection)) == 1
    with pytest.raises(Conflict, match="under this key"):
        make_batch(connection, project, Plan(name="other"), "carl", "k1")
    for author, key in (("carl", "k2"), ("cora", "k1"), ("carl", None)):
        with pytest.raises(Conflict, match="'once' already"):
            make_batch(connection, project, plan, author, key)


def test_what_was_removed_after_it_was_chosen_is_left_out(connection: Connection, project: Project) -> None:
    found = select_pairs(connection, project, parse({"source": "news"}))
    connection.execute(update(schema.pairs).where(schema.pairs.c.id == "open").values(state="removed"))
    put_together(connection, project, Plan(name="late"), found)
    assert [one.item for one in take(connection, "late", "anna", 9)] == ["agreed", "changed"]


@pytest.mark.parametrize(
    ("plan", "error", "reason"),
    [
        ({"name": "new"}, Refused, "word of the site's own"),
        ({"name": "a/b"}, Refused, "needs a name"),
        ({"name": ""}, Refused, "needs a name"),
        ({"wanted": parse({"source": "nowhere"})}, Refused, "would be empty"),
        ({"sample": 0}, Refused, "at least one in it"),
        ({"asked": 0}, Refused, "1 to 100 times"),
        ({"asked": 3, "rules": Rules(people=["anna", "ben"])}, Refused, "as many people"),
        ({"rules": Rules(assigned=True)}, Refused, "needs the names"),
        ({"rules": Rules(people=["anna", "bert"])}, Refused, "nobody here is called 'bert'"),
        ({"scheme": "turkku"}, UsageError, "no scheme 'turkku'"),
        ({"not_in": ("none",)}, NotFound, "no batch 'none'"),
    ],
)
def test_what_cannot_be_made(
    connection: Connection, project: Project, plan: dict[str, Any], error: type[OtherwordsError], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        make_batch(connection, project, Plan(**{"name": "it", **plan}))
    assert events(connection) == []


def test_a_closed_account_gets_no_batch(connection: Connection, project: Project) -> None:
    connection.execute(update(schema.accounts).where(schema.accounts.c.name == "ben").values(state="closed"))
    with pytest.raises(Refused, match="account of ben is closed"):
        make_batch(connection, project, Plan(name="it", rules=Rules(people=["Ben"])))


def test_closing_and_opening(connection: Connection, project: Project) -> None:
    make_batch(connection, project, Plan(name="it", wanted=EVERYTHING))
    assert change_state(connection, "it", "closed", "carl").state == "closed"
    assert change_state(connection, "it", "closed", "carl").state == "closed"
    assert take(connection, "it", "anna") == []
    assert change_state(connection, "it", "open").state == "open"
    assert [(actor, action) for actor, action, _ in events(connection)][1:] == [
        ("carl", "batch closed"),
        (None, "batch opened"),
    ]
    with pytest.raises(Refused, match="open or closed"):
        change_state(connection, "it", "shut")
    with pytest.raises(NotFound):
        change_state(connection, "none", "open")
