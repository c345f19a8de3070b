"""Name → implementation, imported on first use.

Each kind of part (measures, tokenisers, formats …) has one registry that maps a plain name to ``module:attribute``.
Nothing is imported until a name is looked up. Other packages add parts with an entry point in the registry's group; a
script or a test with :meth:`Registry.register`.
"""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from operator import attrgetter
from typing import Generic, TypeVar, cast

from otherwords.errors import UsageError

Part = TypeVar("Part")
NEAR = 0.65  # the least similarity (difflib ratio) of a word that is suggested
MOST_LISTED, EXAMPLES = 50, 10  # words that a message names


class Registry(Generic[Part]):
    """The parts of one kind by name. ``group`` is the entry-point group of parts from other packages."""

    def __init__(self, kind: str, builtin: Mapping[str, str], *, group: str) -> None:
        self.kind, self.group = kind, group
        self._builtin = dict(builtin)
        self._loaded: dict[str, Part] = {}

    def names(self) -> list[str]:
        """All names: our own in the order in which they are listed, then the others by name."""
        registered = [name for name in self._loaded if name not in self._builtin]
        return list(dict.fromkeys([*self._builtin, *sorted({*registered, *self._installed})]))

    def targets(self) -> dict[str, str]:
        """Our own parts as ``module:attribute``, by name."""
        return dict(self._builtin)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __contains__(self, name: object) -> bool:
        return name in self._builtin or name in self._loaded or name in self._installed

    def get(self, name: str) -> Part:
        """The part of that name; an unknown name is an error that suggests the nearest ones."""
        if name not in self._loaded:
            if target := self._builtin.get(name):
                module, _, attribute = target.partition(":")
                part = attrgetter(attribute)(import_module(module))
            elif point := self._installed.get(name):
                part = point.load()
            else:
                code = f"unknown-{self.kind.replace(' ', '-')}"
                raise UsageError(f"unknown {self.kind} {name!r}{suggest(name, self.names())}", code=code)
            self._loaded[name] = cast("Part", part)
        return self._loaded[name]

    @contextlib.contextmanager
    def register(self, name: str, part: Part) -> Iterator[None]:
        """Use a part under a name, also one that exists, for the length of the block."""
        before = self._loaded.get(name)
        self._loaded[name] = part
        try:
            yield
        finally:
            if before is None:
                del self._loaded[name]
            else:
                self._loaded[name] = before

    @cached_property
    def _installed(self) -> dict[str, EntryPoint]:
        """Entry points of other packages; their metadata is scanned once."""
        return {point.name: point for point in entry_points(group=self.group)}


def nearest(word: str, known: Collection[str], most: int = 3) -> list[str]:
    """The most similar known words, the nearest first."""
    return difflib.get_close_matches(word, known, n=most, cutoff=NEAR)


def suggest(word: str, known: Collection[str]) -> str:
    """The end of a message about an unknown word: the nearest known words, or all of them; of very many, the first."""
    if near := nearest(word, known):
        return "; did you mean " + " or ".join(near) + "?"
    if len(known) > MOST_LISTED:
        return f"; known: {', '.join(list(known)[:EXAMPLES])} and {len(known) - EXAMPLES:,} more"
    return "; known: " + ", ".join(known)
