"""Judgements for the tests of agreement, and the shortest way from them to coefficients."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable

import numpy as np

from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.codes import Codes, encode_judgements
from otherwords.measures.agreement.labelled import joint_coefficients
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.agreement.scale import Scale, numeric_scale
from otherwords.measures.agreement.setting import AgreementSetting
from otherwords.measures.agreement.two_by_two import pairwise_coefficients

Row = tuple[Hashable, str, str]  # unit, annotator, label

# Gwet's twelve subjects and four raters, the dataset cac.raw4raters of the R package irrCAC 1.0.
FOUR_RATERS = {
    "a": "1 2 3 3 2 1 4 1 2 * * *",
    "b": "1 2 3 3 2 2 4 1 2 5 * *",
    "c": "* 3 3 3 2 3 4 2 2 5 1 3",
    "d": "1 2 3 3 2 4 4 1 2 5 1 *",
}


def rows_of(table: dict[str, str]) -> list[Row]:
    """One row per judgement; a star is a missing one."""
    return [
        (unit, name, label)
        for name, labels in table.items()
        for unit, label in enumerate(labels.split())
        if label != "*"
    ]


def two_raters(counts: list[list[int]]) -> list[Row]:
    """The judgements of two raters behind a published confusion matrix."""
    rows: list[Row] = []
    for label1, line in enumerate(counts, 1):
        for label2, count in enumerate(line, 1):
            for _ in range(count):
                unit = len(rows)
                rows += [(unit, "a", str(label1)), (unit, "b", str(label2))]
    return rows


def at_random(seed: int, units: int, people: int, labels: str, missing: float = 0.0) -> list[Row]:
    """People who agree more often than not."""
    chance = random.Random(seed)
    rows: list[Row] = []
    for unit in range(units):
        truth = chance.choice(labels)
        for name in "abcdefgh"[:people]:
            label = truth if chance.random() < 0.6 else chance.choice(labels)
            if chance.random() >= missing:
                rows.append((unit, name, label))
    return rows


def codes_from_rows(rows: Iterable[Row], categories: Iterable[str] = ()) -> Codes:
    """The arrays of rows; of two judgements of a unit by the same person, the later counts.

    ``categories`` come first, in their order; labels that are not among them follow in the order of their names.
    """
    units: dict[Hashable, int] = {}
    people: dict[str, int] = {}
    labels: dict[str, int] = {}
    numbered = [
        (
            units.setdefault(unit, len(units)),
            people.setdefault(name, len(people)),
            labels.setdefault(label, len(labels)),
        )
        for unit, name, label in rows
    ]
    columns = np.array(numbered, np.int64).reshape(-1, 3).T
    return encode_judgements(columns[0], columns[1], columns[2], tuple(people), tuple(labels), categories)


def coded(rows: list[Row]) -> tuple[Codes, Scale]:
    scale = numeric_scale(sorted({label for *_, label in rows})) or Scale()
    return codes_from_rows(rows, [label for label, _ in scale.places]), scale


def coefficients(rows: list[Row], bootstrap: Bootstrap | None = None, scale: Scale | None = None) -> list[Coefficient]:
    codes, default_scale = coded(rows)
    setting = AgreementSetting("full", scale or default_scale, bootstrap or Bootstrap(0))
    return [*joint_coefficients(codes, setting), *pairwise_coefficients(codes, setting)]


def values(rows: list[Row]) -> dict[tuple[str, ...], float | None]:
    """Values by measure, and for two people among several also by their names."""
    people = {name for _, name, _ in rows}
    by_key = {}
    for coefficient in coefficients(rows):
        pair = coefficient.annotators if len(coefficient.annotators) == 2 < len(people) else ()
        by_key[(coefficient.measure, *pair)] = coefficient.value
    return by_key
