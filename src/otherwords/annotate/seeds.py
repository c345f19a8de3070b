"""Seeds: for each group of posts that share an address, the sentence that the others are to be compared with (M3).

Out come groups that nobody has decided about, held for the annotator; in comes the rank of the sentence that gives
at least three paraphrases, or that the group has none and is skipped (MultiPIT §2.3).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal

from sqlalchemy import Connection

from otherwords.annotate import holding
from otherwords.annotate.decisions import NOUN, check_saying, decided, decisions, said_before, say, that_stand
from otherwords.annotate.once import id_of
from otherwords.annotate.post_groups import TOP, Group, Groups, url_groups
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project.project import Project, now
from otherwords.records import Judgement

SCHEME = "seed"
SKIP: Literal["skip"] = "skip"
MOST_AT_ONCE = 50
GROUPS_A_QUERY = 2000


def next_groups(connection: Connection, project: Project, annotator: str, most: int) -> list[Group]:
    """The next groups that nobody has decided about, in the order of the table, held for the annotator."""
    groups = url_groups(connection, project)
    if groups is None:
        return []
    wanted = max(1, min(most, MOST_AT_ONCE))
    held: list[str] = []
    for some in _waiting(connection, groups, annotator):
        while some and len(held) < wanted:
            missing = wanted - len(held)
            got, some = holding.take(connection, SCHEME, some[:missing], annotator), some[missing:]
            # Looked at again: somebody else may have decided between reading the queue and holding.
            late = decided(connection, "group", got, SCHEME)
            for name in late:
                holding.release(connection, SCHEME, name, annotator)
            held += [name for name in got if name not in late]
        if len(held) == wanted:
            break
    return [groups.group(name) for name in held]


def _waiting(connection: Connection, groups: Groups, annotator: str) -> Iterator[list[str]]:
    held = set(connection.execute(holding.held_by_others(SCHEME, annotator, time.time())).scalars())
    names = iter(groups.places)
    while some := list(islice(names, GROUPS_A_QUERY)):
        left_out = held | decided(connection, "group", some, SCHEME)
        if free := [name for name in some if name not in left_out]:
            yield free


def pick(
    connection: Connection,
    project: Project,
    annotator: str,
    group: str,
    choice: int | Literal["skip"] | None,
    seconds: float | None,
    key: str,
) -> Judgement:
    """Say which sentence is the seed by its rank, or that the group is skipped; None takes that back."""
    check_saying(seconds)
    groups = url_groups(connection, project)
    if groups is None:
        raise NotFound("there are no groups of posts by address yet; align posts by url first")
    value = _value(groups.group(group), choice)
    if before := said_before(connection, annotator, key, SCHEME, group, value):
        return before
    had = holding.has(connection, SCHEME, group, annotator)
    holding.hold(connection, SCHEME, group, annotator)
    if before := said_before(connection, annotator, key, SCHEME, group, value):  # another window was faster
        holding.release(connection, SCHEME, group, annotator)
        return before
    told = decisions(connection, "group", group, SCHEME)
    _check(annotator, value, that_stand(told), had)
    said = Judgement(
        id=id_of(NOUN, annotator, key),
        unit="group",
        pair=group,
        annotator=annotator,
        scheme=SCHEME,
        value=value,
        seconds=seconds,
        time=now(),
        supersedes=next((one.id for one in reversed(told) if one.annotator == annotator), None),
    )
    if choice is not None:  # who takes a choice back wants to look again
        holding.release(connection, SCHEME, group, annotator)
    return say(connection, said)


def _value(group: Group, choice: int | Literal["skip"] | None) -> Any:
    if choice is None or choice == SKIP:
        return choice
    for sentence in group.sentences:
        if sentence.rank == choice:
            return {name: getattr(sentence, name) for name in ("document", "start", "end", "rank")}
    raise Refused(f"{choice!r} is not the rank of a sentence of this group; give one of 1 to {TOP}, or skip")


def _check(annotator: str, value: Any, stands: list[Judgement], had: bool) -> None:
    last = stands[-1] if stands else None
    if last is not None and last.annotator != annotator and (value is None or not had):
        raise Conflict("somebody else has decided about this group since; take another one")
    if last is None and value is None:
        raise Conflict("there is no choice of yours to take back")
