"""Outputs of several MT systems: blocks by engine, or lines by system."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.records import Pair
from otherwords.sources import write_records
from tests.errors import raises
from tests.sources.laws import check_round_trip, pairs, read, recognised, rejected


def test_blocks(fixtures: Path) -> None:
    records, log = read(fixtures / "multi-mt" / "engines")
    assert records[0] == Pair(
        id="alpha:1",
        text1="The shop is closed today.",
        text2="Today the shop is closed.",
        group="engines:1",
        method="alpha",
    )
    assert [(pair.id, pair.group) for pair in records if isinstance(pair, Pair)] == [
        ("alpha:1", "engines:1"),
        ("alpha:2", "engines:2"),
        ("beta:1", "engines:1"),
        ("beta:2", "engines:2"),
    ]
    assert log.marked == {"an empty text": 1}


def test_lines(fixtures: Path) -> None:
    results = pairs(fixtures / "multi-mt" / "systems")
    assert results[0] == Pair(
        id="systems:1:north+south",
        text1="Das Boot ist klein.",
        text2="Das Schiff ist klein.",
        group="systems:1",
        method="mt:north+south",
    )
    assert [(pair.group, pair.method) for pair in results] == [
        (f"systems:{line}", f"mt:{both}") for line in "12" for both in ("north+south", "north+west", "south+west")
    ]


def test_a_single_file_of_blocks(fixtures: Path) -> None:
    file = fixtures / "multi-mt" / "engines" / "alpha.txt"
    assert recognised(file) == "multi-mt"
    assert [pair.id for pair in pairs(file)] == ["alpha:1", "alpha:2"]


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("a\nb\n===\na\n===\n\na\nb\n\n===\na\nb\nc\n===\na\nb", encoding="utf-8")
    assert rejected(file, "multi-mt", tmp_path) == [
        (4, "2 lines are expected before ===, found 1"),
        (11, "2 lines are expected before ===, found 3"),
    ]
    assert [pair.group for pair in pairs(file, "multi-mt", on_error="skip")] == ["bad:1", "bad:3", "bad:5"]


@pytest.mark.parametrize("layout", ["x\ny\n===\n", "x\ny\n"])
def test_train_and_test_share_no_groups(layout: str, tmp_path: Path) -> None:
    for part in ("train", "test"):
        (tmp_path / part).mkdir()
        for system in ("a.txt", "b.txt"):
            (tmp_path / part / system).write_text(layout, encoding="utf-8")
    train, test = ({pair.group for pair in pairs(tmp_path / part, "multi-mt")} for part in ("train", "test"))
    assert train
    assert test
    assert not train & test


def test_a_folder_of_both_layouts_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\ny\n===\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("x\ny\n", encoding="utf-8")
    with raises("mixed-layouts", match=r"b\.txt: a line === is expected"):
        read(tmp_path, "multi-mt")


def test_a_folder_of_tables_is_an_error(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("1\tx\n2\ty\n", encoding="utf-8")
    with raises("mixed-layouts", match=r"a\.txt: .*found columns"):
        read(tmp_path)


@pytest.mark.parametrize("names", [["a.data", "b.data"], ["a.txt", "b.md"], ["a.txt"], ["a.csv", "b.csv"]])
def test_other_folders_are_not_taken_for_systems(names: list[str], tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    with raises("format-not-recognised"):
        recognised(tmp_path)


def test_files_of_one_name_and_too_many_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.de", "a.fr"):
        (tmp_path / name).write_text("x\n\n", encoding="utf-8")
    records, log = read(tmp_path, "multi-mt")
    assert [pair.method for pair in records if isinstance(pair, Pair)] == ["mt:a.de+a.fr"]
    assert log.marked == {"a blank line in both systems": 1}
    monkeypatch.setattr("otherwords.sources.formats.multi_mt.MAX_SYSTEMS", 1)
    with raises("too-many-systems", match="more than 1 methods"):
        write_records(records, tmp_path / "out", "multi-mt")


def test_one_system_makes_no_pair(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    with raises("missing-file"):
        read(tmp_path, "multi-mt")


@pytest.mark.parametrize("name", ["engines", "systems"])
def test_round_trip(name: str, fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "multi-mt" / name) == "multi-mt"
    check_round_trip(fixtures / "multi-mt" / name, "multi-mt", tmp_path)


def test_systems_and_engines_do_not_mix(tmp_path: Path) -> None:
    both = [Pair(id=method, text1="a", text2="b", group="1", method=method) for method in ("mt:x+y", "z")]
    with raises("cannot-be-written"):
        write_records(both, tmp_path / "out", "multi-mt")
    assert not (tmp_path / "out").exists()
