"""Votes by token: who highlighted which tokens."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.records import Judgement
from otherwords.sources import write_records
from tests.errors import raises
from tests.sources.laws import read


def test_a_judgement_a_row(fixtures: Path) -> None:
    records, log = read(fixtures / "token-votes" / "votes.tsv", noun="judgements")
    assert records[1] == Judgement(
        id="votes:3",
        pair="N-1",
        value=[2, 3, 4],
        annotator="A1",
        scheme="token-votes:Referred",
        batch="R_7",
        time="2024-05-02 10:00:00",
    )
    found = [(j.unit, j.value) for j in records if isinstance(j, Judgement)]
    assert found == [("group", 'Fine, "mostly" easy'), ("pair", [2, 3, 4]), ("pair", []), ("pair", "Yes")]
    assert log.marked == {"about a session, not about a pair": 1}


def test_there_are_no_pairs_in_it(fixtures: Path) -> None:
    with raises("noun-not-in-format"):
        read(fixtures / "token-votes" / "votes.tsv")


def test_it_is_written_in_utf_16(fixtures: Path, tmp_path: Path) -> None:
    file = tmp_path / "votes.tsv"
    write_records(read(fixtures / "token-votes" / "votes.tsv", noun="judgements")[0], file, "token-votes")
    text = file.read_bytes().decode("utf-16")
    assert text.splitlines()[:3] == [
        "QID\tCategory\tHighlighted\tAnnotator\tSession\tSession_Start",
        'R_7\tComment\t"Fine, ""mostly"" easy"\tA1\tR_7\t2024-05-02 10:00:00',
        "N-1\tReferred\t[2, 3, 4]\tA1\tR_7\t2024-05-02 10:00:00",
    ]


@pytest.mark.parametrize("cell", ["[1,2]", "[01]", "[-1]", "[ ]", f"[{'9' * 50}]", "[1, x]"])
def test_what_is_no_plain_list_of_numbers_stays_as_it_is(cell: str, tmp_path: Path) -> None:
    file = tmp_path / "votes.tsv"
    file.write_text(f"QID\tCategory\tHighlighted\tAnnotator\tSession\nq\tReferred\t{cell}\ta\ts\n")
    [record] = read(file, noun="judgements")[0]
    assert isinstance(record, Judgement)
    assert record.value == cell


def test_missing_cells_and_columns(tmp_path: Path) -> None:
    file = tmp_path / "votes.tsv"
    file.write_text("QID\tCategory\tHighlighted\tAnnotator\tSession\n\tReferred\t[1]\ta\ts\n")
    with raises("bad-row", match="line 2: QID and Category are expected, found '' and 'Referred'"):
        read(file, "token-votes", noun="judgements")
    file.write_text("QID\tCategory\nq\tReferred\n")
    with raises("missing-column"):
        read(file, "token-votes", noun="judgements")
