"""Rewrites: a pair that falls short of a paraphrase, mended by the annotator so that it is one.

The original is kept with its own label. The rewrite is a pair of its own, whose label is the scheme's best: that
is what a rewrite is for (Kanerva et al. 2023, §5.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, select, update

from otherwords.annotate.scheme import Answer, Scheme
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.rows import records
from otherwords.records import Judgement, Pair

METHOD = "rewrite"
REMOVED = "removed"
MOST_REWRITES = 5
MOST_CHARACTERS = 20_000


class Rewrite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rewritten pair and the label that its writer gives it."""

    text1: str
    text2: str
    label: str | None = None


def originals(connection: Connection, names: Sequence[str]) -> dict[str, Pair]:
    """The pairs that are being rewritten."""
    if not names:
        return {}
    return {pair.id: pair for pair in records(connection, Pair, schema.pairs.c.id.in_(names))}


def check_rewrites(scheme: Scheme, value: Answer, rewrites: Sequence[Rewrite], original: Pair | None) -> None:
    """Refuse rewrites that the answer leaves no room for, and those that are none."""
    if not rewrites:
        return
    if scheme.rewrite is None or not scheme.rewritable(value):
        raise Refused(f"a pair labelled {value} is not rewritten")
    if len(rewrites) > MOST_REWRITES:
        raise Refused(f"a pair has at most {MOST_REWRITES} rewrites, not {len(rewrites)}")
    if original is None:
        raise Refused("the pair to be rewritten is gone")
    for one in rewrites:
        if not one.text1.strip() or not one.text2.strip():
            raise Refused("a rewrite needs both texts")
        if len(one.text1) > MOST_CHARACTERS or len(one.text2) > MOST_CHARACTERS:
            raise Refused(f"a rewrite has at most {MOST_CHARACTERS:,} characters a side")
        if one.label != scheme.rewrite.label:
            raise Refused(f"a rewrite has to be a {scheme.rewrite.label}; this one is {one.label or 'not labelled'}")
        if (one.text1.strip(), one.text2.strip()) == (original.text1, original.text2):
            raise Refused("the rewrite is the same as the original; change at least one of the texts")


def rewrites(made: Judgement, scheme: Scheme, of: Mapping[str, Pair]) -> Iterator[tuple[Pair, Judgement]]:
    """The pairs that a judgement's rewrites are, each with its writer's judgement of it."""
    for number, (text1, text2) in enumerate(made.rewrites, 1):
        assert scheme.rewrite is not None
        name, original = f"{made.id}-r{number}", of[made.pair]
        pair = Pair(
            id=name,
            text1=text1,
            text2=text2,
            lang=original.lang,
            source=original.source,
            group=original.group,
            time=original.time,
            method=METHOD,
            rewrite_of=made.pair,
            meta={"annotator": made.annotator, "judgement": made.id},
        )
        label = scheme.rewrite.label
        own: dict[str, Any] = {"id": f"{name}-j", "pair": name, "value": label, "meta": {"rewrite": True}}
        plain: dict[str, Any] = {"note": None, "unsure": False, "rewrites": [], "seconds": None, "supersedes": None}
        yield pair, msgspec.structs.replace(made, **own, **plain)


def withdraw_rewrites(connection: Connection, judgements: Sequence[str]) -> None:
    """Put away the rewrites of judgements that were taken back or changed."""
    if not judgements:
        return
    pairs, said = schema.pairs, schema.judgements
    judged = select(said.c.pair).where(said.c.id.in_(judgements))
    mine = (pairs.c.rewrite_of.in_(judged), pairs.c.meta["judgement"].as_string().in_(judgements))
    connection.execute(update(pairs).where(*mine).values(state=REMOVED))
