"""Prompts in files: a text with places in braces, which are filled in all at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from otherwords.errors import DataError

PLACE = re.compile(r"\{(\w+)\}")


def filled(template: str, values: Mapping[str, str]) -> str:
    """A template with its places filled in at once, so that no value is searched for places."""
    return PLACE.sub(lambda match: values.get(match[1], match[0]), template)


def read_prompt(path: Path) -> str:
    """The prompt of a file."""
    try:
        text = path.read_text(encoding="utf-8-sig").strip("\n")
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), path, code="file-unreadable") from None
    except UnicodeDecodeError:
        raise DataError("not a prompt: it is not UTF-8; save it as UTF-8", path, code="not-utf8") from None
    if not text.strip():
        raise DataError("not a prompt: it is empty", path, code="empty-prompt")
    return text
