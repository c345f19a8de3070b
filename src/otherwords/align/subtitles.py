"""Alternative subtitles into document pairs for extraction (Kanerva et al. 2023, §3.1).

Segments are drawn from the most distant versions of each film and become document pairs; the table of all candidates
says what was decided about each. The second round takes the films in the order of their yield in the first and draws
a segment that was not used.

A document pair has in ``meta``:

============  ====================================================================================
segment       its number in the film, from 0
first_lines   the first line of the segment in each document, from 0
lines         the line alignment inside: [[i, j], …], counted from the first lines
alignment     how the lines were aligned: method, and where it is ``time``, offset_ms and drift
============  ====================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import astuple

from otherwords.align import versions
from otherwords.align.candidates import draw
from otherwords.align.lines.align import LineAlignment, align_lines
from otherwords.align.lines.segments import MINUTES, Segment, segments
from otherwords.align.versions import VersionPair, documents_by_id
from otherwords.errors import DataError, UsageError
from otherwords.records import Document, DocumentPair
from otherwords.sources.documents.kind import document_id

METHOD = "subtitles"
SEGMENTS = 1  # Kanerva et al. 2023, §3.1: "only one or two random segments"
EPISODES = 10  # Kanerva et al. 2023, §3.1: the most episodes of a series

NO_SEGMENT = "no segment has words in both versions"
NO_SEGMENT_LEFT = "every segment was used"
YIELD_TOO_LOW = "others yielded more in the first round"


@dataclass(frozen=True, slots=True)
class SubtitleOptions:
    """The similarity band, how much is taken of each film and series, and the seed."""

    low: float
    high: float
    segments: int = SEGMENTS
    minutes: float = MINUTES
    episodes: int = EPISODES
    seed: int = 0

    def __post_init__(self) -> None:
        if self.segments < 1 or self.episodes < 1 or self.minutes <= 0:
            message = "segments and episodes must be at least one, and minutes above zero"
            raise UsageError(message, code="wrong-limit")


@dataclass(frozen=True, slots=True)
class SubtitleAlignment:
    """The document pairs of a round, and every candidate with its decision."""

    pairs: list[DocumentPair]
    candidates: list[VersionPair]


def first_round(documents: Iterable[Document], options: SubtitleOptions) -> SubtitleAlignment:
    """One or two segments, drawn at random, of the most distant versions of every movie and episode."""
    known = documents_by_id(documents)
    table = cap_episodes(versions.version_pairs(known, options.low, options.high), options)
    pairs: list[DocumentPair] = []
    for place, candidate in enumerate(table):
        if candidate.decision == "kept":
            film = Film.of(candidate, known, options.minutes)
            drawn = draw(film.segments, options.segments, options.seed, METHOD, 1, candidate.group)
            pairs += film.pairs(drawn, round=1)
            if not drawn:
                table[place] = candidate.dropped(NO_SEGMENT)
    return SubtitleAlignment(pairs, table)


def second_round(
    documents: Iterable[Document],
    options: SubtitleOptions,
    used: Sequence[DocumentPair],
    yields: Mapping[str, int],
    most: int | None = None,
) -> SubtitleAlignment:
    """One more segment of the movies and episodes that yielded most, the best first.

    ``used`` are the document pairs of the first round, ``yields`` the number of pairs extracted from each, by
    id; one that is missing yielded none. ``most`` limits how many segments are drawn. The films are cut as in
    the first round, so ``options`` must have the same minutes.
    """
    known = documents_by_id(documents)
    table: list[VersionPair] = []
    pairs: list[DocumentPair] = []
    for candidate, numbers in rank_by_yield(used, yields, options.seed):
        if most is not None and len(pairs) >= most:
            table.append(candidate.dropped(YIELD_TOO_LOW))
            continue
        film = Film.of(candidate, known, options.minutes)
        unused = [number for number in film.segments if number not in numbers]
        drawn = draw(unused, 1, options.seed, METHOD, 2, candidate.group)
        pairs += film.pairs(drawn, round=2)
        table.append(candidate if drawn else candidate.dropped(NO_SEGMENT_LEFT))
    return SubtitleAlignment(pairs, table)


def cap_episodes(table: Iterable[VersionPair], options: SubtitleOptions) -> list[VersionPair]:
    """The table with at most ``options.episodes`` episodes of each series kept, drawn at random."""
    capped = list(table)
    episodes: dict[str, dict[str, int]] = {}  # their places in the table, by series and group
    for place, candidate in enumerate(capped):
        if candidate.decision == "kept" and candidate.series and candidate.group:
            episodes.setdefault(candidate.series, {})[candidate.group] = place
    for series, places in episodes.items():
        drawn = draw(places, options.episodes, options.seed, METHOD, "episodes", series)
        for place in (place for group, place in places.items() if group not in drawn):
            capped[place] = capped[place].dropped(f"the series has its {options.episodes} episodes")
    return capped


def rank_by_yield(
    used: Iterable[DocumentPair], yields: Mapping[str, int], seed: int
) -> Iterator[tuple[VersionPair, set[int]]]:
    """The used movies and episodes in order of their yield, each with the numbers of its used segments.

    Equal yields are ordered at random.
    """
    by_group: dict[str, list[DocumentPair]] = {}
    for pair in used:
        by_group.setdefault(pair.group or "", []).append(pair)
    order = draw(by_group, len(by_group), seed, METHOD, "equal yields")
    for group in sorted(order, key=lambda name: -sum(yields.get(pair.id, 0) for pair in by_group[name])):
        pair = by_group[group][0]
        numbers = {int(segment.meta["segment"]) for segment in by_group[group]}
        yield VersionPair(pair.group, pair.doc1, pair.doc2, pair.similarity, "kept"), numbers


@dataclass(frozen=True, slots=True)
class Film:
    """Two versions of a movie or episode, aligned and cut."""

    candidate: VersionPair
    alignment: LineAlignment
    segments: dict[int, Segment]

    @classmethod
    def of(cls, candidate: VersionPair, documents: Mapping[str, Document], minutes: float) -> Film:
        """The film of a candidate; a document that is not there any more is an error."""
        for name in (candidate.doc1, candidate.doc2):
            if name not in documents:
                message = f"the document {name!r} of the first round is not among the documents; import it again"
                raise DataError(message, code="no-such-document")
        document1, document2 = documents[candidate.doc1], documents[candidate.doc2 or ""]
        cues1, cues2 = document1.meta.get("cues"), document2.meta.get("cues")
        alignment = align_lines(document1.text, document2.text, cues1, cues2)
        cut = segments(document1.text, document2.text, alignment, cues1, minutes)
        return cls(candidate, alignment, {segment.number: segment for segment in cut})

    def pairs(self, numbers: Iterable[int], round: int) -> Iterator[DocumentPair]:
        """The segments of these numbers as document pairs, in the order of the film."""
        doc1, doc2 = self.candidate.doc1, self.candidate.doc2 or ""
        for number in sorted(numbers):
            segment = self.segments[number]
            yield DocumentPair(
                id=document_id(METHOD, doc1, doc2, *(str(edge) for edge in astuple(segment.part))),
                doc1=doc1,
                doc2=doc2,
                part=segment.part,
                similarity=self.candidate.similarity,
                group=self.candidate.group,
                method=METHOD,
                round=round,
                meta={
                    "segment": number,
                    "first_lines": [segment.lines1.start, segment.lines2.start],
                    "lines": segment.pairs(self.alignment),
                    "alignment": self.alignment.describe(),
                },
            )
