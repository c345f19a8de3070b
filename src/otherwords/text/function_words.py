"""Words that carry grammar rather than meaning, by language.

English, Finnish, Swedish, Russian, Spanish and Japanese have lists of our own: closed classes in all
their common forms, one file each under ``data``. Other languages use the list of the package
``stopwordsiso``, which is broader (it holds frequent content words too), or the empty set. The name
of the source belongs in every signature, because results differ between the three.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from otherwords.text.languages import listing

OWN, STOPWORDS_ISO, NONE = "otherwords", "stopwords-iso", "none"

_OURS = frozenset({"en", "es", "fi", "ja", "ru", "sv"})
_STOPWORDS_ISO_CODES = {"nb": "no", "nn": "no", "bs": "hr", "sr": "hr", "sh": "hr"}


@cache
def function_words(lang: str) -> frozenset[str]:
    """The function words of a language, in lower case; empty where there is no list."""
    if lang in _OURS:
        return frozenset(word for line in listing(f"function_words.{lang}.txt") for word in line.split())
    return _stop_words(lang)


@cache
def function_word_source(lang: str) -> str:
    """Where the list comes from: ``otherwords``, ``stopwords-iso`` or ``none``."""
    if lang in _OURS:
        return OWN
    return STOPWORDS_ISO if _stop_words(lang) else NONE


def _stop_words(lang: str) -> frozenset[str]:
    try:
        package = import_module("stopwordsiso")
    except ImportError:
        return frozenset()
    listed = cast("set[str]", package.stopwords(_STOPWORDS_ISO_CODES.get(lang, lang)))
    # Some of its lists contain punctuation and digits.
    return frozenset(word.lower() for word in listed if any(char.isalpha() for char in word))
