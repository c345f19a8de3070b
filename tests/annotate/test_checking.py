"""The blind check of rewrites, from the batch to its figures, on both databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, insert, select, update

from otherwords.annotate.batches import Rules, Wanted, batch, make
from otherwords.annotate.check_results import Half, check_result
from otherwords.annotate.checking import choose_check, rewrite_check
from otherwords.annotate.judging import Said, judge
from otherwords.annotate.schemes import scheme
from otherwords.annotate.taking import take
from otherwords.annotate.working import tasks
from otherwords.errors import Conflict, Refused
from otherwords.project import Project, schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair
from tests.annotate.browsed import put_pairs
from tests.web.persons import joined

PEOPLE = ("anna", "ben", "cleo", "dan")


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    """Twelve pairs, each judged by anna or ben, who rewrote every second one; the others are fresh."""
    for name in PEOPLE:
        joined(project, name)
    with project.ledger.writing() as connection:
        for number in range(12):
            who = ("anna", "ben")[number % 4 // 2]
            texts = {"text1": f"The bell rang {number} times.", "text2": f"{number} strokes were heard."}
            pair = Pair(id=f"p{number:02}", **texts)
            put_pairs(connection, pair)
            judged(connection, pair.id, who, "3")
            if number % 2 == 0:
                texts["text2"] = f"One heard the bell {number} times."
                meta = {"annotator": who, "judgement": f"{pair.id}-{who}"}
                name = f"{pair.id}-{who}-r1"
                put_pairs(connection, Pair(id=name, **texts, rewrite_of=pair.id, method="rewrite", meta=meta))
                judged(connection, name, who, "4")
        put_pairs(connection, *(Pair(id=f"fresh{number}", text1="A tree.", text2="One tree.") for number in range(4)))
        yield connection


def judged(connection: Connection, pair: str, who: str, value: str) -> None:
    said = Judgement(id=f"{pair}-{who}", pair=pair, value=value, annotator=who, scheme="turku", kind="individual")
    connection.execute(insert(schema.judgements), [row_of(said)])


def is_rewrite(name: str) -> bool:
    return name.endswith("-r1")


def test_half_and_half_shuffled_and_without_a_trace(connection: Connection, project: Project) -> None:
    made = rewrite_check(connection, project, "blind", 8, 1, PEOPLE, "carl")
    assert (made.purpose, made.asked) == ("check", 2)
    assert made.rules == Rules(people=list(PEOPLE), context=False, own=False)
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
    for who in ("cleo", "dan"):
        taken = take(connection, "blind", who, 9)
        told = tasks(connection, made, taken)
        assert len(told) == 8
        assert {(one.pair, one.context) for one in told} == {(None, False)}
    assert take(connection, "blind", "anna", 9) == []


def test_nobody_gets_what_they_know(connection: Connection, project: Project) -> None:
    rewrite_check(connection, project, "blind", 8, 1)
    for who in ("anna", "ben"):
        known = {"anna": (0, 1), "ben": (2, 3)}[who]
        assert all(int(one.item[1:3]) % 4 not in known for one in take(connection, "blind", who, 9))


def test_the_same_seed_gives_the_same_check(connection: Connection, project: Project) -> None:
    first = choose_check(connection, 8, 5, PEOPLE)
    assert choose_check(connection, 8, 5, PEOPLE) == first
    assert choose_check(connection, 8, 6, PEOPLE) != first
    judged_before = [one.item for one in first if not is_rewrite(one.item)]
    assert not any(item.startswith("fresh") for item in judged_before)


def test_fresh_pairs_fill_up(connection: Connection, project: Project) -> None:
    chosen = choose_check(connection, 12, 1, ())
    ordinary = [one.item for one in chosen if not is_rewrite(one.item)]
    assert sorted(ordinary) == ["p01", "p03", "p05", "p07", "p09", "p11"]
    connection.execute(update(schema.pairs).where(schema.pairs.c.id.in_(["p01", "p03"])).values(state="removed"))
    ordinary = [one.item for one in choose_check(connection, 12, 1, ()) if not is_rewrite(one.item)]
    assert sum(item.startswith("fresh") for item in ordinary) == 2


def test_one_rewrite_of_an_original_and_none_that_several_know(connection: Connection) -> None:
    twin = {"text1": "The bell rang twice.", "text2": "Two strokes of the bell.", "meta": {"annotator": "anna"}}
    put_pairs(connection, Pair(id="p00-anna-r2", rewrite_of="p00", method="rewrite", **twin))
    judged(connection, "p02", "cleo", "2")  # so cleo knows the original of a rewrite by ben
    connection.execute(update(schema.pairs).where(schema.pairs.c.id == "p04-anna-r1").values(state="removed"))
    with pytest.raises(Refused, match="only 4 rewrites are fit for a check, and 6 are needed; each may be"):
        choose_check(connection, 12, 1, ())
    names = {one.item for one in choose_check(connection, 8, 1, ())}
    assert len({"p00-anna-r1", "p00-anna-r2"} & names) == 1
    assert not {"p02-ben-r1", "p04-anna-r1", "p02"} & names
    # Ben wrote it and Cleo is not of this team, so two who never saw it are left.
    assert "p02-ben-r1" in {one.item for one in choose_check(connection, 10, 1, ("anna", "ben", "dan"))}


@pytest.mark.parametrize(
    ("size", "people", "reason"),
    [
        (7, (), "an even number, not 7"),
        (0, (), "an even number, not 0"),
        (14, (), "only 6 rewrites are fit for a check, and 7 are needed"),
        (2, ("anna", "ben"), "only 0 rewrites .* new to 2 of these people"),
        (2, ("anna", "bert"), "nobody here is called 'bert'"),
    ],
)
def test_what_is_no_check(
    connection: Connection, project: Project, size: int, people: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        rewrite_check(connection, project, "blind", size, 1, people)
    assert connection.execute(select(schema.batches)).first() is None


def test_too_few_others(connection: Connection) -> None:
    connection.execute(update(schema.pairs).where(schema.pairs.c.rewrite_of.is_(None)).values(state="removed"))
    with pytest.raises(Refused, match="only 0 other pairs are fit"):
        choose_check(connection, 2, 1, ())


def test_sent_twice_it_is_one_check(connection: Connection, project: Project) -> None:
    made = rewrite_check(connection, project, "blind", 12, 1, PEOPLE, "carl", "k1")
    for item in connection.execute(select(schema.slots.c.item).distinct()).scalars().all():
        judged(connection, item, "dan", "4")  # by now too few would be left
    assert rewrite_check(connection, project, "blind", 12, 1, PEOPLE, "carl", "k1") == made
    with pytest.raises(Conflict, match="under this key"):
        rewrite_check(connection, project, "blind", 10, 1, PEOPLE, "carl", "k1")


def test_the_share_of_plain_paraphrases(connection: Connection, project: Project) -> None:
    rewrite_check(connection, project, "blind", 8, 1, PEOPLE)
    nothing = Half(4, 0, 0, 0, 0, 0, 0, None, None, None)
    found = check_result(connection, project, "blind")
    assert (found.label, found.rewrites, found.others) == ("4", nothing, nothing)
    answers = {
        True: [("4", "4"), ("4", "4>"), ("4", "3"), ("4", None)],
        False: [("3", "3"), ("4", "4"), ("2", "4s"), ("3", "3")],
    }
    places: dict[str, tuple[str | None, ...]] = {}
    for who in (0, 1):
        for one in take(connection, "blind", ("cleo", "dan")[who], 9):
            if one.item not in places:
                places[one.item] = answers[is_rewrite(one.item)].pop(0)
            value = places[one.item][who]
            if value is not None:
                said = Said(key=f"{who}-{one.slot}", slot=one.slot, value=value)
                (told,) = judge(connection, [(("cleo", "dan")[who], said)], scheme, lambda *about: True)
                assert isinstance(told, Judgement)
    found = check_result(connection, project, "blind")
    assert found.rewrites == Half(4, 4, 3, 1, 0, 2, 1, 1.0, 1 / 3, 1.0)
    assert found.others == Half(4, 4, 4, 3, 0, 1, 1, 1 / 3, 1 / 4, 1 / 2)

    settle(connection, next(item for item, told in places.items() if told == ("4", "4>")), "4>")
    settle(connection, next(item for item, told in places.items() if told == ("4", "3")), "4")
    found = check_result(connection, project, "blind")
    assert found.rewrites == Half(4, 4, 3, 1, 2, 0, 2, 2 / 3, 2 / 3, 2 / 3)


def settle(connection: Connection, pair: str, value: str) -> None:
    said = Judgement(id=f"{pair}-team", pair=pair, value=value, scheme="turku", kind="consensus")
    connection.execute(insert(schema.judgements), [row_of(said)])


def test_an_older_consensus_says_nothing_about_the_check(connection: Connection, project: Project) -> None:
    settle(connection, "p01", "2")
    make(connection, "blind", [Wanted("p01")], scheme="turku", asked=2, purpose="check")
    for who in ("cleo", "dan"):
        (one,) = take(connection, "blind", who)
        judge(connection, [(who, Said(key=who, slot=one.slot, value="4"))], scheme, lambda *about: True)
    found = check_result(connection, project, "blind").others
    assert (found.agreed, found.adjudicated, found.share) == (1, 0, 1.0)


def test_an_ordinary_batch_is_no_check(connection: Connection, project: Project) -> None:
    make(connection, "plain", [Wanted("p01")], scheme="turku")
    assert batch(connection, "plain").purpose == "production"
    with pytest.raises(Refused, match="no check of rewrites"):
        check_result(connection, project, "plain")
