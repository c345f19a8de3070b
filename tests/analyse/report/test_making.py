"""How a corpus was made is said in sentences: right numbers, right grammar, and the same in methods and card."""

from __future__ import annotations

import pytest
from sqlalchemy import insert

from otherwords.analyse.card.build import card
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.report.build import build_sheet
from otherwords.analyse.report.making import about_alignments, about_origins, label_origins
from otherwords.corpus.corpus import open_corpus
from otherwords.corpus.release.build import release
from otherwords.corpus.verify.verify import problems_before_release
from otherwords.project import Project
from otherwords.project.alignments import AlignmentCounts, alignment_counts
from otherwords.project.ledger import schema
from otherwords.records import Document, DocumentPair, Gold
from tests.corpus.released_corpus import add, judgement, pair, release_options

STEP = {"kind": "align-news", "key": "k", "inputs": {}, "version": 1, "state": "done", "counts": {}}
STEP |= {"started": "2026-01-01", "finished": "2026-01-02", "rows_in": 4, "rows_out": 2}


@pytest.mark.parametrize(
    ("origins", "sentence"),
    [
        ({}, ""),
        ({("judgements", 1): 1}, "Of 1 labelled pair, 1 rests on one judgement."),
        (
            {("judgements", 1): 44, ("judgements", 2): 12, ("judgements", 3): 1, ("judgements", 5): 2, ("votes", 6): 1},
            "Of 60 labelled pairs, 44 rest on one judgement, 12 rest on two judgements that agree, 3 rest on three or "
            "more judgements and 1 was decided by votes.",
        ),
        (
            {("consensus", 1): 11, ("qa", 1): 1, ("rewrite", 1): 2, ("import", 0): 1},
            "Of 15 labelled pairs, 11 were decided by the team, 1 has the answer of a round of quality control, 2 are "
            "rewrites by annotators and 1 has the label that it was imported with.",
        ),
    ],
)
def test_who_decided_the_labels(origins: dict[tuple[str, int], int], sentence: str) -> None:
    assert about_origins(origins) == sentence


@pytest.mark.parametrize(
    ("counts", "sentences"),
    [
        (
            AlignmentCounts("subtitles", 0.2, 0.9, 2, 40, 30, finished=20, empty=1, pairs=120),
            [
                "Versions of the same film or episode were paired if their similarity was between 0.2 and 0.9 in 2 "
                "rounds: 40 documents gave 30 document pairs.",
                "Of these document pairs, 1 was found to have no paraphrases.",
                "By hand, 120 pairs were extracted from 20 document pairs.",
            ],
        ),
        (
            AlignmentCounts("forum", 0.35, 0.9, 1, 1, 9, rejected=4, empty=2, finished=1, pairs=1),
            [
                "Messages that open a thread were paired if their similarity was between 0.35 and 0.9: 1 document gave "
                "9 document pairs.",
                "Of these document pairs, 4 were rejected and 2 were found to have no paraphrases.",
                "By hand, 1 pair was extracted from 1 document pair.",
            ],
        ),
        (
            AlignmentCounts("headings", 0.45, None, 1, 12, pairs=14),
            [
                "Headings of similar news articles were paired if the similarity was at least 0.45: 12 documents gave "
                "14 pairs."
            ],
        ),
        (AlignmentCounts("posts", rounds=1, documents=7), ["Posts were grouped."]),
        (
            AlignmentCounts("mine", documents=2, document_pairs=1),
            ["Documents were paired by the method mine: 2 documents gave 1 document pair."],
        ),
    ],
)
def test_how_documents_were_paired(counts: AlignmentCounts, sentences: list[str]) -> None:
    assert list(about_alignments([counts])) == sentences


@pytest.fixture
def corpus(project: Project) -> Project:
    """Four documents in two pairs of documents, from one of which pairs were extracted and judged."""
    texts = [Document(id=f"d{number}", text=f"Text {number}.", source="news", licence="CC0-1.0") for number in range(4)]
    add(project, *texts)
    common = {"method": "news", "similarity": 0.5}
    add(project, DocumentPair(id="a", doc1="d0", doc2="d1", status="finished", **common))
    add(project, DocumentPair(id="b", doc1="d2", doc2="d3", status="empty", **common))
    add(project, DocumentPair(id="c", doc1="d0", doc2="d3", status="superseded", **common))
    add(project, *(pair(number, method="extract", meta={"document_pair": "a"}) for number in range(4)))
    add(project, judgement("p00", "4"), judgement("p01", "3"), judgement("p01", "3", "bertil"), judgement("p02", "2"))
    add(project, judgement("p03", "4"), judgement("p03", "3", "bertil"), judgement("p03", "4", None, kind="consensus"))
    runs = [STEP | {"name": "news", "parameters": {"low": 0.4 + number / 10, "high": 0.9}} for number in range(2)]
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.steps), runs)
    return project


def test_the_ledger_says_how_documents_were_paired(corpus: Project) -> None:
    with corpus.ledger.reading() as connection:
        assert alignment_counts(connection) == [
            AlignmentCounts("news", 0.5, 0.9, 1, documents=4, document_pairs=2, finished=1, empty=1, pairs=4)
        ]


def test_the_card_sums_up_answers_against_a_truth_that_is_not_released(project: Project) -> None:
    for number, truth in enumerate(("machine", "machine", "people")):
        new = pair(number, gold=Gold(label=truth, explanation="It was drawn by lot."))
        answer = judgement(new.id, "machine", "bertil", id=f"answer-{number}", scheme="machine-or-not")
        add(project, new, judgement(new.id, "4"), answer)
    folder = release(project, release_options(by="none"), card, problems_before_release).folder
    assert "| machine | 2 | 2 | 0.667 | 1.000 | 0.800 |" in (folder / "README.md").read_text("utf-8")
    released = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    assert not any(b"by lot" in content or b'"gold"' in content for content in released)


def test_methods_and_card_say_the_same(corpus: Project) -> None:
    labels = (
        "Of 4 labelled pairs, 2 rest on one judgement, 1 rests on two judgements that agree and 1 was decided by the "
        "team."
    )
    paired = (
        "News articles were paired if their similarity was between 0.5 and 0.9: 4 documents gave 2 document pairs. Of "
        "these document pairs, 1 was found to have no paraphrases. By hand, 4 pairs were extracted from 1 document "
        "pair."
    )
    assert label_origins(open_corpus(corpus.folder).pairs()).total() == 4
    options = AnalysisOptions(replicates=10, examples=0)
    folder = release(corpus, release_options(by="none"), card, problems_before_release).folder
    readme = (folder / "README.md").read_text("utf-8")
    for path in (corpus.folder, folder):
        sheet = build_sheet(open_corpus(path), options, simulated=False, progress=lambda done: None)
        assert labels in sheet.methods[0]
        assert paired in sheet.methods[0]
    assert f"{paired} {labels}" in readme
