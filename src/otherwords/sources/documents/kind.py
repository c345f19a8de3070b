"""What a kind of source is: how its files become documents, and which fields it fills."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from otherwords.errors import UsageError
from otherwords.records import Document, Record
from otherwords.registry import suggest
from otherwords.sources.source import Source

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of source. ``options`` are what a user may set, with their defaults."""

    name: str
    title: str
    read: Callable[[Source, Options], Iterator[Record]]
    fields: Mapping[str, str]
    options: Mapping[str, Any] = field(default_factory=dict)
    formats: tuple[str, ...] = ()
    noun: type[Record] = Document
    columns: Mapping[str, tuple[str, ...]] | None = None  # what --columns may name, each with its usual names in tables

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options, with the defaults for those not given; an unknown one is an error."""
        for name, value in given.items():
            if name not in self.options:
                raise UsageError(f"{self.name} has no option {name!r}{suggest(name, list(self.options))}")
            default = self.options[name]
            number = isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool)
            if default is not None and not number and type(value) is not type(default):
                raise UsageError(f"{self.name}: {name} = {value!r}: something like {default!r} is expected")
        return {**self.options, **given}

    def check_columns(self, columns: Mapping[str, str]) -> None:
        """Refuse a name for a column of a field that the kind does not read, with the nearest that it does."""
        if self.columns is None or not columns:
            return
        if not self.columns:
            raise UsageError(f"--columns goes with tables, and {self.name} are none")
        for name, column in columns.items():
            if name not in self.columns:
                meant = [known for known, others in self.columns.items() if name.lower() in others]
                near = f"; did you mean {' or '.join(meant)}?" if meant else suggest(name, list(self.columns))
                raise UsageError(f"--columns {name}={column}: {self.name} has no field {name!r}{near}")


def document_id(kind: str, *parts: str | None) -> str:
    """An id from what makes a document itself, so that reading it again gives the same."""
    digest = blake2b(digest_size=10)
    for part in parts:
        digest.update(b"\0" if part is None else part.encode() + b"\1")
    return f"{kind}-{digest.hexdigest()}"
