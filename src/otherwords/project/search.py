"""Full-text search over the pairs of a project, in any script: an index of its own beside the ledger.

The index is derived and can be deleted at any time. It is a SQLite file with the trigrams of the folded texts (no
case, no compatibility forms, blanks alike), whatever database the ledger is. In go the pairs that it does not have
yet, out come the numbers of those that fit. A word need not be a whole one: the trigrams find it inside others, and
so in scripts without blanks. Words of one or two characters have no trigram and are looked for in the rows
themselves, so many at a time.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, desc, func, select, text

from otherwords.errors import ProjectError
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.search_terms import Terms, folded, terms_of

NAME, LOCK = "search.db", "search.lock"
FORM = 1  # of the file; another one is made anew
ROWS_A_TRANSACTION = 5000
MOST_LOOKED_AT = 20_000
BUSY_SECONDS = 10.0
_TABLES = (
    "CREATE TABLE state (of TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT)",
    "CREATE TABLE texts (seq INTEGER PRIMARY KEY, text1 TEXT NOT NULL, text2 TEXT NOT NULL)",
    "CREATE VIRTUAL TABLE trigrams USING fts5(text1, text2, content = 'texts', content_rowid = 'seq',"
    " tokenize = 'trigram case_sensitive 1')",  # case is gone already
)
_INSERTS = (
    "INSERT INTO texts (seq, text1, text2) VALUES (?, ?, ?)",
    "INSERT INTO trigrams (rowid, text1, text2) VALUES (?, ?, ?)",
)
# PostgreSQL gives out numbers before they can be seen: while somebody writes, a lower one may come after a higher.
_WRITERS = text(
    "SELECT count(*) FROM pg_locks WHERE relation = 'pairs'::regclass AND mode = 'RowExclusiveLock'"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Matches(NamedTuple):
    """Numbers (``pairs.seq``) in rising order, how many rows were looked at, and up to where; None is the end."""

    seqs: list[int]
    looked: int
    reached: int | None


class State(NamedTuple):
    """Which texts the index is of, and the last pair up to which it has all of them."""

    of: str
    seq: int
    id: str | None


def matching(project: Project, query: str, after: int, most: int) -> Matches:
    """The pairs after a number that have every word of a query, each in either text; at most so many.

    It looks into the index as it is: :func:`catch_up` comes before, outside of any transaction. Where a short word
    makes it read rows, it reads no more than ``MOST_LOOKED_AT`` and says how far it came.
    """
    terms = terms_of(query)
    if not terms:
        return Matches([], 0, None)
    try:
        return _look(project, terms, after, most)
    except sqlite3.DatabaseError:
        if _path(project).exists():
            forget(project)
        catch_up(project)
        return _look(project, terms, after, most)


def _look(project: Project, terms: Terms, after: int, most: int) -> Matches:
    limit = MOST_LOOKED_AT if terms.unindexed else most
    values = {"expression": terms.expression, "after": after, "limit": limit}
    values |= {f"term{number}": term for number, term in enumerate(terms.unindexed)}
    seqs: list[int] = []
    seq = looked = 0
    with contextlib.closing(_reading(project)) as index:
        for seq, fits in index.execute(_statement(terms), values):
            looked += 1
            if fits:
                seqs.append(seq)
            if len(seqs) == most:
                break
    return Matches(seqs, looked, seq if looked == limit or len(seqs) == most else None)


def _statement(terms: Terms) -> str:
    """The rows in their order, each with whether the terms that the index was not asked for are in it."""
    inside = "(instr(texts.text1, :term{0}) OR instr(texts.text2, :term{0}))"
    fits = " AND ".join(inside.format(number) for number in range(len(terms.unindexed))) or "1"
    if not terms.expression:
        return f"SELECT seq, {fits} FROM texts WHERE seq > :after ORDER BY seq LIMIT :limit"  # noqa: S608
    rows = "trigrams CROSS JOIN texts ON texts.seq = trigrams.rowid" if terms.unindexed else "trigrams"
    found = "trigrams MATCH :expression AND trigrams.rowid > :after ORDER BY trigrams.rowid LIMIT :limit"
    return f"SELECT trigrams.rowid, {fits} FROM {rows} WHERE {found}"  # noqa: S608


def catch_up(project: Project) -> None:
    """Add the pairs that came since; begin anew where texts were changed or erased, or the file is of no use."""
    newest, quiet = _newest(project)
    if _state(project) == newest:
        return
    with _alone(project):
        try:
            _add(project, newest, quiet)
        except sqlite3.DatabaseError:
            _delete(project)
            _add(project, newest, quiet)


def forget(project: Project) -> None:
    """Delete the index, and with it the words in it; the next search makes another one."""
    with _alone(project):
        _delete(project)


def _newest(project: Project) -> tuple[State, bool]:
    """What an index would have that has everything, and whether nothing is still to come before that.

    What is asked first about the pairs and then about those who write them holds for every later transaction.
    """
    pairs, buried, done = schema.pairs, schema.tombstones.c.seq, schema.steps
    with project.ledger.reading() as connection:
        last = connection.execute(select(pairs.c.seq, pairs.c.id).order_by(desc(pairs.c.seq)).limit(1)).first()
        erased = connection.execute(select(func.max(buried))).scalar()
        replaced = connection.execute(select(func.max(done.c.seq)).where(done.c.state == "done")).scalar()
        quiet = project.ledger.is_sqlite or not connection.execute(_WRITERS).scalar()
    parts = (FORM, unicodedata.unidata_version, project.ledger.display_url, erased or 0, replaced or 0)
    return State(" ".join(map(str, parts)), last.seq if last else 0, last.id if last else None), quiet


def _is_there(connection: Connection, state: State) -> bool:
    """Whether the last pair of the index is still what it was; in a ledger put back from a copy it may not be."""
    one = schema.pairs
    return state.id is None or connection.execute(select(one.c.id).where(one.c.seq == state.seq)).scalar() == state.id


def _add(project: Project, newest: State, quiet: bool) -> None:
    one = schema.pairs
    rows = select(one.c.seq, one.c.text1, one.c.text2).order_by(one.c.seq).limit(ROWS_A_TRANSACTION)
    with project.ledger.reading() as connection:
        state = _state(project)
        if state is None or state.of != newest.of or not _is_there(connection, state):
            _delete(project)
        with contextlib.closing(_writing(project, newest.of)) as index:
            (position,) = index.execute("SELECT seq FROM state").fetchone()
            known = {seq for (seq,) in index.execute("SELECT seq FROM texts WHERE seq > ?", (position,))}
            while block := connection.execute(rows.where(one.c.seq > position)).all():
                _insert(index, [(seq, folded(text1), folded(text2)) for seq, text1, text2 in block if seq not in known])
                position = block[-1].seq
            if quiet:
                index.execute("UPDATE state SET seq = ?, id = ?", (newest.seq, newest.id))


def _insert(index: sqlite3.Connection, rows: list[tuple[int, str, str]]) -> None:
    index.execute("BEGIN")
    for statement in _INSERTS:
        index.executemany(statement, rows)
    index.execute("COMMIT")


def _path(project: Project) -> Path:
    return project.tables / NAME


def _reading(project: Project) -> sqlite3.Connection:
    """Whoever only reads never makes a file, and never mends one that a writer left half-written."""
    return sqlite3.connect(f"{_path(project).resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)


def _writing(project: Project, of: str) -> sqlite3.Connection:
    index = sqlite3.connect(_path(project), timeout=BUSY_SECONDS, isolation_level=None)
    try:
        if not index.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            index.execute("BEGIN")
            for table in _TABLES:
                index.execute(table)
            index.execute("INSERT INTO state VALUES (?, 0, NULL)", (of,))
            index.execute("COMMIT")
    except BaseException:
        index.close()
        raise
    return index


def _state(project: Project) -> State | None:
    """What the index is of; None where there is none, or one that cannot be read."""
    try:
        with contextlib.closing(_reading(project)) as index:
            return State(*index.execute("SELECT of, seq, id FROM state").fetchone())
    except (sqlite3.DatabaseError, TypeError):
        return None


def _delete(project: Project) -> None:
    for suffix in ("-journal", ""):  # a journal without its file would be taken for that of the next one
        _path(project).with_name(NAME + suffix).unlink(missing_ok=True)


@contextlib.contextmanager
def _alone(project: Project) -> Iterator[None]:
    """One writer at a time, among all threads and processes."""
    try:
        project.tables.mkdir(exist_ok=True)
        descriptor = os.open(project.tables / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as problem:
        raise ProjectError(f"{_path(project)}: the search index cannot be made: {problem.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    except (sqlite3.DatabaseError, OSError) as problem:
        raise ProjectError(f"{_path(project)}: the search index cannot be made: {problem}") from None
    finally:
        os.close(descriptor)
