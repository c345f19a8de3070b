"""A project, a release and a file are all corpora that can be read repeatedly."""

from __future__ import annotations

from pathlib import Path

from otherwords.corpus.corpus import open_corpus
from otherwords.project import Project
from otherwords.records import Judgement, Pair
from otherwords.sources.reading import write_records
from tests.annotate.reading import put
from tests.errors import raises

PAIRS = [
    Pair(id="p1", text1="The shop shuts at six.", text2="Six o'clock is closing time.", label="4"),
    Pair(id="p2", text1="The shop shuts at six.", text2="The shop is green.", label="1"),
    Pair(id="p3", text1="Bring a coat.", text2="Take a coat with you."),
]


def test_a_file_is_read_repeatedly(tmp_path: Path) -> None:
    write_records(PAIRS, tmp_path / "coats.jsonl")
    corpus = open_corpus(tmp_path / "coats.jsonl")
    assert (corpus.name, corpus.kind) == ("coats", "file")
    assert [pair.id for pair in corpus.pairs()] == [pair.id for pair in corpus.pairs()] == ["p1", "p2", "p3"]
    assert [corpus.positive(pair) for pair in corpus.pairs()] == [True, False, None]


def test_rejected_rows_are_noted(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text('{"id":"p1","text1":"a","text2":"b"}\n{"id":\n', encoding="utf-8")
    assert "1 row was rejected" in open_corpus(tmp_path / "broken.jsonl", on_error="skip").notes[0]


def test_standard_input_cannot_be_read_twice() -> None:
    with raises("standard-input"):
        open_corpus("-")


def test_a_release_is_read_from_its_data(tmp_path: Path) -> None:
    (tmp_path / "coats-1.0" / "data").mkdir(parents=True)
    write_records(PAIRS, tmp_path / "coats-1.0" / "data" / "pairs.jsonl")
    corpus = open_corpus(tmp_path / "coats-1.0")
    assert (corpus.name, corpus.kind, sum(1 for _ in corpus.pairs())) == ("coats-1.0", "release", 3)


def test_a_release_says_which_of_its_pairs_are_positive(tmp_path: Path) -> None:
    labels = [("sí", True), ("no", False), ("quizá", None)]
    pairs = [
        Pair(id=label, text1="a", text2="b", label=label, meta={"positive": positive} if positive is not None else {})
        for label, positive in labels
    ]
    (tmp_path / "data").mkdir()
    write_records(pairs, tmp_path / "data" / "pairs.jsonl")
    corpus = open_corpus(tmp_path)
    assert [(pair.label, corpus.positive(pair)) for pair in corpus.pairs()] == labels


def test_the_pairs_of_a_project_are_the_labelled_ones(project: Project) -> None:
    unlabelled = [Pair(id=pair.id, text1=pair.text1, text2=pair.text2) for pair in PAIRS]
    answers = [("j1", "p1", "anna", "4>"), ("j2", "p2", "anna", "2"), ("j3", "p2", "ben", "3")]
    judgements = [Judgement(id=i, pair=p, annotator=a, value=v, scheme="turku") for i, p, a, v in answers]
    put(project, *unlabelled, *judgements)
    corpus = open_corpus(project.folder)
    assert (corpus.name, corpus.kind, corpus.lang) == ("corpus", "project", "en")
    assert [(pair.id, pair.label, corpus.positive(pair)) for pair in corpus.pairs()] == [("p1", "4>", True)]


def test_a_release_with_a_damaged_description_is_not_taken_for_one_of_people(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "pairs.jsonl").write_text('{"id": "a", "text1": "It rained.", "text2": "Rain fell."}\n')
    assert not open_corpus(tmp_path).simulated
    (tmp_path / "release.json").write_text('{"simulated": tr')
    with raises("file-unreadable", match=r"release\.json: .* otherwords verify"):
        open_corpus(tmp_path)
