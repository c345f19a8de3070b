"""Splitting what a path names, and writing pairs with their part: into one file, or a file per part.

A project is split by a step of its own and keeps the table; any other corpus is read, split and written out.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from otherwords.acquire.batches import PAIRS_PER_BLOCK
from otherwords.corpus.corpus import open_corpus
from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import LabelledPair, read_table
from otherwords.corpus.splits.columns import NO_LABEL, columns_of_pairs
from otherwords.corpus.splits.options import SplitOptions
from otherwords.corpus.splits.split import split_corpus
from otherwords.corpus.splits.step import parts_table, read_parts
from otherwords.errors import WriteError
from otherwords.project.config import CONFIG_FILE
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.project import open_project
from otherwords.records import Pair
from otherwords.sources.io.files import atomic_folder, bare_suffix
from otherwords.sources.reading import write_records

NONE = "none"  # the file of pairs that are in no part
PlacedPair = tuple[Pair, str | None]


def split_path(
    path: str | Path, options: SplitOptions, *, out: str | None = None, simulated: bool = False, **reading: Any
) -> dict[str, object]:
    """Split a project, a release or a file, and write its pairs to ``out`` if given; the summary of the split."""
    if is_project(path):
        with open_project(path) as project:
            table = parts_table(project, **options.as_dict(), simulated=simulated)
            if out is not None:
                labels = read_table(labels_table(project, simulated=simulated))
                rows = zip(labels, read_parts(table), strict=True)
                split_rows = ((_with_views(row), place.part) for row, place in rows if place.reason != NO_LABEL)
                write_split_pairs(split_rows, out, options)
        return table.summary
    corpus = open_corpus(path, **reading)
    split = split_corpus(columns_of_pairs(corpus.pairs), options)
    if out is not None:
        parts = (part for chunk in split.table["part"].chunks for part in chunk.to_pylist())
        write_split_pairs(zip(corpus.pairs(), parts, strict=True), out, options)
    return split.summary


def is_project(path: str | Path) -> bool:
    """Whether a path is a project."""
    return (Path(path) / CONFIG_FILE).is_file()


def plain_pair(row: LabelledPair) -> Pair:
    """A labelled pair as the pair that people exchange."""
    return Pair(**{name: getattr(row, name) for name in Pair.__struct_fields__})


def _with_views(row: LabelledPair) -> Pair:
    """A labelled pair as it is written; one without a label of its own has those of other views under ``meta``."""
    pair = plain_pair(row)
    return pair if row.label is not None else msgspec.structs.replace(pair, meta=pair.meta | {"views": row.views})


def write_split_pairs(rows: Iterable[PlacedPair], out: str, options: SplitOptions) -> None:
    """Write pairs with ``meta.part`` or ``meta.fold`` into a file or, if the name has no suffix, a file per part."""
    if out == "-" or bare_suffix(Path(out)):
        write_records((_with_part(pair, part, options) for pair, part in rows), out)
        return
    if Path(out).is_file():
        message = f"{out}: is a file; name a new folder, or a file with a suffix such as .jsonl"
        raise WriteError(message, code="not-a-folder")
    with atomic_folder(Path(out)) as folder:
        for name in options.shares():
            (folder / f"{name}.jsonl").touch()
        for block in in_blocks(rows, PAIRS_PER_BLOCK):
            by_part: dict[str, list[Pair]] = {}
            for pair, part in block:
                by_part.setdefault(part or NONE, []).append(_with_part(pair, part, options))
            for name, pairs in by_part.items():
                with (folder / f"{name}.jsonl").open("ab") as stream:
                    stream.writelines(msgspec.json.encode(pair) + b"\n" for pair in pairs)


def _with_part(pair: Pair, part: str | None, options: SplitOptions) -> Pair:
    meta = {name: value for name, value in pair.meta.items() if name not in ("part", "fold")}
    if part is not None:
        meta |= {"fold": int(part)} if options.folds else {"part": part}
    return msgspec.structs.replace(pair, meta=meta)
