"""Datasets of the Hugging Face Hub as they lie on disk, read with Arrow alone.

Two layouts: what ``save_to_disk`` leaves (Arrow streams, a folder a split) and a repository of the
Hub (Parquet, JSON Lines or CSV files, splits told by the README's configuration or by file names),
of which a folder of Parquet files alone is the simplest.
The split goes to ``meta``. Writing gives the layout of ``save_to_disk``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.sources.format import Format, Head, folder_only
from otherwords.sources.formats import jsonl, tables
from otherwords.sources.formats.hf_card import configured_files
from otherwords.sources.formats.hf_writing import DICT, INFO, STATE, write_folder
from otherwords.sources.formats.parquet import ROWS_A_BATCH, rows_of
from otherwords.sources.source import Source

DATA = (".parquet", ".jsonl", ".ndjson", ".csv", ".tsv", ".arrow")
SPLITS = ("train", "validation", "valid", "dev", "test")
_READERS = {
    ".jsonl": jsonl.read,
    ".ndjson": jsonl.read,
    ".csv": tables.CSV.read,
    ".tsv": tables.TSV.read,
}


@dataclass(frozen=True, slots=True)
class _Shard:
    """One file of a dataset."""

    path: Path
    split: str | None


def read(source: Source) -> Iterator[Record]:
    """The records of all splits, each with its split."""
    folder = source.path
    if folder is None or not folder.is_dir():
        raise source.error("a folder is expected: one that save_to_disk made, or a repository of the Hub; name that")
    shards = _saved(folder, source) or _repository(folder, source)
    if not shards:
        raise source.error(f"the folder holds no data files ({' '.join(DATA)})")
    for shard in shards:
        yield from _records(source.beside(shard.path), shard, folder)


def _records(file: Source, shard: _Shard, folder: Path) -> Iterator[Record]:
    """An id made from a place in a file is made unique across the files."""
    place = shard.path.relative_to(folder).with_suffix("").as_posix()
    for record in _raw(file, shard.path):
        changed: dict[str, Any] = {}
        if isinstance(record, Pair | Judgement | Document | DocumentPair):
            stem, _, number = record.id.rpartition(":")
            if stem == file.stem and number.isdigit():
                changed["id"] = f"{place}:{number}"
            if shard.split is not None and "split" not in record.meta:
                changed["meta"] = {**record.meta, "split": shard.split}
        yield msgspec.structs.replace(record, **changed) if changed else record


def _raw(file: Source, path: Path) -> Iterator[Record]:
    if path.suffix in _READERS:
        yield from _READERS[path.suffix](file)
        return
    try:
        if path.suffix == ".parquet":
            with pq.ParquetFile(path) as table:
                yield from rows_of(file, table.schema_arrow.names, table.iter_batches(ROWS_A_BATCH))
        else:
            with pa.OSFile(str(path)) as stream, pa.ipc.open_stream(stream) as reader:
                yield from rows_of(file, reader.schema.names, _whole(reader))
    except (pa.ArrowException, OSError, ValueError, OverflowError) as problem:
        raise file.error(f"cannot be read as {path.suffix[1:]}: {problem}") from None


def _whole(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Batches whose offsets were looked at: Arrow trusts a stream, and a damaged one would lead outside of it."""
    for batch in batches:
        batch.validate(full=True)
        yield batch


def _saved(folder: Path, source: Source) -> list[_Shard]:
    """The shards that save_to_disk left; none if it did not."""
    if not (folder / DICT).is_file():
        return _saved_split(folder, source)
    splits = _json(folder / DICT, source).get("splits")
    if not isinstance(splits, list) or not all(isinstance(split, str) for split in splits):
        raise source.error(f"{DICT}: a list of splits is expected")
    return [
        _Shard(shard.path, split) for split in splits for shard in _saved_split(_inside(folder, split, source), source)
    ]


def _saved_split(folder: Path, source: Source) -> list[_Shard]:
    if not (folder / STATE).is_file():
        return []
    state = _json(folder / STATE, source)
    files = state.get("_data_files")
    if not isinstance(files, list) or not all(
        isinstance(f, dict) and isinstance(f.get("filename"), str) for f in files
    ):
        raise source.error(f"{STATE}: a list _data_files of file names is expected")
    split = state.get("_split")
    named = split if isinstance(split, str) else None
    return [_Shard(_inside(folder, file["filename"], source), named) for file in files]


def _inside(folder: Path, name: str, source: Source) -> Path:
    """A file or folder directly in the folder, whatever a file of the dataset says."""
    if name not in {path.name for path in folder.iterdir()}:
        raise source.error(f"{name[:100]!r} is named in the dataset but is not in its folder")
    return folder / name


def _json(path: Path, source: Source) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(path.read_bytes())
    except (msgspec.DecodeError, ValueError, RecursionError, OSError) as problem:
        raise source.error(f"{path.name} cannot be read: {problem}") from None
    if not isinstance(value, dict):
        raise source.error(f"{path.name}: a JSON object is expected")
    return value


def _repository(folder: Path, source: Source) -> list[_Shard]:
    card = folder / "README.md"
    if card.is_file():
        named = configured_files(source.beside(card))
        found = [
            _Shard(path, split)
            for split, pattern in named
            for path in _matching(folder, pattern, source)
            if path.suffix in DATA and path.resolve().is_relative_to(folder.resolve())
        ]
        if found:
            return found
    paths = sorted(path for path in (*folder.glob("*"), *folder.glob("data/*")) if path.suffix in DATA)
    shards = [_Shard(path, _split_of(path)) for path in paths if path.is_file()]
    return sorted(shards, key=lambda shard: SPLITS.index(shard.split) if shard.split else len(SPLITS))


def _matching(folder: Path, pattern: str, source: Source) -> list[Path]:
    """The files that a card names; one that no file system would take is an error in it."""
    try:
        return sorted(folder.glob(pattern))
    except (OSError, ValueError, NotImplementedError) as problem:
        raise source.error(f"the card names files that there cannot be: {problem}") from None


def _split_of(path: Path) -> str | None:
    """The split that a file name starts with, as the Hub reads it: train-00000-of-00001.parquet."""
    words = path.stem.lower().replace("-", " ").replace("_", " ").replace(".", " ").split()
    return next((split for split in SPLITS if split in words), None)


def sniff(head: Head) -> bool:
    """A folder with what save_to_disk writes, with Parquet, or with a card and data; or the list of its splits.

    The list is recognised so that it is not taken for a corpus, and the reader can ask for its folder.
    """
    if head.suffix != "/":
        return head.row.keys() == {"splits"}
    names = set(head.lines)
    if DICT in names or {INFO, STATE} <= names:
        return True
    suffixes = {Path(name).suffix for name in names}
    return ".parquet" in suffixes or ("README.md" in names and ("data" in names or not suffixes.isdisjoint(DATA)))


FORMAT = Format(
    name="hf",
    title="Hugging Face dataset (folder)",
    read=read,
    write=folder_only("hf"),
    write_folder=write_folder,
    sniff=sniff,
    folder=True,
    nouns=(Pair, Judgement, Document, DocumentPair),
)
