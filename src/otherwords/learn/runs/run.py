"""A run: the folder of a trained classifier. ``run.json`` is written last, so a folder that has one is whole.

run.json             what it was trained on, by which options, versions and seed; how probabilities become labels
model/               the model as its kind saves it
dev.parquet          predictions for the dev part
test-1.parquet …     predictions for each test
train-sentences.npy  digests of the sentences of the training part, in their order
curve.json           the training, point by point, where there is one
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords import __version__
from otherwords.digests import digest_folder, digest_hex
from otherwords.engine import cores
from otherwords.errors import DataError
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import LabelTask
from otherwords.learn.ladder import LADDER, PairClassifier, TrainingContext
from otherwords.learn.predictions import DecisionRule, Predictions, load_predictions
from otherwords.learn.runs.folder import CHECKPOINTS, MODEL_FOLDER, Curve, read_curve, read_record, share_sentence
from otherwords.models.edges import Device

RUN_FILE, TRAIN_SENTENCES = "run.json", "train-sentences.npy"
DEV_FILE, TEST_FILE = "dev.parquet", "test-{}.parquet"
FORMAT = 1
LIBRARIES = ("numpy", "scikit-learn", "torch", "transformers")  # that scores may depend on


class DataFacts(msgspec.Struct, frozen=True):
    """What is known of the examples of a part: enough to see whether they are the same again."""

    name: str
    pairs: int
    labels: dict[str, int]
    digest: str
    left_out: dict[str, int] = {}
    groups: int = 0  # different ones

    @classmethod
    def of_examples(cls, examples: LabelledPairs) -> DataFacts:
        groups = {pair.group for pair in examples.pairs} - {None}
        left_out = dict(examples.left_out)
        return cls(examples.name, len(examples), examples.counts(), examples.digest, left_out, len(groups))


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """All that is needed to repeat a training, and to use what came of it."""

    format: int = FORMAT
    name: str
    kind: str
    options: dict[str, Any]
    task: LabelTask
    seed: int
    lang: str | None
    train: DataFacts
    dev: DataFacts
    tests: list[DataFacts]
    leaks: dict[str, int]
    notes: list[str]
    begins_with: str = ""  # a digest of the files of the model that was trained further
    choices: dict[str, str | bool] = {}  # how temperature, threshold and labels are chosen
    decision: DecisionRule = DecisionRule()
    simulated: bool = False  # whether labels rest on simulated judgements
    versions: dict[str, str] = {}
    machine: str = ""
    seconds: float = 0.0
    model_digest: str = ""

    @property
    def key(self) -> str:
        """A digest of everything that the model depends on."""
        data = (self.train.digest, self.dev.digest, self.begins_with)
        parts = (self.kind, self.options, self.task, self.seed, self.lang, *data)
        return digest_hex(msgspec.json.encode(parts, order="sorted").decode(), size=8)

    def differences(self, other: RunRecord) -> list[str]:
        """In what another training differs from this one, in words; nothing if it would give the same run."""
        facts = {
            "model": (self.kind, other.kind),
            "options": (self.options, other.options),
            "labels": (self.task, other.task),
            "seed": (self.seed, other.seed),
            "language": (self.lang, other.lang),
            "training pairs": (self.train.digest, other.train.digest),
            "dev pairs": (self.dev.digest, other.dev.digest),
            "tests": ([test.digest for test in self.tests], [test.digest for test in other.tests]),
            "files that it begins with": (self.begins_with, other.begins_with),
            "choices on dev": (self.choices, other.choices),
        }
        return [name for name, (mine, theirs) in facts.items() if mine != theirs]

    @property
    def signature(self) -> str:
        """The model in one line, for tables and cards."""
        options = ",".join(f"{name}={value}" for name, value in sorted(self.options.items()))
        data = f"train:{self.train.digest[:8]}|dev:{self.dev.digest[:8]}"
        return f"{self.kind}({options})|seed:{self.seed}|{data}|version:{self.versions.get('otherwords', __version__)}"


@dataclass(frozen=True, slots=True)
class Run:
    """A trained classifier on disk."""

    folder: Path
    record: RunRecord

    def classifier(self, device: Device = "auto", note: Callable[[str], None] = lambda message: None) -> PairClassifier:
        """Load the model; its files are compared with what was written. ``note`` is called with what is to be said."""
        record, model = self.record, self.folder / MODEL_FOLDER
        if digest_folder(model) != record.model_digest:
            message = "the files of the model are not those that the training wrote; train it again"
            raise DataError(message, model, code="model-changed")
        kind = LADDER.get(record.kind)
        context = TrainingContext(seed=record.seed, lang=record.lang, device=device, note=note)
        return kind.load(model, record.task, kind.decode(record.options), context)

    def predictions(self) -> list[Predictions]:
        """What it predicted for its own tests."""
        return [
            load_predictions(self.folder / TEST_FILE.format(number)) for number in range(1, len(self.record.tests) + 1)
        ]

    def shares_sentence(self, examples: LabelledPairs) -> NDArray[np.bool_]:
        """Which examples have a sentence, apart from case and punctuation, that the model was trained on."""
        return share_sentence(self.folder / TRAIN_SENTENCES, examples)

    def curve(self) -> Curve:
        """The training, point by point; none where the kind has no steps."""
        return read_curve(self.folder)

    def dev_predictions(self) -> Predictions:
        """What it predicted for its dev part."""
        return load_predictions(self.folder / DEV_FILE)


def is_run(folder: Path) -> bool:
    """Whether a folder holds a whole run."""
    return (folder / RUN_FILE).is_file()


def holds_other_models(folder: Path) -> bool:
    """Whether a folder beside runs is none: of a model of another kind, of a training that did not end, or of runs."""
    if not folder.is_dir() or is_run(folder):
        return False
    begun = any((folder / name).is_dir() for name in (MODEL_FOLDER, CHECKPOINTS))
    return begun or any(is_run(inner) for inner in folder.iterdir())


def open_run(folder: str | Path) -> Run:
    """Open the folder of a run."""
    path = Path(folder)
    return Run(path, read_record(path / RUN_FILE, RunRecord, "classifier"))


def versions() -> dict[str, str]:
    """The versions that results may depend on."""
    found = {"otherwords": __version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def machine() -> str:
    """The machine in a few words."""
    return f"{platform.system()} {platform.machine()}, {cores()} cores"
