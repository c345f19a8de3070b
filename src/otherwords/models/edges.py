"""The edges: what a model does for us, one method over a batch each.

Whatever stands behind an edge, a process, a library or an endpoint, may drop, double, reorder, cut or repeat what it is
given, hang or die. So every text goes in with an id, and for every id an answer comes out that has a value or a reason:
see :mod:`otherwords.models.asking`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar, runtime_checkable

import msgspec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Value = TypeVar("Value")
Input = TypeVar("Input", contravariant=True)
Output = TypeVar("Output", covariant=True)
Device = Literal["auto", "cpu", "cuda"]


class Item(msgspec.Struct, frozen=True):
    """A text that goes into an edge."""

    id: str
    text: str


class PairItem(msgspec.Struct, frozen=True):
    """Two texts that go into an edge together."""

    id: str
    text1: str
    text2: str


class Reply(msgspec.Struct, Generic[Value], frozen=True):
    """What came out for an id: a value, or the reason why there is none."""

    id: str
    value: Value | None = None
    reason: str | None = None


class Edge(Protocol):
    """What all edges have in common."""

    @property
    def name(self) -> str:
        """As a user names it: ``apertium:en-es``."""

    @property
    def signature(self) -> str:
        """Everything that its answers depend on: model, version or hash of its files, parameters."""

    @property
    def batch_size(self) -> int:
        """How many items it takes at once."""

    def close(self) -> None:
        """End its processes and connections; asked again, it starts anew."""


@runtime_checkable
class RemoteEdge(Edge, Protocol):
    """An edge that takes several calls at a time and may cost money."""

    @property
    def at_once(self) -> int:
        """How many calls may be under way at a time; ``close`` leaves those alone."""

    @property
    def seconds_per_call(self) -> float:
        """How long a call takes at most, all attempts included."""

    def keep_account(self, folder: Path) -> None:
        """Keep account of the spending in this folder, so that limits hold over all runs."""


class Translator(Edge, Protocol):
    """Texts of one language into another."""

    @property
    def languages(self) -> tuple[str, str]:
        """From which language into which."""

    def translate(self, items: Sequence[Item]) -> Iterable[Reply[str]]:
        """The translations."""


class Encoder(Edge, Protocol):
    """Texts into vectors of one length, such that texts of similar meaning have a high cosine."""

    @property
    def dimension(self) -> int: ...

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it was made for; empty: any."""

    def encode(self, items: Sequence[Item]) -> Iterable[Reply[npt.NDArray[np.float32]]]:
        """The vectors, of length 1 unless the text has nothing in it that the encoder knows."""


class FluencyModel(Edge, Protocol):
    """How probable texts are: log10 probabilities, as language models print them."""

    def log_probabilities(self, items: Sequence[Item]) -> Iterable[Reply[TextProbability]]:
        """The log10 probability of each text and the number of tokens that it is over."""


class TextProbability(msgspec.Struct, frozen=True):
    """The log10 probability of a text, the end of it included, and the number of tokens that it is over."""

    log10: float
    tokens: int

    @property
    def per_token(self) -> float:
        """The mean log10 probability of a token (Suzuki et al. 2017, §3, in our reading: per word)."""
        return self.log10 / self.tokens

    @property
    def perplexity(self) -> float:
        return float(10**-self.per_token)


class Generator(Edge, Protocol):
    """Texts that a language model writes after a prompt."""

    def generate(self, items: Sequence[Item]) -> Iterable[Reply[str]]:
        """The continuation of each prompt."""


class Classifier(Edge, Protocol):
    """How probable each label of a pair is."""

    @property
    def labels(self) -> tuple[str, ...]: ...

    def classify(self, items: Sequence[PairItem]) -> Iterable[Reply[dict[str, float]]]:
        """The probability of each label; they add up to 1."""
