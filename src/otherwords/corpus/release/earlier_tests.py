"""The tests of all versions that were released so far, as the ledger has them: no later training may know them.

A pair counts as a test of the first version that tests with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import islice

from sqlalchemy import Connection, select

from otherwords.corpus.leaks.find import NEAR
from otherwords.corpus.leaks.overlap import (
    ADDRESSES,
    KINDS,
    Addresses,
    SharedWithTest,
    find_overlap,
    listed_addresses,
    own_addresses,
)
from otherwords.corpus.release.changes import earlier_releases
from otherwords.corpus.release.model import WHOLE, Check, EarlierTest
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks, record_of_row
from otherwords.records import Pair

TEST = "test"
MOST_PAIRS = 120_000  # of a release beyond which sentences that are nearly the same are not looked for
EXAMPLES = 5
Tests = dict[str, list[Pair]]  # by version


def earlier_tests(connection: Connection, version: str = "") -> Tests:
    """The pairs that each version before one was the first to test with."""
    released, pairs = schema.released_pairs, schema.pairs
    seen: set[str] = set()
    tests: Tests = {}
    for earlier in earlier_releases(connection, version):
        of_version = (released.c.version == earlier.version) & (released.c.part == TEST)
        rows = connection.execute(select(pairs).join(released, released.c.pair == pairs.c.id).where(of_version))
        found = [record_of_row(Pair, dict(row)) for row in rows.mappings() if row["id"] not in seen]
        seen.update(pair.id for pair in found)
        tests[earlier.version] = sorted(found, key=lambda pair: pair.id)
    return tests


def post_addresses(connection: Connection, pairs: Iterable[Pair]) -> Addresses:
    """A function for the addresses of these pairs, those of the posts that they come from among them."""
    documents = schema.documents
    wanted = {passage.id for pair in pairs for passage in (pair.doc1, pair.doc2) if passage is not None}
    known: dict[str, list[str]] = {}
    for ids in in_blocks(sorted(wanted)):
        for id, meta in connection.execute(select(documents.c.id, documents.c.meta).where(documents.c.id.in_(ids))):
            if names := listed_addresses(meta or {}):
                known[id] = names

    def addresses(pair: Pair) -> set[str]:
        posts = [known.get(passage.id, []) for passage in (pair.doc1, pair.doc2) if passage is not None]
        listed = [*listed_addresses(pair.meta), *(name for names in posts for name in names)]
        if not listed:
            return own_addresses(pair)
        return own_addresses(
            Pair(id=pair.id, text1=pair.text1, text2=pair.text2, group=pair.group, meta={ADDRESSES: listed})
        )

    return addresses


def earlier_test_check(
    connection: Connection, version: str, parts: Mapping[str, Iterable[Pair]]
) -> tuple[Check, list[EarlierTest]]:
    """Whether what is trained on was tested with before: the check, and a row for each earlier version with a test."""
    tests = {name: pairs for name, pairs in earlier_tests(connection, version).items() if pairs}
    trained: list[Pair] = []
    if tests:
        trained = [pair for part, pairs in parts.items() if part not in (TEST, WHOLE) for pair in pairs]
    near = NEAR if len(trained) <= MOST_PAIRS else None
    found = overlap_with_tests(connection, trained, tests, near) if trained else {}
    copies = [pair.id for number, pair in enumerate(trained) if any(found[name].copies[number] for name in found)]
    says = "pairs of train or dev whose texts an earlier version tests with"
    check = Check("earlier-tests", says, len(copies), list(islice(copies, EXAMPLES)))
    return check, [_row(name, tests[name], found.get(name)) for name in tests]


def overlap_with_tests(
    connection: Connection, pairs: Collection[Pair], tests: Tests, near: float | None = NEAR
) -> dict[str, SharedWithTest]:
    """What pairs have in common with the tests of each version."""
    members = list(pairs)
    addresses = post_addresses(connection, [*members, *(pair for test in tests.values() for pair in test)])
    return find_overlap(members, tests, near, addresses)


def _row(version: str, tests: Collection[Pair], overlap: SharedWithTest | None) -> EarlierTest:
    shared = overlap.counts() if overlap is not None else dict.fromkeys(KINDS, 0)
    return EarlierTest(version, len(tests), shared)
