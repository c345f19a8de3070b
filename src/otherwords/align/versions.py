"""The versions of each movie or episode and how far apart they are (Kanerva et al. 2023, §3.1).

In go subtitle documents, out comes one :class:`Candidate` for every pair of versions of one movie or
episode, with its similarity and what was decided: too low a similarity is another film under the
same name, too high a one the same subtitles in another dress, and of the rest the most distant pair
is kept. Documents that have no partner are candidates too, with the reason, so that none is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, groupby, islice
from operator import attrgetter
from typing import Any, Literal, TypeVar

from otherwords.errors import UsageError
from otherwords.measures import Measure, measure
from otherwords.records import Document

SIMILARITY = "char-cosine-tfidf"  # Kanerva et al. 2023, §3.1: TF-IDF of character n-grams within words
AT_ONCE = 256  # texts or pairs: those of whole films are large

Row = TypeVar("Row")
Decision = Literal["kept", "dropped"]
ALONE = "the only version"
NO_GROUP = "says no movie or episode"
NOT_THE_MOST_DISTANT = "another pair of versions is more distant"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two versions of one movie or episode, or a document without another; what was decided, and why."""

    group: str | None
    doc1: str
    doc2: str | None
    similarity: float | None
    decision: Decision
    reason: str | None = None
    series: str | None = None

    def dropped(self, reason: str) -> Candidate:
        return replace(self, decision="dropped", reason=reason)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def by_id(documents: Iterable[Document]) -> dict[str, Document]:
    """The documents in the order of their ids, each once: results do not depend on the order of reading."""
    return {document.id: document for document in sorted(documents, key=attrgetter("id"))}


def candidates(documents: Mapping[str, Document], low: float, high: float) -> list[Candidate]:
    """Every pair of versions, decided: at most one of each group is kept. Ordered by group and ids."""
    if not 0 <= low <= high <= 1:
        raise UsageError(f"the similarity band {low} to {high} is not possible; give 0 <= low <= high <= 1")
    grouped = sorted((d for d in documents.values() if d.group), key=lambda d: (d.group or "", d.id))
    decided = [Candidate(None, d.id, None, None, "dropped", NO_GROUP) for d in documents.values() if not d.group]
    scored = _scored(list(_pairs(grouped)), documents)
    for _, of_group in groupby(scored, key=attrgetter("group")):
        decided += _most_distant([_in_band(candidate, low, high) for candidate in of_group])
    return decided


def _pairs(documents: Sequence[Document]) -> Iterator[Candidate]:
    for group, of_group in groupby(documents, key=attrgetter("group")):
        versions = list(of_group)
        series = next((str(d.meta["series"]) for d in versions if d.meta.get("series")), None)
        if len(versions) == 1:
            yield Candidate(group, versions[0].id, None, None, "dropped", ALONE, series)
        for one, two in combinations(versions, 2):
            yield Candidate(group, one.id, two.id, None, "kept", None, series)


def _scored(pairs: Sequence[Candidate], documents: Mapping[str, Document]) -> Iterator[Candidate]:
    """The pairs with their similarity, the weights fitted to the whole collection."""
    tfidf: Measure = measure(SIMILARITY)
    tfidf.fit([document.text for document in block] for block in _blocks(documents.values()))
    for block in _blocks(pairs):
        paired = [(candidate.doc1, candidate.doc2) for candidate in block if candidate.doc2 is not None]
        texts1, texts2 = [documents[one].text for one, _ in paired], [documents[two].text for _, two in paired]
        scores = iter(tfidf.scores(texts1, texts2).tolist()) if paired else iter([])
        for candidate in block:
            yield candidate if candidate.doc2 is None else replace(candidate, similarity=next(scores))


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    remaining = iter(rows)
    while block := list(islice(remaining, AT_ONCE)):
        yield block


def _in_band(candidate: Candidate, low: float, high: float) -> Candidate:
    if candidate.similarity is None:
        return candidate
    if candidate.similarity < low:
        return candidate.dropped(f"similarity below {low:g}")
    if candidate.similarity > high:
        return candidate.dropped(f"similarity above {high:g}")
    return candidate


def _most_distant(of_group: Sequence[Candidate]) -> list[Candidate]:
    """Only the pair with the lowest similarity stays; of equal ones the first by id."""
    rest = [candidate for candidate in of_group if candidate.decision == "kept"]
    chosen = min(rest, key=lambda c: (c.similarity, c.doc1, c.doc2), default=None)
    return [
        candidate.dropped(NOT_THE_MOST_DISTANT)
        if candidate.decision == "kept" and candidate is not chosen
        else candidate
        for candidate in of_group
    ]
