"""Adaptive deployment: groups whose first pairs contain many paraphrases get more pairs (Dou et al. 2022, §2.3).

Such a batch begins with the first twenty pairs of each group. When all judgements of these are in, the table of the
batch says how many more are added, once, in the order in which the pairs of the group arrived, which is their rank.
What was added, and why, is in the audit trail.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select

from otherwords.annotate.batches.batch import FIRST_OF_GROUP, Batch, BatchItem, Deployment, extend, lock_batch
from otherwords.annotate.crowd.events import DEPLOYED, deployed_groups, record
from otherwords.annotate.crowd.hidden_tests import TEST_PURPOSE
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, in_blocks
from otherwords.project.left_out import NOT_LEFT_OUT

TABLE = [Deployment(fewest=fewest, most=most, more=more) for fewest, most, more in (
    (4, 6, 20), (7, 9, 30), (10, 12, 40), (13, 20, 50),
)]  # fmt: skip
_slots, _pairs, _judgements = schema.slots, schema.pairs, schema.judgements


@dataclass(frozen=True, slots=True)
class DeployedGroup:
    """A group whose first pairs are judged: how many of them are paraphrases, and how many pairs are added."""

    group: str
    first: int
    positive: int
    more: int  # as the table says
    added: int  # as many as there were


def plan_deployment(
    connection: Connection, batch: Batch, scheme: Scheme, threshold: int | None = None
) -> list[DeployedGroup]:
    """What would be added now: groups whose first pairs are all judged, and which were not decided about before."""
    if not batch.rules.deployment:
        message = f"the batch {batch.id!r} has no deployment table; create one with: otherwords batch new --deploy"
        raise Refused(message, code="no-deployment-table")
    done = deployed_groups(connection, batch.id)
    votes: dict[str, list[bool]] = defaultdict(list)  # of each pair: whether each current judgement says paraphrase
    columns = _judgements.c
    own = (columns.batch == batch.id, columns.purpose != TEST_PURPOSE, columns.kind == "individual", is_current())
    for pair, value in connection.execute(select(columns.pair, columns.value).where(*own)):
        votes[pair].append(scheme.positive_of(value) is True)
    least = batch.asked // 2 if threshold is None else threshold
    planned = []
    for group, pairs in sorted(_first_pairs(connection, batch).items()):
        if group in done or any(len(votes.get(pair, ())) < batch.asked for pair in pairs):
            continue
        positive = sum(sum(votes[pair]) > least for pair in pairs)
        more = next((line.more for line in batch.rules.deployment if line.fewest <= positive <= line.most), 0)
        added = len(_following(connection, batch, group, more))
        planned.append(DeployedGroup(group, len(pairs), positive, more, added))
    return planned


def deploy_pairs(
    connection: Connection, batch: Batch, scheme: Scheme, author: str | None = None, threshold: int | None = None
) -> list[DeployedGroup]:
    """Add the pairs that follow now; asked twice, it is done once."""
    lock_batch(connection, batch.id)
    planned = plan_deployment(connection, batch, scheme, threshold)
    items = [BatchItem(pair) for group in planned for pair in _following(connection, batch, group.group, group.more)]
    if items:
        extend(connection, batch, items)
    if planned:
        record(connection, author, DEPLOYED, batch.id, None, groups=[asdict(group) for group in planned])
    return planned


def _first_pairs(connection: Connection, batch: Batch) -> Mapping[str, list[str]]:
    """The first pairs of each group of a batch."""
    ordinary = (_slots.c.batch == batch.id, _slots.c.position >= 0)
    query = select(_slots.c.item, _slots.c.position).where(*ordinary).distinct()
    items = [row.item for row in connection.execute(query.order_by(_slots.c.position))]
    groups = groups_of(connection, items)
    first: dict[str, list[str]] = defaultdict(list)
    for item in items:
        if (group := groups.get(item)) is not None and len(first[group]) < FIRST_OF_GROUP:
            first[group].append(item)
    return first


def groups_of(connection: Connection, names: Sequence[str]) -> dict[str, str | None]:
    """The group of each pair, if it has one."""
    groups: dict[str, str | None] = {}
    for block in in_blocks(names):
        rows = connection.execute(select(_pairs.c.id, _pairs.c.group).where(_pairs.c.id.in_(block)))
        groups |= {row.id: row.group for row in rows}
    return groups


def _following(connection: Connection, batch: Batch, group: str, most: int) -> list[str]:
    """The next pairs of a group that the batch does not have, in their order of arrival."""
    tests = batch.rules.known_pairs
    there = select(_slots.c.seq).where(_slots.c.item == _pairs.c.id, _slots.c.batch == batch.id).correlate(_pairs)
    rest = (_pairs.c.group == group, PRESENT, NOT_LEFT_OUT, _pairs.c.text1 != "", _pairs.c.text2 != "", ~there.exists())
    names = connection.execute(select(_pairs.c.id).where(*rest).order_by(_pairs.c.seq)).scalars()
    return [name for name in names if name not in tests][:most]
