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
SECONDS_IN_PROCESS = 3600.0  # of a call in this process, which loads a model first and cannot be stopped
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
class TimedEdge(Edge, Protocol):
    """An edge that says how long a call may take."""

    @property
    def seconds_per_call(self) -> float:
        """How long a call takes at most, all attempts included; the first one of a model may load it."""


@runtime_checkable
class RemoteEdge(TimedEdge, Protocol):
    """An edge that takes several calls at a time and may cost money."""

    @property
    def at_once(self) -> int:
        """How many calls may be under way at a time; ``close`` leaves those alone."""

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


class TokenVectors(msgspec.Struct, frozen=True):
    """The vectors of the tokens of a text, a row each, and which of them are the text's own, not marks of the model."""

    rows: npt.NDArray[np.float32]
    own: npt.NDArray[np.bool_]


@runtime_checkable
class TokenEncoder(Encoder, Protocol):
    """An encoder that also gives the vectors of the single tokens."""

    def encode_tokens(self, items: Sequence[Item]) -> Iterable[Reply[TokenVectors]]:
        """The vectors of the tokens of each text, in its context."""


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


class TaggedToken(msgspec.Struct, frozen=True):
    """A word, number or mark of a text and what it is there; places are code points, end exclusive."""

    start: int
    end: int
    lemma: str
    pos: str  # part of speech, as Universal Dependencies names it: NOUN, PROPN, ADJ, VERB …
    features: str = ""  # as in the FEATS column of UD: Case=Gen|Number=Sing
    head: int = -1  # the number of the token that it depends on; its own, or -1, if it depends on none
    relation: str = ""  # how it depends on it, in the tagger's own names


class TaggedSpan(msgspec.Struct, frozen=True):
    """A name or a phrase in a text, from a code point up to another."""

    start: int
    end: int
    type: str = ""  # of a name: PER, LOC, ORG …, in the tagger's own names


class TaggedText(msgspec.Struct, frozen=True):
    """The words of a text, the names in it and, from taggers that find them, its noun phrases."""

    tokens: tuple[TaggedToken, ...]
    entities: tuple[TaggedSpan, ...] = ()
    noun_phrases: tuple[TaggedSpan, ...] = ()


class Tagger(Edge, Protocol):
    """What the words of a text are."""

    @property
    def language(self) -> str:
        """The language that it is for."""

    def tag(self, items: Sequence[Item]) -> Iterable[Reply[TaggedText]]:
        """The words of each text, in order."""


def well_formed(text: str) -> str:
    """The text in valid UTF-8 and without NUL: lone surrogates of damaged files become question marks."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
