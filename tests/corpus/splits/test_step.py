"""The split of a project: a table beside that of its labels, kept as long as nothing changed, stable when it grows."""

from __future__ import annotations

import msgspec
import pytest
from sqlalchemy import func, select

from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import read_table
from otherwords.corpus.splits.step import parts_table, read_parts
from otherwords.errors import DataError, RecipeError, UsageError
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.pipeline.run import run_recipe
from otherwords.records import Pair
from otherwords.steps.status import own_steps, status
from tests.corpus.splitting import grouped, pair, released, stored

GROUPS = {f"g{n}": 5 for n in range(20)}


def places(project: Project, **options: object) -> dict[str, str | None]:
    return {row.id: row.part for row in read_parts(parts_table(project, **options))}


def test_the_table_stands_beside_that_of_the_labels(project: Project) -> None:
    stored(project, [*grouped(GROUPS, "432"), pair("unjudged", group="g1")])
    table = parts_table(project, by="group")
    rows = list(read_parts(table))
    assert [row.id for row in rows] == [row.id for row in read_table(labels_table(project))]
    assert rows[-1] == ("unjudged", None, None, "it has no label")
    assert all(row.unit == row.id.partition("-")[0] and row.reason is None for row in rows[:-1])
    summary = table.summary
    assert msgspec.json.decode(msgspec.json.encode(summary)) == summary
    assert [(size["part"], size["pairs"]) for size in summary["sizes"]] == [("train", 80), ("dev", 10), ("test", 10)]
    assert (summary["by"], summary["parts"], summary["seed"], summary["cut_offs"]) == ("group", "80/10/10", 0, [])
    assert summary["none"] == {"it has no label": 1}


def test_it_is_made_anew_only_where_something_changed(project: Project) -> None:
    stored(project, grouped(GROUPS))

    def runs() -> int:
        table = schema.steps
        with project.ledger.reading() as connection:
            return connection.execute(select(func.count()).where(table.c.name == "split")).scalar_one()

    first = parts_table(project, by="group", parts="50/50", seed=3)
    assert parts_table(project) == first, "without options it is the last split"
    assert runs() == 1
    assert parts_table(project, seed=4) != first
    assert parts_table(project).summary["parts"] == "50/50"
    stored(project, grouped({"late": 3}))
    assert len(list(read_parts(parts_table(project)))) == 103
    assert runs() == 3


def test_what_was_released_keeps_its_part(project: Project) -> None:
    pairs = grouped(GROUPS, "43")
    stored(project, pairs)
    before = places(project, by="group", seed=1)
    turned = {"train": "test", "test": "train", "dev": "dev"}
    released(project, "1.0", "2024-01-01", {name: turned[part or ""] for name, part in before.items()})
    released(project, "1.1", "2024-02-01", {name: part for name, part in before.items() if name < "g15"})
    stored(project, [pair(f"{group}-late", group=group, label="2") for group in GROUPS])
    stored(project, grouped({f"new{n}": 5 for n in range(10)}))
    after = places(project, by="group", seed=2)
    for name, part in before.items():
        assert after[name] == (part if name < "g15" else turned[part or ""]), name
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
    found = {row.id: row for row in read_parts(table)}
    assert (found["a"].part, found["b"].part) == ("train", "test"), "they stay where they are"
    for name in ("bridge", "rewritten"):
        assert (found[name].part, found[name].reason) == (None, "it joins pairs that were released in different parts")
    assert table.summary["none"] == {"it joins pairs that were released in different parts": 2}
    assert sum(size["pairs"] for size in table.summary["sizes"]) == 12


def test_a_pair_released_without_a_part_is_as_free_as_a_new_one(project: Project) -> None:
    stored(project, grouped(GROUPS))
    released(project, "0.1", "2024-01-01", dict.fromkeys(row.id for row in grouped(GROUPS)))
    assert set(places(project, by="group").values()) == {"train", "dev", "test"}


def dated(first: int, last: int, year: int) -> list[Pair]:
    return [pair(f"{year}-{n}", time=f"{year}-01-{n:02d}", label="4") for n in range(first, last)]


def test_cut_offs_are_fixed_dates_after_a_release(project: Project) -> None:
    stored(project, dated(1, 11, 2020))
    table = parts_table(project, by="time")
    assert table.summary["cut_offs"] == ["2020-01-09", "2020-01-10"]
    before = {row.id: row.part for row in read_parts(table)}
    released(project, "1.0", "2024-01-01", before, cut_offs=table.summary["cut_offs"])
    stored(project, [*dated(1, 11, 2021), pair("late", rewrite_of="2020-1", time="2021-03-01", label="4")])
    after = places(project)
    assert {name: after[name] for name in before} == before
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
    assert [(step.name, step.as_json()["by"]) for step in own_steps(project) if step.kind.name == "split"] == [
        ("split", "group")
    ]
    assert {step["state"] for step in status(project)["steps"]} == {"done"}
    run_recipe(project, own_steps(project))


def test_options_are_checked_first(project: Project) -> None:
    with pytest.raises(DataError, match="no pair has a label, so there is nothing to split"):
        parts_table(project)
    with pytest.raises(RecipeError, match="split has no parameter 'part'; did you mean parts"):
        parts_table(project, part="80/20")
    with pytest.raises(UsageError, match="sum to 90"):
        parts_table(project, parts="80/10")
