"""A trained generator is a folder that repeats, goes on when it was killed, and writes without otherwords."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import otherwords
from otherwords.learn.generation.training.pairs import read_paraphrases
from otherwords.learn.generation.training.run import open_generator_run
from otherwords.learn.generation.training.train import GeneratorRequest, train_generator
from tests.errors import raises
from tests.learn.generation.training.tiny import REGULAR, SENTENCES, llama, t5
from tests.learn.neural.conftest import _threads_as_before as _threads_as_before

BLEU_FREE = {"max_bleu": 100.0, "threads": 1}


class Killed(Exception):
    """In place of a signal."""


@pytest.fixture(scope="module")
def causal_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers", reason="the extra hf is not installed")
    return llama(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def t5_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers", reason="the extra hf is not installed")
    return t5(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Six paraphrases, and for each of them a pair that is none."""
    rows = []
    for number, (source, output) in enumerate(SENTENCES):
        rows.append({"id": f"p{number}", "text1": source, "text2": output, "label": "4", "lang": "en"})
        rows.append({"id": f"n{number}", "text1": f"no {source}", "text2": f"no {output}", "label": "2", "lang": "en"})
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def request(corpus: Path, base: Path, out: Path, **settings: Any) -> GeneratorRequest:
    return GeneratorRequest((str(corpus),), out, BLEU_FREE | {"base": f"hf:{base}", "batch": 2} | settings, seed=3)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "model").iterdir())}


@pytest.mark.parametrize("lora", [False, True])
def test_a_killed_training_ends_like_one_that_was_not(
    lora: bool, causal_base: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from otherwords.learn.neural import loop

    ticks = count()
    monkeypatch.setattr(loop, "monotonic", lambda: float(next(ticks)))
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", 2.0)

    def progress(done: int, total: int | None) -> None:
        if done == 5:
            raise Killed

    settings = {"lora": lora, "epochs": 3, "rate": 0.01}
    whole = train_generator(request(corpus, causal_base, tmp_path / "run", **settings))
    (tmp_path / "run").rename(tmp_path / "whole")
    with pytest.raises(Killed):
        train_generator(request(corpus, causal_base, tmp_path / "run", **settings), progress)
    steps: list[int] = []
    resumed = train_generator(
        request(corpus, causal_base, tmp_path / "run", **settings), lambda done, _: steps.append(done)
    )
    assert 0 < steps[0] <= 5
    assert files(tmp_path / "whole") == files(tmp_path / "run")
    assert resumed.record.perplexity == whole.record.perplexity
    curve = resumed.curve()
    assert [point["epoch"] for point in curve] == [1, 2, 3]
    assert resumed.record.perplexity == min(point["dev_perplexity"] for point in curve)
    assert not (tmp_path / "run" / "checkpoints").exists()


@pytest.mark.parametrize("kind", ["causal", "encoder-decoder"])
def test_a_run_is_a_system_and_loads_without_otherwords(
    kind: Any, causal_base: Path, t5_base: Path, corpus: Path, tmp_path: Path
) -> None:
    out, dev = tmp_path / "run", corpus_of(REGULAR[::7], tmp_path / "dev.jsonl")
    result = otherwords.train.generator(
        corpus_of(REGULAR, tmp_path / "regular.jsonl"),
        base=f"hf:{causal_base if kind == 'causal' else t5_base}",
        kind=kind,
        out=out,
        dev=dev,
        epochs=40,
        rate=0.01,
        settings=BLEU_FREE | {"patience": 0},
    )
    record = result.run.record
    assert (record.train.pairs, record.dev.pairs) == (25, 5)
    assert record.train.left_out == {"it shares a sentence with the dev part": 5}
    outputs = tmp_path / "outputs.jsonl"
    otherwords.generate(tmp_path / "regular.jsonl", outputs, f"{out}?tokens=12")
    rows = {row["text1"]: row for row in records(outputs)}
    assert "|decoding:beam-4|" in rows[REGULAR[0][0]]["meta"]["made"]["signature"]
    learnt = [(source, output) for source, output in REGULAR if rows[source]["text2"] == output]
    assert learnt  # a model that has learnt nothing writes none of them
    assert rows[learnt[0][0]]["meta"]["made"]["train_pairs"] == 25
    card = (out / "model" / "README.md").read_text("utf-8")
    names: dict[str, Any] = {"folder": str(out / "model")}
    exec(card.partition("```python\n")[2].partition("```")[0], names)
    assert names["paraphrase"](learnt[0][0]) == learnt[0][1]
    first = tmp_path / "best.jsonl"
    otherwords.generate(tmp_path / "regular.jsonl", first, f"{out}?tokens=12", n_best=3, choose="pinc", limit=2)
    best = [row for row in records(first) if row["text1"] == REGULAR[0][0]]
    assert [row["meta"]["made"]["rank"] for row in best] == [1, 2, 3]
    texts = [row["text2"] for row in best if row["text2"]]
    assert len(set(texts)) == len(texts) > 1
    assert rows[REGULAR[0][0]]["text2"] in texts  # the first beam is one of them
    scores = [row["scores"]["pinc"] for row in best if row["text2"]]
    assert scores == sorted(scores, reverse=True)
    with raises("wrong-language", "trained on en"):
        otherwords.generate(corpus_of(SENTENCES, tmp_path / "fi.jsonl", "fi"), outputs, str(out))
    (out / "model" / "config.json").write_text("{}", "utf-8")
    with raises("model-changed", "train it again"):
        otherwords.generate(corpus, outputs, str(out))


def records(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def corpus_of(sentences: Any, path: Path, lang: str = "en") -> Path:
    rows = [
        {"id": f"{n}", "text1": first, "text2": second, "lang": lang} for n, (first, second) in enumerate(sentences)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_lora_learns_beside_the_weights_and_is_merged_into_them(causal_base: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    from otherwords.learn.generation.training.lora import add_lora, merge_lora

    model = AutoModelForCausalLM.from_pretrained(causal_base)
    tokens = torch.tensor([[4, 5, 6]])
    before = model(tokens).logits
    layers = add_lora(model, 2, 2.0)
    assert layers == 7  # four of attention and three after it
    assert torch.equal(model(tokens).logits, before)
    learning = [value for value in model.parameters() if value.requires_grad]
    assert len(learning) == 2 * layers
    with torch.no_grad():
        for value in learning:
            value.normal_()
    changed = model(tokens).logits
    assert not torch.allclose(changed, before)
    merge_lora(model)
    assert not any(name.endswith((".up", ".down")) for name in model.state_dict())
    assert torch.allclose(model(tokens).logits, changed, atol=1e-4)


def test_the_same_training_does_nothing_and_another_is_refused(causal_base: Path, corpus: Path, tmp_path: Path) -> None:
    run = train_generator(request(corpus, causal_base, tmp_path / "run", epochs=1))
    assert train_generator(request(corpus, causal_base, tmp_path / "run", epochs=1)).record == run.record
    assert open_generator_run(tmp_path / "run").record == run.record
    with raises("another-run", "differs in options"):
        train_generator(request(corpus, causal_base, tmp_path / "run", epochs=2))


def test_a_share_is_for_a_learning_curve(causal_base: Path, corpus: Path, tmp_path: Path) -> None:
    whole = train_generator(request(corpus, causal_base, tmp_path / "whole", epochs=1)).record.train
    half = replace(request(corpus, causal_base, tmp_path / "half", epochs=1), share=50)
    train = train_generator(half).record.train
    assert train.pairs == round(whole.pairs / 2)
    assert train.left_out == whole.left_out | {"it is not in the share": whole.pairs - train.pairs}
    with raises("bad-share"):
        train_generator(replace(half, out=tmp_path / "none", share=0))


def test_each_corpus_has_labels_of_its_own(causal_base: Path, corpus: Path, tmp_path: Path) -> None:
    """One without labels is all paraphrases, whatever stands before or after it."""
    plain = corpus_of(REGULAR[:4], tmp_path / "plain.jsonl")
    binary = tmp_path / "binary.jsonl"
    labels = zip(REGULAR[4:8], "1011", strict=True)
    rows = [
        {"id": f"b{number}", "text1": first, "text2": second, "label": label, "lang": "en"}
        for number, ((first, second), label) in enumerate(labels)
    ]
    binary.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    alone = [paraphrases(path) for path in (corpus, plain, binary)]
    assert [len(found) for found in alone] == [6, 4, 3]
    for paths in ([corpus, plain, binary], [binary, plain, corpus]):
        assert paraphrases(*paths) == set().union(*alone)


def paraphrases(*paths: Path, dev: Path | None = None, max_bleu: float = 100.0) -> set[tuple[str, str]]:
    """All that training and dev have of some files."""
    found = read_paraphrases(paths, dev, max_bleu, 0.3, 1)
    return {(pair.text1, pair.text2) for part in (found.train, found.dev) for pair in part.pairs}


def test_what_a_dev_part_lacks_is_said(corpus: Path, tmp_path: Path) -> None:
    copies = [("no cat runs", "no cat runs")] * 3
    dev = corpus_of([*copies, ("my dog sleeps today", "today asleep is a dog")], tmp_path / "dev.jsonl")
    found = read_paraphrases([corpus], dev, 14.0, 0.1, 1)
    assert (len(found.dev), found.dev.left_out) == (1, {"its BLEU is above 14": 3})
    none = corpus_of(copies, tmp_path / "none.jsonl")
    with raises("no-dev-part", r"none\.jsonl.*no paraphrase of --dev is left.*3 × its BLEU is above 14"):
        read_paraphrases([corpus], none, 14.0, 0.1, 1)


def test_bad_input(causal_base: Path, t5_base: Path, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with raises("no-paraphrases", r"6 × its BLEU is above 0.*raise --max-bleu"):
        train_generator(request(corpus, causal_base, out, max_bleu=0.0))
    with raises("wrong-model", "is not an encoder-decoder"):
        train_generator(request(corpus, causal_base, out, kind="encoder-decoder"))
    with raises("wrong-model", "is not a causal language model"):
        train_generator(request(corpus, t5_base, out))
    with raises("base-of-other-kind", "--kind causal"):
        train_generator(GeneratorRequest((str(corpus),), out, {"base": "smollm2", "kind": "encoder-decoder"}))
    with raises("model-missing", "no such folder"):
        train_generator(request(corpus, tmp_path / "nothing", out))
    with raises("bad-base", "hf:PATH or smollm2"):
        train_generator(GeneratorRequest((str(corpus),), out, {"base": "minilm"}))
    with raises("pairs-too-long", "longer than 8 tokens"):
        train_generator(request(corpus, causal_base, out, length=8))
    with raises("bad-parameter", "no place for the source"):
        train_generator(request(corpus, causal_base, out, prompt="in other words"))
    with raises("not-a-run", "generator.json"):
        open_generator_run(tmp_path)


def test_pairs_that_are_too_long_are_counted_and_never_cut(causal_base: Path, tmp_path: Path) -> None:
    long = [(" ".join(["river"] * 30), "wide " * 30)]
    corpus = corpus_of([*SENTENCES, *long], tmp_path / "pairs.jsonl")
    dev = corpus_of([("a house is old", "old is a house")], tmp_path / "dev.jsonl")
    settings = BLEU_FREE | {"base": f"hf:{causal_base}", "epochs": 1, "length": 32}
    run = train_generator(GeneratorRequest((str(corpus),), tmp_path / "run", settings, dev=str(dev)))
    assert run.record.train.pairs == len(SENTENCES)
    assert run.record.train.left_out == {"it is longer than 32 tokens": 1}
