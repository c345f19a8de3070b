"""Outputs of several MT systems: blocks by engine, or lines by system."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.errors import DataError, WriteError
from otherwords.records import Pair
from otherwords.sources import write
from tests.sources.laws import check_round_trip, pairs, read, recognised, rejected


def test_blocks(fixtures: Path) -> None:
    records, account = read(fixtures / "multi-mt" / "engines")
    assert records[0] == Pair(
        id="alpha:1",
        text1="The shop is closed today.",
        text2="Today the shop is closed.",
        group="1",
        method="alpha",
    )
    assert [(pair.id, pair.group) for pair in records if isinstance(pair, Pair)] == [
        ("alpha:1", "1"),
        ("alpha:2", "2"),
        ("beta:1", "1"),
        ("beta:2", "2"),
    ]
    assert account.marked == {"an empty text": 1}


def test_lines(fixtures: Path) -> None:
    found = pairs(fixtures / "multi-mt" / "systems")
    assert found[0] == Pair(
        id="systems:1:north+south",
        text1="Das Boot ist klein.",
        text2="Das Schiff ist klein.",
        group="1",
        method="mt:north+south",
    )
    assert [(pair.group, pair.method) for pair in found] == [
        (line, f"mt:{both}") for line in "12" for both in ("north+south", "north+west", "south+west")
    ]


def test_a_single_file_of_blocks(fixtures: Path) -> None:
    file = fixtures / "multi-mt" / "engines" / "alpha.txt"
    assert recognised(file) == "multi-mt"
    assert [pair.id for pair in pairs(file)] == ["alpha:1", "alpha:2"]


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("a\nb\n===\na\n===\n\na\nb\n\n===\na\nb\nc\n===\na\nb", encoding="utf-8")
    assert rejected(file, "multi-mt", tmp_path) == [
        (4, "1 lines before === where 2 are expected"),
        (11, "3 lines before === where 2 are expected"),
    ]
    assert [pair.group for pair in pairs(file, "multi-mt", on_error="skip")] == ["1", "3", "5"]


def test_a_folder_of_both_layouts_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\ny\n===\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("x\ny\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"b\.txt: has no line ==="):
        read(tmp_path, "multi-mt")


def test_a_folder_of_tables_is_an_error(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("1\tx\n2\ty\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"a\.txt: has columns, not a sentence a line"):
        read(tmp_path)


@pytest.mark.parametrize("names", [["a.data", "b.data"], ["a.txt", "b.md"], ["a.txt"], ["a.csv", "b.csv"]])
def test_other_folders_are_not_taken_for_systems(names: list[str], tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    with pytest.raises(DataError, match="is a folder; name a file"):
        recognised(tmp_path)


def test_files_of_one_name_and_too_many_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.de", "a.fr"):
        (tmp_path / name).write_text("x\n\n", encoding="utf-8")
    records, account = read(tmp_path, "multi-mt")
    assert [pair.method for pair in records if isinstance(pair, Pair)] == ["mt:a.de+a.fr"]
    assert account.marked == {"a blank line in both systems": 1}
    monkeypatch.setattr("otherwords.sources.formats.multi_mt.MAX_SYSTEMS", 1)
    with pytest.raises(WriteError, match="more than 1 systems"):
        write(records, tmp_path / "out", "multi-mt")


def test_one_system_makes_no_pair(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    with pytest.raises(DataError, match="two or more systems"):
        read(tmp_path, "multi-mt")


@pytest.mark.parametrize("name", ["engines", "systems"])
def test_round_trip(name: str, fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "multi-mt" / name) == "multi-mt"
    check_round_trip(fixtures / "multi-mt" / name, "multi-mt", tmp_path)


def test_systems_and_engines_do_not_mix(tmp_path: Path) -> None:
    both = [Pair(id=method, text1="a", text2="b", group="1", method=method) for method in ("mt:x+y", "z")]
    with pytest.raises(WriteError, match="pair z: is not of two systems"):
        write(both, tmp_path / "out", "multi-mt")
    assert not (tmp_path / "out").exists()
