"""The folder of a trained generator. ``generator.json`` is written last, so a folder that has one is whole.

generator.json  what it was trained on, by which options, versions and seed
model/          the model as transformers loads it, with a card
curve.json      the training, epoch by epoch
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from otherwords import __version__
from otherwords.digests import digest_folder, digest_hex
from otherwords.errors import DataError
from otherwords.learn.generation.training.options import GeneratorOptions
from otherwords.learn.runs.folder import MODEL_FOLDER, Curve, read_curve, read_record
from otherwords.learn.runs.run import DataFacts

GENERATOR_FILE = "generator.json"
FORMAT = 1


class GeneratorRecord(msgspec.Struct, frozen=True, kw_only=True):
    """All that is needed to repeat a training, and to ask what came of it."""

    format: int = FORMAT
    name: str
    options: GeneratorOptions
    template: str
    seed: int
    lang: str | None
    train: DataFacts
    dev: DataFacts
    notes: list[str]
    begins_with: str  # a digest of the files of the model that was trained further
    simulated: bool = False  # whether labels rest on simulated judgements
    perplexity: float = 0.0  # of the dev part, in the epoch that was kept
    versions: dict[str, str] = {}
    machine: str = ""
    seconds: float = 0.0
    model_digest: str = ""

    @property
    def key(self) -> str:
        """A digest of everything that the model depends on."""
        return digest_hex(msgspec.json.encode(self._facts(), order="sorted").decode(), size=8)

    def differences(self, other: GeneratorRecord) -> list[str]:
        """In what another training differs from this one, in words; nothing if it would give the same run."""
        return [name for name, value in self._facts().items() if value != other._facts()[name]]

    def _facts(self) -> dict[str, object]:
        return {
            "options": self.options,
            "seed": self.seed,
            "language": self.lang,
            "training pairs": self.train.digest,
            "dev pairs": self.dev.digest,
            "files that it begins with": self.begins_with,
        }

    @property
    def signature(self) -> str:
        """The model in one line, for tables and cards."""
        chosen = msgspec.to_builtins(self.options).items()
        options = ",".join(f"{name}={value}" for name, value in sorted(chosen) if name != "prompt")
        data = f"train:{self.train.digest[:8]}|dev:{self.dev.digest[:8]}"
        return f"generator({options})|seed:{self.seed}|{data}|version:{self.versions.get('otherwords', __version__)}"


@dataclass(frozen=True, slots=True)
class GeneratorRun:
    """A trained generator on disk."""

    folder: Path
    record: GeneratorRecord

    @property
    def model(self) -> Path:
        """The folder of the model, after its files have been compared with what was written."""
        folder = self.folder / MODEL_FOLDER
        if not folder.is_dir() or digest_folder(folder) != self.record.model_digest:
            message = "the files of the model are not those that the training wrote; train it again"
            raise DataError(message, folder, code="model-changed")
        return folder

    def curve(self) -> Curve:
        """The training, epoch by epoch."""
        return read_curve(self.folder)


def is_generator_run(folder: Path) -> bool:
    """Whether a folder holds a trained generator."""
    return (folder / GENERATOR_FILE).is_file()


def open_generator_run(folder: Path) -> GeneratorRun:
    """Open the folder of a trained generator."""
    return GeneratorRun(folder, read_record(folder / GENERATOR_FILE, GeneratorRecord, "generator"))
