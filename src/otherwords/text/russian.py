"""Readings of Russian words by pymorphy3, compared with features as Universal Dependencies name them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from otherwords.text.lemmas import russian_morphology

GRAMMEMES = {
    "Case": {"Nom": "nomn", "Gen": "gent", "Dat": "datv", "Acc": "accs", "Ins": "ablt", "Loc": "loct"},
    "Number": {"Sing": "sing", "Plur": "plur"},
    "Gender": {"Masc": "masc", "Fem": "femn", "Neut": "neut"},
    "Animacy": {"Anim": "anim", "Inan": "inan"},
    "Person": {"1": "1per", "2": "2per", "3": "3per"},
    "Tense": {"Past": "past", "Pres": "pres", "Fut": "futr"},
}
COMPARED = ("Case", "Number", "Gender", "Tense", "Person")
PARTS_OF_SPEECH = {
    "NOUN": {"NOUN", "ADJF", "PRTF"},
    "PROPN": {"NOUN", "ADJF"},
    "ADJ": {"ADJF", "ADJS", "PRTF", "PRTS"},
    "DET": {"ADJF", "NPRO"},
    "VERB": {"VERB", "INFN", "GRND", "PRTF", "PRTS"},
}
SECOND_CASES = {"gen2": "gent", "acc2": "accs", "loc2": "loct"}
_CACHED_WORDS = 1 << 15


def russian_readings(word: str, pos: str, features: Mapping[str, str]) -> list[Any]:
    """The readings of a word that are of a part of speech and have these features, the likeliest first."""
    allowed = PARTS_OF_SPEECH.get(pos, set())
    wanted = [(name, features[name]) for name in COMPARED if name in features]
    return [
        reading
        for reading in _parse(word.lower())
        if reading.tag.POS in allowed and all(_agrees(reading.tag, name, value) for name, value in wanted)
    ]


def russian_cases(word: str, pos: str, features: Mapping[str, str]) -> set[str]:
    """The cases that a form can be, by their names in Universal Dependencies."""
    names = {grammeme: name for name, grammeme in GRAMMEMES["Case"].items()}
    cases = {SECOND_CASES.get(case, case) for case in (r.tag.case for r in russian_readings(word, pos, features))}
    return {names[case] for case in cases if case in names}


def _agrees(tag: Any, name: str, value: str) -> bool:
    have = getattr(tag, name.lower())
    return have is None or SECOND_CASES.get(have, have) == GRAMMEMES[name].get(value)


@lru_cache(maxsize=_CACHED_WORDS)
def _parse(word: str) -> tuple[Any, ...]:
    return tuple(russian_morphology().parse(word))
