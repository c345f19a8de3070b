"""Systems that write by a simple rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from otherwords.models.catalogue import GENERATORS, TRANSLATORS
from otherwords.models.edges import Item, Reply


@dataclass
class Writer:
    """A generator that answers by the last line of the prompt; ``seed`` makes outputs longer."""

    what: str
    batch_size: int = 1
    seconds_per_call: float = 60.0
    asked: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"trial:{self.what}"

    @property
    def signature(self) -> str:
        return self.name

    def generate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        for item in items:
            self.asked.append(item.text)
            source = item.text.rpartition("Sentence: ")[2]
            if "house" in source:
                yield Reply(item.id, None, "the answer was cut off after 4 tokens")
            elif "Nobody" in source and "loop" in self.what:
                yield Reply(item.id, "on and " * 20)
            else:
                yield Reply(item.id, f'In other words: "{source} {"again " * int(self.what[-1])}"')

    def close(self) -> None:
        return


@dataclass
class Leg:
    """A translator that says which way it went."""

    what: str
    batch_size: int = 8

    @property
    def name(self) -> str:
        return f"way:{self.what}"

    @property
    def signature(self) -> str:
        return self.name

    @property
    def languages(self) -> tuple[str, str]:
        first, _, second = self.what.partition("-")
        return first, second

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        yield from (Reply(item.id, f"{item.text} {self.what}") for item in items)

    def close(self) -> None:
        return


@pytest.fixture
def writers() -> Iterator[list[Writer]]:
    built: list[Writer] = []

    def build(what: str) -> Writer:
        built.append(Writer(what))
        return built[-1]

    with GENERATORS.register("trial", build), TRANSLATORS.register("way", Leg):  # type: ignore[arg-type]
        yield built
