"""Whether a single period ends a sentence or belongs to the word before it.

Abbreviations come from the lists under ``data`` (a language without one shares ``und``); initials, ordinals and list
numbers are known by their form. A capital after an initial or a dotted abbreviation (J. Smith, U.S. Army) is no
evidence, so only a function word (U.S. The …) starts a sentence there.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from unicodedata import normalize

from otherwords.text.function_words import function_words
from otherwords.text.languages import listing
from otherwords.text.scripts import script, unsegmented

_WINDOW = 40  # code points examined before the period: longer than any abbreviation, and constant
_SHORT = 4  # letters; a word this short before a lower-case letter is taken for an unlisted abbreviation
_ORDINAL = 2  # digits; days, months and ranks, not years

_OUTSIDE_WORD = re.compile(r"[\s\"“”„«»‹›()\[\]{}<>¿¡—–…]")
_SPACED = re.compile(r"(?:^|[\s(\[\"«“„])((?:[^\W\d_]{1,3}\.\s?)+[^\W\d_]{1,5})$")  # т. д, p. ej, e. g
_DOTTED = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,3}")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_ROMAN = re.compile(r"[IVXLCDM]+")
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_VOWELS = frozenset("aeiouyаеиоуыэюяіѣєαεηιουω")
_RUSSIAN_I = "я"  # the one pronoun of a single lower-case letter: it ends sentences and is not an initial
_CAPITAL_AFTER_ORDINAL = frozenset({"de", "lb", "tr"})  # am 3. Oktober; 3. Selim


class Ending(Enum):
    """When the period of an abbreviation also ends the sentence."""

    NEVER = ""
    BEFORE_FUNCTION_WORD = "word"
    BEFORE_CAPITAL = "end"
    UNLESS_NUMBER = "number"


@cache
def abbreviations(lang: str) -> dict[str, Ending]:
    """The abbreviations of a language, in lower case, without blanks and without the last period."""
    lines = listing(f"abbreviations.{lang}.txt") or listing("abbreviations.und.txt")
    rows = [line.partition("\t") for line in lines]
    return {abbreviation: Ending(ending) for abbreviation, _, ending in rows}


def period_ends(text: str, start: int, period: int, following: int, lang: str) -> bool:
    """Whether the period ends the sentence that starts at ``start``."""
    window = text[max(start, period - _WINDOW) : period].rstrip()
    word = _OUTSIDE_WORD.split(window)[-1].lstrip("'‘’")
    after = text[following]
    if cannot_start(after):
        # In edited text, where the sentence itself starts with a capital, a short word may be an unlisted abbreviation.
        letter = next((char for char in text[start : start + _WINDOW] if char.isalpha()), "")
        number = not word or _NUMBER.fullmatch(word) or _ROMAN.fullmatch(word)
        without_vowel = not _VOWELS.intersection(normalize("NFD", word.lower()))
        abbreviated = number or without_vowel or _ending(word, window, lang) is not None
        return not (abbreviated or (len(word) <= _SHORT and letter.isupper()))
    if _NUMBER.fullmatch(word):
        opens_sentence = period - start <= len(word) + 1
        before_capital = lang in _CAPITAL_AFTER_ORDINAL and not _function_word(text, following, lang)
        ordinal = len(word) <= _ORDINAL and (after.isdigit() or before_capital)
        return not opens_sentence and not ordinal
    ending = _ending(word, window, lang)
    if ending is Ending.BEFORE_FUNCTION_WORD:
        return _function_word(text, following, lang)
    if ending is Ending.NEVER:
        return False
    return ending is None or not after.isdigit()


def cannot_start(char: str) -> bool:
    """Whether no sentence starts with this letter: it is lower case, and not Georgian, which has no capitals there."""
    return char.islower() and not "ა" <= char <= "ჿ"


def _ending(word: str, window: str, lang: str) -> Ending | None:
    """How the word before the period ends; None for a word that is not an abbreviation."""
    listed = abbreviations(lang)
    spaced = _SPACED.search(window)
    for candidate in ("".join(spaced[1].lower().split()) if spaced else "", word.lower()):
        if candidate in listed:
            return listed[candidate]
    # Thai writes a period behind abbreviations, hardly ever behind a sentence.
    if word and script(word[0]) == "Thai" and len(word.rpartition(".")[2]) <= _SHORT:
        return Ending.NEVER
    letters = [char for char in word if char.isalpha()]  # a letter may carry marks: डॉ
    initial = len(letters) == 1 and script(letters[0]) != "Hangul" and word != _RUSSIAN_I
    initial = initial and not any(char.isdigit() for char in word) and not unsegmented(word)
    return Ending.BEFORE_FUNCTION_WORD if initial or _DOTTED.fullmatch(word) else None


def _function_word(text: str, following: int, lang: str) -> bool:
    word = _FIRST_WORD.match(text, following, following + _WINDOW)
    if word is None or text[word.end() : word.end() + 1] == ".":  # A. S. Pushkin: another initial
        return False
    return word[0].lower() in function_words(lang)
