"""Self-BLEU and PINC of small corpora: by hand, and beside the measures that compute them."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.analyse.findings.diversity import ReferenceSets
from otherwords.measures import measure
from otherwords.measures.bleu import Bleu
from otherwords.measures.options import Options
from otherwords.records import Pair
from tests.analyse.corpora import cells, checked_finding, corpus, run_analysis, shuffled

SOURCES = ["the boat sank off the old harbour", "three goats stood on the hill at dawn"]
OUTPUTS = ["the boat went down off the old harbour", "a boat sank", "at dawn three goats stood on the hill", "goats"]
PAIRS = [
    Pair(id="1", text1=SOURCES[0], text2=OUTPUTS[0], label="1"),
    Pair(id="2", text1=SOURCES[0], text2=OUTPUTS[1], label="1"),
    Pair(id="3", text1=SOURCES[1], text2=OUTPUTS[2], label="1"),
    Pair(id="4", text1=SOURCES[1], text2=OUTPUTS[3], label="0"),
]


def test_by_label(tmp_path: Path) -> None:
    bleu = Bleu.build(Options.parse("bleu"))
    finding = checked_finding("diversity", corpus(tmp_path / "pairs.jsonl", PAIRS, lang="en"))
    rows = {row["label"]: row for row in cells(finding, "diversity")}
    assert list(rows) == ["1", "0", "(positives)", "(negatives)", "(all)"]
    for label, pairs in (("1", PAIRS[:3]), ("(positives)", PAIRS[:3]), ("0", PAIRS[3:]), ("(all)", PAIRS)):
        texts1, texts2 = [pair.text1 for pair in pairs], [pair.text2 for pair in pairs]
        assert rows[label]["pairs"] == len(pairs)
        assert rows[label]["self_bleu"] == pytest.approx(bleu.corpus(texts1, texts2))
        assert rows[label]["pinc"] == pytest.approx(measure("pinc").scores(texts1, texts2).mean())
    assert "bleu|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp" in finding.signatures["self_bleu"]
    assert "pinc|n:1-4" in finding.signatures["pinc"]


def test_reference_sets_are_of_paraphrases(tmp_path: Path) -> None:
    finding = checked_finding("diversity", corpus(tmp_path / "pairs.jsonl", PAIRS, lang="en"))
    [row] = cells(finding, "reference_sets")
    scores = measure("bleu").scores([SOURCES[0]] * 2, OUTPUTS[:2]).tolist()
    assert (row["sources"], row["references"]) == (1, 2.0)
    assert (row["least"], row["highest"]) == (min(scores), max(scores))
    assert row["mean"] == pytest.approx(sum(scores) / 2)
    assert "eff:yes" in finding.signatures["reference_sets"]


def test_reference_sets_by_hand() -> None:
    sets = ReferenceSets()
    scored = [(1, 1, 10.0), (2, 1, 80.0), (1, 2, 30.0), (3, 1, 55.0), (2, 3, 40.0), (1, 4, 20.0), (3, 1, 55.0)]
    for source, paraphrase, score in scored:
        sets.add(source, paraphrase, score)
    table = sets.table()
    assert table is not None
    assert table.rows == [[2, 2.5, 25.0, 40.0, 55.0]]
    assert ReferenceSets().table() is None


def test_copies_and_texts_without_shared_words(tmp_path: Path) -> None:
    copies = [Pair(id="1", text1=SOURCES[0], text2=SOURCES[0])]
    row, _ = cells(checked_finding("diversity", corpus(tmp_path / "copies.jsonl", copies, lang="en")), "diversity")
    assert (row["label"], row["self_bleu"], row["pinc"]) == ("(none)", pytest.approx(100.0), 0.0)
    strangers = [Pair(id="1", text1="boats sink", text2="goats eat grass")]
    row, _ = cells(
        checked_finding("diversity", corpus(tmp_path / "strangers.jsonl", strangers, lang="en")), "diversity"
    )
    assert (row["self_bleu"], row["pinc"]) == (0.0, 1.0)


def test_order_does_not_matter(tmp_path: Path) -> None:
    many = [
        Pair(id=str(number), text1=SOURCES[number % 2], text2=f"{OUTPUTS[number % 4]} {'again ' * (number % 7)}")
        for number in range(200)
    ]
    straight = checked_finding("diversity", corpus(tmp_path / "one.jsonl", many, lang="en"))
    other = checked_finding("diversity", corpus(tmp_path / "two.jsonl", shuffled(many), lang="en"))
    assert straight.as_dict() == other.as_dict()


def test_each_language_has_its_own_tokeniser(tmp_path: Path) -> None:
    pairs = [PAIRS[0], Pair(id="9", text1="船沉没了", text2="船沉了", lang="zh", label="1")]
    finding = checked_finding("diversity", corpus(tmp_path / "pairs.jsonl", pairs))
    assert "tok:13a" in finding.signatures["self_bleu"]
    assert "tok:zh" in finding.signatures["self_bleu"]


def test_rewrites_alone_give_no_finding(tmp_path: Path) -> None:
    rewrites = [Pair(id="1", text1="A", text2="B", rewrite_of="0", label="4")]
    assert run_analysis("diversity", corpus(tmp_path / "pairs.jsonl", rewrites)) is None
