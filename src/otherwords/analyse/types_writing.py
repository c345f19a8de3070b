"""Annotated types for others to read: the annotations that count, as judgements that carry their texts.

Annotators are not named in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from otherwords.analyse.types_reading import Annotation, Chosen
from otherwords.records import Judgement
from otherwords.sources.reading import write


def write_types(corpus: str, found: Chosen, path: str | Path, format: str = "p4p") -> None:
    """Write the annotations of a corpus of that name in a format that holds types: p4p, etpc, msrp-a or our own."""
    write(judgements(corpus, found), path, format)


def judgements(corpus: str, found: Chosen) -> Iterator[Judgement]:
    """One a pair, each with its texts."""
    for one in found.annotations:
        yield Judgement(
            id=f"{one.pair}:types", pair=one.pair, scheme=one.scheme, value=one.listed, meta=_kept(corpus, one)
        )


def _kept(corpus: str, one: Annotation) -> dict[str, Any]:
    known: dict[str, Any] = {"text1": one.text1, "text2": one.text2, "lang": one.lang, "source": corpus}
    known |= {"tokeniser": one.tokeniser, "label": one.label, "snippets": one.snippets}
    return {name: value for name, value in known.items() if value is not None}
