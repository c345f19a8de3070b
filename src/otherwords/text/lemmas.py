"""Words to lemmas, by the best analyser at hand.

In goes a language, out comes a lemmatiser: its name, which belongs in every signature, and a function
from word to lemma, lower case. Finnish goes to Voikko and Russian to pymorphy3 where they are
installed, any language simplemma knows to simplemma; in the rest a lemma is the word in lower case
(``none``). Japanese needs the whole text and is in ``unidic``. Nothing is loaded before the first word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

from otherwords.text.voikko import voikko_lemma

_SIMPLEMMA_CODES = {"no": "nb", "bs": "hbs", "hr": "hbs", "sr": "hbs", "sh": "hbs"}
_NEGATED = re.compile("n['’]t$", re.IGNORECASE)  # simplemma makes isn't be, and the negation is lost
_RUSSIAN = re.compile(r"(?=.*[а-яё])[\w'’-]+", re.IGNORECASE)  # pymorphy3 fails on characters without a name
_STRESS = "\u0301"
_WORDS_KEPT = 1 << 17


@dataclass(frozen=True, slots=True)
class Lemmatiser:
    """A named way from word to lemma."""

    name: str
    lemma: Callable[[str], str]


@cache
def lemmatiser(lang: str) -> Lemmatiser:
    """The lemmatiser of a language, by ISO 639 code."""
    if lang == "fi" and (finnish := voikko_lemma()):
        return Lemmatiser("voikko", finnish)
    if lang == "ru" and find_spec("pymorphy3") and find_spec("pymorphy3_dicts_ru"):
        return Lemmatiser("pymorphy3", lru_cache(maxsize=_WORDS_KEPT)(_pymorphy_lemma))
    code = _SIMPLEMMA_CODES.get(lang, lang)
    if code in _simplemma_languages():
        return Lemmatiser("simplemma", _simplemma_lemma(code))
    return Lemmatiser("none", str.lower)


def _simplemma_languages() -> frozenset[str]:
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    return frozenset(SUPPORTED_LANGUAGES)


def _simplemma_lemma(code: str) -> Callable[[str], str]:
    @lru_cache(maxsize=_WORDS_KEPT)
    def lemma(word: str) -> str:
        from simplemma import lemmatize

        if code == "en" and _NEGATED.search(word):
            return word.lower().replace("’", "'")
        found: str = lemmatize(word, code)
        return found.lower()

    return lemma


def _pymorphy_lemma(word: str) -> str:
    plain = word.replace(_STRESS, "")
    if not _RUSSIAN.fullmatch(plain):
        return word.lower()
    found: str = _pymorphy().parse(plain)[0].normal_form
    return found.lower()


@cache
def _pymorphy() -> Any:
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer(lang="ru")
