"""Commands that use a trained model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from otherwords.api.reading import ReadingOptions, ReadingProgress, StrPath, check_quarantine, no_progress
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.analyse.errors.finding import ModelErrors
    from otherwords.engine import Progress
    from otherwords.learn.noise.denoise import CleaningRow, LabelChange
    from otherwords.sources.source import ReadLog


@dataclass(frozen=True, slots=True)
class PredictResult:
    """How many pairs were given each label, by which model."""

    pairs: int
    labels: dict[str, int]
    empty: int  # pairs with an empty text
    cut: str | None  # how many were too long to be read whole
    signature: str
    loss: str | None  # of a faster form
    reading: ReadLog

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {name: getattr(self, name) for name in ("pairs", "labels", "empty", "cut", "signature", "loss")}


def predict(
    run: StrPath,
    pairs: StrPath,
    out: StrPath,
    *,
    to: str | None = None,
    tier: Literal["exact", "int8"] | None = None,
    device: Literal["auto", "cpu", "cuda"] = "auto",
    progress: ReadingProgress = no_progress,
    **reading: Unpack[ReadingOptions],
) -> PredictResult:
    """Write every pair with what a trained classifier says about it, in the same order.

    The probability of a paraphrase is a score (``model:NAME``); the label and the probability of every label are under
    ``meta.predicted``. Texts without a label are as welcome as others. ``tier`` is a faster form of an encoder: the
    same numbers (``exact``) or 8-bit ones (``int8``), whose loss is measured on the first pairs.
    """
    from otherwords.learn.predicting import Predictor
    from otherwords.learn.runs.run import open_run
    from otherwords.sources.reading import format_for, open_records, write_records

    format_for(out, to)
    check_quarantine(out, reading)
    predictor = Predictor(open_run(run), device, tier)
    with open_records(pairs, **reading) as records:
        write_records(progress(predictor.pairs(records.pairs()), records, "predicting"), out, to)
        signature = predictor.run.record.signature
        labels = dict(predictor.counts.most_common())
        total, loss = sum(labels.values()), predictor.loss
        return PredictResult(total, labels, predictor.empty, predictor.cut(), signature, loss, records.account)


@dataclass(frozen=True, slots=True)
class ErrorsResult:
    """The mistakes of a model: counts by what the pairs are like, the mistakes, and what was made of them."""

    found: ModelErrors
    page: Path | None = None
    batch: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        from otherwords.analyse.errors.finding import errors_finding

        mistakes = [
            {"id": mistake.pair.id, "gold": mistake.gold, "predicted": mistake.predicted}
            | {"probability": mistake.probability, "kind": mistake.kind}
            for mistake in self.found.mistakes
        ]
        tables = errors_finding(self.found, 0).as_dict()["tables"]
        counts = {"model": self.found.model, "test": self.found.test, "pairs": self.found.pairs}
        return counts | {"mistakes": mistakes, "tables": tables, "batch": self.batch}


def errors(
    run: StrPath,
    pairs: StrPath,
    *,
    out: StrPath | None = None,
    examples: int = 20,
    batch: str | None = None,
    leaks: Literal["refuse", "keep"] = "refuse",
    device: Literal["auto", "cpu", "cuda"] = "auto",
    simulated: bool = False,
    **reading: Unpack[ReadingOptions],
) -> ErrorsResult:
    """Count the mistakes of a trained classifier by what the pairs are like.

    ``pairs`` is a project or a file. Of a corpus that the run was tested on, only the pairs of that test are looked at;
    any other is predicted now, unless it shares sentences with training. ``out`` is a folder for a page with tables,
    figures and ``examples`` of each kind of mistake; ``batch`` the name of a batch to make of the mistakes in a
    project, for people to judge again.
    """
    from otherwords.analyse.errors.finding import find_errors, write_errors
    from otherwords.learn.predicting import predicted_pairs
    from otherwords.learn.runs.run import open_run
    from otherwords.project.config import CONFIG_FILE

    if batch is not None and not (Path(pairs) / CONFIG_FILE).is_file():
        raise UsageError("--batch makes a batch in a project, and this is a file", code="conflicting-options")
    opened = open_run(run)
    predictions, chosen = predicted_pairs(opened, pairs, leaks=leaks, device=device, simulated=simulated, **reading)
    record = opened.record
    found = find_errors(predictions, chosen, record.name, record.signature, record.lang)
    page = write_errors(found, Path(out), examples) if out is not None else None
    if batch is not None and found.mistakes:
        from otherwords.api import batch as batches

        batches.new(
            pairs, batch, pairs=[mistake.pair.id for mistake in found.mistakes], purpose="qa", also_decided=True
        )
    return ErrorsResult(found, page, batch if found.mistakes else None)


@dataclass(frozen=True, slots=True)
class DenoiseResult:
    """What a teacher doubts, the table of what students learn from cleaned parts, and what was written."""

    pairs: int
    rows: list[CleaningRow]
    rule: str
    least: float | None
    changes: list[LabelChange]
    notes: list[str]
    batch: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        import msgspec

        plain: dict[str, Any] = {"pairs": self.pairs, "rule": self.rule, "lambda": self.least, "batch": self.batch}
        return plain | {name: msgspec.to_builtins(getattr(self, name)) for name in ("rows", "changes", "notes")}


def denoise(
    pairs: StrPath,
    out: StrPath | None = None,
    *,
    model: str = "features",
    teacher: StrPath | None = None,
    settings: Mapping[str, Any] | None = None,
    rule: Literal["filter", "flip", "confident"] = "filter",
    least: float | None = None,
    grid: bool = False,
    rejected: StrPath | None = None,
    batch: str | None = None,
    task: Literal["binary", "labels"] = "binary",
    dev: StrPath | None = None,
    folds: int = 5,
    seed: int = 0,
    simulated: bool = False,
    progress: Progress = lambda done, total: None,
    **reading: Unpack[ReadingOptions],
) -> DenoiseResult:
    """Find labels of the training part that a model doubts, and leave them out, flip them or have people look at them.

    The teacher is the run ``teacher``, trained on other pairs, or for each fold a model trained on the others. A label
    is doubted if its probability is at most ``least`` (λ). With ``grid``, a student is trained on the part as it is, by
    every rule and λ, and by confident learning, and λ is the best on dev. Test parts are never changed. ``out`` is a
    file for the cleaned pairs, ``rejected`` one for those that were left out; in a project, ``batch`` is a round of
    quality control with the doubted pairs.
    """
    from otherwords.learn.noise.request import DenoiseRequest, denoise_corpus

    request = DenoiseRequest(
        path=str(pairs),
        model=model,
        teacher=None if teacher is None else str(teacher),
        settings=dict(settings or {}),
        rule=rule,
        least=least,
        grid=grid,
        out=None if out is None else str(out),
        rejected=None if rejected is None else str(rejected),
        task=task,
        dev=None if dev is None else str(dev),
        folds=folds,
        seed=seed,
        simulated=simulated,
    )
    if batch is not None:
        from otherwords.corpus.splits.files import is_project

        if not is_project(pairs):
            raise UsageError("--batch makes a batch in a project, and this is a file", code="conflicting-options")
    done = denoise_corpus(request, progress, **reading)
    ids = [change.id for change in done.cleaned.changes]
    if batch is not None and ids:
        from otherwords.api import batch as batches

        batches.new(pairs, batch, pairs=ids, purpose="qa", also_decided=True)
    cleaned = done.cleaned
    made = batch if ids else None
    return DenoiseResult(done.pairs, done.rows, cleaned.rule, cleaned.least, cleaned.changes, done.notes, made)
