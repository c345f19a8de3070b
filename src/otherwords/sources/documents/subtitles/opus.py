"""Subtitles as OPUS releases OpenSubtitles: XML of sentences with time stamps inside, plain or cut into words.

In goes a source, out come its cues and what its header says. OPUS has cut the text into sentences and
lost the lines of the cues, so here a line is a sentence, or the part of one that is in the cue: a
sentence may run over several cues, and a cue may hold several sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from otherwords.sources.documents.subtitles.cues import Cue, milliseconds
from otherwords.sources.documents.subtitles.markup import plain
from otherwords.sources.documents.vrt_spacing import joined
from otherwords.sources.format import Head
from otherwords.sources.source import Source
from otherwords.sources.xml_stream import elements

Header = dict[str, str]
_ROWS = frozenset({"s", "meta", "time"})


def opus_subtitles(source: Source) -> tuple[list[Cue], Header]:
    """The cues of a file, and the year and language that its header gives."""
    walk = elements(source, _ROWS)
    _, root = next(walk)
    if root.tag != "document":
        raise source.error(f"subtitles of OPUS are a <document>, found <{root.tag}>")
    header: Header = {}
    film = _Film(source)
    for place, element in walk:
        if element.tag == "meta":
            header = _header(element)
        elif element.tag == "time":
            film.time(element, place)
        else:
            film.sentence(element, place)
    return film.cues(), header


def is_opus(head: Head) -> bool:
    """Whether a file starts as XML does."""
    return head.text.lstrip().startswith("<")


def _header(meta: Element) -> Header:
    found = {"year": meta.findtext("source/year"), "lang": meta.findtext("subtitle/language")}
    return {name: text.strip() for name, text in found.items() if text and text.strip()}


@dataclass(slots=True)
class _Open:
    """A cue while its sentences come in."""

    start: int
    place: int
    end: int | None = None
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Film:
    source: Source
    told: list[_Open] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def sentence(self, element: Element, place: int) -> None:
        self._take(element.text)
        for child in _leaves(element):
            if child.tag == "time":
                self._end_line(place)
                self.time(child, place)
            elif child.tag == "w":
                self.words.append((child.text or "").strip())
            else:
                self._take(child.text)
            self._take(child.tail)
        self._end_line(place)

    def time(self, element: Element, place: int) -> None:
        """A stamp such as T12S, the start of a cue, or T12E, its end."""
        when = milliseconds(element.get("value", "").strip())
        if when is None:
            self.source.mark("a time that cannot be read, left out")
        elif element.get("id", "").endswith("E"):
            if self.told:
                self.told[-1].end = when
        else:
            self.told.append(_Open(when, place))

    def cues(self) -> list[Cue]:
        ends = [cue.start for cue in self.told[1:]]
        return [
            Cue(cue.start, cue.end if cue.end is not None else max(cue.start, following), tuple(cue.lines), cue.place)
            for cue, following in zip(self.told, [*ends, 0][: len(self.told)], strict=True)
        ]

    def _take(self, text: str | None) -> None:
        if text and text.strip():
            self.text.append(text)

    def _end_line(self, place: int) -> None:
        lines = plain(" ".join([joined(filter(None, self.words)), *self.text]).replace("\n", " "))
        self.words, self.text = [], []
        if not lines:
            return
        if not self.told:
            self.source.mark("text before the first time, left out")
            return
        if self.told[-1].end is not None:
            self.source.mark("a sentence between two cues, kept with the first")
        self.told[-1].lines.extend(lines)


def _leaves(element: Element) -> Iterator[Element]:
    """The children, through any that only hold others (chunks, in parsed releases)."""
    for child in element:
        if child.tag not in ("w", "time") and len(child):
            yield from _leaves(child)
        else:
            yield child
