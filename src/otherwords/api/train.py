"""Training models on labelled pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, Unpack

from otherwords.api.reading import Paths, ReadingOptions, StrPath, path_list
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.engine import Progress
    from otherwords.learn.encoders.run import EncoderRun
    from otherwords.learn.generation.training.run import GeneratorRun
    from otherwords.learn.runs.run import Run

__all__ = ["classifier", "encoder", "generator"]


AnyRun = TypeVar("AnyRun", "Run", "EncoderRun", "GeneratorRun")


@dataclass(frozen=True, slots=True)
class TrainResult(Generic[AnyRun]):
    """A trained model: its folder, what it was trained on, and what a reader of its scores has to know."""

    run: AnyRun
    known: bool = False  # it had been trained before

    @property
    def folder(self) -> Path:
        return self.run.folder

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        import msgspec

        record = self.run.record
        return {"folder": str(self.folder), "signature": record.signature, **msgspec.to_builtins(record)}


def classifier(
    paths: Paths,
    *,
    model: str = "features",
    out: StrPath | None = None,
    task: Literal["binary", "labels"] = "binary",
    dev: StrPath | None = None,
    tests: Sequence[StrPath] = (),
    split: str = "80/10/10",
    bootstrapped: Sequence[StrPath] = (),
    leaks: Literal["refuse", "drop", "keep"] = "refuse",
    rewrites: bool = True,
    share: int = 100,
    share_by: Literal["unit", "group"] = "unit",
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    threshold: str = "accuracy",
    calibrate: bool = True,
    decode: Literal["heads", "jointly"] = "heads",
    device: Literal["auto", "cpu", "cuda"] = "auto",
    simulated: bool = False,
    again: bool = False,
    progress: Progress = lambda done, total: None,
    **reading: Unpack[ReadingOptions],
) -> TrainResult[Run]:
    """Train a classifier that says which pairs are paraphrases.

    ``paths`` are a project, whose own split is used, or files; without ``tests``, they are split by connected
    components into the parts that ``split`` names. ``model`` is a rung of the ladder, ``settings`` are its parameters.
    ``task`` is paraphrase or not, or complete labels. ``leaks`` says what happens when a part shares a sentence with
    training. ``bootstrapped`` are files of harvested pairs, which are added to training only; complete labels then
    have one class for 1 and 2. ``share`` is the share of the training part in per cent, for learning curves: whole
    units, or groups. Temperature and threshold are chosen on dev.
    ``out`` is the folder of the run, in a project ``models/MODEL`` by default; the same training again does
    nothing, and one that was killed goes on.
    """
    from otherwords.learn.runs.request import ClassifierRequest, train_classifier
    from otherwords.learn.runs.run import is_run

    names, out = _names(paths), _folder(paths, out, model)
    request = ClassifierRequest(
        paths=tuple(names),
        model=model,
        out=str(out),
        task=task,
        dev=None if dev is None else str(dev),
        tests=tuple(map(str, tests)),
        split=split,
        bootstrapped=tuple(map(str, bootstrapped)),
        leaks=leaks,
        rewrites=rewrites,
        share=share,
        share_by=share_by,
        seed=seed,
        settings=dict(settings or {}),
        threshold=threshold,
        calibrate=calibrate,
        decode=decode,
        device=device,
        simulated=simulated,
        again=again,
    )
    known = is_run(Path(out)) and not again
    return TrainResult(train_classifier(request, progress, **reading), known)


def encoder(
    paths: Paths,
    *,
    out: StrPath | None = None,
    base: str = "minilm",
    objective: Literal["contrastive", "classification"] = "contrastive",
    mix: Literal["train", "train+neg", "train+neg+pos", "neg+pos"] = "train",
    negatives: Sequence[StrPath] = (),
    positives: Sequence[StrPath] = (),
    dev: StrPath | None = None,
    tests: Sequence[StrPath] = (),
    split: str = "80/10/10",
    leaks: Literal["refuse", "drop", "keep"] = "refuse",
    epochs: int = 3,
    batch: int = 32,
    rate: float = 5e-5,
    length: int = 128,
    hard_negatives: int = 0,
    margin: float = 0.95,
    seed: int = 0,
    device: Literal["auto", "cpu", "cuda"] = "auto",
    simulated: bool = False,
    again: bool = False,
    progress: Progress = lambda done, total: None,
    **reading: Unpack[ReadingOptions],
) -> TrainResult[EncoderRun]:
    """Train a sentence encoder that finds paraphrases.

    ``paths`` are a project, whose own split is used, or files, which are split by connected components; all pairs of a
    corpus whose labels never say so count as paraphrases. ``base`` is ``minilm`` or ``hf:PATH``. The objective is to
    tell a paraphrase from all other texts of a batch (``contrastive``), of which no two are of one cluster, or a
    ``classification``. ``mix`` adds harvested ``negatives`` and ``positives``, or takes them alone. A pair has so many
    ``hard_negatives``, whose cosine is at most ``margin`` times that of the positive. ``rate`` is the learning rate,
    ``length`` the number of tokens of a text. The epoch that is best on dev is kept. ``out`` is the folder of the run,
    in a project ``models/encoder`` by default; the same training again does nothing, and one that was killed goes on.
    """
    from otherwords.learn.encoders.options import EncoderRequest
    from otherwords.learn.encoders.run import is_encoder_run, train_encoder

    names, out = _names(paths), _folder(paths, out, "encoder")
    request = EncoderRequest(
        paths=tuple(names),
        out=str(out),
        base=base,
        objective=objective,
        mix=mix,
        negatives=tuple(map(str, negatives)),
        positives=tuple(map(str, positives)),
        dev=None if dev is None else str(dev),
        tests=tuple(map(str, tests)),
        split=split,
        leaks=leaks,
        epochs=epochs,
        batch=batch,
        rate=rate,
        length=length,
        hard_negatives=hard_negatives,
        margin=margin,
        seed=seed,
        device=device,
        simulated=simulated,
        again=again,
    )
    known = is_encoder_run(Path(out)) and not again
    return TrainResult(train_encoder(request, progress, **reading), known)


def generator(
    paths: Paths,
    *,
    base: str,
    out: StrPath | None = None,
    kind: Literal["encoder-decoder", "causal"] = "causal",
    lora: bool = False,
    max_bleu: float = 14.0,
    dev: StrPath | None = None,
    share: int = 100,
    epochs: int | None = None,
    batch: int | None = None,
    rate: float | None = None,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    device: Literal["auto", "cpu", "cuda"] = "auto",
    simulated: bool = False,
    again: bool = False,
    progress: Progress = lambda done, total: None,
    **reading: Unpack[ReadingOptions],
) -> TrainResult[GeneratorRun]:
    """Train a generator on the paraphrases of a project, whose own split is used, or of files.

    ``base`` is the model to begin with, ``hf:PATH`` or ``smollm2``, and ``kind`` what it is. With ``lora``, only small
    matrices beside its layers learn. Pairs whose BLEU is above ``max_bleu`` are left out. ``dev`` are pairs whose
    perplexity chooses the epoch; without it, a tenth of the pairs, whole components. ``share`` is the share of the
    training part in per cent, for learning curves: whole components. ``settings`` are further parameters. ``out`` is
    the folder of the run, in a project ``models/generator`` by default; the same training again does nothing, and one
    that was killed goes on. ``otherwords.generate`` takes the folder as a system.
    """
    from otherwords.learn.generation.training.run import is_generator_run
    from otherwords.learn.generation.training.train import GeneratorRequest, train_generator

    names, out = _names(paths), _folder(paths, out, "generator")
    chosen = {"base": base, "kind": kind, "lora": lora, "max_bleu": max_bleu}
    named = {"epochs": epochs, "batch": batch, "rate": rate}
    request = GeneratorRequest(
        paths=tuple(names),
        out=Path(out),
        settings=chosen | {name: value for name, value in named.items() if value is not None} | dict(settings or {}),
        dev=None if dev is None else str(dev),
        share=share,
        seed=seed,
        device=device,
        simulated=simulated,
        again=again,
    )
    known = is_generator_run(Path(out)) and not again
    return TrainResult(train_generator(request, progress, **reading), known)


def _names(paths: Paths) -> list[str]:
    names = [str(path) for path in path_list(paths)]
    if not names:
        raise UsageError("name a project or a file to train on", code="nothing-to-train-on")
    return names


def _folder(paths: Paths, out: StrPath | None, name: str) -> StrPath:
    """The folder that is named or, in a project, that of models of this name."""
    from otherwords.project.config import CONFIG_FILE
    from otherwords.project.project import MODELS

    if out is not None:
        return out
    first = Path(_names(paths)[0])
    if not (first / CONFIG_FILE).is_file():
        raise UsageError("name a folder for the model with --out", code="no-output-folder")
    return first / MODELS / name
