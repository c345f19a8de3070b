"""Every measure as a rule: its score has to lie between two bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otherwords.acquire.filters.rule import BlockTexts, BoundedValue, Bounds, Decision, Rule
from otherwords.errors import UsageError
from otherwords.measures import MEASURES, Measure
from otherwords.measures.options import Options

MOST_BLEU = 14.0  # Dou et al. 2022 (MultiPIT), appendix F, Figure 8
LEAST_COSINE = 0.5


@dataclass(frozen=True)
class Measured(Rule):
    """The score of a measure."""

    measure: Measure
    bounds: Bounds
    name: str

    @property
    def any_language(self) -> bool:  # type: ignore[override]
        return self.measure.any_language

    @property
    def uses_model(self) -> bool:  # type: ignore[override]
        return self.measure.any_language

    @property
    def reasons(self) -> Sequence[str]:
        return self.bounds.reasons("the score is below {}", "the score is above {}")

    @property
    def bounded(self) -> Sequence[BoundedValue]:
        return (BoundedValue(self.name.partition(":")[0]),)

    def signature(self) -> str:
        bounds = "".join(f"|{name}:{value}" for name, value in self.bounds.parts().items())
        return f"{self.measure.signature()}{bounds}"

    def decide(self, texts: BlockTexts) -> Decision:
        scores = self.measure.scores(texts.first, texts.second)
        return Decision(self.bounds.verdicts(scores), scores)


@dataclass(frozen=True, slots=True)
class MeasuredKind:
    """Builds the rule of a measure; ``low`` and ``high`` are its usual bounds."""

    measure: str
    low: float | None = None
    high: float | None = None

    def build(self, options: Options) -> Measured:
        bounds = Bounds.of(options, "score", self.low, self.high)
        values = {key: value for key, value in options.values.items() if key not in ("min", "max")}
        own = Options(options.spec, self.measure, values, options.lang, options.default_tokeniser, noun="rule")
        built = MEASURES.get(self.measure).build(own)
        options.known |= own.known
        options.missing += own.missing
        if built.needs_fit:
            message = f"rule {options.spec!r}: the scores of this measure depend on all texts; choose another"
            raise UsageError(message, code="rule-needs-fit")
        if bounds == Bounds():
            message = f"rule {options.spec!r}: give a bound, as in {self.measure}:min=0.2 or {self.measure}:max=0.9"
            raise UsageError(message, code="no-bounds")
        return Measured(built, bounds, options.spec)


BLEU = MeasuredKind("bleu", high=MOST_BLEU)
COSINE = MeasuredKind("cosine", low=LEAST_COSINE)
