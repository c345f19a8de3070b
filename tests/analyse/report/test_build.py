"""Reports contain every finding, fetch nothing, escape everything, and are the same bytes each time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from sqlalchemy import update

from otherwords.analyse.catalogue import PAIR_ANALYSES, run_analyses
from otherwords.analyse.figures.render import NO_FIGURES
from otherwords.analyse.finding import Column, Example, Examples, Figure, Finding, Table
from otherwords.analyse.report import build as reports
from otherwords.analyse.report.build import (
    description,
    key_facts,
    report,
    without_repeated_examples,
    write_sheet,
)
from otherwords.analyse.report.compare import size_facts
from otherwords.analyse.report.page import Fact, Sheet, sentence
from otherwords.corpus.corpus import open_corpus
from otherwords.errors import DataError, WriteError
from otherwords.project import Project
from otherwords.project.about import About, CorpusAuthor, write_about
from otherwords.project.ledger import schema
from otherwords.records import Pair
from tests.analyse.corpora import corpus
from tests.analyse.report.written import QUICK, bytes_of
from tests.analyse.reported import ARABIC, EVIL, JAPANESE, Elements, check_page, drawn, judged, pairs

BARS = {
    "data": {"values": [{"label": EVIL, "pairs": 3}]},
    "mark": "bar",
    "encoding": {"x": {"field": "pairs", "type": "quantitative"}, "y": {"field": "label", "type": "nominal"}},
}
FINDING = Finding(
    "invented",
    f"Invented {EVIL}",
    f"About {EVIL}",
    [Table("rows", f"Rows {EVIL}", [Column("label", EVIL), Column("n", "n", "count")], [(EVIL, 3)])],
    [Figure("bars", EVIL, BARS, EVIL), Figure("bars again", "Again", BARS, "The same again.")],
    [Examples(EVIL, [Example(EVIL, EVIL, "plain", EVIL, "en")])],
    [EVIL],
    {EVIL: f"invented|{EVIL}:1|version:0"},
)


def test_what_comes_from_a_corpus_is_escaped_everywhere(tmp_path: Path) -> None:
    sheet = Sheet(EVIL, EVIL, [Fact(EVIL, EVIL)], [FINDING], [EVIL], EVIL, [EVIL], [EVIL], "en")
    write_sheet(sheet, tmp_path, tmp_path)
    found = check_page(tmp_path)
    assert not found.all("script")
    assert not found.all("b")
    assert "".join(found.text).count("<script>alert(1)</script>") >= 12


def test_figures_of_a_page_do_not_share_ids(tmp_path: Path) -> None:
    clipped = {**BARS, "mark": {"type": "bar", "clip": True}}
    figures = [Figure("one", "One", clipped, "First."), Figure("two", "Two", clipped, "Second.")]
    write_sheet(Sheet("a", "b", [], [replace(FINDING, figures=figures)], []), tmp_path, tmp_path)
    assert check_page(tmp_path).all("clippath")


def test_the_report_of_a_project(project: Project, tmp_path: Path) -> None:
    judged(project)
    written = report(project.folder, tmp_path / "report", QUICK)
    found = check_page(tmp_path / "report")
    text = " ".join("".join(found.text).split())
    assert written.page == tmp_path / "report" / "index.html"
    sections = {section["id"] for section in found.all("section")}
    assert sections == {*written.findings, "methods"}
    assert {"labels", "similarity", "lengths", "patterns", "agreement", "provenance"} <= sections
    assert len(found.all("table")) == written.tables == len(list((tmp_path / "report" / "tables").glob("*.csv")))
    assert len(found.all("figure")) == written.figures == len(list((tmp_path / "report" / "figures").glob("*.png")))
    assert "The last judgement was made on 2026-03-09" in text
    assert "It is based on 14 judgements by 2 annotators, made between 2026-03-01 and 2026-03-07." in text
    assert "Labels follow the scheme turku" in text
    assert "CC0-1.0" in text
    assert "turku@0" in text
    assert "anna" not in text
    assert "ben" not in text.split()
    assert found.all("p")[0].get("class") != "banner"


def test_the_header_says_who_made_the_corpus(project: Project, tmp_path: Path) -> None:
    judged(project)
    ada = CorpusAuthor("Byron, Ada", affiliation=f"Institute {EVIL}")
    write_about(project.folder, About(title="Harbour talk", authors=(ada,), contact="harbour@example.org"))
    report(project.folder, tmp_path / "report", QUICK)
    found = check_page(tmp_path / "report")
    text = "".join(found.text)
    assert f"By Ada Byron (Institute {EVIL})" in text
    assert "Contact: harbour@example.org" in text
    assert "<title>Harbour talk</title>" in (tmp_path / "report" / "index.html").read_text("utf-8")


def test_without_the_extra_a_report_has_no_figures_and_says_so(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(project)
    monkeypatch.setattr(reports, "can_draw", lambda: False)
    written = report(project.folder, tmp_path / "out", QUICK)
    assert written.figures == 0
    assert written.tables
    assert written.warnings == [NO_FIGURES]
    page = check_page(tmp_path / "out")
    assert any("igures were left out" in text for text in page.text)
    assert not (tmp_path / "out" / "figures").exists()


@pytest.mark.parametrize(
    ("remark", "expected"),
    [
        ("all of them count", "All of them count."),
        ("a03 judged 2 pairs more than once", "a03 judged 2 pairs more than once."),
        ("finnish: no label says yes or no", "finnish: no label says yes or no."),
        ("test, complete labels (2): no model is", "test, complete labels (2): no model is."),
        ("28 pairs that several annotated", "28 pairs that several annotated."),
    ],
)
def test_remarks_become_sentences_and_names_keep_their_case(remark: str, expected: str) -> None:
    assert sentence(remark) == expected


def test_writing_a_report_twice_gives_the_same_bytes(project: Project, tmp_path: Path) -> None:
    judged(project)
    for name in ("one", "two"):
        report(project.folder, tmp_path / name, QUICK)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")


def test_simulated_judgements_are_announced_on_top_and_in_the_methods(project: Project, tmp_path: Path) -> None:
    judged(project)
    with project.ledger.writing() as connection:
        connection.execute(update(schema.judgements).values(kind="simulated"))
    report(project.folder, tmp_path / "with", QUICK, simulated=True)
    html = (tmp_path / "with" / "index.html").read_text(encoding="utf-8")
    assert html.index('class="banner"') < html.index("<h1>")
    assert "simulated by a program" in html.partition('<section id="methods">')[2]
    with pytest.raises(DataError, match="no labelled pairs"):
        report(project.folder, tmp_path / "without", QUICK)


def test_a_file_is_named_with_its_digest_but_without_its_folder(tmp_path: Path) -> None:
    found = corpus(tmp_path / "kitchen.jsonl", pairs())
    report(found.path, tmp_path / "report", QUICK, format="jsonl")
    html = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "kitchen.jsonl" in html
    assert str(tmp_path) not in html
    table = (tmp_path / "report" / "tables" / "provenance-files.csv").read_text().splitlines()
    assert table[1].startswith("kitchen.jsonl,")
    assert len(table[1].partition(",")[2]) == 64


@pytest.mark.parametrize(("texts", "lang", "direction"), [(ARABIC, "ar", "rtl"), (JAPANESE, "ja", "ltr")])
def test_texts_have_their_language_and_direction(
    tmp_path: Path, texts: list[tuple[str, str, str]], lang: str, direction: str
) -> None:
    corpus(tmp_path / "texts.jsonl", pairs(texts, lang, times=3))
    report(tmp_path / "texts.jsonl", tmp_path / "report", QUICK)
    found = check_page(tmp_path / "report")
    paragraphs = [attributes for attributes in found.all("p") if "lang" in attributes]
    assert paragraphs
    assert {(attributes["lang"], attributes["dir"]) for attributes in paragraphs} == {(lang, direction)}


@pytest.mark.parametrize(
    "some",
    [
        pairs()[:1],
        [Pair(id="1", text1="One.", text2="Two.")],
        [Pair(id=str(n), text1="Same.", text2="Same.", label="yes") for n in range(3)],
        [Pair(id="1", text1="", text2="", label="4")],
    ],
    ids=["one pair", "no labels", "one label, no groups", "empty texts"],
)
def test_small_and_odd_corpora(tmp_path: Path, some: list[Pair]) -> None:
    corpus(tmp_path / "few.jsonl", some)
    report(tmp_path / "few.jsonl", tmp_path / "report", QUICK)
    check_page(tmp_path / "report")


def test_agreement_is_mentioned_only_if_there_is_some(project: Project) -> None:
    corpus = open_corpus(project.folder)
    assert "agreement" in description(corpus, with_agreement=True)
    assert "agree" not in description(corpus, with_agreement=False)


def test_a_project_without_a_label(project: Project, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no labelled pairs"):
        report(project.folder, tmp_path / "report", QUICK)
    assert not (tmp_path / "report").exists()


def test_a_failed_report_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text('{"id":"1","text1":"a","text2":"b"}\n{"id":"2",\n')
    with pytest.raises(DataError, match="line 2"):
        report(tmp_path / "broken.jsonl", tmp_path / "report", QUICK, format="jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["broken.jsonl"]


def test_a_folder_with_files_in_it_is_left_alone(tmp_path: Path) -> None:
    corpus(tmp_path / "few.jsonl", pairs())
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "notes.txt").write_text("notes")
    with pytest.raises(WriteError, match="is not an empty folder"):
        report(tmp_path / "few.jsonl", tmp_path / "report", QUICK)
    assert bytes_of(tmp_path / "report") == {"notes.txt": b"notes"}


def test_examples_are_shown_once() -> None:
    again = replace(FINDING, name="again")
    only = Finding("only", "Only", "examples", examples=FINDING.examples)
    findings = without_repeated_examples([FINDING, again, only])
    assert [(finding.name, len(finding.examples)) for finding in findings] == [("invented", 1), ("again", 0)]


def test_key_facts(tmp_path: Path) -> None:
    results = run_analyses([corpus(tmp_path / "a.jsonl", pairs())], QUICK, ["labels", "similarity"])
    facts = key_facts(results[0].findings)
    assert [fact.noun for fact in facts] == ["pairs", "paraphrases", "mean lexical similarity"]
    assert [fact.value for fact in facts][:2] == ["7", "71.4 %"]
    assert key_facts([]) == []


def test_rewrites_are_counted_separately_from_pairs(tmp_path: Path) -> None:
    rewrite = structs.replace(pairs()[0], id="r1", rewrite_of=pairs()[0].id)
    results = run_analyses([corpus(tmp_path / "a.jsonl", [*pairs(), rewrite])], QUICK, ["labels"])
    assert key_facts(results[0].findings)[:2] == [Fact("7", "pairs"), Fact("1", "rewrite in addition")]
    assert size_facts({"own": results[0].findings}) == [Fact("7", "pairs in own, and 1 rewrite in addition")]


def test_long_tables_are_shortened_on_the_page_only(tmp_path: Path) -> None:
    table = Table("many", "Many", [Column("n", "n", "count")], [(n,) for n in range(100)])
    write_sheet(Sheet("a", "b", [], [Finding("long", "Long", "", [table])], []), tmp_path, tmp_path)
    found = check_page(tmp_path)
    assert len(found.all("tr")) == 25
    assert "The first 24 of 100 rows" in "".join(found.text)
    assert len((tmp_path / "tables" / "long-many.csv").read_text().splitlines()) == 101


def test_a_page_without_findings() -> None:
    found: Elements = drawn(Sheet("nothing", "about nothing", [], [], ["No methods."]))
    assert [link["href"] for link in found.all("a")] == ["#methods"]


def test_a_report_has_every_analysis_of_pairs(tmp_path: Path) -> None:
    corpus(tmp_path / "a.jsonl", pairs(times=2))
    written = report(tmp_path / "a.jsonl", tmp_path / "report", QUICK)
    results = run_analyses([open_corpus(tmp_path / "a.jsonl")], QUICK)
    names = {finding.name for result in results for finding in result.findings}
    assert names - {"examples"} <= set(written.findings) <= {*PAIR_ANALYSES.names(), "provenance"}
