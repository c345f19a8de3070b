"""The Turku Paraphrase Corpus in all the forms it was released in."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from otherwords.records import Document, Pair, Passage
from otherwords.sources import write_records
from tests.errors import raises
from tests.sources.laws import pairs, read, recognised, rejected

FIRST, SECOND = "3f1c" * 10, "a09e" * 10


def test_context_rewrites_and_flags(fixtures: Path) -> None:
    results = pairs(fixtures / "turku" / "context.json")
    assert results[0] == Pair(
        id="context:1",
        text1="Tuletko sinä huomenna?",
        text2="Oletko tulossa huomenna?",
        group="episode-1",
        doc1=Passage(id=FIRST, start=4, end=26),
        doc2=Passage(id=SECOND, start=0, end=24),
        label="4",
        meta={"fold": 3},
    )
    assert [(pair.id, pair.label, pair.rewrite_of, pair.group, pair.meta) for pair in results[1:4]] == [
        ("context:2", "4>is", None, "episode-1", {"fold": 3, "label": "4si>"}),
        ("context:2:rewrite1", "4", "context:2", "episode-1", {"fold": 3}),
        ("context:2:rewrite2", "4", "context:2", "episode-1", {"fold": 3}),
    ]
    assert (results[2].text1, results[2].text2) == ("Vie koira ulos kävelylle.", "Ulkoiluta koiraa.")
    assert (results[4].doc1, results[4].group, results[4].meta) == (
        None,
        None,
        {"fold": 4, "annotator_note": "lainaus"},
    )


def test_offsets_are_code_points(fixtures: Path) -> None:
    texts = {
        d.id: d.text for d in read(fixtures / "turku" / "texts.json", noun="documents")[0] if isinstance(d, Document)
    }
    second = pairs(fixtures / "turku" / "context.json")[1]
    assert second.doc1 is not None
    assert texts[second.doc1.id][second.doc1.start : second.doc1.end] == second.text1 == "Vie koira ulos."


def test_the_texts_lie_beside_the_pairs(fixtures: Path, tmp_path: Path) -> None:
    beside, _ = read(fixtures / "turku" / "context.json", noun="documents")
    assert beside == read(fixtures / "turku" / "texts.json", noun="documents")[0]
    alone = tmp_path / "dev.json"
    alone.write_text('[{"txt1": "a", "txt2": "b", "label": "1"}]')
    with raises("missing-file", match=r"texts\.json\.gz"):
        read(alone, "turku", noun="documents")


def test_the_first_release_has_no_context_and_a_rewrite_of_a_plain_4_is_marked(fixtures: Path) -> None:
    records, log = read(fixtures / "turku" / "release1.json")
    assert [(pair.label, pair.rewrite_of) for pair in records if isinstance(pair, Pair)] == [
        ("4>", None),
        ("4", "release1:1"),
        ("4", None),
        ("4", "release1:2"),
        ("x", None),
    ]
    assert log.marked == {"a rewrite of a plain 4": 1}


@pytest.mark.parametrize("name", ["sample.json", "sample.tsv"])
def test_the_automatic_sample(fixtures: Path, name: str) -> None:
    results = pairs(fixtures / "turku" / name)
    expected = {
        "sample.json": [("1", "pb", 0.0224224264665437), ("x", "opus", 0.5)],
        "sample.tsv": [("4<", "pb", 0.75), ("x", "opus", 0.125), ("3", "pb", 0.5)],
    }
    assert [(pair.label, pair.source, pair.scores["lex-similarity"]) for pair in results] == expected[name]
    if name == "sample.tsv":
        assert results[0].text1 == 'Hän huusi "apua".'


BAD = [
    ({"txt1": "a", "txt2": "b", "label": "5"}, "label '5': '5' is not one of"),
    ({"txt1": "a", "txt2": "b", "label": "3s"}, "flags (< > i s) go with 4 only"),
    ({"txt1": "a", "label": "4"}, "text2: expected str, got null"),
    ({"txt1": "a", "txt2": 7, "label": "4"}, "text2: expected str, got int"),
    ({"txt1": "a", "txt2": "b", "label": "4", "rewrites": [["c"]]}, "expected array of length 2"),
    ({"txt1": "a", "txt2": "b", "label": "4", "context": {"doc1": "x"}}, "context: an object with doc1"),
    ({"txt1": "a", "txt2": "b", "label": "4", "lex-similarity": "much"}, "a number is expected, found 'much'"),
    ("text", "a JSON object is expected"),
]


@pytest.mark.parametrize(("row", "reason"), BAD)
def test_bad_rows_are_rejected_with_line_and_reason(row: object, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "dev.json"
    file.write_text("[\n" + json.dumps(row) + ',\n{"txt1": "a", "txt2": "b", "label": "2"}]')
    [(line, why)] = rejected(file, "turku", tmp_path)
    assert line == 2
    assert reason in why
    assert [pair.id for pair in pairs(file, "turku", on_error="skip")] == ["dev:2"]


def test_rewrites_are_folded_back_into_the_list(fixtures: Path, tmp_path: Path) -> None:
    file = tmp_path / "again.json"
    write_records(pairs(fixtures / "turku" / "context.json"), file, "turku")
    original = json.loads((fixtures / "turku" / "context.json").read_text(encoding="utf-8"))
    assert json.loads(file.read_text(encoding="utf-8")) == original


def test_a_heading_has_no_context(tmp_path: Path) -> None:
    heading = Pair(id="h", text1="Gale", text2="Storm", label="4", doc1=Passage(id=FIRST), doc2=Passage(id=SECOND))
    write_records([heading], tmp_path / "dev.json", "turku")
    [row] = json.loads((tmp_path / "dev.json").read_text(encoding="utf-8"))
    assert row["context"] is None


def test_other_lists_and_objects_are_not_turku(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text('{"A sentence": ["One.", "Two."]}')
    assert recognised(file) == "multipit"


def test_the_released_sample(shared_data: Path) -> None:
    results = pairs(shared_data / "turku-fi" / "opus-pb-dev.json")
    assert len(results) == 4894
    assert {pair.source for pair in results} == {"opus", "pb"}


def test_the_first_release(shared_data: Path) -> None:
    records, log = read(shared_data / "turku-fi-release1" / "dev.json")
    found = [pair for pair in records if isinstance(pair, Pair)]
    labels = Counter(pair.label for pair in found if pair.rewrite_of is None)
    assert sum(pair.rewrite_of is not None for pair in found) == 884
    assert log.marked == {"a rewrite of a plain 4": 6}
    assert labels == {
        **{"4": 1082, "3": 998, "4<": 935, "4>": 889, "4i": 135, "4s": 107, "2": 94, "4>i": 69, "4<i": 69},
        **{"4>s": 41, "4<s": 39, "4is": 8, "4>is": 4, "4<is": 4},
    }


def test_the_swedish_set_and_its_spans(shared_data: Path) -> None:
    file = shared_data / "turku-sv" / "test.json"
    results = pairs(file, lang="sv")
    originals = [pair for pair in results if pair.rewrite_of is None]
    texts = {d.id: d.text for d in read(file, noun="documents")[0] if isinstance(d, Document)}
    assert (len(originals), len(results) - len(originals), len(texts)) == (1081, 136, 34)
    assert {pair.lang for pair in results} == {"sv"}
    outcome: Counter[str] = Counter()
    for pair in originals:
        for passage, text in ((pair.doc1, pair.text1), (pair.doc2, pair.text2)):
            if passage is not None:
                span = texts[passage.id][passage.start : passage.end]
                same = " ".join(span.split()) == " ".join(text.split())
                outcome["exact" if span == text else "blanks" if same else "other"] += 1
    assert outcome == {"exact": 1201, "blanks": 906, "other": 27}
