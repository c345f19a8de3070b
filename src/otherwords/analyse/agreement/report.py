"""What measuring agreement results in, and its options."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from otherwords.analyse.agreement.confusions import Confusion
from otherwords.analyse.agreement.headline import Headline
from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.alternative import AlternativeTest
from otherwords.measures.agreement.resampling import Bootstrap

By = Literal["annotator", "label", "week", "batch"]


@dataclass(slots=True)
class AgreementReport:
    """Coefficients, remarks about them, and what pictures are drawn from."""

    figures: list[Coefficient] = field(default_factory=list)
    headlines: list[Headline] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    other_purposes: list[str] = field(default_factory=list)  # of judgements that are compared on request only
    confusions: list[Confusion] = field(default_factory=list)  # of every two annotators
    all_labels: list[Confusion] = field(default_factory=list)  # of all annotators together, one for each question
    weeks: dict[str, dict[str, list[Coefficient]]] = field(default_factory=dict)  # by set of labels, then by week
    alternative: dict[str, AlternativeTest] = field(default_factory=dict)  # by question, if a model is tested

    @property
    def computed(self) -> bool:
        return any(coefficient.value is not None for coefficient in self.figures)


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """Parts, projections, intervals and pictures to compute. Without projections, the full labels are compared."""

    by: By | None = None
    labels: tuple[str, ...] = ()
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    project: Path | None = None
    pictures: bool = False


def measure_name(coefficient: Coefficient) -> str:
    """The name of a measure without the part of the judgements that it was computed on."""
    return coefficient.measure.partition(":")[0]
