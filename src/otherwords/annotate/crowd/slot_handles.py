"""What must be unpredictable in a batch with hidden tests: which tasks are tests, their order, and the names of tasks.

All of it follows from a key that stays in the project's folder, so that every server of a project says the same and
nobody who works on a batch can work it out. Whether a task is a test is drawn for each task by itself: whoever counts
tasks learns nothing, since neither a long run without a test nor a test just now says what comes next.

Pages know a slot of such a batch by a handle: a permutation of the numbers below 2**52 (a Feistel network, as of Luby
and Rackoff 1988, with a keyed hash), above which handles begin. So a handle is a whole number that JavaScript
represents exactly, and can never be taken for the number of a slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from otherwords.annotate.pseudonyms import project_key
from otherwords.digests import digest_bytes
from otherwords.errors import NotAllowed

KEY = "tests.key"
HALF = 26  # bits
FIRST_HANDLE = 1 << (2 * HALF)
_MASK = (1 << HALF) - 1
_ROUNDS = (b"1", b"2", b"3", b"4")


class SlotHandles:
    """Handles, draws and orders of tests that follow from the key of a project, created when it is first needed."""

    __test__ = False  # for pytest, which collects classes by their names

    def __init__(self, project: Path) -> None:
        self._project = project

    @cached_property
    def _key(self) -> bytes:
        return project_key(self._project, KEY)

    def handle(self, slot: int) -> int:
        """The handle of a slot."""
        left, right = slot >> HALF, slot & _MASK
        for person in _ROUNDS:
            left, right = right, left ^ self._mix(right, person)
        return FIRST_HANDLE + (left << HALF | right)

    def slot(self, handle: int) -> int:
        """The slot of a handle."""
        left, right = (handle - FIRST_HANDLE) >> HALF, handle & _MASK
        for person in reversed(_ROUNDS):
            left, right = right ^ self._mix(left, person), left
        return left << HALF | right

    def is_test(self, batch: str, annotator: str, situation: Sequence[int], every: int) -> bool:
        """Whether the next task is a test: one in so many is on average, whatever came before.

        The ``situation`` are numbers that are never the same for two tasks of somebody.
        """
        return self._number("draw", batch, annotator, *map(str, situation)) % every == 0

    def order(self, batch: str, annotator: str, pairs: Sequence[str]) -> list[str]:
        """The test pairs in the order in which an annotator gets them."""
        return sorted(pairs, key=lambda pair: (self._number("order", batch, annotator, pair), pair))

    def _mix(self, half: int, person: bytes) -> int:
        digest = blake2b(half.to_bytes(4), key=self._key, digest_size=4, person=person).digest()
        return int.from_bytes(digest) & _MASK

    def _number(self, *texts: str) -> int:
        return int.from_bytes(digest_bytes(*texts, size=8, key=self._key))


def is_handle(slot: int) -> bool:
    """Whether a number is the handle of a slot, and not its own number."""
    return FIRST_HANDLE <= slot < 2 * FIRST_HANDLE


def slot_number(slot: int, handles: SlotHandles | None) -> int:
    """The number of a slot that a page names by number or, in a batch with tests, by handle."""
    return handles.slot(slot) if handles is not None and is_handle(slot) else slot


def require_handles(handles: SlotHandles | None) -> SlotHandles:
    """The handles, without which nobody can work on a batch with tests."""
    if handles is None:
        raise NotAllowed("a batch with hidden tests can only be worked on through the site", code="site-only")
    return handles
