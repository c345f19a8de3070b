"""Introductions: what people read before they begin with a batch, and that they agreed to it.

A curator writes the text in Markdown; every version is kept. Nobody gets a unit of a batch with an introduction before
they have agreed to its newest version; the time and the version are recorded. A batch without one asks for nothing.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, Row, desc, func, insert, select

from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.schemes.guidelines import check_markdown
from otherwords.errors import Conflict, NotAllowed, NotFound, Refused
from otherwords.project.ledger import insert_new, schema
from otherwords.project.project import now

MOST_ANSWERS = 1_000_000
_introductions, _consents = schema.introductions, schema.consents


@dataclass(frozen=True, slots=True)
class Introduction:
    """One version of the introduction of a batch.

    ``code_after`` is the number of answers that earn a completion code: 0 if it comes when nothing is left, None if
    there is no code.
    """

    batch: str
    version: int
    text: str
    code_after: int | None
    author: str | None
    time: str


@dataclass(frozen=True, slots=True)
class Consent:
    """That somebody agreed to a version of an introduction."""

    batch: str
    annotator: str
    version: int
    time: str


class ConsentNeeded(NotAllowed):
    """Somebody has not agreed to the introduction of a batch yet."""


def publish_introduction(
    connection: Connection, batch: str, text: str, code_after: int | None, author: str | None, after: int | None = None
) -> Introduction:
    """Make a text the next version; one equal to the newest adds none. ``after`` is the version its author has read."""
    load_batch(connection, batch)
    text = check_markdown(text, "an introduction")
    if code_after is not None and not 0 <= code_after <= MOST_ANSWERS:
        message = f"a completion code is given after 0 to {MOST_ANSWERS:,} answers, not {code_after:,}"
        raise Refused(message, "code_after", code="invalid-number")
    before = newest_introduction(connection, batch)
    if before is not None and (before.text, before.code_after) == (text, code_after):
        return before
    version = before.version if before is not None else 0
    published = Introduction(batch, version + 1, text, code_after, author, now())
    if (after is not None and after != version) or not insert_new(connection, _introductions, [asdict(published)]):
        message = "somebody else published an introduction since you began; read it, then publish yours"
        raise Conflict(message, code="newer-version")
    return published


def newest_introduction(connection: Connection, batch: str) -> Introduction | None:
    """The introduction that people have to agree to now; None if a batch has none."""
    versions = select(_introductions).where(_introductions.c.batch == batch)
    row = connection.execute(versions.order_by(desc(_introductions.c.version)).limit(1)).mappings().first()
    return Introduction(**row) if row else None


def introduction_of(connection: Connection, batch: str, version: int | None = None) -> Introduction:
    """An introduction of a batch, the newest unless a version is named."""
    load_batch(connection, batch)
    if version is None:
        introduction = newest_introduction(connection, batch)
        if introduction is None:
            raise NotFound(f"the batch {batch!r} has no introduction", code="no-introduction")
        return introduction
    same = (_introductions.c.batch == batch, _introductions.c.version == version)
    row = connection.execute(select(_introductions).where(*same)).mappings().first()
    if row is None:
        raise NotFound(f"the introduction of {batch!r} has no version {version}", code="no-such-version")
    return Introduction(**row)


def agree_to(connection: Connection, batch: str, annotator: str, version: int) -> Consent:
    """Record that somebody agrees to a version; said again, the first time stays."""
    introduction_of(connection, batch, version)
    consent = consent_of(connection, batch, annotator, version)
    if consent is None:
        consent = Consent(batch, annotator, version, now())
        connection.execute(insert(_consents).values(**asdict(consent)))
    return consent


def consent_of(connection: Connection, batch: str, annotator: str, version: int) -> Consent | None:
    """When somebody agreed to a version, if they did."""
    own = (_consents.c.batch == batch, _consents.c.annotator == annotator, _consents.c.version == version)
    columns = (_consents.c.batch, _consents.c.annotator, _consents.c.version, _consents.c.time)
    row = connection.execute(select(*columns).where(*own).order_by(_consents.c.seq).limit(1)).mappings().first()
    return Consent(**row) if row else None


def require_consent(taker: Row[tuple[object, ...]], batch: str) -> None:
    """Refuse somebody who has not agreed to the newest introduction; ``taker`` says what they agreed to."""
    if taker.introduction is not None and taker.introduction != taker.agreed_to:
        raise consent_needed(batch)


def consent_needed(batch: str) -> ConsentNeeded:
    """What somebody hears who has not agreed to the newest introduction of a batch."""
    return ConsentNeeded(f"read the introduction of the batch {batch!r} first, and agree to it", code="consent-needed")


def needs_consent(connection: Connection, batch: str, annotator: str) -> bool:
    """Whether somebody has to agree to an introduction before they can go on with a batch."""
    newest = newest_introduction(connection, batch)
    return newest is not None and consent_of(connection, batch, annotator, newest.version) is None


def count_consents(connection: Connection, batch: str) -> dict[int, int]:
    """How many people agreed to each version, by version."""
    people = func.count(_consents.c.annotator.distinct()).label("people")
    query = select(_consents.c.version, people).where(_consents.c.batch == batch).group_by(_consents.c.version)
    return {row.version: row.people for row in connection.execute(query.order_by(_consents.c.version))}
