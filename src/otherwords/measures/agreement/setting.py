"""What all figures of one set of labels share, and how a figure is made of an estimate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from otherwords.measures.agreement.codes import Codes
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.resampling import LEVEL, Bootstrap, Estimate
from otherwords.measures.agreement.scale import Scale
from otherwords.measures.signature import signature

ONE_LABEL = "all labels are equal, so chance agreement is 1"


@dataclass(frozen=True, slots=True)
class Setting:
    """What all figures of one set of labels share: how the labels are called, what they mean, how intervals are drawn.

    ``part`` says of what part of the judgements a figure is (``{"week": "2024-W19"}``); ``noun`` what a unit is.
    """

    labels: str
    scale: Scale
    bootstrap: Bootstrap
    part: Mapping[str, str] = field(default_factory=dict)
    noun: str = "pair"
    told: Mapping[str, str] = field(default_factory=dict)  # what else a signature says

    def figure(
        self, name: str, estimate: Estimate | None, n: int, annotators: tuple[str, ...], note: str, **told: object
    ) -> Figure:
        """A figure, with a word about replicates that had no value."""
        undefined = estimate.undefined if estimate and estimate.value is not None else 0
        if undefined:
            note += f"; undefined in {undefined:,} of {self.bootstrap.replicates:,} replicates, which are left out"
        return Figure(
            measure=called(name, self.part),
            labels=self.labels,
            value=estimate.value if estimate else None,
            low=estimate.low if estimate else None,
            high=estimate.high if estimate else None,
            n=n,
            annotators=annotators,
            note=note,
            signature=signature(name, {"labels": self.labels, **self.told, **told, **self.part, **self._drawn}),
        )

    def of(self, **part: str) -> Setting:
        """The same for a part of the judgements."""
        return replace(self, part={**self.part, **part})

    def unplaced(self, categories: tuple[str, ...]) -> str:
        """A word about labels that have no place in the order."""
        outside = self.scale.outside(categories)
        has, counts = ("have", "count") if len(outside) > 1 else ("has", "counts")
        return f"{', '.join(outside)} {has} no place in the order and {counts} as missing"

    @property
    def _drawn(self) -> dict[str, object]:
        count = self.bootstrap.replicates
        return {"ci": f"percentile{LEVEL}", "bs": count, "seed": self.bootstrap.seed} if count else {"ci": "none"}


def called(name: str, part: Mapping[str, str]) -> str:
    """The name of a measure on a part of the judgements: ``fleiss:week=2024-W19``."""
    return f"{name}:{','.join(f'{key}={value}' for key, value in part.items())}" if part else name


def judges(codes: Codes) -> tuple[str, ...]:
    """Who has judged anything."""
    return tuple(codes.names[place] for place in np.unique(codes.annotators))


def too_few(codes: Codes) -> str | None:
    """Why judgements cannot be compared at all; None if there are two annotators or more."""
    known = judges(codes)
    if not known:
        return "there are no judgements"
    return f"only one annotator ({known[0]})" if len(known) == 1 else None
