"""Measures on pairs of texts: statistics, then a formula, then one score a row.

``measure("bleu:tok=intl")`` gives a measure by its name and parameters; its ``scores`` take two columns
of texts and give an array of floats. Every measure has a signature, as in sacrebleu, that names all
that its scores depend on. Statistics are whole numbers counted by the kernels with the GIL released;
formulas are numpy. Nothing heavy is imported before a measure is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from otherwords.measures.options import Options
from otherwords.registry import Registry

if TYPE_CHECKING:
    from otherwords.measures.columns import Floats, Integers, Texts

__all__ = ["MEASURES", "Measure", "described", "measure", "score_columns", "token_counts"]


class Measure(Protocol):
    """What gives every pair of texts a number. Our own subclass it, which saves them what they leave alone."""

    symmetric: ClassVar[bool]
    range: ClassVar[tuple[float, float]]
    needs_fit: ClassVar[bool] = False

    name: str  # the name and parameters by which it was asked for; its scores are kept under it

    @property
    def tokeniser(self) -> str | None:
        """The name of the tokeniser that cuts the texts, where one does."""
        return None

    def signature(self) -> str:
        """All that the scores depend on."""
        ...

    def fit(self, texts: Iterable[Texts]) -> None:
        """Take these texts into account, where ``needs_fit``; may be called again with more."""

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        """One score a row, on one thread."""
        ...


class MeasureKind(Protocol):
    """What the registry holds: a class, or anything else, that builds a measure from its parameters."""

    def build(self, options: Options, /) -> Measure: ...


MEASURES: Registry[MeasureKind] = Registry(
    "measure",
    {
        "char-cosine": "otherwords.measures.cosine:CharacterCosine",
        "char-cosine-tfidf": "otherwords.measures.tfidf:TfidfCosine",
        "jaccard": "otherwords.measures.sets:Jaccard",
        "dice": "otherwords.measures.sets:Dice",
        "overlap": "otherwords.measures.sets:Overlap",
        "bleu": "otherwords.measures.bleu:Bleu",
        "chrf": "otherwords.measures.chrf:Chrf",
        "pinc": "otherwords.measures.pinc:Pinc",
        "edit": "otherwords.measures.edit:Edit",
        "lcs": "otherwords.measures.sequences:CommonSubsequence",
        "length-ratio": "otherwords.measures.sequences:LengthRatio",
    },
)


def measure(spec: str, lang: str | None = None, tokeniser: str | None = None) -> Measure:
    """The measure that ``NAME`` or ``NAME:key=value,key=value`` stands for."""
    options = Options.parse(spec, lang, tokeniser)
    built = MEASURES.get(options.measure).build(options)
    options.refuse_unknown()
    return built


def described(name: str) -> dict[str, Any]:
    """What ``otherwords measures`` prints of a measure: its title, parameters, range and signature."""
    options = Options.parse(name)
    built = MEASURES.get(options.measure).build(options)
    title = (type(built).__doc__ or "").partition("\n")[0].rstrip(".")
    return {
        "name": name,
        "title": title,
        "parameters": options.known,
        "range": list(built.range),
        "symmetric": built.symmetric,
        "needs_fit": built.needs_fit,
        "signature": built.signature(),
    }


def score_columns(
    measures: Sequence[Measure], texts1: Texts, texts2: Texts, threads: int | None = None
) -> dict[str, Floats]:
    """The scores of every measure by its name, computed on several threads; the values are the same on one."""
    from otherwords.measures.parallel import score_columns as score

    return score(measures, texts1, texts2, threads)


def token_counts(texts: Texts, tokeniser: str | None = None) -> Integers:
    """How many tokens each text has, by the tokeniser of that name (``words`` unless given)."""
    from otherwords.measures.cut import token_counts as count

    return count(texts, tokeniser)
