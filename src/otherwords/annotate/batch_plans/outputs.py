"""Batches of what systems wrote, for people who must not know which system it was (Dou et al. 2022, §4.3).

Outputs become pairs of a source and an output. A text that several systems wrote for a source is judged once for all of
them. They are rated on three scales, or their kinds of changes are counted: then a pair is a unit. Or they
are compared, two at a time or the best and the worst of several: then a unit is a group of pairs with one source, which
are shown in a random order. The pairs are of one batch alone, so that another batch may ask about the same outputs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from sqlalchemy import Connection

from otherwords.annotate.batch_plans.create import BatchPlan, create_batch
from otherwords.annotate.batch_plans.selection import check_sample, shuffle
from otherwords.annotate.batches.batch import Batch, BatchItem, BatchRules
from otherwords.annotate.batches.output_pairs import OUTPUT_METHOD, OUTPUTS, output_meta
from otherwords.digests import digest_hex
from otherwords.errors import Refused
from otherwords.project.ledger import insert_new, schema
from otherwords.project.ledger.rows import in_blocks, row_of
from otherwords.project.project import Project
from otherwords.project.withdrawal.erase_rows import withdrawals
from otherwords.records import Pair, Passage
from otherwords.text.normalise import normalise

Ask = Literal["ratings", "types", "preference", "best-worst"]
SCHEMES: Mapping[Ask, str] = {
    "ratings": "likert",
    "types": "good-poor",
    "preference": "preference",
    "best-worst": "best-worst",
}
TIMES: Mapping[Ask, int] = {"ratings": 3, "types": 1, "preference": 3, "best-worst": 3}  # Dou et al. 2022, §4.3
FEWEST_COMPARED, MOST_COMPARED = 3, 4  # outputs of which the best and the worst are chosen
EMPTY = "the output is empty"
NOT_SHARED = "not every system has an output for its source"
NOT_DRAWN = "its source was not drawn"
TOO_FEW = f"fewer than {FEWEST_COMPARED} different outputs for its source"
WITHDRAWN = "its text was withdrawn"
ROWS_PER_STATEMENT = 500


@dataclass(frozen=True, slots=True)
class SystemOutput:
    """What a system wrote for a source, which is of a document or a pair of the project if it says so."""

    system: str
    source: str
    text: str
    lang: str | None = None
    scores: Mapping[str, float | None] = field(default_factory=dict)
    document: str | None = None
    pair: str | None = None


@dataclass(frozen=True, slots=True)
class OutputBatch:
    """A batch of outputs: how many sources and units it has, and which outputs were left out for which reason."""

    batch: Batch
    systems: Sequence[str]
    sources: int
    items: int
    left_out: Mapping[str, int]


@dataclass(slots=True)
class _Chosen:
    """The pairs of a batch by group, and what was left out."""

    pairs: dict[str, list[Pair]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)


def create_from_outputs(
    connection: Connection,
    project: Project,
    name: str,
    outputs: Sequence[SystemOutput],
    *,
    ask: Ask = "ratings",
    times: int | None = None,
    people: Sequence[str] = (),
    sample: int | None = None,
    seed: int = 0,
) -> OutputBatch:
    """Add the outputs to a project and create the batch that asks people about them."""
    check_sample(sample)
    systems = list(dict.fromkeys(output.system for output in outputs))
    if len(systems) < 2 and ask in ("preference", "best-worst"):
        message = f"outputs of one system ({systems[0]}) cannot be compared; name those of others, or ask for ratings"
        raise Refused(message, code="one-system")
    plan = BatchPlan(
        name=name,
        scheme=SCHEMES[ask],
        asked=TIMES[ask] if times is None else times,
        purpose="check",
        sample=sample,
        seed=seed,
        order="shuffled",
        rules=BatchRules(people=list(people), context=False, blind=True),
    )
    chosen = _choose(name, outputs, systems, ask, sample, seed)
    _leave_out_withdrawn(connection, chosen)
    rows = [row_of(pair) for pairs in chosen.pairs.values() for pair in pairs]
    for block in in_blocks(rows, ROWS_PER_STATEMENT):
        insert_new(connection, schema.pairs, block)
    units = [pair.id for pairs in chosen.pairs.values() for pair in pairs]
    if ask in ("preference", "best-worst"):
        units = [group for group, pairs in chosen.pairs.items() if len(pairs) > 1]
    items = [BatchItem(unit) for unit in shuffle(units, seed, "order")]
    if not items:
        reasons = "; ".join(f"{count:,} × {reason}" for reason, count in chosen.left_out.items())
        message = f"no output is left to ask about ({reasons or 'all outputs for a source are the same'})"
        raise Refused(message, code="no-outputs-left")
    batch = create_batch(connection, project, plan, items)
    sources = len({pairs[0].text1 for pairs in chosen.pairs.values()})
    return OutputBatch(batch, systems, sources, len(items), chosen.left_out)


def _choose(
    name: str, outputs: Sequence[SystemOutput], systems: Sequence[str], ask: Ask, sample: int | None, seed: int
) -> _Chosen:
    chosen = _Chosen()
    by_source: dict[str, list[SystemOutput]] = {}
    for output in outputs:
        by_source.setdefault(output.source, []).append(output)
    shared = [source for source, found in by_source.items() if len({output.system for output in found}) == len(systems)]
    if not shared:
        message = f"there is no source that {', '.join(systems)} all have an output for; sources have to be the same"
        raise Refused(message, code="no-shared-source")
    drawn = set(shuffle(shared, seed, "sample")[:sample])
    for source, found in by_source.items():
        if source not in drawn:
            chosen.left_out[NOT_DRAWN if source in shared else NOT_SHARED] += len(found)
            continue
        texts: dict[str, list[SystemOutput]] = {}
        for output in found:
            if text := normalise(output.text):
                texts.setdefault(text, []).append(output)
            else:
                chosen.left_out[EMPTY] += 1
        if ask == "best-worst" and len(texts) < FEWEST_COMPARED:
            chosen.left_out[TOO_FEW] += sum(map(len, texts.values()))
            continue
        for number, members in enumerate(_sets(texts, ask, seed, source)):
            group = f"{OUTPUTS}-{digest_hex(name, source, str(number), size=10)}"
            order = shuffle(members, seed, group[-16:])
            chosen.pairs[group] = [_pair(name, group, texts[text][0], members[text]) for text in order]
    return chosen


def _sets(texts: Mapping[str, Sequence[SystemOutput]], ask: Ask, seed: int, source: str) -> list[dict[str, list[str]]]:
    """Which texts are shown together, each with its systems; a text alone is one that is compared with nothing."""
    authors = {text: [output.system for output in found] for text, found in texts.items()}
    if ask == "preference":
        shared = [{text: systems} for text, systems in authors.items() if len(systems) > 1]
        compared = [{first: authors[first], second: authors[second]} for first, second in combinations(authors, 2)]
        return [*compared, *shared]
    if ask == "best-worst":
        kept = shuffle(texts, seed, digest_hex(source, size=8))[:MOST_COMPARED]
        return [{text: authors[text] for text in kept}]
    return [authors] if authors else []


def _pair(batch: str, group: str, output: SystemOutput, systems: Sequence[str]) -> Pair:
    return Pair(
        id=f"{OUTPUT_METHOD}-{digest_hex(batch, group, output.text, size=10)}",
        text1=output.source,
        text2=output.text,
        lang=output.lang,
        source=OUTPUTS,
        group=group,
        doc1=Passage(id=output.document) if output.document else None,
        method=OUTPUT_METHOD,
        scores=dict(output.scores),
        meta=output_meta(batch, systems) | ({"made": {"original": output.pair}} if output.pair else {}),
    )


def _leave_out_withdrawn(connection: Connection, chosen: _Chosen) -> None:
    """Leave out whole groups of which a text was withdrawn: the rest could not be compared."""
    rows = {pair.id: row_of(pair) for pairs in chosen.pairs.values() for pair in pairs}
    gone = withdrawals(connection, schema.pairs, list(rows.values()))
    for group, pairs in list(chosen.pairs.items()) if gone else ():
        if any(pair.id in gone for pair in pairs):
            chosen.left_out[WITHDRAWN] += len(pairs)
            del chosen.pairs[group]
