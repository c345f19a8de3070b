"""Corpora in vertical text (VRT, the format of the Corpus Workbench), a message at a time.

In goes a source of any size, out come messages: the attributes of ``<text>`` and its text, rebuilt
from one token a line with the blanks that the ``spaces`` column tells, else by rules. A paragraph is
a line. The title, which Suomi24 repeats as a paragraph of its own, is left out of the text. Which
column is which is read from the comment ``#vrt positional-attributes`` where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from otherwords.sources.documents.html_bodies import resolved
from otherwords.sources.documents.table_rows import clean
from otherwords.sources.documents.vrt_spacing import is_hint, joined, joined_by_hints
from otherwords.sources.files import MAX_LINE
from otherwords.sources.source import Source

Attributes = dict[str, str]
_ATTRIBUTE = re.compile(r'(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:"([^"]*)"|\'([^\']*)\')')
_COLUMNS = re.compile(r"<!--\s*+(?:#vrt )?positional[ -]attributes:([^>]*+)", re.IGNORECASE)
_BLANKS = re.compile(r"[^\S\n]+")
_AROUND_BREAKS = re.compile(r" ?\n\s*")
_MESSAGE = ("<text>", "<text ", "</text", "<!--")
_SENTENCE = ("<sentence", "</sentence", "<s>", "<s ", "</s>")
_PARAGRAPH = ("<paragraph", "</paragraph", "<p>", "<p ", "</p>")


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the word and the hint about blanks stand in a token's line."""

    word: int = 0
    spaces: int | None = None

    def word_of(self, line: str) -> str:
        cells = line.split("\t", self.word + 1)
        word = cells[self.word] if self.word < len(cells) else cells[0]
        return resolved(word) if "&" in word else word

    def hint_of(self, line: str) -> str:
        if "Space" not in line:
            return ""
        cells = line.split("\t")
        if self.spaces is not None:
            return cells[self.spaces] if self.spaces < len(cells) else ""
        return next((cell for cell in cells[1:] if is_hint(cell)), "")


def messages(source: Source, wanted: Callable[[Attributes], bool]) -> Iterator[tuple[int, Attributes, str]]:
    """Line, attributes and text of each message that is wanted."""
    columns, attributes = _Columns(), Attributes()
    lines: list[str] | None = None
    start = size = 0
    for number, line in _lines(source):
        if line[:1] == "<" and line.startswith(_MESSAGE):
            if line.startswith("<!--"):
                columns = _named(line) or columns
                continue
            if lines is not None:
                if line.startswith("<text"):
                    source.mark("a message without its end, read up to the next")
                yield start, attributes, _rebuilt(lines, columns)
            lines = None
            if line.startswith("<text"):
                attributes, start, size = _attributes(line), number, 0
                lines = [] if wanted(attributes) else None
        elif lines is not None:
            lines.append(line)
            size += len(line)
            if size > MAX_LINE:
                raise source.error(f"a message is larger than {MAX_LINE // 2**20} MB; is </text> missing?", start)
        elif not start and line and line[0] != "<":
            raise source.error("a token before the first <text>; is this vertical text (VRT)?", number)
    if lines is not None:
        source.mark("the file ends inside a message, read as far as it goes")
        yield start, attributes, _rebuilt(lines, columns)
    if not start:
        raise source.error("no <text> in the file; is this vertical text (VRT)?")


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    """Numbered lines, decoded by the block, which is four times as fast as by the line."""
    if source.actual_encoding != "utf-8":
        yield from source.lines()
        return
    for first, block in source.byte_blocks():
        try:
            yield from enumerate(block.decode().replace("\r\n", "\n").split("\n"), first)
        except UnicodeDecodeError:
            yield from _good_lines(source, first, block)


def _good_lines(source: Source, first: int, block: bytes) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(block.split(b"\n"), first):
        try:
            yield number, line.decode().removesuffix("\r")
        except UnicodeDecodeError:
            source.reject(number, "not UTF-8; name another encoding with --encoding", line.decode("latin-1"))


def _attributes(tag: str) -> Attributes:
    return {found[1]: resolved(found[2] or found[3] or "") for found in _ATTRIBUTE.finditer(tag)}


def _named(comment: str) -> _Columns | None:
    """The columns that a comment names, if it does."""
    found = _COLUMNS.match(comment)
    if found is None:
        return None
    names = [name.rstrip("/").lower() for name in found[1].removesuffix("--").split()]
    return _Columns(
        word=names.index("word") if "word" in names else 0,
        spaces=names.index("spaces") if "spaces" in names else None,
    )


def _rebuilt(lines: list[str], columns: _Columns) -> str:
    """The text of a message: by its hints if it has any, else by the rules."""
    if any(columns.hint_of(line) for line in lines if "Space" in line):
        paragraphs = ("".join(_by_hints(sentence, columns) for sentence in one) for one in _paragraphs(lines))
        return clean("\n".join(_AROUND_BREAKS.sub("\n", _BLANKS.sub(" ", text)).strip() for text in paragraphs))
    return clean(
        "\n".join(" ".join(joined(map(columns.word_of, tokens)) for tokens in one) for one in _paragraphs(lines))
    )


def _by_hints(sentence: list[str], columns: _Columns) -> str:
    return joined_by_hints((columns.word_of(line), columns.hint_of(line)) for line in sentence)


def _paragraphs(lines: list[str]) -> Iterator[list[list[str]]]:
    """The paragraphs of a message but its title, each as sentences, these as the lines of their tokens."""
    sentence: list[str] = []
    paragraph = [sentence]
    title = False
    for line in lines:
        if line[:1] != "<":
            if line and not title:
                sentence.append(line)
        elif line.startswith(_SENTENCE):
            sentence = []
            paragraph.append(sentence)
        elif line.startswith(_PARAGRAPH):
            yield from ([kept] if (kept := [one for one in paragraph if one]) else ())
            sentence = []
            paragraph = [sentence]
            title = line[1] == "p" and _attributes(line).get("type") == "title"
    yield from ([kept] if (kept := [one for one in paragraph if one]) else ())
