"""What the ledger knows of releases: which there are, with what content, and which pair is in which part."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import insert, select

from otherwords.corpus.release_pairs import read_lines
from otherwords.corpus.release_parts import Split
from otherwords.corpus.released import Released
from otherwords.errors import DataError
from otherwords.project import schema
from otherwords.project.project import Project, now


@dataclass(frozen=True, slots=True)
class Before:
    """A release that was made before."""

    date: str
    digest: str | None = None  # of its checksums
    split: dict[str, Any] = field(default_factory=dict)  # the wishes of its split


def made_before(project: Project, version: str) -> Before | None:
    """What is known of a version; None where it was never released."""
    made = schema.releases
    with project.ledger.reading() as connection:
        row = connection.execute(select(made.c.time, made.c.meta).where(made.c.version == version)).first()
    if row is None:
        return None
    return Before(str(row.meta.get("date") or row.time[:10]), row.meta.get("digest"), row.meta.get("split") or {})


def refuse_other_release(before: Before | None, digest: str, version: str) -> None:
    """What was released under a version stays what it is."""
    if before is not None and before.digest != digest:
        raise DataError(f"{version} was released with other content; choose a new version")


def record(project: Project, released: Released, pairs: Path, digest: str, split: Split) -> None:
    """Note a release and all its pairs, wholly or not at all."""
    meta = {"date": released.date, "digest": digest, "parameters": released.parameters}
    meta |= {"split": split.wishes, "cut_offs": list(split.cut_offs)}
    row = {"version": released.version, "time": now(), "licence": released.licence, "meta": meta}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.releases), [row])
        for block in read_lines(pairs, _Placed):
            told = [{"version": released.version, "pair": one.id, "part": one.meta.part} for one in block]
            connection.execute(insert(schema.released_pairs), told)


class _Place(msgspec.Struct, gc=False):
    part: str | None = None


class _Placed(msgspec.Struct, gc=False):
    """What the ledger notes of a released pair."""

    id: str
    meta: _Place
