"""A released corpus comes in whole: documents, pairs, judgements, votes, types and licences with one command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import otherwords
from otherwords.project import Project
from otherwords.project.importing.import_corpus import import_corpus
from otherwords.project.importing.import_file import import_file
from otherwords.project.importing.records import ImportResult
from otherwords.project.pipeline.kind import make_step
from otherwords.project.pipeline.run import run_step
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Pair
from otherwords.sources.reading import write_records
from otherwords.steps.import_files import IMPORT
from tests.errors import raises
from tests.project.corpus import all_rows

P4P = """<corpus xmlns="http://clic.ub.edu/mbertran/formats/paraphrase-corpus" name="Mini" lng="en">
<snippets><snippet id="1">The ferry is late.</snippet><snippet id="2">The boat is delayed.</snippet>
<snippet id="3">Rain fell.</snippet><snippet id="4">Snow melts.</snippet></snippets>
<paraphrase_candidates source_description="id:9249"><snippet id="1"/><snippet id="2"/>
<annotation author="87" is_paraphrase="true"><phenomenon type="lex_same_polarity" projection="local">
<snippet id="1"><scope offset="4" length="5"/></snippet><snippet id="2"><scope offset="4" length="4"/></snippet>
</phenomenon></annotation></paraphrase_candidates>
<paraphrase_candidates source_description="id:9250"><snippet id="3"/><snippet id="4"/>
<annotation author="22" is_paraphrase="false"><phenomenon type="non_paraphrases">
<snippet id="3"><scope offset="0" length="10"/></snippet></phenomenon></annotation></paraphrase_candidates></corpus>
"""
VOTES = "7\tferry\tThe ferry is late\tThe boat is delayed\t(4, 1)\tThe/DT\tThe/DT\n"
FIRST, SECOND = "The ferry is late. Wait here.", "Please wait. The boat is delayed."


@pytest.fixture
def p4p(tmp_path: Path) -> Path:
    path = tmp_path / "P4P.xml"
    path.write_text(P4P, encoding="utf-8")
    return path


def turku(folder: Path) -> Path:
    """A file of pairs with context, and the texts of their documents beside it."""
    ids = ("a" * 40, "b" * 40)
    context = {"doc1": ids[0], "beg1": 0, "end1": 18, "doc2": ids[1], "beg2": 13, "end2": 33}
    row = {"txt1": FIRST[:18], "txt2": SECOND[13:], "label": "4", "rewrites": [["A", "B"]], "context": context}
    (folder / "texts.json").write_text(json.dumps(dict(zip(ids, (FIRST, SECOND), strict=True))), encoding="utf-8")
    (folder / "test.json").write_text(json.dumps([row]), encoding="utf-8")
    return folder / "test.json"


def imported(project: Project, path: Path, **options: Any) -> dict[str, ImportResult]:
    return {result.noun: result for result in import_corpus(project, path, **options)}


def test_judgements_find_the_pairs_of_their_file(project: Project, p4p: Path) -> None:
    results = imported(project, p4p)
    assert {noun: result.added for noun, result in results.items()} == {"pairs": 2, "judgements": 2}
    noted = "  noted: 1 × types of a pair that is no paraphrase, kept beside the answer"
    assert list(results["judgements"].lines()) == [f"{p4p}: 2 judgements read, 2 added", noted]
    rows = all_rows(project)
    assert [row["id"] for row in rows["pairs"]] == ["9249", "9250"]
    first, second = rows["judgements"]
    assert (first["pair"], first["annotator"], first["scheme"]) == ("9249", "87", "vila")
    assert first["value"]["paraphrase"] == "yes"
    assert [phenomenon["type"] for phenomenon in first["value"]["types"]] == ["lex_same_polarity"]
    assert (second["value"], second["meta"]["types"][0]["type"]) == ({"paraphrase": "no"}, "non_paraphrases")
    (in_file,), (in_project,) = (otherwords.types(path).tables for path in (p4p, project.folder))
    assert in_project.phenomena == in_file.phenomena == 2
    again = imported(project, p4p)
    assert all(result.again for result in again.values())
    assert list(again["pairs"].lines()) == [f"{p4p}: pairs were imported before; nothing to add"]


def test_pairs_and_then_judgements(project: Project, p4p: Path) -> None:
    import_file(project, "pairs", p4p)
    assert import_file(project, "judgements", p4p).added == 2


def test_ids_that_clash_are_mapped_on_both_sides(project: Project, p4p: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    write_records([Pair(id="9249", text1="Another.", text2="One more.")], own)
    import_file(project, "pairs", own)
    imported(project, p4p)
    rows = all_rows(project)
    kept, renamed, other = (row["id"] for row in rows["pairs"])
    assert (kept, other) == ("9249", "9250")
    assert renamed.startswith("9249@")
    assert [row["pair"] for row in rows["judgements"]] == [renamed, "9250"]


def test_two_corpora_with_the_same_ids(project: Project, p4p: Path, tmp_path: Path) -> None:
    imported(project, p4p)
    copy = tmp_path / "other.xml"
    copy.write_text(P4P.replace("ferry", "train").replace("boat", "tram"), encoding="utf-8")
    assert {noun: result.added for noun, result in imported(project, copy).items()} == {"pairs": 1, "judgements": 1}
    rows = all_rows(project)
    texts = {row["id"]: row["text1"] for row in rows["pairs"]}
    assert [texts[row["pair"]] for row in rows["judgements"]] == [
        "The ferry is late.",
        "Rain fell.",
        "The train is late.",
    ]


def test_votes_of_pairs_that_are_named_by_their_lines(project: Project, tmp_path: Path) -> None:
    for part in ("train", "dev"):
        (tmp_path / part).mkdir()
        path = tmp_path / part / "pit.data"
        path.write_text(VOTES.replace("ferry", f"ferry {part}"), encoding="utf-8")
        assert imported(project, path)["judgements"].added == 5
    rows = all_rows(project)
    assert len(rows["pairs"]) == 2
    assert {row["pair"] for row in rows["judgements"]} == {row["id"] for row in rows["pairs"]}
    assert [row["value"] for row in rows["judgements"]] == [True, True, True, True, False] * 2


def test_documents_come_with_their_pairs_and_licences(project: Project, tmp_path: Path) -> None:
    path = turku(tmp_path)
    results = imported(project, path, licence="CC-BY-SA-4.0", options={"source": "films"})
    assert {noun: result.added for noun, result in results.items()} == {"documents": 2, "pairs": 2}
    rows = all_rows(project)
    assert [row["text"] for row in rows["documents"]] == [FIRST, SECOND]
    for row in (*rows["documents"], *rows["pairs"]):
        assert (row["licence"], row["source"], row["lang"]) == ("CC-BY-SA-4.0", "films", "en")
    pair = rows["pairs"][0]
    texts = {row["id"]: row["text"] for row in rows["documents"]}
    assert texts[pair["doc1"]][pair["start1"] : pair["end1"]] == pair["text1"]
    assert texts[pair["doc2"]][pair["start2"] : pair["end2"]] == pair["text2"]


def test_without_the_texts_only_the_pairs_come(project: Project, tmp_path: Path) -> None:
    path = turku(tmp_path)
    (tmp_path / "texts.json").unlink()
    assert list(imported(project, path)) == ["pairs"]


def test_every_format_keeps_its_language(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "rupaws.csv"
    path.write_text("sentence1;sentence2;label\nИдёт дождь.;Дождь идёт.;1\n", encoding="utf-8")
    imported(project, path, format="rupaws")
    mixed = tmp_path / "mixed.tsv"
    mixed.write_text("eng\tfin\tIt rains.\tSataa.\n", encoding="utf-8")
    imported(project, mixed, format="tatoeba")
    assert [row["lang"] for row in all_rows(project)["pairs"]] == ["ru", None]


@pytest.mark.parametrize("name", ["sheet.csv", "rows.json"])
def test_sheets_are_pairs(project: Project, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    content = {"sheet.csv": "id,text1,text2\n1,a,b\n", "rows.json": '[{"id": 1, "text1": "a", "text2": "b"}]'}
    path.write_text(content[name], encoding="utf-8")
    assert list(imported(project, path)) == ["pairs"]
    assert [row["id"] for row in all_rows(project)["pairs"]] == ["1"]


def test_the_licence_of_a_dataset_of_the_hub(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "hub"
    folder.mkdir()
    (folder / "README.md").write_text("---\nlicense: cc-by-4.0\n---\n# Pairs\n", encoding="utf-8")
    write_records([Pair(id="1", text1="a", text2="b")], folder / "train.parquet")
    imported(project, folder)
    assert [row["licence"] for row in all_rows(project)["pairs"]] == ["CC-BY-4.0"]


def test_each_noun_has_its_own_quarantine(project: Project, p4p: Path, tmp_path: Path) -> None:
    imported(project, p4p, on_error="quarantine", quarantine=tmp_path / "refused.jsonl")
    assert sorted(path.name for path in tmp_path.glob("refused*")) == [
        "refused.judgements.jsonl",
        "refused.pairs.jsonl",
    ]


def test_a_step_of_a_recipe_imports_a_corpus(project: Project, p4p: Path) -> None:
    run_step(project, make_step(IMPORT, "corpus", kind="corpus", paths=(str(p4p),)))
    assert len(all_rows(project)["judgements"]) == 2


def test_a_withdrawn_pair_does_not_come_back(project: Project, p4p: Path) -> None:
    imported(project, p4p)
    withdraw(project, "9249", None, "pair")
    results = imported(project, p4p, lang="en")
    assert results["pairs"].withdrawn == 1
    assert results["judgements"].withdrawn == 1
    assert [row["text1"] for row in all_rows(project)["pairs"]] == ["", "Rain fell."]


def test_a_corpus_that_is_not_there(project: Project, tmp_path: Path) -> None:
    with raises("no-such-file"):
        imported(project, tmp_path / "nowhere")


def test_a_release_brings_what_it_holds_and_its_licence(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "release"
    (folder / "data").mkdir(parents=True)
    (folder / "release.json").write_text('{"version": "1.0", "licence": "CC-BY-4.0"}', encoding="utf-8")
    (folder / "judgements.jsonl").write_text("", encoding="utf-8")
    write_records([Pair(id="p1", text1="a", text2="b")], folder / "data" / "pairs.jsonl")
    assert list(imported(project, folder)) == ["pairs"]
    judgement = '{"id": "j1", "pair": "p1", "value": "4", "annotator": "a1"}\n'
    (folder / "judgements.jsonl").write_text(judgement, encoding="utf-8")
    assert list(imported(project, folder)) == ["pairs", "judgements"]
    rows = all_rows(project)
    assert [(row["id"], row["licence"]) for row in rows["pairs"]] == [("p1", "CC-BY-4.0")]
    assert [row["pair"] for row in rows["judgements"]] == ["p1"]
