"""Neural classifiers on two cores: how long fine-tuning takes, and how fast trained encoders are.

Pairs of PAWS-Wiki's development part, split by connected component: the packaged all-MiniLM is trained for three epochs
on 4,500 of them, then reads others, beside sentence-transformers' ``CrossEncoder.predict`` with the same weights. On
two quiet cores it takes some ten minutes. ``EPOCHS=8`` in the environment trains for longer, to see what the
cross-encoder reaches there; ``RUN=FOLDER`` keeps the trained model, or reads the one that is there; ``PAIRS=400`` is
how many pairs are read, and ``ROWS=1000000`` measures memory on more of them.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from bench.turns import in_turns, memory_points, speed
from otherwords.errors import MissingExtra
from otherwords.learn.data.examples import LabelledPairs, read_examples
from otherwords.learn.data.parts import split_examples
from otherwords.learn.data.task import POSITIVE, binary_task
from otherwords.learn.ladder import LADDER, PairClassifier, TrainingContext
from otherwords.learn.neural.options import TransformerOptions

ROOT = Path(__file__).resolve().parent.parent
TRAINING, DEV = 4_500, 500
READ = int(os.environ.get("PAIRS", 1_000))
MOST_MINUTES = 8.0
PEER = "CrossEncoder.predict"
LEAST_EXACT, LEAST_INT8, MOST_CHANGED = 1.1, 2.5, 0.03
ROUNDS = 3  # of each system in turn; the fastest counts
ROWS = int(os.environ.get("ROWS", 20_000))
BLOCK, MOST_GROWTH = 2_000, 50.0  # pairs at a time, MB


def corpora() -> Path:
    """The folder of the real corpora."""
    return Path(os.environ.get("OTHERWORDS_CORPORA", ROOT.parent / "shared" / "data"))


def run() -> bool:
    """Print times and ratios; whether the targets were reached."""
    path = corpora() / "paws-wiki" / "dev.tsv"
    if not path.is_file():
        print("neural: PAWS-Wiki is not at hand")
        return True
    train, dev, test = _parts(read_examples(path, "binary", format="paws"))
    with tempfile.TemporaryDirectory() as folder:
        model = Path(os.environ.get("RUN", folder))
        try:
            classifier, fast_enough = _trained(model, train, dev)
        except MissingExtra as problem:
            print(f"neural: {problem}")
            return True
        correct = np.array(_decisions(classifier, test)) == _gold(test)
        print(f"accuracy on {len(test):,} pairs without shared sentences: {correct.mean():.3f}")
        fast, reached = _ratios(model, classifier, train, test)
        return all([fast_enough, reached, _flat(fast, test)])


def _parts(examples: LabelledPairs) -> tuple[LabelledPairs, LabelledPairs, LabelledPairs]:
    """Parts that share no sentence."""
    train, dev, test = split_examples(examples, "70/10/20", 0)
    return train.take(range(TRAINING)), dev.take(range(DEV)), test.take(range(min(READ, len(test))))


def _gold(examples: LabelledPairs) -> Any:
    return np.array([label == POSITIVE for label in examples.labels])


def _decisions(classifier: PairClassifier, examples: LabelledPairs) -> Any:
    return classifier.probabilities(*examples.texts)[0].argmax(axis=1) == 1


def _trained(folder: Path, train: LabelledPairs, dev: LabelledPairs) -> tuple[PairClassifier, bool]:
    kind, epochs = LADDER.get("transformer"), int(os.environ.get("EPOCHS", "3"))
    options = TransformerOptions(epochs=epochs, patience=0)
    if (folder / "config.json").is_file():
        return kind.load(folder, binary_task(), options, TrainingContext()), True
    points: list[Any] = []
    wall, processor = time.perf_counter(), time.process_time()
    context = TrainingContext(curve=points.append)
    classifier = kind.train(binary_task(), train, dev, options, context)
    minutes, cpu = (time.perf_counter() - wall) / 60, (time.process_time() - processor) / 60
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for point in points:
        print("  " + " ".join(f"{name} {value:.3f}" for name, value in point.items()))
    print(f"all-MiniLM on {len(train):,} pairs of PAWS, {epochs} epochs: {minutes:.1f} minutes, {cpu:.1f} of processor")
    print(f"  peak {peak:,.0f} MB")
    folder.mkdir(parents=True, exist_ok=True)
    classifier.save(folder)
    return classifier, epochs != 3 or minutes <= MOST_MINUTES


def _ratios(
    folder: Path, classifier: PairClassifier, train: LabelledPairs, test: LabelledPairs
) -> tuple[PairClassifier, bool]:
    """Times against CrossEncoder.predict, in turns, and how many decisions differ; the form in eight bits."""
    from sentence_transformers import CrossEncoder

    from otherwords.learn.neural.tiers import faster, tier_loss

    peer = CrossEncoder(str(folder), max_length=TransformerOptions().length, device="cpu")
    pairs = list(zip(*(column.to_pylist() for column in test.texts), strict=True))
    exact, int8 = faster(classifier, "exact"), faster(classifier, "int8", train.texts)
    systems: dict[str, Callable[[], Any]] = {
        PEER: lambda: peer.predict(pairs, show_progress_bar=False).argmax(axis=1) == 1,
        "torch": lambda: _decisions(classifier, test),
        "exact": lambda: _decisions(exact, test),
        "int8": lambda: _decisions(int8, test),
    }
    turns = in_turns(systems, ROUNDS)
    gold, base = _gold(test), turns[PEER]
    ratio = {name: base.seconds / turn.seconds for name, turn in turns.items()}
    changed = {name: float((turn.answer != base.answer).mean()) for name, turn in turns.items()}
    for name, turn in turns.items():
        accuracy = float((turn.answer == gold).mean())
        quality = f"changed {changed[name]:.2%} accuracy {accuracy:.3f}"
        print(f"{name:<22} {speed(turn, base, len(test))} {quality}", flush=True)
    print(f"int8: {tier_loss(classifier, int8, *test.texts)}")
    return int8, (
        ratio["exact"] >= LEAST_EXACT
        and changed["exact"] == 0
        and ratio["int8"] >= LEAST_INT8
        and changed["int8"] <= MOST_CHANGED
    )


def _flat(classifier: PairClassifier, test: LabelledPairs) -> bool:
    """Whether memory stays flat: short pairs in ever new mixtures of lengths, some thousand at a time."""
    random = np.random.default_rng(0)
    words = sorted({word for text in test.texts[0].to_pylist() for word in text.split()})[:500]

    def work(pairs: int) -> None:
        texts = [" ".join(random.choice(words, length)) for length in random.integers(1, 7, 2 * pairs)]
        classifier.probabilities(pa.array(texts[:pairs]), pa.array(texts[pairs:]))

    early, late = memory_points(work, ROWS, BLOCK)
    return late - early <= MOST_GROWTH
