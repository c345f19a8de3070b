"""Table 1 of Kanerva et al. 2023 as a finding."""

from __future__ import annotations

from pathlib import Path

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.findings.extraction import extraction
from otherwords.project import Project
from otherwords.records import Document, DocumentPair, Pair, Passage, Record
from tests.analyse.corpora import cells, check, insert_records


def records() -> list[Record]:
    texts = {"a": "aaaa bbbb cc", "b": "dddd eeee ff", "c": "gggg"}
    pair = Pair(
        id="p1",
        text1="aaaa",
        text2="eeee",
        doc1=Passage(id="a", start=0, end=4),
        doc2=Passage(id="b", start=5, end=9),
        meta={"document_pair": "ab"},
    )
    return [
        *(Document(id=name, text=text, source="news") for name, text in texts.items()),
        Document(id="d", text="hhhh"),
        DocumentPair(id="ab", doc1="a", doc2="b", status="finished"),
        DocumentPair(id="ac", doc1="a", doc2="c", status="empty"),
        DocumentPair(id="dc", doc1="d", doc2="c", status="empty"),
        pair,
    ]


def test_a_row_for_each_source(project: Project, tmp_path: Path) -> None:
    with project.ledger.writing() as connection:
        insert_records(connection, *records())
    finding = extraction(project, AnalysisOptions())
    assert finding is not None
    check(finding, tmp_path)
    assert [tuple(row.values()) for row in cells(finding, "extraction")] == [
        ("news", 1, 0.5, 1.0, 0.4, 10.0),
        ("(none)", 0, 1.0, None, None, None),
    ]
    [figure] = finding.figures
    panels = {panel["encoding"]["x"]["title"]: panel["data"]["values"] for panel in figure.spec["hconcat"]}
    assert panels["yield"] == [{"name": "news", "value": 1.0}]  # a source without extracted pairs has no yield
    assert [row["value"] for row in panels["empty"]] == [0.5, 1.0]


def test_nothing_was_extracted(project: Project) -> None:
    assert extraction(project, AnalysisOptions()) is None
