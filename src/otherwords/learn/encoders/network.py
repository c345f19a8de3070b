"""An encoder while it is trained: a model of sentence-transformers, its loss, and how it is loaded and saved.

The contrastive objective takes all other texts of a batch, and hard negatives, for negatives of a positive pair
(sentence-transformers' ``MultipleNegativesRankingLoss``, in both directions) and pushes the texts of labelled negatives
apart (``ContrastiveLoss``). The classification objective is that of Reimers & Gurevych (2019): a softmax over both
vectors and their difference (``SoftmaxLoss``).
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from otherwords.errors import DataError, MissingExtra, UsageError
from otherwords.learn.encoders.options import Objective
from otherwords.learn.neural.base_models import base_folder, load_encoder, load_tokenizer, longest_input
from otherwords.learn.neural.options import PACKAGED
from otherwords.models.edges import well_formed
from otherwords.models.hugging_face import EXTRA, first_line, model_folder

FOLDER_PREFIX = "hf:"
POOLING = "mean"  # Kanerva et al. 2023, §8.1: the best one on their dev part
MODULES_FILE = "modules.json"
TEXTS_PER_BATCH = 64
UNLIMITED = 10**6


@dataclass(frozen=True, slots=True)
class TextBatch:
    """The texts of a batch: positive pairs, the hard negatives of each in columns, and negative pairs."""

    positives: list[tuple[str, str]]
    hard: list[tuple[str, ...]]  # of each positive pair
    negatives: list[tuple[str, str]]


class EncoderNetwork(torch.nn.Module):  # type: ignore[misc]
    """A model of sentence-transformers with the loss of an objective."""

    def __init__(self, model: Any, objective: Objective) -> None:
        super().__init__()
        losses = _losses()
        self.model = model
        self.objective = objective
        self.head: Any = None
        self._losses: tuple[Any, ...]
        # Losses refer to the model; as a tuple they are no modules of this one, which would have all weights twice.
        if objective == "classification":
            softmax = losses.SoftmaxLoss(model, model.get_embedding_dimension(), num_labels=2)
            self.head, self._losses = softmax.classifier, (softmax,)
        else:
            both = ("query_to_doc", "doc_to_query")
            ranking = losses.MultipleNegativesRankingLoss(model, directions=both, partition_mode="per_direction")
            self._losses = (ranking, losses.ContrastiveLoss(model))

    def loss(self, batch: TextBatch) -> Any:
        """The mean loss of the pairs of a batch."""
        if self.objective == "classification":
            pairs = [*batch.positives, *batch.negatives]
            labels = torch.tensor([1] * len(batch.positives) + [0] * len(batch.negatives), device=self.model.device)
            return self._losses[0](self._features(pairs), labels)
        ranking, contrastive = self._losses
        total = torch.zeros((), device=self.model.device)
        if batch.positives:
            columns = [(*pair, *hard) for pair, hard in zip(batch.positives, batch.hard, strict=True)]
            total = total + len(columns) * ranking(self._features(columns), None)
        if batch.negatives:
            labels = torch.zeros(len(batch.negatives), device=self.model.device)
            total = total + len(batch.negatives) * contrastive(self._features(batch.negatives), labels)
        return total / (len(batch.positives) + len(batch.negatives))

    def new_parameters(self) -> Iterator[Any]:
        """The parameters that the base does not have."""
        return iter(()) if self.head is None else self.head.parameters()

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of length 1, with all layers at rest."""
        self.model.eval()
        rows = self.model.encode(
            [well_formed(text) for text in texts],
            batch_size=TEXTS_PER_BATCH,
            show_progress_bar=False,
            normalize_embeddings=True,
        )
        return np.asarray(rows, np.float32)

    def _features(self, rows: Sequence[tuple[str, ...]]) -> list[dict[str, Any]]:
        """The tokens of every column of some rows of texts."""
        columns = []
        for column in zip(*rows, strict=True):
            tokens = self.model.preprocess([well_formed(text) for text in column])
            columns.append({name: _to(value, self.model.device) for name, value in tokens.items()})
        return columns


def folder_of_base(base: str) -> Path:
    """The folder of a base, which is named like an encoder: ``minilm`` or ``hf:PATH``."""
    if base == PACKAGED:
        return base_folder(PACKAGED)
    if not base.startswith(FOLDER_PREFIX):
        message = f"--base {base}: an encoder that can be trained further is minilm or hf:PATH, the folder of a model"
        raise UsageError(message, code="bad-base")
    return model_folder(base.removeprefix(FOLDER_PREFIX), None)


def load_base(base: str, device: str) -> Any:
    """The model that is trained further; one without a pooling of its own takes the mean of its tokens."""
    folder = folder_of_base(base)
    library = _library()
    try:
        with redirect_stderr(io.StringIO()):  # a bar that cannot be switched off
            if (folder / MODULES_FILE).is_file():
                return library.SentenceTransformer(str(folder), device=device, local_files_only=True)
            encoder = load_encoder(folder)  # which refuses what is no encoder, or lacks weights
            from sentence_transformers.sentence_transformer import modules

            longest = longest_input(load_tokenizer(folder), encoder, UNLIMITED)
            tokens = modules.Transformer(str(folder), max_seq_length=longest)
            pooling = modules.Pooling(tokens.get_embedding_dimension(), pooling_mode=POOLING)
            return library.SentenceTransformer(modules=[tokens, pooling], device=device)
    except DataError:
        raise
    except Exception as problem:  # noqa: BLE001 (safetensors and tokenizers raise bare ones for damaged files)
        message = f"cannot be loaded as an encoder: {first_line(problem)}"
        raise DataError(message, folder, code="wrong-model") from None


def save_model(model: Any, folder: Path) -> None:
    """Write a model that sentence-transformers loads."""
    with redirect_stderr(io.StringIO()):
        model.save_pretrained(str(folder), create_model_card=False)


def _library() -> Any:
    try:
        import sentence_transformers
    except ImportError:
        raise MissingExtra(EXTRA, "training an encoder") from None
    return sentence_transformers


def _losses() -> Any:
    _library()
    from sentence_transformers.sentence_transformer import losses

    return losses


def _to(value: Any, device: Any) -> Any:
    return value.to(device) if isinstance(value, torch.Tensor) else value
