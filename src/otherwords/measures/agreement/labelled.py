"""The figures of all annotators together on one set of labels: who said what about which unit in, figures out.

A coefficient that cannot be computed is a figure without a value and with a sentence that says why. What is missing is
said with every figure: units that too few people judged, labels that have no place in the order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from otherwords.measures.agreement.codes import Codes, without
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.pooled import (
    Coefficient,
    alpha,
    fleiss,
    gwet,
    gwet_weights,
    observed,
    one_label,
    pooled,
    specific,
)
from otherwords.measures.agreement.resampling import Estimate
from otherwords.measures.agreement.scale import LEVELS, Level
from otherwords.measures.agreement.setting import ONE_LABEL, Setting, judges, too_few

# The name of each coefficient of Gwet, its weights, and the level of labels that it takes.
GWET: dict[str, tuple[str, Level]] = {
    "ac1": ("identity", "nominal"),
    "ac2-ordinal": ("ordinal", "ordinal"),
    "ac2-linear": ("linear", "ordinal"),
    "ac2-quadratic": ("quadratic", "ordinal"),
}

BY_SHARES = {"fleiss", *GWET}  # chance by the labels of all units, also those with one judgement


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A coefficient, the judgements that it is of, and where it has no sense the reason."""

    name: str
    setting: Setting
    codes: Codes
    coefficient: Coefficient | None
    refused: str | None = None


def together(codes: Codes, setting: Setting) -> list[Figure]:
    """The coefficients of all annotators together."""
    ordered = _ordered(codes, setting)
    wanted = [_Wanted("observed", setting, codes, observed), _Wanted("fleiss", setting, codes, fleiss)]
    for level in LEVELS:
        base = codes if level == "nominal" else ordered
        refused = setting.scale.lacks(level, base.categories)
        made = None if refused else alpha(level, _numbers(base, level, setting))
        wanted.append(_Wanted(f"alpha-{level}", setting, base, made, refused))
    for name, (weights, level) in GWET.items():
        base = codes if level == "nominal" else ordered
        refused = setting.scale.lacks(level, base.categories)
        made = None if refused else gwet(gwet_weights(weights, setting.scale, base.categories))
        wanted.append(_Wanted(name, setting, base, made, refused))
    return _figures(codes, wanted)


def by_label(codes: Codes, setting: Setting) -> list[Figure]:
    """For each label how often who gave it was followed by another, and alpha of that label against all others."""
    wanted = []
    for place, label in enumerate(codes.categories):
        of = setting.of(label=label)
        wanted += [
            _Wanted("specific", of, codes, specific(place)),
            _Wanted("alpha-nominal", of, codes, one_label(place)),
        ]
    return _figures(codes, wanted)


def _ordered(codes: Codes, setting: Setting) -> Codes:
    """The judgements whose labels have a place in the order."""
    scale = setting.scale
    return without(codes, scale.outside(codes.categories)) if scale.level != "nominal" else codes


def _numbers(codes: Codes, level: Level, setting: Setting) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    if level == "nominal":
        return np.arange(len(codes.categories), dtype=np.float64)
    return setting.scale.numbers(codes.categories)


def _figures(codes: Codes, wanted: list[_Wanted]) -> list[Figure]:
    estimates: dict[int, Estimate] = {}
    for base in {id(one.codes): one.codes for one in wanted}.values():
        of = {place: one.coefficient for place, one in enumerate(wanted) if one.codes is base and one.coefficient}
        if of and len(base.categories):
            told = pooled(base, list(of.values()), wanted[0].setting.bootstrap)
            estimates |= dict(zip(of, told, strict=True))
    return [_figure(codes, one, estimates.get(place)) for place, one in enumerate(wanted)]


def _figure(codes: Codes, one: _Wanted, estimate: Estimate | None) -> Figure:
    judgements = np.unique(one.codes.units, return_counts=True)[1]
    several, alone = int((judgements > 1).sum()), int((judgements == 1).sum())
    noun = one.setting.noun
    if one.refused:
        note = one.refused
    elif estimate is None or estimate.value is None:
        note = too_few(one.codes) or (ONE_LABEL if several else f"no {noun} was judged by two people")
    else:
        note = _missing(codes, one, alone)
    told = {"categories": len(one.codes.categories)}
    return one.setting.figure(one.name, estimate, several, judges(one.codes), note, **told)


def _missing(codes: Codes, one: _Wanted, alone: int) -> str:
    """How missing data was treated."""
    told = [f"{one.setting.noun}s with two judgements or more"]
    if alone:
        told.append(f"{alone:,} with one {'tell only of chance' if one.name in BY_SHARES else 'left out'}")
    if one.codes is not codes:
        told.append(one.setting.unplaced(codes.categories))
    return "; ".join(told)
