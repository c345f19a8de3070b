"""MSRP-A by tokens: three parallel files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from otherwords.records import Judgement, Pair
from otherwords.sources import write_records
from tests.errors import raises
from tests.sources.laws import pairs, read, recognised


@pytest.fixture
def tokens(fixtures: Path) -> Path:
    return fixtures / "msrp-a" / "tokens"


def judgements(path: Path) -> list[Judgement]:
    return [record for record in read(path, "msrp-a", noun="judgements")[0] if isinstance(record, Judgement)]


def test_pairs(tokens: Path) -> None:
    assert pairs(tokens)[1] == Pair(
        id="mini:2",
        text1="He sold two boats .",
        text2="Two boats were sold by him .",
        lang="en",
        meta={"tokeniser": "blank", "alignment": "1-5_6-syn_diathesis,-3-addition_deletion,"},
    )


def test_token_numbers_count_from_one(tokens: Path) -> None:
    first, second = judgements(tokens)
    assert first.value == [
        {"type": "order", "scope1": [[0, 20]], "scope2": [[10, 30]]},
        {"type": "order", "scope1": [[21, 30]], "scope2": [[0, 9]]},
    ]
    assert second.value[1] == {"type": "addition_deletion", "scope2": [[10, 14]]}


def test_any_of_the_three_files_or_their_folder(tokens: Path) -> None:
    assert recognised(tokens) == recognised(tokens / "mini.alignment") == "msrp-a"
    for role in ("source", "reference", "alignment"):
        assert judgements(tokens / f"mini.{role}") == judgements(tokens)


def test_written_again_from_judgements(tokens: Path, tmp_path: Path) -> None:
    write_records(judgements(tokens), tmp_path / "again", "msrp-a")
    for role in ("source", "reference", "alignment"):
        lines = (tokens / f"mini.{role}").read_text(encoding="utf-8").splitlines()
        assert (tmp_path / "again" / f"msrp-a.{role}").read_text(encoding="utf-8").splitlines() == lines


def copied(tokens: Path, folder: Path, alignment: str) -> Path:
    shutil.copytree(tokens, folder)
    (folder / "mini.alignment").write_text(alignment)
    return folder


def test_a_line_that_is_no_alignment_is_rejected_and_its_pair_kept(tokens: Path, tmp_path: Path) -> None:
    folder = copied(tokens, tmp_path / "bad", "1;2-order,\n1-1-order,\n")
    records, log = read(folder, "msrp-a", noun="judgements", on_error="skip")
    assert [record.pair for record in records if isinstance(record, Judgement)] == ["mini:2"]
    assert "tokens-tokens-type such as 2_3-8-order is expected, found '1;2-order'" in next(iter(log.skipped))
    assert [pair.id for pair in pairs(folder, "msrp-a")] == ["mini:1", "mini:2"]


@pytest.mark.parametrize(("entry", "scope1"), [("9-1-order", None), ("1_2_9-1-order", [[0, 8]]), ("0-1-order", None)])
def test_a_token_number_outside_the_text_is_kept_and_counted(
    entry: str, scope1: list[list[int]] | None, tokens: Path, tmp_path: Path
) -> None:
    folder = copied(tokens, tmp_path / "odd", f"{entry},\n1-1-order,\n")
    records, log = read(folder, "msrp-a", noun="judgements")
    odd, _ = (record for record in records if isinstance(record, Judgement))
    [phenomenon] = odd.value
    assert (phenomenon.get("scope1"), phenomenon["meta"]) == (scope1, {"entry": entry})
    assert log.marked == {"a token number outside the text": 1}
    write_records([odd], tmp_path / "again", "msrp-a")
    assert (tmp_path / "again" / "msrp-a.alignment").read_text() == f"{entry},\n"


def test_files_of_different_length_are_no_corpus(tokens: Path, tmp_path: Path) -> None:
    with raises("unequal-files"):
        pairs(copied(tokens, tmp_path / "short", "1-1-order,\n"), "msrp-a")


def test_a_file_is_missing(tokens: Path, tmp_path: Path) -> None:
    shutil.copy(tokens / "mini.source", tmp_path)
    with raises("missing-file", match=r"mini\.reference is expected beside it"):
        pairs(tmp_path / "mini.source", "msrp-a")
    with raises("missing-file"):
        pairs(tmp_path, "msrp-a")
