"""What somebody wants to see of a corpus, as the address of the page says it, and back again.

In go the parameters of an address, out comes a :class:`Filter` in which everything is possible; nonsense is refused
with a sentence. ``as_params`` is the way back, so that a filter is a link.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from otherwords import labels
from otherwords.errors import LabelError, Refused
from otherwords.labels import PROJECTIONS, Projection
from otherwords.project.search_terms import terms_of
from otherwords.registry import suggest

Has = Literal["judgement", "rewrite", "note", "discussion", "unsure", "none"]
HAS: tuple[Has, ...] = get_args(Has)
PLAIN = ("source", "method", "lang", "group", "type", "annotator", "batch")
NAMES = ("query", "label", "projection", *PLAIN, "measure", "low", "high", "has")
MOST_CHARACTERS = 500
_UNFIT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_LIKE_TURKU = re.compile(r"[1-4x][<>is]*")  # one of these is meant, and may be misspelt
_UNFIT_MEASURE = re.compile(r'["\\]')  # a database would not take it as the name of a score


@dataclass(frozen=True, slots=True)
class Similarity:
    """A score under a measure, between two bounds or beyond one."""

    measure: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which pairs somebody wants to see; what is None does not matter."""

    query: str | None = None
    label: str | None = None
    projection: Projection = "full"
    source: str | None = None
    method: str | None = None
    lang: str | None = None
    group: str | None = None
    type: str | None = None
    annotator: str | None = None
    batch: str | None = None
    similarity: Similarity | None = None
    has: Has | None = None

    @property
    def beyond_the_texts(self) -> bool:
        """Whether it asks for anything but words, language, source and group."""
        asked = (self.label, self.method, self.type, self.annotator, self.batch, self.similarity, self.has)
        return any(one is not None for one in asked)

    def as_params(self) -> dict[str, str]:
        """The parameters that ``parse`` makes this filter of."""
        told: dict[str, str | None] = {"query": self.query, "label": self.label}
        told["projection"] = self.projection if self.projection != "full" else None
        told |= {name: getattr(self, name) for name in PLAIN}
        if self.similarity:
            bounds = {"low": self.similarity.low, "high": self.similarity.high}
            told["measure"] = self.similarity.measure
            told |= {name: None if bound is None else repr(bound) for name, bound in bounds.items()}
        told["has"] = self.has
        return {name: value for name, value in told.items() if value is not None}


EVERYTHING = Filter()


def parse(params: Mapping[str, str]) -> Filter:
    """The filter that some parameters describe; empty ones are as good as none."""
    for name in params:
        if name not in NAMES:
            raise Refused(f"there is no filter {name!r}{suggest(name, list(NAMES))}")
    given = {name: value.strip() for name, value in params.items() if value.strip()}
    for name, value in given.items():
        if name != "query":
            _refuse_unfit(name, value)
    projection = _projection(given)
    return Filter(
        query=_query(given),
        label=_label(given["label"], projection) if "label" in given else None,
        projection=projection if "label" in given else "full",
        similarity=_similarity(given),
        has=_has(given),
        **{name: given.get(name) for name in PLAIN},
    )


def _refuse_unfit(name: str, value: str) -> None:
    if len(value) > MOST_CHARACTERS:
        raise Refused(f"{name}: at most {MOST_CHARACTERS} characters, not {len(value):,}")
    if _UNFIT.search(value):
        raise Refused(f"{name}: {value!r} has characters that no name has")


def _query(given: Mapping[str, str]) -> str | None:
    """The words looked for, unless there are none among all the quotes and blanks."""
    query = given.get("query")
    return query if query is not None and terms_of(query) else None


def _projection(given: Mapping[str, str]) -> Projection:
    wanted = given.get("projection", "full")
    for projection in PROJECTIONS:
        if wanted == projection:
            return projection
    raise Refused(f"projection: {wanted!r} is not one of {', '.join(PROJECTIONS)}")


def is_label(spelled: str) -> bool:
    """Whether pairs can be looked for by it."""
    try:
        return parse({"label": spelled}).label is not None
    except Refused:
        return False


def turku_label(spelled: str) -> bool:
    """Whether a label is of the Turku scheme, which has projections; the others are compared as they are."""
    return labels.is_valid(spelled)


def _label(spelled: str, projection: Projection) -> str:
    """A label as its projection spells it; where that is positive or negative, these words will do as well.

    In full, it may be any scheme's: ``Unnatural``, or ``paraphrase=yes`` of a scheme with several questions.
    """
    if projection == "binary" and spelled in ("positive", "negative"):
        return spelled
    if projection == "full" and not _LIKE_TURKU.fullmatch(spelled):
        return spelled
    try:
        label = labels.parse(spelled).project(projection)
    except LabelError as problem:
        raise Refused(str(problem)) from None
    if label is None:
        raise Refused(f"label {spelled!r} is neither positive nor negative; look for it under another projection")
    return label


def _similarity(given: Mapping[str, str]) -> Similarity | None:
    measure, low, high = given.get("measure"), _bound("low", given), _bound("high", given)
    if measure is None:
        if low is not None or high is not None:
            raise Refused("low and high are bounds of a measure: name one, as in measure=bleu")
        return None
    if _UNFIT_MEASURE.search(measure):
        raise Refused(f"measure: {measure!r} is not the name of a measure")
    if low is not None and high is not None and low > high:
        raise Refused(f"the low bound {low:g} is above the high one, {high:g}")
    return Similarity(measure, low, high)


def _bound(name: str, given: Mapping[str, str]) -> float | None:
    if name not in given:
        return None
    try:
        number = float(given[name])
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise Refused(f"{name}: {given[name]!r} is not a number")
    return number


def _has(given: Mapping[str, str]) -> Has | None:
    wanted = given.get("has")
    for has in HAS:
        if wanted == has:
            return has
    if wanted is not None:
        raise Refused(f"has: {wanted!r} is not one of {', '.join(HAS)}")
    return None
