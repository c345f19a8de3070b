"""Words to lemmas, by the best analyser that is installed.

A lemmatiser is a name, which belongs in every signature, and a function from word to lemma in lower case. Finnish uses
Voikko and Russian pymorphy3 where they are installed; other languages use simplemma where it knows them; for the rest a
lemma is the word in lower case (``none``). Japanese is analysed as a whole text, by MeCab and UniDic. Nothing is loaded
before the first word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

from otherwords.text.tokenise import unidic
from otherwords.text.voikko import voikko_lemma

_SIMPLEMMA_CODES = {"no": "nb", "bs": "hbs", "hr": "hbs", "sr": "hbs", "sh": "hbs"}
_NEGATED = re.compile("n['’]t$", re.IGNORECASE)  # simplemma turns isn't into be and loses the negation
_RUSSIAN = re.compile(r"(?=.*[а-яё])[\w'’-]+", re.IGNORECASE)  # pymorphy3 fails on characters without a name
_STRESS = "\u0301"
_CACHED_WORDS = 1 << 17
_PROPER_NOUN = "固有名詞"


@dataclass(frozen=True, slots=True)
class Lemmatiser:
    """A function from word to lemma, with its name."""

    name: str
    lemma: Callable[[str], str]


@cache
def lemmatiser(lang: str) -> Lemmatiser:
    """The lemmatiser of a language, by ISO 639 code."""
    if lang == "fi" and (finnish := voikko_lemma()):
        return Lemmatiser("voikko", finnish)
    if lang == "ru" and find_spec("pymorphy3") and find_spec("pymorphy3_dicts_ru"):
        return Lemmatiser("pymorphy3", _pymorphy_lemma)
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    code = _SIMPLEMMA_CODES.get(lang, lang)
    if code in SUPPORTED_LANGUAGES:
        return Lemmatiser("simplemma", _simplemma_lemma(code))
    return Lemmatiser("none", str.lower)


def _simplemma_lemma(code: str) -> Callable[[str], str]:
    @lru_cache(maxsize=_CACHED_WORDS)
    def lemmatise(word: str) -> str:
        from simplemma import lemmatize

        if code == "en" and _NEGATED.search(word):
            return word.lower().replace("’", "'")
        lemma: str = lemmatize(word, code)
        return lemma.lower()

    return lemmatise


@lru_cache(maxsize=_CACHED_WORDS)
def _pymorphy_lemma(word: str) -> str:
    plain = word.replace(_STRESS, "")
    if not _RUSSIAN.fullmatch(plain):
        return word.lower()
    lemma: str = russian_morphology().parse(plain)[0].normal_form
    return lemma.lower()


@cache
def russian_morphology() -> Any:
    """pymorphy3 with its Russian dictionary, which must be installed."""
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer(lang="ru")


def unidic_lemmas(text: str) -> list[str]:
    """One lemma per token of ``ja-unidic``; a word that UniDic does not know is its own lemma, in lower case.

    UniDic adds a gloss to loan words and homographs (タワー-tower), which is dropped.
    """
    lemmas: list[str] = []
    # MeCab reads C strings, so a NUL would end the text.
    for node in _unidic_tagger()(text.replace("\0", " ").strip()):
        pieces = node.surface.split()  # none for an ideographic blank
        # The lemma of a name is its reading (トウキョウ), which is less specific than its spelling (東京).
        form = node.feature.orthBase if node.feature.pos2 == _PROPER_NOUN else node.feature.lemma
        lemma = (form or "").partition("-")[0]
        lemmas.extend([lemma] if lemma and len(pieces) == 1 else [piece.lower() for piece in pieces])
    return lemmas


@cache
def _unidic_tagger() -> Any:
    fugashi, dictionary = unidic("lemmatising Japanese")
    return fugashi.Tagger(dictionary)
