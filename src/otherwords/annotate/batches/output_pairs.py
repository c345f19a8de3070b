"""Pairs of a source and what systems made of it, as the ledger keeps them for people who must not know the system.

Which systems wrote a text stands under ``meta.outputs`` of its pair, with the batch that asks about it. No page shows
it, and files that leave the site name the systems of a batch when its last judgement is in or it is closed, since
those who export may be among those who judge.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from otherwords.project.ledger import schema

OUTPUT_METHOD = "output"
OUTPUTS = "outputs"  # under meta
_batches, _slots, _pairs = schema.batches, schema.slots, schema.pairs
NO_OUTPUT = _pairs.c.method.is_distinct_from(OUTPUT_METHOD)  # pairs of the corpus, and candidates for it


def output_meta(batch: str, systems: Sequence[str]) -> dict[str, Any]:
    """What a pair knows about the systems that wrote its second text."""
    return {OUTPUTS: {"batch": batch, "systems": sorted(systems)}}


def systems_of(meta: Mapping[str, Any]) -> list[str]:
    """The systems that wrote the second text of a pair."""
    return list(meta.get(OUTPUTS, {}).get("systems", ()))


def output_batches(connection: Connection) -> list[str]:
    """The batches that are about outputs; whatever is judged in them says nothing about pairs of the corpus."""
    name = _pairs.c.meta[(OUTPUTS, "batch")].as_string()
    found = select(name).where(_pairs.c.source == OUTPUTS, _pairs.c.method == OUTPUT_METHOD).distinct()
    return sorted(batch for batch in connection.execute(found).scalars() if batch is not None)


def unfinished_checks(connection: Connection) -> set[str]:
    """The open checks that still wait for judgements."""
    left = select(_slots.c.seq).where(_slots.c.batch == _batches.c.id, _slots.c.judgement.is_(None))
    open_checks = (_batches.c.purpose == "check", _batches.c.state == "open")
    return set(connection.execute(select(_batches.c.id).where(*open_checks, left.exists())).scalars())


def without_systems(meta: Mapping[str, Any], unfinished: Collection[str]) -> dict[str, Any]:
    """The same, without the systems if people still judge the text."""
    known = meta.get(OUTPUTS)
    if not isinstance(known, dict) or known.get("batch") not in unfinished:
        return dict(meta)
    return {**meta, OUTPUTS: {name: value for name, value in known.items() if name != "systems"}}
