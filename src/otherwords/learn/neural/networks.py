"""The networks: from a batch of tokens to the logits of each head.

Every network has ``logits(batch)``, ``losses(batch, targets, weights)``, the sum over the pairs of a batch, and
``new_parameters()``, those which no pre-trained model brings and which learn at a rate of their own. A head that a
label has no class for (``NOT_ASKED``) gets a loss of exactly zero from that pair, and so no gradient.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from otherwords.learn.data.task import NOT_ASKED

COSINE_THRESHOLD = 0.5  # RuPAWS
STEEPNESS = 10.0  # of the probability around the threshold
DROPOUT = 0.1


def head_losses(logits: Sequence[Any], targets: Any, weights: Sequence[Any] | None) -> Any:
    """The cross-entropy of all heads, summed over the pairs that ask for them."""
    total = logits[0].new_zeros((), dtype=torch.float32)
    for number, head in enumerate(logits):
        weight = None if weights is None else weights[number]
        total = total + functional.cross_entropy(
            head.float(), targets[:, number], weight=weight, ignore_index=NOT_ASKED, reduction="sum"
        )
    return total


class HeadedNetwork(nn.Module):  # type: ignore[misc]
    """A network whose loss is that of its heads; ``classes`` is how many each has."""

    classes: tuple[int, ...]

    def logits(self, batch: Mapping[str, Any]) -> list[Any]:
        raise NotImplementedError

    def losses(self, batch: Mapping[str, Any], targets: Any, weights: Sequence[Any] | None) -> Any:
        return head_losses(self.logits(batch), targets, weights)

    def new_parameters(self) -> Iterator[Any]:
        raise NotImplementedError


class SequenceClassifier(HeadedNetwork):
    """A model for the classification of sequences as transformers has it for each architecture."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.classes = (model.config.num_labels,)

    def logits(self, batch: Mapping[str, Any]) -> list[Any]:
        return [self.model(**model_inputs(batch)).logits]

    def new_parameters(self) -> Iterator[Any]:
        inside = f"{self.model.base_model_prefix}."
        return (value for name, value in self.model.named_parameters() if not name.startswith(inside))


class PooledEncoder(HeadedNetwork):
    """An encoder, some vectors of its output, and a linear head for each choice.

    ``mean`` is the mean of all tokens. ``five`` are the first token, both separators and the means of both texts, one
    after the other (Kanerva et al. 2023, §7.1).
    """

    def __init__(self, encoder: Any, pooling: str, heads: Mapping[str, int]) -> None:
        super().__init__()
        self.encoder, self.pooling, self.classes = encoder, pooling, tuple(heads.values())
        width = encoder.config.hidden_size * (5 if pooling == "five" else 1)
        self.dropout = nn.Dropout(DROPOUT)
        self.heads = nn.ModuleDict({name: nn.Linear(width, classes) for name, classes in heads.items()})
        for head in self.heads.values():
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)

    def logits(self, batch: Mapping[str, Any]) -> list[Any]:
        hidden = self.encoder(**model_inputs(batch)).last_hidden_state
        pooled = five_vectors(hidden, batch["spans"]) if self.pooling == "five" else mean_of_all(hidden, batch)
        pooled = self.dropout(pooled)
        return [head(pooled) for head in self.heads.values()]

    def new_parameters(self) -> Iterator[Any]:
        return iter(self.heads.parameters())


def five_vectors(hidden: Any, spans: Any) -> Any:
    """First token, both separators, mean of A, mean of B; ``spans`` has where A and B begin and end."""
    start1, end1, start2, end2 = spans.unbind(1)
    places = torch.arange(hidden.shape[1], device=hidden.device)[None, :]
    rows = torch.arange(hidden.shape[0], device=hidden.device)
    means = []
    for start, end in ((start1, end1), (start2, end2)):
        inside = ((places >= start[:, None]) & (places < end[:, None])).to(hidden.dtype)
        means.append((hidden * inside[:, :, None]).sum(1) / inside.sum(1).clamp(min=1)[:, None])
    return torch.cat([hidden[:, 0], hidden[rows, end1], hidden[rows, end2], *means], dim=1)


def mean_of_all(hidden: Any, batch: Mapping[str, Any]) -> Any:
    """The mean of all tokens, without padding."""
    mask = batch["attention_mask"].to(hidden.dtype)[:, :, None]
    return (hidden * mask).sum(1) / mask.sum(1)


def model_inputs(batch: Mapping[str, Any]) -> dict[str, Any]:
    """What of a batch a model of transformers takes."""
    return {name: batch[name] for name in ("input_ids", "attention_mask", "token_type_ids") if name in batch}


class SiameseLstm(HeadedNetwork):
    """One LSTM in both directions reads each text; the cosine of the last states is compared with 0.5 (RuPAWS)."""

    def __init__(self, dimension: int, hidden: int) -> None:
        super().__init__()
        self.classes = (2,)
        self.lstm = nn.LSTM(dimension, hidden, batch_first=True, bidirectional=True)

    def logits(self, batch: Mapping[str, Any]) -> list[Any]:
        states = [self._last(batch[f"vectors{side}"], batch[f"lengths{side}"]) for side in (1, 2)]
        cosine = functional.cosine_similarity(*states, dim=1)
        positive = STEEPNESS * (cosine - COSINE_THRESHOLD)
        return [torch.stack([torch.zeros_like(positive), positive], dim=1)]

    def _last(self, vectors: Any, lengths: Any) -> Any:
        packed = nn.utils.rnn.pack_padded_sequence(vectors, lengths.cpu(), batch_first=True, enforce_sorted=False)
        _, (state, _) = self.lstm(packed)
        return torch.cat([state[0], state[1]], dim=1)

    def new_parameters(self) -> Iterator[Any]:
        return iter(())


class LabelWriter(HeadedNetwork):
    """An encoder-decoder that writes a label; the logit of a label is the log-probability of its tokens."""

    def __init__(self, model: Any, labels: Sequence[Sequence[int]]) -> None:
        super().__init__()
        self.model = model
        self.labels = [list(label) for label in labels]
        self.classes = (len(labels),)

    def logits(self, batch: Mapping[str, Any]) -> list[Any]:
        encoded = self.model.get_encoder()(**model_inputs(batch))
        scores = [self._scores(batch, encoded, [label] * len(batch["input_ids"])) for label in self.labels]
        return [torch.stack(scores, dim=1)]

    def losses(self, batch: Mapping[str, Any], targets: Any, weights: Sequence[Any] | None) -> Any:
        encoded = self.model.get_encoder()(**model_inputs(batch))
        scores = self._scores(batch, encoded, [self.labels[number] for number in targets[:, 0].tolist()])
        return -(scores if weights is None else scores * weights[0][targets[:, 0]]).sum()

    def _scores(self, batch: Mapping[str, Any], encoded: Any, labels: Sequence[Sequence[int]]) -> Any:
        width = max(map(len, labels))
        device = batch["input_ids"].device
        ids = torch.tensor([[*label, *[-100] * (width - len(label))] for label in labels], device=device)
        logits = self.model(encoder_outputs=encoded, attention_mask=batch["attention_mask"], labels=ids).logits
        losses = functional.cross_entropy(logits.float().transpose(1, 2), ids, ignore_index=-100, reduction="none")
        return -losses.sum(1)

    def new_parameters(self) -> Iterator[Any]:
        return iter(())
