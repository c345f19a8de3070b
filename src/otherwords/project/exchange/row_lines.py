"""Rows of the ledger as lines of JSON and back, with every type checked: the common part of exports and backups.

A manifest lists each file with its digest, its size and its number of rows. Reading trusts no file that differs from
the manifest, and no line that the table could not hold.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Annotated, Any, BinaryIO, Literal, Optional, TypeVar

import msgspec
from sqlalchemy import JSON, Connection, Integer, Table, select

from otherwords.errors import DataError
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import Row, in_blocks
from otherwords.project.pipeline.dataset import MANIFEST as DATASET_MANIFEST
from otherwords.project.pipeline.dataset import is_whole, open_dataset
from otherwords.project.project import TABLES, Project

MANIFEST = "MANIFEST.json"
_DATASET_FILE = re.compile(
    rf"{TABLES}/[\w-]+/[0-9a-f]+/(?:{re.escape(DATASET_MANIFEST)}|part-\d{{5,9}}\.parquet)", re.ASCII
)
FORMAT = 1
MAX_LINE = 256 * 2**20
BLOCK = 2**20
_ROWS_PER_WRITE = 1000
Line = TypeVar("Line")
ManifestKind = Literal["export", "backup"]
_WITH_ARTICLE: dict[ManifestKind, str] = {"export": "an export", "backup": "a backup"}
_Small = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
_Large = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file in the manifest."""

    sha256: str
    bytes: int
    rows: int | None = None


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of an export or a backup."""

    kind: ManifestKind
    format: int
    otherwords: str
    project: str
    lang: str
    scheme: str | None
    schema: str
    files: dict[str, Entry]


class DigestStream:
    """A stream that computes the manifest entry of what is read or written."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._sha256, self._bytes, self.rows = stream, hashlib.sha256(), 0, 0

    def write(self, block: bytes) -> None:
        self._stream.write(self._update(block))

    def read(self, most: int) -> bytes:
        return self._update(self._stream.read(most))

    def _update(self, block: bytes) -> bytes:
        self._sha256.update(block)
        self._bytes += len(block)
        self.rows += block.count(b"\n")
        return block

    def entry(self, *, rows: bool) -> Entry:
        return Entry(self._sha256.hexdigest(), self._bytes, self.rows if rows else None)


def read_entry(stream: BinaryIO, *, rows: bool) -> Entry:
    """The manifest entry of what is left of a stream."""
    digest = DigestStream(stream)
    while digest.read(BLOCK):
        pass
    return digest.entry(rows=rows)


def encode_manifest(project: Project, kind: ManifestKind, files: dict[str, Entry], revision: str) -> bytes:
    """The manifest as a file; it has no time or place, so that equal projects give equal bytes."""
    from otherwords import __version__

    manifest = Manifest(
        kind=kind,
        format=FORMAT,
        otherwords=__version__,
        project=project.config.name,
        lang=project.config.lang,
        scheme=project.config.scheme,
        schema=revision,
        files=files,
    )
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def read_manifest(text: bytes, kind: ManifestKind, where: object) -> Manifest:
    """Parse a manifest of that kind; ``where`` is for messages."""
    try:
        manifest = msgspec.json.decode(text, type=Manifest)
    except (ValueError, RecursionError) as problem:
        raise DataError(f"{MANIFEST} cannot be read: {problem}", str(where), code="manifest-unreadable") from None
    if manifest.kind != kind:
        reason = f"is {_WITH_ARTICLE[manifest.kind]}, not {_WITH_ARTICLE[kind]}"
        raise DataError(reason, str(where), code="wrong-kind-of-manifest")
    if manifest.format > FORMAT:
        reason = "made by a newer version of otherwords; upgrade otherwords to read it"
        raise DataError(reason, str(where), code="newer-version")
    return manifest


def write_lines(values: Iterable[Any], stream: DigestStream) -> None:
    """Write each value as a line of JSON."""
    encoder = msgspec.json.Encoder()
    for block in in_blocks(values, _ROWS_PER_WRITE):
        stream.write(encoder.encode_lines(block))


def read_lines(stream: Any, kind: type[Line], where: object) -> Iterator[Line]:
    """The values of a file of JSON lines."""
    decoder = msgspec.json.Decoder(kind)
    for number in count(1):
        if not (line := stream.readline(MAX_LINE)):
            return
        if b"\\u0000" in line:
            raise DataError("a NUL character, which no database takes", str(where), number, code="control-character")
        try:
            yield decoder.decode(line)
        except (ValueError, RecursionError) as problem:
            raise DataError(f"cannot be read: {problem}", str(where), number, code="bad-row") from None


def table_rows(connection: Connection, table: Table, *, without: tuple[str, ...] = ()) -> Iterator[Row]:
    """The rows of a table in order, streamed, without empty columns."""
    names = [column.name for column in table.columns if column.name not in without]
    statement = select(*(table.c[name] for name in names)).order_by(*table.primary_key.columns)
    with connection.execute(statement.execution_options(yield_per=_ROWS_PER_WRITE)) as rows:
        for row in rows:
            yield {name: value for name, value in zip(names, row, strict=True) if value is not None}


def row_type(table: Table, *, without: tuple[str, ...] = ()) -> type[msgspec.Struct]:
    """The struct that a line of that table is checked against."""
    fields: list[Any] = []
    for column in table.columns:
        if column.name not in without:
            kind: Any = Any if isinstance(column.type, JSON) else column.type.python_type
            if isinstance(column.type, Integer):
                kind = _Large if column.name == "seq" else _Small
            name = str(column.name)
            fields.append((name, Optional[kind], None) if column.nullable else (name, kind))  # noqa: UP045
    return msgspec.defstruct(str(table.name), fields, kw_only=True, forbid_unknown_fields=True)


def dataset_files(connection: Connection, project: Project) -> list[str]:
    """The files of the datasets of finished steps, relative to the project's folder."""
    steps = schema.steps
    done = select(steps.c.output).where(steps.c.state == "done", steps.c.output.startswith(f"{TABLES}/")).distinct()
    folders = [project.folder / name for name in sorted(connection.execute(done).scalars())]
    datasets = [open_dataset(folder) for folder in folders if is_whole(folder)]
    files = [path for dataset in datasets for path in (dataset.folder / DATASET_MANIFEST, *dataset.paths())]
    return [str(path.relative_to(project.folder)) for path in files]


def is_dataset_file(name: str) -> bool:
    """Whether a name, which may come from anybody, is exactly that of a file in ``tables/STEP/KEY/``."""
    return _DATASET_FILE.fullmatch(name) is not None
