"""Commands that use a trained model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack

from otherwords.api.reading import ReadingOptions, ReadingProgress, StrPath, check_quarantine, no_progress

if TYPE_CHECKING:
    from otherwords.sources.source import ReadLog


@dataclass(frozen=True, slots=True)
class PredictResult:
    """How many pairs were given each label, by which model."""

    pairs: int
    labels: dict[str, int]
    empty: int  # pairs with an empty text
    signature: str
    reading: ReadLog

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {name: getattr(self, name) for name in ("pairs", "labels", "empty", "signature")}


def predict(
    run: StrPath,
    pairs: StrPath,
    out: StrPath,
    *,
    to: str | None = None,
    device: Literal["auto", "cpu", "cuda"] = "auto",
    progress: ReadingProgress = no_progress,
    **reading: Unpack[ReadingOptions],
) -> PredictResult:
    """Write every pair with what a trained classifier says about it, in the same order.

    The probability of a paraphrase is a score (``model:NAME``); the label and the probability of every label are under
    ``meta.predicted``. Texts without a label are as welcome as others.
    """
    from otherwords.learn.predicting import Predictor
    from otherwords.learn.runs.run import open_run
    from otherwords.sources.reading import format_for, open_records, write_records

    format_for(out, to)
    check_quarantine(out, reading)
    predictor = Predictor(open_run(run), device)
    with open_records(pairs, **reading) as records:
        write_records(progress(predictor.pairs(records.pairs()), records, "predicting"), out, to)
        signature = predictor.run.record.signature
        total = sum(predictor.counts.values())
        return PredictResult(total, dict(predictor.counts.most_common()), predictor.empty, signature, records.account)
