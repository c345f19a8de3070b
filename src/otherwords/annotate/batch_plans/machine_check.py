"""Can people tell machine-made pairs from others (Suzuki et al. 2017, §3.2)?

Pairs whose texts a machine wrote and pairs of sentences that people wrote, half and half and shuffled, are judged by
three people under the scheme ``machine-or-not``, without their documents. The F-score of the answers against the truth
is among the answers of ``analyse`` and of the report; the paper's is 0.34.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from sqlalchemy import ColumnElement, Connection, select

from otherwords.annotate.batch_plans.create import BatchPlan
from otherwords.annotate.batch_plans.selection import shuffle
from otherwords.annotate.batches.batch import BatchItem, BatchRules
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.project.left_out import NOT_LEFT_OUT

SCHEME, MACHINE, PEOPLE = "machine-or-not", "machine", "people"  # as the scheme has them
MACHINE_MADE = ("translate", "localise", "swap")  # the methods by which a machine writes a text
WRITTEN = ("near", "random")  # those that pair what people wrote
JUDGED = 3  # Suzuki et al. 2017: three people, 100 pairs
CHECK_SIZE = 100
_pairs = schema.pairs


def plan_machine_check(name: str, seed: int, people: Sequence[str], size: int) -> BatchPlan:
    """The plan of a check."""
    rules = BatchRules(people=list(people), context=False)
    return BatchPlan(
        name=name,
        sample=size,
        seed=seed,
        order="shuffled",
        asked=JUDGED,
        purpose="agreement",
        scheme=SCHEME,
        rules=rules,
    )


def largest_machine_check(connection: Connection, most: int) -> int:
    """The size of the largest check that there are pairs for, up to ``most``."""
    halves = (len(_ids(connection, _pairs.c.method.in_(methods))) for methods in (MACHINE_MADE, WRITTEN))
    return 2 * min(most // 2, *halves)


def choose_machine_check(connection: Connection, size: int, seed: int) -> list[BatchItem]:
    """Half machine-made pairs and half others, in a random order."""
    if size < 2 or size % 2:
        raise Refused(f"half of the pairs are machine-made: give an even number, not {size}", code="odd-check-size")
    chosen: list[str] = []
    for methods, what in ((MACHINE_MADE, "machine-made"), (WRITTEN, "other")):
        names = list(islice(shuffle(_ids(connection, _pairs.c.method.in_(methods)), seed, "sample"), size // 2))
        if len(names) < size // 2:
            made = " or ".join(methods)
            message = f"only {len(names)} {what} pairs are there, and {size // 2} are needed; acquire more by {made}"
            raise Refused(message, code="too-few-pairs")
        chosen += names
    return [BatchItem(name) for name in shuffle(chosen, seed, "order")]


def who_made_them(connection: Connection) -> dict[str, str]:
    """The truth about each candidate: whether a machine wrote one of its texts."""
    known = dict.fromkeys(MACHINE_MADE, MACHINE) | dict.fromkeys(WRITTEN, PEOPLE)
    rows = connection.execute(select(_pairs.c.id, _pairs.c.method).where(_pairs.c.method.in_(known), PRESENT))
    return {name: known[method] for name, method in rows}


def _ids(connection: Connection, condition: ColumnElement[bool]) -> list[str]:
    there = (condition, PRESENT, NOT_LEFT_OUT, _pairs.c.text1 != "", _pairs.c.text2 != "")
    return list(connection.execute(select(_pairs.c.id).where(*there).order_by(_pairs.c.seq)).scalars())
