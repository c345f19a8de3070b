"""The figures that a plan is made from: each a number with its interval, and where it is from.

Papers print few of them, without intervals; a project's own replace them as soon as there are enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Like = Literal["turku", "suzuki", "multipit", "rupaws"]
HOURS_A_MONTH = 150.0  # of a person-month: our assumption, since papers state months
TURKU, SUZUKI, MULTIPIT, RUPAWS = "Kanerva et al. 2023", "Suzuki et al. 2017", "Dou et al. 2022", "Martynov et al. 2022"


@dataclass(frozen=True, slots=True)
class PlanFigure:
    """A number that the plan rests on; ``spread`` is the standard deviation of a unit, ``error`` that of the number."""

    name: str
    value: float
    unit: str
    origin: str  # a paper with its section, or the project
    n: int | None = None  # units that it was measured on
    spread: float = 0.0
    error: float = 0.0

    @property
    def known_error(self) -> bool:
        """Whether it was measured, so that it has an interval."""
        return self.n is not None


@dataclass(frozen=True, slots=True)
class PlanFigures:
    """All figures of a plan by name, the expected labels and what is expected of models."""

    figures: Mapping[str, PlanFigure]
    labels: Mapping[str, float] = field(default_factory=dict)  # share of each label
    kappa: float = 0.5
    accuracy: float = 0.5  # of a classifier on the test part
    precision: float = 0.95  # of a harvest
    origins: Mapping[str, str] = field(default_factory=dict)  # where labels, kappa, accuracy and precision are from

    def __getitem__(self, name: str) -> PlanFigure:
        return self.figures[name]


RATING = 3 * 40 * 2 * 3600 / (2 * 10_119)  # seconds of a judgement; Martynov et al. 2022, §3.3

YIELD, EMPTY, REJECTED = "pairs from a document pair", "document pairs without any", "document pairs rejected"
DOCUMENT, JUDGEMENT, DECISION = "a document pair", "a judgement", "a decision of the team"
KEPT, JUDGED, EXTRA = "judged pairs that stay", "judgements of a pair", "more judgements of a doubled pair"
DISAGREED, QA = "doubled pairs to decide", "pairs checked again"
PAIR = "a pair, everything included"
SECONDS, SHARE, NUMBER = "seconds", "share", ""

# Table 1 of Kanerva et al. 2023: document pairs that yielded something, the share of empty ones, the yield.
EXTRACTION = ((2781, 0.092, 17.6), (1463, 0.114, 3.7), (7106, 0.367, 1.7), (28, 0.0, 22.7), (190, 0.316, 2.4))


def _weighted_yield() -> float:
    """Pairs a document pair that yielded something, over the five sources."""
    return sum(count * pairs for count, _, pairs in EXTRACTION) / sum(count for count, _, _ in EXTRACTION)


def _weighted_empty() -> float:
    """The share of empty document pairs, over the five sources."""
    seen = [count / (1 - empty) for count, empty, _ in EXTRACTION]
    return 1 - sum(count for count, _, _ in EXTRACTION) / sum(seen)


def _figures(*figures: PlanFigure) -> dict[str, PlanFigure]:
    return {figure.name: figure for figure in figures}


SHARED = _figures(
    PlanFigure(JUDGEMENT, RATING, SECONDS, f"{RUPAWS}, §3.3: 2 × 10,119 in 3 weeks of 40 hours, 2 people"),
    PlanFigure(KEPT, 1.0, SHARE, "assumed"),
    PlanFigure(JUDGED, 1.0, NUMBER, f"{TURKU}, §6.1: single annotation"),
    PlanFigure(EXTRA, 4287 / 2025 - 1, NUMBER, f"{TURKU}, §6.1: 4,287 annotations of 2,025 pairs"),
    PlanFigure(DISAGREED, 89 / (363 + 102), SHARE, f"{SUZUKI}, §4.2: 89 of 465"),
    PlanFigure(DECISION, 2 * RATING, SECONDS, "assumed: twice a judgement"),
    PlanFigure(QA, 0.057, SHARE, f"{TURKU}, §5.4"),
)
_TURKU = _figures(
    PlanFigure(YIELD, _weighted_yield(), NUMBER, f"{TURKU}, Table 1, all sources"),
    PlanFigure(EMPTY, _weighted_empty(), SHARE, f"{TURKU}, Table 1, all sources"),
    PlanFigure(PAIR, 30 * HOURS_A_MONTH * 3600 / 91_604, SECONDS,
               f"{TURKU}, §6.1: 30 person-months for 91,604 pairs; {HOURS_A_MONTH:.0f} hours a month"),
)  # fmt: skip
_TURKU_LABELS = {"2": 161, "3": 2434, "4<": 2003, "4>": 2287, "4": 3586}  # Table 4, support in the test section
PAPERS: Mapping[str, PlanFigures] = {
    "turku": PlanFigures(
        {**SHARED, **_TURKU},
        {label: count / sum(_TURKU_LABELS.values()) for label, count in _TURKU_LABELS.items()},
        0.45, 0.581, 0.977,
        {"labels": f"{TURKU}, Table 4, with rewrites", "kappa": f"{TURKU}, §6.1: base and arrows, mean of two",
         "accuracy": f"{TURKU}, Table 4", "precision": f"{TURKU}, §7.2"},
    ),
    "suzuki": PlanFigures(
        SHARED | _figures(PlanFigure(KEPT, (363 + 102) / 2000, SHARE, f"{SUZUKI}, Table 1: 465 of 2,000")),
        {"1": 363 / 655, "0": 292 / 655},
        0.60, 0.556, 0.977,
        {"labels": f"{SUZUKI}, §4.2", "kappa": f"{SUZUKI}, §4.2", "accuracy": f"{SUZUKI}, Figure 4, recomputed",
         "precision": f"{TURKU}, §7.2"},
    ),
    "multipit": PlanFigures(
        SHARED | _figures(PlanFigure(JUDGED, 6.0, NUMBER, f"{MULTIPIT}, §2.4"),
                           PlanFigure(EXTRA, 0.0, NUMBER, f"{MULTIPIT}, §2.4: every pair has six"),
                           PlanFigure(DISAGREED, 0.0, SHARE, f"{MULTIPIT}, §3: votes decide")),
        {"1": 0.5373, "0": 0.4627},
        0.70, 0.9136, 0.977,
        {"labels": f"{MULTIPIT}, Table 1", "kappa": f"{MULTIPIT}, §2.4", "accuracy": f"{MULTIPIT}, Table 2",
         "precision": f"{TURKU}, §7.2"},
    ),
    "rupaws": PlanFigures(
        SHARED | _figures(PlanFigure(KEPT, 0.87, SHARE, f"{RUPAWS}, §3.3"),
                           PlanFigure(JUDGED, 2.0, NUMBER, f"{RUPAWS}, §3.3"),
                           PlanFigure(EXTRA, 0.0, NUMBER, f"{RUPAWS}, §3.3: every pair has two"),
                           PlanFigure(DISAGREED, 0.0, SHARE, f"{RUPAWS}, §3.3: such pairs are dropped")),
        {"1": 0.39, "0": 0.61},
        0.60, 0.79, 0.977,
        {"labels": f"{RUPAWS}, Table 2", "kappa": f"{SUZUKI}, §4.2", "accuracy": f"{RUPAWS}, Table 4",
         "precision": f"{TURKU}, §7.2"},
    ),
}  # fmt: skip
