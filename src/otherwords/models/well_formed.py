"""Texts as libraries can take them."""

from __future__ import annotations


def well_formed(text: str) -> str:
    """The text in valid UTF-8 and without NUL: lone surrogates of damaged files become question marks."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
