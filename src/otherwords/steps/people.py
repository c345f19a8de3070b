"""Steps of a recipe that only people can do: a recipe stops there, and says how much is left and where it is done.

The ledger notes of such a step only that it waits, or is done and how much it was; what is left is counted each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from otherwords.annotate import schemes
from otherwords.annotate.adjudication.disagreements import Resolution, case_outlines, settled
from otherwords.annotate.batches.batch import EXTRACTED_BATCH, Batch, batch_of_row
from otherwords.annotate.batches.rule_checks import judging_accounts
from otherwords.annotate.documents.extracted_pairs import METHOD
from otherwords.annotate.documents.queues import (
    ACCEPTED,
    EMPTY,
    FINISHED,
    REJECTED,
    TRIAGED,
    waits_for_extraction,
    waits_for_triage,
)
from otherwords.annotate.documents.seeds import SKIP, count_without_seed, picked_seeds
from otherwords.annotate.judges import judges_of
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, row_dicts
from otherwords.project.pipeline.kind import PeopleWork, StepContext, StepKind, StepResult
from otherwords.project.pipeline.parameters import Parameters
from otherwords.project.project import Project


class PeopleParameters(Parameters, frozen=True, kw_only=True):
    """A task, and the batches that it is about; without any, what people extracted."""

    task: Literal["triage", "extract", "seed", "judge", "adjudicate"] = "judge"
    batches: tuple[str, ...] = ()


class PeopleTask(NamedTuple):
    """Something that people do: what it is counted in, and on which page."""

    noun: str
    page: str


TASKS = {
    "triage": PeopleTask("document pair", "Triage"),
    "extract": PeopleTask("document pair", "Extract"),
    "seed": PeopleTask("post group", "Seeds"),
    "judge": PeopleTask("judgement", "Home, where the batches wait"),
    "adjudicate": PeopleTask("disagreement", "Adjudicate"),
}


def count_left(connection: Connection, project: Project, task: str, batches: Sequence[str]) -> int:
    """How much of a task is left for people."""
    if task == "adjudicate":
        return sum(state.waiting for state in _adjudication(connection, project, batches))
    if task == "seed":
        return count_without_seed(connection, project)
    if task == "judge":  # judgements that open batches still ask for
        slots, table = schema.slots, schema.batches
        joined = slots.join(table, table.c.id == slots.c.batch)
        in_open_batches = (table.c.state == "open", table.c.id.in_(batches or [EXTRACTED_BATCH]), slots.c.position >= 0)
        count = select(func.count()).select_from(joined).where(*in_open_batches, slots.c.judgement.is_(None))
    else:
        waits = waits_for_triage() if task == "triage" else waits_for_extraction()
        count = select(func.count()).select_from(schema.document_pairs).where(waits)
    return int(connection.execute(count).scalar_one())


def _done(context: StepContext[PeopleParameters]) -> StepResult:
    """What people had before them and made of it, without what other steps that ask for the same have counted."""
    result, steps = _all_done(context), schema.steps
    done = select(steps).where(steps.c.kind == PEOPLE.name, steps.c.state == "done", steps.c.name != context.name)
    with context.project.ledger.reading() as connection:
        latest = {row.name: row for row in connection.execute(done.order_by(steps.c.seq))}
    for row in latest.values():
        if PEOPLE.decode(row.parameters) == context.parameters:
            result.rows_in = max(result.rows_in - (row.rows_in or 0), 0)
            result.rows_out = max(result.rows_out - (row.rows_out or 0), 0)
            result.counts = {name: max(count - row.counts.get(name, 0), 0) for name, count in result.counts.items()}
    return result


def _all_done(context: StepContext[PeopleParameters]) -> StepResult:
    """How much people had before them in the whole project, and what they made of it."""
    project, task, batches = context.project, context.parameters.task, context.parameters.batches
    slots, pairs, state = schema.slots, schema.pairs, schema.document_pairs.c.status
    with project.ledger.reading() as connection:
        if task == "adjudicate":  # disagreements, and what the team decided
            resolutions = _adjudication(connection, project, batches)
            return StepResult(sum(case.disagreeing for case in resolutions), sum(case.decided for case in resolutions))
        if task == "judge":  # pairs, and the judgements that were given of them
            chosen = (slots.c.batch.in_(batches or [EXTRACTED_BATCH]), slots.c.position >= 0)
            places = select(slots.c.batch, slots.c.position).where(*chosen).distinct().subquery()
            judged = connection.execute(select(func.count()).select_from(places)).scalar_one()
            answered = select(func.count()).select_from(slots).where(*chosen, slots.c.judgement.is_not(None))
            return StepResult(judged, connection.execute(answered).scalar_one())
        if task == "seed":  # groups that somebody looked at, and those that have a seed
            chosen_seeds = picked_seeds(connection)
            seeds = sum(isinstance(seed, dict) for seed in chosen_seeds.values())
            return StepResult(len(chosen_seeds), seeds, {SKIP: len(chosen_seeds) - seeds})
        conditions = [schema.document_pairs.c.method.in_(TRIAGED)] if task == "triage" else []
        counted = connection.execute(select(state, func.count()).where(*conditions).group_by(state))
        states = Counter({row[0]: row[1] for row in counted})
        if task == "triage":  # document pairs that somebody accepted or rejected, and those that went on
            accepted, rejected = states[ACCEPTED] + states[FINISHED] + states[EMPTY], states[REJECTED]
            return StepResult(accepted + rejected, accepted, {REJECTED: rejected})
        # document pairs that are finished, and the pairs that people found in them
        extracted = select(func.count()).select_from(pairs).where(pairs.c.method == METHOD, PRESENT)
        found = connection.execute(extracted).scalar_one()
        return StepResult(states[FINISHED] + states[EMPTY], found, {EMPTY: states[EMPTY]})


def _adjudication(connection: Connection, project: Project, names: Sequence[str]) -> list[Resolution]:
    """How far the adjudication of each of these batches is; one that was not made is passed over."""
    return [
        settled(case_outlines(connection, batch, schemes.load_scheme(batch.scheme, project.folder)))
        for batch in _batches(connection, schema.batches.c.id.in_(names))
    ]


def _batches(connection: Connection, *conditions: ColumnElement[bool]) -> list[Batch]:
    return [batch_of_row(row) for row in row_dicts(connection.execute(select(schema.batches).where(*conditions)))]


def _waits(project: Project, parameters: PeopleParameters) -> PeopleWork | None:
    task, batches = TASKS[parameters.task], parameters.batches
    with project.ledger.reading() as connection:
        count = count_left(connection, project, parameters.task, batches)
        short = unfinishable(connection, batches or [EXTRACTED_BATCH]) if parameters.task == "judge" else 0
        crowds = _crowds(connection, batches) if parameters.task == "judge" else []
    if not count:
        return None
    then = f"open the site (otherwords serve {project.folder}), page {task.page}; then run the recipe again"
    if crowds:
        invite = f"otherwords crowd invite {project.folder} {crowds[0]}"
        then = f"invite workers with {invite}, or on the page Crowd of the batch; {then}"
    left = f"{count:,} {task.noun}s are left" if count > 1 else f"1 {task.noun} is left"
    if short:
        subject = "1 pair has" if short == 1 else f"{short:,} pairs have"
        why = "whoever extracted or judged a pair before is not given it"
        left += f"; {subject} too few people for it: {why}; invite somebody, or close the batch"
    return PeopleWork(left, then)


def _crowds(connection: Connection, names: Sequence[str]) -> list[str]:
    """Those of these batches that are open and watched by hidden tests or a gate, as batches for a crowd are."""
    table = schema.batches
    found = _batches(connection, table.c.id.in_(names), table.c.state == "open")
    return [batch.id for batch in found if batch.rules.tests is not None or batch.rules.gate is not None]


def unfinishable(connection: Connection, names: Sequence[str]) -> int:
    """How many pairs of these batches ask for more people than are left; 0 where nobody has joined yet."""
    batches, people = schema.batches, judging_accounts(connection)
    found = _batches(connection, batches.c.id.in_(names), batches.c.state == "open", batches.c.unit == "pair")
    restricted = [batch for batch in found if not (batch.rules.own and batch.rules.again)]
    return sum(_unfinishable_in(connection, batch, people) for batch in restricted) if people else 0


def _unfinishable_in(connection: Connection, batch: Batch, everybody: set[str]) -> int:
    """How many units of a batch ask for more judgements than there are people left for them."""
    table = schema.slots
    rows = row_dicts(connection.execute(select(table).where(table.c.batch == batch.id, table.c.position >= 0)))
    slots_of: dict[str, list[dict[str, object]]] = {}
    for row in rows:
        slots_of.setdefault(row["item"], []).append(row)
    unfinished = {item: slots for item, slots in slots_of.items() if any(slot["judgement"] is None for slot in slots)}
    earlier = {} if batch.rules.again else judges_of(connection, unfinished, batch.id)
    people = set(batch.rules.people) or everybody
    count = 0
    for item, slots in unfinished.items():
        answered = {slot["holder"] for slot in slots if slot["judgement"] is not None}
        makers = set() if batch.rules.own else {slot["maker"] for slot in slots}
        left = people - earlier.get(item, set()) - answered - makers
        count += sum(slot["judgement"] is None for slot in slots) > len(left)
    return count


PEOPLE = StepKind(name="people", version=1, parameters=PeopleParameters, run=_done, waits=_waits)
