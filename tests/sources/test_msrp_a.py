"""MSRP-A by tokens: three parallel files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from otherwords.errors import DataError
from otherwords.records import Judgement, Pair
from otherwords.sources import write
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
    write(judgements(tokens), tmp_path / "again", "msrp-a")
    for role in ("source", "reference", "alignment"):
        lines = (tokens / f"mini.{role}").read_text(encoding="utf-8").splitlines()
        assert (tmp_path / "again" / f"msrp-a.{role}").read_text(encoding="utf-8").splitlines() == lines


def copied(tokens: Path, folder: Path, alignment: str) -> Path:
    shutil.copytree(tokens, folder)
    (folder / "mini.alignment").write_text(alignment)
    return folder


@pytest.mark.parametrize(
    ("alignment", "reason"),
    [
        ("9-1-order,", "token 8 in a text of 7 tokens"),
        ("1;2-order,", "is not tokens-tokens-type"),
        ("0-1-order,", "token -1"),
    ],
)
def test_a_bad_line_is_rejected(alignment: str, reason: str, tokens: Path, tmp_path: Path) -> None:
    folder = copied(tokens, tmp_path / "bad", f"{alignment}\n1-1-order,\n")
    records, account = read(folder, "msrp-a", on_error="skip")
    assert [record.id for record in records if isinstance(record, Pair)] == ["mini:2"]
    assert reason in next(iter(account.skipped))


def test_files_of_different_length_are_no_corpus(tokens: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not parallel: alignment ends before"):
        pairs(copied(tokens, tmp_path / "short", "1-1-order,\n"), "msrp-a")


def test_a_file_is_missing(tokens: Path, tmp_path: Path) -> None:
    shutil.copy(tokens / "mini.source", tmp_path)
    with pytest.raises(DataError, match=r"mini\.reference is expected beside it"):
        pairs(tmp_path / "mini.source", "msrp-a")
    with pytest.raises(DataError, match="one file each is expected"):
        pairs(tmp_path, "msrp-a")
