"""The split of a project: a table beside that of its labels, kept as long as nothing changed, stable when it grows."""

from __future__ import annotations

import msgspec
import pytest
from sqlalchemy import func, select

from otherwords.corpus.labelled import read_table
from otherwords.corpus.labelling import labels_table
from otherwords.corpus.parts import parts_summary, parts_table, read_parts
from otherwords.errors import DataError, RecipeError, UsageError
from otherwords.project import Project, schema
from otherwords.project.run import run_recipe
from otherwords.project.status import own_steps, status
from otherwords.records import Pair
from tests.corpus.splitting import grouped, pair, released, stored

GROUPS = {f"g{n}": 5 for n in range(20)}


def places(project: Project, **wishes: object) -> dict[str, str | None]:
    return {one.id: one.part for one in read_parts(parts_table(project, **wishes))}


def test_the_table_stands_beside_that_of_the_labels(project: Project) -> None:
    stored(project, [*grouped(GROUPS, "432"), pair("unjudged", group="g1")])
    table = parts_table(project, by="group")
    rows = list(read_parts(table))
    assert [one.id for one in rows] == [one.id for one in read_table(labels_table(project))]
    assert rows[-1] == ("unjudged", None, None, "it has no label")
    assert all(one.unit == one.id.partition("-")[0] and one.reason is None for one in rows[:-1])
    told = parts_summary(table)
    assert msgspec.json.decode(msgspec.json.encode(told)) == told
    assert [(one["part"], one["pairs"]) for one in told["sizes"]] == [("train", 80), ("dev", 10), ("test", 10)]
    assert (told["by"], told["parts"], told["seed"], told["cut_offs"]) == ("group", "80/10/10", 0, [])
    assert told["none"] == {"it has no label": 1}


def test_it_is_made_anew_only_where_something_changed(project: Project) -> None:
    stored(project, grouped(GROUPS))

    def runs() -> int:
        table = schema.steps
        with project.ledger.reading() as connection:
            return connection.execute(select(func.count()).where(table.c.name == "split")).scalar_one()

    first = parts_table(project, by="group", parts="50/50", seed=3)
    assert parts_table(project) == first, "without wishes it is the last split"
    assert runs() == 1
    assert parts_table(project, seed=4) != first
    assert parts_summary(parts_table(project))["parts"] == "50/50"
    stored(project, grouped({"late": 3}))
    assert len(list(read_parts(parts_table(project)))) == 103
    assert runs() == 3


def test_what_was_released_keeps_its_part(project: Project) -> None:
    pairs = grouped(GROUPS, "43")
    stored(project, pairs)
    before = places(project, by="group", seed=1)
    turned = {"train": "test", "test": "train", "dev": "dev"}
    released(project, "1.0", "2024-01-01", {one: turned[part or ""] for one, part in before.items()})
    released(project, "1.1", "2024-02-01", {one: part for one, part in before.items() if one < "g15"})
    stored(project, [pair(f"{group}-late", group=group, label="2") for group in GROUPS])
    stored(project, grouped({f"new{n}": 5 for n in range(10)}))
    after = places(project, by="group", seed=2)
    for one, part in before.items():
        assert after[one] == (part if one < "g15" else turned[part or ""]), one
    assert all(after[f"{group}-late"] == after[f"{group}-0"] for group in GROUPS)
    assert None not in after.values()


def test_a_pair_that_bridges_two_parts_is_in_none(project: Project) -> None:
    old = [pair("a", "The bell rang.", "A bell rang.", label="4"), pair("b", "It rains.", "Rain falls.", label="4")]
    stored(project, [*old, *grouped({f"g{n}": 1 for n in range(10)})])
    released(project, "1.0", "2024-01-01", {"a": "train", "b": "test"})
    joins = [
        pair("bridge", "the bell rang", "it rains", label="2"),
        pair("rewritten", rewrite_of="bridge", label="4"),
    ]
    stored(project, joins)
    table = parts_table(project, by="pair", components=True)
    found = {one.id: one for one in read_parts(table)}
    assert (found["a"].part, found["b"].part) == ("train", "test"), "they stay where they are"
    for one in ("bridge", "rewritten"):
        assert (found[one].part, found[one].reason) == (None, "it joins pairs that were released in different parts")
    assert parts_summary(table)["none"] == {"it joins pairs that were released in different parts": 2}
    assert sum(one["pairs"] for one in parts_summary(table)["sizes"]) == 12


def test_a_pair_released_without_a_part_is_as_free_as_a_new_one(project: Project) -> None:
    stored(project, grouped(GROUPS))
    released(project, "0.1", "2024-01-01", {one.id: None for one in grouped(GROUPS)})
    assert set(places(project, by="group").values()) == {"train", "dev", "test"}


def dated(first: int, last: int, year: int) -> list[Pair]:
    return [pair(f"{year}-{n}", time=f"{year}-01-{n:02d}", label="4") for n in range(first, last)]


def test_cut_offs_are_fixed_dates_after_a_release(project: Project) -> None:
    stored(project, dated(1, 11, 2020))
    table = parts_table(project, by="time")
    assert parts_summary(table)["cut_offs"] == ["2020-01-09", "2020-01-10"]
    told = {one.id: one.part for one in read_parts(table)}
    released(project, "1.0", "2024-01-01", told, cut_offs=parts_summary(table)["cut_offs"])
    stored(project, [*dated(1, 11, 2021), pair("late", rewrite_of="2020-1", time="2021-03-01", label="4")])
    after = places(project)
    assert {one: after[one] for one in told} == told
    assert {after[f"2021-{n}"] for n in range(1, 11)} == {"test"}, "not the quantiles of what is there now"
    assert after["late"] == "train", "with its original"
    with pytest.raises(UsageError, match="release 1.0 was cut at 2020-01-09,2020-01-10, and that stays"):
        parts_table(project, by="time", before=["2020-06-01", "2021-01-01"])


def test_parts_that_a_release_had_cannot_be_left_out(project: Project) -> None:
    stored(project, grouped(GROUPS))
    released(project, "1.0", "2024-01-01", {"g1-0": "dev"})
    with pytest.raises(UsageError, match="release 1.0 has pairs in dev, which --parts 80/20 does not have"):
        parts_table(project, parts="80/20")
    assert set(places(project, parts="80/10/10", folds=4).values()) == {"0", "1", "2", "3"}, "folds are numbered anew"


def test_a_split_that_failed_leaves_the_last_one(project: Project) -> None:
    stored(project, grouped(GROUPS))
    parts_table(project, by="group")
    with pytest.raises(DataError, match="no pair has a time"):
        parts_table(project, by="time")
    assert [(step.name, step.parameters.get("by")) for step in own_steps(project) if step.does == "split"] == [
        ("split", "group")
    ]
    assert {one["state"] for one in status(project)["steps"]} == {"done"}
    run_recipe(project, own_steps(project))


def test_wishes_are_checked_first(project: Project) -> None:
    with pytest.raises(DataError, match="no pair has a label, so there is nothing to split"):
        parts_table(project)
    with pytest.raises(RecipeError, match="split has no parameter 'part'; did you mean parts"):
        parts_table(project, part="80/20")
    with pytest.raises(UsageError, match="sum to 90"):
        parts_table(project, parts="80/10")
