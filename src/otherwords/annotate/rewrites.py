"""Rewrites: a pair that falls short of a paraphrase, fixed by the annotator so that it is one.

The original is kept with its own label. The rewrite is a pair of its own, whose label is the scheme's best: that
is what a rewrite is for (Kanerva et al. 2023, §5.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from sqlalchemy import Connection, select, update

from otherwords.annotate.current_judgements import EMPTY
from otherwords.annotate.schemes.scheme import Answer, Scheme
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import REMOVED, read_records
from otherwords.records import Judgement, Pair

REWRITE_METHOD = "rewrite"
MOST_REWRITES = 5
MOST_CHARACTERS = 20_000


class Rewrite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rewritten pair and the label that its writer gives it."""

    text1: str
    text2: str
    label: str | None = None


def load_pairs(connection: Connection, names: Sequence[str]) -> dict[str, Pair]:
    """Pairs by their ids."""
    if not names:
        return {}
    return {pair.id: pair for pair in read_records(connection, Pair, schema.pairs.c.id.in_(names))}


def check_rewrites(scheme: Scheme, value: Answer, rewrites: Sequence[Rewrite], original: Pair | None) -> None:
    """Refuse rewrites that the answer does not allow, and those that are not rewrites."""
    if not rewrites:
        return
    if scheme.rewrite is None or not scheme.rewritable(value):
        raise Refused(f"a pair labelled {value} is not rewritten", code="not-rewritable")
    if len(rewrites) > MOST_REWRITES:
        raise Refused(f"a pair has at most {MOST_REWRITES} rewrites, not {len(rewrites)}", code="too-many-rewrites")
    if original is None:
        raise Refused("the pair to be rewritten was removed", code="no-such-pair")
    for rewrite in rewrites:
        if not rewrite.text1.strip() or not rewrite.text2.strip():
            raise Refused("a rewrite needs both texts", code="empty-text")
        if len(rewrite.text1) > MOST_CHARACTERS or len(rewrite.text2) > MOST_CHARACTERS:
            raise Refused(f"a rewrite has at most {MOST_CHARACTERS:,} characters a side", code="text-too-long")
        if rewrite.label != scheme.rewrite.label:
            label = rewrite.label or "unlabelled"
            raise Refused(f"a rewrite has to be a {scheme.rewrite.label}, not {label}", code="bad-rewrite-label")
        if (rewrite.text1.strip(), rewrite.text2.strip()) == (original.text1, original.text2):
            raise Refused("the rewrite is the same as the original; change a text", code="unchanged-rewrite")


def rewrites(judgement: Judgement, scheme: Scheme, originals: Mapping[str, Pair]) -> Iterator[tuple[Pair, Judgement]]:
    """The rewrites of a judgement as pairs, each with its writer's judgement of it."""
    for number, (text1, text2) in enumerate(judgement.rewrites, 1):
        assert scheme.rewrite is not None
        name, original = f"{judgement.id}-r{number}", originals[judgement.pair]
        pair = Pair(
            id=name,
            text1=text1,
            text2=text2,
            lang=original.lang,
            source=original.source,
            group=original.group,
            time=original.time,
            licence=original.licence,
            method=REWRITE_METHOD,
            rewrite_of=judgement.pair,
            meta={"annotator": judgement.annotator, "judgement": judgement.id},
        )
        own = EMPTY | {"id": f"{name}-j", "pair": name, "value": scheme.rewrite.label, "meta": {"rewrite": True}}
        yield pair, msgspec.structs.replace(judgement, supersedes=None, **own)


def withdraw_rewrites(connection: Connection, judgements: Sequence[str]) -> None:
    """Mark the rewrites of judgements that were taken back or changed as removed."""
    if not judgements:
        return
    pairs, columns = schema.pairs, schema.judgements.c
    judged = select(columns.pair).where(columns.id.in_(judgements))
    of_judgements = (pairs.c.rewrite_of.in_(judged), pairs.c.meta["judgement"].as_string().in_(judgements))
    connection.execute(update(pairs).where(*of_judgements).values(state=REMOVED))
