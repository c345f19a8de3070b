"""The files of a source: the named file, or the files of a folder in sorted order.

A file of another kind is counted and skipped. A file that cannot be used is rejected like a bad row, and the rest of
the folder is still read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

from otherwords.errors import DataError
from otherwords.records import Document
from otherwords.sources.io.files import bare_suffix
from otherwords.sources.source import Source

ReadFile = Callable[[Source], Iterator[Document]]


def source_files(source: Source, suffixes: frozenset[str]) -> Iterator[Source]:
    """The file itself, or the files of the folder with one of the suffixes."""
    if source.path is None or not source.path.is_dir():
        yield source
        return
    any_file = False

    def unreadable(problem: OSError) -> NoReturn:
        raise DataError(problem.strerror or str(problem), problem.filename, code="file-unreadable")

    for folder, folders, names in os.walk(source.path, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(folder, name)
            if name.startswith(".") or bare_suffix(path) not in suffixes:
                source.mark(f"a file of another kind in the folder, not read ({bare_suffix(path) or 'no suffix'})")
                continue
            any_file = True
            yield source.sibling(path)
    if not any_file:
        message = f"files ending in {', '.join(sorted(suffixes))} are expected in the folder, and there are none"
        raise source.error(message, code="missing-file")


def read_each_file(source: Source, suffixes: frozenset[str], read: ReadFile) -> Iterator[Document]:
    """The documents of all files; in a folder, a file that cannot be used is rejected."""
    for file in source_files(source, suffixes):
        if file is source:
            yield from _read_or_reject(file, read)
            continue
        try:
            yield from _read_or_reject(file, read)
        except DataError as problem:
            file.reject(problem.line, problem.reason)


def _read_or_reject(file: Source, read: ReadFile) -> Iterator[Document]:
    """The documents of a file; a file without documents and without any remark in the log is rejected."""
    log = file.account
    remarks = log.skipped.total() + log.marked.total()
    any_document = False
    for document in read(file):
        any_document = True
        yield document
    if not any_document and log.skipped.total() + log.marked.total() == remarks:
        file.reject(None, "the file has no documents: it is empty, or has only a header")
