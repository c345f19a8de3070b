"""The methods section: every parameter of a signature is named."""

from __future__ import annotations

import pytest

from otherwords import __version__
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.finding import Column, Finding, Table
from otherwords.analyse.report.methods import about_chance, about_labels, about_measures
from otherwords.analyse.report.provenance import AnnotationWork
from otherwords.analyse.report.signatures_in_words import in_words, parse_signature
from otherwords.annotate import schemes

VERSION = f"version:{__version__}"


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        (
            f"char-cosine|n:2-4|case:lc|{VERSION}",
            "the cosine of the counts of character n-grams within words (n-grams of length 2-4, text in lower case)",
        ),
        (f"new-thing|width:7|{VERSION}", "new thing (width 7)"),
        (f"tokens|tok:words and ja-mecab|{VERSION}", "counting tokens (the tokeniser words and ja-mecab)"),
        (
            f"bleu|tok:13a|{VERSION} and bleu|tok:ja-mecab|{VERSION}",
            "BLEU (the tokeniser 13a) and BLEU (the tokeniser ja-mecab)",
        ),
        (
            f"fleiss|labels:full|seed:3|{VERSION} and ac1|labels:full|seed:3|{VERSION} "
            f"and cohen-mean|labels:base|seed:3|{VERSION}",
            "Fleiss' kappa and Gwet's AC1 (full labels) and the mean of pairwise Cohen's kappas weighted by pairs "
            "(base labels); all with the seed 3",
        ),
    ],
)
def test_signatures_in_words(signature: str, words: str) -> None:
    assert in_words(parse_signature(signature)) == words


def test_a_sentence_for_each_finding() -> None:
    findings = [
        Finding("similarity", "Lexical similarity", "", signatures={"mean": f"char-cosine|n:2-4|{VERSION}"}),
        Finding("novel", "A new thing", "", signatures={"a": f"novel|x:1|{VERSION}"}),
        Finding("silent", "Silent", ""),
        Finding(
            "agreement",
            "Agreement",
            "",
            signatures={"t": f"agreement|bs:9|{VERSION}", "f": f"fleiss|bs:9|n:2|{VERSION}"},
        ),
    ]
    assert list(about_measures(findings)) == [
        "Lexical similarity is the cosine of the counts of character n-grams within words (n-grams of length 2-4).",
        "The section “A new thing” is based on novel (x 1).",
        "Agreement was measured by Fleiss' kappa (9 bootstrap replicates, n-grams of length 2).",
    ]


def test_labels_and_their_origin() -> None:
    columns = (Column("state", "state"), Column("reason", "reason"), Column("pairs", "pairs", "count"))
    states = Table("states", "", columns, [("labelled", None, 4), ("open", "a", 1), ("open", "b", 2)])
    made_by = (Column("made_by", "origin"), Column("judgements", "judgements", "count"), columns[2])
    origins = Table("made_by", "", made_by, [("consensus", 1, 3), ("judgements", 1, 1)])
    sentences = list(
        about_labels(
            AnnotationWork(9, 1, "2026-01-01", "2026-01-02", {"check": 4, "training": 2}),
            schemes.load_scheme("turku"),
            [Finding("provenance", "", "", [states, origins])],
        )
    )
    assert sentences == [
        "It is based on 9 judgements by 1 annotator, made between 2026-01-01 and 2026-01-02.",
        "6 further judgements, for check (4) and training (2), make no label.",
        "Labels follow the scheme turku (“How far do the two texts mean the same?”); 3 and 4 count as paraphrases.",
        "Of 4 labelled pairs, 1 rests on one judgement and 3 were decided by the team.",
        "Pairs without a label are excluded throughout: open (3).",
    ]
    assert list(about_labels(AnnotationWork(), None, [])) == []


def test_seed_version_and_options() -> None:
    sentence = about_chance(AnalysisOptions(seed=5, sample=100, synonyms="/home/me/words.tsv"), [], compared=True)
    assert f"otherwords {__version__}" in sentence
    assert "the seed 5" in sentence
    assert "at most 100 pairs" in sentence
    assert "the file words.tsv" in sentence
    assert "/home" not in sentence
