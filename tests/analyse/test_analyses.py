"""One pass for many analyses: what is asked for and nothing else, on files and projects of both databases."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from otherwords.analyse.analyses import OF_PAIRS, OF_SEVERAL, Wishes, analysed, listed, names
from otherwords.corpus.corpora import corpus_of
from otherwords.corpus.parts import parts_table, read_parts
from otherwords.errors import DataError, UsageError
from otherwords.project import Project, opened
from otherwords.project.importing import import_file
from otherwords.records import Pair
from tests.analyse.corpora import cells, corpus
from tests.analyse.reported import judged
from tests.conftest import EXAMPLES

PAIRS = [
    Pair(id=str(number), text1=f"Boat {number} left.", text2=f"Boat {number} is gone.", label=str(number % 2))
    for number in range(10)
]


def test_every_analysis_is_listed_with_a_line() -> None:
    told = listed()
    assert [name for name, _, _ in told] == names()
    assert all(about for _, _, about in told)


def test_only_what_is_asked_for(tmp_path: Path) -> None:
    done: list[int] = []
    found = analysed([corpus(tmp_path / "c.jsonl", PAIRS)], Wishes(), ["lengths", "labels"], done.append)
    assert [finding.name for one in found for finding in one.findings] == ["labels", "lengths"]
    assert done == [10]


def test_one_pass_says_what_each_says_alone(tmp_path: Path) -> None:
    one = corpus(tmp_path / "c.jsonl", PAIRS)
    together = {finding.name: finding for finding in analysed([one], Wishes())[0].findings}
    for name in OF_PAIRS.names():
        if name in together:
            assert analysed([one], Wishes(), [name])[0].findings == [together[name]]


def test_several_are_also_compared(tmp_path: Path) -> None:
    both = [corpus(tmp_path / f"{name}.jsonl", PAIRS) for name in "ab"]
    found = analysed(both, Wishes(), ["labels", *OF_SEVERAL.names()])
    assert [one.corpus.name if one.corpus else None for one in found] == ["a", "b", None]
    assert [finding.name for finding in found[2].findings] == OF_SEVERAL.names()


def test_a_comparison_of_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="corpora: puts corpora beside each other; name at least two"):
        analysed([corpus(tmp_path / "c.jsonl", PAIRS)], Wishes(), ["corpora"])


def test_an_unknown_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no analysis 'lables'; did you mean labels"):
        analysed([corpus(tmp_path / "c.jsonl", PAIRS)], Wishes(), ["lables"])


def test_a_corpus_without_pairs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("id,text1,text2,label\n")
    with pytest.raises(DataError, match=r"c\.csv: has no pairs"):
        analysed([corpus_of(tmp_path / "c.csv")], Wishes(), ["labels"])


def test_a_project_without_labels_says_so(folder: Path) -> None:
    with pytest.raises(DataError, match="nobody has marked types of change"):
        analysed([corpus_of(folder)], Wishes(), ["types"])
    with pytest.raises(DataError, match="has no labelled pairs yet"):
        analysed([corpus_of(folder)], Wishes(), ["labels"])


def test_a_project_is_analysed_as_its_file_is(folder: Path) -> None:
    file = EXAMPLES / "pairs.jsonl"
    with opened(folder) as project, project.holding():
        import_file(project, "pairs", file)
    of_project = analysed([corpus_of(folder)], Wishes(), ["labels", "similarity", "overlap"])[0].findings
    of_file = analysed([corpus_of(file)], Wishes(), ["labels", "similarity", "overlap"])[0].findings
    assert [one.as_dict() for one in of_project] == [one.as_dict() for one in of_file]


def test_labels_by_part_once_a_project_is_split(folder: Path) -> None:
    with opened(folder) as project, project.holding():
        import_file(project, "pairs", EXAMPLES / "pairs.jsonl")
    [before] = analysed([corpus_of(folder)], Wishes(), ["labels"])[0].findings
    assert "parts" not in [table.name for table in before.tables], "looking at a project splits nothing"
    with opened(folder) as project:
        expected = Counter(row.part for row in read_parts(parts_table(project, by="group")))
    [after] = analysed([corpus_of(folder)], Wishes(), ["labels"])[0].findings
    parts = {row["part"]: row["pairs"] for row in cells(after, "parts")}
    assert {name: parts[name] for name in ("train", "dev", "test")} == {
        name: expected[name] for name in ("train", "dev", "test")
    }
    assert sum(parts.values()) == cells(after, "summary")[0]["pairs"]


def test_every_table_has_its_signature_and_every_analysis_a_figure(project: Project) -> None:
    judged(project)
    found = [*analysed([corpus_of(EXAMPLES / "pairs.jsonl"), corpus_of(project.folder)], Wishes())]
    findings = [finding for one in found for finding in one.findings]
    assert {finding.name for finding in findings} >= {*names()} - {
        "types",
        "topics",
        "extraction",
    }  # which need other corpora
    for finding in findings:
        for table in finding.tables:  # the whole table, or its columns
            assert {table.name, *(column.name for column in table.columns)} & {*finding.signatures}, table.name
        assert finding.figures or finding.name in ("examples", "corpora"), finding.name
