"""Confusion matrices: how often each label of one annotator met each label of another."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from otherwords.measures.agreement.codes import Codes, Ints
from otherwords.measures.agreement.pairwise import confusion_matrix
from otherwords.measures.agreement.setting import AgreementSetting

ANY = "any annotator"
MOST_MATRICES = 45  # on a page: those of ten annotators


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often each label of one annotator met each label of another."""

    part: str
    first: str
    second: str
    categories: tuple[str, ...]
    counts: Ints


def confusions_of_two(codes: Codes, setting: AgreementSetting) -> list[Confusion]:
    """How often the labels of every two annotators met, of the first few annotators."""
    title, names = set_title(setting), codes.names
    pairs = list(combinations(range(len(names)), 2))[:MOST_MATRICES]
    return [
        Confusion(title, names[first], names[second], codes.categories, confusion_matrix(codes, (first, second)))
        for first, second in pairs
    ]


def confusion_of_all(codes: Codes, setting: AgreementSetting, *, anonymous: bool) -> Confusion:
    """How often labels met on the same unit; of more than two annotators, every two judgements in both directions."""
    if len(codes.names) == 2 and not anonymous:
        return Confusion(set_title(setting), *codes.names, codes.categories, confusion_matrix(codes, (0, 1)))
    counts = codes.counts()
    together = counts.T @ counts - np.diag(counts.sum(axis=0))
    return Confusion(set_title(setting), ANY, ANY, codes.categories, together)


def set_title(setting: AgreementSetting) -> str:
    """The set of labels that coefficients and matrices are about."""
    return ", ".join([*(f"{name} {value}" for name, value in setting.part.items()), f"{setting.labels} labels"])
