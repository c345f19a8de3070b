"""Finnish lemmas by Voikko, where its library and its morphology are installed.

Voikko lists every reading of a form without saying which is likely, so the choice is ours: few compound parts before
many, closed classes before open ones, other readings before participles, then the words of a short list of common ones,
then the form that is its own lemma. What remains a participle gives its verb (ollut → olla).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from threading import Lock
from typing import Any

from otherwords.text.languages import listing

Analysis = Mapping[str, str]

_CLOSED = frozenset({"asemosana", "sidesana", "suhdesana", "seikkasana", "kieltosana"})
_NAMES = frozenset({"etunimi", "sukunimi", "paikannimi", "nimi"})
_FIRST_BASE = re.compile(r"\+[^()+]*\(([^()+]+)\)")  # +ol(olla)+l+ut(+ut) → olla
_CACHED_WORDS = 1 << 17


@cache
def voikko_lemma() -> Callable[[str], str] | None:
    """The function from word to lemma, or None where Voikko is not installed."""
    if voikko_analyser() is None:
        return None

    @lru_cache(maxsize=_CACHED_WORDS)
    def lemma(word: str) -> str:
        return choose(word, voikko_analyses(word))

    return lemma


def voikko_analyses(word: str) -> list[Analysis]:
    """Every reading of a form; none where Voikko does not know it or is not installed."""
    voikko = voikko_analyser()
    if voikko is None:
        return []
    with _lock:
        analyses: list[Analysis] = voikko.analyze(word)
    return analyses


_lock = Lock()  # one handle must not be used by two threads at once


@cache
def voikko_analyser() -> Any:
    """Voikko with its Finnish morphology, or None where it is not installed."""
    try:
        import libvoikko
    except ImportError:
        return None
    try:
        return libvoikko.Voikko("fi")
    except (OSError, libvoikko.VoikkoException):  # no shared library; no Finnish morphology
        return None


def choose(word: str, analyses: list[Analysis]) -> str:
    """The likeliest lemma, lower case; the word itself where Voikko knows none."""

    def rank(analysis: Analysis) -> tuple[int, bool, bool, int, bool, bool]:
        kind, base = analysis.get("CLASS", ""), _base(analysis)
        return (
            analysis.get("STRUCTURE", "").count("="),
            kind not in _CLOSED,
            "PARTICIPLE" in analysis,
            _common().get(base, len(_common())),
            base != word.lower(),
            kind in _NAMES,
        )

    return _base(min(analyses, key=rank)) if analyses else word.lower()


def _base(analysis: Analysis) -> str:
    if "PARTICIPLE" in analysis and (verb := _FIRST_BASE.match(analysis.get("WORDBASES", ""))):
        return verb[1].lower()
    return analysis["BASEFORM"].lower()


@cache
def _common() -> dict[str, int]:
    words = [word for line in listing("common_lemmas.fi.txt") for word in line.split()]
    return {word: place for place, word in enumerate(words)}
