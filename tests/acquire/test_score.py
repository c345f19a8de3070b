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
from otherwords.acquire.batches import Chosen
from otherwords.acquire.score import score_file, scored
from otherwords.errors import DataError, UsageError
from otherwords.measures import MEASURES, measure
from otherwords.records import Pair
from otherwords.sources import reading, write

words = st.text(st.characters(codec="utf-8"), max_size=30)
pairs_of_text = st.lists(st.tuples(words, words), max_size=20)


def pairs(texts: list[tuple[str, str]]) -> list[Pair]:
    return [Pair(id=str(number), text1=one, text2=two) for number, (one, two) in enumerate(texts)]


@settings(max_examples=25, deadline=None)
@given(pairs_of_text)
def test_serial_equals_parallel_and_order_is_kept(texts: list[tuple[str, str]]) -> None:
    measures = Chosen([name for name in MEASURES if name != "char-cosine-tfidf"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "PAIRS_A_BATCH", 3)
        serial = list(scored(pairs(texts), measures, threads=1))
        parallel = list(scored(pairs(texts), measures, threads=4))
    whole = list(scored(pairs(texts), measures))
    assert serial == parallel == whole
    assert [pair.id for pair in serial] == [pair.id for pair in pairs(texts)]


def test_scores_are_those_of_the_measure_and_old_ones_stay() -> None:
    pair = Pair(id="a", text1="a b c", text2="b c d", scores={"lex-similarity": 0.5})
    [done] = scored([pair], Chosen(["jaccard"]))
    assert done.scores == {"lex-similarity": 0.5, "jaccard": 0.5}


def signature(pair: Pair, **wishes: str) -> str:
    chosen = Chosen(["jaccard"], **wishes)
    list(scored([pair], chosen))
    return chosen.signatures()["jaccard"]


def test_a_pair_tells_its_language_and_tokens() -> None:
    cut = Pair(id="a", text1="a-b c", text2="a-b d", meta={"tokeniser": "blank"})
    assert "tok:blank" in signature(cut)
    japanese = Pair(id="a", text1="犬", text2="猫", lang="ja")
    assert "tok:ja-mecab" in signature(japanese)
    assert "tok:words" in signature(japanese, tokeniser="words")
    assert "tok:ja-mecab" in signature(Pair(id="a", text1="犬", text2="猫"), lang="ja")
    assert "tok:words" in signature(Pair(id="a", text1="dog", text2="cat", lang="en"), lang="ja")


def test_a_score_does_not_depend_on_the_pairs_around_it() -> None:
    english = Pair(id="e", text1="the dog sleeps", text2="a dog sleeps", lang="en")
    japanese = Pair(id="j", text1="犬が静かに眠る。", text2="犬は静かに寝る。", lang="ja")
    chosen = Chosen(["jaccard"])
    both = {pair.id: pair.scores for pair in scored([english, japanese], chosen)}
    assert both == {pair.id: pair.scores for pair in scored([japanese, english], Chosen(["jaccard"]))}
    [alone] = scored([japanese], Chosen(["jaccard"]))
    assert both["j"] == alone.scores
    assert " and " in chosen.signatures()["jaccard"]


@pytest.mark.parametrize("told", [5, {"a": 1}, "bert-base"])
def test_a_tokeniser_that_is_none_is_said_with_its_pair(told: object) -> None:
    with pytest.raises(DataError, match=r"pair p7: meta\.tokeniser is"):
        list(scored([Pair(id="p7", text1="a", text2="b", meta={"tokeniser": told})], Chosen(["jaccard"])))


def test_a_language_that_is_none_is_said_with_its_pair() -> None:
    with pytest.raises(DataError, match="pair p7:"):
        list(scored([Pair(id="p7", text1="a", text2="b", lang="no language!")], Chosen(["jaccard"])))


def test_all_does_not_hide_what_else_is_asked_for() -> None:
    assert Chosen(["all", "bleu:tok=intl"]).specs == [*MEASURES, "bleu:tok=intl"]
    with pytest.raises(UsageError, match="unknown measure 'foo'"):
        Chosen(["all", "foo"])


def test_tfidf_sees_all_texts_before_it_scores(tmp_path: Path) -> None:
    rows = pairs([("one red house", "a red house"), ("one blue boat", "a green house"), ("sail", "sails")])
    write(rows, tmp_path / "in.jsonl")
    done = score_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", ["char-cosine-tfidf"])
    fitted = measure("char-cosine-tfidf")
    texts = pa.array([p.text1 for p in rows]), pa.array([p.text2 for p in rows])
    fitted.fit(texts)
    expected = fitted.scores(*texts)
    with reading(tmp_path / "out.jsonl") as out:
        values = [pair.scores["char-cosine-tfidf"] for pair in out.pairs()]
    assert np.array_equal(values, expected)
    assert done.signatures == json.loads((tmp_path / "out.jsonl.signatures.json").read_text())
    assert "fit:6-" in done.signatures["char-cosine-tfidf"]


def test_tfidf_works_on_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(pairs([("one red house", "a red house"), ("sail", "sails")]), tmp_path / "in.jsonl")
    stdin = io.TextIOWrapper(io.BytesIO((tmp_path / "in.jsonl").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    score_file("-", tmp_path / "piped.jsonl", ["char-cosine-tfidf"], format="jsonl")
    score_file(tmp_path / "in.jsonl", tmp_path / "named.jsonl", ["char-cosine-tfidf"])
    assert (tmp_path / "piped.jsonl").read_bytes() == (tmp_path / "named.jsonl").read_bytes()


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl.gz", "jsonl.zst"])
def test_scores_come_back_from_every_table(tmp_path: Path, suffix: str) -> None:
    chance = random.Random(1)
    texts = [(" ".join(chance.choices("abcdefg", k=5)), " ".join(chance.choices("abcdefg", k=5))) for _ in range(50)]
    write(pairs(texts), tmp_path / "in.jsonl")
    for name in ("out.jsonl", f"out.{suffix}"):
        score_file(tmp_path / "in.jsonl", tmp_path / name, ["jaccard", "bleu", "overlap:n=1-2"])
    with reading(tmp_path / "out.jsonl") as one, reading(tmp_path / f"out.{suffix}") as two:
        assert list(one) == list(two)


def test_a_bad_row_leaves_no_output(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text1": "a", "text2": "b"}\n{"text1": 1}\n')
    with pytest.raises(DataError, match="line 2"):
        score_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", ["jaccard"])
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_an_unknown_measure_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    write(pairs([("a", "b")]), tmp_path / "in.jsonl")
    with pytest.raises(UsageError, match="unknown measure"):
        score_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", ["likeness"])
    assert not (tmp_path / "out.jsonl").exists()


def test_tfidf_and_quarantine_go_together(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text1": "a b", "text2": "b c"}\nnot json\n')
    wishes = {"on_error": "quarantine", "quarantine": tmp_path / "bad.jsonl"}
    done = score_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", ["char-cosine-tfidf"], **wishes)
    assert done.reading.account.rows == 1
    assert len((tmp_path / "bad.jsonl").read_text().splitlines()) == 1


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path) -> None:
    write(pairs([("a", "b")]), tmp_path / "in.jsonl")
    (tmp_path / "target.jsonl").touch(mode=0o600)
    (tmp_path / "link.jsonl").symlink_to("target.jsonl")
    score_file(tmp_path / "in.jsonl", tmp_path / "link.jsonl", ["jaccard"])
    assert (tmp_path / "link.jsonl").is_symlink()
    assert '"jaccard"' in (tmp_path / "target.jsonl").read_text()
    assert (tmp_path / "target.jsonl").stat().st_mode & 0o777 == 0o600
