"""What a client may send, as types: texts that every database can keep, numbers that fit into its columns.

They stand in the bodies, paths and queries of the API, so that whatever else comes is answered with 422 at the border.
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
    """The text, if a database can keep it."""
    if "\0" in text:
        raise ValueError("a null character, which no database takes; leave it out")
    if not text.isascii() and any("\ud800" <= one <= "\udfff" for one in text):
        raise ValueError("half of a surrogate pair, which is no character; leave it out")
    return text


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("a key has printable characters only")
    return text


Words = Annotated[str, Field(max_length=MOST_WORDS), AfterValidator(storable)]
Text = Annotated[str, Field(max_length=MOST_TEXT), AfterValidator(storable)]
Key = Annotated[str, Field(min_length=1, max_length=MOST_KEY), AfterValidator(_printable)]
Id = Annotated[str, Path(max_length=1000), AfterValidator(storable)]
Number = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
Seq = Annotated[int, Field(ge=0, le=LARGEST)]
Slot = Annotated[int, Query(ge=1, le=LARGEST)]


class Body(BaseModel):
    """What is sent as JSON; a field that is not known is a mistake and not ignored."""

    model_config = ConfigDict(extra="forbid")
