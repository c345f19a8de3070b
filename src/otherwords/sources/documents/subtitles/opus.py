"""Subtitles of OPUS OpenSubtitles: XML of sentences with time stamps inside, plain or tokenised.

OPUS has split the text into sentences and lost the lines of the cues. So a line is a sentence here, or the part of one
that is in the cue: a sentence may span several cues, and a cue may hold several sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from otherwords.sources.documents.forum.vrt_spacing import join_tokens
from otherwords.sources.documents.subtitles.cues import Cue, milliseconds, plain_lines
from otherwords.sources.io.xml_stream import elements_below
from otherwords.sources.source import Source

Header = dict[str, str]
_ROWS = frozenset({"s", "meta", "time"})


def opus_subtitles(source: Source) -> tuple[list[Cue], Header]:
    """The cues of a file, and the year and language that its header gives."""
    _, walk = elements_below(source, ("document",), _ROWS)
    header: Header = {}
    collector = _CueCollector(source)
    for place, element in walk:
        if element.tag == "meta":
            texts = {"year": element.findtext("source/year"), "lang": element.findtext("subtitle/language")}
            header = {name: text.strip() for name, text in texts.items() if text and text.strip()}
        elif element.tag == "time":
            collector.time(element, place)
        else:
            collector.sentence(element, place)
    return collector.cues(), header


@dataclass(slots=True)
class _OpenCue:
    """A cue while its sentences are read."""

    start: int
    place: int
    end: int | None = None
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _CueCollector:
    """Collects cues from the sentences and time stamps of a file."""

    source: Source
    open_cues: list[_OpenCue] = field(default_factory=list)
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
        """A time stamp: T12S is the start of a cue, T12E its end."""
        when = milliseconds(element.get("value", "").strip())
        if when is None:
            self.source.mark("a time that cannot be read, left out")
        elif element.get("id", "").endswith("E"):
            if self.open_cues:
                self.open_cues[-1].end = when
        else:
            self.open_cues.append(_OpenCue(when, place))

    def cues(self) -> list[Cue]:
        ends = [cue.start for cue in self.open_cues[1:]]
        return [
            Cue(cue.start, cue.end if cue.end is not None else max(cue.start, following), tuple(cue.lines), cue.place)
            for cue, following in zip(self.open_cues, [*ends, 0][: len(self.open_cues)], strict=True)
        ]

    def _take(self, text: str | None) -> None:
        if text and text.strip():
            self.text.append(text)

    def _end_line(self, place: int) -> None:
        lines = plain_lines(" ".join([join_tokens(filter(None, self.words)), *self.text]).replace("\n", " "))
        self.words, self.text = [], []
        if not lines:
            return
        if not self.open_cues:
            self.source.mark("text before the first time, left out")
            return
        if self.open_cues[-1].end is not None:
            self.source.mark("a sentence between two cues, kept with the first")
        self.open_cues[-1].lines.extend(lines)


def _leaves(element: Element) -> Iterator[Element]:
    """The words and times, also inside elements that only group them (chunks, in parsed releases)."""
    for child in element:
        if child.tag not in ("w", "time") and len(child):
            yield from _leaves(child)
        else:
            yield child
