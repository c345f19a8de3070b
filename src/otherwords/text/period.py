"""Whether a single period ends a sentence or belongs to the word before it.

In goes a text, where its sentence starts, where the period is and where the next word starts; out
comes yes or no. Abbreviations come from lists; initials, ordinals and list numbers are known by
their form. A capital after an initial or a dotted abbreviation (J. Smith, U.S. Army) says nothing, so
there only a function word (U.S. The …) starts a sentence.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from otherwords.text.abbreviations import Ending, abbreviations
from otherwords.text.function_words import function_words
from otherwords.text.scripts import script, unsegmented

_WINDOW = 40  # code points looked at before the period: longer than any abbreviation, and constant
_SHORT = 4  # letters; so short a word before a lower-case letter is taken for an unlisted abbreviation
_ORDINAL = 2  # digits; days, months and ranks, not years

_OUTSIDE_WORD = re.compile(r"[\s\"“”„«»‹›()\[\]{}<>¿¡—–…]")
_SPACED = re.compile(r"(?:^|[\s(\[\"«“„])((?:[^\W\d_]{1,3}\.\s?)+[^\W\d_]{1,5})$")  # т. д, p. ej, e. g
_DOTTED = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,3}")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_ROMAN = re.compile(r"[IVXLCDM]+")
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_VOWELS = frozenset("aeiouyаеиоуыэюяіѣєαεηιουω")
_RUSSIAN_I = "я"  # the one pronoun of a single lower-case letter: it ends sentences and is no initial
_CAPITAL_AFTER_ORDINAL = frozenset({"de", "lb", "tr"})  # am 3. Oktober; 3. Selim


def period_ends(text: str, start: int, period: int, following: int, lang: str) -> bool:
    """Whether the period ends the sentence that starts at ``start``."""
    window = text[max(start, period - _WINDOW) : period].rstrip()
    word = _OUTSIDE_WORD.split(window)[-1].lstrip("'‘’")
    after = text[following]
    if small(after):
        return not (_like_abbreviation(word, window, lang) or (_short(word) and _capital(text, start)))
    if _NUMBER.fullmatch(word):
        opens_sentence = period - start <= len(word) + 1
        return not opens_sentence and not _ordinal(word, text, following, lang)
    ending = _ending(word, window, lang)
    if ending is Ending.BEFORE_FUNCTION_WORD:
        return _function_word(text, following, lang)
    if ending is Ending.NEVER:
        return False
    return ending is None or not after.isdigit()


def small(char: str) -> bool:
    """Whether a sentence would not start with this letter. Georgian has no capitals there."""
    return char.islower() and not "ა" <= char <= "ჿ"


def _ending(word: str, window: str, lang: str) -> Ending | None:
    """What the word before the period is; None for a word that is no abbreviation."""
    listed = abbreviations(lang)
    spaced = _SPACED.search(window)
    for candidate in (_compact(spaced[1]) if spaced else "", word.lower()):
        if candidate in listed:
            return listed[candidate]
    if _thai_abbreviation(word):
        return Ending.NEVER
    if _DOTTED.fullmatch(word) or _initial(word, lang):
        return Ending.BEFORE_FUNCTION_WORD
    return None


def _like_abbreviation(word: str, window: str, lang: str) -> bool:
    """Whether a lower-case letter may follow the period within one sentence."""
    if not word or _NUMBER.fullmatch(word) or _ROMAN.fullmatch(word):
        return True
    return _ending(word, window, lang) is not None or not _VOWELS.intersection(normalize("NFD", word.lower()))


def _short(word: str) -> bool:
    return len(word) <= _SHORT


def _capital(text: str, start: int) -> bool:
    """Whether the sentence itself starts with a capital, as it does in edited text."""
    letter = next((char for char in text[start : start + _WINDOW] if char.isalpha()), "")
    return letter.isupper()


def _ordinal(word: str, text: str, following: int, lang: str) -> bool:
    if len(word) > _ORDINAL:
        return False
    if text[following].isdigit():
        return True
    return lang in _CAPITAL_AFTER_ORDINAL and not _function_word(text, following, lang)


def _initial(word: str, lang: str) -> bool:
    letters = [char for char in word if char.isalpha()]  # a letter may carry marks: डॉ
    if len(letters) != 1 or any(char.isdigit() for char in word) or unsegmented(word):
        return False
    return script(letters[0]) != "Hangul" and word != _RUSSIAN_I


def _thai_abbreviation(word: str) -> bool:
    """Thai writes a period behind abbreviations, hardly ever behind a sentence."""
    return bool(word) and script(word[0]) == "Thai" and len(word.rpartition(".")[2]) <= _SHORT


def _function_word(text: str, following: int, lang: str) -> bool:
    word = _FIRST_WORD.match(text, following, following + _WINDOW)
    if word is None or text[word.end() : word.end() + 1] == ".":  # A. S. Pushkin: another initial
        return False
    return word[0].lower() in function_words(lang)


def _compact(abbreviation: str) -> str:
    return "".join(abbreviation.lower().split())
