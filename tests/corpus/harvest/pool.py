"""A small pool with known sides: the more words two sentences share, the more often they are paraphrases."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec

from otherwords.corpus.harvest.draw import draw_strata
from otherwords.records import Pair
from otherwords.sources.reading import write_records

WORDS = ("boat", "harbour", "light", "storm", "rope", "gull", "pier", "wave", "crane", "fog", "anchor", "net")


def mined(size: int = 1200, seed: int = 0) -> list[Pair]:
    """Mined pairs; ``meta.side`` is the truth, ``meta.predicted`` what a classifier says that errs now and then."""
    rng = random.Random(seed)
    pairs = []
    for number in range(size):
        first = rng.sample(WORDS, 6)
        kept = rng.randint(0, 6)
        second = [*first[:kept], *rng.sample([word for word in WORDS if word not in first], 6 - kept)]
        positive = kept >= 4 and rng.random() < 0.9
        probability = min(0.999, max(0.001, rng.gauss(0.93 if positive != (rng.random() < 0.03) else 0.07, 0.05)))
        predicted = {"probabilities": {"negative": 1 - probability, "positive": probability}}
        texts = {"text1": " ".join(first) + f" {number}", "text2": " ".join(second) + f" {number + size}"}
        meta = {"side": "positive" if positive else "negative", "predicted": predicted}
        pairs.append(Pair(id=f"m{number}", **texts, meta=meta))
    return pairs


def judged_sample(pairs: list[Pair], path: Path, per_stratum: int = 40) -> Path:
    """The sample of a pool as a file, with the truth as its labels."""
    drawn = draw_strata(pairs, per_stratum).pairs()
    write_records((msgspec.structs.replace(pair, label=pair.meta["side"]) for pair in drawn), path)
    return path
