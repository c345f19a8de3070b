"""The figures of two annotators each: every pair, means over pairs, and everybody against the consensus."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import combinations

import msgspec
import numpy as np

from otherwords.measures.agreement.codes import Codes, without
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.pairwise import Coefficient, Pairwise, pairwise
from otherwords.measures.agreement.scale import Scale, distances
from otherwords.measures.agreement.setting import ONE_LABEL, Setting, judges, too_few

CONSENSUS = "consensus"
LISTED = 300  # pairs of annotators, from which on only means are told
MOST_PAIRS = 2000  # of annotators, from which on means have no interval


def coefficients(codes: Codes, scale: Scale) -> list[tuple[Codes, list[Coefficient], dict[str, str]]]:
    """The coefficients of two annotators, with the judgements that each is of; what has no sense, and why."""
    nominal = distances("nominal", np.arange(len(codes.categories), dtype=np.float64))
    plain = [Coefficient("observed", nominal, "none"), Coefficient("cohen", nominal, "own")]
    plain.append(Coefficient("scott", nominal, "shared"))
    ordered = without(codes, scale.outside(codes.categories)) if scale.level != "nominal" else codes
    if lacks := scale.lacks("ordinal", ordered.categories):
        return [(codes, plain, {"cohen-linear": lacks, "cohen-quadratic": lacks})]
    numbers = scale.numbers(ordered.categories)
    weighted = [
        Coefficient("cohen-linear", distances("linear", numbers), "own"),
        Coefficient("cohen-quadratic", distances("quadratic", numbers), "own"),
    ]
    if ordered is codes:
        return [(codes, plain + weighted, {})]
    return [(codes, plain, {}), (ordered, weighted, {})]


def two_by_two(codes: Codes, setting: Setting, people: Collection[str] = ()) -> list[Figure]:
    """The coefficients of every two annotators and their means, and the means of these people with all others."""
    pairs = list(combinations(range(len(codes.names)), 2))
    if reason := too_few(codes):
        return [setting.figure(name, None, 0, codes.names, reason) for name in ("cohen", "scott", "cohen-mean")]
    if len(pairs) > MOST_PAIRS:
        setting = replace(setting, bootstrap=replace(setting.bootstrap, replicates=0))
    figures: list[Figure] = []
    for base, ones, refused in coefficients(codes, setting.scale):
        circles = {name: [pair for pair in pairs if place in pair] for place, name in enumerate(codes.names)}
        told = pairwise(base, ones, setting.bootstrap, circles={name: circles[name] for name in people})
        if len(pairs) <= LISTED:
            for pair in pairs:
                figures += _pair(base, ones, pair, told, setting)
        figures += _means(base, ones, told, setting, len(pairs))
        if base is not codes:
            figures = [_missing(figure, codes, setting) if _weighted(figure) else figure for figure in figures]
        figures += [setting.figure(name, None, 0, codes.names, why) for name, why in refused.items()]
    return figures


def _weighted(figure: Figure) -> bool:
    return figure.measure.startswith(("cohen-linear", "cohen-quadratic"))


def _missing(figure: Figure, codes: Codes, setting: Setting) -> Figure:
    """The figure with a word about labels that have no place in the order."""
    return msgspec.structs.replace(figure, note=f"{figure.note}; {setting.unplaced(codes.categories)}")


def _pair(
    codes: Codes, ones: list[Coefficient], pair: tuple[int, int], told: Pairwise, setting: Setting
) -> list[Figure]:
    names = codes.names[pair[0]], codes.names[pair[1]]
    units = told.units.get(pair, 0)
    met = f"{setting.noun}s that both judged"
    never = f"{names[0]} and {names[1]} have judged no {setting.noun} in common"
    same = f"{names[0]} and {names[1]} gave one label throughout, so chance agreement is 1"
    figures = []
    for place, one in enumerate(ones):
        if one.name == "observed" and len(codes.names) == 2:
            continue  # all together are these two
        estimate = told.of_pairs[pair][place] if units else None
        note = met if estimate and estimate.value is not None else same if units else never
        figures.append(setting.figure(one.name, estimate, units, names, note, categories=len(codes.categories)))
    return figures


def _means(codes: Codes, ones: list[Coefficient], told: Pairwise, setting: Setting, pairs: int) -> list[Figure]:
    """Means over pairs of annotators: of all, and of each annotator with the others where that was asked for."""
    figures = []
    for name in told.weighted:
        circle = _circle(codes, told, name)
        units = sum(told.units[pair] for pair in circle)
        who = judges(codes)
        of = setting.of(annotator=name) if name else setting
        for place, one in enumerate(ones):
            if one.name == "observed" and not name:
                continue  # all together have it already
            defined = sum(told.of_pairs[pair][place].value is not None for pair in circle)
            note = _mean_note(defined, len(circle), pairs, setting.noun)
            for kind, means in (("mean", told.weighted), ("mean-unweighted", told.plain)):
                estimate = means[name][place] if circle else None
                figures.append(of.figure(f"{one.name}-{kind}", estimate, units, who, note))
    return figures


def _circle(codes: Codes, told: Pairwise, name: str) -> list[tuple[int, int]]:
    if not name:
        return list(told.units)
    place = codes.names.index(name)
    return [pair for pair in told.units if place in pair]


def _mean_note(defined: int, met: int, pairs: int, noun: str) -> str:
    if not met:
        return f"no two annotators have judged a {noun} in common"
    if not defined:
        return ONE_LABEL
    told = [f"mean of {defined:,} pairs of annotators, each on the {noun}s that both judged; n sums over these"]
    if met > defined:
        told.append(f"{met - defined:,} without a value left out")
    if pairs > LISTED:
        told.append(f"the pairs of annotators are not listed: there are more than {LISTED:,}")
    if pairs > MOST_PAIRS:
        told.append(f"no interval for more than {MOST_PAIRS:,} of them")
    return "; ".join(told)


def with_consensus(codes: Codes, setting: Setting, team: str) -> list[Figure]:
    """Accuracy and kappa of each annotator against what the team agreed on (Kanerva et al. 2023, §6.1).

    ``team`` is the name under which the consensus is among the annotators.
    """
    hub = codes.names.index(team)
    nominal = distances("nominal", np.arange(len(codes.categories), dtype=np.float64))
    ones = [Coefficient("accuracy", nominal, "none"), Coefficient("cohen-consensus", nominal, "own")]
    told = pairwise(codes, ones, setting.bootstrap, hub=hub)
    figures = []
    for place, name in enumerate(codes.names):
        if place == hub:
            continue
        pair = (min(place, hub), max(place, hub))
        units = told.units.get(pair, 0)
        for which, one in enumerate(ones):
            estimate = told.of_pairs[pair][which] if units else None
            note = f"{setting.noun}s that {name} judged and the team agreed on"
            if not units:
                note = f"the team has agreed on no {setting.noun} that {name} judged"
            elif estimate and estimate.value is None:
                note = f"{name} and the consensus have one label throughout, so chance agreement is 1"
            figures.append(setting.figure(one.name, estimate, units, (name, CONSENSUS), note))
    return figures
