"""Judgements of models: what a model says of the pairs of a batch, written beside what people say and never for them.

A judgement of kind ``model`` takes no slot and is nobody's vote. It names the model and its version, under ``meta``; of
another version of the same model it supersedes what the earlier one said. Of N pairs each is judged, was judged by the
same version before, or is counted with the reason why it is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, insert, select

from otherwords.annotate.batches.batch import Batch, load_batch
from otherwords.annotate.current_judgements import is_superseded
from otherwords.digests import digest_hex
from otherwords.engine import Progress
from otherwords.errors import Refused
from otherwords.learn.judging.judges import ModelAnswer, ModelJudge
from otherwords.project.answer_cache import answer_cache
from otherwords.project.ledger import insert_new, schema
from otherwords.project.ledger.rows import PRESENT, in_blocks, read_records, row_of
from otherwords.project.left_out import NOT_LEFT_OUT
from otherwords.project.project import Project, now
from otherwords.records import MODEL, Judgement, Pair

GONE = "the pair was withdrawn, removed or left out"
JUDGED = "batch judged by a model"  # an action of the audit trail
SIGNATURE = "model"  # under meta: everything that the answer depends on
_judgements, _slots, _pairs, _events = schema.judgements, schema.slots, schema.pairs, schema.events


@dataclass(frozen=True, slots=True)
class JudgedBatch:
    """How many pairs a batch has, and what became of them."""

    batch: str
    model: str  # the annotator of the judgements
    signature: str
    pairs: int
    written: int
    known: int  # judged by the same version before
    superseded: int  # of those written: another version had judged them
    asked: int  # that went to the model; the rest was in the cache
    reasons: dict[str, int] = field(default_factory=dict)  # of pairs that are not judged


def judge_batch(
    project: Project, name: str, model: ModelJudge, progress: Progress = lambda done, total: None
) -> JudgedBatch:
    """Have a model judge the pairs of a batch that this version of it has not judged yet."""
    with project.ledger.reading() as connection:
        batch = load_batch(connection, name)
        if batch.unit != "pair":
            raise Refused(f"models judge pairs, and {name!r} is a batch of {batch.unit}s", code="batch-not-of-pairs")
        items = _items(connection, batch)
        earlier = _earlier(connection, batch, model.name)
        pairs = usable_pairs(connection, items)
    known = {pair for pair, (_, signature) in earlier.items() if signature == model.signature}
    waiting = [pairs[item] for item in items if item in pairs and item not in known]
    with answer_cache(project) as cache:
        replies = model.answer(waiting, cache, progress)
    answers = {pair.id: answer for pair, answer in zip(waiting, replies.answers, strict=True)}
    reasons: Counter[str] = Counter(answer.reason for answer in answers.values() if answer.reason is not None)
    reasons[GONE] += sum(item not in pairs and item not in known for item in items)
    given = {pair: answer for pair, answer in answers.items() if answer.reason is None}
    with project.ledger.writing() as connection:
        earlier = _earlier(connection, batch, model.name)  # somebody else may have run the same meanwhile
        done = {pair for pair in given if earlier.get(pair, ("", None))[1] == model.signature}
        there = usable_pairs(connection, [pair for pair in given if pair not in done])
        reasons[GONE] += len(given) - len(done) - len(there)
        rows = [_judgement(batch, pair, given[pair], model, earlier) for pair in there]
        for block in in_blocks(rows):
            insert_new(connection, _judgements, [row_of(judgement) for judgement in block])
        detail = {"batch": name, "model": model.name, SIGNATURE: model.signature, **model.facts, "written": len(rows)}
        if rows:
            connection.execute(insert(_events).values(time=now(), actor=None, action=JUDGED, detail=detail))
    if replies.stopped is not None:
        raise replies.stopped
    superseded = sum(judgement.supersedes is not None for judgement in rows)
    counts = (len(items), len(rows), sum(item in known | done for item in items), superseded, replies.asked)
    return JudgedBatch(name, model.name, model.signature, *counts, dict((+reasons).most_common()))


def _judgement(
    batch: Batch, pair: str, answer: ModelAnswer, model: ModelJudge, earlier: Mapping[str, tuple[str, str | None]]
) -> Judgement:
    supersedes, _ = earlier.get(pair, (None, None))
    probability = {} if answer.probability is None else {"probability": round(answer.probability, 6)}
    return Judgement(
        # A version that comes back after another one judges again.
        id=f"m-{digest_hex(batch.id, pair, model.name, model.signature, supersedes or '', size=12)}",
        pair=pair,
        annotator=model.name,
        scheme=batch.scheme,
        batch=batch.id,
        purpose=batch.purpose,
        kind=MODEL,
        value=answer.value,
        time=now(),
        supersedes=supersedes,
        meta={SIGNATURE: model.signature, **model.facts, **probability},
    )


def _items(connection: Connection, batch: Batch) -> list[str]:
    """The pairs of a batch in its order, without hidden tests."""
    own = (_slots.c.batch == batch.id, _slots.c.position >= 0)
    rows = connection.execute(select(_slots.c.item).where(*own).order_by(_slots.c.position, _slots.c.number))
    return list(dict.fromkeys(rows.scalars()))


def _earlier(connection: Connection, batch: Batch, model: str) -> dict[str, tuple[str, str | None]]:
    """What a model said before of the pairs of a batch: the id of the judgement and the version, by pair."""
    own = (_judgements.c.batch == batch.id, _judgements.c.kind == MODEL, _judgements.c.annotator == model)
    columns = (_judgements.c.pair, _judgements.c.id, _judgements.c.meta)
    rows = connection.execute(select(*columns).where(*own, ~is_superseded()).order_by(_judgements.c.seq))
    return {pair: (name, meta.get(SIGNATURE)) for pair, name, meta in rows}


def usable_pairs(connection: Connection, items: Sequence[str]) -> dict[str, Pair]:
    """Those of these pairs that are there and in the corpus."""
    found: dict[str, Pair] = {}
    usable = (PRESENT, NOT_LEFT_OUT, _pairs.c.text1 != "", _pairs.c.text2 != "")
    for block in in_blocks(list(items)):
        found |= {pair.id: pair for pair in read_records(connection, Pair, _pairs.c.id.in_(block), *usable)}
    return found
