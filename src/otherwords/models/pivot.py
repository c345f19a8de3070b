"""Translation by way of other languages: ``A>B`` translates with A and the result with B."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from otherwords.errors import UsageError
from otherwords.models.calls import SECONDS_PER_CALL
from otherwords.models.edges import Item, RemoteEdge, Reply, Translator


@dataclass(frozen=True, slots=True)
class Pivot:
    """Translators one after the other."""

    legs: tuple[Translator, ...]

    def __post_init__(self) -> None:
        for before, after in zip(self.legs, self.legs[1:], strict=False):
            if before.languages[1] != after.languages[0]:
                message = f"{self.name}: {before.name} ends in {before.languages[1]}, {after.name} begins with"
                raise UsageError(f"{message} {after.languages[0]}", code="pivot-mismatch")

    @property
    def name(self) -> str:
        return ">".join(leg.name for leg in self.legs)

    @property
    def signature(self) -> str:
        return ">".join(leg.signature for leg in self.legs)

    @property
    def batch_size(self) -> int:
        return min(leg.batch_size for leg in self.legs)

    @property
    def at_once(self) -> int:
        return min(leg.at_once if isinstance(leg, RemoteEdge) else 1 for leg in self.legs)

    @property
    def seconds_per_call(self) -> float:
        return sum(leg.seconds_per_call if isinstance(leg, RemoteEdge) else SECONDS_PER_CALL for leg in self.legs)

    @property
    def languages(self) -> tuple[str, str]:
        return self.legs[0].languages[0], self.legs[-1].languages[1]

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        """The translations; a text that one of them fails on goes no further."""
        for number, leg in enumerate(self.legs):
            last = number == len(self.legs) - 1
            going_on = []
            for answer in leg.translate(items):
                if last or answer.value is None or not answer.value.strip():
                    reason = f"{leg.name}: {answer.reason}" if answer.reason else None
                    yield Reply(answer.id, answer.value, reason)
                else:
                    going_on.append(Item(answer.id, answer.value))
            items = going_on

    def keep_account(self, folder: Path) -> None:
        for leg in self.legs:
            if isinstance(leg, RemoteEdge):
                leg.keep_account(folder)

    def close(self) -> None:
        for leg in self.legs:
            leg.close()
