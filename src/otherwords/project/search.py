"""Full-text search over the pairs of a project, in any script, with an index beside the ledger.

The index is derived data and can be deleted at any time. It is a SQLite file with the trigrams of the folded texts (no
case, no compatibility forms, single blanks), whatever database the ledger is in. Trigrams match inside words, and so
also in scripts without blanks. Terms of one or two characters have no trigram and are looked for in the rows, a
limited number of rows at a time.

Queries are taken literally: words, "phrases in quotes", and no other syntax. A query becomes folded terms, and the
longer ones an expression for which the index matches exactly those characters. Unpaired quotes and control characters
count as blanks.

To index a million pairs takes minutes on a slow machine, so it is done a part at a time. Whoever else wants to search
or to add has a turn between two parts, and after a kill it goes on from the last one. A page adds one part, searches
what is there by then, and says that there is more.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import re
import sqlite3
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import desc, func, select, text

from otherwords.errors import ProjectError, Refused
from otherwords.project.ledger import schema
from otherwords.project.permissions import PRIVATE_FILE, create_private
from otherwords.project.project import Project

NAME, LOCK = "search.db", "search.lock"
FORM = 2  # version of the file; a file of another version is built again
ROWS_A_TRANSACTION = 5000
MAX_ROWS_READ = 20_000
A_PART = 20_000  # pairs that are added at a time, about as many; a page adds no more before it searches
BUSY_SECONDS = 10.0
MOST_CHARACTERS = 2000
TRIGRAM = 3
MOST_TERMS = 32
MOST_INDEXED, LONGEST_INDEXED = 4, 24  # what the index is asked for; the rest is checked in the rows that it finds
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_QUOTES = str.maketrans("“”„‟", '""""')
_TERM = re.compile(r'"([^"]*)"|([^\s"]+)')
_TABLES = (
    "CREATE TABLE state (of TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT, whole INTEGER NOT NULL)",
    "CREATE TABLE texts (seq INTEGER PRIMARY KEY, text1 TEXT NOT NULL, text2 TEXT NOT NULL)",
    "CREATE VIRTUAL TABLE trigrams USING fts5(text1, text2, content = 'texts', content_rowid = 'seq',"
    " tokenize = 'trigram case_sensitive 1')",  # the texts are folded
)
_INSERTS = (
    "INSERT INTO texts (seq, text1, text2) VALUES (?, ?, ?)",
    "INSERT INTO trigrams (rowid, text1, text2) VALUES (?, ?, ?)",
)
# PostgreSQL assigns numbers before rows are visible: while somebody writes, a lower one may appear after a higher.
_WRITERS = text(
    "SELECT count(*) FROM pg_locks WHERE relation = 'pairs'::regclass AND mode = 'RowExclusiveLock'"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Matches(NamedTuple):
    """Numbers (``pairs.seq``) in rising order, how many rows were read, and the last number read (None: the end)."""

    seqs: list[int]
    looked: int
    reached: int | None


class State(NamedTuple):
    """The version of the texts that the index was built from, and the last pair up to which it is complete."""

    version: str
    seq: int
    id: str | None


class Extent(NamedTuple):
    """The number of the pair up to which the index goes, and that of the last pair of the project."""

    seq: int
    newest: int

    @property
    def is_whole(self) -> bool:
        return self.seq >= self.newest


class Terms(NamedTuple):
    """What a text has to contain: an expression for the index, and terms to look for in the rows."""

    expression: str
    unindexed: list[str]

    def __bool__(self) -> bool:
        return bool(self.expression or self.unindexed)


def fold(text: str) -> str:
    """A text for comparison: without case or compatibility forms, and with single blanks."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(plain.replace("\0", " ").split())


def parse_query(query: str) -> Terms:
    """The terms of a query; none where it has no words."""
    if len(query) > MOST_CHARACTERS:
        message = f"a search has at most {MOST_CHARACTERS:,} characters, not {len(query):,}; shorten it"
        raise Refused(message, code="query-too-long")
    spelled = fold(_CONTROL.sub(" ", query.translate(_QUOTES)))
    phrases = (phrase.strip() or word for phrase, word in _TERM.findall(spelled))
    terms = sorted(filter(None, dict.fromkeys(phrases)), key=len, reverse=True)
    if len(terms) > MOST_TERMS:
        message = f"a search has at most {MOST_TERMS} words; put a passage in quotes to find it as it stands"
        raise Refused(message, code="too-many-words")
    indexed = [term[:LONGEST_INDEXED] for term in terms if len(term) >= TRIGRAM][:MOST_INDEXED]
    expression = " AND ".join(f'"{term}"' for term in indexed)
    return Terms(expression, [term for term in terms if term not in indexed])


def find_pairs(project: Project, query: str, after: int, most: int) -> Matches:
    """Up to ``most`` pairs after a number that have every term of a query, each in either text.

    The index is used as it is; call :func:`update_index` or :func:`extend_index` before, outside of any transaction.
    Where a short term makes it read rows, it reads no more than ``MAX_ROWS_READ`` of them. At the end of an index that
    has only a part of the pairs, the last number read is the one from which to go on when it has more.
    """
    terms = parse_query(query)
    if not terms:
        return Matches([], 0, None)
    try:
        return _find(project, terms, after, most)
    except sqlite3.DatabaseError:
        if _path(project).exists():
            delete_index(project)
        extend_index(project)
        return _find(project, terms, after, most)


def _find(project: Project, terms: Terms, after: int, most: int) -> Matches:
    # The rows in order, each with whether it has the terms that the index cannot find.
    inside = "(instr(texts.text1, :term{0}) OR instr(texts.text2, :term{0}))"
    has_terms = " AND ".join(inside.format(number) for number in range(len(terms.unindexed))) or "1"
    rows = "trigrams CROSS JOIN texts ON texts.seq = trigrams.rowid" if terms.unindexed else "trigrams"
    matching_rows = "trigrams MATCH :expression AND trigrams.rowid > :after ORDER BY trigrams.rowid LIMIT :limit"
    statement = f"SELECT trigrams.rowid, {has_terms} FROM {rows} WHERE {matching_rows}"  # noqa: S608
    if not terms.expression:
        statement = f"SELECT seq, {has_terms} FROM texts WHERE seq > :after ORDER BY seq LIMIT :limit"  # noqa: S608
    limit = MAX_ROWS_READ if terms.unindexed else most
    values = {"expression": terms.expression, "after": after, "limit": limit}
    values |= {f"term{number}": term for number, term in enumerate(terms.unindexed)}
    seqs: list[int] = []
    seq = looked = 0
    unfinished = None
    with contextlib.closing(_reading(project)) as index:
        index.execute("BEGIN")  # what is found, and how far the index goes, are of one moment
        for seq, fits in index.execute(statement, values):
            looked += 1
            if fits:
                seqs.append(seq)
            if len(seqs) == most:
                break
        if index.execute("SELECT seq FROM state WHERE NOT whole").fetchone():
            (last,) = index.execute("SELECT max(seq) FROM texts").fetchone()
            unfinished = max(after, last or 0)
    return Matches(seqs, looked, seq if looked == limit or len(seqs) == most else unfinished)


def update_index(project: Project) -> None:
    """Add all new pairs to the index, a part at a time."""
    while not extend_index(project).is_whole:
        pass  # whoever waits has a turn


def extend_index(project: Project) -> Extent:
    """Add a part of the new pairs to the index, which is built again if texts were changed or erased."""
    newest, _ = newest_state(project)
    if _state(project) == newest:
        return Extent(newest.seq, newest.seq)
    with _alone(project):
        newest, quiet = newest_state(project)  # others had their turn since
        try:
            return _add(project, newest, quiet)
        except sqlite3.DatabaseError:  # it is damaged
            _delete(project)
            return _add(project, newest, quiet)


def delete_index(project: Project) -> None:
    """Delete the index and the words in it; the next search builds a new one."""
    with _alone(project):
        _delete(project)


def newest_state(project: Project) -> tuple[State, bool]:
    """The state of a complete index, and whether no pair with a lower number can still appear.

    The order of the queries matters: the pairs first, then whether somebody is writing them.
    """
    pairs, tombstones, steps = schema.pairs, schema.tombstones, schema.steps
    with project.ledger.reading() as connection:
        last = connection.execute(select(pairs.c.seq, pairs.c.id).order_by(desc(pairs.c.seq)).limit(1)).first()
        erased = connection.execute(select(func.max(tombstones.c.seq))).scalar()
        replaced = connection.execute(select(func.max(steps.c.seq)).where(steps.c.state == "done")).scalar()
        quiet = project.ledger.is_sqlite or not connection.execute(_WRITERS).scalar()
    parts = (FORM, unicodedata.unidata_version, project.ledger.display_url, erased or 0, replaced or 0)
    return State(" ".join(map(str, parts)), last.seq if last else 0, last.id if last else None), quiet


def _add(project: Project, newest: State, quiet: bool) -> Extent:
    pairs = schema.pairs
    rows = select(pairs.c.seq, pairs.c.id, pairs.c.text1, pairs.c.text2).order_by(pairs.c.seq).limit(ROWS_A_TRANSACTION)
    with project.ledger.reading() as connection:
        state = _state(project) or _recovered(project)
        current = state is not None and state.version == newest.version
        if state is not None and state.id is not None:  # in a restored ledger its last pair may be another one
            last = select(pairs.c.id).where(pairs.c.seq == state.seq)
            current = current and connection.execute(last).scalar() == state.id
        if not current:
            _delete(project)
        with contextlib.closing(_writing(project, newest.version)) as index:
            (position,) = index.execute("SELECT seq FROM state").fetchone()
            known = {seq for (seq,) in index.execute("SELECT seq FROM texts WHERE seq > ?", (position,))}
            newest_id, added = None, 0
            while added < A_PART and (block := connection.execute(rows.where(pairs.c.seq > position)).all()):
                new = [(row.seq, fold(row.text1), fold(row.text2)) for row in block if row.seq not in known]
                _insert(index, new)
                position, newest_id, added = block[-1].seq, block[-1].id, added + len(new)
            whole = position >= newest.seq
            if quiet:
                complete = (newest.seq, newest.id) if whole else (position, newest_id)
                index.execute("UPDATE state SET seq = ?, id = ?", complete)
            index.execute("UPDATE state SET whole = ?", (whole,))
    return Extent(position, newest.seq)


def _insert(index: sqlite3.Connection, rows: list[tuple[int, str, str]]) -> None:
    index.execute("BEGIN")
    for statement in _INSERTS:
        index.executemany(statement, rows)
    index.execute("COMMIT")


def _path(project: Project) -> Path:
    return index_folder(project) / NAME


def index_folder(project: Project) -> Path:
    """Where indexes are: with the datasets, or in a temporary folder if those cannot be written to."""
    tables = project.tables
    return Path(_temporary(tables).name) if tables.is_dir() and not os.access(tables, os.W_OK) else tables


@functools.cache
def _temporary(tables: Path) -> tempfile.TemporaryDirectory[str]:
    """The temporary folder of a project that is on a disk for reading only; it is deleted when the process ends."""
    return tempfile.TemporaryDirectory(prefix="otherwords-search-")


def _reading(project: Project) -> sqlite3.Connection:
    """A reader never creates the file, and never repairs one that a writer left unfinished."""
    return sqlite3.connect(f"{_path(project).resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)


def _writing(project: Project, version: str) -> sqlite3.Connection:
    create_private(_path(project))
    index = sqlite3.connect(_path(project), timeout=BUSY_SECONDS, isolation_level=None)
    try:
        if not index.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            index.execute("BEGIN")
            for table in _TABLES:
                index.execute(table)
            index.execute("INSERT INTO state VALUES (?, 0, NULL, 0)", (version,))
            index.execute("COMMIT")
    except BaseException:
        index.close()
        raise
    return index


def _state(project: Project) -> State | None:
    """The state of the index; None if there is none that can be read."""
    try:
        with contextlib.closing(_reading(project)) as index:
            return State(*index.execute("SELECT of, seq, id FROM state").fetchone())
    except (sqlite3.DatabaseError, TypeError):
        return None


def _recovered(project: Project) -> State | None:
    """The state of an index that a killed writer left unfinished, after SQLite has undone the last transaction."""
    if not _path(project).exists():
        return None
    with contextlib.closing(sqlite3.connect(_path(project), timeout=BUSY_SECONDS)) as index:
        index.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return _state(project)


def _delete(project: Project) -> None:
    for suffix in ("-journal", ""):  # SQLite would apply a leftover journal to the next file
        _path(project).with_name(NAME + suffix).unlink(missing_ok=True)


@contextlib.contextmanager
def _alone(project: Project) -> Iterator[None]:
    """Let one thread of all processes write the index at a time."""
    try:
        project.tables.mkdir(exist_ok=True)
        descriptor = os.open(index_folder(project) / LOCK, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    except OSError as problem:
        raise _unwritable(project, problem.strerror) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    except (sqlite3.DatabaseError, OSError) as problem:
        raise _unwritable(project, problem) from None
    finally:
        os.close(descriptor)


def _unwritable(project: Project, problem: object) -> ProjectError:
    return ProjectError(f"{_path(project)}: the search index cannot be made: {problem}", code="index-unwritable")
