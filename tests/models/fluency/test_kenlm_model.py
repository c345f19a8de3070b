"""KenLM on files and on one's own text."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest

from otherwords.digests import digest_file
from otherwords.models.asking import AskResult, ask
from otherwords.models.catalogue import fluency_model
from otherwords.models.edges import Item, TextProbability
from otherwords.models.fluency.training import train
from otherwords.models.fluency.words import word_splitter
from tests.conftest import ROOT
from tests.errors import raises
from tests.models.fluency.small_text import sentences

pytest.importorskip("kenlm", reason="the extra kenlm is not installed")
LMPLZ = ROOT / "tests" / "fixtures" / "lmplz.arpa"
TEXTS = ["the cat sees the moon", "moon the sees cat the", "a zebra sees the moon", "", "nobody \ud800 \0 again"]


def measured(name: str, texts: list[str]) -> AskResult[TextProbability]:
    backend = fluency_model(name)
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    return ask(backend, backend.log_probabilities, items, kind=TextProbability)


@pytest.fixture
def own_text(tmp_path: Path) -> Path:
    path = tmp_path / "own.txt"
    path.write_text("\n".join(sentences(2000)), encoding="utf-8")
    return path


def test_a_model_of_ones_own_text_is_that_of_kenlms_trainer(own_text: Path) -> None:
    ours, theirs = measured(f"ngrams:{own_text}?tok=blank", TEXTS), measured(f"kenlm:{LMPLZ}?tok=blank", TEXTS)
    for own, other in zip(ours.answers, theirs.answers, strict=True):
        assert own.reason == other.reason
        if own.value is not None and other.value is not None:
            assert own.value.tokens == other.value.tokens
            assert own.value.log10 == pytest.approx(other.value.log10, abs=1e-4)
    first, second, *_ = ours.values()
    assert first is not None
    assert second is not None
    assert (first.tokens, first.per_token > second.per_token + 1) == (6, True)
    assert ours.reasons == {"the text has no words": 1}


def test_the_probability_is_the_sum_over_words(own_text: Path) -> None:
    (answer,) = measured(f"ngrams:{own_text}?order=1", ["moon"]).values()
    (unknown,) = measured(f"ngrams:{own_text}?order=1", ["zebra"]).values()
    assert answer is not None
    assert unknown is not None
    assert answer.log10 > unknown.log10
    assert answer.perplexity == pytest.approx(math.pow(10, -answer.log10 / 2))


def test_json_lines_and_compressed_text_are_the_same_text(own_text: Path, tmp_path: Path) -> None:
    lines = own_text.read_text(encoding="utf-8").splitlines()
    (tmp_path / "own.jsonl").write_text("\n".join(json.dumps({"id": 1, "text": line}) for line in lines))
    (tmp_path / "own.txt.gz").write_bytes(gzip.compress(own_text.read_bytes()))
    expected = measured(f"ngrams:{own_text}", TEXTS).answers
    assert measured(f"ngrams:{tmp_path / 'own.jsonl'}", TEXTS).answers == expected
    assert measured(f"ngrams:{tmp_path / 'own.txt.gz'}", TEXTS).answers == expected


def test_case_and_tokeniser_are_in_the_signature(own_text: Path) -> None:
    plain, lower = fluency_model(f"ngrams:{own_text}"), fluency_model(f"ngrams:{own_text}?case=lc")
    assert plain.signature != lower.signature
    (answer,) = measured(f"ngrams:{own_text}?case=lc", ["THE CAT SEES THE MOON"]).values()
    (expected,) = measured(f"ngrams:{own_text}", ["the cat sees the moon"]).values()
    assert answer == expected


def test_a_trained_model_is_the_same_file_every_time(own_text: Path, tmp_path: Path) -> None:
    texts, splitter = own_text.read_text(encoding="utf-8").splitlines(), word_splitter("words", "mixed")
    for name in ("first", "second"):
        trained = train(texts, tmp_path / f"{name}.arpa", splitter, order=4)
    assert trained.sentences == 2000
    assert digest_file(tmp_path / "first.arpa") == digest_file(tmp_path / "second.arpa")
    assert (
        measured(f"kenlm:{tmp_path / 'first.arpa'}", TEXTS).answers
        == measured(f"ngrams:{own_text}?order=4", TEXTS).answers
    )


def test_files_of_the_wrong_kind(tmp_path: Path) -> None:
    named = tmp_path / "text.arpa"
    named.write_text("just some sentences\n", encoding="utf-8")
    with raises("wrong-model", "text.arpa"):
        fluency_model(f"kenlm:{named}")
    named.write_bytes(LMPLZ.read_bytes()[:3000])
    with raises("wrong-model"):
        measured(f"kenlm:{named}", TEXTS)
    named.write_bytes(b"mmap lm http://kheafield.com/code format version 5\n\0" + b"\0" * 500)
    with raises("wrong-model"):
        measured(f"kenlm:{named}", TEXTS)
    with raises("wrong-model", "folder"):
        fluency_model(f"kenlm:{tmp_path}")
    with raises("model-missing"):
        fluency_model(f"kenlm:{tmp_path / 'none.arpa'}")


def test_the_hash_is_checked() -> None:
    assert fluency_model(f"kenlm:{LMPLZ}?sha256={digest_file(LMPLZ)}")
    with raises("wrong-model-hash"):
        fluency_model(f"kenlm:{LMPLZ}?sha256=00ff")


def test_texts_that_nothing_can_be_learnt_from(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n \n")
    with raises("nothing-to-train"):
        measured(f"ngrams:{tmp_path / 'empty.txt'}", TEXTS)
    (tmp_path / "latin.txt").write_bytes(b"fine\nna\xefve\n")
    with raises("bad-training-text", "line 2"):
        measured(f"ngrams:{tmp_path / 'latin.txt'}", TEXTS)
    (tmp_path / "bad.jsonl").write_text('{"text": "fine"}\n{"title": "no text"}\n')
    with raises("bad-training-text", "line 2"):
        measured(f"ngrams:{tmp_path / 'bad.jsonl'}", TEXTS)
    (tmp_path / "bad.txt.gz").write_bytes(b"no gzip")
    with raises("bad-training-text"):
        measured(f"ngrams:{tmp_path / 'bad.txt.gz'}", TEXTS)
