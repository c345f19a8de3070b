"""What all coefficients of one set of labels share, and how an estimate becomes a coefficient."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.codes import Codes, without_labels
from otherwords.measures.agreement.resampling import LEVEL, Bootstrap, Estimate
from otherwords.measures.agreement.scale import Scale
from otherwords.measures.options import signature

ONE_LABEL = "all labels are equal, so chance agreement is 1"


@dataclass(frozen=True, slots=True)
class AgreementSetting:
    """What all coefficients of one set of labels share: the name and scale of the labels, how intervals are drawn.

    ``part`` names the part of the judgements (``{"week": "2024-W19"}``); ``noun`` is what a unit is called.
    """

    labels: str
    scale: Scale
    bootstrap: Bootstrap
    part: Mapping[str, str] = field(default_factory=dict)
    noun: str = "pair"
    signature_parts: Mapping[str, str] = field(default_factory=dict)  # added to every signature
    categories: tuple[str, ...] = ()  # all labels that the scheme allows, if it is known

    def figure(
        self,
        name: str,
        estimate: Estimate | None,
        n: int,
        annotators: tuple[str, ...],
        note: str,
        **signature_parts: object,
    ) -> Coefficient:
        """A coefficient; its note mentions replicates without a value."""
        drawn = {"ci": f"percentile{LEVEL}", "bs": self.bootstrap.replicates, "seed": self.bootstrap.seed}
        interval = drawn if self.bootstrap.replicates else {"ci": "none"}
        shared = {"labels": self.labels, **self.signature_parts, **signature_parts, **self.part, **interval}
        estimate = estimate or Estimate(None)
        if estimate.undefined and estimate.value is not None:
            note += (
                f"; undefined in {estimate.undefined:,} of {self.bootstrap.replicates:,} replicates, which are left out"
            )
        return Coefficient(
            measure=measure_name(name, self.part),
            labels=self.labels,
            value=estimate.value,
            low=estimate.low,
            high=estimate.high,
            n=n,
            annotators=annotators,
            note=note,
            signature=signature(name, shared),
        )

    def of(self, **part: str) -> AgreementSetting:
        """The same setting for a part of the judgements."""
        return replace(self, part={**self.part, **part})

    def of_annotator(self, name: str) -> AgreementSetting:
        """The same setting for the judgements of one annotator; without a name, for all."""
        return self.of(annotator=name) if name else self

    def unplaced(self, categories: tuple[str, ...]) -> str:
        """A note on the labels that have no place in the order."""
        outside = self.scale.outside(categories)
        has, counts = ("have", "count") if len(outside) > 1 else ("has", "counts")
        return f"{', '.join(outside)} {has} no place in the order and {counts} as missing"


def measure_name(name: str, part: Mapping[str, str]) -> str:
    """The name of a measure on a part of the judgements: ``fleiss:week=2024-W19``."""
    return f"{name}:{','.join(f'{key}={value}' for key, value in part.items())}" if part else name


def active_annotators(codes: Codes) -> tuple[str, ...]:
    """The annotators with at least one judgement."""
    return tuple(codes.names[place] for place in np.unique(codes.annotators))


def ordered_judgements(codes: Codes, scale: Scale) -> Codes:
    """The judgements whose labels have a place in the order; all of them on a nominal scale."""
    return without_labels(codes, scale.outside(codes.categories)) if scale.level != "nominal" else codes


def why_not_comparable(codes: Codes) -> str | None:
    """Why judgements cannot be compared at all; None if there are two annotators or more."""
    known = active_annotators(codes)
    if not known:
        return "there are no judgements"
    return f"only one annotator ({known[0]})" if len(known) == 1 else None
