"""Training a classifier: read the parts, train, choose on dev, predict, and write the folder of the run.

A run that was killed goes on where it was, if data, options and seed are the same: its kind finds its checkpoints.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from otherwords.digests import digest_folder, digest_hex
from otherwords.errors import UsageError
from otherwords.learn.data.parts import LabelledParts
from otherwords.learn.ladder import LADDER, PairClassifier, TrainingContext
from otherwords.learn.predictions import Chooser, forget_cut, predict, save_predictions
from otherwords.learn.runs.folder import (
    CARD_FILE,
    CURVE_FILE,
    MODEL_FOLDER,
    Curve,
    begun_with,
    check_same,
    checkpoint_folder,
    write_curve,
    write_record,
    write_sentences,
)
from otherwords.learn.runs.run import (
    DEV_FILE,
    RUN_FILE,
    TEST_FILE,
    TRAIN_SENTENCES,
    DataFacts,
    Run,
    RunRecord,
    is_run,
    machine,
    open_run,
    versions,
)


@dataclass(frozen=True, slots=True)
class TrainRequest:
    """What is to be trained, where it goes, and how its probabilities become labels."""

    kind: str
    folder: Path
    options: Mapping[str, Any]
    context: TrainingContext
    decide: Chooser
    choices: Mapping[str, str | bool] = field(default_factory=dict)  # what it follows, for the record
    again: bool = False  # replace another run in the folder
    simulated: bool = False


def train_run(request: TrainRequest, parts: LabelledParts) -> Run:
    """Train a classifier into a folder; the same training again does nothing."""
    kind = LADDER.get(request.kind)
    options = kind.decode(request.options)
    if kind.binary_only and parts.task.name != "binary":
        message = f"{kind.name} says only whether a pair is a paraphrase; train it with --task binary"
        raise UsageError(message, code="binary-only")
    notes = list(parts.notes)
    record = RunRecord(
        name=request.folder.name,
        kind=kind.name,
        options=msgspec.to_builtins(options),
        task=parts.task,
        seed=request.context.seed,
        lang=request.context.lang,
        train=DataFacts.of_examples(parts.train),
        dev=DataFacts.of_examples(parts.dev),
        tests=[DataFacts.of_examples(test) for test in parts.tests],
        leaks=parts.leaks,
        notes=notes,
        begins_with=begun_with(kind.begins_with(options)),
        choices=dict(request.choices),
        simulated=request.simulated,
    )
    if is_run(request.folder) and not request.again:
        there = open_run(request.folder)
        check_same(request.folder, there.record, record)
        return there
    # Unlike a finished run, a checkpoint depends on the order of the training pairs.
    order = (f"{pair.text1}\0{pair.text2}" for pair in parts.train.pairs)
    checkpoints = checkpoint_folder(request.folder, digest_hex(record.key, *order, size=8))
    curve: Curve = []
    context = replace(
        request.context, checkpoints=checkpoints, note=notes.append, curve=lambda point: curve.append(dict(point))
    )
    start = time.perf_counter()
    classifier = kind.train(parts.task, parts.train, parts.dev, options, context)
    record = msgspec.structs.replace(
        record,
        decision=request.decide(classifier, parts),
        notes=notes,
        versions=versions(),
        machine=machine(),
        seconds=round(time.perf_counter() - start, 3),
    )
    return _write(request.folder, record, classifier, parts, curve)


def _write(folder: Path, record: RunRecord, classifier: PairClassifier, parts: LabelledParts, curve: Curve) -> Run:
    for name in (RUN_FILE, CURVE_FILE, TEST_FILE.format("*")):  # of a run that is replaced
        for file in folder.glob(name):
            file.unlink()
    model = folder / MODEL_FOLDER
    shutil.rmtree(model, ignore_errors=True)
    model.mkdir(parents=True)
    classifier.save(model)
    if not (model / CARD_FILE).exists():  # of kinds that say more than this, it does
        (model / CARD_FILE).write_text(_card(record), encoding="utf-8")
    write_sentences(folder / TRAIN_SENTENCES, [parts.train])
    save_predictions(predict(classifier, parts.dev, record.decision), folder / DEV_FILE)
    for number, test in enumerate(parts.tests, 1):
        forget_cut(classifier)
        save_predictions(predict(classifier, test, record.decision), folder / TEST_FILE.format(number))
        if cut := forget_cut(classifier):
            record.notes.append(f"{test.name}: {cut}")
    if curve:
        write_curve(folder, curve)
    record = msgspec.structs.replace(record, model_digest=digest_folder(model))
    write_record(folder / RUN_FILE, record)
    return Run(folder, record)


def _card(record: RunRecord) -> str:
    """The card of a model: what it is, what it learnt from, and how to use it."""
    kind = LADDER.get(record.kind)
    labels = ", ".join(f"{label} {count:,}" for label, count in record.train.labels.items())
    title = kind.title[:1].upper() + kind.title[1:]
    learnt = f"Trained on {record.train.pairs:,} pairs ({labels})."
    use = "The files beside this one are plain JSON; `otherwords predict` uses them."
    return f"# {record.kind}\n\n{title}. {learnt} {use}\n\n{record.signature}\n"
