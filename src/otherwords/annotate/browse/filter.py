"""Which pairs somebody wants to see: a :class:`Filter`, to and from the query parameters of a page.

Parameters that make no sense are refused. ``as_params`` turns a filter back into parameters, so that it can be linked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from otherwords import labels
from otherwords.errors import LabelError, Refused
from otherwords.labels import PROJECTIONS, Projection
from otherwords.project.search import parse_query
from otherwords.registry import suggest

Has = Literal["judgement", "rewrite", "note", "discussion", "unsure", "none"]
Choice = TypeVar("Choice", bound=str)
HAS: tuple[Has, ...] = get_args(Has)
PLAIN = ("source", "method", "lang", "group", "type", "annotator", "batch")
FILTER_NAMES = ("query", "label", "projection", *PLAIN, "measure", "low", "high", "has")
MAX_CHARACTERS = 500
_UNFIT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_LIKE_TURKU = re.compile(r"[1-4x][<>is]*")  # a Turku label is meant, and may be misspelt
_UNFIT_MEASURE = re.compile(r'["\\]')  # databases do not accept these in a JSON path


@dataclass(frozen=True, slots=True)
class Similarity:
    """A score under a measure, between two bounds or beyond one."""

    measure: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which pairs somebody wants to see; None accepts all."""

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
        judged = (self.label, self.method, self.type, self.annotator, self.batch, self.similarity, self.has)
        return any(value is not None for value in judged)

    def as_params(self) -> dict[str, str]:
        """The parameters from which ``parse`` makes this filter."""
        params: dict[str, str | None] = {"query": self.query, "label": self.label}
        params["projection"] = self.projection if self.projection != "full" else None
        params |= {name: getattr(self, name) for name in PLAIN}
        if self.similarity:
            bounds = {"low": self.similarity.low, "high": self.similarity.high}
            params["measure"] = self.similarity.measure
            params |= {name: None if bound is None else repr(bound) for name, bound in bounds.items()}
        params["has"] = self.has
        return {name: value for name, value in params.items() if value is not None}


NO_FILTER = Filter()


def parse_filter(params: Mapping[str, str]) -> Filter:
    """The filter that parameters describe; empty ones are ignored."""
    for name in params:
        if name not in FILTER_NAMES:
            raise Refused(f"there is no filter {name!r}{suggest(name, list(FILTER_NAMES))}", code="no-such-filter")
    values = {name: value.strip() for name, value in params.items() if value.strip()}
    for name, value in values.items():
        if name != "query" and len(value) > MAX_CHARACTERS:
            raise Refused(f"{name}: at most {MAX_CHARACTERS} characters, not {len(value):,}", code="filter-too-long")
        if name != "query" and _UNFIT.search(value):
            raise Refused(f"{name}: {value!r} has control characters; remove them", code="control-character")
    projection = _one_of(PROJECTIONS, "projection", values.get("projection", "full"))
    return Filter(
        query=values["query"] if parse_query(values.get("query", "")) else None,  # not if it is only quotes and blanks
        label=_label(values["label"], projection) if "label" in values else None,
        projection=projection if "label" in values else "full",
        similarity=_similarity(values),
        has=_one_of(HAS, "has", values["has"]) if "has" in values else None,
        **{name: values.get(name) for name in PLAIN},
    )


def _one_of(choices: tuple[Choice, ...], setting: str, name: str) -> Choice:
    for choice in choices:
        if name == choice:
            return choice
    raise Refused(f"{setting}: {name!r} is not one of {', '.join(choices)}", code=f"no-such-{setting}")


def is_searchable_label(spelled: str) -> bool:
    """Whether pairs can be searched by this label."""
    try:
        return parse_filter({"label": spelled}).label is not None
    except Refused:
        return False


def _label(spelled: str, projection: Projection) -> str:
    """A label as its projection spells it; under the binary one, ``positive`` and ``negative`` are labels too.

    In full, it may be of any scheme: ``Unnatural``, or ``paraphrase=yes`` of a scheme with several questions.
    """
    if projection == "binary" and spelled in ("positive", "negative"):
        return spelled
    if projection == "full" and not _LIKE_TURKU.fullmatch(spelled):
        return spelled
    try:
        label = labels.parse_label(spelled).project(projection)
    except LabelError as problem:
        raise Refused(str(problem), code=problem.code) from None
    if label is None:
        message = f"label {spelled!r} is neither positive nor negative; search for it under another projection"
        raise Refused(message, code="label-not-binary")
    return label


def _similarity(values: Mapping[str, str]) -> Similarity | None:
    measure, low, high = values.get("measure"), _bound("low", values), _bound("high", values)
    if measure is None:
        if low is not None or high is not None:
            raise Refused("low and high need a measure, as in measure=bleu", code="bounds-without-measure")
        return None
    if _UNFIT_MEASURE.search(measure):
        raise Refused(f"measure: {measure!r} is not the name of a measure", code="bad-measure-name")
    if low is not None and high is not None and low > high:
        raise Refused(f"the low bound {low:g} is above the high one, {high:g}", code="bounds-reversed")
    return Similarity(measure, low, high)


def _bound(name: str, values: Mapping[str, str]) -> float | None:
    if name not in values:
        return None
    try:
        number = float(values[name])
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise Refused(f"{name}: {values[name]!r} is not a number", code="not-a-number")
    return number
