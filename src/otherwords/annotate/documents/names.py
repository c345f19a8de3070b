"""What readers call a document: its title, or the film or text that it belongs to and which version of it it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

EDITION = ("outlet", "version", "name")  # what tells a document from others of its group, as far as it is known


def document_name(meta: Mapping[str, Any], group: str | None) -> str | None:
    """The title of a document, else its group and edition; None if it has nothing of these."""
    return document_title(meta) or ", ".join(filter(None, (group, document_edition(meta)))) or None


def document_title(meta: Mapping[str, Any]) -> str | None:
    return _first_text(meta, ("title",))


def document_edition(meta: Mapping[str, Any]) -> str | None:
    return _first_text(meta, EDITION)


def _first_text(meta: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((str(value) for name in names if isinstance(value := meta.get(name), (str, int)) and value), None)
