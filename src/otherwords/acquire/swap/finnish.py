"""Finnish: only what has the same case, number and suffixes changes places; Voikko, if installed, confirms it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from otherwords.acquire.swap.grammars import Grammar
from otherwords.acquire.swap.records import (
    AGREEMENT,
    ENTITIES,
    NUMBERS,
    UNKNOWN_FORM,
    NewWords,
    SwapRefused,
    TaggedSentence,
    Unit,
)
from otherwords.text.voikko import voikko_analyses

COMPARED = ("SIJAMUOTO", "NUMBER", "POSSESSIVE", "FOCUS", "MOOD", "TENSE", "PERSON", "PARTICIPLE", "COMPARISON")


class Finnish(Grammar):
    """The rules of Finnish."""

    def edits(self, sentence: TaggedSentence, kind: str, first: Unit, second: Unit) -> tuple[NewWords, NewWords]:
        if kind == ENTITIES:  # the last part of a name has its case
            first, second = (replace(unit, head=unit.last) for unit in (first, second))
        return super().edits(sentence, kind, first, second)

    def check_features(self, sentence: TaggedSentence, kind: str, first: Unit, second: Unit) -> None:
        super().check_features(sentence, kind, first, second)
        if kind != NUMBERS and not sentence.features[first.head]:
            raise SwapRefused(UNKNOWN_FORM)
        if not same_form(sentence.word(first.head), sentence.word(second.head)):
            raise SwapRefused(AGREEMENT)

    def check_replacement(self, sentence: TaggedSentence, number: int, new: str) -> None:
        if not same_form(sentence.word(number), new):
            raise SwapRefused(AGREEMENT)


def same_form(word1: str, word2: str) -> bool:
    """Whether two words can be the same form, by Voikko; true where it does not know one of them."""
    forms1, forms2 = _forms(word1), _forms(word2)
    return not forms1 or not forms2 or bool(forms1 & forms2)


def _forms(word: str) -> set[tuple[str, ...]]:
    return {_form(analysis) for analysis in voikko_analyses(word)}


def _form(analysis: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(analysis.get(name, "") for name in COMPARED)


FINNISH = Finnish()
