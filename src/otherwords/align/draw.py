"""Chance that does not depend on the order of anything: each draw follows from the seed and from names."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import TypeVar

Drawn = TypeVar("Drawn", str, int)


def draw(among: Iterable[Drawn], count: int, seed: int, *names: object) -> list[Drawn]:
    """So many of these, in the order of their lots. Asking for one more adds one to the same ones."""
    return sorted(among, key=lambda one: _lot(seed, *names, one))[:count]


def _lot(*names: object) -> bytes:
    """The lot that these names draw: the same everywhere and always."""
    return blake2b("\0".join(map(str, names)).encode(), digest_size=16).digest()
