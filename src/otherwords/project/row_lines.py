"""Rows of the ledger as lines of JSON, and back with every type checked: the common part of exports and backups.

Each file goes into a manifest with its digest, its size and its rows. Reading trusts nothing that the manifest
does not vouch for, and nothing in a line that the table could not hold.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Any, BinaryIO, Literal, Optional, TypeVar

import msgspec
from sqlalchemy import JSON, Connection, Integer, Table, select

from otherwords.errors import DataError
from otherwords.project import schema
from otherwords.project.project import Project

MANIFEST = "MANIFEST.json"
FORMAT = 1
MAX_LINE = 256 * 2**20
_ROWS_A_WRITE = 1000
T = TypeVar("T")
_Small = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
_Large = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One file as the manifest knows it."""

    sha256: str
    bytes: int
    rows: int | None = None


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What an export or a backup holds."""

    kind: Literal["export", "backup"]
    format: int
    otherwords: str
    project: str
    lang: str
    scheme: str | None
    schema: str
    files: dict[str, Entry]


class Digesting:
    """A stream that is written or read through, and what went by."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._sha256, self._bytes, self.rows = stream, hashlib.sha256(), 0, 0

    def write(self, block: bytes) -> None:
        self._stream.write(block)
        self._seen(block)

    def readline(self, most: int) -> bytes:
        return self._seen(self._stream.readline(most))

    def read(self, most: int) -> bytes:
        return self._seen(self._stream.read(most))

    def _seen(self, block: bytes) -> bytes:
        self._sha256.update(block)
        self._bytes += len(block)
        self.rows += block.count(b"\n")
        return block

    def entry(self, *, rows: bool) -> Entry:
        return Entry(self._sha256.hexdigest(), self._bytes, self.rows if rows else None)


def manifest_of(project: Project, kind: Literal["export", "backup"], files: dict[str, Entry], revision: str) -> bytes:
    """The manifest as a file; it says nothing of when and where, so that equal projects give equal bytes."""
    from otherwords import __version__

    config = project.config
    told = {"project": config.name, "lang": config.lang, "scheme": config.scheme, "schema": revision, "files": files}
    manifest = Manifest(kind=kind, format=FORMAT, otherwords=__version__, **told)  # type: ignore[arg-type]
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def read_manifest(text: bytes, kind: Literal["export", "backup"], where: object) -> Manifest:
    """A manifest that this version can use."""
    try:
        manifest = msgspec.json.decode(text, type=Manifest)
    except (ValueError, RecursionError) as problem:
        raise DataError(f"{MANIFEST} cannot be read: {problem}", str(where)) from None
    if manifest.kind != kind:
        raise DataError(f"is {_article(manifest.kind)}, not {_article(kind)}", str(where))
    if manifest.format > FORMAT:
        raise DataError("made by a newer version of otherwords; upgrade otherwords to read it", str(where))
    return manifest


def _article(kind: str) -> str:
    return {"export": "an export", "backup": "a backup"}[kind]


def write_lines(values: Iterable[Any], stream: Digesting) -> None:
    """One value a line."""
    encoder = msgspec.json.Encoder()
    rest = iter(values)
    while block := list(islice(rest, _ROWS_A_WRITE)):
        stream.write(encoder.encode_lines(block))


def read_lines(stream: Any, kind: type[T], where: object) -> Iterator[T]:
    """The values of a file; a line that is not one is named by its number."""
    decoder = msgspec.json.Decoder(kind)
    number = 0
    while line := stream.readline(MAX_LINE):
        number += 1
        if b"\\u0000" in line:
            raise DataError("a NUL character, which no database takes", str(where), number)
        try:
            yield decoder.decode(line)
        except (ValueError, RecursionError) as problem:
            raise DataError(f"cannot be read: {problem}", str(where), number) from None


def table_rows(connection: Connection, table: Table, *, without: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
    """The rows of a table in their order, streamed, without what is empty."""
    names = [column.name for column in table.columns if column.name not in without]
    statement = select(*(table.c[name] for name in names)).order_by(*table.primary_key.columns)
    with connection.execute(statement.execution_options(yield_per=_ROWS_A_WRITE)) as rows:
        for row in rows:
            yield {name: value for name, value in zip(names, row, strict=True) if value is not None}


def row_type(table: Table, *, without: tuple[str, ...] = ()) -> type[msgspec.Struct]:
    """What a line of that table has to look like."""
    fields: list[Any] = []
    for column in table.columns:
        if column.name not in without:
            kind = _Large if column.name == "seq" else _python_type(column.type)
            name = str(column.name)
            fields.append((name, Optional[kind], None) if column.nullable else (name, kind))  # noqa: UP045
    return msgspec.defstruct(str(table.name), fields, kw_only=True, forbid_unknown_fields=True)


def _python_type(kind: Any) -> Any:
    if isinstance(kind, JSON):
        return Any
    if isinstance(kind, Integer):
        return _Small
    return kind.python_type


def step_tables(connection: Connection, project: Project) -> list[str]:
    """The tables on disk that finished steps refer to, by their place in the project."""
    one = schema.steps
    found = connection.execute(select(one.c.table).where(one.c.state == "done", one.c.table.is_not(None)).distinct())
    return [name for name in sorted(found.scalars()) if (project.folder / name).is_file()]


def is_step_table(name: str) -> bool:
    """Whether a name is ``tables/STEP/KEY.parquet`` and nothing else, whoever wrote it."""
    folder, *parts = name.split("/")
    if folder != "tables" or len(parts) != 2 or not name.endswith(".parquet"):
        return False
    return all(
        part.replace("-", "").replace("_", "").isalnum() for part in (parts[0], parts[1].removesuffix(".parquet"))
    )
