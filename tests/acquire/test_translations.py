"""Pairs of several systems' outputs: quality by hand, exact ranges, an equal draw, and a reason for every row."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from otherwords.acquire.translations import (
    BEYOND,
    EXACT,
    NO_BACK,
    NO_OUTPUT,
    OVERLAP,
    QUALITY,
    RANGES,
    SystemOutputs,
    translation_pairs,
)
from otherwords.records import Document
from otherwords.sources.reading import open_records

SOURCES = [
    Document(id="s1", text="the ferry leaves the harbour at six", lang="en"),
    Document(id="s2", text="seals rest on the rocks", lang="en"),
    Document(id="s3", text="the bells ring at noon", lang="en"),
]
FIRST = SystemOutputs(
    "one",
    {"s1": "el barco deja el puerto a las seis", "s2": "las focas descansan en las rocas", "s3": "suenan campanas"},
    {"s1": "the ferry leaves the harbour at six", "s2": "the seals rest on the rocks"},
    back_reasons={"s3": "no answer within 5 seconds"},
)
SECOND = SystemOutputs(
    "two",
    {"s1": "el barco sale del puerto a las seis", "s2": "las focas descansan en las rocas"},
    {"s1": "the ferry leaves the harbour at six", "s2": "seals rest on the rocks"},
    {"s3": "the answer is empty"},
)


def test_every_source_has_a_row_and_a_reason() -> None:
    result = translation_pairs(SOURCES, [FIRST, SECOND], lang="es", per_range=10)
    assert [row.document for row in result.rows] == ["s1", "s2", "s3"]
    assert [row.reason for row in result.rows] == [None, EXACT, f"two: {NO_OUTPUT}: the answer is empty"]
    assert [pair.text1 for pair in result.pairs] == [FIRST.outputs["s1"]]
    assert result.reasons.total() + len(result.pairs) == len(SOURCES)


def test_the_pair_says_what_made_it() -> None:
    (pair,) = translation_pairs(SOURCES, [FIRST, SECOND], lang="es", per_range=10, seed=5).pairs
    assert pair.lang == "es"
    assert pair.scores[OVERLAP] == pytest.approx(6 / 9)
    assert pair.scores[QUALITY] == pytest.approx(1.0)
    made = pair.meta["made"]
    assert (made["systems"], made["range"], made["seed"]) == (["one", "two"], "[0.6, 0.7)", 5)
    assert made["source"] == SOURCES[0].text
    assert pair.doc1 is not None
    assert (pair.doc1.id, pair.doc1.start) == ("s1", None)


def test_quality_is_the_product_of_two_smoothed_bleus() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    bleu = sacrebleu.metrics.BLEU(smooth_method="add-k", smooth_value=1, effective_order=True)
    backs = {"s1": "a ferry leaves our harbour at six", "s2": "seals lie on rocks"}
    second = SystemOutputs("two", {"s1": "x y z", "s2": "u v"}, backs)
    rows = {row.document: row for row in translation_pairs(SOURCES, [FIRST, second], lang="es", per_range=9).rows}
    for source in SOURCES[:2]:
        expected = 1.0
        for system in (FIRST, second):
            assert system.backs is not None
            expected *= bleu.sentence_score(system.backs[source.id], [source.text]).score / 100
        assert rows[source.id].quality == pytest.approx(expected, abs=1e-12)


def test_a_source_that_was_not_translated_back_is_not_drawn() -> None:
    second = SystemOutputs("two", {"s3": "las campanas tocan"}, {"s3": "the bells ring"})
    (row,) = translation_pairs(SOURCES[2:], [FIRST, second], lang="es", per_range=9).rows
    assert row.reason == f"one: {NO_BACK}: no answer within 5 seconds"


def test_the_best_of_each_range_are_drawn() -> None:
    sources = [Document(id=f"s{n}", text="one two three four five six", lang="en") for n in range(6)]
    words = ["one", "two", "three", "four", "five", "six"]
    first = SystemOutputs("a", {s.id: "k l m n" for s in sources}, {s.id: s.text for s in sources})
    backs = {s.id: " ".join(words[: n + 1] + ["x"] * (5 - n)) for n, s in enumerate(sources)}
    second = SystemOutputs("b", {s.id: "k l m o" for s in sources}, backs)
    result = translation_pairs(sources, [first, second], lang="en", per_range=2)
    assert {pair.doc1.id for pair in result.pairs if pair.doc1} == {"s5", "s4"}
    assert result.reasons == {BEYOND: 4}
    assert result.ranges()["[0.6, 0.7)"] == {"pairs": 6, "chosen": 2}


def test_three_systems_make_three_pairs_and_without_backs_the_draw_is_by_seed() -> None:
    systems = [SystemOutputs(name, {"s1": f"{name} said it so"}) for name in "abc"]
    result = translation_pairs(SOURCES[:1], systems, lang="en", per_range=1)
    assert [(row.system1, row.system2) for row in result.rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert len(result.pairs) == 1
    drawn = {
        translation_pairs(SOURCES[:1], systems, lang="en", per_range=1, seed=seed).pairs[0].id for seed in range(20)
    }
    assert len(drawn) == 3


def test_the_outputs_of_the_paper_fall_into_its_ranges(shared_data: Path) -> None:
    """Table 1 of Suzuki et al. from 0.5 up: positives and negatives of the machine-made pairs."""
    with open_records(shared_data / "tmup" / "tmup.tsv", format="tmup") as corpus:
        pairs = [pair for pair in corpus.pairs() if pair.meta["origin"] == "machine-translated"]
    sources = [Document(id=pair.id, text=pair.id, lang="en") for pair in pairs]
    systems = [
        SystemOutputs(name, {pair.id: getattr(pair, side) for pair in pairs})
        for name, side in (("PBMT", "text1"), ("NMT", "text2"))
    ]
    rows = translation_pairs(sources, systems, lang="ja", per_range=1000, tokeniser="blank").rows
    counts = Counter(row.range for row in rows)
    table = {"[0.5, 0.6)": 34 + 16, "[0.6, 0.7)": 38 + 13, "[0.7, 0.8)": 53 + 12, "[0.8, 0.9)": 81 + 3}
    assert {name: counts[name] for name in table} == table
    assert len(rows) == len(pairs)
    assert len(rows) == 363 + 102
    assert RANGES == 10
