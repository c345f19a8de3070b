"""Adaptive deployment: groups whose first pairs hold many paraphrases get more of their pairs (Dou et al. 2022, §2.3).

A batch of that kind begins with the first twenty pairs of each group. When all judgements of these are in, so many
more follow as the table of the batch says, once, in the order in which the pairs of the group arrived, which is their
rank. What was added, and why, is in the audit trail.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select

from otherwords.annotate.batches import Batch, Deployment, Rules, Wanted, extend
from otherwords.annotate.crowd_events import DEPLOYED, deployed, note
from otherwords.annotate.hidden_tests import PURPOSE
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.standing import stands
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.rows import PRESENT

FIRST = 20  # MultiPIT, §2.3
TABLE = [Deployment(fewest=fewest, most=most, more=more) for fewest, most, more in (
    (4, 6, 20), (7, 9, 30), (10, 12, 40), (13, 20, 50),
)]  # fmt: skip
IDS_A_QUERY = 500
_slot, _pair, _said = schema.slots, schema.pairs, schema.judgements


@dataclass(frozen=True, slots=True)
class Deployed:
    """A group whose first pairs are judged: how many of them are paraphrases, and how many pairs follow."""

    group: str
    first: int
    positive: int
    more: int  # as the table says
    added: int  # as there were


def check_deployment(rules: Rules, scheme: Scheme) -> None:
    """Refuse a table that says two things of one number, or a scheme that does not say what a paraphrase is."""
    if not rules.deployment:
        return
    if not scheme.positive:
        raise Refused(f"the scheme {scheme.name!r} does not say which answers are paraphrases; nothing can follow")
    last = -1
    for one in sorted(rules.deployment, key=lambda one: one.fewest):
        if not last < one.fewest <= one.most <= FIRST or not 0 < one.more <= 10_000:
            raise Refused(f"{one.fewest} to {one.most}: the numbers of a table rise, up to {FIRST}, and do not overlap")
        last = one.most


def first_of_groups(connection: Connection, chosen: Sequence[Wanted]) -> list[Wanted]:
    """The first pairs of each group; pairs without a group are left out, nothing could follow them."""
    groups = _groups(connection, [one.item for one in chosen])
    seen: dict[str, int] = defaultdict(int)
    kept = []
    for one in chosen:
        group = groups.get(one.item)
        if group is not None and seen[group] < FIRST:
            seen[group] += 1
            kept.append(one)
    return kept


def plan(connection: Connection, of: Batch, scheme: Scheme, threshold: int | None = None) -> list[Deployed]:
    """What would follow now: groups whose first pairs are all judged, and which were not decided about before."""
    if not of.rules.deployment:
        raise Refused(f"the batch {of.id!r} has no table of deployment; make one with: otherwords batch new --deploy")
    done = {one["group"] for told in deployed(connection, of.id) for one in told["groups"]}
    first = _first(connection, of)
    votes = _votes(connection, of, scheme)
    least = of.asked // 2 if threshold is None else threshold
    planned = []
    for group in sorted(set(first) - done):
        pairs = first[group]
        if all(len(votes[pair]) >= of.asked for pair in pairs):
            positive = sum(sum(votes[pair]) > least for pair in pairs)
            more = next((one.more for one in of.rules.deployment if one.fewest <= positive <= one.most), 0)
            added = len(_following(connection, of, group, more))
            planned.append(Deployed(group, len(pairs), positive, more, added))
    return planned


def deploy(
    connection: Connection, of: Batch, scheme: Scheme, author: str | None = None, threshold: int | None = None
) -> list[Deployed]:
    """Put into the batch what follows now; said twice, it is done once."""
    connection.execute(select(schema.batches.c.seq).where(schema.batches.c.id == of.id).with_for_update())
    planned = plan(connection, of, scheme, threshold)
    wanted = [Wanted(pair) for one in planned for pair in _following(connection, of, one.group, one.more)]
    if wanted:
        extend(connection, of, wanted)
    if planned:
        note(connection, author, DEPLOYED, of.id, None, groups=[asdict(one) for one in planned])
    return planned


def _first(connection: Connection, of: Batch) -> dict[str, list[str]]:
    """The first pairs of each group of a batch."""
    asked = select(_slot.c.item, _slot.c.position).where(_slot.c.batch == of.id, _slot.c.position >= 0).distinct()
    items = [row.item for row in connection.execute(asked.order_by(_slot.c.position))]
    groups = _groups(connection, items)
    told: dict[str, list[str]] = defaultdict(list)
    for item in items:
        if (group := groups.get(item)) is not None and len(told[group]) < FIRST:
            told[group].append(item)
    return told


def _votes(connection: Connection, of: Batch, scheme: Scheme) -> dict[str, list[bool]]:
    """Every judgement of each pair that stands: whether it says paraphrase."""
    told: dict[str, list[bool]] = defaultdict(list)
    fit = (_said.c.batch == of.id, _said.c.purpose != PURPOSE, _said.c.kind == "individual", stands())
    for row in connection.execute(select(_said.c.pair, _said.c.value).where(*fit)):
        told[row.pair].append(scheme.positive_of(row.value) is True)
    return told


def _following(connection: Connection, of: Batch, group: str, most: int) -> list[str]:
    """The next pairs of a group that the batch does not have, in their order of arrival."""
    tests = of.rules.tests.pairs if of.rules.tests else []
    there = select(_slot.c.seq).where(_slot.c.item == _pair.c.id, _slot.c.batch == of.id).correlate(_pair)
    rest = (_pair.c.group == group, PRESENT, _pair.c.text1 != "", _pair.c.text2 != "", ~there.exists())
    rows = connection.execute(select(_pair.c.id).where(*rest).order_by(_pair.c.seq)).scalars()
    return [pair for pair in rows if pair not in set(tests)][:most]


def _groups(connection: Connection, items: Sequence[str]) -> dict[str, str | None]:
    told: dict[str, str | None] = {}
    for block in _blocks(items):
        rows = connection.execute(select(_pair.c.id, _pair.c.group).where(_pair.c.id.in_(block)))
        told |= {row.id: row.group for row in rows}
    return told


def _blocks(items: Sequence[str]) -> Iterable[Sequence[str]]:
    return (items[start : start + IDS_A_QUERY] for start in range(0, len(items), IDS_A_QUERY))
