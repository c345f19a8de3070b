"""P4P: pairs, typed phenomena, and the XML written again from judgements alone."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from otherwords.records import Judgement, Pair, Phenomenon
from otherwords.sources import write_records
from otherwords.sources.formats.p4p import parse_description
from otherwords.sources.formats.p4p.writing import join_description
from tests.errors import raises
from tests.sources.laws import pairs, read, rejected

MILL = "The old mill, which nobody used, burned down."


def judgements(path: Path, **options: object) -> list[Judgement]:
    return [record for record in read(path, "p4p", noun="judgements", **options)[0] if isinstance(record, Judgement)]


def test_pairs(fixtures: Path) -> None:
    records, log = read(fixtures / "p4p" / "corpus.xml")
    assert records[1] == Pair(
        id="72",
        text1="El río crece en abril.",
        text2="En abril crece el río.",
        lang="en",
        source="MINI",
        label="1",
        meta={
            "snippets": [{"id": "3", "source_description": "free text; no fields"}, {"id": "4"}],
            "annotations": [{"author": "22", "is_paraphrase": "true"}],
            "source_description": {"id": 72},
            "version": "1.0",
        },
    )
    assert isinstance(records[0], Pair)
    assert records[0].label is None
    assert records[0].meta["snippets"][0]["source_description"] == {
        "type": "plagiarism",
        "plagiarism_reference": "00061",
        "offset": 12,
        "wd_count": 8,
    }
    assert log.marked == {"annotators disagree whether it is a paraphrase; no label": 1}


def test_phenomena(fixtures: Path) -> None:
    records, log = read(fixtures / "p4p" / "corpus.xml", noun="judgements")
    first, second, third = (record for record in records if isinstance(record, Judgement))
    assert [(j.id, j.pair, j.annotator, j.scheme) for j in (first, second, third)] == [
        ("71:1", "71", "87", "vila"),
        ("71:2", "71", "22", "vila"),
        ("72:1", "72", "22", "vila"),
    ]
    subordination, polarity, addition = first.value
    assert subordination == {
        "type": "syn_subord_nesting",
        "scope1": [[0, 13], [14, 31]],
        "key1": [[14, 19]],
        "scope2": [[0, 25]],
        "meta": {"source_description": "id:9001"},
    }
    assert polarity["projection"] == "local"
    assert MILL[slice(*polarity["scope1"][0])] == "burned down"
    assert (second.value, second.meta["label"]) == ([], "0")
    assert log.marked["addition_deletion with scopes in both texts"] == 1
    assert addition["scope2"] == [[26, 28]]


def test_written_from_judgements_alone(fixtures: Path, tmp_path: Path) -> None:
    original, file = fixtures / "p4p" / "corpus.xml", tmp_path / "corpus.xml"
    write_records(judgements(original), file, "p4p")
    assert judgements(file) == judgements(original)
    assert pairs(file, "p4p") == pairs(original, "p4p")
    root = ElementTree.parse(file).getroot()
    assert [child.tag.partition("}")[2] for child in root] == ["snippets", *["paraphrase_candidates"] * 2]


def test_a_judgement_without_its_texts_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "out.xml"
    with raises("texts-missing"):
        write_records([Judgement(id="1", pair="7", value=[])], file, "p4p")
    assert not file.exists()


def test_pairs_of_another_corpus(tmp_path: Path) -> None:
    file = tmp_path / "out.xml"
    write_records(
        [Pair(id="a", text1="x < y", text2='"z"', label="0"), Pair(id="b", text1="1", text2="2")], file, "p4p"
    )
    results = pairs(file, "p4p")
    assert [(pair.id, pair.text1, pair.text2, pair.label) for pair in results] == [
        ("a", "x < y", '"z"', "0"),
        ("b", "1", "2", None),
    ]


START = '<corpus xmlns="http://clic.ub.edu/mbertran/formats/paraphrase-corpus"><snippets><snippet id="1">ab</snippet>\n'
PAIR = '<snippet id="1"/><snippet id="1"/><annotation author="a" is_paraphrase="true">'


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        ('<snippet id="1"/>', "2 snippets are expected in a pair, found 1"),
        ('<snippet id="1"/><snippet id="9"/>', "a snippet from the start of the file is expected, found '9'"),
        ('<snippet id="1"/><snippet id="1"/><annotation/>', "is_paraphrase: true or false is expected, found ''"),
        (PAIR + "<phenomenon/></annotation>", "a phenomenon needs a type"),
        (PAIR + '<phenomenon type="order" projection="big"/></annotation>', "local or global is expected, found 'big'"),
        (
            PAIR + '<phenomenon type="order"><snippet id="2"/></phenomenon></annotation>',
            "a phenomenon needs a snippet of its pair (1 or 1), found '2'",
        ),
        (
            PAIR + '<phenomenon type="order"><snippet id="1"><scope offset="-1" length="1"/></snippet></phenomenon>'
            "</annotation>",
            "numeric offset and length, found '-1' and '1'",
        ),
    ],
)
def test_bad_pairs_are_rejected(inside: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.xml"
    file.write_text(f"{START}</snippets>\n<paraphrase_candidates>{inside}</paraphrase_candidates></corpus>")
    [(line, why)] = rejected(file, "p4p", tmp_path)
    assert line == 3
    assert reason in why


def test_a_scope_beyond_its_text_is_cut_and_counted(tmp_path: Path) -> None:
    file = tmp_path / "odd.xml"
    scopes = '<scope offset="1" length="5"/><scope offset="7" length="2"/>'
    inside = f'{PAIR}<phenomenon type="order"><snippet id="1">{scopes}</snippet></phenomenon></annotation>'
    file.write_text(f"{START}</snippets>\n<paraphrase_candidates>{inside}</paraphrase_candidates></corpus>")
    records, log = read(file, "p4p", noun="judgements")
    assert [record.value for record in records if isinstance(record, Judgement)] == [
        [{"type": "order", "scope1": [[1, 2]]}]
    ]
    assert log.marked == {"a scope that goes beyond its text, cut at its end": 2}


def test_another_root(tmp_path: Path) -> None:
    file = tmp_path / "other.xml"
    file.write_text("<data/>")
    with raises("wrong-root"):
        pairs(file, "p4p")


@pytest.mark.parametrize("text", ["a:1;b:02;c:x:y", "", "no fields", "a:1;a:2", "a:1;", "n:1000000000000000000000"])
def test_descriptions_lose_nothing(text: str) -> None:
    assert join_description(parse_description(text)) == text


def test_the_released_corpus(shared_data: Path) -> None:
    file = shared_data / "p4p" / "P4P-first-400.xml"
    results = pairs(file)
    records, log = read(file, noun="judgements")
    phenomena = [phenomenon for j in records if isinstance(j, Judgement) for phenomenon in j.value]
    assert (len(results), len(records), len(phenomena)) == (400, 400, 5206)
    assert log.marked == {"addition_deletion with scopes in both texts": 6}
    assert sum(phenomenon["type"] == "addition_deletion" for phenomenon in phenomena) == 665
    assert {phenomenon.get("projection") for phenomenon in phenomena} == {"local", "global", None}
    fields = set(Phenomenon.__struct_fields__)
    assert all(phenomenon.keys() <= fields for phenomenon in phenomena)
