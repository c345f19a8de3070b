"""The versions of each movie or episode and how far apart they are (Kanerva et al. 2023, §3.1).

Every pair of versions of one movie or episode becomes a :class:`VersionPair` with its similarity and a decision: too
low a similarity is another film under the same name, too high a one the same subtitles in another form, and of the
rest the most distant pair is kept. Titles that differ only in case or blanks are one. Documents that have no partner
are candidates too, with the reason, so that none is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, islice
from operator import attrgetter
from typing import Literal, TypeVar
from unicodedata import normalize

from otherwords.align.candidates import Band
from otherwords.measures import Measure, measure
from otherwords.records import Document

SIMILARITY = "char-cosine-tfidf"  # Kanerva et al. 2023, §3.1: TF-IDF of character n-grams within words
FILMS_PER_BLOCK = 256  # texts or pairs: those of whole films are large

Row = TypeVar("Row")
Decision = Literal["kept", "dropped"]
ALONE = "the only version"
NO_GROUP = "says no movie or episode"
NOT_THE_MOST_DISTANT = "another pair of versions is more distant"


@dataclass(frozen=True, slots=True)
class VersionPair:
    """Two versions of one movie or episode, or a document without another; what was decided, and why."""

    group: str | None
    doc1: str
    doc2: str | None
    similarity: float | None
    decision: Decision
    reason: str | None = None
    series: str | None = None

    def dropped(self, reason: str) -> VersionPair:
        return replace(self, decision="dropped", reason=reason)


def documents_by_id(documents: Iterable[Document]) -> dict[str, Document]:
    """The documents in the order of their ids, each once, so that the order of reading does not matter."""
    return {document.id: document for document in sorted(documents, key=attrgetter("id"))}


def version_pairs(documents: Mapping[str, Document], low: float, high: float) -> list[VersionPair]:
    """Every pair of versions with its decision, at most one of each group kept. Ordered by group and ids."""
    Band(low, high)  # refuses an impossible band
    grouped = sorted((d for d in documents.values() if d.group), key=lambda d: (title_key(d.group or ""), d.id))
    decided = [VersionPair(None, d.id, None, None, "dropped", NO_GROUP) for d in documents.values() if not d.group]
    pairs: list[VersionPair] = []
    for _, members in groupby(grouped, key=lambda d: title_key(d.group or "")):
        versions = list(members)
        group = usual_spelling(d.group for d in versions if d.group)
        series = next((title_key(str(d.meta["series"])) for d in versions if d.meta.get("series")), None)
        if len(versions) == 1:
            pairs.append(VersionPair(group, versions[0].id, None, None, "dropped", ALONE, series))
        for first, second in combinations(versions, 2):
            pairs.append(VersionPair(group, first.id, second.id, None, "kept", None, series))
    for _, scored in groupby(_score(pairs, documents), key=attrgetter("group")):
        decided += _decide(list(scored), low, high)
    return decided


def title_key(title: str) -> str:
    """What titles have in common that differ only in case, in blanks or in how accents are encoded."""
    return " ".join(normalize("NFC", title).casefold().split())


def usual_spelling(titles: Iterable[str]) -> str:
    """The most frequent of several spellings of a title; of equally frequent ones the first in the alphabet."""
    counts = Counter(titles)
    return min(counts, key=lambda title: (-counts[title], title))


def _score(pairs: Sequence[VersionPair], documents: Mapping[str, Document]) -> Iterator[VersionPair]:
    """The pairs with their similarity, the weights fitted to the whole collection."""
    tfidf: Measure = measure(SIMILARITY)
    tfidf.fit([document.text for document in block] for block in _blocks(documents.values()))
    for block in _blocks(pairs):
        paired = [(candidate.doc1, candidate.doc2) for candidate in block if candidate.doc2 is not None]
        texts1, texts2 = [documents[doc1].text for doc1, _ in paired], [documents[doc2].text for _, doc2 in paired]
        scores = iter(tfidf.scores(texts1, texts2).tolist()) if paired else iter([])
        for candidate in block:
            yield candidate if candidate.doc2 is None else replace(candidate, similarity=next(scores))


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    remaining = iter(rows)
    while block := list(islice(remaining, FILMS_PER_BLOCK)):
        yield block


def _decide(candidates: Sequence[VersionPair], low: float, high: float) -> list[VersionPair]:
    """Keep only the pair with the lowest similarity inside the band; of equal ones the first by id."""
    inside = [pair for pair in candidates if pair.similarity is not None and low <= pair.similarity <= high]
    chosen = min(inside, key=lambda pair: (pair.similarity, pair.doc1, pair.doc2), default=None)
    decided = []
    for pair in candidates:
        if pair.similarity is None or pair is chosen:
            decided.append(pair)
        elif pair.similarity < low:
            decided.append(pair.dropped(f"similarity below {low:g}"))
        elif pair.similarity > high:
            decided.append(pair.dropped(f"similarity above {high:g}"))
        else:
            decided.append(pair.dropped(NOT_THE_MOST_DISTANT))
    return decided
