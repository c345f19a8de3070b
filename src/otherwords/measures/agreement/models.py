"""Coefficients of models beside people: each model with each person, and with the consensus.

People are compared among themselves elsewhere, without any model: these are rows of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.codes import Codes
from otherwords.measures.agreement.pairwise import PairCoefficient, pairwise
from otherwords.measures.agreement.scale import distances
from otherwords.measures.agreement.setting import AgreementSetting
from otherwords.measures.agreement.two_by_two import CONSENSUS


def model_coefficients(codes: Codes, setting: AgreementSetting, models: Sequence[str]) -> list[Coefficient]:
    """Observed agreement and Cohen's kappa of every model with every person, and with every other model once."""
    found: list[Coefficient] = []
    for model in (name for name in models if name in codes.names):
        others = [name for name in codes.names if name not in models or name > model]
        found += _compared(codes, setting, model, others, ("model-observed", "model-cohen"))
    return found


def team_coefficients(codes: Codes, setting: AgreementSetting, team: str, models: Sequence[str]) -> list[Coefficient]:
    """Accuracy and kappa of every model against the consensus of people."""
    found: list[Coefficient] = []
    for model in (name for name in models if name in codes.names):
        found += _compared(codes, setting, model, [team], ("model-accuracy", "model-cohen-consensus"), CONSENSUS)
    return found


def _compared(
    codes: Codes,
    setting: AgreementSetting,
    model: str,
    others: Sequence[str],
    names: tuple[str, str],
    called: str | None = None,
) -> list[Coefficient]:
    """Two coefficients of a model with each of some others, who may be called something else."""
    hub = codes.names.index(model)
    nominal = distances("nominal", np.arange(len(codes.categories), dtype=np.float64))
    coefficients = [PairCoefficient(names[0], nominal, "none"), PairCoefficient(names[1], nominal, "own")]
    values = pairwise(codes, coefficients, setting.bootstrap, hub=hub)
    found = []
    for other in others:
        place = codes.names.index(other)
        pair, known = (min(place, hub), max(place, hub)), called or other
        units = values.units.get(pair, 0)
        for number, coefficient in enumerate(coefficients):
            estimate = values.by_pair[pair][number] if units else None
            note = f"{setting.noun}s that both judged"
            if not units:
                note = f"{model} and {known} have judged no {setting.noun} in common"
            elif estimate and estimate.value is None:
                note = f"{model} and {known} gave one label throughout, so chance agreement is 1"
            found.append(setting.figure(coefficient.name, estimate, units, (model, known), note))
    return found
