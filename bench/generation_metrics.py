"""Measures of generated texts against sacrebleu and, for PINC, plain Python: the same values, and how much faster.

Sentences are made of words at random, with references that share some of them. CPU seconds of one thread.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.generation.metric import GeneratedTexts, generation_metric

OUTPUTS, REFERENCES, VOCABULARY = 4_000, 8, 400
LEAST_RATIO, MOST_APART = 5.0, 1e-6


def made_texts(outputs: int = OUTPUTS) -> GeneratedTexts:
    """Sources, outputs and references that share words."""
    chance = random.Random(0)
    words = [f"word{number}" for number in range(VOCABULARY)]

    def changed(text: str) -> str:
        kept = [word if chance.random() < 0.6 else chance.choice(words) for word in text.split()]
        return " ".join(kept) + "."

    sources = [" ".join(chance.choices(words, k=chance.randint(6, 24))) for _ in range(outputs)]
    return GeneratedTexts(
        sources,
        [changed(text) for text in sources],
        [tuple(changed(text) for _ in range(REFERENCES)) for text in sources],
    )


def ngrams(tokens: list[str], order: int) -> set[tuple[str, ...]]:
    return {tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)}


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    return work(), time.process_time() - start


def run() -> bool:
    import sacrebleu

    texts = made_texts()
    columns = [list(column) for column in zip(*texts.references, strict=True)]
    rows: list[tuple[str, float, float, float, float]] = []
    for name, peer in (("bleu", sacrebleu.metrics.BLEU()), ("chrf", sacrebleu.metrics.CHRF())):
        ours, seconds = timed(lambda name=name: generation_metric(name).evidence(texts).overall(Bootstrap(0)).value)
        theirs, longer = timed(lambda peer=peer: peer.corpus_score(list(texts.outputs), columns).score)
        rows.append((name, seconds, longer, ours, theirs))

    def pinc() -> float:
        values = []
        for source, output in zip(texts.sources, texts.outputs, strict=True):
            before, after = source.split(), output.replace(".", " .").split()
            shares = []
            for order in range(1, 5):
                new = ngrams(after, order)
                if new:
                    shares.append(1 - len(new & ngrams(before, order)) / len(new))
            values.append(sum(shares) / len(shares))
        return float(np.mean(values))

    ours, seconds = timed(lambda: generation_metric("pinc").evidence(texts).overall(Bootstrap(0)).value)
    theirs, longer = timed(pinc)
    rows.append(("pinc", seconds, longer, ours, theirs))
    reached = True
    print(f"{'':<8} {'s':>7} {'peer s':>7} {'times':>6}   value      difference")
    for name, seconds, longer, ours, theirs in rows:
        good = longer / seconds >= LEAST_RATIO and abs(ours - theirs) <= MOST_APART
        reached &= good
        verdict = "" if good else f"  MISSED: at least {LEAST_RATIO:g} times, at most {MOST_APART:g} apart"
        numbers = f"{seconds:>7.2f} {longer:>7.2f} {longer / seconds:>6.1f}   {ours:<9.4f}  {ours - theirs:.1e}"
        print(f"{name:<8} {numbers}{verdict}")
    return reached
