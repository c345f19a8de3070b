"""Several analyses in one pass, on files and on projects in both databases."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from otherwords.analyse.catalogue import (
    COMPARISONS,
    PAIR_ANALYSES,
    AnalysisOptions,
    analysis_names,
    list_analyses,
    run_analyses,
)
from otherwords.corpus.corpus import open_corpus
from otherwords.corpus.splits.step import parts_table, read_parts
from otherwords.project import Project, open_project
from otherwords.project.importing.import_file import import_file
from otherwords.records import Pair
from tests.analyse.corpora import cells, corpus
from tests.analyse.reported import judged
from tests.conftest import EXAMPLES
from tests.errors import raises

PAIRS = [
    Pair(id=str(number), text1=f"Boat {number} left.", text2=f"Boat {number} is gone.", label=str(number % 2))
    for number in range(10)
]


def test_every_analysis_is_listed_with_a_description() -> None:
    rows = list_analyses()
    assert [name for name, _, _ in rows] == analysis_names()
    assert all(about for _, _, about in rows)


def test_only_selected_analyses_are_run(tmp_path: Path) -> None:
    done: list[int] = []
    [result] = run_analyses(
        [corpus(tmp_path / "c.jsonl", PAIRS)], AnalysisOptions(), ["lengths", "labels"], done.append
    )
    assert [finding.name for finding in result.findings] == ["labels", "lengths"]
    assert done == [10]


def test_analyses_give_the_same_findings_together_and_alone(tmp_path: Path) -> None:
    pairs = corpus(tmp_path / "c.jsonl", PAIRS)
    together = {finding.name: finding for finding in run_analyses([pairs], AnalysisOptions())[0].findings}
    for name in PAIR_ANALYSES.names():
        if name in together:
            assert run_analyses([pairs], AnalysisOptions(), [name])[0].findings == [together[name]]


def test_several_corpora_are_also_compared(tmp_path: Path) -> None:
    corpora = [corpus(tmp_path / f"{name}.jsonl", PAIRS) for name in "ab"]
    results = run_analyses(corpora, AnalysisOptions(), ["labels", *COMPARISONS.names()])
    assert [result.corpus.name if result.corpus else None for result in results] == ["a", "b", None]
    assert [finding.name for finding in results[2].findings] == COMPARISONS.names()


def test_a_comparison_needs_two_corpora(tmp_path: Path) -> None:
    with raises("too-few-corpora", match="corpora"):
        run_analyses([corpus(tmp_path / "c.jsonl", PAIRS)], AnalysisOptions(), ["corpora"])


def test_an_unknown_name_is_refused(tmp_path: Path) -> None:
    with raises("unknown-analysis", match="'lables'; did you mean labels"):
        run_analyses([corpus(tmp_path / "c.jsonl", PAIRS)], AnalysisOptions(), ["lables"])


def test_a_corpus_without_pairs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("id,text1,text2,label\n")
    with raises("no-pairs", match=r"c\.csv"):
        run_analyses([open_corpus(tmp_path / "c.csv")], AnalysisOptions(), ["labels"])


def test_a_project_without_labels_is_refused(folder: Path) -> None:
    with raises("nothing-annotated", match="types of change"):
        run_analyses([open_corpus(folder)], AnalysisOptions(), ["types"])
    with raises("no-labelled-pairs"):
        run_analyses([open_corpus(folder)], AnalysisOptions(), ["labels"])


def test_a_project_is_analysed_as_its_file_is(folder: Path) -> None:
    file = EXAMPLES / "pairs.jsonl"
    with open_project(folder) as project, project.holding():
        import_file(project, "pairs", file)
    in_project = run_analyses([open_corpus(folder)], AnalysisOptions(), ["labels", "similarity", "overlap"])[0].findings
    in_file = run_analyses([open_corpus(file)], AnalysisOptions(), ["labels", "similarity", "overlap"])[0].findings
    assert [finding.as_dict() for finding in in_project] == [finding.as_dict() for finding in in_file]


def test_labels_by_part_once_a_project_is_split(folder: Path) -> None:
    with open_project(folder) as project, project.holding():
        import_file(project, "pairs", EXAMPLES / "pairs.jsonl")
    [before] = run_analyses([open_corpus(folder)], AnalysisOptions(), ["labels"])[0].findings
    assert "parts" not in [table.name for table in before.tables], "analysing a project splits nothing"
    with open_project(folder) as project:
        expected = Counter(row.part for row in read_parts(parts_table(project, by="group")))
    [after] = run_analyses([open_corpus(folder)], AnalysisOptions(), ["labels"])[0].findings
    parts = {row["part"]: row["pairs"] for row in cells(after, "parts")}
    assert {name: parts[name] for name in ("train", "dev", "test")} == {
        name: expected[name] for name in ("train", "dev", "test")
    }
    assert sum(parts.values()) == cells(after, "summary")[0]["pairs"]


def test_every_table_has_its_signature_and_every_analysis_a_figure(project: Project) -> None:
    judged(project)
    results = run_analyses([open_corpus(EXAMPLES / "pairs.jsonl"), open_corpus(project.folder)], AnalysisOptions())
    findings = [finding for result in results for finding in result.findings]
    need_other_corpora = {"types", "topics", "extraction", "stages", "answers"}
    assert {finding.name for finding in findings} >= {*analysis_names()} - need_other_corpora
    for finding in findings:
        for table in finding.tables:  # the whole table, or its columns
            assert {table.name, *(column.name for column in table.columns)} & {*finding.signatures}, table.name
        left_out = any(remark.startswith("no line") for remark in finding.remarks)
        assert finding.figures or left_out or finding.name in ("examples", "corpora"), finding.name
