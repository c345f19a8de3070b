"""``otherwords reproduce`` on the real files: what careful readers found out comes out as a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

import otherwords
from otherwords.analyse.reproduce.reproduce import Reproduction

BELOW_HALF = [f"[0.{tenth}, 0.{tenth + 1})" for tenth in range(5)]


def verdicts(reproduction: Reproduction, place: str) -> dict[tuple[str, str], str]:
    results = (result for result in reproduction.results if result.item.place == place)
    return {(result.item.row, result.item.column): result.verdict for result in results}


@pytest.fixture(scope="module")
def suzuki(shared_data: Path) -> Reproduction:
    return otherwords.reproduce("suzuki", shared_data / "tmup")


def test_table_1_of_suzuki_is_equal_from_a_half_up(suzuki: Reproduction) -> None:
    table = verdicts(suzuki, "Table 1")
    computed = {key: verdict for key, verdict in table.items() if verdict != "not released"}
    assert len(computed) == 36
    different = {key for key, verdict in computed.items() if verdict != "equal"}
    assert {row for row, _ in different} <= set(BELOW_HALF)
    assert len(different) == 7
    assert all(computed[key] == "different" for key in different), "nobody knows why"
    assert set(verdicts(suzuki, "§4.2").values()) == {"equal", "not released"}
    assert list(verdicts(suzuki, "Table 4").values()) == ["equal", "different", "equal", "equal"]


@pytest.mark.parametrize("damage", ["label", "row", "word"])
def test_a_damaged_copy_is_no_longer_equal(
    shared_data: Path, tmp_path: Path, damage: str, suzuki: Reproduction
) -> None:
    lines = (shared_data / "tmup" / "tmup.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    if damage == "label":
        place = next(number for number, line in enumerate(lines) if line.startswith("1\t"))
        lines[place] = "0" + lines[place][1:]
    elif damage == "row":
        del lines[1]
    else:  # one word more in a pair that lies on the edge of 0.6
        place = next(number for number, line in enumerate(lines) if "member of the Republican Party" in line)
        label, first, rest = lines[place].split("\t", 2)
        lines[place] = f"{label}\t{first} ね\t{rest}"
    (tmp_path / "tmup.tsv").write_text("".join(lines), encoding="utf-8")
    copy = otherwords.reproduce("suzuki", tmp_path)
    pairs = zip(suzuki.results, copy.results, strict=True)
    lost = {(old.item.place, new.verdict) for old, new in pairs if old.verdict == "equal" and new.verdict != "equal"}
    assert "Table 1" in {place for place, _ in lost}
    if damage == "row":
        assert ("Table 1", "close") in lost
        assert "on 654 of 655 pairs" in copy.results[5].reason
    if damage == "word":
        assert ("Table 4", "different") in lost


def test_vila_on_the_first_400_pairs(shared_data: Path) -> None:
    result = otherwords.reproduce("vila", shared_data / "p4p")
    assert list(verdicts(result, "§4").values()) == ["equal"] * 10
    pearson = verdicts(result, "§5.1")
    printed = [verdict for (_, column), verdict in pearson.items() if "printed" in column]
    assert printed == ["equal"] * 3
    table_3 = {row: verdict for (row, column), verdict in verdicts(result, "Table 3").items() if column == "P4P"}
    assert table_3.pop("Pairs") == "not here"
    assert set(table_3.values()) == {"close"}
    table_4 = [verdict for (_, column), verdict in verdicts(result, "Table 4").items() if column.startswith("P4P")]
    assert len(table_4) == 44
    assert table_4.count("close") >= 36  # the rest lie outside of what sampling explains, and are said to
    assert "equal" not in table_4


def test_turku_on_what_is_here(shared_data: Path) -> None:
    result = otherwords.reproduce("turku", shared_data, synonyms=str(shared_data / "omw" / "wn-wikt-fin.tab"))
    assert {file.role for file in result.used} == {"2021-dev", "sample-dev"}
    swedish = next(file for file in result.files if file.name == "turku-sv/test.json")
    assert "another language (sv)" in swedish.about
    by_name = {(row.item.place, row.item.row): row for row in result.results if row.value is not None}
    assert by_name["§6", "positive (3 and above)"].verdict == "close"
    assert by_name["Figure 3", "Turku Paraphrase Corpus"].verdict == "close"
    assert by_name["§8.1", "positives, development"].verdict == "equal"
    assert by_name["§8.1", "all, development"].verdict == "equal"
    similarity = by_name["released", "lex-similarity"]
    assert (similarity.verdict, "4,776 of 4,894" in similarity.reason) == ("close", True)
    assert "4,876 of 4,894" in by_name["released", "lex-similarity, doubled quotes undone"].reason
    negative = by_name["Figure 6", "negative (1 or 2)"]
    assert negative.verdict == "different"
    assert "6,712 of 9,636" in negative.reason
    assert "subtitles and news headings only" in by_name["Table 2", "Alternative subtitles"].reason


def test_a_part_that_was_not_drawn_at_random_is_different_and_says_why(shared_data: Path) -> None:
    result = otherwords.reproduce("rupaws", shared_data / "paws-wiki")
    [row] = [row for row in result.results if (row.item.row, row.item.column) == ("PAWS", "% positive")]
    assert row.verdict == "different"
    assert "not drawn from it at random" in row.reason
