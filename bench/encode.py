"""Encoding with MiniLM: both tiers beside sentence-transformers' ``encode`` with the same weights and texts.

Texts are sentences of PAWS-Wiki's development part. Printed are the speed on all cores, the cosine to the vectors of
sentence-transformers, and the top-1: how often the nearest second sentence is the one of the same pair, among pairs
that are paraphrases. Memory is measured on texts of one to twelve words; ``ROWS=1000000`` in the environment makes
more of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.neural import corpora
from bench.turns import in_turns, memory_points, speed
from otherwords.learn.data.examples import read_examples
from otherwords.learn.data.task import POSITIVE
from otherwords.mining.calibration import WORDS
from otherwords.mining.encode import MINILM
from otherwords.models.encoders.minilm_batches import MiniLMBatches
from otherwords.models.fixed_shapes import CALIBRATION_INPUTS

PAIRS, ROUNDS = 1_000, 3
LEAST = {"exact": 1.3, "int8": 3.0}
LEAST_COSINE = 0.999  # of the exact tier
ROWS = int(os.environ.get("ROWS", 20_000))
BLOCK, MOST_GROWTH = 2_000, 50.0  # rows at a time, MB

Vectors = npt.NDArray[np.float32]


def run() -> bool:
    """Print ratios and memory; whether the targets were reached."""
    path = corpora() / "paws-wiki" / "dev.tsv"
    if not path.is_file():
        print("encode: PAWS-Wiki is not at hand")
        return True
    missing = [name for name in ("sentence_transformers", "openvino", "nncf") if find_spec(name) is None]
    if missing:
        print(f"encode: {', '.join(missing)} not installed")
        return True
    examples = read_examples(path, "binary", format="paws")
    same = [place for place, label in enumerate(examples.labels) if label == POSITIVE]
    columns = [column.to_pylist() for column in examples.take(same[:PAIRS]).texts]
    rest = [pair.text1 for pair in examples.take(same[PAIRS : PAIRS + CALIBRATION_INPUTS]).pairs]
    models = {"exact": MiniLMBatches("exact"), "int8": MiniLMBatches("int8", rest)}
    return all([compare(models, columns), flat(models["int8"])])


def compare(models: dict[str, MiniLMBatches], columns: list[list[str]]) -> bool:
    """Times in turns, and what the vectors are worth."""
    from sentence_transformers import SentenceTransformer

    from otherwords.learn.neural.base_models import base_folder

    peer = SentenceTransformer(str(base_folder(MINILM)), device="cpu")
    texts = [text for column in columns for text in column]
    systems: dict[str, Callable[[], Any]] = {"sentence-transformers": lambda: peer.encode(texts)}
    for name, model in models.items():
        systems[name] = lambda model=model: model.vectors(texts)[0]  # type: ignore[misc]
    turns = in_turns(systems, ROUNDS)
    base, reached = turns["sentence-transformers"], []
    expected = unit(base.answer)
    for name, turn in turns.items():
        vectors = unit(turn.answer)
        cosines = np.einsum("ij,ij->i", vectors, expected)
        quality = f"cosine {cosines.mean():.4f} (least {cosines.min():.4f}) top-1 {top_1(vectors):.3f}"
        print(f"{name:<22} {speed(turn, base, len(texts))} {quality}", flush=True)
        reached.append(name not in LEAST or base.seconds / turn.seconds >= LEAST[name])
        reached.append(name != "exact" or float(cosines.min()) >= LEAST_COSINE)
    loss = top_1(expected) - top_1(unit(turns["int8"].answer))
    print(f"int8 loses {loss:.3f} of top-1")
    return all(reached)


def unit(vectors: Vectors) -> Vectors:
    """Vectors of length 1."""
    scaled: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled


def top_1(vectors: Vectors) -> float:
    """How often the nearest vector of the second half is the one at the same place."""
    half = len(vectors) // 2
    nearest = (vectors[:half] @ vectors[half:].T).argmax(axis=1)
    return float((nearest == np.arange(half)).mean())


def flat(model: MiniLMBatches) -> bool:
    """Whether memory stays flat over ever new mixtures of lengths."""
    random = np.random.default_rng(0)

    def work(rows: int) -> None:
        model.vectors([" ".join(random.choice(WORDS, length)) for length in random.integers(1, 13, rows)])

    early, late = memory_points(work, ROWS, BLOCK)
    return late - early <= MOST_GROWTH
