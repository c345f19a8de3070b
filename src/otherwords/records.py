"""The records of the package: one frozen struct for each noun; its JSON form is one line of a file.

Records are msgspec structs: immutable, slotted, and decoded from JSON with their types checked, at
about the speed of reading the bytes. A field that a reader does not know goes under ``meta``, so that
nothing is lost. Offsets are Unicode code points, end exclusive.

    Document ─► DocumentPair ─► Pair ─► Judgement (of Phenomena, where types are annotated)
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Base of all records: immutable, compact in JSON, strict about their fields.

    Records contain plain values and so cannot be part of a cycle; hiding them from the garbage
    collector makes reading a large file a third faster.
    """


class Passage(Record, frozen=True, gc=False):
    """A span of a document; without offsets, a text that belongs to it and is not in it, such as its heading."""

    id: str
    start: int | None = None
    end: int | None = None


class Document(Record, frozen=True, gc=False):
    """A text as it came from a source."""

    id: str
    text: str
    lang: str | None = None
    source: str | None = None
    group: str | None = None
    time: str | None = None
    licence: str | None = None
    consent: str | None = None
    meta: dict[str, Any] = {}


class Part(Record, frozen=True, gc=False):
    """The span of both documents that a document pair is about."""

    start1: int
    end1: int
    start2: int
    end2: int


class DocumentPair(Record, frozen=True, gc=False):
    """Two documents, or a part of each, that may contain paraphrases of each other."""

    id: str
    doc1: str
    doc2: str
    part: Part | None = None
    similarity: float | None = None
    group: str | None = None
    method: str | None = None
    round: int = 1
    status: str | None = None
    reason: str | None = None
    seconds: float | None = None
    meta: dict[str, Any] = {}


class Gold(Record, frozen=True, gc=False):
    """The right answer of a test pair, and why."""

    label: str
    explanation: str | None = None


class Pair(Record, frozen=True, gc=False):
    """Two texts and what is known about them."""

    id: str
    text1: str
    text2: str
    lang: str | None = None
    source: str | None = None
    group: str | None = None
    time: str | None = None
    licence: str | None = None  # of texts that come from no document
    doc1: Passage | None = None
    doc2: Passage | None = None
    method: str | None = None
    rewrite_of: str | None = None
    scores: dict[str, float | None] = {}
    label: str | None = None
    gold: Gold | None = None
    meta: dict[str, Any] = {}


Ranges = list[tuple[int, int]]


class Phenomenon(Record, frozen=True, gc=False):
    """One typed change between the two texts (Vila et al. 2014, §3)."""

    type: str
    scope1: Ranges = []
    scope2: Ranges = []
    projection: Literal["local", "global"] | None = None
    key1: Ranges = []
    key2: Ranges = []
    meta: dict[str, Any] = {}


def phenomena_in(value: Any, question: str | None = None) -> list[Any] | None:
    """The phenomena in the value of a judgement, not yet checked; None if it has no such list.

    A value is such a list, or the answers to several questions, one of which is such a list. Where it is known to be
    ``question``, an answer without it lists no phenomena: a pair that is not a paraphrase has no types.
    """
    if isinstance(value, dict):
        if question is not None and question not in value:
            return []
        lists = [answer for answer in value.values() if isinstance(answer, list) and phenomena_in(answer) is not None]
        return lists[0] if len(lists) == 1 else None
    if isinstance(value, list) and all(isinstance(entry, dict) and "type" in entry for entry in value):
        return value
    return None


def parse_phenomena(listed: list[Any]) -> tuple[list[Phenomenon], list[str]]:
    """The phenomena of a list, and what is wrong with the entries that are not phenomena."""
    phenomena, problems = [], []
    for entry in listed:
        try:
            phenomena.append(msgspec.convert(entry, Phenomenon))
        except msgspec.ValidationError as problem:
            problems.append(f"not a phenomenon: {problem}")
    return phenomena, problems


Unit = Literal["pair", "document_pair", "group"]
Purpose = Literal["production", "training", "agreement", "check", "qa", "gold"]
Kind = Literal["individual", "consensus", "vote", "simulated", "model"]
MODEL: Kind = "model"  # an answer of a program: nobody's vote
MODEL_PREFIX = "model/"  # how the annotator of such a judgement begins; no account can be called so


class Judgement(Record, frozen=True, gc=False):
    """The answer of an annotator, or of a team, about a unit. Never changed: a new judgement supersedes it."""

    id: str
    pair: str
    value: Any
    unit: Unit = "pair"
    annotator: str | None = None
    scheme: str | None = None
    batch: str | None = None
    purpose: Purpose = "production"
    kind: Kind = "individual"
    round: int = 1
    unsure: bool = False
    note: str | None = None
    rewrites: list[tuple[str, str]] = []
    context_shown: bool | None = None
    seconds: float | None = None
    time: str | None = None
    guideline: str | None = None
    supersedes: str | None = None
    meta: dict[str, Any] = {}
