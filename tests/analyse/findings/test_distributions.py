"""Several corpora on equal samples: which pairs may be drawn, how many, and what is measured."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.finding import Finding
from otherwords.analyse.findings.distributions import distributions, unique_names
from otherwords.analyse.findings.samples import Sample, draw_samples
from otherwords.corpus.corpus import Corpus
from otherwords.measures import measure
from otherwords.records import Pair
from tests.analyse.corpora import cells, check, corpus, shuffled


def pair(number: int, label: str | None = None, **fields: object) -> Pair:
    texts = {"text1": f"Boat {number} is at the pier.", "text2": f"At the pier lies boat {number}."}
    return Pair(id=f"p{number}", label=label, **({**texts, **fields}))  # type: ignore[arg-type]


def draw_sample(tmp_path: Path, pairs: list[Pair], most: int = 100, seed: int = 0) -> Sample:
    return draw_samples([corpus(tmp_path / "c.jsonl", pairs)], most, seed)[0]


def ids(sample: Sample) -> set[str]:
    return {pair.id for pair in sample.pairs}


def test_positives_only_and_no_rewrites(tmp_path: Path) -> None:
    pairs = [pair(1, "4"), pair(2, "2"), pair(3, "3"), pair(4, "x"), pair(5, "4", rewrite_of="p3")]
    sample = draw_sample(tmp_path, pairs)
    assert ids(sample) == {"p1", "p3"}
    assert (sample.all_pairs, sample.eligible, sample.chosen) == (4, 2, "positives, at random")


def test_all_pairs_of_a_corpus_without_labels(tmp_path: Path) -> None:
    sample = draw_sample(tmp_path, [pair(1), pair(2)])
    assert ids(sample) == {"p1", "p2"}
    assert sample.chosen == "all pairs, whose labels say neither yes nor no, at random"


def test_one_pair_of_a_set_and_all_of_a_document(tmp_path: Path) -> None:
    texts = ["The boat left.", "The ship sailed.", "It is gone."]
    in_set = [
        pair(number, text1=text1, text2=text2, group="set")
        for number, (text1, text2) in enumerate(itertools.combinations(texts, 2))
    ]
    in_document = [pair(number, group="document") for number in range(10, 14)]
    sample = draw_sample(tmp_path, [*in_set, *in_document, pair(20), pair(21)])
    assert sample.sets == 1
    assert len(ids(sample) & {"p0", "p1", "p2"}) == 1
    assert ids(sample) >= {"p10", "p11", "p12", "p13", "p20", "p21"}
    others = {next(iter(ids(draw_sample(tmp_path, in_set, seed=seed)))) for seed in range(20)}
    assert len(others) > 1, "which pair of a set is drawn depends on the seed"


def test_only_a_positive_pair_of_a_set_is_drawn(tmp_path: Path) -> None:
    texts = ["a b", "b c", "c a"]
    pairs = [
        pair(number, label, text1=text1, text2=text2, group="set")
        for number, (text1, text2, label) in enumerate(zip(texts, texts[1:] + texts[:1], ["0", "1", "0"], strict=True))
    ]
    assert all(ids(draw_sample(tmp_path, pairs, seed=seed)) == {"p1"} for seed in range(10))


@pytest.mark.parametrize(
    ("fields", "chosen"),
    [
        (lambda number: {"scores": {"rank": number / 10}}, "the best by rank"),
        (lambda number: {"meta": {"pmi": str(number)}}, "the best by pmi"),
    ],
)
def test_a_ranked_corpus_gives_its_best(tmp_path: Path, fields: object, chosen: str) -> None:
    pairs = shuffled([pair(number, **fields(number)) for number in range(10)])  # type: ignore[operator]
    sample = draw_sample(tmp_path, pairs, most=3)
    assert ids(sample) == {"p7", "p8", "p9"}
    assert sample.chosen.endswith(chosen)


@pytest.mark.parametrize("labels", [["4", "4", "2"], [None, None, None]])
def test_scores_of_labelled_or_half_scored_corpora_do_not_rank(tmp_path: Path, labels: list[str | None]) -> None:
    pairs = [pair(number, label, scores={"rank": 1.0 * number}) for number, label in enumerate(labels)]
    pairs[0] = pair(0, labels[0])
    assert draw_sample(tmp_path, pairs).chosen.endswith("at random")


def test_samples_are_equal_and_the_same_in_any_order(tmp_path: Path) -> None:
    many = [pair(number, "1") for number in range(50)]
    few = [pair(number, "1") for number in range(100, 108)]
    first = draw_samples([corpus(tmp_path / "a.jsonl", many), corpus(tmp_path / "b.jsonl", few)], 12_000, 3)
    assert [len(sample.pairs) for sample in first] == [8, 8]
    again = draw_samples([corpus(tmp_path / "a.jsonl", shuffled(many)), corpus(tmp_path / "b.jsonl", few)], 12_000, 3)
    assert [ids(sample) for sample in first] == [ids(sample) for sample in again]
    other = draw_samples([corpus(tmp_path / "a.jsonl", many), corpus(tmp_path / "b.jsonl", few)], 12_000, 4)
    assert ids(first[0]) != ids(other[0])
    assert [len(sample.pairs) for sample in draw_samples([first[0].corpus, first[1].corpus], 5, 3)] == [5, 5]


def compared(tmp_path: Path, options: AnalysisOptions | None = None) -> tuple[list[Corpus], Finding]:
    near = [pair(number, "1") for number in range(6)]
    far = [pair(number, "1", text2="Nothing alike.") for number in range(6)]
    (tmp_path / "x").mkdir()
    corpora = [corpus(tmp_path / "near.jsonl", near), corpus(tmp_path / "x" / "near.jsonl", far)]
    finding = distributions(corpora, options or AnalysisOptions())
    assert finding is not None
    check(finding, tmp_path)
    return corpora, finding


def test_weights_are_fitted_to_all_samples_together(tmp_path: Path) -> None:
    corpora, finding = compared(tmp_path)
    texts = (
        [[pair.text1 for pair in source.pairs()] for source in corpora],
        [[pair.text2 for pair in source.pairs()] for source in corpora],
    )
    fitted = measure("char-cosine-tfidf")
    fitted.fit(side for sides in texts for side in sides)
    rows = cells(finding, "samples")
    assert [row["corpus"] for row in rows] == ["near", "near (2)"]
    assert [row["mean"] for row in rows] == [
        pytest.approx(float(fitted.scores(texts1, texts2).mean())) for texts1, texts2 in zip(*texts, strict=True)
    ]
    assert finding.signatures["strata"].endswith("|sample:6|seed:0")
    assert "fit:24-" in finding.signatures["strata"]
    for name in ("share near", "share near (2)"):
        assert sum(row[name] for row in cells(finding, "strata")) == pytest.approx(1.0)
    assert finding.remarks == [
        "the samples are small: 6 pairs of each corpus",
        "no lines are drawn: fewer than 20 pairs of each corpus are too few to show a shape",
    ]
    assert not finding.figures


def test_a_corpus_without_positives_is_named(tmp_path: Path) -> None:
    corpora = [corpus(tmp_path / "a.jsonl", [pair(1, "1")]), corpus(tmp_path / "b.jsonl", [pair(2, "0")])]
    finding = distributions(corpora, AnalysisOptions())
    assert finding is not None
    assert finding.remarks == ["there are no pairs in b that could be compared, so equal samples cannot be drawn"]


def test_equal_names_are_numbered() -> None:
    assert unique_names(["a", "b", "a", "a"]) == ["a", "b", "a (2)", "a (3)"]
    assert unique_names(["a (2)", "a", "a"]) == ["a (2)", "a", "a (3)"]
