"""What a measure of generated texts is: a score for every output, and one for all of them with its interval.

A score of all outputs is a formula over numbers that are added up over the outputs: a mean, or the counts of BLEU. So a
resample is a product of weights with these numbers, as for coefficients of agreement. Nothing depends on the order of
the outputs, on their number in a batch or on what else is in the list: outputs are brought into an order of their own,
and sums are rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from otherwords.errors import DataError
from otherwords.measures.agreement.resampling import Bootstrap, Estimate, estimates
from otherwords.measures.columns import Floats
from otherwords.measures.options import Options
from otherwords.registry import Registry


@dataclass(frozen=True, slots=True)
class GeneratedTexts:
    """Sources, what a system made of them, and the references of each, of which there may be none."""

    sources: Sequence[str]
    outputs: Sequence[str]
    references: Sequence[tuple[str, ...]] = ()
    lang: str | None = None

    def __post_init__(self) -> None:
        if len(self.sources) != len(self.outputs) or len(self.references) not in (0, len(self.outputs)):
            message = f"{len(self.sources)} sources, {len(self.outputs)} outputs, {len(self.references)} reference sets"
            raise DataError(message, code="unequal-columns")

    def __len__(self) -> int:
        return len(self.outputs)

    def reference_sets(self) -> Sequence[tuple[str, ...]]:
        """The references of every source."""
        return self.references or [()] * len(self)

    def in_order(self) -> GeneratedTexts:
        """The same in an order that follows from the texts alone."""
        sets = self.reference_sets()
        order = sorted(range(len(self)), key=lambda row: (self.sources[row], self.outputs[row], sets[row]))
        return self.take(order)

    def take(self, rows: Sequence[int]) -> GeneratedTexts:
        """Chosen rows."""
        sets = self.reference_sets()
        return GeneratedTexts(
            [self.sources[row] for row in rows],
            [self.outputs[row] for row in rows],
            [sets[row] for row in rows],
            self.lang,
        )


Sums = Callable[[Floats], Floats]  # from sums, a row for each sample, to scores


@dataclass(frozen=True, slots=True)
class Evidence:
    """The scores of outputs, and what the score of all is made from.

    ``added`` has the numbers of every output that are added up. Where no sum will do, ``estimate`` is the score of all.
    """

    scores: Floats  # NaN for an output that has none
    added: Floats
    formula: Sums
    estimate: Estimate | None = None

    def overall(self, bootstrap: Bootstrap) -> Estimate:
        """The score of all outputs, with an interval over resampled sources."""
        if self.estimate is not None:
            return self.estimate
        if not len(self.added):
            return Estimate(None)
        exact = np.array([[math.fsum(column) for column in self.added.T]])
        value = float(self.formula(exact)[0])
        sizes = np.ones(len(self.added), np.int64)
        [drawn] = estimates(lambda weights: self.formula(weights.T @ self.added)[None, :], sizes, bootstrap)
        return Estimate(value if math.isfinite(value) else None, drawn.low, drawn.high, drawn.undefined)


def mean_of(scores: Floats) -> Evidence:
    """The evidence of a mean over the outputs that have a score."""
    known = np.isfinite(scores)
    added = np.stack([np.where(known, scores, 0.0), known.astype(np.float64)], axis=1)
    return Evidence(scores, added, quotient)


def quotient(sums: Floats) -> Floats:
    """The first sum over the second, of every sample."""
    out: Floats = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)
    return out


class GenerationMetric(Protocol):
    """A measure of generated texts."""

    better: ClassVar[str] = "higher"  # or lower, or neither
    name: str

    @property
    def needs_references(self) -> bool:
        """Whether it compares outputs with references."""
        return False

    def signature(self) -> str:
        """Everything that the scores depend on."""
        ...

    def evidence(self, texts: GeneratedTexts) -> Evidence:
        """The scores of texts that are in their order."""
        ...


class GenerationMetricKind(Protocol):
    """What the registry contains: what builds a measure from its parameters."""

    def build(self, options: Options, /) -> GenerationMetric: ...


GENERATION_METRICS: Registry[GenerationMetricKind] = Registry(
    "measure of generated texts",
    {
        "bleu": "otherwords.measures.generation.references:ReferenceBleu",
        "chrf": "otherwords.measures.generation.references:ReferenceChrf",
        "self-bleu": "otherwords.measures.generation.change:SelfBleu",
        "pinc": "otherwords.measures.generation.change:SourcePinc",
        "copies": "otherwords.measures.generation.change:CopyRate",
        "distinct": "otherwords.measures.generation.change:Distinct",
        "bertscore": "otherwords.measures.generation.token_matching:BertScore",
        "bert-ibleu": "otherwords.measures.generation.combined:BertIBleu",
        "parascore": "otherwords.measures.generation.combined:ParaScore",
        "yes-no": "otherwords.measures.generation.yes_or_no:YesOrNo",
    },
    group="otherwords.generation_metrics",
)


def generation_metric(spec: str, lang: str | None = None) -> GenerationMetric:
    """Build a measure from ``NAME`` or ``NAME:key=value,key=value``."""
    options = Options.parse(spec, lang)
    built = GENERATION_METRICS.get(options.measure).build(options)
    options.check()
    return built
