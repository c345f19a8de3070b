"""Signatures: everything that a score depends on, in one line, as sacrebleu prints them."""

from __future__ import annotations

from collections.abc import Mapping

from otherwords import __version__


def signature(name: str, parts: Mapping[str, object]) -> str:
    """``bleu|nrefs:1|case:mixed|…|version:0.1.0``."""
    return "|".join([name, *(f"{key}:{value}" for key, value in parts.items()), f"version:{__version__}"])
