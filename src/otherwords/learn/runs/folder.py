"""What the folders of all trainings have in common, of classifiers, encoders and generators.

The record is written last, so a folder that has one is whole. Checkpoints are in it until then: a training that was
killed goes on from them if it depends on the same data, options and seed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, Self, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords.digests import digest_file, digest_folder
from otherwords.errors import DataError, UsageError, WriteError
from otherwords.learn.data.examples import LabelledPairs
from otherwords.sources.io.files import atomic_write

MODEL_FOLDER, CHECKPOINTS, CURVE_FILE = "model", "checkpoints", "curve.json"
CARD_FILE = "README.md"  # of the model
KEY_FILE = "key"  # of the checkpoints: what they belong to

Curve = list[dict[str, float]]  # the training, point by point


class TrainingRecord(Protocol):
    """What a training was: enough to see whether it would be the same again."""

    @property
    def signature(self) -> str: ...

    def differences(self, other: Self) -> list[str]: ...


R = TypeVar("R", bound=TrainingRecord)


def read_record(path: Path, kind: type[R], what: str) -> R:
    """The record of a training from its file; ``what`` is what the folder of the file should be the folder of."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (FileNotFoundError, NotADirectoryError):
        message = f"is not the folder of a trained {what}: it has no {path.name}"
        raise DataError(message, path.parent, code="not-a-run") from None
    except (OSError, ValueError) as problem:
        raise DataError(f"cannot be read: {problem}", path, code="run-unreadable") from None


def check_same(folder: Path, there: R, record: R) -> None:
    """Refuse a training whose folder holds another one."""
    if differences := there.differences(record):
        message = (
            f"{folder}: holds another run, which differs in {', '.join(differences)} ({there.signature}); "
            "name a new folder, or replace it with --again"
        )
        raise UsageError(message, code="another-run")


def write_record(path: Path, record: TrainingRecord) -> None:
    """Write the record of a training that is done, and remove its checkpoints."""
    with atomic_write(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")
    shutil.rmtree(path.parent / CHECKPOINTS, ignore_errors=True)


def write_curve(folder: Path, curve: Curve) -> None:
    """Write how a training went."""
    with atomic_write(folder / CURVE_FILE) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(curve), indent=1) + b"\n")


def read_curve(folder: Path) -> Curve:
    """How a training went; nothing where it has no steps."""
    path = folder / CURVE_FILE
    return msgspec.json.decode(path.read_bytes(), type=Curve) if path.is_file() else []


def write_sentences(path: Path, parts: Iterable[LabelledPairs]) -> None:
    """Write the digests of all sentences of parts, in their order."""
    with atomic_write(path) as stream:
        np.save(stream, np.unique(np.concatenate([column for part in parts for column in part.sentences])))


def share_sentence(path: Path, examples: LabelledPairs) -> NDArray[np.bool_]:
    """Which examples have a sentence, apart from case and punctuation, whose digest is in a file."""
    try:
        known = np.load(path)
    except (OSError, ValueError) as problem:
        message = f"cannot be read ({problem}), so nobody knows whether the model has seen a test; train it again"
        raise DataError(message, path, code="run-unreadable") from None
    first, second = examples.sentences
    return np.asarray(np.isin(first, known) | np.isin(second, known))


def begun_with(path: Path | None) -> str:
    """A digest of the files that a training begins with."""
    if path is None:
        return ""
    return digest_folder(path) if path.is_dir() else digest_file(path)


def checkpoint_folder(folder: Path, key: str) -> Path:
    """The folder in which a training keeps what it has done; that of another training is removed."""
    path = folder / CHECKPOINTS
    try:
        if path.is_dir() and (not (path / KEY_FILE).is_file() or (path / KEY_FILE).read_text("utf-8") != key):
            shutil.rmtree(path)
        path.mkdir(parents=True, exist_ok=True)
        (path / KEY_FILE).write_text(key, "utf-8")
    except OSError as problem:
        raise WriteError(f"{folder}: {problem.strerror or problem}", code="cannot-write") from None
    return path
