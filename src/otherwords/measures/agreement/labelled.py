"""Coefficients of all annotators together, on one set of labels.

A coefficient that cannot be computed has no value and a note that says why. The note of every other coefficient says
what was missing: units that too few people judged, labels without a place in the order.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.codes import Codes
from otherwords.measures.agreement.pooled import (
    CoefficientFormula,
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
from otherwords.measures.agreement.scale import LEVELS, Level, Scale
from otherwords.measures.agreement.setting import (
    ONE_LABEL,
    AgreementSetting,
    active_annotators,
    ordered_judgements,
    why_not_comparable,
)

# The name of each coefficient of Gwet, its weights, and the level of labels that it takes.
GWET: dict[str, tuple[str, Level]] = {
    "ac1": ("identity", "nominal"),
    "ac2-ordinal": ("ordinal", "ordinal"),
    "ac2-linear": ("linear", "ordinal"),
    "ac2-quadratic": ("quadratic", "ordinal"),
}

BY_SHARES = {"fleiss", *GWET}  # chance is estimated from all units, also those with one judgement


@dataclass(frozen=True, slots=True)
class _WantedCoefficient:
    """A coefficient to compute, the judgements it applies to, and the reason if it makes no sense for them.

    ``codes`` are those that it is computed on: without single judgements, unless they count for chance agreement.
    """

    name: str
    setting: AgreementSetting
    applicable: Codes
    codes: Codes
    coefficient: CoefficientFormula | None
    reason: str | None = None
    signed: dict[str, str] = field(default_factory=dict)  # what its signature adds


def joint_coefficients(codes: Codes, setting: AgreementSetting) -> list[Coefficient]:
    """The coefficients of all annotators together."""
    ordered = ordered_judgements(codes, setting.scale)
    paired = codes.paired()
    paired_by_order = paired if ordered is codes else ordered.paired()
    requests = [
        _WantedCoefficient("observed", setting, codes, paired, observed),
        _WantedCoefficient("fleiss", setting, codes, codes, fleiss),
    ]
    for level in LEVELS:
        base, compared = (codes, paired) if level == "nominal" else (ordered, paired_by_order)
        reason = setting.scale.lacks(level, base.categories)
        scale = Scale() if level == "nominal" else setting.scale
        formula = None if reason else alpha(level, scale.numbers(base.categories))
        requests.append(_WantedCoefficient(f"alpha-{level}", setting, base, compared, formula, reason))
    for name, (weights, level) in GWET.items():
        base = codes if level == "nominal" else ordered
        reason = setting.scale.lacks(level, base.categories)
        known = setting.categories if level == "nominal" else tuple(label for label, _ in setting.scale.places)
        in_scheme = bool(setting.categories) and set(base.categories) <= set(known)
        possible = known if in_scheme else base.categories
        given = np.array([possible.index(label) for label in base.categories], np.int64)
        formula = None if reason else gwet(gwet_weights(weights, setting.scale, possible), given)
        signed = {"categories": str(len(possible)), "k": "scheme" if in_scheme else "observed"}
        requests.append(_WantedCoefficient(name, setting, base, base, formula, reason, signed))
    return _coefficients(codes, requests)


def label_coefficients(codes: Codes, setting: AgreementSetting) -> list[Coefficient]:
    """For each label, how often others gave it too, and alpha of that label against all others."""
    requests = []
    paired = codes.paired()
    for place, label in enumerate(codes.categories):
        part = setting.of(label=label)
        requests += [
            _WantedCoefficient("specific", part, codes, paired, specific(place)),
            _WantedCoefficient("alpha-nominal", part, codes, paired, one_label(place)),
        ]
    return _coefficients(codes, requests)


def _coefficients(codes: Codes, requests: list[_WantedCoefficient]) -> list[Coefficient]:
    estimates: dict[int, Estimate] = {}
    for base in {id(request.codes): request.codes for request in requests}.values():
        formulas = {
            place: request.coefficient
            for place, request in enumerate(requests)
            if request.codes is base and request.coefficient
        }
        if formulas and len(base.categories):
            results = pooled(base, list(formulas.values()), requests[0].setting.bootstrap)
            estimates |= dict(zip(formulas, results, strict=True))
    return [_coefficient(codes, request, estimates.get(place)) for place, request in enumerate(requests)]


def _coefficient(codes: Codes, request: _WantedCoefficient, estimate: Estimate | None) -> Coefficient:
    judgements = np.unique(request.applicable.units, return_counts=True)[1]
    several, single = int((judgements > 1).sum()), int((judgements == 1).sum())
    noun = request.setting.noun
    if request.reason:
        note = request.reason
    elif estimate is None or estimate.value is None:
        note = why_not_comparable(request.applicable) or (
            ONE_LABEL if several else f"no {noun} was judged by two people"
        )
    else:
        note = _missing_note(codes, request, single)
    people, signed = active_annotators(request.codes), {"categories": len(request.codes.categories), **request.signed}
    people = people or active_annotators(request.applicable)
    return request.setting.figure(request.name, estimate, several, people, note, **signed)


def _missing_note(codes: Codes, request: _WantedCoefficient, single: int) -> str:
    """How missing data was treated."""
    notes = [f"{request.setting.noun}s with two judgements or more"]
    if single:
        counts = "counts" if single == 1 else "count"
        use = f"{counts} only for chance agreement" if request.name in BY_SHARES else "left out"
        notes.append(f"{single:,} with one {use}")
    if request.applicable is not codes:
        notes.append(request.setting.unplaced(codes.categories))
    return "; ".join(notes)
