"""Translators that do what real backends have been seen to do: drop, double, reorder, cut, echo, repeat, hang, die."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from otherwords.models.asking import BackendFailed, BackendStopped
from otherwords.models.edges import Item, Reply

Behaviour = Callable[[list[Reply[str]]], list[Reply[str]]]


def right_answer(text: str) -> str:
    """What a well-behaved translator makes of a text."""
    return f"<{text}>"


@dataclass
class Misbehaving:
    """A translator that answers by a script: the n-th call behaves as the n-th behaviour says."""

    behaviours: Sequence[str] = ()
    batch_size: int = 4
    poison: str | None = None  # a text on which it dies
    name: str = "misbehaving:aa-bb"
    signature: str = "misbehaving|version:1"
    languages: tuple[str, str] = ("aa", "bb")
    calls: list[list[str]] = field(default_factory=list)
    closed: int = 0
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        with self.lock:
            number = len(self.calls)
            self.calls.append([item.text for item in items])
        behaviour = self.behaviours[number] if number < len(self.behaviours) else "well"
        if self.poison is not None and any(item.text == self.poison for item in items):
            raise BackendFailed("the process ended", code="backend-ended")
        if behaviour == "hang":
            self.released.wait()
            return
        if behaviour == "die":
            raise BackendFailed("the process ended", code="backend-ended")
        if behaviour == "stop":
            raise BackendStopped("the budget is used up", code="budget-used-up")
        if behaviour == "mistake":
            raise ZeroDivisionError
        while behaviour == "endless":
            yield Reply(items[0].id, right_answer(items[0].text))
        yield from _changed([Reply(item.id, right_answer(item.text)) for item in items], items, behaviour)

    def close(self) -> None:
        self.closed += 1


@dataclass
class RemoteMisbehaving(Misbehaving):
    """One that takes several calls at a time; the first ``meets`` of them wait for each other."""

    at_once: int = 1
    meets: int = 0
    seconds_per_call: float = 60.0
    folder: Path | None = None
    most: int = 0  # calls at a time that it has seen
    _running: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        with self._changed:
            self._running += 1
            self.most = max(self.most, self._running)
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: self.most >= self.meets, 60)
        try:
            yield from super().translate(items)
        finally:
            with self._changed:
                self._running -= 1

    def keep_account(self, folder: Path) -> None:
        self.folder = folder


def _changed(answers: list[Reply[str]], items: Sequence[Item], behaviour: str) -> list[Reply[str]]:
    first, rest = answers[0], answers[1:]
    wrong = {
        "drop": rest,
        "double": [first, *answers],
        "two": [Reply(first.id, "something else"), *answers],
        "reorder": answers[::-1],
        "empty": [Reply(first.id, ""), *rest],
        "echo": [Reply(item.id, item.text) for item in items],
        "repeat": [Reply(first.id, "again and " * 40), *rest],
        "unknown": [Reply("nobody asked", "?"), *answers],
        "nothing": [],
        "refuse": [Reply(first.id, None, "too hard"), *rest],
    }
    return wrong.get(behaviour, answers)


BEHAVIOURS = [
    *("well", "drop", "double", "two", "reorder", "empty", "echo", "repeat", "unknown", "nothing", "refuse", "die")
]
