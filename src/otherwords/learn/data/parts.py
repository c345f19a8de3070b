"""Parts: pairs for training, for choices (dev) and for tests, none of which shares a sentence with training.

A random split of pairs is not one of sentences: in PAWS-Wiki, nineteen of twenty test pairs would share a sentence with
training, and a model that remembers sentences would look good. So a corpus without parts is split by connected
components, and parts that somebody else made are checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from otherwords.annotate.labels.views import labelling_scheme, left_out_labels, view_rule
from otherwords.corpus.corpus import Corpus, open_corpus
from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import read_table
from otherwords.corpus.splits.columns import BY_MODEL, columns_of_pairs, is_by_model
from otherwords.corpus.splits.files import is_project
from otherwords.corpus.splits.options import SplitOptions
from otherwords.corpus.splits.split import split_corpus
from otherwords.corpus.splits.step import parts_table, read_parts
from otherwords.digests import digest_number
from otherwords.errors import DataError, UsageError
from otherwords.learn.data.cleaned import add_cleaned
from otherwords.learn.data.examples import LabelledPairs, examples_of
from otherwords.learn.data.task import (
    NEG,
    NEGATIVE,
    POSITIVE,
    LabelTask,
    TaskName,
    binary_task,
    bootstrapped_task,
    label_task,
)
from otherwords.project.project import open_project
from otherwords.records import Pair

LeakRule = Literal["refuse", "drop", "keep"]
DEV_SHARE = 10  # per cent of the training pairs, where there is no dev part
SHOWN = 3  # leaks in a message


class PartOptions(NamedTuple):
    """What is to be predicted, and where the parts come from."""

    task: TaskName = "binary"
    dev: str | Path | None = None
    tests: tuple[str | Path, ...] = ()
    split: str = "80/10/10"
    bootstrapped: tuple[str | Path, ...] = ()  # harvested pairs for training alone (Kanerva et al. 2023, §7.3)
    seed: int = 0
    leaks: LeakRule = "refuse"
    rewrites: bool = True  # whether rewritten pairs are examples too
    simulated: bool = False
    scheme: str = ""  # whose labels are learnt, of a project; its own where this is empty
    released: bool = False  # of a project: without the labels that its releases leave out
    view: str = ""  # of the scheme, whose labels count; the main one where this is empty
    cleaned: tuple[str | Path, ...] = ()  # datasets of pairs with denoised labels, for training alone


@dataclass(frozen=True)
class LabelledParts:
    """Examples for training, dev and tests, and what a reader of the scores has to know."""

    task: LabelTask
    train: LabelledPairs
    dev: LabelledPairs
    tests: list[LabelledPairs]
    notes: list[str] = field(default_factory=list)
    leaks: dict[str, int] = field(default_factory=dict)  # pairs of a test that share a sentence with training


def read_parts_of(paths: Sequence[str | Path], options: PartOptions, **reading: Any) -> LabelledParts:
    """The parts of a project or a corpus, or those that the paths and options name."""
    read = [_own_parts(path, options, reading) for path in paths]
    train = _joined("train", [part["train"] for part in read])
    notes: list[str] = []
    tests = [_file_examples(path, options, reading) for path in options.tests]
    if not tests:
        tests = [part["test"] for part in read if "test" in part]
    tests = [_testable(test) for test in tests]
    devs = [part["dev"] for part in read if "dev" in part]
    if options.dev is not None:
        devs = [_file_examples(options.dev, options, reading)]
    if len(read) > 1 and len(tests) == len(read) and not options.tests:
        tests = [test.named(f"{test.name} ({Path(path).name})") for test, path in zip(tests, paths, strict=True)]
    if devs:
        dev = _joined("dev", devs)
    else:
        train, dev = split_examples(train, f"train={100 - DEV_SHARE}/dev={DEV_SHARE}", options.seed)
        notes.append(f"{len(dev):,} pairs of the training data, whole components, are the dev part")
    train, leaks = _without_leaks(train, [dev, *tests], options.leaks, notes)
    if options.bootstrapped:
        train = _with_harvested(train, [dev, *tests], options, notes)
    if options.cleaned:
        train = add_cleaned(train, [dev, *tests], options.cleaned, notes)
    every = [*train.labels, *dev.labels, *(label for test in tests for label in test.labels)]
    tasks = {"binary": binary_task, "retrieval": binary_task, "bootstrapped": bootstrapped_task}
    task = tasks.get(options.task, lambda: label_task(every))()
    _check(train, dev, options.task)
    return LabelledParts(task, train, dev, tests, notes, leaks)


def split_examples(examples: LabelledPairs, parts: str, seed: int) -> tuple[LabelledPairs, ...]:
    """Split examples by connected components, so that no sentence is in two parts."""
    options = SplitOptions(by=None, components=True, parts=parts, seed=seed)
    split = split_corpus(columns_of_pairs(lambda: labelled_pairs(examples)), options)
    places = split.table["part"].to_pylist()
    rows: dict[str, list[int]] = {name: [] for name in options.shares()}
    for number, part in enumerate(places):
        if part is not None:
            rows[part].append(number)
    first, *others = (examples.take(numbers, name) for name, numbers in rows.items())
    return replace(first, left_out=examples.left_out), *others


def shares_sentence(examples: LabelledPairs, others: LabelledPairs) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which of the examples have a sentence, apart from case and punctuation, that the others have too."""
    known = np.unique(np.concatenate(others.sentences))
    first, second = examples.sentences
    return np.isin(first, known) | np.isin(second, known)


def labelled_pairs(examples: LabelledPairs) -> Iterator[Pair]:
    """The pairs with the labels that are to be predicted, which the parts are balanced by; ids may come twice."""
    numbers = {pair.id: f"{number}" for number, pair in enumerate(examples.pairs)}
    for number, (pair, label) in enumerate(zip(examples.pairs, examples.labels, strict=True)):
        original = numbers.get(pair.rewrite_of) if pair.rewrite_of else None
        yield msgspec.structs.replace(pair, id=f"{number}", label=label, rewrite_of=original)


def _own_parts(path: str | Path, options: PartOptions, reading: dict[str, Any]) -> dict[str, LabelledPairs]:
    """The parts that a corpus has or, where no test is named for it, that it is split into."""
    if is_project(path):
        return _project_parts(path, options)
    corpus = open_corpus(path, simulated=options.simulated, **reading)
    stated: dict[str, list[Pair]] = {}
    for pair in corpus.pairs():
        stated.setdefault(str(pair.meta.get("part") or ""), []).append(pair)
    if "train" in stated:
        named = {name: stated[name] for name in ("train", "dev", "test") if name in stated}
        return {name: _examples(name, pairs, corpus, options) for name, pairs in named.items()}
    examples = _examples(corpus.name, corpus.pairs(), corpus, options)
    if options.tests:
        return {"train": examples}
    if len(options.split.split("/")) == 2 and "=" not in options.split:
        train, test = split_examples(examples, options.split, options.seed)
        return {"train": train, "test": test}
    return dict(zip(("train", "dev", "test"), split_examples(examples, options.split, options.seed), strict=True))


def _project_parts(path: str | Path, options: PartOptions) -> dict[str, LabelledPairs]:
    """The parts of a project by its own split."""
    corpus = open_corpus(path, simulated=options.simulated)
    by_part: dict[str, list[Pair]] = {}
    with open_project(path) as project:
        parts = read_parts(parts_table(project, simulated=options.simulated, scheme=options.scheme))
        labels = labels_table(project, simulated=options.simulated, scheme=options.scheme or None)
        scheme = labelling_scheme(project, options.scheme)
        left_out = left_out_labels(scheme) if options.released else frozenset[str]()
        rule = view_rule(scheme, options.view) if options.view else None
        for row, place in zip(read_table(labels), parts, strict=True):
            if rule is not None:
                label = row.views.get(options.view)
                row = msgspec.structs.replace(row, label=label, positive=rule.positive(label))
            if place.part is not None and row.state == "labelled" and row.label not in left_out:
                by_part.setdefault(place.part, []).append(row)
    if "train" not in by_part:
        message = "its split has no part for training; run otherwords split with --parts 80/10/10"
        raise DataError(message, path, code="no-training-part")
    return {name: _examples(name, pairs, corpus, options) for name, pairs in by_part.items()}


def _file_examples(path: str | Path, options: PartOptions, reading: dict[str, Any]) -> LabelledPairs:
    corpus = open_corpus(path, simulated=options.simulated, **reading)
    return _examples(corpus.name, corpus.pairs(), corpus, options)


def _examples(name: str, pairs: Iterable[Pair], corpus: Corpus, options: PartOptions) -> LabelledPairs:
    chosen = pairs if options.rewrites else (pair for pair in pairs if pair.rewrite_of is None)
    return examples_of(name, chosen, corpus, options.task)


def _testable(test: LabelledPairs) -> LabelledPairs:
    """A test without the pairs whose label rests on a model's judgement: a model is not tested on what models say."""
    rows = [number for number, pair in enumerate(test.pairs) if not is_by_model(pair)]
    if len(rows) == len(test):
        return test
    if not rows:
        message = f"all labels of the test {test.name} rest on judgements of models; test on what people judged"
        raise DataError(message, code="test-by-models")
    return replace(test.take(rows), left_out=test.left_out + Counter({BY_MODEL: len(test) - len(rows)}))


def _joined(name: str, parts: Sequence[LabelledPairs]) -> LabelledPairs:
    if len(parts) == 1:
        return parts[0].named(name)
    pairs = [pair for part in parts for pair in part.pairs]
    labels = [label for part in parts for label in part.labels]
    left_out = parts[0].left_out.copy()
    for part in parts[1:]:
        left_out.update(part.left_out)
    return LabelledPairs(name, pairs, labels, left_out)


def _without_leaks(
    train: LabelledPairs, others: Sequence[LabelledPairs], rule: LeakRule, notes: list[str]
) -> tuple[LabelledPairs, dict[str, int]]:
    """The training pairs after the rule about sentences that they share with other parts; how many others do."""
    leaks = {other.name: int(shares_sentence(other, train).sum()) for other in others}
    if not any(leaks.values()):
        return train, leaks
    leaking = [f"{leaks[part.name]:,} of {len(part):,} pairs of {part.name}" for part in others if leaks[part.name]]
    if rule == "refuse":
        first = next(part for part in others if leaks[part.name])
        rows = np.flatnonzero(shares_sentence(first, train))[:SHOWN]
        examples = ", ".join(first.pairs[row].id for row in rows)
        message = (
            f"{', '.join(leaking)} share a sentence with training (such as {examples}), so the scores would be too "
            "good; --leaks drop leaves such pairs out of training, --leaks keep marks the scores"
        )
        raise DataError(message, code="test-shares-sentences")
    if rule == "keep":
        notes += [f"{where} share a sentence with training: the scores are too good" for where in leaking]
        return train, leaks
    shared = np.zeros(len(train), np.bool_)
    for other in others:
        shared |= shares_sentence(train, other)
    if shared.all():
        raise UsageError("every training pair shares a sentence with another part", code="nothing-left-to-train")
    notes.append(f"{int(shared.sum()):,} training pairs share a sentence with another part and were left out")
    kept = replace(train.take(np.flatnonzero(~shared)), left_out=train.left_out)
    return kept, dict.fromkeys(leaks, 0)


def _with_harvested(
    train: LabelledPairs, others: Sequence[LabelledPairs], options: PartOptions, notes: list[str]
) -> LabelledPairs:
    """The training pairs and, of each side, at most as many harvested ones; none shares a sentence with other parts."""
    harvested = _harvested(options)
    shared = np.zeros(len(harvested), np.bool_)
    for other in others:
        shared |= shares_sentence(harvested, other)
    pairs, added = harvested.pairs, []
    for label in sorted(set(harvested.labels)):
        rows = [row for row in np.flatnonzero(~shared).tolist() if harvested.labels[row] == label]
        rows.sort(key=lambda row: digest_number(f"{options.seed}", pairs[row].text1, pairs[row].text2))
        few = f" of {len(train):,} that were wanted" if len(rows) < len(train) else ""
        side = "positives" if label == POSITIVE else "negatives"
        notes.append(f"{min(len(rows), len(train)):,} harvested {side}{few} were added to training")
        added += rows[: len(train)]
    if not added:
        raise DataError("no harvested pair can be used for training", options.bootstrapped[0], code="no-negatives")
    return _joined("train", [train, harvested.take(sorted(added))])


def _harvested(options: PartOptions) -> LabelledPairs:
    """Harvested pairs with the label that the task has for their side; without a label they are negatives."""
    pairs: list[Pair] = []
    labels: list[str] = []
    negative = NEGATIVE if options.task == "binary" else NEG
    for path in options.bootstrapped:
        corpus = open_corpus(path)
        for pair in corpus.pairs():
            if not (pair.text1.strip() and pair.text2.strip()):
                continue  # withdrawn since
            positive = corpus.positive(pair) is True
            if positive and options.task != "binary":
                message = (
                    "these are harvested positives, and a harvest does not say which complete label they have; "
                    "train with --task binary, or on negatives alone"
                )
                raise DataError(message, path, code="positives-without-labels")
            pairs.append(pair)
            labels.append(POSITIVE if positive else negative)
    if not pairs:
        raise DataError("there are no harvested pairs in it", options.bootstrapped[0], code="no-negatives")
    return LabelledPairs("harvested", pairs, labels)


def _check(train: LabelledPairs, dev: LabelledPairs, task: TaskName) -> None:
    if len(set(train.labels)) < 2 and task != "retrieval":
        message = f"every training pair ({len(train):,}) has the label {train.labels[0]}; a classifier needs two labels"
        raise DataError(message, code="one-label-only")
    if not len(dev):
        raise DataError("the dev part is empty; name a file with --dev", code="no-dev-part")
