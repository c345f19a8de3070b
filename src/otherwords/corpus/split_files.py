"""Pairs with the part that they are in: one stream, one file, or a file a part.

A project is split as a step of its own and keeps the table; any other corpus is read, split and written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from otherwords.acquire.batches import PAIRS_A_BATCH
from otherwords.corpus.corpora import corpus_of
from otherwords.corpus.labelled import Labelled, read_table
from otherwords.corpus.labelling import labels_table
from otherwords.corpus.parts import parts_summary, parts_table, read_parts
from otherwords.corpus.split import split_of
from otherwords.corpus.split_columns import of_pairs
from otherwords.corpus.split_wishes import Wishes
from otherwords.errors import WriteError
from otherwords.project.config import NAME
from otherwords.project.project import opened
from otherwords.records import Pair
from otherwords.sources.files import bare_suffix
from otherwords.sources.folders import replacing_folder
from otherwords.sources.reading import write

NONE = "none"  # the file of pairs that are in no part
Placed = tuple[Pair, str | None]


def split_path(
    path: str | Path, wishes: Wishes, *, out: str | None = None, simulated: bool = False, **reading: Any
) -> dict[str, Any]:
    """Split a project, a release or a file, and write its pairs where that is asked for; the account of the split."""
    if is_project(path):
        return _split_project(Path(path), wishes, out, simulated)
    corpus = corpus_of(path, **reading)
    split = split_of(of_pairs(corpus.pairs), wishes)
    if out is not None:
        parts = (part for chunk in split.table["part"].chunks for part in chunk.to_pylist())
        write_placed(zip(corpus.pairs(), parts, strict=True), out, wishes)
    return split.summary


def is_project(path: str | Path) -> bool:
    """Whether a path is a project of ours."""
    return (Path(path) / NAME).is_file()


def _split_project(folder: Path, wishes: Wishes, out: str | None, simulated: bool) -> dict[str, Any]:
    with opened(folder) as project:
        table = parts_table(project, **wishes.as_dict(), simulated=simulated)
        if out is not None:
            labels = read_table(labels_table(project, simulated=simulated))
            rows = zip(labels, read_parts(table), strict=True)
            write_placed(((plain_pair(row), part.part) for row, part in rows if row.label is not None), out, wishes)
    return parts_summary(table)


def plain_pair(row: Labelled) -> Pair:
    """A labelled pair as the pair that people exchange."""
    return Pair(**{name: getattr(row, name) for name in Pair.__struct_fields__})


def write_placed(rows: Iterable[Placed], out: str, wishes: Wishes) -> None:
    """Write pairs with ``meta.part`` or ``meta.fold``: into a file, or where the name has no suffix a file a part."""
    if out == "-" or bare_suffix(Path(out)):
        write((_told(pair, part, wishes) for pair, part in rows), out)
        return
    if Path(out).is_file():
        raise WriteError(f"{out}: is a file; name a new folder, or a file with a suffix such as .jsonl")
    with replacing_folder(Path(out)) as folder:
        for name in wishes.shares():
            (folder / f"{name}.jsonl").touch()
        for block in _blocks(rows):
            for part, pairs in block.items():
                with (folder / f"{part}.jsonl").open("ab") as stream:
                    stream.writelines(msgspec.json.encode(_told(pair, part, wishes)) + b"\n" for pair in pairs)


def _blocks(rows: Iterable[Placed]) -> Iterator[dict[str, list[Pair]]]:
    stream = iter(rows)
    while block := list(islice(stream, PAIRS_A_BATCH)):
        members: dict[str, list[Pair]] = {}
        for pair, part in block:
            members.setdefault(part or NONE, []).append(pair)
        yield members


def _told(pair: Pair, part: str | None, wishes: Wishes) -> Pair:
    meta = {name: value for name, value in pair.meta.items() if name not in ("part", "fold")}
    if part is not None and part != NONE:
        meta |= {"fold": int(part)} if wishes.folds else {"part": part}
    return msgspec.structs.replace(pair, meta=meta)
