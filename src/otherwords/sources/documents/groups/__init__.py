"""Groups of texts with the same meaning: translations of one text, answers to one question.

The input is a folder with a subfolder for each group (``DIR/group/name.txt``, ``.md`` or ``.docx``), or a JSON Lines
file with group and text. Each text is a document. A group of one text is kept and counted, since it makes no pair. A
file that cannot be read is rejected and the rest of the folder is still read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from otherwords.errors import DataError, UsageError
from otherwords.records import Document
from otherwords.sources.documents.groups.docx import docx_text
from otherwords.sources.documents.kind import Kind, KindOption, Options, document_id
from otherwords.sources.io.files import list_folder
from otherwords.sources.rows.json_objects import json_objects, text_at
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.source import Source
from otherwords.text.normalise import document_text

PARTS = ("translations", "answers")  # the text sources of the Turku corpus, Table 1
ALONE = "a group of one has no pair"
HIDDEN = "a hidden file, passed over"
FIELDS = {
    "group": ("group", "question", "assignment", "text_id", "source_text"),
    "text": ("text", "answer", "translation", "content", "body"),
    "name": ("name", "id", "title"),
    "lang": ("lang",),
}


_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n.*?\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)[^\n]*$\n?", re.MULTILINE)
_RULE = re.compile(r"^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|={3,})$\n?", re.MULTILINE)
_REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]+\]:[^\n]*$\n?", re.MULTILINE)
_TABLE_RULE = re.compile(r"^(?=[^\n]*\|)(?=[^\n]*-)[ \t:|-]+$\n?", re.MULTILINE)
_LINE_START = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,3}[.)][ \t]+)?", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[ \t]+([^\n]*)$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]\n]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])")
_ADDRESS = re.compile(r"<((?:https?://|mailto:)[^>\s]+)>")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>")
_EMPHASIS = re.compile(r"(?<![\w*_\\])(\*\*\*|\*\*|\*|___|__|_|~~)(?=\S)([^\n]{0,500}?\S)\1(?![\w*_])")
_STRONG_INSIDE = re.compile(r"\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*")
_CODE = re.compile(r"(`+)(?!`)([^\n]{0,500}?[^`\n])\1(?!`)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_CELL_EDGE = re.compile(r"^[ \t]*\|[ \t]*|(?<![ \t])[ \t]*\|[ \t]*$", re.MULTILINE)


def read(source: Source, options: Options) -> Iterator[Document]:
    """The texts of a folder of groups, or of a file of rows."""
    part = options.get("part", PARTS[0])
    if part not in PARTS:
        parts = ", ".join(PARTS)
        message = f"groups: one of {parts} is expected for part, found {part!r}; for other names use source=NAME"
        raise UsageError(message, code="bad-option")
    members: Counter[str] = Counter()
    folder = source.path is not None and source.path.is_dir()
    for text in _folder_texts(source, source.path) if folder and source.path else _row_texts(source):
        members[text.group] += 1
        name = {"name": text.name} if text.name is not None else {}
        yield Document(
            id=document_id("groups", text.group, text.name, text.text),
            text=text.text,
            lang=source.lang or text.lang,
            source=str(options.get("source") or part),
            group=text.group,
            meta={**name, "file": text.file, "line": text.line},
        )
    source.mark(ALONE, sum(count == 1 for count in members.values()))


@dataclass(frozen=True, slots=True)
class _GroupText:
    """A text, the group it belongs to, and where it was found."""

    group: str
    text: str
    name: str | None
    file: str
    line: int
    lang: str | None = None


def _folder_texts(source: Source, folder: Path) -> Iterator[_GroupText]:
    for path in _listed(source, folder):
        if path.is_dir():
            for file in _listed(source, path):
                yield from _file_text(source.sibling(file), path.name)
        else:
            source.sibling(path).reject(None, "the file is in no group; a subfolder is expected for each group")


def _listed(source: Source, folder: Path) -> Iterator[Path]:
    """The content of a folder by name, without hidden files and lock files of word processors."""
    for path in list_folder(folder):
        if path.name.startswith((".", "~$")):
            source.mark(HIDDEN)
        else:
            yield path


def _file_text(source: Source, group: str) -> Iterator[_GroupText]:
    assert source.path is not None
    suffix = source.path.suffix.lower()
    try:
        if source.path.is_dir() or suffix not in READERS:
            message = f"a file ending in {', '.join(READERS)} is expected; convert it, or move it out of the folder"
            raise source.error(message, code="wrong-suffix")
        text = document_text(READERS[suffix](source)).strip("\n")
        if not text.strip():
            raise source.error("the file has no text", code="empty-file")
    except DataError as problem:
        source.reject(problem.line, problem.reason)
        return
    yield _GroupText(document_text(group), text, document_text(source.path.stem), source.name, 1)


def _read_whole_text(source: Source) -> str:
    """A file that is one text. A line that cannot be decoded is an error, since the text would not be the same."""
    encoding = source.actual_encoding
    try:
        return source.content("a single text").decode(encoding).removeprefix("\ufeff")
    except UnicodeError:
        message = f"the file is not {encoding}; name its encoding with --encoding"
        raise source.error(message, code="wrong-encoding") from None


def _markdown(source: Source) -> str:
    return markdown_text(document_text(_read_whole_text(source)))


READERS: dict[str, Callable[[Source], str]] = {
    ".txt": _read_whole_text,
    ".md": _markdown,
    ".markdown": _markdown,
    ".docx": docx_text,
}


def _row_texts(source: Source) -> Iterator[_GroupText]:
    for line, row in json_objects(source):
        group, text = _row_field(source, row, "group"), _row_field(source, row, "text")
        if group and text:
            name, lang = _row_field(source, row, "name"), _row_field(source, row, "lang")
            yield _GroupText(group, text, name, source.name, line, lang)
        else:
            missing = "text" if group else "group"
            found = ", ".join(list(row)[:12]) or "none"
            source.reject(line, f"no {missing}; name its field with --columns {missing}=NAME (found: {found})", row)


def _row_field(source: Source, row: JsonObject, field: str) -> str | None:
    paths = (source.columns[field],) if field in source.columns else FIELDS[field]
    text = next((text for path in paths if (text := text_at(row, path))), None)
    return None if text is None else document_text(text).strip("\n")


KIND = Kind(
    name="groups",
    title="groups of texts: translations of one text, answers to one question",
    read=read,
    fields={
        "text": "the text; of Markdown and Word documents without markup",
        "lang": "the language that the user or the row names",
        "source": "translations or answers (the option part), or the option source",
        "group": "the text that was translated or the question that was answered: the subfolder, or the field group",
        "meta.name": "the name of the text within its group: the file name without suffix, or the field name",
        "meta.file": "the file",
        "meta.line": "the line in the file",
    },
    options={
        "part": KindOption(PARTS[0], " or ".join(PARTS), "what the texts of a group are; this names the source"),
        "source": KindOption("", "a name", "the name of the source, instead of the part"),
    },
    formats={
        "folder": f"a subfolder for each group, and in it a file for each text ({', '.join(READERS)})",
        "jsonl": "one text per line as a JSON object with its group",
        "json": "one list of such objects",
    },
    columns=FIELDS,
    names="The first that a row has counts; a dot leads into an object.",
    needed=("group", "text"),
    example="sources/answers/before-a-storm/student-1.txt",
)


def markdown_text(text: str) -> str:
    """The text of a Markdown page."""
    text = _COMMENT.sub("", _FRONT_MATTER.sub("", text, count=1))
    for whole_line in (_FENCE, _TABLE_RULE, _RULE, _REFERENCE):
        text = whole_line.sub("", text)
    text = _HEADING.sub(_heading, _LINE_START.sub("", text))
    text = _ADDRESS.sub(r"\1", _LINK.sub(r"\1", _LINK.sub(r"\1", text)))  # twice: an image may be a link
    text = _CODE.sub(r"\2", _TAG.sub("", text))
    text = _STRONG_INSIDE.sub(r"\1", _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", text)))
    return _ESCAPED.sub(r"\1", _CELL_EDGE.sub("", text)).strip("\n")


def _heading(match: re.Match[str]) -> str:
    """A heading without number signs at its end; that of ``C#`` stays."""
    title = match.group(1).rstrip()
    bare = title.rstrip("#")
    return bare.rstrip() if bare.endswith((" ", "\t")) else title
