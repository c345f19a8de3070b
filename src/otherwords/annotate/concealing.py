"""What cannot be foreseen in a batch with hidden tests: where tests come, in which order, and what tasks are called.

All of it follows from a key that stays in the project's folder, so that every server of a project says the same and
nobody who works on a batch can work it out. A slot of such a batch is told under a handle: a permutation of the
numbers below 2**52 (a Feistel network, as of Luby and Rackoff 1988, with a keyed hash), above which handles begin. So
a handle is a whole number that JavaScript keeps, and can never be taken for the number of a slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from otherwords.annotate.pseudonyms import key_of
from otherwords.errors import NotAllowed

KEY = "tests.key"
HALF = 26  # bits
FIRST_HANDLE = 1 << (2 * HALF)
_MASK = (1 << HALF) - 1
_ROUNDS = (b"1", b"2", b"3", b"4")


class Concealing:
    """The key of a project, made when it is first needed, and what follows from it."""

    def __init__(self, project: Path) -> None:
        self._project = project

    @cached_property
    def _key(self) -> bytes:
        return key_of(self._project, KEY)

    def handle(self, slot: int) -> int:
        """What a slot is called."""
        left, right = slot >> HALF, slot & _MASK
        for person in _ROUNDS:
            left, right = right, left ^ self._mixed(right, person)
        return FIRST_HANDLE + (left << HALF | right)

    def slot(self, handle: int) -> int:
        """The slot that is called so."""
        left, right = (handle - FIRST_HANDLE) >> HALF, handle & _MASK
        for person in reversed(_ROUNDS):
            left, right = right ^ self._mixed(left, person), left
        return left << HALF | right

    def is_test(self, batch: str, annotator: str, number: int, every: int) -> bool:
        """Whether the task of that running number is a test: one of every block is."""
        block, place = divmod(number, every)
        return self._number("place", batch, annotator, str(block)) % every == place

    def order(self, batch: str, annotator: str, pairs: Sequence[str]) -> list[str]:
        """The test pairs in the order in which an annotator meets them."""
        return sorted(pairs, key=lambda pair: (self._number("order", batch, annotator, pair), pair))

    def _mixed(self, half: int, person: bytes) -> int:
        digest = blake2b(half.to_bytes(4), key=self._key, digest_size=4, person=person).digest()
        return int.from_bytes(digest) & _MASK

    def _number(self, *told: str) -> int:
        return int.from_bytes(blake2b("\0".join(told).encode(), key=self._key, digest_size=8).digest())


def is_handle(slot: int) -> bool:
    """Whether a number is the handle of a slot, and not its own."""
    return FIRST_HANDLE <= slot < 2 * FIRST_HANDLE


def needed(concealing: Concealing | None) -> Concealing:
    """What conceals tests; a batch that has some cannot be worked on without."""
    if concealing is None:
        raise NotAllowed("a batch with hidden tests is worked on through the site")
    return concealing
