"""Corpora in vertical text (VRT, the format of the Corpus Workbench), a message at a time.

In goes a source of any size, out come messages: the attributes of ``<text>`` and its text, rebuilt
from one token a line with the blanks that the ``spaces`` column tells, else by rules. A paragraph is
a line. The title, which Suomi24 repeats as a paragraph of its own, is left out of the text. Which
column is which is read from the comment ``#vrt positional-attributes`` where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from otherwords.sources.documents.html_bodies import resolved
from otherwords.sources.documents.news_rows import clean
from otherwords.sources.documents.vrt_spacing import is_hint, joined, joined_by_hints
from otherwords.sources.files import MAX_LINE
from otherwords.sources.source import Source

Attributes = dict[str, str]
_ATTRIBUTE = re.compile(r'(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:"([^"]*)"|\'([^\']*)\')')
_COLUMNS = re.compile(r"<!--\s*+(?:#vrt )?positional[ -]attributes:([^>]*+)", re.IGNORECASE)
_BLANKS = re.compile(r"[^\S\n]+")
_AROUND_BREAKS = re.compile(r" ?\n\s*")


def messages(source: Source, wanted: Callable[[Attributes], bool]) -> Iterator[tuple[int, Attributes, str]]:
    """Line, attributes and text of each message that is wanted."""
    columns = _Columns()
    message: _Message | None = None
    reading = found = False
    for number, line in source.lines():
        if line[:1] != "<":
            if reading and message is not None:
                message.token(columns, line)
            elif line and not found:
                raise source.error("a token before the first <text>; is this vertical text (VRT)?", number)
        elif line.startswith("<!"):
            columns.learn(line)
        elif line.startswith(("<text>", "<text ")):
            if message is not None:
                source.mark("a message without its end, read up to the next")
                yield message.whole()
            attributes = _attributes(line)
            reading, found = wanted(attributes), True
            message = _Message(source, number, attributes) if reading else None
        elif line.startswith("</text"):
            if message is not None:
                yield message.whole()
            message, reading = None, False
        elif message is not None:
            message.tag(line)
    if message is not None:
        source.mark("the file ends inside a message, read as far as it goes")
        yield message.whole()
    if not found:
        raise source.error("no <text> in the file; is this vertical text (VRT)?")


def _attributes(line: str) -> Attributes:
    return {found[1]: resolved(found[2] or found[3] or "") for found in _ATTRIBUTE.finditer(line)}


@dataclass(slots=True)
class _Columns:
    """Where the word and the hint about blanks stand in a token's line."""

    word: int = 0
    spaces: int | None = None
    named: bool = False

    def learn(self, comment: str) -> None:
        if found := _COLUMNS.match(comment):
            names = [name.rstrip("/").lower() for name in found[1].removesuffix("--").split()]
            self.word = names.index("word") if "word" in names else 0
            self.spaces = names.index("spaces") if "spaces" in names else None
            self.named = True

    def hint(self, cells: list[str]) -> str:
        if self.named and self.spaces is not None:
            return cells[self.spaces] if self.spaces < len(cells) else ""
        return next((cell for cell in cells[1:] if is_hint(cell)), "")


@dataclass(slots=True)
class _Message:
    """A message while its tokens come in."""

    source: Source
    line: int
    attributes: Attributes
    hinted: bool = False
    size: int = 0
    in_title: bool = False
    sentence: list[tuple[str, str]] = field(default_factory=list)
    paragraph: list[list[tuple[str, str]]] = field(default_factory=list)
    paragraphs: list[list[list[tuple[str, str]]]] = field(default_factory=list)

    def token(self, columns: _Columns, line: str) -> None:
        if self.in_title or not line:
            return
        self.size += len(line)
        if self.size > MAX_LINE:
            raise self.source.error(f"a message is larger than {MAX_LINE // 2**20} MB; is </text> missing?", self.line)
        cells = line.split("\t")
        word = cells[columns.word] if columns.word < len(cells) else cells[0]
        hint = columns.hint(cells) if "Space" in line else ""
        self.hinted = self.hinted or bool(hint)
        self.sentence.append((resolved(word) if "&" in word else word, hint))

    def tag(self, line: str) -> None:
        if line.startswith(("</sentence", "<sentence", "</s>", "<s>", "<s ")):
            self._end_sentence()
        elif line.startswith(("</paragraph", "<paragraph", "</p>", "<p>", "<p ")):
            self._end_paragraph()
            self.in_title = line.startswith("<p") and _attributes(line).get("type") == "title"

    def whole(self) -> tuple[int, Attributes, str]:
        self._end_paragraph()
        return self.line, self.attributes, clean("\n".join(map(self._text, self.paragraphs)))

    def _text(self, paragraph: list[list[tuple[str, str]]]) -> str:
        if self.hinted:
            text = "".join(map(joined_by_hints, paragraph))
            return _AROUND_BREAKS.sub("\n", _BLANKS.sub(" ", text)).strip()
        return " ".join(joined(word for word, _ in sentence) for sentence in paragraph)

    def _end_sentence(self) -> None:
        if self.sentence:
            self.paragraph.append(self.sentence)
            self.sentence = []

    def _end_paragraph(self) -> None:
        self._end_sentence()
        if self.paragraph:
            self.paragraphs.append(self.paragraph)
            self.paragraph = []
