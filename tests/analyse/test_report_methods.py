"""The methods section: every parameter of a signature is named."""

from __future__ import annotations

import pytest

from otherwords import __version__
from otherwords.analyse.analyses import Wishes
from otherwords.analyse.finding import Column, Finding, Table
from otherwords.analyse.methods import about_chance, about_labels, about_measures
from otherwords.analyse.methods_signatures import in_words, parsed
from otherwords.analyse.report_people import People
from otherwords.annotate import schemes

V = f"version:{__version__}"


@pytest.mark.parametrize(
    ("signature", "said"),
    [
        (
            f"char-cosine|n:2-4|case:lc|{V}",
            "the cosine of the counts of character n-grams within words (n-grams of length 2-4, text in lower case)",
        ),
        (f"new-thing|width:7|{V}", "new thing (width 7)"),
        (f"tokens|tok:words and ja-mecab|{V}", "counting tokens (the tokeniser words and ja-mecab)"),
        (
            f"bleu|tok:13a|{V} and bleu|tok:ja-mecab|{V}",
            "BLEU (the tokeniser 13a) and BLEU (the tokeniser ja-mecab)",
        ),
        (
            f"fleiss|labels:full|seed:3|{V} and ac1|labels:full|seed:3|{V} and cohen-mean|labels:base|seed:3|{V}",
            "Fleiss' kappa and Gwet's AC1 (full labels) and the mean of pairwise Cohen's kappas weighted by pairs "
            "(base labels); all of them with the seed 3",
        ),
    ],
)
def test_signatures_in_words(signature: str, said: str) -> None:
    assert in_words(parsed(signature)) == said


def test_a_sentence_for_each_finding() -> None:
    findings = [
        Finding("similarity", "Lexical similarity", "", signatures={"mean": f"char-cosine|n:2-4|{V}"}),
        Finding("novel", "A new thing", "", signatures={"a": f"novel|x:1|{V}"}),
        Finding("silent", "Silent", ""),
        Finding("agreement", "Agreement", "", signatures={"t": f"agreement|bs:9|{V}", "f": f"fleiss|bs:9|n:2|{V}"}),
    ]
    assert list(about_measures(findings)) == [
        "Lexical similarity is the cosine of the counts of character n-grams within words (n-grams of length 2-4).",
        "The section “A new thing” rests on novel (x 1).",
        "Agreement was measured by Fleiss' kappa (9 bootstrap replicates, n-grams of length 2).",
    ]


def test_labels_and_where_they_come_from() -> None:
    columns = (Column("state", "state"), Column("reason", "reason"), Column("pairs", "pairs", "count"))
    states = Table("states", "", columns, [("labelled", None, 4), ("open", "a", 1), ("open", "b", 2)])
    made = Table("made_by", "", (Column("made_by", "by"), columns[2]), [("consensus", 3), ("votes", 1)])
    told = list(
        about_labels(
            People(9, 1, "2026-01-01", "2026-01-02"),
            schemes.scheme("turku"),
            [Finding("provenance", "", "", [states, made])],
        )
    )
    assert told == [
        "It rests on 9 judgements that 1 annotator gave between 2026-01-01 and 2026-01-02.",
        "Labels follow the scheme turku (“How far do the two texts mean the same?”); 3 and 4 count as paraphrases.",
        "What made a label, in pairs: the team's consensus (3) and votes (1).",
        "Pairs without a label are left out of everything here: open (3).",
    ]
    assert list(about_labels(People(), None, [])) == []


def test_chance_and_version() -> None:
    told = about_chance(Wishes(seed=5, sample=100, synonyms="/home/me/words.tsv"), [], compared=True)
    assert f"otherwords {__version__}" in told
    assert "the seed 5" in told
    assert "at most 100 pairs" in told
    assert "the file words.tsv" in told
    assert "/home" not in told
