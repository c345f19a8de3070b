"""The files of one reading: the file that was named, or those of a folder, each read on its own.

In goes a source that may be a folder, out come its files in sorted order, so that two readings see
the same. A file of another kind is counted and left alone; a file that cannot be used is rejected
like a bad row and does not take the rest of the folder with it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from otherwords.errors import DataError
from otherwords.records import Document
from otherwords.sources.files import bare_suffix
from otherwords.sources.source import Account, Source

ReadFile = Callable[[Source], Iterator[Document]]


def files(source: Source, suffixes: frozenset[str]) -> Iterator[Source]:
    """The file itself, or those of the folder that end in one of the suffixes."""
    if source.path is None or not source.path.is_dir():
        yield source
        return
    found = False
    for folder, folders, names in os.walk(source.path, onerror=_unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(folder, name)
            if name.startswith(".") or bare_suffix(path) not in suffixes:
                source.mark(f"a file of another kind in the folder, not read ({bare_suffix(path) or 'no suffix'})")
                continue
            found = True
            yield source.beside(path)
    if not found:
        raise source.error(f"the folder holds no file ending in {', '.join(sorted(suffixes))}")


def documents_of(source: Source, suffixes: frozenset[str], read: ReadFile) -> Iterator[Document]:
    """The documents of each file; in a folder, a file that cannot be used is rejected and the next one read."""
    for file in files(source, suffixes):
        if file is source:
            yield from _or_a_word(file, read)
            continue
        try:
            yield from _or_a_word(file, read)
        except DataError as problem:
            file.reject(problem.line, problem.reason)


def _or_a_word(file: Source, read: ReadFile) -> Iterator[Document]:
    """The documents of a file; one that gives none, and about which nothing was said so far, is rejected."""
    said = _remarks(file.account)
    given = False
    for document in read(file):
        given = True
        yield document
    if not given and _remarks(file.account) == said:
        file.reject(None, "nothing to read in the file: it is empty, or has only a header")


def _remarks(account: Account) -> int:
    return account.skipped.total() + account.marked.total()


def _unreadable(problem: OSError) -> None:
    raise DataError(problem.strerror or str(problem), problem.filename)
