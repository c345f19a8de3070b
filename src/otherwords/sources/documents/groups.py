"""Groups of texts that say the same: translations of one text, answers to one question.

In goes a folder with a folder for each group (``DIR/group/name.txt``, ``.md`` or ``.docx``), or one
JSON Lines file with group and text; out comes a document a text. A group of one is kept and counted,
since it has no pair. A file that cannot be read is refused by itself: the others of the folder are
not lost with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from otherwords.errors import DataError, UsageError
from otherwords.records import Document
from otherwords.sources.documents.docx import docx_text
from otherwords.sources.documents.groups_markdown import markdown_text
from otherwords.sources.documents.json_objects import Object, json_objects, text_at
from otherwords.sources.documents.kind import Kind, Options, document_id
from otherwords.sources.documents.plain_text import plain_text
from otherwords.sources.files import MAX_LINE
from otherwords.sources.source import Source

PARTS = ("translations", "answers")  # the text sources of the Turku corpus, Table 1
ALONE = "a group of one has no pair"
HIDDEN = "a hidden file, passed over"
FIELDS = {
    "group": ("group", "question", "assignment", "text_id", "source_text"),
    "text": ("text", "answer", "translation", "content", "body"),
    "name": ("name", "id", "title"),
    "lang": ("lang",),
}


def read(source: Source, options: Options) -> Iterator[Document]:
    """The texts of a folder of groups, or of a file of rows."""
    part = options.get("part", PARTS[0])
    if part not in PARTS:
        raise UsageError(f"groups part={part}: it is one of {', '.join(PARTS)}; any other name goes in source=NAME")
    members: Counter[str] = Counter()
    folder = source.path is not None and source.path.is_dir()
    for document in _of_folder(source, source.path) if folder and source.path else _of_rows(source):
        members[str(document["group"])] += 1
        yield _document(source, str(options.get("source") or part), document)
    for count in members.values():
        if count == 1:
            source.mark(ALONE)


def _document(source: Source, kind: str, found: Object) -> Document:
    group, text = found["group"], found["text"]
    meta = {name: found[name] for name in ("name", "file", "line") if found.get(name) is not None}
    return Document(
        id=document_id("groups", group, found.get("name"), text),
        text=text,
        lang=source.lang or found.get("lang"),
        source=kind,
        group=group,
        meta=meta,
    )


def _of_folder(source: Source, folder: Path) -> Iterator[Object]:
    for path in _listed(source, folder):
        if path.is_dir():
            for file in _listed(source, path):
                yield from _of_file(source.beside(file), path.name)
        else:
            source.beside(path).reject(None, "is in no group; each group is a folder of its own")


def _listed(source: Source, folder: Path) -> Iterator[Path]:
    """What is in a folder, by name; hidden files and the locks of word processors are passed over."""
    try:
        paths = sorted(folder.iterdir())
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), folder) from None
    for path in paths:
        if path.name.startswith((".", "~$")):
            source.mark(HIDDEN)
        else:
            yield path


def _of_file(source: Source, group: str) -> Iterator[Object]:
    assert source.path is not None
    suffix = source.path.suffix.lower()
    try:
        if source.path.is_dir() or suffix not in READERS:
            raise source.error(f"is not one of {', '.join(READERS)}; convert it, or move it out of the folder")
        text = plain_text(READERS[suffix](source)).strip("\n")
        if not text.strip():
            raise source.error("has no text")
    except DataError as problem:
        source.reject(problem.line, problem.reason)
        return
    yield {
        "group": plain_text(group),
        "name": plain_text(source.path.stem),
        "text": text,
        "file": source.name,
        "line": 1,
    }


def _whole(source: Source) -> str:
    """A file that is one text: all of it or nothing, since a text with a line missing would be another."""
    encoding = source.actual_encoding
    with source.binary() as stream:
        content = stream.read(MAX_LINE + 1)
    if len(content) > MAX_LINE:
        raise source.error(f"is larger than {MAX_LINE // 2**20} MB, which no single text is")
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeError:
        raise source.error(f"is not {encoding}; name its encoding with --encoding") from None


def _markdown(source: Source) -> str:
    return markdown_text(plain_text(_whole(source)))


READERS: dict[str, Callable[[Source], str]] = {
    ".txt": _whole,
    ".md": _markdown,
    ".markdown": _markdown,
    ".docx": docx_text,
}


def _of_rows(source: Source) -> Iterator[Object]:
    for line, row in json_objects(source):
        found: dict[str, Any] = {field: _named(source, row, field) for field in FIELDS}
        missing = next((field for field in ("group", "text") if not found[field]), None)
        if missing:
            names = ", ".join(list(row)[:12]) or "none"
            source.reject(line, f"no {missing}; name its field with --columns {missing}=NAME (there are: {names})", row)
            continue
        yield found | {"file": source.name, "line": line}


def _named(source: Source, row: Object, field: str) -> str | None:
    paths = (source.columns[field],) if field in source.columns else FIELDS[field]
    found = next((text for path in paths if (text := text_at(row, path))), None)
    return None if found is None else plain_text(found).strip("\n")


KIND = Kind(
    name="groups",
    title="groups of texts: translations of one text, answers to one question",
    read=read,
    fields={
        "text": "the text; of Markdown and Word documents the words without their markup",
        "lang": "the language that the row or the user says",
        "source": "translations or answers (the option part), or what the user says",
        "group": "the text that was translated or the question that was answered: the folder, or the field group",
        "meta.name": "the name of the text within its group: the file's name without suffix, or the field name",
        "meta.file": "the file it comes from",
        "meta.line": "the line of the file on which it starts",
    },
    options={"part": PARTS[0], "source": ""},
    formats=("folder", "jsonl", "json"),
    columns=FIELDS,
)
