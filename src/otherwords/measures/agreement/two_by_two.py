"""Coefficients of two annotators each: every pair, means over pairs, and everybody against the consensus."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace
from itertools import combinations

import msgspec
import numpy as np

from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.codes import Codes
from otherwords.measures.agreement.pairwise import PairCoefficient, PairMeans, Pairwise, all_pairs, pairwise
from otherwords.measures.agreement.scale import Scale, distances
from otherwords.measures.agreement.setting import (
    ONE_LABEL,
    AgreementSetting,
    active_annotators,
    ordered_judgements,
    why_not_comparable,
)

CONSENSUS = "consensus"
LISTED = 300  # pairs of annotators; with more, only means are reported
MOST_PAIRS = 1000  # pairs of annotators; with more, means have no interval
MOST_PEOPLE = 200  # annotators whose pairs are compared
NOT_LISTED = f"the pairs of annotators are not listed: there are more than {LISTED:,}"


def applicable_coefficients(codes: Codes, scale: Scale) -> list[tuple[Codes, list[PairCoefficient], dict[str, str]]]:
    """The coefficients of two annotators with the judgements they apply to, and the reasons for those that do not."""
    nominal = distances("nominal", np.arange(len(codes.categories), dtype=np.float64))
    plain = [PairCoefficient("observed", nominal, "none"), PairCoefficient("cohen", nominal, "own")]
    plain.append(PairCoefficient("scott", nominal, "shared"))
    ordered = ordered_judgements(codes, scale)
    if lacks := scale.lacks("ordinal", ordered.categories):
        return [(codes, plain, {"cohen-linear": lacks, "cohen-quadratic": lacks})]
    numbers = scale.numbers(ordered.categories)
    weighted = [
        PairCoefficient("cohen-linear", distances("linear", numbers), "own"),
        PairCoefficient("cohen-quadratic", distances("quadratic", numbers), "own"),
    ]
    if ordered is codes:
        return [(codes, plain + weighted, {})]
    return [(codes, plain, {}), (ordered, weighted, {})]


def pairwise_coefficients(codes: Codes, setting: AgreementSetting, people: Collection[str] = ()) -> list[Coefficient]:
    """The coefficients of every two annotators and their means, and the means of each of ``people`` with all others."""
    if reason := why_not_comparable(codes):
        return [setting.figure(name, None, 0, codes.names, reason) for name in ("cohen", "scott", "cohen-mean")]
    if math.comb(len(codes.names), 2) > MOST_PAIRS:
        return _means_of_many(codes, setting, people)
    pairs = list(combinations(range(len(codes.names)), 2))
    about_all = [NOT_LISTED] if len(pairs) > LISTED else []
    subsets = {name: [pair for pair in pairs if codes.names.index(name) in pair] for name in people}
    results: list[Coefficient] = []
    for base, coefficients, reasons in applicable_coefficients(codes, setting.scale):
        values = pairwise(base, coefficients, setting.bootstrap, subsets=subsets)
        added: list[Coefficient] = []
        for pair in pairs if not about_all else ():
            added += _pair_coefficients(base, coefficients, pair, values, setting)
        for name in values.weighted:
            means = values.means(name, codes.names.index(name) if name else None)
            added += _mean_coefficients(base, coefficients, means, setting.of_annotator(name), about_all)
        results += _with_missing_note(added, codes, base, setting)
        results += [setting.figure(name, None, 0, codes.names, why) for name, why in reasons.items()]
    return results


def _means_of_many(codes: Codes, setting: AgreementSetting, people: Collection[str]) -> list[Coefficient]:
    """The means over all pairs of annotators, of those who judged most if there are very many; without intervals."""
    about_all = [NOT_LISTED, f"no interval for more than {MOST_PAIRS:,} of them"]
    if left_out := max(0, len(codes.names) - MOST_PEOPLE):
        judgements = np.bincount(codes.annotators, minlength=len(codes.names))
        codes = codes.of_annotators(np.sort(np.argsort(-judgements, kind="stable")[:MOST_PEOPLE]))
        about_all.append(f"only of the {MOST_PEOPLE} annotators who judged most: {left_out:,} left out")
    setting = replace(setting, bootstrap=replace(setting.bootstrap, replicates=0))
    results: list[Coefficient] = []
    for base, coefficients, reasons in applicable_coefficients(codes, setting.scale):
        values = all_pairs(base, coefficients)
        added: list[Coefficient] = []
        for name in ("", *(name for name in people if name in codes.names)):
            means = values.means(codes.names.index(name) if name else None)
            added += _mean_coefficients(base, coefficients, means, setting.of_annotator(name), about_all)
        results += _with_missing_note(added, codes, base, setting)
        results += [setting.figure(name, None, 0, codes.names, why) for name, why in reasons.items()]
    return results


def _with_missing_note(
    results: list[Coefficient], codes: Codes, base: Codes, setting: AgreementSetting
) -> list[Coefficient]:
    """What needs an order says which labels have no place in it."""
    if base is codes:
        return results
    missing = setting.unplaced(codes.categories)
    return [msgspec.structs.replace(result, note=f"{result.note}; {missing}") for result in results]


def _pair_coefficients(
    codes: Codes,
    coefficients: list[PairCoefficient],
    pair: tuple[int, int],
    values: Pairwise,
    setting: AgreementSetting,
) -> list[Coefficient]:
    names = codes.names[pair[0]], codes.names[pair[1]]
    units = values.units.get(pair, 0)
    both_judged = f"{setting.noun}s that both judged"
    never = f"{names[0]} and {names[1]} have judged no {setting.noun} in common"
    same = f"{names[0]} and {names[1]} gave one label throughout, so chance agreement is 1"
    results = []
    for place, coefficient in enumerate(coefficients):
        if coefficient.name == "observed" and len(codes.names) == 2:
            continue  # these two are all annotators, whose observed agreement is listed already
        estimate = values.by_pair[pair][place] if units else None
        note = both_judged if estimate and estimate.value is not None else same if units else never
        results.append(setting.figure(coefficient.name, estimate, units, names, note, categories=len(codes.categories)))
    return results


def _mean_coefficients(
    codes: Codes, coefficients: list[PairCoefficient], means: PairMeans, setting: AgreementSetting, about_all: list[str]
) -> list[Coefficient]:
    """Means over all pairs of annotators, or over those of one with the others; ``about_all`` are notes."""
    results = []
    for number, coefficient in enumerate(coefficients):
        if coefficient.name == "observed" and "annotator" not in setting.part:
            continue  # it is listed for all annotators already
        notes = [_mean_note(means.defined[number], means.met, setting.noun), *about_all] if means.met else []
        note = "; ".join(notes) or f"no two annotators have judged a {setting.noun} in common"
        for kind, values in (("mean", means.weighted), ("mean-unweighted", means.plain)):
            estimate = values[number] if means.met else None
            name = f"{coefficient.name}-{kind}"
            results.append(setting.figure(name, estimate, means.units, active_annotators(codes), note))
    return results


def _mean_note(defined: int, met: int, noun: str) -> str:
    if not defined:
        return ONE_LABEL
    count = "1 pair" if defined == 1 else f"{defined:,} pairs"
    left_out = f"; {met - defined:,} without a value left out" if met > defined else ""
    return f"mean of {count} of annotators, each on the {noun}s that both judged; n sums over these{left_out}"


def consensus_coefficients(codes: Codes, setting: AgreementSetting, team: str) -> list[Coefficient]:
    """Accuracy and kappa of each annotator against the consensus, and the accuracy of all (Kanerva et al. 2023, §6.1).

    ``team`` is the name of the consensus among the annotators.
    """
    hub = codes.names.index(team)
    nominal = distances("nominal", np.arange(len(codes.categories), dtype=np.float64))
    coefficients = [PairCoefficient("accuracy", nominal, "none"), PairCoefficient("cohen-consensus", nominal, "own")]
    values = pairwise(codes, coefficients, setting.bootstrap, hub=hub)
    results = []
    for place, name in enumerate(codes.names):
        if place == hub:
            continue
        pair = (min(place, hub), max(place, hub))
        units = values.units.get(pair, 0)
        for number, coefficient in enumerate(coefficients):
            estimate = values.by_pair[pair][number] if units else None
            note = f"{setting.noun}s that {name} judged and that have a consensus"
            if not units:
                note = f"{name} judged no {setting.noun} that has a consensus"
            elif estimate and estimate.value is None:
                note = f"{name} and the consensus have one label throughout, so chance agreement is 1"
            results.append(setting.figure(coefficient.name, estimate, units, (name, CONSENSUS), note))
    if len(codes.names) > 2 and values.units:
        note = f"judgements of {setting.noun}s that have a consensus, by all annotators together"
        people = (*(name for name in codes.names if name != team), CONSENSUS)
        estimate = values.weighted[""][0]  # weighted by units, so that every judgement counts once
        results.append(setting.figure("accuracy-mean", estimate, sum(values.units.values()), people, note))
    return results
