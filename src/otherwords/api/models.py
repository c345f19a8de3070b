"""Commands about models: which there are, and what they say of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from otherwords.api.reading import StrPath

if TYPE_CHECKING:
    from otherwords.engine import Progress
    from otherwords.learn.judging.judge import JudgedBatch


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model: what it is for, its name, whether it is installed, and the command that installs it."""

    kind: str
    name: str
    title: str
    languages: str
    installed: bool
    install: str


def models() -> list[ModelInfo]:
    """List the models by kind, whether they are installed, and how to install them."""
    from otherwords.models.listing import MODELS

    return [
        ModelInfo(model.kind, model.name, model.title, model.languages, model.installed, model.install)
        for model in MODELS
    ]


def judge(
    project: StrPath,
    batch: str,
    *,
    model: str,
    prompt: StrPath | None = None,
    device: Literal["auto", "cpu", "cuda"] = "auto",
    progress: Progress | None = None,
) -> JudgedBatch:
    """Have a model judge the pairs of a batch, beside people and never in their place.

    ``model`` is the folder of a trained classifier (``run:FOLDER``) or a generator (``smollm2``, ``hf:PATH``,
    ``openai:URL#MODEL``), which is asked by ``prompt``, a file, or by one that ships. The judgements are of kind
    ``model``; what this version of the model has judged before is neither asked nor written again.
    """
    from otherwords.annotate.batches.batch import load_batch
    from otherwords.annotate.schemes import load_scheme
    from otherwords.annotate.schemes.guidelines import current_guideline
    from otherwords.learn.judging.judge import judge_batch
    from otherwords.learn.judging.judges import model_judge
    from otherwords.project import open_project

    with open_project(project) as corpus:
        with corpus.ledger.reading() as connection:
            scheme = load_scheme(load_batch(connection, batch).scheme, corpus.folder)
            guideline = current_guideline(connection, scheme.name, corpus.folder).text
        chosen = model_judge(model, scheme, prompt=prompt, guideline=guideline, device=device)
        return judge_batch(corpus, batch, chosen, progress or (lambda done, total: None))
