"""Rows of typed corpora that cannot be used are all in the quarantine file, with file, line and reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import otherwords
from tests.errors import raises

P4P = """<corpus xmlns="http://clic.ub.edu/mbertran/formats/paraphrase-corpus" name="Mini" lng="en">
<snippets><snippet id="1">The ferry is late.</snippet><snippet id="2">The boat is delayed.</snippet></snippets>
<paraphrase_candidates source_description="id:1"><snippet id="1"/><snippet id="2"/>
<annotation author="87" is_paraphrase="true"><phenomenon type="lex_same_polarity">
<snippet id="1"><scope offset="4" length="5"/></snippet><snippet id="2"><scope offset="4" length="4"/></snippet>
</phenomenon></annotation></paraphrase_candidates>
<paraphrase_candidates source_description="id:2"><snippet id="1"/><snippet id="9"/></paraphrase_candidates>
<paraphrase_candidates source_description="id:3"><snippet id="1"/><snippet id="2"/>
<annotation author="87" is_paraphrase="true"><phenomenon type="order">
<snippet id="1"><scope offset="four" length="5"/></snippet></phenomenon></annotation></paraphrase_candidates>
</corpus>
"""
ETPC_PAIRS = """<xml>
<text_pair><pair_id>1</pair_id><sent1_raw>The ferry is late .</sent1_raw><sent2_raw>It is .</sent2_raw></text_pair>
<text_pair><sent1_raw>No id .</sent1_raw><sent2_raw>None .</sent2_raw></text_pair>
</xml>
"""
ETPC_RELATIONS = """<xml>
<relation><pair_id>1</pair_id><type_name>Ellipsis</type_name><s1_scope>1</s1_scope></relation>
<relation><pair_id>7</pair_id><type_name>Ellipsis</type_name><s1_scope>1</s1_scope></relation>
<relation><pair_id>1</pair_id><type_name>Order</type_name><s1_scope>one</s1_scope></relation>
</xml>
"""
ORDER = {"type": "order", "scope1": [[0, 3]], "scope2": [[0, 3]]}
TEXTS = {"text1": "The ferry is late.", "text2": "The boat is delayed."}


def p4p(folder: Path) -> Path:
    path = folder / "P4P.xml"
    path.write_text(P4P, encoding="utf-8")
    return path


def etpc(folder: Path) -> Path:
    corpus = folder / "etpc"
    corpus.mkdir()
    (corpus / "text_pairs.xml").write_text(ETPC_PAIRS, encoding="utf-8")
    (corpus / "relations.xml").write_text(ETPC_RELATIONS, encoding="utf-8")
    return corpus


def msrp_a(folder: Path) -> Path:
    corpus = folder / "msrp"
    corpus.mkdir()
    (corpus / "mini.source").write_bytes("The ferry is late .\nThe ferry is l\xe4te .\nRain fell .\n".encode("latin-1"))
    (corpus / "mini.reference").write_text("The boat is late .\nThe boat is late .\nIt rained .\n", encoding="utf-8")
    (corpus / "mini.alignment").write_text("2-2-order,\n2-2-order,\n1;2-order,\n", encoding="utf-8")
    return corpus


def jsonl(folder: Path) -> Path:
    rows: list[Any] = [
        {"id": "j1", "pair": "1", "scheme": "vila", "value": [ORDER], "meta": TEXTS},
        {"id": "j2", "pair": "2", "scheme": "vila", "value": [ORDER]},
        {"id": "j3", "scheme": "vila", "value": [ORDER], "meta": TEXTS},
        {
            "id": "j4",
            "pair": "4",
            "scheme": "vila",
            "value": [ORDER, {"type": "order", "scope1": "all"}],
            "meta": TEXTS,
        },
        ["no object"],
    ]
    path = folder / "types.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


REFUSED = {
    p4p: [("P4P.xml", 7, "a snippet from the start"), ("P4P.xml", 8, "a numeric offset")],
    etpc: [
        ("text_pairs.xml", 3, "a pair of texts with a pair_id"),
        ("relations.xml", 3, "found pair_id '7'"),
        ("relations.xml", 4, "token numbers with commas"),
    ],
    msrp_a: [
        ("mini.source", 2, "not UTF-8"),
        ("mini.reference", 2, "the same line of another file"),
        ("mini.alignment", 3, "tokens-tokens-type"),
    ],
    jsonl: [
        ("types.jsonl", 2, "does not carry its texts"),
        ("types.jsonl", 3, "pair"),
        ("types.jsonl", 4, "not a phenomenon"),
        ("types.jsonl", 5, "a JSON object is expected"),
    ],
}
CORPORA = list(REFUSED)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def assert_refused(found: list[dict[str, Any]], expected: list[tuple[str, int, str]]) -> None:
    places = sorted((Path(row["file"]).name, row["line"]) for row in found)
    assert places == sorted((name, line) for name, line, _ in expected)
    for name, line, reason in expected:
        (row,) = (row for row in found if (Path(row["file"]).name, row["line"]) == (name, line))
        assert reason in row["reason"]
        assert row["row"]


@pytest.mark.parametrize("corpus", CORPORA)
def test_types_of_one_corpus(corpus: Callable[[Path], Path], tmp_path: Path) -> None:
    aside = tmp_path / "aside.jsonl"
    result = otherwords.types(corpus(tmp_path), on_error="quarantine", quarantine=aside)
    assert_refused(rows(aside), REFUSED[corpus])
    assert result.tables[0].pairs == (2 if corpus is jsonl else 1)


def test_types_of_several_corpora(tmp_path: Path) -> None:
    aside = tmp_path / "aside.jsonl"
    paths = [corpus(tmp_path) for corpus in CORPORA]
    otherwords.types(paths, on_error="quarantine", quarantine=aside)
    assert_refused(rows(aside), [row for corpus in CORPORA for row in REFUSED[corpus]])


@pytest.mark.parametrize("corpus", [p4p, etpc, msrp_a])
def test_an_analysis_reads_pairs_and_types_and_lists_all_that_either_refused(
    corpus: Callable[[Path], Path], tmp_path: Path
) -> None:
    aside = tmp_path / "aside.jsonl"
    otherwords.analyse(corpus(tmp_path), on_error="quarantine", quarantine=aside)
    assert_refused(rows(aside), REFUSED[corpus])


def test_a_report_skips_what_cannot_be_read_and_lists_it(tmp_path: Path) -> None:
    path, aside = p4p(tmp_path), tmp_path / "aside.jsonl"
    with raises("bad-row"):
        otherwords.report(path, tmp_path / "stopped")
    otherwords.report(path, tmp_path / "skipped", on_error="skip")
    otherwords.report(path, tmp_path / "page", on_error="quarantine", quarantine=aside)
    assert_refused(rows(aside), REFUSED[p4p])


def test_a_comparison_skips_what_cannot_be_read_and_lists_it(tmp_path: Path) -> None:
    paths, aside = [p4p(tmp_path), etpc(tmp_path)], tmp_path / "aside.jsonl"
    with raises("bad-row"):
        otherwords.compare(paths, tmp_path / "stopped")
    otherwords.compare(paths, tmp_path / "skipped", on_error="skip")
    otherwords.compare(paths, tmp_path / "page", on_error="quarantine", quarantine=aside)
    assert_refused(rows(aside), [*REFUSED[p4p], *REFUSED[etpc]])


def test_two_corpora_in_one_analysis(tmp_path: Path) -> None:
    aside = tmp_path / "aside.jsonl"
    otherwords.analyse([p4p(tmp_path), etpc(tmp_path)], only=["types"], on_error="quarantine", quarantine=aside)
    assert_refused(rows(aside), [*REFUSED[p4p], *REFUSED[etpc]])


@pytest.mark.parametrize("corpus", [p4p, etpc, msrp_a])
def test_a_corpus_comes_into_a_project(corpus: Callable[[Path], Path], tmp_path: Path) -> None:
    """As many rows as there are come in, or are in the file of their kind with a line."""
    otherwords.new(tmp_path / "project", lang="en")
    results = otherwords.import_(
        tmp_path / "project", "corpus", corpus(tmp_path), on_error="quarantine", quarantine=tmp_path / "aside.jsonl"
    )
    for result in results:
        refused = rows(tmp_path / f"aside.{result.noun}.jsonl")
        assert len(refused) == sum(result.skipped.values())
        assert all(row["line"] is not None and row["reason"] for row in refused)
    assert results[-1].noun == "judgements"
    assert results[-1].added == 1


def test_judgements_of_unknown_pairs_are_listed_with_their_lines(tmp_path: Path) -> None:
    otherwords.new(tmp_path / "project", lang="en", scheme="vila")
    otherwords.import_(tmp_path / "project", "pairs", _pairs(tmp_path, "1"))
    aside = tmp_path / "aside.jsonl"
    (result,) = otherwords.import_(
        tmp_path / "project", "judgements", jsonl(tmp_path), on_error="quarantine", quarantine=aside
    )
    assert sorted(row["line"] for row in rows(aside)) == [2, 3, 4, 5]
    assert (result.added, sum(result.skipped.values())) == (1, 4)


def test_two_files_of_one_import_share_the_file(tmp_path: Path) -> None:
    otherwords.new(tmp_path / "project", lang="en")
    bad = [_pairs(tmp_path, "1"), _pairs(tmp_path, "2")]
    for path in bad:
        path.write_text(path.read_text("utf-8") + "{\n", encoding="utf-8")
    aside = tmp_path / "aside.jsonl"
    otherwords.import_(tmp_path / "project", "pairs", bad, on_error="quarantine", quarantine=aside)
    assert [Path(row["file"]).name for row in rows(aside)] == ["pairs1.jsonl", "pairs2.jsonl"]


def _pairs(folder: Path, id: str) -> Path:
    path = folder / f"pairs{id}.jsonl"
    path.write_text(json.dumps({"id": id, **TEXTS}) + "\n", encoding="utf-8")
    return path
