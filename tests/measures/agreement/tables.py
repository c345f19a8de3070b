"""Judgements for the tests of agreement, and the least that turns them into figures."""

from __future__ import annotations

import random

from otherwords.measures.agreement.codes import Codes, Row, codes_of
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.labelled import together
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.agreement.scale import Scale, numeric
from otherwords.measures.agreement.setting import Setting
from otherwords.measures.agreement.two_by_two import two_by_two

# Gwet's twelve subjects and four raters, the dataset cac.raw4raters of the R package irrCAC 1.0.
FOUR_RATERS = {
    "a": "1 2 3 3 2 1 4 1 2 * * *",
    "b": "1 2 3 3 2 2 4 1 2 5 * *",
    "c": "* 3 3 3 2 3 4 2 2 5 1 3",
    "d": "1 2 3 3 2 4 4 1 2 5 1 *",
}


def rows_of(table: dict[str, str]) -> list[Row]:
    """A row a judgement; a star is a missing one."""
    return [
        (unit, name, label)
        for name, labels in table.items()
        for unit, label in enumerate(labels.split())
        if label != "*"
    ]


def two_raters(counts: list[list[int]]) -> list[Row]:
    """The judgements of two raters, of which somebody has published the table of how often what met what."""
    rows: list[Row] = []
    for one, line in enumerate(counts, 1):
        for two, count in enumerate(line, 1):
            for _ in range(count):
                unit = len(rows)
                rows += [(unit, "a", str(one)), (unit, "b", str(two))]
    return rows


def at_random(seed: int, units: int, people: int, labels: str, missing: float = 0.0) -> list[Row]:
    """People who agree more often than not."""
    chance = random.Random(seed)
    rows: list[Row] = []
    for unit in range(units):
        truth = chance.choice(labels)
        for name in "abcdefgh"[:people]:
            said = truth if chance.random() < 0.6 else chance.choice(labels)
            if chance.random() >= missing:
                rows.append((unit, name, said))
    return rows


def coded(rows: list[Row]) -> tuple[Codes, Scale]:
    scale = numeric(sorted({label for *_, label in rows})) or Scale()
    return codes_of(rows, [label for label, _ in scale.places]), scale


def figures(rows: list[Row], bootstrap: Bootstrap | None = None, scale: Scale | None = None) -> list[Figure]:
    codes, found = coded(rows)
    setting = Setting("full", scale or found, bootstrap or Bootstrap(0))
    return [*together(codes, setting), *two_by_two(codes, setting)]


def values(rows: list[Row]) -> dict[tuple[str, ...], float | None]:
    """By measure, and for two people among several also by their names."""
    people = {name for _, name, _ in rows}
    told = {}
    for figure in figures(rows):
        pair = figure.annotators if len(figure.annotators) == 2 < len(people) else ()
        told[(figure.measure, *pair)] = figure.value
    return told
