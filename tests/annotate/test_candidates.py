"""Filtering the candidates of a project: left out with the reason, only what nobody has judged, and taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import otherwords
from otherwords.cli import cli
from otherwords.project import create_project, open_project
from otherwords.project.left_out import left_out_pairs
from otherwords.records import Gold, Judgement, Pair
from tests.corpus.released_corpus import add
from tests.errors import raises

GOOD = [
    Pair(
        id="good-1", text1="The harbour froze in January.", text2="In January there was ice in the harbour.", group="a"
    ),
    Pair(id="good-2", text1="Nobody came to the meeting.", text2="The meeting had no visitors at all.", group="b"),
]
BAD = [
    Pair(id="copy", text1="Rain fell all day.", text2="rain fell all day", group="a"),
    Pair(id="short", text1="Yes.", text2="Of course it is.", group="b"),
]
NOT_CANDIDATES = [
    Pair(id="labelled", text1="Snow.", text2="Snow.", label="4"),
    Pair(id="test", text1="Wind.", text2="Wind.", gold=Gold(label="4")),
    Pair(id="judged", text1="Fog.", text2="Fog."),
    Pair(id="rewrite", text1="Ice.", text2="Ice.", rewrite_of="good-1"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        add(project, *GOOD, *BAD, *NOT_CANDIDATES)
        add(project, Judgement(id="j", pair="judged", value="4", annotator="anna"))
    return tmp_path / "corpus"


def left_out(folder: Path) -> dict[str, str]:
    with open_project(folder) as project, project.ledger.reading() as connection:
        return {name: row.reason for name, row in left_out_pairs(connection).items()}


def test_rejected_candidates_are_left_out_with_the_reason_and_come_back(folder: Path) -> None:
    report = otherwords.filter(folder)
    assert (report.pairs, report.kept, report.rejected, report.left_out, report.others) == (4, 2, 2, 2, 3)
    assert left_out(folder) == {
        "short": "filter length: a text has fewer than 3 tokens",
        "copy": "filter copies: the texts differ in case, blanks and punctuation at most",
    }
    assert otherwords.filter(folder).left_out == 0  # what is left out is no candidate any more
    otherwords.leave_out(folder, ["good-2"], reason="not ours")
    assert otherwords.filter(folder, undo=True).taken_back == 2
    assert left_out(folder) == {"good-2": "not ours"}


def test_a_dry_run_and_proposals_change_nothing(folder: Path) -> None:
    assert otherwords.filter(folder, dry_run=True).rejected == 2
    [shorter, longer] = otherwords.filter(folder, rules=["length"], propose=0.0).proposals
    assert (shorter.rejects, longer.rejects) == (0, 0)
    assert (shorter.high, longer.low) == (None, None)
    assert left_out(folder) == {}


def test_keeping_nothing_is_an_error_and_changes_nothing(folder: Path) -> None:
    with raises("nothing-kept", match="all 4 pairs"):
        otherwords.filter(folder, rules=["length:min=50"])
    assert left_out(folder) == {}


def test_a_project_without_candidates_says_so(tmp_path: Path) -> None:
    create_project(tmp_path / "empty", "en", "turku")
    with raises("no-candidates"):
        otherwords.filter(tmp_path / "empty")
    with raises("no-candidates"):
        otherwords.sample(tmp_path / "empty")


def test_options_of_files_and_of_projects_are_not_mixed(folder: Path, tmp_path: Path) -> None:
    with raises("conflicting-options"):
        otherwords.filter(folder, tmp_path / "out.jsonl")
    with raises("conflicting-options"):
        otherwords.filter(tmp_path / "pairs.jsonl", dry_run=True)
    with raises("conflicting-options"):
        otherwords.sample(tmp_path / "pairs.jsonl", batch="b")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)], catch_exceptions=False)


def test_the_command_says_what_it_did(folder: Path) -> None:
    explained = run("filter", folder, "--explain", "--dry-run")
    assert "copies: the texts differ in case" in explained.stdout
    assert "Rain fell all day." in explained.stdout
    assert explained.stderr.endswith(
        "4 pairs looked at, 2 kept, 2 rejected; nothing was changed; "
        "3 pairs judged or labelled already, or tests, not looked at\n"
    )
    counts = json.loads(run("filter", folder, "--json").stdout)
    assert (counts["kept"], counts["left_out"]) == (2, 2)
    assert {row["first"] for row in counts["reasons"]} == {0, 1}
    assert run("filter", folder, "--undo").stderr == "2 pairs taken back\n"


def test_a_sample_becomes_a_batch_or_a_list_of_ids(folder: Path, tmp_path: Path) -> None:
    listed = otherwords.sample(folder, tmp_path / "ids.txt", bins=1, per_bin=3, cap_per_group=1, seed=2)
    assert (tmp_path / "ids.txt").read_text().split() == listed.ids
    assert len(listed.ids) == 2  # one of each group
    assert otherwords.batch.new(folder, "listed", pairs=tmp_path / "ids.txt").items == 2
    assert run("batch", "new", folder, "typed", "--pairs", tmp_path / "ids.txt").stderr.startswith("typed: 2 pairs")
    made = otherwords.sample(folder, bins=1, per_bin=3, seed=2, batch="drawn", times=2)
    assert made.batch == "drawn"
    assert len(made.ids) == 3
    shown = otherwords.batch.show(folder, "drawn")
    assert (shown.progress.items, shown.batch.asked) == (3, 2)
    assert "labelled" in otherwords.sample(folder, bins=1, per_bin=9, also_labelled=True).ids


def test_pairs_that_are_named_and_cannot_be_in_a_batch_are_refused(folder: Path, tmp_path: Path) -> None:
    with raises("no-such-pair", match="'nobody'"):
        otherwords.batch.new(folder, "b", pairs=["good-1", "nobody"])
    otherwords.leave_out(folder, ["good-2"], reason="not ours")
    with raises("no-such-pair", match="'good-2'"):
        otherwords.batch.new(folder, "b", pairs=["good-1", "good-2"])
    (tmp_path / "none.txt").write_text("\n")
    with raises("no-pairs-named"):
        otherwords.batch.new(folder, "b", pairs=tmp_path / "none.txt")
    assert otherwords.batch.new(folder, "b", pairs=["good-1", "good-1"], where={"group": "a"}).items == 1
