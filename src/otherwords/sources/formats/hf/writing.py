"""Write the layout of ``save_to_disk`` of ``datasets``: Arrow streams with descriptions, one folder per split."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from otherwords.records import Pair, Record
from otherwords.sources.formats.parquet import column_type
from otherwords.sources.rows.flat import flatten_record, table_header
from otherwords.sources.rows.records import JsonObject

INFO, STATE, DICT = "dataset_info.json", "state.json", "dataset_dict.json"
SHARD = "data-00000-of-00001.arrow"
ROWS_PER_BATCH = 1000
PEEK = 1000
_DTYPES = {pa.string(): "string", pa.int64(): "int64", pa.float64(): "float64", pa.bool_(): "bool"}


def write_folder(records: Iterable[Record], folder: Path) -> None:
    """Write one dataset, or one per split if the records have splits."""
    rows = iter(records)
    first = list(islice(rows, PEEK))
    kind = type(first[0]) if first else Pair
    columns = table_header(kind, first)
    schema = pa.schema([(name, column_type(kind, name)) for name in columns])
    features = {field.name: {"dtype": _DTYPES[field.type], "_type": "Value"} for field in schema}
    schema = schema.with_metadata({"huggingface": msgspec.json.encode({"info": {"features": features}})})
    in_splits = any(_split(record) for record in first)
    splits: dict[str | None, _Split] = {}
    with contextlib.ExitStack() as stack:
        for record in chain(first, rows):
            split = _split(record) or "train" if in_splits else None
            if split not in splits:
                splits[split] = stack.enter_context(_Split(folder, split, schema))
            splits[split].add(flatten_record(record, columns))
        if not splits:
            splits[None] = stack.enter_context(_Split(folder, None, schema))
    for split in splits:
        _describe(folder / split if split else folder, split, features)
    if in_splits:
        (folder / DICT).write_bytes(msgspec.json.encode({"splits": list(splits)}))


def _split(record: Record) -> str | None:
    split = getattr(record, "meta", {}).get("split")
    return split if isinstance(split, str) and split.replace("_", "").replace("-", "").isalnum() else None


class _Split(contextlib.AbstractContextManager["_Split"]):
    """The Arrow stream of one split, written a batch at a time."""

    def __init__(self, folder: Path, split: str | None, schema: pa.Schema) -> None:
        self._folder = folder / split if split else folder
        self._schema, self._cells = schema, list[list[Any]]()

    def __enter__(self) -> _Split:
        self._folder.mkdir(exist_ok=True)
        self._file = pa.OSFile(str(self._folder / SHARD), "wb")
        self._writer = pa.ipc.new_stream(self._file, self._schema)
        return self

    def add(self, cells: list[Any]) -> None:
        self._cells.append(cells)
        if len(self._cells) >= ROWS_PER_BATCH:
            self._flush()

    def _flush(self) -> None:
        if self._cells:
            columns = zip(*self._cells, strict=True)
            arrays = [pa.array(cells, field.type) for cells, field in zip(columns, self._schema, strict=True)]
            self._writer.write_batch(pa.record_batch(arrays, schema=self._schema))
            self._cells = []

    def __exit__(self, *problem: object) -> None:
        try:
            self._flush()
        finally:
            self._writer.close()
            self._file.close()


def _describe(folder: Path, split: str | None, features: JsonObject) -> None:
    """Write the two files beside the data that ``load_from_disk`` needs."""
    info = {"citation": "", "description": "", "features": features, "homepage": "", "license": ""}
    with (folder / SHARD).open("rb") as stream:
        fingerprint = hashlib.file_digest(stream, "sha256").hexdigest()[:16]
    state: JsonObject = {
        "_data_files": [{"filename": SHARD}],
        "_fingerprint": fingerprint,
        "_format_columns": None,
        "_format_kwargs": {},
        "_format_type": None,
        "_output_all_columns": False,
        "_split": split,
    }
    (folder / INFO).write_bytes(msgspec.json.encode(info))
    (folder / STATE).write_bytes(msgspec.json.encode(state))
