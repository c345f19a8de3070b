"""Types of what clients may send: texts that every database can store, numbers that fit into its columns.

Used in the bodies, paths and queries of the API, so that anything else is answered with 422 before it gets further.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

MOST_KEY = 200
MOST_WORDS = 200
MOST_TEXT = 20_000
LARGEST = 2**63 - 1


def storable(text: str) -> str:
    """The text, if a database can store it."""
    if "\0" in text:
        raise ValueError("a null character, which no database stores; leave it out")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("half of a surrogate pair, which is no character; leave it out")
    return text


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("a key has printable characters only")
    return text


Words = Annotated[str, Field(max_length=MOST_WORDS), AfterValidator(storable)]
OptionalWords = Annotated[Words | None, Query()]
Text = Annotated[str, Field(max_length=MOST_TEXT), AfterValidator(storable)]
Key = Annotated[str, Field(min_length=1, max_length=MOST_KEY), AfterValidator(_printable)]
Id = Annotated[str, Path(max_length=1000), AfterValidator(storable)]
Number = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
Seq = Annotated[int, Field(ge=0, le=LARGEST)]
Slot = Annotated[int, Query(ge=1, le=LARGEST)]
Seconds = Annotated[float, Field(ge=0, lt=1e6, allow_inf_nan=False)]


class Body(BaseModel):
    """A JSON body; an unknown field is an error."""

    model_config = ConfigDict(extra="forbid")
