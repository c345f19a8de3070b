"""Checkpoints: all that a training has to remember, so that a killed one goes on as if nothing had happened.

Weights, optimiser and the states of all random numbers are restored to the bit; the order of the pairs follows from the
seed. A checkpoint is written aside and renamed, so the one before it stays until the new one is whole.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch

from otherwords.errors import DataError
from otherwords.sources.io.files import atomic_write

FILE = "training.pt"


class Position(msgspec.Struct):
    """How far a training is, and the best it has had."""

    epoch: int = 0
    batch: int = 0  # in the epoch
    step: int = 0
    loss: float = 0.0  # summed in this epoch
    best: tuple[float, float] | None = None  # the score on dev and the loss there, with its sign turned
    waited: int = 0  # epochs since the best one
    finished: bool = False
    curve: list[dict[str, int | float]] = []


def save_checkpoint(folder: Path, position: Position, states: dict[str, Any]) -> None:
    """Write a checkpoint; ``states`` are those of weights and optimiser."""
    with atomic_write(folder / FILE) as stream:
        torch.save({"position": msgspec.to_builtins(position), "random": _random_states(), **states}, stream)


def load_checkpoint(folder: Path) -> tuple[Position, dict[str, Any]] | None:
    """The last checkpoint, if there is one; random numbers go on from there."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
        position = msgspec.convert(saved.pop("position"), Position)
        _restore(saved.pop("random"))
    except Exception as problem:  # noqa: BLE001 (torch raises many kinds for a damaged file)
        message = f"is not a checkpoint of this training ({type(problem).__name__}); delete it to begin anew"
        raise DataError(message, path, code="checkpoint-unreadable") from None
    return position, saved


def _random_states() -> dict[str, Any]:
    kind, keys, place, has_gauss, gauss = np.random.get_state()
    states = {
        "python": random.getstate(),
        "numpy": (kind, [int(key) for key in keys], place, has_gauss, gauss),
        "torch": torch.get_rng_state(),
    }
    if torch.cuda.is_available():
        states["cuda"] = torch.cuda.get_rng_state_all()
    return states


def _restore(states: dict[str, Any]) -> None:
    version, numbers, gauss = states["python"]
    random.setstate((version, tuple(numbers), gauss))
    kind, keys, *rest = states["numpy"]
    np.random.set_state((kind, np.array(keys, np.uint32), *rest))
    torch.set_rng_state(states["torch"])
    if "cuda" in states and torch.cuda.is_available():
        torch.cuda.set_rng_state_all(states["cuda"])
