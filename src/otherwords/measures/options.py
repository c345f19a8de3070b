"""The parameters of a measure, as a user writes them: ``NAME:key=value,key=value``.

A measure asks for its parameters one by one and so declares which it has; a parameter that was given and never asked
for is an error that lists the known ones. The rules of filters are spelled in the same way. Nothing here imports numpy
or a kernel.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from otherwords.errors import UsageError
from otherwords.registry import suggest
from otherwords.text.languages import language

if TYPE_CHECKING:
    from otherwords.measures.cut import Case, Tokenisation


from otherwords import __version__


def signature(name: str, parts: Mapping[str, object]) -> str:
    """``bleu|nrefs:1|case:mixed|…|version:0.1.0``."""
    return "|".join([name, *(f"{key}:{value}" for key, value in parts.items()), f"version:{__version__}"])


MOST_ORDERS = 16  # n-grams longer than this are single texts in practice


@dataclass(slots=True)
class Options:
    """The parameters of one measure: the values that the user gave, and those that the measure has asked for."""

    spec: str
    measure: str
    values: Mapping[str, str] = field(default_factory=dict)
    lang: str | None = None
    default_tokeniser: str | None = None
    known: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)  # parameters without a default that were not given
    noun: str = "measure"  # for messages

    @classmethod
    def parse(
        cls, spec: str, lang: str | None = None, tokeniser: str | None = None, *, noun: str = "measure"
    ) -> Options:
        """Read ``NAME`` or ``NAME:key=value,…``; language and tokeniser are defaults for what it leaves open."""
        name, colon, rest = spec.partition(":")
        values: dict[str, str] = {}
        for part in rest.split(",") if colon else []:
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not (key and equals and value):
                message = f"{noun} {spec!r}: {part!r} is not key=value (as in bleu:tok=intl,smooth=floor)"
                raise UsageError(message, code="not-key-value")
            if key in values:
                raise UsageError(f"{noun} {spec!r}: {key!r} is given twice", code="repeated-parameter")
            values[key] = value
        return cls(spec, name.strip(), values, language(lang) if lang else None, tokeniser, noun=noun)

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        """One of a few words."""
        value = self._take(key, "|".join(choices), default)
        if value not in choices:
            raise self._wrong_value(key, value, "one of " + ", ".join(choices))
        return value

    def text(self, key: str, meaning: str, *, needed: bool = True) -> str:
        """A text without a default, such as the name of a model; empty if it was not given."""
        value = self._take(key, meaning, "")
        if not value and needed:
            self.missing.append(key)
        return value

    def bound(self, key: str, meaning: str, default: float | None = None) -> float | None:
        """Any finite number; None without a value and without a default."""
        value = self._take(key, meaning, "" if default is None else f"{default:g}")
        if not value:
            return None
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self._wrong_value(key, value, "a number")
        return number

    def number(self, key: str, meaning: str, default: float | None) -> float | None:
        """A positive number; None without a value and without a default."""
        value = self._take(key, meaning, "" if default is None else str(default))
        if not value:
            return None
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if not 0.0 < number < float("inf"):
            raise self._wrong_value(key, value, "a number greater than 0")
        return number

    def orders(self, key: str, default: str) -> tuple[int, int]:
        """Lengths of n-grams: ``2-4``, or ``3`` for that length alone."""
        value = self._take(key, "LENGTH or FROM-TO", default)
        match = re.fullmatch(r"([0-9]{1,3})(?:-([0-9]{1,3}))?", value)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= low <= high <= MOST_ORDERS:
            raise self._wrong_value(key, value, f"lengths of n-grams from 1 to {MOST_ORDERS}, such as 2-4")
        return low, high

    def case(self, default: Case = "mixed") -> Case:
        """``mixed`` leaves the texts as they are, ``lc`` lower-cases them."""
        return "lc" if self.choice("case", ["mixed", "lc"], default) == "lc" else "mixed"

    def tokenisation(self, default: str = "words", by_language: Mapping[str, str] | None = None) -> Tokenisation:
        """The tokeniser, as given or by language, and the case."""
        from otherwords.measures.cut import Tokenisation
        from otherwords.text.tokenise import tokeniser

        by_language = {"ja": "ja-mecab"} if by_language is None else by_language
        name = self.default_tokeniser or by_language.get(self.lang or "", default)
        return Tokenisation(tokeniser(self._take("tok", "a tokeniser", name)), self.case())

    def check(self) -> None:
        """Refuse unknown and missing parameters; to be called when the measure has asked for all of them."""
        for key in self.values:
            if key not in self.known:
                known = list(self.known)
                hint = suggest(key, known) if known else f"; {self.measure} has no parameters"
                message = f"{self.noun} {self.spec!r}: unknown parameter {key!r}{hint}"
                raise UsageError(message, code="unknown-parameter")
        for key in self.missing:
            message = f"{self.noun} {self.spec!r}: {key} is missing ({self.known[key]}); write {self.measure}:{key}=…"
            raise UsageError(message, code="missing-parameter")

    def _take(self, key: str, meaning: str, default: str) -> str:
        self.known[key] = f"{meaning} (default {default})" if default else meaning
        return self.values.get(key, default)

    def _wrong_value(self, key: str, value: str, expected: str) -> UsageError:
        message = f"{self.noun} {self.spec!r}: {key}={value} cannot be used; give {expected}"
        return UsageError(message, code="wrong-parameter")
