"""One exchange: two things of a sentence change places, or a word is replaced, and the text follows."""

from __future__ import annotations

from collections.abc import Sequence

from otherwords.acquire.swap.grammars import Grammar
from otherwords.acquire.swap.records import (
    EQUAL,
    KEEPS_MEANING,
    TYPES,
    Change,
    NewWords,
    SwapCandidate,
    SwapRefused,
    TaggedSentence,
    Unit,
)
from otherwords.acquire.swap.symmetry import keeps_meaning
from otherwords.acquire.swap.units import ENTITY_TYPES
from otherwords.acquire.swap.uses import check_use

CAPITALISED = {"en": ("month", "weekday")}  # numbers and dates that keep their capital


def exchange(sentence: TaggedSentence, kind: str, first: Unit, second: Unit, grammar: Grammar) -> SwapCandidate:
    """The sentence after two things have changed places; refused with the reason where that cannot be done well."""
    if first.type != second.type:
        raise SwapRefused(TYPES)
    if lemmas(sentence, first) == lemmas(sentence, second):
        raise SwapRefused(EQUAL)
    check_use(sentence, kind, first, second)
    if keeps_meaning(sentence, first, second):
        raise SwapRefused(KEEPS_MEANING)
    edits = with_capitals(sentence, first, grammar.edits(sentence, kind, first, second))
    return changed(sentence, kind, [*edits, *grammar.neighbours(sentence, edits)])


def lemmas(sentence: TaggedSentence, unit: Unit) -> list[str]:
    """The lemmas of a unit, but for its articles."""
    return [sentence.tokens[number].lemma.lower() for number in unit.numbers if sentence.tokens[number].pos != "DET"]


def with_capitals(sentence: TaggedSentence, first: Unit, edits: tuple[NewWords, NewWords]) -> tuple[NewWords, NewWords]:
    """What comes to the beginning of the sentence gets a capital, what leaves it loses its own unless it is a name."""
    begins = sentence.tokens[sentence.first_word].start
    here, there = edits
    if here.start != begins or not sentence.text[begins].isupper():
        return edits
    left = there.words
    if not _keeps_capital(sentence, first):
        left = left[:1].lower() + left[1:]
    return NewWords(here.start, here.end, here.words[:1].upper() + here.words[1:]), NewWords(
        there.start, there.end, left
    )


def _keeps_capital(sentence: TaggedSentence, unit: Unit) -> bool:
    """Whether the first word of a unit has its capital everywhere: a name, but for its article, or an acronym."""
    token, word = sentence.tokens[unit.first], sentence.word(unit.first)
    if token.pos == "DET":
        return False
    if unit.type in ENTITY_TYPES.values() or unit.type in CAPITALISED.get(sentence.lang, ()):
        return True
    if token.pos == "PROPN" or (len(word) > 1 and word[1:] != word[1:].lower()):
        return True
    spans = [span for span in sentence.tags.entities if span.start <= token.start < span.end]
    return any(
        span.type not in NO_NAMES and (sentence.lang == "en" or _second_capital(sentence, span.start, span.end))
        for span in spans
    )


def _second_capital(sentence: TaggedSentence, start: int, end: int) -> bool:
    """Whether a name has a capital that it does not owe to the beginning of the sentence, or is one word only."""
    numbers = sentence.numbers_within(start, end)
    return any(sentence.word(number)[:1].isupper() for number in numbers[1:])


NO_NAMES = {"DATE", "TIME", "CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "MONEY"}


def changed(sentence: TaggedSentence, kind: str, edits: Sequence[NewWords]) -> SwapCandidate:
    """The text after the edits, with the place of each in both texts."""
    text, end, places = "", 0, {}
    for edit in sorted(edits, key=lambda edit: edit.start):
        text += sentence.text[end : edit.start]
        places[edit] = len(text)
        text += edit.words
        end = edit.end
    text += sentence.text[end:]
    if text.casefold() == sentence.text.casefold():
        raise SwapRefused(EQUAL)
    changes = tuple(
        Change(
            edit.start,
            edit.end,
            places[edit],
            places[edit] + len(edit.words),
            sentence.text[edit.start : edit.end],
            edit.words,
        )
        for edit in edits
    )
    return SwapCandidate(text, kind, changes)
