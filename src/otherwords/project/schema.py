"""The tables of the ledger. What people or steps have said stays; nothing here is updated in place but states.

Every noun has a table of its own name with the record's fields as columns, a running number ``seq`` that
keeps the order of arrival, and where it came from. Migrations under ``migrations/`` bring an older ledger
to this schema; a test holds that both agree.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
Number = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows by itself only for INTEGER


def _seq() -> Column[int]:
    return Column("seq", Number, primary_key=True, autoincrement=True)


imports = Table(
    "imports",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("wishes", JSON, nullable=False),
    Column("state", Text, nullable=False),  # running, done
    Column("counts", JSON, nullable=False),
    Column("started", Text, nullable=False),
    Column("finished", Text),
)

documents = Table(
    "documents",
    metadata,
    _seq(),
    Column("id", Text, nullable=False, unique=True),
    Column("text", Text, nullable=False),
    Column("lang", Text),
    Column("source", Text),
    Column("group", Text),
    Column("time", Text),
    Column("licence", Text),
    Column("consent", Text),
    Column("meta", JSON, nullable=False),
    Column("import_id", Text),
    Index(None, "source", "group"),
)

document_pairs = Table(
    "document_pairs",
    metadata,
    _seq(),
    Column("id", Text, nullable=False, unique=True),
    Column("doc1", Text, nullable=False, index=True),
    Column("doc2", Text, nullable=False, index=True),
    Column("start1", Integer),
    Column("end1", Integer),
    Column("start2", Integer),
    Column("end2", Integer),
    Column("similarity", Float),
    Column("group", Text),
    Column("method", Text),
    Column("round", Integer, nullable=False),
    Column("status", Text),
    Column("reason", Text),
    Column("seconds", Float),
    Column("meta", JSON, nullable=False),
    Column("step", Text, index=True),
    Column("step_key", Text),
)

pairs = Table(
    "pairs",
    metadata,
    _seq(),
    Column("id", Text, nullable=False, unique=True),
    Column("text1", Text, nullable=False),
    Column("text2", Text, nullable=False),
    Column("lang", Text),
    Column("source", Text, index=True),
    Column("group", Text, index=True),
    Column("time", Text),
    Column("doc1", Text, index=True),
    Column("start1", Integer),
    Column("end1", Integer),
    Column("doc2", Text, index=True),
    Column("start2", Integer),
    Column("end2", Integer),
    Column("method", Text),
    Column("rewrite_of", Text, index=True),
    Column("scores", JSON, nullable=False),
    Column("label", Text),
    Column("gold", JSON),
    Column("meta", JSON, nullable=False),
    Column("import_id", Text),
    Column("step", Text, index=True),
    Column("step_key", Text),
)

judgements = Table(
    "judgements",
    metadata,
    _seq(),
    Column("id", Text, nullable=False, unique=True),
    Column("unit", Text, nullable=False),
    Column("pair", Text, nullable=False, index=True),
    Column("annotator", Text, index=True),
    Column("scheme", Text),
    Column("batch", Text, index=True),
    Column("purpose", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("value", JSON),
    Column("unsure", Boolean, nullable=False),
    Column("note", Text),
    Column("rewrites", JSON, nullable=False),
    Column("context_shown", Boolean),
    Column("seconds", Float),
    Column("time", Text),
    Column("guideline", Text),
    Column("supersedes", Text),
    Column("meta", JSON, nullable=False),
)

tombstones = Table(
    "tombstones",
    metadata,
    _seq(),
    Column("noun", Text, nullable=False),  # document, pair, annotator
    Column("target", Text, nullable=False),
    Column("time", Text, nullable=False),
    Column("reason", Text),
    UniqueConstraint("noun", "target"),
)

steps = Table(
    "steps",
    metadata,
    _seq(),
    Column("name", Text, nullable=False, index=True),
    Column("does", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("parameters", JSON, nullable=False),
    Column("inputs", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("state", Text, nullable=False),  # running, done, failed
    Column("started", Text, nullable=False),
    Column("finished", Text),
    Column("rows_in", Integer),
    Column("rows_out", Integer),
    Column("seconds", Float),
    Column("peak_mb", Float),
    Column("table", Text),
    Column("counts", JSON, nullable=False),
    Column("error", Text),
)

releases = Table(
    "releases",
    metadata,
    Column("version", Text, primary_key=True),
    Column("time", Text, nullable=False),
    Column("licence", Text),
    Column("meta", JSON, nullable=False),
)

released_pairs = Table(
    "released_pairs",
    metadata,
    Column("version", Text, primary_key=True),
    Column("pair", Text, primary_key=True, index=True),
    Column("part", Text),
)

events = Table(
    "events",
    metadata,
    _seq(),
    Column("time", Text, nullable=False),
    Column("actor", Text),
    Column("action", Text, nullable=False),
    Column("detail", JSON, nullable=False),
)
