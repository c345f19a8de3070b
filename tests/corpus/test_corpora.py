"""A project, a release and a file are all corpora that can be read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.corpus.corpora import corpus_of
from otherwords.errors import DataError
from otherwords.project import Project
from otherwords.records import Judgement, Pair
from otherwords.sources.reading import write
from tests.annotate.reading import put

PAIRS = [
    Pair(id="p1", text1="The shop shuts at six.", text2="Six o'clock is closing time.", label="4"),
    Pair(id="p2", text1="The shop shuts at six.", text2="The shop is green.", label="1"),
    Pair(id="p3", text1="Bring a coat.", text2="Take a coat with you."),
]


def test_a_file_is_read_as_often_as_one_likes(tmp_path: Path) -> None:
    write(PAIRS, tmp_path / "coats.jsonl")
    corpus = corpus_of(tmp_path / "coats.jsonl")
    assert (corpus.name, corpus.kind) == ("coats", "file")
    assert [pair.id for pair in corpus.pairs()] == [pair.id for pair in corpus.pairs()] == ["p1", "p2", "p3"]
    assert [corpus.positive(pair) for pair in corpus.pairs()] == [True, False, None]


def test_rows_that_were_refused_are_noted(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text('{"id":"p1","text1":"a","text2":"b"}\n{"id":\n', encoding="utf-8")
    assert "1 rows were refused" in corpus_of(tmp_path / "broken.jsonl", on_error="skip").notes[0]


def test_standard_input_cannot_be_read_twice() -> None:
    with pytest.raises(DataError, match="once only"):
        corpus_of("-")


def test_a_release_is_read_from_its_data(tmp_path: Path) -> None:
    (tmp_path / "coats-1.0" / "data").mkdir(parents=True)
    write(PAIRS, tmp_path / "coats-1.0" / "data" / "pairs.jsonl")
    corpus = corpus_of(tmp_path / "coats-1.0")
    assert (corpus.name, corpus.kind, sum(1 for _ in corpus.pairs())) == ("coats-1.0", "release", 3)


def test_of_a_release_counts_what_it_says_of_its_pairs(tmp_path: Path) -> None:
    said = [("sí", True), ("no", False), ("quizá", None)]
    pairs = [
        Pair(id=label, text1="a", text2="b", label=label, meta={"positive": positive} if positive is not None else {})
        for label, positive in said
    ]
    (tmp_path / "data").mkdir()
    write(pairs, tmp_path / "data" / "pairs.jsonl")
    corpus = corpus_of(tmp_path)
    assert [(pair.label, corpus.positive(pair)) for pair in corpus.pairs()] == said


def test_of_a_project_the_labelled_pairs(project: Project) -> None:
    unlabelled = [Pair(id=pair.id, text1=pair.text1, text2=pair.text2) for pair in PAIRS]
    said = [("j1", "p1", "anna", "4>"), ("j2", "p2", "anna", "2"), ("j3", "p2", "ben", "3")]
    judgements = [Judgement(id=i, pair=p, annotator=a, value=v, scheme="turku") for i, p, a, v in said]
    put(project, *unlabelled, *judgements)
    corpus = corpus_of(project.folder)
    assert (corpus.name, corpus.kind, corpus.lang) == ("corpus", "project", "en")
    assert [(pair.id, pair.label, corpus.positive(pair)) for pair in corpus.pairs()] == [("p1", "4>", True)]


def test_a_release_whose_account_is_damaged_is_not_taken_for_one_of_people(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "pairs.jsonl").write_text('{"id": "a", "text1": "It rained.", "text2": "Rain fell."}\n')
    assert not corpus_of(tmp_path).simulated
    (tmp_path / "release.json").write_text('{"simulated": tr')
    with pytest.raises(DataError, match=r"release\.json: .*; otherwords verify .* says what else is wrong"):
        corpus_of(tmp_path)
