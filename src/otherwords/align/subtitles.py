"""Alternative subtitles into document pairs for extraction (Kanerva et al. 2023, §3.1).

In go the subtitle documents of a project and the user's :class:`Settings`, out come the drawn segments
as document pairs and the table of all candidates with what was decided about each. The second round
takes the movies in the order of their yield in the first and draws a segment that was not used.

A document pair holds in ``meta``:

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

from otherwords.align.draw import draw
from otherwords.align.lines import LineAlignment, align_lines
from otherwords.align.segments import MINUTES, Segment, segments
from otherwords.align.versions import Candidate, by_id, candidates
from otherwords.errors import DataError, UsageError
from otherwords.records import Document, DocumentPair
from otherwords.sources.documents.kind import document_id

METHOD = "subtitles"
SEGMENTS = 1  # Kanerva et al. 2023, §3.1: "only one or two random segments"
EPISODES = 10  # Kanerva et al. 2023, §3.1: at most so many episodes of a series

NO_SEGMENT = "no segment has words in both versions"
NO_SEGMENT_LEFT = "every segment was used"
YIELD_TOO_LOW = "others yielded more in the first round"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user decides: the similarity band, how much of each film and series, and the seed."""

    low: float
    high: float
    segments: int = SEGMENTS
    minutes: float = MINUTES
    episodes: int = EPISODES
    seed: int = 0

    def __post_init__(self) -> None:
        if self.segments < 1 or self.episodes < 1 or self.minutes <= 0:
            raise UsageError("segments, episodes and minutes must be at least one (minutes: above zero)")


@dataclass(frozen=True, slots=True)
class Aligned:
    """The document pairs of a round, and every candidate with its decision."""

    pairs: list[DocumentPair]
    candidates: list[Candidate]


def first_round(documents: Iterable[Document], settings: Settings) -> Aligned:
    """One or two segments, drawn at random, of the most distant versions of every movie and episode."""
    known = by_id(documents)
    table = capped(candidates(known, settings.low, settings.high), settings)
    pairs: list[DocumentPair] = []
    for place, candidate in enumerate(table):
        if candidate.decision == "kept":
            film = Film.of(candidate, known, settings.minutes)
            drawn = draw(film.segments, settings.segments, settings.seed, METHOD, 1, candidate.group)
            pairs += film.pairs(drawn, round=1)
            if not drawn:
                table[place] = candidate.dropped(NO_SEGMENT)
    return Aligned(pairs, table)


def second_round(
    documents: Iterable[Document],
    settings: Settings,
    used: Sequence[DocumentPair],
    yields: Mapping[str, int],
    most: int | None = None,
) -> Aligned:
    """One segment more of the movies and episodes that yielded most, the best first.

    ``used`` are the document pairs of the first round, ``yields`` says by their ids how many pairs were
    extracted from each; one that is not named yielded none. ``most`` limits how many segments are drawn.
    The films are cut as in the first round, so ``settings`` must give the same minutes.
    """
    known = by_id(documents)
    table: list[Candidate] = []
    pairs: list[DocumentPair] = []
    for candidate, numbers in ranked(used, yields, settings.seed):
        if most is not None and len(pairs) >= most:
            table.append(candidate.dropped(YIELD_TOO_LOW))
            continue
        film = Film.of(candidate, known, settings.minutes)
        unused = [number for number in film.segments if number not in numbers]
        drawn = draw(unused, 1, settings.seed, METHOD, 2, candidate.group)
        pairs += film.pairs(drawn, round=2)
        table.append(candidate if drawn else candidate.dropped(NO_SEGMENT_LEFT))
    return Aligned(pairs, table)


def capped(table: Iterable[Candidate], settings: Settings) -> list[Candidate]:
    """The table with no more than so many episodes of a series kept, drawn at random."""
    table = list(table)
    episodes: dict[str, list[str]] = {}
    for candidate in table:
        if candidate.decision == "kept" and candidate.series and candidate.group:
            episodes.setdefault(candidate.series, []).append(candidate.group)
    drawn = {
        (series, group)
        for series, groups in episodes.items()
        for group in draw(groups, settings.episodes, settings.seed, METHOD, "episodes", series)
    }
    reason = f"the series has its {settings.episodes} episodes"
    return [
        candidate.dropped(reason)
        if candidate.decision == "kept" and candidate.series and (candidate.series, candidate.group) not in drawn
        else candidate
        for candidate in table
    ]


def ranked(used: Iterable[DocumentPair], yields: Mapping[str, int], seed: int) -> Iterator[tuple[Candidate, set[int]]]:
    """What was used, a movie or episode at a time, by its yield; with the numbers of the segments used.

    Equal yields go by lot.
    """
    of_group: dict[str, list[DocumentPair]] = {}
    for pair in used:
        of_group.setdefault(pair.group or "", []).append(pair)
    order = draw(of_group, len(of_group), seed, METHOD, "equal yields")
    for group in sorted(order, key=lambda name: -sum(yields.get(pair.id, 0) for pair in of_group[name])):
        pair = of_group[group][0]
        numbers = {int(one.meta["segment"]) for one in of_group[group]}
        yield Candidate(pair.group, pair.doc1, pair.doc2, pair.similarity, "kept"), numbers


@dataclass(frozen=True, slots=True)
class Film:
    """Two versions of a movie or episode, aligned and cut."""

    candidate: Candidate
    alignment: LineAlignment
    segments: dict[int, Segment]

    @classmethod
    def of(cls, candidate: Candidate, documents: Mapping[str, Document], minutes: float) -> Film:
        one, two = _document(documents, candidate.doc1), _document(documents, candidate.doc2)
        cues1, cues2 = one.meta.get("cues"), two.meta.get("cues")
        alignment = align_lines(one.text, two.text, cues1, cues2)
        cut = segments(one.text, two.text, alignment, cues1, minutes)
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
                    "alignment": self._told(),
                },
            )

    def _told(self) -> dict[str, str | float]:
        told: dict[str, str | float] = {"method": self.alignment.method}
        if self.alignment.offset_ms is not None and self.alignment.drift is not None:
            told |= {"offset_ms": round(self.alignment.offset_ms), "drift": round(self.alignment.drift, 6)}
        return told


def _document(documents: Mapping[str, Document], name: str | None) -> Document:
    if name is None or name not in documents:
        raise DataError(f"the document {name!r} of the first round is not among the documents; import it again")
    return documents[name]
