from __future__ import annotations

import io
import json
import random
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.acquire import batches
from otherwords.acquire.batches import SelectedMeasures
from otherwords.acquire.score import score_file, score_pairs
from otherwords.errors import DataError
from otherwords.measures import complete_measures, measure
from otherwords.records import Pair
from otherwords.sources import open_records, write_records
from tests.errors import raises

words = st.text(st.characters(codec="utf-8"), max_size=30)
pairs_of_text = st.lists(st.tuples(words, words), max_size=20)


def pairs(texts: list[tuple[str, str]]) -> list[Pair]:
    return [Pair(id=str(number), text1=text1, text2=text2) for number, (text1, text2) in enumerate(texts)]


@settings(max_examples=25)
@given(pairs_of_text)
def test_serial_equals_parallel_and_order_is_kept(texts: list[tuple[str, str]]) -> None:
    measures = SelectedMeasures([name for name in complete_measures() if name != "char-cosine-tfidf"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "PAIRS_PER_BLOCK", 3)
        serial = list(score_pairs(pairs(texts), measures, threads=1))
        parallel = list(score_pairs(pairs(texts), measures, threads=4))
    whole = list(score_pairs(pairs(texts), measures))
    assert serial == parallel == whole
    assert [pair.id for pair in serial] == [pair.id for pair in pairs(texts)]


def test_scores_are_those_of_the_measure_and_old_ones_stay() -> None:
    pair = Pair(id="a", text1="a b c", text2="b c d", scores={"lex-similarity": 0.5})
    [done] = score_pairs([pair], SelectedMeasures(["jaccard"]))
    assert done.scores == {"lex-similarity": 0.5, "jaccard": 0.5}


def signature(pair: Pair, **options: str) -> str:
    chosen = SelectedMeasures(["jaccard"], **options)
    list(score_pairs([pair], chosen))
    return chosen.signatures()["jaccard"]


def test_a_pair_states_its_language_and_tokeniser() -> None:
    tokenised = Pair(id="a", text1="a-b c", text2="a-b d", meta={"tokeniser": "blank"})
    assert "tok:blank" in signature(tokenised)
    japanese = Pair(id="a", text1="犬", text2="猫", lang="ja")
    assert "tok:ja-mecab" in signature(japanese)
    assert "tok:words" in signature(japanese, tokeniser="words")
    assert "tok:ja-mecab" in signature(Pair(id="a", text1="犬", text2="猫"), lang="ja")
    assert "tok:words" in signature(Pair(id="a", text1="dog", text2="cat", lang="en"), lang="ja")


def test_a_score_does_not_depend_on_the_pairs_around_it() -> None:
    english = Pair(id="e", text1="the dog sleeps", text2="a dog sleeps", lang="en")
    japanese = Pair(id="j", text1="犬が静かに眠る。", text2="犬は静かに寝る。", lang="ja")
    chosen = SelectedMeasures(["jaccard"])
    both = {pair.id: pair.scores for pair in score_pairs([english, japanese], chosen)}
    assert both == {pair.id: pair.scores for pair in score_pairs([japanese, english], SelectedMeasures(["jaccard"]))}
    [alone] = score_pairs([japanese], SelectedMeasures(["jaccard"]))
    assert both["j"] == alone.scores
    assert " and " in chosen.signatures()["jaccard"]


@pytest.mark.parametrize("name", [5, {"a": 1}, "bert-base"])
def test_a_wrong_tokeniser_is_reported_with_its_pair(name: object) -> None:
    with raises("unknown-tokeniser", match=r"pair p7: "):
        list(
            score_pairs([Pair(id="p7", text1="a", text2="b", meta={"tokeniser": name})], SelectedMeasures(["jaccard"]))
        )


def test_a_wrong_language_is_reported_with_its_pair() -> None:
    with raises("not-a-language", match="pair p7:"):
        list(score_pairs([Pair(id="p7", text1="a", text2="b", lang="no language!")], SelectedMeasures(["jaccard"])))


def test_all_can_be_combined_with_other_measures() -> None:
    assert SelectedMeasures(["all", "bleu:tok=intl"]).specs == [*complete_measures(), "bleu:tok=intl"]
    with raises("unknown-measure", match="'foo'"):
        SelectedMeasures(["all", "foo"])


def test_tfidf_sees_all_texts_before_it_scores(tmp_path: Path) -> None:
    rows = pairs([("one red house", "a red house"), ("one blue boat", "a green house"), ("sail", "sails")])
    write_records(rows, tmp_path / "in.jsonl")
    done = score_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", ["char-cosine-tfidf"])
    fitted = measure("char-cosine-tfidf")
    texts = pa.array([p.text1 for p in rows]), pa.array([p.text2 for p in rows])
    fitted.fit(texts)
    expected = fitted.scores(*texts)
    with open_records(tmp_path / "out.jsonl") as out:
        values = [pair.scores["char-cosine-tfidf"] for pair in out.pairs()]
    assert np.array_equal(values, expected)
    assert done.signatures == json.loads((tmp_path / "out.jsonl.signatures.json").read_text())
    assert "fit:6-" in done.signatures["char-cosine-tfidf"]


def test_tfidf_works_on_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_records(pairs([("one red house", "a red house"), ("sail", "sails")]), tmp_path / "in.jsonl")
    stdin = io.TextIOWrapper(io.BytesIO((tmp_path / "in.jsonl").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    score_file("-", tmp_path / "piped.jsonl", ["char-cosine-tfidf"], format="jsonl")
    score_file(tmp_path / "in.jsonl", tmp_path / "named.jsonl", ["char-cosine-tfidf"])
    assert (tmp_path / "piped.jsonl").read_bytes() == (tmp_path / "named.jsonl").read_bytes()


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl.gz", "jsonl.zst"])
def test_scores_come_back_from_every_table(tmp_path: Path, suffix: str) -> None:
    chance = random.Random(1)
    texts = [(" ".join(chance.choices("abcdefg", k=5)), " ".join(chance.choices("abcdefg", k=5))) for _ in range(50)]
    write_records(pairs(texts), tmp_path / "in.jsonl")
    for name in ("out.jsonl", f"out.{suffix}"):
        score_file(tmp_path / "in.jsonl", tmp_path / name, ["jaccard", "bleu", "overlap:n=1-2"])
    with open_records(tmp_path / "out.jsonl") as first, open_records(tmp_path / f"out.{suffix}") as second:
        assert list(first) == list(second)


def test_a_bad_row_leaves_no_output(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text1": "a", "text2": "b"}\n{"text1": 1}\n')
    with pytest.raises(DataError, match="line 2"):
        score_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", ["jaccard"])
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_an_unknown_measure_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    write_records(pairs([("a", "b")]), tmp_path / "in.jsonl")
    with raises("unknown-measure"):
        score_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", ["likeness"])
    assert not (tmp_path / "out.jsonl").exists()


def test_tfidf_and_quarantine_go_together(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text1": "a b", "text2": "b c"}\nnot json\n')
    options = {"on_error": "quarantine", "quarantine": tmp_path / "bad.jsonl"}
    done = score_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", ["char-cosine-tfidf"], **options)
    assert done.reading.account.rows == 1
    assert len((tmp_path / "bad.jsonl").read_text().splitlines()) == 1


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path) -> None:
    write_records(pairs([("a", "b")]), tmp_path / "in.jsonl")
    (tmp_path / "target.jsonl").touch(mode=0o600)
    (tmp_path / "link.jsonl").symlink_to("target.jsonl")
    score_file(tmp_path / "in.jsonl", tmp_path / "link.jsonl", ["jaccard"])
    assert (tmp_path / "link.jsonl").is_symlink()
    assert '"jaccard"' in (tmp_path / "target.jsonl").read_text()
    assert (tmp_path / "target.jsonl").stat().st_mode & 0o777 == 0o600
