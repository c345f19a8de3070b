"""A project with very many pairs, filled past the site by a few statements, and every page of the site to be opened."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlalchemy import Connection, insert, select, text

from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.project import now
from tests.web.people import seat
from tests.web.test_routes import LEAST

JUDGED, REST = "large", "rest"  # the batch that two people have finished, and the one with all other pairs
SHARE_JUDGED = 5  # one of so many pairs
WORDS = ("ferry", "harbour", "lantern", "bridge", "market", "orchard", "letter")
PLACES = {"name": JUDGED, "scheme": "turku", "secret": "none", "document_pair": "dp1", "item": "dp1"}
QUERIES = tuple(f"/browse{query}" for query in ("?label=4", "?query=lantern", "?source=s3", ".csv?has=judgement"))
NEEDS_ENCODER = "nearest"  # searches by vectors, which such a project has none of


def fill_large(project: Project, pairs: int) -> None:
    """The people and pairs of the tests, so many pairs more, and a fifth of these judged by two people."""
    seat(project)
    with project.ledger.writing() as connection:
        first = connection.execute(select(schema.batches).where(schema.batches.c.id == "first")).mappings().one()
        like = {name: first[name] for name in first if name != "seq"}
        batches = [like | {"id": name, "asked": asked} for name, asked in ((JUDGED, 2), (REST, 1))]
        connection.execute(insert(schema.batches), batches)
        judged, moment = pairs // SHARE_JUDGED, now()
        nothing, empty, no = _json(connection, "{}"), _json(connection, "[]"), _false(connection)
        word = "CASE i % 7 " + " ".join(f"WHEN {n} THEN '{word}'" for n, word in enumerate(WORDS)) + " END"
        _insert(
            connection,
            'pairs (id, text1, text2, lang, source, "group", scores, meta, method)',
            f"'m' || i, 'The ' || {word} || ' number ' || i || ' is old.', 'It is old, the ' || {word} || '.', 'en', "
            f"'s' || (i % 50), 'g' || (i / 10), {nothing}, {nothing}, 'mined'",
            pairs,
        )
        for number, person in enumerate(("anna", "ben")):
            label = f"CASE WHEN i % 10 = {number} THEN '\"3\"' ELSE '\"4\"' END"
            _insert(
                connection,
                "judgements (id, unit, pair, annotator, scheme, batch, purpose, kind, round, value, unsure, rewrites, "
                "seconds, time, guideline, meta)",
                f"'l{number}-' || i, 'pair', 'm' || i, '{person}', 'turku', '{JUDGED}', 'production', 'individual', 1, "
                f"{_cast(connection, label)}, {no}, {empty}, 4.2, '{moment}', 'turku@0', {nothing}",
                judged,
            )
            _insert(
                connection,
                "slots (batch, position, number, item, holder, until, judgement)",
                f"'{JUDGED}', i, {number}, 'm' || i, '{person}', 0, 'l{number}-' || i",
                judged,
            )
        _insert(connection, "slots (batch, position, number, item)", f"'{REST}', i, 0, 'm' || i", pairs, judged)
        takers = "INSERT INTO takers (batch, annotator, position, done) VALUES (:batch, :annotator, :position, :done)"
        done = {"batch": JUDGED, "position": judged - 1, "done": judged}
        connection.execute(text(takers), [{"annotator": person, **done} for person in ("anna", "ben")])


def _insert(connection: Connection, into: str, values: str, end: int, start: int = 0) -> None:
    numbers = f"WITH RECURSIVE numbers(i) AS (SELECT {start} UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < {end})"
    statement = f"{numbers} INSERT INTO {into} SELECT {values} FROM numbers"
    connection.exec_driver_sql(statement if connection.dialect.name == "sqlite" else statement.replace("%", "%%"))


def _json(connection: Connection, value: str) -> str:
    return _cast(connection, f"'{value}'")


def _cast(connection: Connection, expression: str) -> str:
    return expression if connection.dialect.name == "sqlite" else f"CAST({expression} AS JSON)"


def _false(connection: Connection) -> str:
    return "0" if connection.dialect.name == "sqlite" else "false"


def pages() -> Iterator[str]:
    """Every address that answers a GET, filled with what such a project has."""
    routes = {route.split()[1] for table in LEAST.values() for route in table.split(",") if "GET" in route.split()}
    for route in sorted(routes):
        if NEEDS_ENCODER not in route:
            yield re.sub(r"\{(\w+)\}", lambda match: PLACES.get(match[1], {"slot": "1"}.get(match[1], "m123")), route)
    yield from QUERIES
