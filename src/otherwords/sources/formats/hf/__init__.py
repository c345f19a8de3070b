"""Datasets of the Hugging Face Hub on disk, read with Arrow alone.

There are two layouts: what ``save_to_disk`` writes (Arrow streams, one folder per split), and a repository of the Hub
(Parquet, JSON Lines or CSV files, with splits by the configuration in the README or by file names), of which a plain
folder of Parquet files is the simplest. The split goes to ``meta``. We write the layout of ``save_to_disk``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.sources.format import ALL_NOUNS, Format, Head, refuse_stream
from otherwords.sources.formats import jsonl, tables
from otherwords.sources.formats.hf.card import configured_files
from otherwords.sources.formats.hf.writing import DICT, INFO, STATE, write_folder
from otherwords.sources.formats.parquet import ROWS_PER_BATCH, batch_records
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.source import Source

DATA = (".parquet", ".jsonl", ".ndjson", ".csv", ".tsv", ".arrow")
SPLITS = ("train", "validation", "valid", "dev", "test")
_READERS = {".jsonl": jsonl.read, ".ndjson": jsonl.read, ".csv": tables.CSV.read, ".tsv": tables.TSV.read}


@dataclass(frozen=True, slots=True)
class _Shard:
    """One file of a dataset."""

    path: Path
    split: str | None


def read(source: Source) -> Iterator[Record]:
    """The records of all splits, with their split in ``meta``."""
    folder = source.path
    if folder is None or not folder.is_dir():
        message = "a folder is expected: one that save_to_disk wrote, or a repository of the Hub; name the folder"
        raise source.error(message, code="folder-needed")
    shards = _saved_shards(folder, source) or _repository_shards(folder, source)
    if not shards:
        message = f"data files ({' '.join(DATA)}) are expected in the folder, and there are none"
        raise source.error(message, code="missing-file")
    for shard in shards:
        yield from _records(source.sibling(shard.path), shard, folder)


def _records(file: Source, shard: _Shard, folder: Path) -> Iterator[Record]:
    """The records of a shard. Ids made of file and line get the path of the file, to be unique across files."""
    place = shard.path.relative_to(folder).with_suffix("").as_posix()
    reader = _READERS.get(shard.path.suffix)
    for record in reader(file) if reader else _read_arrow(file, shard.path):
        changes: JsonObject = {}
        if isinstance(record, Pair | Judgement | Document | DocumentPair):
            stem, _, number = record.id.rpartition(":")
            if stem == file.stem and number.isdigit():
                changes["id"] = f"{place}:{number}"
            if shard.split is not None and "split" not in record.meta:
                changes["meta"] = {**record.meta, "split": shard.split}
        yield msgspec.structs.replace(record, **changes) if changes else record


def _read_arrow(file: Source, path: Path) -> Iterator[Record]:
    def validated(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Check the offsets of each batch: Arrow trusts them, and those of a damaged stream may point outside of it."""
        for batch in batches:
            batch.validate(full=True)
            yield batch

    try:
        if path.suffix == ".parquet":
            with pq.ParquetFile(path) as table:
                yield from batch_records(file, table.schema_arrow.names, table.iter_batches(ROWS_PER_BATCH))
        else:
            with pa.OSFile(str(path)) as stream, pa.ipc.open_stream(stream) as reader:
                yield from batch_records(file, reader.schema.names, validated(reader))
    except (pa.ArrowException, OSError, ValueError, OverflowError) as problem:
        raise file.error(f"cannot be read as {path.suffix[1:]}: {problem}", code="damaged-file") from None


def _saved_shards(folder: Path, source: Source) -> list[_Shard]:
    """The shards that save_to_disk wrote; empty for other folders."""
    if not (folder / DICT).is_file():
        return _saved_split(folder, source)
    splits = _read_json(folder / DICT, source).get("splits")
    if not isinstance(splits, list) or not all(isinstance(split, str) for split in splits):
        raise source.error(f"{DICT}: a list of names is expected in splits, found {splits!r}", code="not-a-dataset")
    return [
        _Shard(shard.path, split)
        for split in splits
        for shard in _saved_split(_existing_child(folder, split, source), source)
    ]


def _saved_split(folder: Path, source: Source) -> list[_Shard]:
    if not (folder / STATE).is_file():
        return []
    state = _read_json(folder / STATE, source)
    files = state.get("_data_files")
    if not isinstance(files, list) or not all(
        isinstance(f, dict) and isinstance(f.get("filename"), str) for f in files
    ):
        raise source.error(f"{STATE}: a list of file names is expected in _data_files", code="not-a-dataset")
    split = state["_split"] if isinstance(state.get("_split"), str) else None
    return [_Shard(_existing_child(folder, file["filename"], source), split) for file in files]


def _existing_child(folder: Path, name: str, source: Source) -> Path:
    """A file or folder directly in the folder; a name that leads elsewhere is an error."""
    if name not in {path.name for path in folder.iterdir()}:
        raise source.error(f"the dataset names {name[:100]!r}, which is not in its folder", code="missing-file")
    return folder / name


def _read_json(path: Path, source: Source) -> JsonObject:
    try:
        value = msgspec.json.decode(path.read_bytes())
    except (ValueError, RecursionError, OSError) as problem:
        raise source.error(f"{path.name} cannot be read: {problem}", code="not-a-dataset") from None
    if not isinstance(value, dict):
        raise source.error(f"{path.name}: a JSON object is expected", code="not-a-dataset")
    return value


def _repository_shards(folder: Path, source: Source) -> list[_Shard]:
    card = folder / "README.md"
    if card.is_file():
        patterns = configured_files(source.sibling(card))
        try:
            matching = [(split, path) for split, pattern in patterns for path in sorted(folder.glob(pattern))]
        except (OSError, ValueError, NotImplementedError) as problem:  # a pattern that no file system accepts
            raise source.error(f"the README names impossible files: {problem}", code="not-a-dataset") from None
        root = folder.resolve()
        inside = [(split, path) for split, path in matching if path.resolve().is_relative_to(root)]
        if shards := [_Shard(path, split) for split, path in inside if path.suffix in DATA]:
            return shards
    shards = []
    for path in sorted(path for path in (*folder.glob("*"), *folder.glob("data/*")) if path.suffix in DATA):
        if path.is_file():  # the split is in the name, as the Hub reads it: train-00000-of-00001.parquet
            words = re.split(r"[-_.\s]+", path.stem.lower())
            shards.append(_Shard(path, next((split for split in SPLITS if split in words), None)))
    return sorted(shards, key=lambda shard: SPLITS.index(shard.split) if shard.split else len(SPLITS))


def sniff(head: Head) -> bool:
    """A folder that save_to_disk wrote, a folder with Parquet files, or one with a card and data; or a list of splits.

    The list is recognised so that it is not read as a corpus and the reader can ask for its folder.
    """
    if head.suffix != "/":
        return head.row.keys() == {"splits"}
    names = set(head.lines)
    if DICT in names or {INFO, STATE} <= names:
        return True
    suffixes = {Path(name).suffix for name in names}
    return ".parquet" in suffixes or ("README.md" in names and ("data" in names or not suffixes.isdisjoint(DATA)))


FORMAT = Format(
    "hf",
    "Hugging Face dataset (folder)",
    read,
    refuse_stream("hf"),
    sniff,
    folder=True,
    write_folder=write_folder,
    nouns=ALL_NOUNS,
)
