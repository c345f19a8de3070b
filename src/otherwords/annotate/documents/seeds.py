"""Seeds: for each group of posts that share an address, the sentence that the others are compared with (M3).

An annotator gets groups that nobody has decided about, and picks the sentence that has at least three paraphrases by
its rank, or skips a group that has none (MultiPIT §2.3).
"""

from __future__ import annotations

import time
from typing import Any, Literal

from sqlalchemy import Connection, select

from otherwords.annotate.documents import decisions, locks
from otherwords.annotate.documents.post_groups import TOP_SENTENCES, PostGroup, url_groups
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.project import Project
from otherwords.records import Judgement

SCHEME = "seed"
SKIP: Literal["skip"] = "skip"
MAX_GROUPS = 50
GROUPS_PER_QUERY = 2000


def next_groups(connection: Connection, project: Project, annotator: str, most: int) -> list[PostGroup]:
    """The next groups that nobody has decided about, in the order of the table, held for the annotator."""
    groups = url_groups(connection, project)
    if groups is None:
        return []
    wanted = max(1, min(most, MAX_GROUPS))
    held: list[str] = []
    by_others = set(connection.execute(locks.held_by_others(SCHEME, annotator, time.time())).scalars())
    for block in in_blocks(groups.places, GROUPS_PER_QUERY):
        left_out = by_others | decisions.decided_items(connection, "group", block, SCHEME)
        names = [name for name in block if name not in left_out]
        while names and len(held) < wanted:
            missing = wanted - len(held)
            taken, names = locks.take(connection, SCHEME, names[:missing], annotator), names[missing:]
            # Checked again: somebody else may have decided between reading the queue and locking.
            late = decisions.decided_items(connection, "group", taken, SCHEME)
            for name in late:
                locks.release(connection, SCHEME, name, annotator)
            held += [name for name in taken if name not in late]
        if len(held) == wanted:
            break
    return [groups.group(name) for name in held]


def pick_seed(
    connection: Connection,
    project: Project,
    annotator: str,
    group: str,
    choice: int | Literal["skip"] | None,
    seconds: float | None,
    key: str,
) -> Judgement:
    """Pick the seed of a group by its rank, or skip the group; None takes that back."""
    groups = url_groups(connection, project)
    if groups is None:
        raise NotFound("there are no groups of posts by address yet; align posts by url first", code="no-post-groups")
    value = _value(groups.group(group), choice)
    decision = decisions.prepare(annotator, key, "group", group, SCHEME, value, seconds)
    if sent := decisions.find_sent(connection, decision):
        return sent
    was_held = locks.has(connection, SCHEME, group, annotator)
    locks.hold(connection, SCHEME, group, annotator)
    if sent := decisions.find_sent(connection, decision):  # another window was faster
        locks.release(connection, SCHEME, group, annotator)
        return sent
    earlier = decisions.load_all(connection, "group", group, SCHEME)
    current = decisions.in_force(earlier)
    by_others = bool(current) and current[-1].annotator != annotator
    if by_others and (value is None or not was_held):
        raise Conflict("somebody else has decided about this group; take another one", code="decided-meanwhile")
    if not current and value is None:
        raise Conflict("you have no choice to take back", code="nothing-to-take-back")
    if choice is not None:  # somebody who takes a choice back wants to look again
        locks.release(connection, SCHEME, group, annotator)
    return decisions.store(connection, decision, decisions.last_of(annotator, earlier))


def count_without_seed(connection: Connection, project: Project) -> int:
    """How many groups nobody has decided about."""
    groups = url_groups(connection, project)
    names = list(groups.places) if groups is not None else []
    return sum(
        len(set(block) - decisions.decided_items(connection, "group", block, SCHEME))
        for block in in_blocks(names, GROUPS_PER_QUERY)
    )


def picked_seeds(connection: Connection) -> dict[str, Any]:
    """What people picked for each group, the last choice: a place, ``skip``, or None if it was taken back."""
    table = schema.judgements
    chosen = select(table.c.pair, table.c.value).where(table.c.unit == "group", table.c.scheme == SCHEME)
    return {str(group): value for group, value in connection.execute(chosen.order_by(table.c.seq))}


def _value(group: PostGroup, choice: int | Literal["skip"] | None) -> Any:
    if choice is None or choice == SKIP:
        return choice
    for sentence in group.sentences:
        if sentence.rank == choice:
            return {name: getattr(sentence, name) for name in ("document", "start", "end", "rank")}
    message = f"{choice!r} is not the rank of a sentence of this group; give one of 1 to {TOP_SENTENCES}, or skip"
    raise Refused(message, code="no-such-rank")
