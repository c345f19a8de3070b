"""Evaluating encoders: how many known pairs they find at the first places, and mean ranks by label.

Kanerva et al. 2023, §8.1 and Figures 8 to 11. TF-IDF and plain mean pooling stand beside every encoder, and each
encoder is combined with TF-IDF. Intervals are drawn over units (pairs that share a sentence stay together), and each
row is compared with the one above by a paired permutation test of the share that is found first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.splits.files import is_project
from otherwords.digests import digest_folder
from otherwords.errors import DataError, UsageError
from otherwords.labels import is_label, parse_label
from otherwords.learn.data.examples import LabelledPairs, read_examples
from otherwords.learn.data.parts import PartOptions, read_parts_of
from otherwords.learn.data.task import POSITIVE
from otherwords.learn.encoders.candidates import (
    TFIDF,
    CombinedCandidates,
    NamedEncoder,
    mean_pooling,
    model_name,
    tfidf_candidates,
    tfidf_signature,
)
from otherwords.learn.encoders.run import EncoderRun, is_encoder_run, open_encoder_run
from otherwords.learn.metrics.scores import Interval
from otherwords.learn.metrics.significance import compare_predictions
from otherwords.measures.agreement.resampling import Bootstrap, divide, estimates
from otherwords.mining.encode import text_encoder
from otherwords.mining.mine import StageProgress
from otherwords.mining.rank import HiddenPool, open_hidden_pool
from otherwords.mining.ranks import (
    TOP,
    CandidateScores,
    HiddenPairs,
    Places,
    RetrievalRanks,
    hide_pairs,
    in_label_order,
    relative_ranks,
    retrieval_ranks,
)
from otherwords.models.catalogue import ENCODERS
from otherwords.models.edges import Device

EncoderLeaks = Literal["refuse", "drop", "keep"]
FOUND, MISSED = "found", "missed"
SHOWN = 3  # leaks in a message


class LabelRetrieval(msgspec.Struct, frozen=True):
    """How well the pairs of a class of labels are found; ``intervals`` are those of ``top1`` and ``mean_rank``."""

    n: int
    top: dict[str, float]
    mean_rank: float  # (rank - 1) / candidates in per cent
    intervals: dict[str, Interval]


class TopDifference(msgspec.Struct, frozen=True):
    """The difference between two rows in the share that is found first, and how likely it is by chance."""

    top1: float
    p: float
    signature: str


class RetrievalRow(msgspec.Struct, frozen=True, kw_only=True):
    """How well an encoder finds the positive pairs of a test; ``low`` and ``high`` are the interval of ``top1``."""

    model: str
    test: str
    n: int
    candidates: int
    top1: float
    low: float | None
    high: float | None
    top: dict[str, float]
    mean_rank: float
    intervals: dict[str, Interval]
    labels: dict[str, LabelRetrieval]
    ties: int  # pairs with another candidate that is as near
    without_vector: dict[str, int]
    leaks: int  # pairs of the test that share a sentence with training
    against: str | None
    difference: TopDifference | None
    signature: str


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """How encoders are evaluated."""

    leaks: EncoderLeaks = "refuse"
    device: Device = "auto"
    distractors: str | Path | None = None
    simulated: bool = False
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    reading: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RetrievalEvaluation:
    """The rows, and what a reader has to know."""

    rows: list[RetrievalRow]
    notes: list[str]

    def as_list(self) -> list[dict[str, Any]]:
        """The rows for JSON."""
        rows: list[dict[str, Any]] = msgspec.to_builtins(self.rows)
        return rows


@dataclass(frozen=True, slots=True)
class RetrievalTest:
    """The pairs of a test, which of them are positive, and their units."""

    name: str
    hidden: HiddenPairs
    positive: NDArray[np.bool_]
    units: Places
    leaks: int = 0


def is_encoder_name(name: str) -> bool:
    """Whether a word names an encoder: the folder of a run, ``tfidf`` or a model by name."""
    kind = name.partition(":")[0]
    return is_encoder_run(Path(name)) or name == TFIDF or (kind in ENCODERS.names() and not Path(name).exists())


def evaluate_encoders(
    encoders: Sequence[str | Path],
    files: Sequence[str | Path],
    options: RetrievalOptions | None = None,
    progress: StageProgress = lambda stage, done, total: None,
) -> RetrievalEvaluation:
    """Evaluate encoders on files and on the test parts of projects."""
    chosen, notes = options or RetrievalOptions(), list[str]()
    if not encoders:
        raise UsageError("name the folder of a trained encoder, or an encoder such as minilm", code="no-encoder")
    if not files:
        raise UsageError("name files or a project to evaluate encoders on", code="no-test")
    named = [_opened(name) for name in dict.fromkeys(map(str, encoders)) if name != TFIDF]
    runs = [run for run in named if isinstance(run, EncoderRun)]
    tests = [_test(file, runs, chosen, notes) for file in files]
    listed = [*mean_pooling(named, chosen.device, notes), *(_encoder(name, chosen.device) for name in named)]
    hidden_in = None if chosen.distractors is None else open_hidden_pool(Path(chosen.distractors))
    rows: list[RetrievalRow] = []
    for test in tests:
        above: tuple[RetrievalRow, RetrievalRanks] | None = None
        copies = None if hidden_in is None else hidden_in.copies(test.hidden.texts) + len(test.hidden.texts)
        for model, scores, unread, signature in _candidates(listed, named, test, hidden_in, progress):
            found = retrieval_ranks(scores, test.hidden, copies, lambda done, total: progress("rank", done, total))
            row = retrieval_row(model, test, found, above, chosen.bootstrap, unread, signature)
            rows.append(row)
            above = row, found
    for run in runs:
        notes += [f"{run.folder.name}: {note}" for note in run.record.notes]
    return RetrievalEvaluation(rows, list(dict.fromkeys(notes)))


def retrieval_row(
    model: str,
    test: RetrievalTest,
    found: RetrievalRanks,
    above: tuple[RetrievalRow, RetrievalRanks] | None,
    bootstrap: Bootstrap,
    unread: Counter[str],
    signature: str,
) -> RetrievalRow:
    """The scores of an encoder on a test, and how they differ from those of the row above."""
    scores = _scores(found, np.flatnonzero(test.positive), test.units, bootstrap)
    classes = np.array(test.hidden.labels, np.str_)
    labels = {
        label: _scores(found, np.flatnonzero(classes == label), test.units, bootstrap)
        for label in in_label_order(test.hidden.labels)
    }
    interval = scores.intervals["top1"]
    return RetrievalRow(
        model=model,
        test=test.name,
        n=scores.n,
        candidates=found.candidates,
        top1=scores.top["1"],
        low=interval[0] if interval else None,
        high=interval[1] if interval else None,
        top=scores.top,
        mean_rank=scores.mean_rank,
        intervals=scores.intervals,
        labels=labels,
        ties=int(np.count_nonzero(found.ties[test.positive])),
        without_vector=dict(unread),
        leaks=test.leaks,
        against=above[0].model if above else None,
        difference=_difference(test, found, above[1], bootstrap) if above and bootstrap.replicates else None,
        signature=f"retrieval|cosine|ties:after|resamples:{bootstrap.replicates}|seed:{bootstrap.seed}|{signature}",
    )


def _scores(found: RetrievalRanks, rows: Places, units: Places, bootstrap: Bootstrap) -> LabelRetrieval:
    """Shares and mean rank of some pairs with intervals; units are drawn, not pairs."""
    numbers = np.unique(units[rows], return_inverse=True)[1] if len(rows) else np.zeros(0, np.int64)
    size = int(numbers.max(initial=-1)) + 1
    measured = [(found.ranks[rows] <= top).astype(np.float64) for top in TOP] + [relative_ranks(found)[rows]]
    sums = np.stack([np.bincount(numbers, values, size) for values in [*measured, np.ones(len(rows))]])

    def formula(weights: NDArray[Any]) -> NDArray[np.float64]:
        totals: NDArray[np.float64] = sums.astype(np.float64) @ weights.astype(np.float64)
        return divide(totals[:-1], np.repeat(totals[-1:], len(totals) - 1, axis=0))

    *tops, mean = estimates(formula, np.ones(size, np.int64), bootstrap)
    intervals = {
        name: None if estimate.low is None or estimate.high is None else (estimate.low, estimate.high)
        for name, estimate in (("top1", tops[0]), ("mean_rank", mean))
    }
    shares = {str(top): estimate.value or 0.0 for top, estimate in zip(TOP, tops, strict=True)}
    return LabelRetrieval(len(rows), shares, mean.value or 0.0, intervals)


def _difference(
    test: RetrievalTest, found: RetrievalRanks, other: RetrievalRanks, bootstrap: Bootstrap
) -> TopDifference:
    own, theirs = (
        [FOUND if rank == 1 else MISSED for rank in ranks.ranks[test.positive].tolist()] for ranks in (found, other)
    )
    units = np.unique(test.units[test.positive], return_inverse=True)[1]
    compared = compare_predictions([FOUND] * len(own), own, theirs, units=units, bootstrap=bootstrap)
    return TopDifference(compared.accuracy, compared.p_accuracy, compared.signature)


def _candidates(
    listed: Sequence[NamedEncoder],
    named: Sequence[str | EncoderRun],
    test: RetrievalTest,
    hidden_in: HiddenPool | None,
    progress: StageProgress,
) -> Iterator[tuple[str, CandidateScores, Counter[str], str]]:
    """Name, cosines, texts without a vector and signature of every row: the baselines, then each encoder twice."""
    texts = test.hidden.texts
    baseline = tfidf_candidates(texts, None if hidden_in is None else hidden_in.pool)
    yield TFIDF, baseline, Counter(), tfidf_signature()
    for number, encoder in enumerate(listed):
        stage = f"encode {encoder.name}"
        vectors, unread = encoder.candidates(texts, hidden_in, lambda done, total: progress(stage, done, total))  # noqa: B023
        signature = encoder.encoder.signature
        yield encoder.name, vectors, unread, signature
        if number >= len(listed) - len(named):
            combined = CombinedCandidates(baseline, vectors)
            yield f"{TFIDF} + {encoder.name}", combined, unread, f"{tfidf_signature()}+{signature}"


def _opened(name: str) -> str | EncoderRun:
    if not is_encoder_run(Path(name)):
        return name
    run = open_encoder_run(name)
    if digest_folder(run.model) != run.record.model_digest:
        message = "the files of the model are not those that the training wrote; train it again"
        raise DataError(message, run.model, code="model-changed")
    return run


def _encoder(named: str | EncoderRun, device: Device) -> NamedEncoder:
    if isinstance(named, EncoderRun):
        name = model_name(str(named.model), device)
        return NamedEncoder(named.folder.resolve().name, text_encoder(name))
    return NamedEncoder(named, text_encoder(named))


def _test(file: str | Path, runs: Sequence[EncoderRun], options: RetrievalOptions, notes: list[str]) -> RetrievalTest:
    """The pairs of a file, or of the test part of a project, after the rule about what runs have seen."""
    if is_project(file):
        parts = read_parts_of([file], PartOptions(task="retrieval", leaks="keep", simulated=options.simulated))
        if not parts.tests:
            message = "its split has no part for tests; run otherwords split with --parts 80/10/10"
            raise DataError(message, file, code="no-test-part")
        examples = parts.tests[0].named(f"{parts.tests[0].name} ({Path(file).resolve().name})")
    else:
        examples = read_examples(file, "retrieval", simulated=options.simulated, **options.reading)
    for reason, count in examples.left_out.items():
        notes.append(f"{examples.name}: {count:,} × left out: {reason}")
    examples, leaks = _without_leaks(examples, file, runs, options.leaks, notes)
    hidden = hide_pairs(zip(examples.pairs, (label == POSITIVE for label in examples.labels), strict=True))
    for reason, count in hidden.left_out.items():
        notes.append(f"{examples.name}: {count:,} × left out: {reason}")
    sides = [examples.labels[row] == POSITIVE for row in hidden.rows]
    if not any(sides):
        message = f"has no positive pair among {len(examples):,} that could be looked for"
        raise DataError(message, file, code="no-positives")
    if any(_says_otherwise(examples.pairs[row].label, side) for row, side in zip(hidden.rows, sides, strict=True)):
        hidden = replace(hidden, labels=[examples.labels[row] for row in hidden.rows])  # 1 of a binary corpus
    return RetrievalTest(examples.name, hidden, np.array(sides, np.bool_), examples.units[hidden.rows], leaks)


def _says_otherwise(label: str | None, positive: bool) -> bool:
    """Whether a label is spelled like one of the Turku scheme and means something else."""
    return label is not None and is_label(label) and parse_label(label).positive is not positive


def _without_leaks(
    examples: LabelledPairs, file: str | Path, runs: Sequence[EncoderRun], rule: EncoderLeaks, notes: list[str]
) -> tuple[LabelledPairs, int]:
    """The pairs of a test after the rule about sentences that a run was trained on or chosen by; how many have one."""
    seen = np.zeros(len(examples), np.bool_)
    for run in runs:
        seen |= run.has_seen(examples)
    count = int(seen.sum())
    if not count:
        return examples, 0
    found = f"{count:,} of {len(examples):,} pairs of {examples.name} share a sentence with training or dev"
    if rule == "keep":
        notes.append(f"{found}: the scores are too good")
        return examples, count
    if rule == "drop" and count < len(examples):
        notes.append(f"{found} and were left out")
        return examples.take(np.flatnonzero(~seen)), 0
    such = ", ".join(examples.pairs[row].id for row in np.flatnonzero(seen)[:SHOWN])
    advice = "" if count == len(examples) else "--leaks drop leaves them out, "
    message = f"{found} (such as {such}), so the scores would be too good; {advice}--leaks keep marks the scores"
    raise DataError(message, file, code="test-shares-sentences")
