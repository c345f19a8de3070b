"""Measures on pairs of texts: statistics, then a formula, then one score per row.

``measure("bleu:tok=intl")`` builds a measure from its name and parameters; its ``scores`` take two columns of texts
and return an array of floats. Every measure has a signature, as in sacrebleu, that names everything its scores depend
on. Statistics are whole numbers counted by the kernels with the GIL released; formulas are numpy. Nothing heavy is
imported before a measure is built.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, ClassVar, Protocol, TypedDict

from otherwords.engine import cores
from otherwords.errors import UsageError
from otherwords.measures.options import Options
from otherwords.registry import Registry

if TYPE_CHECKING:
    from otherwords.measures.columns import Floats, Integers, Texts

__all__ = ["MEASURES", "Measure", "complete_measures", "describe_measure", "measure", "score_columns", "token_counts"]

ROWS_PER_BLOCK = 4096


class Measure(Protocol):
    """Gives every pair of texts a number. Our own measures subclass it for its defaults."""

    symmetric: ClassVar[bool] = True
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    needs_fit: ClassVar[bool] = False
    any_language: ClassVar[bool] = False  # whether one serves the texts of all languages, so that it is built once

    name: str  # as the user spelled it, with parameters; scores are stored under it

    @property
    def tokeniser(self) -> str | None:
        """The name of the tokeniser, if the measure uses one."""
        return None

    def signature(self) -> str:
        """Everything that the scores depend on."""
        ...

    def fit(self, texts: Iterable[Texts]) -> None:
        """Learn from these texts, where ``needs_fit``; may be called again with more."""
        return

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        """One score per row, on one thread."""
        ...


class MeasureKind(Protocol):
    """What the registry contains: a class, or anything else, that builds a measure from its parameters."""

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
        "pinc": "otherwords.measures.sets:Pinc",
        "edit": "otherwords.measures.sequences:Edit",
        "lcs": "otherwords.measures.sequences:CommonSubsequence",
        "length-ratio": "otherwords.measures.sequences:LengthRatio",
        "cosine": "otherwords.measures.encoded:EncoderCosine",
    },
    group="otherwords.measures",
)


def measure(spec: str, lang: str | None = None, tokeniser: str | None = None) -> Measure:
    """Build a measure from ``NAME`` or ``NAME:key=value,key=value``."""
    options = Options.parse(spec, lang, tokeniser)
    built = MEASURES.get(options.measure).build(options)
    options.check()
    return built


def complete_measures() -> list[str]:
    """The measures that need no parameters, so that their names alone mean something."""
    names = []
    for name in MEASURES:
        options = Options.parse(name)
        MEASURES.get(name).build(options)
        if not options.missing:
            names.append(name)
    return names


class MeasureDescription(TypedDict):
    """A row of ``otherwords measures``."""

    name: str
    title: str
    parameters: dict[str, str]
    range: list[float]
    symmetric: bool
    needs_fit: bool
    signature: str


def describe_measure(name: str) -> MeasureDescription:
    """Title, parameters, range and signature of a measure with its default parameters."""
    options = Options.parse(name)
    built = MEASURES.get(options.measure).build(options)
    return {
        "name": name,
        "title": (type(built).__doc__ or "").partition("\n")[0].rstrip("."),
        "parameters": options.known,
        "range": list(built.range),
        "symmetric": built.symmetric,
        "needs_fit": built.needs_fit,
        "signature": built.signature(),
    }


def score_columns(
    measures: Sequence[Measure], texts1: Texts, texts2: Texts, threads: int | None = None
) -> dict[str, Floats]:
    """The scores of every measure, by its name.

    Rows are scored in blocks, each on one thread and by the same code as on one, so that the values do not depend on
    the number of threads. The kernels release the GIL.
    """
    import numpy as np

    from otherwords.measures.columns import same_length, text_array

    array1, array2 = text_array(texts1), text_array(texts2)
    pairs = same_length(array1, array2)
    scores = {measure.name: np.empty(pairs, np.float64) for measure in measures}
    if len(scores) < len(measures):
        names = ", ".join(measure.name for measure in measures)
        raise UsageError(f"a measure is named twice: {names}", code="repeated-measure")
    threads = threads or cores()
    rows = min(ROWS_PER_BLOCK, -(-pairs // threads) or 1)

    def score(task: tuple[Measure, int]) -> None:
        measure, start = task
        block = slice(start, start + rows)
        scores[measure.name][block] = measure.scores(array1[block], array2[block])

    tasks = [(measure, start) for measure in measures for start in range(0, pairs, rows)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(score, tasks))
    return scores


def token_counts(texts: Texts, tokeniser: str | None = None) -> Integers:
    """How many tokens each text has, by the tokeniser of that name (``words`` by default)."""
    from otherwords.measures.cut import Tokenisation
    from otherwords.text.tokenise import tokeniser as named_tokeniser

    return Tokenisation(named_tokeniser(tokeniser or "words")).counts(texts)
