"""A limit on invalid answers in batches with hidden tests.

Pages never send one. Whoever sends many to the same task measures how long it takes to refuse them, in the hope that a
test takes longer. Nothing of a refusal depends on what is a test; the limit is there in case something does one day.
Each process of a server counts for itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from otherwords.errors import LabelError, Refused, TooMany

MOST_INVALID = 5  # to one task
SECONDS = 60.0
MOST_REMEMBERED = 10_000  # tasks


class InvalidAnswers:
    """When people sent invalid answers in the last minute, by annotator and slot."""

    def __init__(self) -> None:
        self._times: dict[tuple[str, int], list[float]] = {}

    @contextmanager
    def counting(self, annotator: str, slot: int, moment: float) -> Iterator[None]:
        """Count what is refused inside; refuse everything after too many."""
        task = (annotator, slot)
        recent = [sent for sent in self._times.get(task, ()) if moment - SECONDS < sent <= moment]
        if len(recent) >= MOST_INVALID:
            wait = max(1, math.ceil(recent[0] + SECONDS - moment))
            reason = f"too many invalid answers to this pair; try again in {wait} second{'s' if wait > 1 else ''}"
            raise TooMany(reason, wait, code="too-many-invalid-answers")
        try:
            yield
        except (LabelError, Refused):
            self._times[task] = [*recent, moment]
            self._forget(moment)
            raise

    def _forget(self, moment: float) -> None:
        """Forget tasks of which the minute is over, if there are many."""
        if len(self._times) > MOST_REMEMBERED:
            self._times = {task: times for task, times in self._times.items() if times[-1] > moment - SECONDS}
