"""What a person's judgement of a pair is worth: where a model is unsure, where models disagree, or where texts differ.

Uncertainty is the entropy of the probabilities that a classifier gives to the labels (Lewis and Gale 1994 for two);
disagreement how far two classifiers are apart, or a classifier and the label that a pair was imported with; diverse
pairs are as far as possible from those that were chosen before them (k-centre greedy, Sener and Savarese 2018), by the
character trigrams of their texts. The same pairs and models give the same order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from otherwords.annotate.batch_plans.create import BatchPlan
from otherwords.annotate.batch_plans.selection import shuffle
from otherwords.annotate.batch_plans.worth import RANDOM_SHARE, WORTH_ORDERS, Ranking
from otherwords.annotate.labels.views import labelling_scheme
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.digests import digest_number
from otherwords.errors import LabelError, Refused
from otherwords.learn.data.task import LabelTask, Probabilities, is_positive
from otherwords.learn.judging.judge import usable_pairs
from otherwords.learn.judging.judges import calibrated_heads, run_folder
from otherwords.learn.runs.run import Run, open_run
from otherwords.project.project import Project
from otherwords.records import Pair

DIMENSIONS = 256  # of hashed trigrams
MOST_SPREAD = 20_000  # pairs that are compared with each other; of more, so many are drawn at random first
NOT_RANKED = -1.0  # the worth of a pair of which a model cannot be wrong: it was imported without a label
Floats = NDArray[np.float64]


def ranking(project: Project, plan: BatchPlan) -> Ranking | None:
    """The ranking that a plan asks for; None if its order does not go by worth."""
    if plan.order not in WORTH_ORDERS:
        if plan.models or plan.random_share != RANDOM_SHARE:
            message = f"--with and --random-share are for an order by worth: --order {'|'.join(WORTH_ORDERS)}"
            raise Refused(message, "order", code="models-without-order")
        return None
    runs = [open_run(run_folder(name) or name) for name in plan.models]
    if plan.order == "diverse":
        return lambda connection, names, wanted: _spread(connection, names, wanted, plan.seed)
    if not runs or (plan.order == "uncertainty" and len(runs) > 1) or len(runs) > 2:
        needs = (
            "one trained classifier" if plan.order == "uncertainty" else "two trained classifiers, or one and labels"
        )
        message = f"the order by {plan.order} needs {needs}: --with RUN; there are {len(runs)}"
        raise Refused(message, "models", code="models-for-order")
    scheme = labelling_scheme(project) if plan.order == "disagreement" and len(runs) == 1 else None

    def rank(connection: Connection, names: Sequence[str], wanted: int) -> list[str]:
        pairs = _in_order(connection, names)
        if not pairs or not wanted:
            return []
        worth = _uncertainty(runs[0], pairs) if plan.order == "uncertainty" else _disagreement(runs, pairs, scheme)
        best = np.argsort(-worth, kind="stable")[:wanted]
        return [pairs[place].id for place in best]

    return rank


def _in_order(connection: Connection, names: Sequence[str]) -> list[Pair]:
    found = usable_pairs(connection, names)
    return [found[name] for name in names if name in found]


def _uncertainty(run: Run, pairs: Sequence[Pair]) -> Floats:
    return entropy(run.record.task.joint(calibrated_heads(run, pairs)))


def _disagreement(runs: Sequence[Run], pairs: Sequence[Pair], scheme: Scheme | None) -> Floats:
    tables = [_label_probabilities(run, pairs) for run in runs]
    if len(runs) == 2:
        if runs[0].record.task.labels == runs[1].record.task.labels:
            return np.asarray(np.abs(tables[0] - tables[1]).sum(axis=1) / 2, np.float64)
        sides = [_positive(run.record.task, table) for run, table in zip(runs, tables, strict=True)]
        return np.asarray(np.abs(sides[0] - sides[1]), np.float64)
    task, table = runs[0].record.task, tables[0]
    positive = _positive(task, table)
    worth = np.full(len(pairs), NOT_RANKED)
    for row, pair in enumerate(pairs):
        if pair.label in task.labels:
            worth[row] = 1 - table[row, task.labels.index(pair.label)]
        elif (side := _side(pair.label, scheme)) is not None:
            worth[row] = 1 - positive[row] if side else positive[row]
    return worth


def _label_probabilities(run: Run, pairs: Sequence[Pair]) -> Probabilities:
    return run.record.task.joint(calibrated_heads(run, pairs))


def _positive(task: LabelTask, table: Probabilities) -> Floats:
    sides = [is_positive(label) is True for label in task.labels]
    return np.asarray(table[:, sides].sum(axis=1), np.float64)


def _side(label: str | None, scheme: Scheme | None) -> bool | None:
    """Whether an imported label says yes; None where there is none or it does not say."""
    try:
        return scheme.positive_of(label) if scheme is not None and label is not None else None
    except LabelError:
        return None


def entropy(table: Probabilities) -> Floats:
    """The entropy of each row of probabilities, in bits."""
    return np.asarray(-(table * np.log2(np.clip(table, 1e-12, 1.0))).sum(axis=1), np.float64)


def _spread(connection: Connection, names: Sequence[str], wanted: int, seed: int) -> list[str]:
    drawn = set(shuffle(names, seed, "spread")[: max(MOST_SPREAD, wanted)])
    pairs = _in_order(connection, [name for name in names if name in drawn])
    vectors = np.stack([trigram_vector(f"{pair.text1}\n{pair.text2}") for pair in pairs]) if pairs else np.zeros((0, 1))
    return [pairs[place].id for place in k_centres(vectors, wanted)]


def trigram_vector(text: str) -> Floats:
    """The character trigrams of a text, hashed, as a vector of length 1."""
    padded, vector = f" {text.casefold()} ", np.zeros(DIMENSIONS)
    for start in range(len(padded) - 2):
        vector[digest_number(padded[start : start + 3], size=2) % DIMENSIONS] += 1
    return vector / max(1e-12, float(np.linalg.norm(vector)))


def k_centres(vectors: Floats, wanted: int) -> list[int]:
    """Places of vectors, each as far as possible from those before it; the first is nearest to the mean of all."""
    if not len(vectors) or wanted < 1:
        return []
    first = int(np.square(vectors - vectors.mean(axis=0)).sum(axis=1).argmin())
    chosen, apart = [first], np.square(vectors - vectors[first]).sum(axis=1)
    apart[first] = -1.0
    while len(chosen) < min(wanted, len(vectors)):
        place = int(apart.argmax())
        chosen.append(place)
        apart = np.minimum(apart, np.square(vectors - vectors[place]).sum(axis=1))
        apart[place] = -1.0
    return chosen
