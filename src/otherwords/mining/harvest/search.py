"""A region for a wanted precision: the largest whose precision is still above it after a correction for the search.

Regions are looked for in the two forms of Kanerva et al. (2023, §7.2): negatives by a low similarity *or* a confident
model, positives by a high similarity *and* a confident model. For each bound of similarity, the bound of confidence
falls step by step, and with each step the region grows. A path ends at the first region that fails, so only the number
of paths needs a correction: fixed-sequence testing within a path, Bonferroni over paths, as in "Learn then Test"
(Angelopoulos et al. 2021). A path begins with the first region in which enough pairs are annotated to pass at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from otherwords.errors import DataError
from otherwords.mining.harvest.precision import Interval, RegionStratum, classical, usable_strata
from otherwords.mining.harvest.region import ColumnBound, Junction, Region

Side = Literal["negative", "positive"]
SIMILARITY = "similarity"
CONFIDENCES = (
    *(0.999, 0.998, 0.995, 0.99, 0.98, 0.97, 0.96, 0.95, 0.925, 0.9, 0.875, 0.85, 0.8, 0.75, 0.7, 0.65),
    *(0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2),
)
SIMILARITIES: dict[Side, tuple[float, ...]] = {
    "negative": (0.0, 0.1, 0.2, 0.3),  # below which a pair is taken whatever the model says
    "positive": (0.0, 0.3, 0.5, 0.7),  # below which none is taken
}
MISSES = 0.05  # how often the precision of the chosen region may be below the wanted one


@dataclass(frozen=True, slots=True)
class RegionChoice:
    """The chosen region, its precision on the pairs that it was chosen on, and among how many it was chosen."""

    region: Region
    place: int
    precision: Interval  # its lower limit is corrected for the search
    tried: int


def region_paths(side: Side, confidence: str) -> list[list[Region]]:
    """Regions by bound of similarity, each path from the most confident to the largest."""
    return [[_region(side, confidence, bound, least) for least in CONFIDENCES] for bound in SIMILARITIES[side]]


def _region(side: Side, confidence: str, bound: float, least: float) -> Region:
    confident = ColumnBound(confidence, ">=", least)
    if not bound:
        return confident
    if side == "negative":
        return Junction("or", (ColumnBound(SIMILARITY, "<", bound), confident))
    return Junction("and", (ColumnBound(SIMILARITY, ">", bound), confident))


def choose_region(
    paths: Sequence[Sequence[Region]], strata: Sequence[Sequence[RegionStratum]], wanted: float
) -> RegionChoice:
    """The region with the most pairs that passes; ``strata`` has an entry for each region of all paths in order."""
    misses = 2 * MISSES / len(paths)  # only the lower limit matters
    passed: list[tuple[int, RegionChoice]] = []
    failed: list[RegionChoice] = []
    place = tried = 0
    for path in paths:
        going_on = True
        for region in path:
            parts = strata[place]
            if going_on and _can_pass(parts, wanted, misses):
                tried += 1
                choice = RegionChoice(region, place, classical(parts, misses), 0)
                going_on = choice.precision.low >= wanted
                if going_on:
                    passed.append((sum(part.population for part in parts), choice))
                else:
                    failed.append(choice)
            place += 1
    if passed:
        _, best = max(passed, key=lambda entry: (entry[0], -entry[1].place))
        return RegionChoice(best.region, best.place, best.precision, tried)
    raise DataError(_unreachable(failed, strata, wanted), code="precision-not-reached")


def _can_pass(parts: Sequence[RegionStratum], wanted: float, misses: float) -> bool:
    """Whether a region would pass if all its annotated pairs were right."""
    known = usable_strata(parts)
    if not known:
        return False
    perfect = [RegionStratum(part.population, [True] * part.annotated) for part in known]
    return classical(perfect, misses).low >= wanted


def _unreachable(failed: Sequence[RegionChoice], strata: Sequence[Sequence[RegionStratum]], wanted: float) -> str:
    if not failed:
        most = max((sum(part.annotated for part in parts) for parts in strata), default=0)
        return (
            f"a precision of {wanted:g} cannot be shown with {most:,} annotated pairs to choose on, even if all are "
            "right; annotate more or ask for less"
        )
    best = max(failed, key=lambda choice: choice.precision.low)
    return (
        f"no region has a precision of {wanted:g} for certain; the best is {str(best.region)!r} with "
        f"{best.precision.estimate:.3f}, at least {best.precision.low:.3f} after the search; ask for less, name a "
        "region with --region, or annotate more"
    )
