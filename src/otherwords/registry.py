"""Name → implementation, imported on first use.

Each kind of part (measures, tokenisers, formats …) has one registry that maps a plain name to
``module:attribute``. Nothing is imported until a name is asked for. Other packages add theirs with
an entry point in the group ``otherwords.<kind>s``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from operator import attrgetter
from typing import Generic, TypeVar, cast

from otherwords.errors import UsageError

Part = TypeVar("Part")


class Registry(Generic[Part]):
    """The parts of one kind, by name."""

    def __init__(self, kind: str, builtin: Mapping[str, str]) -> None:
        self.kind = kind
        self._builtin = dict(builtin)
        self._loaded: dict[str, Part] = {}

    def names(self) -> list[str]:
        """Every known name, our own first, in the order in which they are listed."""
        others = sorted(point.name for point in self._entry_points() if point.name not in self._builtin)
        return [*self._builtin, *others]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __contains__(self, name: object) -> bool:
        return name in self._builtin or any(point.name == name for point in self._entry_points())

    def get(self, name: str) -> Part:
        """The part of that name; an unknown name is an error that suggests the nearest ones."""
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> Part:
        if target := self._builtin.get(name):
            module, _, attribute = target.partition(":")
            return cast("Part", attrgetter(attribute)(import_module(module)))
        for point in self._entry_points():
            if point.name == name:
                return cast("Part", point.load())
        raise UsageError(f"unknown {self.kind} {name!r}{suggest(name, self.names())}")

    def _entry_points(self) -> list[EntryPoint]:
        return list(entry_points(group=f"otherwords.{self.kind}s"))


def suggest(name: str, known: list[str]) -> str:
    """How an error about an unknown name ends: the nearest known ones, or all of them."""
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    if near:
        return "; did you mean " + " or ".join(near) + "?"
    return "; known: " + ", ".join(known)
