"""Commands about models."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model: what it is for, its name, whether it is installed, and the command that installs it."""

    kind: str
    name: str
    title: str
    languages: str
    installed: bool
    install: str


def models() -> list[ModelInfo]:
    """List the models by kind, whether they are installed, and how to install them."""
    from otherwords.models.listing import MODELS

    return [
        ModelInfo(model.kind, model.name, model.title, model.languages, model.installed, model.install)
        for model in MODELS
    ]
