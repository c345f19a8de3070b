"""The report: every finding is there, nothing is fetched, everything is escaped, made twice it is the same bytes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from sqlalchemy import update

from otherwords.analyse import report as reports
from otherwords.analyse.analyses import OF_PAIRS, Wishes, analysed
from otherwords.analyse.compare import _facts as compared
from otherwords.analyse.figures import NO_FIGURES
from otherwords.analyse.finding import Column, Example, Examples, Figure, Finding, Table
from otherwords.analyse.report import about, facts, once, report, write
from otherwords.analyse.report_page import sentence
from otherwords.analyse.report_sheet import Fact, Sheet
from otherwords.corpus.corpora import corpus_of
from otherwords.errors import DataError, WriteError
from otherwords.project import Project, schema
from otherwords.records import Pair
from tests.analyse.corpora import corpus
from tests.analyse.reported import ARABIC, EVIL, JAPANESE, Elements, check_page, drawn, judged, pairs

QUICK = Wishes(replicates=20)
BARS = {
    "data": {"values": [{"label": EVIL, "pairs": 3}]},
    "mark": "bar",
    "encoding": {"x": {"field": "pairs", "type": "quantitative"}, "y": {"field": "label", "type": "nominal"}},
}
FINDING = Finding(
    "made-up",
    f"Made up {EVIL}",
    f"About {EVIL}",
    [Table("rows", f"Rows {EVIL}", [Column("label", EVIL), Column("n", "n", "count")], [(EVIL, 3)])],
    [Figure("bars", EVIL, BARS), Figure("bars again", "Again", BARS)],
    [Examples(EVIL, [Example(EVIL, EVIL, "plain", EVIL, "en")])],
    [EVIL],
    {EVIL: f"made-up|{EVIL}:1|version:0"},
)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_what_comes_from_a_corpus_is_escaped_everywhere(tmp_path: Path) -> None:
    sheet = Sheet(EVIL, EVIL, [Fact(EVIL, EVIL)], [FINDING], [EVIL], EVIL, [EVIL], [EVIL], "en")
    write(sheet, tmp_path, tmp_path)
    found = check_page(tmp_path)
    assert not found.all("script")
    assert not found.all("b")
    assert "".join(found.text).count("<script>alert(1)</script>") >= 12


def test_the_drawings_of_a_page_do_not_share_names(tmp_path: Path) -> None:
    clipped = {**BARS, "mark": {"type": "bar", "clip": True}}
    figures = [Figure("one", "One", clipped), Figure("two", "Two", clipped)]
    write(Sheet("a", "b", [], [replace(FINDING, figures=figures)], []), tmp_path, tmp_path)
    assert check_page(tmp_path).all("clippath")


def test_a_project_from_head_to_foot(project: Project, tmp_path: Path) -> None:
    judged(project)
    written = report(project.folder, tmp_path / "report", QUICK)
    found = check_page(tmp_path / "report")
    text = " ".join("".join(found.text).split())
    assert written.page == tmp_path / "report" / "index.html"
    sections = {one["id"] for one in found.all("section")}
    assert sections == {*written.findings, "methods"}
    assert {"labels", "similarity", "lengths", "patterns", "agreement", "provenance"} <= sections
    assert len(found.all("table")) == written.tables == len(list((tmp_path / "report" / "tables").glob("*.csv")))
    assert len(found.all("figure")) == written.figures == len(list((tmp_path / "report" / "figures").glob("*.png")))
    assert "The last judgement is of 2026-03-09" in text
    assert "It rests on 14 judgements that 2 annotators gave between 2026-03-01 and 2026-03-07." in text
    assert "Labels follow the scheme turku" in text
    assert "CC0-1.0" in text
    assert "turku@0" in text
    assert "anna" not in text
    assert "ben" not in text.split()
    assert found.all("p")[0].get("class") != "banner"


def test_without_the_extra_a_report_has_no_figures_and_says_so(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(project)
    monkeypatch.setattr(reports, "can_draw", lambda: False)
    made = report(project.folder, tmp_path / "out", QUICK)
    assert made.figures == 0
    assert made.tables
    assert made.warnings == [NO_FIGURES]
    page = check_page(tmp_path / "out")
    assert any("igures were left out" in text for text in page.text)
    assert not (tmp_path / "out" / "figures").exists()


@pytest.mark.parametrize(
    ("remark", "told"),
    [
        ("all of them count", "All of them count."),
        ("a03 judged 2 pairs more than once", "a03 judged 2 pairs more than once."),
        ("finnish: no label says yes or no", "finnish: no label says yes or no."),
        ("28 pairs that several annotated", "28 pairs that several annotated."),
    ],
)
def test_remarks_are_sentences_and_names_stay_as_they_are(remark: str, told: str) -> None:
    assert sentence(remark) == told


def test_a_report_made_twice_is_the_same_bytes(project: Project, tmp_path: Path) -> None:
    judged(project)
    for name in ("one", "two"):
        report(project.folder, tmp_path / name, QUICK)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")


def test_simulated_judgements_are_told_on_top_and_in_the_methods(project: Project, tmp_path: Path) -> None:
    judged(project)
    with project.ledger.writing() as connection:
        connection.execute(update(schema.judgements).values(kind="simulated"))
    report(project.folder, tmp_path / "with", QUICK, simulated=True)
    html = (tmp_path / "with" / "index.html").read_text(encoding="utf-8")
    assert html.index('class="banner"') < html.index("<h1>")
    assert "simulated by a program" in html.partition('<section id="methods">')[2]
    with pytest.raises(DataError, match="no labelled pairs"):
        report(project.folder, tmp_path / "without", QUICK)


def test_a_file_says_its_name_and_digest_and_not_where_it_lies(tmp_path: Path) -> None:
    found = corpus(tmp_path / "kitchen.jsonl", pairs())
    report(found.path, tmp_path / "report", QUICK, format="jsonl")
    html = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "kitchen.jsonl" in html
    assert str(tmp_path) not in html
    table = (tmp_path / "report" / "tables" / "provenance-files.csv").read_text().splitlines()
    assert table[1].startswith("kitchen.jsonl,")
    assert len(table[1].partition(",")[2]) == 64


@pytest.mark.parametrize(("texts", "lang", "direction"), [(ARABIC, "ar", "rtl"), (JAPANESE, "ja", "ltr")])
def test_texts_say_their_language_and_direction(
    tmp_path: Path, texts: list[tuple[str, str, str]], lang: str, direction: str
) -> None:
    corpus(tmp_path / "texts.jsonl", pairs(texts, lang, times=3))
    report(tmp_path / "texts.jsonl", tmp_path / "report", QUICK)
    found = check_page(tmp_path / "report")
    told = [one for one in found.all("p") if "lang" in one]
    assert told
    assert {(one["lang"], one["dir"]) for one in told} == {(lang, direction)}


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


def test_it_promises_no_agreement_where_there_is_none(project: Project) -> None:
    corpus = corpus_of(project.folder)
    assert "how far people agree on it" in about(corpus, agreed=True)
    assert "agree" not in about(corpus, agreed=False)


def test_a_project_without_a_label(project: Project, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no labelled pairs"):
        report(project.folder, tmp_path / "report", QUICK)
    assert not (tmp_path / "report").exists()


def test_nothing_is_left_of_a_report_that_fails(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text('{"id":"1","text1":"a","text2":"b"}\n{"id":"2",\n')
    with pytest.raises(DataError, match="line 2"):
        report(tmp_path / "broken.jsonl", tmp_path / "report", QUICK, format="jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["broken.jsonl"]


def test_a_folder_with_files_in_it_is_left_alone(tmp_path: Path) -> None:
    corpus(tmp_path / "few.jsonl", pairs())
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "mine.txt").write_text("mine")
    with pytest.raises(WriteError, match="is not an empty folder"):
        report(tmp_path / "few.jsonl", tmp_path / "report", QUICK)
    assert bytes_of(tmp_path / "report") == {"mine.txt": b"mine"}


def test_examples_are_shown_once() -> None:
    again = replace(FINDING, name="again")
    only = Finding("only", "Only", "examples", examples=FINDING.examples)
    told = once([FINDING, again, only])
    assert [(one.name, len(one.examples)) for one in told] == [("made-up", 1), ("again", 0)]


def test_few_numbers_say_what_a_corpus_is(tmp_path: Path) -> None:
    found = analysed([corpus(tmp_path / "a.jsonl", pairs())], QUICK, ["labels", "similarity"])
    told = facts(found[0].findings)
    assert [one.what for one in told] == ["pairs", "paraphrases", "mean lexical similarity"]
    assert [one.value for one in told][:2] == ["7", "71.4 %"]
    assert facts([]) == []


def test_rewrites_are_counted_beside_the_pairs(tmp_path: Path) -> None:
    rewrite = structs.replace(pairs()[0], id="r1", rewrite_of=pairs()[0].id)
    found = analysed([corpus(tmp_path / "a.jsonl", [*pairs(), rewrite])], QUICK, ["labels"])
    assert [(one.value, one.what) for one in facts(found[0].findings)][:2] == [("7", "pairs"), ("1", "rewrite besides")]
    (beside,) = compared({"mine": found[0].findings})
    assert (beside.value, beside.what) == ("7", "pairs in mine, and 1 rewrite besides")


def test_long_tables_are_cut_on_the_page_only(tmp_path: Path) -> None:
    table = Table("many", "Many", [Column("n", "n", "count")], [(n,) for n in range(100)])
    write(Sheet("a", "b", [], [Finding("long", "Long", "", [table])], []), tmp_path, tmp_path)
    found = check_page(tmp_path)
    assert len(found.all("tr")) == 25
    assert "The first 24 of 100 rows" in "".join(found.text)
    assert len((tmp_path / "tables" / "long-many.csv").read_text().splitlines()) == 101


def test_pages_without_findings_can_be_drawn() -> None:
    found: Elements = drawn(Sheet("nothing", "about nothing", [], [], ["No methods."]))
    assert [one["href"] for one in found.all("a")] == ["#methods"]


def test_every_analysis_of_pairs_can_stand_in_a_report(tmp_path: Path) -> None:
    corpus(tmp_path / "a.jsonl", pairs(times=2))
    written = report(tmp_path / "a.jsonl", tmp_path / "report", QUICK)
    found = {one.name for each in analysed([corpus_of(tmp_path / "a.jsonl")], QUICK) for one in each.findings}
    assert found - {"examples"} <= set(written.findings) <= {*OF_PAIRS.names(), "provenance"}
