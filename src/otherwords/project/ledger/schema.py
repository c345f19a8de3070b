"""The tables of the ledger. Rows are added; apart from erasures, only states and counters are updated.

Every kind of record has a table with the record's fields as columns, a running number ``seq`` that keeps the order of
arrival, and its provenance. Migrations under ``migrations/`` upgrade an older ledger to this schema; a test checks that
both agree.
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
    and_,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
Number = BigInteger().with_variant(Integer, "sqlite")  # SQLite assigns numbers only to INTEGER keys


def _seq() -> Column[int]:
    return Column("seq", Number, primary_key=True, autoincrement=True)


imports = Table(
    "imports",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("options", JSON, nullable=False),
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
    Column("state", Text),  # removed: taken back by its author; the row stays, hidden
    Column("licence", Text),
)

judgements = Table(
    "judgements",
    metadata,
    _seq(),
    Column("id", Text, nullable=False, unique=True),
    Column("unit", Text, nullable=False),
    Column("pair", Text, nullable=False),
    Column("annotator", Text),
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
    Column("supersedes", Text, index=True),
    Column("meta", JSON, nullable=False),
    Index(None, "pair", "annotator"),
    Index(None, "annotator", "time"),
)
# Few among many rows, and needed by every page that compares with them.
Index(
    "ix_judgements_consensus",
    judgements.c.pair,
    sqlite_where=judgements.c.kind == "consensus",
    postgresql_where=judgements.c.kind == "consensus",
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
    Column("kind", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("parameters", JSON, nullable=False),
    Column("inputs", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("state", Text, nullable=False),  # running, done, failed, waiting
    Column("started", Text, nullable=False),
    Column("finished", Text),
    Column("rows_in", Integer),
    Column("rows_out", Integer),
    Column("seconds", Float),
    Column("peak_mb", Float),
    Column("output", Text),  # the folder that it wrote
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
    Column("label", Text),  # as released
    Column("types", JSON, nullable=False, default=[], server_default="[]"),  # of changes, as released
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

guidelines = Table(
    "guidelines",
    metadata,
    Column("scheme", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("author", Text),
    Column("time", Text, nullable=False),
)

remarks = Table(
    "remarks",
    metadata,
    _seq(),
    Column("id", Text, nullable=False, unique=True),
    Column("unit", Text, nullable=False),
    Column("item", Text, nullable=False, index=True),
    Column("author", Text, index=True),
    Column("action", Text, nullable=False),  # say, resolve, reopen
    Column("text", Text, nullable=False),
    Column("mentions", JSON, nullable=False),
    Column("time", Text, nullable=False),
)

batches = Table(
    "batches",
    metadata,
    _seq(),
    Column("id", Text, nullable=False, unique=True),
    Column("unit", Text, nullable=False),
    Column("scheme", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("asked", Integer, nullable=False),  # judgements of each item
    Column("rules", JSON, nullable=False),
    Column("state", Text, nullable=False),  # open, closed
    Column("author", Text),
    Column("time", Text, nullable=False),
)

# One row for every judgement that a batch asks for, so that an item never gets more of them.
slots = Table(
    "slots",
    metadata,
    _seq(),
    Column("batch", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("item", Text, nullable=False, index=True),
    Column("maker", Text),  # who extracted or wrote the item
    Column("assigned", Text),  # the only person who may take it; anybody of the batch if empty
    Column("holder", Text),  # who has it, or answered it
    Column("until", Float),  # end of the reservation, in seconds since 1970
    Column("judgement", Text),
    Column("chance", Float),  # of the item to be drawn at random; 0: chosen by worth; None: nothing was drawn so
    UniqueConstraint("batch", "position", "number"),
    Index(None, "batch", "judgement", "position", "number"),
    Index(None, "holder", "batch", "position"),
    Index(None, "assigned", "batch", "judgement"),
)
_held = and_(slots.c.judgement.is_(None), slots.c.holder.is_not(None))  # few rows at any time
# The judgement is always empty here; with it, SQLite prefers this index to the one on all slots that somebody held.
_by = (slots.c.holder, slots.c.batch, slots.c.judgement, slots.c.position)
Index("ix_slots_held", *_by, sqlite_where=_held, postgresql_where=_held)

# The progress of each annotator in a batch, so that the next item is found without counting.
takers = Table(
    "takers",
    metadata,
    Column("batch", Text, primary_key=True),
    Column("annotator", Text, primary_key=True),
    Column("position", Integer, nullable=False),  # of the last slot taken
    Column("done", Integer, nullable=False),
    Column("tests", Integer, nullable=False, default=0, server_default="0"),  # test pairs answered
    Column("right", Integer, nullable=False, default=0, server_default="0"),  # of these, answered correctly
    Column("state", Text, nullable=False, default="active", server_default="active"),  # active, paused
)

# What people read before they begin with a batch, and agree to; every version is kept.
introductions = Table(
    "introductions",
    metadata,
    Column("batch", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("code_after", Integer),  # answers that earn a completion code; 0: when nothing is left; None: there is none
    Column("author", Text),
    Column("time", Text, nullable=False),
)

consents = Table(
    "consents",
    metadata,
    _seq(),
    Column("batch", Text, nullable=False),
    Column("annotator", Text, nullable=False),
    Column("version", Integer, nullable=False),  # of the introduction that they agreed to
    Column("time", Text, nullable=False),
    Index(None, "batch", "annotator", "version"),
)

# What people show where they are paid: that they have done what was asked for.
completion_codes = Table(
    "completion_codes",
    metadata,
    _seq(),
    Column("batch", Text, nullable=False),
    Column("annotator", Text, nullable=False),
    Column("code", Text, nullable=False, unique=True),
    Column("answers", Integer, nullable=False),  # that they had given by then
    Column("time", Text, nullable=False),
    Index(None, "annotator", "batch"),
)

# Who had an item of a batch without answering it: what the batch hides from them stays hidden.
past_holders = Table(
    "past_holders",
    metadata,
    Column("annotator", Text, primary_key=True),
    Column("item", Text, primary_key=True),
    Column("batch", Text, primary_key=True),
)

# Who works on something outside of batches: a document pair in triage or extraction, a group of posts.
holds = Table(
    "holds",
    metadata,
    Column("scheme", Text, primary_key=True),
    Column("item", Text, primary_key=True),
    Column("holder", Text, nullable=False, index=True),
    Column("until", Float, nullable=False),
)

accounts = Table(
    "accounts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("role", Text, nullable=False),  # admin, curator, annotator, worker
    Column("password", Text),  # argon2id; without one the account cannot log in
    Column("state", Text, nullable=False),  # active, closed
    Column("settings", JSON, nullable=False),
    Column("created", Text, nullable=False),
)

# The ids of sessions, tokens and invitations are digests: nobody who reads the ledger can use them.
sessions = Table(
    "sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account", Text, nullable=False, index=True),
    Column("csrf", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("until", Float, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account", Text, nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("scopes", JSON, nullable=False),  # read, annotate, curate, admin
    Column("created", Text, nullable=False),
    Column("until", Float),
)

invitations = Table(
    "invitations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("purpose", Text, nullable=False),  # setup, join, reset
    Column("account", Text),  # whose password it sets, or the name it is reserved for
    Column("role", Text),
    Column("author", Text),
    Column("created", Text, nullable=False),
    Column("until", Float, nullable=False),
    Column("used", Text),
    Column("batch", Text),  # that people who join with it work on
    Column("uses", Integer, nullable=False, default=1, server_default="1"),  # people who may still join with it
    Column("platform", JSON(none_as_null=True)),  # the crowd platform whose workers come with it, if it is for one
)

# Who somebody is at a provider of identities (OpenID Connect): the only pair of claims that is unique and never reused.
identities = Table(
    "identities",
    metadata,
    Column("issuer", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("account", Text, nullable=False, index=True),
    Column("created", Text, nullable=False),
)

# Sign-ins that a browser has begun at a provider; each is deleted by the first answer to it.
sign_ins = Table(
    "sign_ins",
    metadata,
    Column("id", Text, primary_key=True),  # digest of the state
    Column("browser", Text, nullable=False),  # digest of the cookie
    Column("nonce", Text, nullable=False),
    Column("verifier", Text, nullable=False),
    Column("target", Text, nullable=False),  # the page that comes after it
    Column("invitation", Text),  # that they join with
    Column("account", Text),  # of somebody who is logged in, to be linked
    Column("until", Float, nullable=False),
)

# The workers of crowd platforms: by which id they are paid there, for each batch that they came for.
platform_workers = Table(
    "platform_workers",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("worker", Text, primary_key=True),  # their id on the platform
    Column("batch", Text, primary_key=True),
    Column("account", Text, nullable=False),
    Column("details", JSON, nullable=False),  # study and session, or assignment and task
    Column("back", Text),  # where the platform expects them with their completion code
    Column("time", Text, nullable=False),
    Index(None, "account", "batch"),
)

# What people answered in a practice round: never judgements, so that nothing can count them.
practice_answers = Table(
    "practice_answers",
    metadata,
    _seq(),
    Column("batch", Text, nullable=False),
    Column("annotator", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("pair", Text, nullable=False),
    Column("value", JSON, nullable=False),
    Column("right", Boolean, nullable=False),
    Column("time", Text, nullable=False),
    UniqueConstraint("batch", "annotator", "round", "pair"),
)

# What another program is to hear, until it has acknowledged it.
webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    _seq(),
    Column("id", Text, nullable=False, unique=True),
    Column("event", Text, nullable=False),
    Column("data", JSON, nullable=False),
    Column("created", Text, nullable=False),
    Column("state", Text, nullable=False),  # waiting, delivered, failed
    Column("tries", Integer, nullable=False),
    Column("due", Float, nullable=False),  # the next try is not before that
    Column("finished", Text),
    Column("problem", Text),  # of the last try
    Index(None, "state", "due"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("key", Text, primary_key=True),  # an account or an address
    Column("failures", Integer, nullable=False),
    Column("until", Float, nullable=False),  # no attempt is accepted before that
)

# Pairs that are not to be in the corpus: the last row of a pair says whether it is left out.
left_out = Table(
    "left_out",
    metadata,
    _seq(),
    Column("id", Text, nullable=False, unique=True),
    Column("pair", Text, nullable=False, index=True),
    Column("action", Text, nullable=False),  # leave out, take back
    Column("reason", Text, nullable=False),
    Column("author", Text),  # None: the command line
    Column("time", Text, nullable=False),
    Column("kept", Text),  # the pair that is kept in its place, if it was left out as a duplicate
)
