"""Batches: which pairs are judged, how often, by whom and under which rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from otherwords.analyse.dashboard.progress import BatchState, batch_states
from otherwords.analyse.findings.random_shares import LabelEstimate, estimates_of
from otherwords.annotate.adjudication.batch_outcome import BatchOutcome, batch_outcome
from otherwords.annotate.batch_plans import rewrite_check
from otherwords.annotate.batch_plans.create import change_batch_state, create_batch
from otherwords.annotate.batch_plans.from_imports import create_from_imports
from otherwords.annotate.batch_plans.machine_check import choose_machine_check, plan_machine_check
from otherwords.annotate.batch_plans.outputs import Ask, OutputBatch, SystemOutput, create_from_outputs
from otherwords.annotate.batch_plans.request import BatchPurpose, BatchRequest, decode_request, read_pair_ids
from otherwords.annotate.batch_plans.rewrite_check import CheckResult, choose_check, plan_check
from otherwords.annotate.batch_plans.worth import WorthOrder
from otherwords.annotate.batches.batch import Batch, load_batch
from otherwords.annotate.batches.rule_checks import people_gap
from otherwords.annotate.crowd.gate import gate_gaps
from otherwords.annotate.schemes import load_scheme
from otherwords.api.reading import Paths, ReadingOptions, StrPath, one_quarantine, path_list
from otherwords.errors import Refused
from otherwords.learn.generation.outputs import read_outputs
from otherwords.learn.judging.worth import ranking
from otherwords.project import open_project, search

__all__ = ["check_result", "check_rewrites", "close", "imported", "list", "new", "open", "outputs", "qa", "show"]


@dataclass(frozen=True, slots=True)
class CreatedBatch:
    """A new batch, how many pairs, document pairs or groups it has, and what its gate can never find.

    ``people_gap`` says that it asks for more people than the project has.
    """

    batch: Batch
    items: int
    gate_gaps: Sequence[str] = ()
    people_gap: str | None = None


@dataclass(frozen=True, slots=True)
class BatchReport:
    """A batch, its progress, its results so far, and what its gate can never find."""

    batch: Batch
    progress: BatchState
    outcome: BatchOutcome
    gate_gaps: Sequence[str] = ()
    estimates: Sequence[LabelEstimate] = ()  # of the pairs that it was chosen from, by its random share


def new(
    project: StrPath,
    name: str,
    *,
    where: Mapping[str, str] | None = None,
    pairs: Sequence[str] | StrPath | None = None,
    not_in: Sequence[str] = (),
    sample: int | None = None,
    also_decided: bool = False,
    seed: int = 0,
    shuffled: bool = False,
    order: WorthOrder | None = None,
    random_share: float = 0.2,
    models: Sequence[str] = (),
    times: int = 1,
    people: Sequence[str] = (),
    assign: bool = False,
    no_context: bool = False,
    not_own: bool = False,
    not_again: bool = False,
    final: bool = False,
    second_sees: Sequence[str] = (),
    keep: Mapping[str, Sequence[str]] | None = None,
    agree_on: Sequence[str] = (),
    tests: StrPath | None = None,
    test_interval: int = 5,
    gate: str | None = None,
    deploy: bool = False,
    practice: StrPath | int | None = None,
    practice_share: float = 0.8,
    purpose: BatchPurpose = "production",
    scheme: str | None = None,
) -> CreatedBatch:
    """Create a batch of pairs, or of groups or document pairs if its scheme is about those.

    ``where`` filters the pairs as the browse page does (``{"source": "news"}``), ``pairs`` names them by their ids, or
    a file with one id a line; ``not_in`` excludes those of other batches. A ``sample`` leaves out pairs that a team
    has decided about or two people have judged, unless they are ``also_decided``. ``order`` chooses pairs by what a
    person's judgement of them is worth, by ``models`` that are folders of trained classifiers, but for a
    ``random_share``, from which the shares of labels are estimated. ``times`` is the number of judgements per pair,
    ``people`` who may give them: without names, anybody; ``not_again`` gives nobody a pair that they have judged
    before, in whatever batch. ``keep`` and ``agree_on`` are the rule by which pairs are kept: accepted answers by
    question, and questions on which all answers have to be the same. ``tests`` hides test pairs among the others, one
    in ``test_interval`` on average: ``all`` with a gold label, those of ``source=NAME``, or the ids in a file.
    ``gate`` pauses people who do badly: ``usual``, or thresholds such as ``accuracy=0.9,window=30``; ``gate_gaps`` of
    the result says what it finds never or seldom. ``practice`` are pairs that everybody answers first, with feedback:
    so many of those with a gold label, or chosen as tests are; a ``practice_share`` of them has to be right.
    """
    values = {
        "name": name,
        "filter": dict(where or {}),
        "pairs": _pair_ids(pairs),
        "not_in": tuple(not_in),
        "sample": sample,
        "also_decided": also_decided,
        "seed": seed,
        "order": order or ("shuffled" if shuffled else "arrival"),
        "random_share": random_share,
        "models": tuple(models),
        "scheme": scheme,
        "times": times,
        "purpose": purpose,
        "people": tuple(people),
        "assigned": assign,
        "context": not no_context,
        "own": not not_own,
        "again": not not_again,
        "undo": not final,
        "second_sees": tuple(second_sees),
        "keep": {question: tuple(answers) for question, answers in (keep or {}).items()},
        "agree_on": tuple(agree_on),
        "tests": None if tests is None else str(tests),
        "every": test_interval,
        "gate": gate,
        "grows": deploy,
        "practice": None if practice is None else str(practice),
        "practice_share": practice_share,
    }
    return _create(project, decode_request(values))


def list(project: StrPath) -> Sequence[BatchState]:
    """All batches and their progress, the oldest first."""
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        return batch_states(connection)


def show(project: StrPath, name: str) -> BatchReport:
    """The rules of a batch, the progress of each person, and the results so far."""
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        batch = load_batch(connection, name)
        progress = next(state for state in batch_states(connection) if state.id == name)
        outcome = batch_outcome(connection, batch, load_scheme(batch.scheme, corpus.folder))
        gaps = gate_gaps(batch.rules, progress.items, batch.asked)
        return BatchReport(batch, progress, outcome, gaps, estimates_of(connection, corpus, batch))


def close(project: StrPath, name: str) -> Batch:
    """Close a batch: nobody gets more of its pairs."""
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        return change_batch_state(connection, name, "closed")


def open(project: StrPath, name: str) -> Batch:
    """Open a closed batch again."""
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        return change_batch_state(connection, name, "open")


def qa(
    project: StrPath,
    name: str,
    *,
    label: str = "",
    flag: str = "",
    people: Sequence[str] = (),
    scheme: str | None = None,
) -> CreatedBatch:
    """Create a round of quality control: all pairs of a label or a flag, those judged first at the start.

    Each pair is shown with its label; the new answer, if another, replaces it (Kanerva et al. 2023, §5.4).
    """
    if not label and not flag:
        raise Refused("say which pairs to check, either by a label or by a flag", code="label-or-flag")
    request = BatchRequest(name=name, check_label=label, check_flag=flag, people=tuple(people), scheme=scheme)
    return _create(project, request)


def imported(project: StrPath, name: str, *, scheme: str | None = None) -> CreatedBatch:
    """Create a closed batch of imported judgements, so that disagreements between them can be adjudicated.

    It has the pairs with at least two imported judgements of the scheme and no consensus.
    """
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        return CreatedBatch(*create_from_imports(connection, corpus, name, scheme))


def check_rewrites(
    project: StrPath, name: str, *, size: int = 200, people: Sequence[str] = (), seed: int = 0
) -> CreatedBatch:
    """Create a blind check of rewrites: half of the pairs are rewrites, half are not (Kanerva et al. 2023, §6.1).

    Each pair is judged twice, by people who neither wrote nor judged it.
    """
    plan = plan_check(name, seed, people, size)
    with open_project(project) as corpus:
        with corpus.ledger.reading() as connection:
            items = choose_check(connection, size, seed, plan.rules.people)
        with corpus.ledger.writing() as connection:
            return CreatedBatch(create_batch(connection, corpus, plan, items), len(items))


def check_machine(
    project: StrPath, name: str, *, size: int = 100, people: Sequence[str] = (), seed: int = 0
) -> CreatedBatch:
    """Create a check whether people can tell machine-made pairs from others (Suzuki et al. 2017, §3.2).

    Each pair is judged three times; the F-score is among the answers that ``analyse`` and the report show.
    """
    plan = plan_machine_check(name, seed, people, size)
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        items = choose_machine_check(connection, size, seed)
        return CreatedBatch(create_batch(connection, corpus, plan, items), len(items))


def outputs(
    project: StrPath,
    name: str,
    files: Paths,
    *,
    ask: Ask = "ratings",
    times: int | None = None,
    people: Sequence[str] = (),
    sample: int | None = None,
    seed: int = 0,
    **reading: Unpack[ReadingOptions],
) -> OutputBatch:
    """Create a blind batch of what systems wrote, for people to rate or compare (Dou et al. 2022, §4.3).

    ``files`` are pairs of a source and an output, as ``generate`` writes them. ``ask`` is ``ratings`` on three scales,
    ``types`` of good and poor changes, ``preference`` between two outputs, or the ``best-worst`` of up to four. Only
    sources that all systems have an output for are asked about, or a ``sample`` of so many; empty outputs are left out.
    """
    systems, lang = read_outputs(path_list(files), **one_quarantine(reading))
    code = reading.get("lang") or lang
    written = [
        SystemOutput(system.system, source, text, code, system.scores[source])
        for system in systems
        for source, text in system.outputs.items()
    ]
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        return create_from_outputs(
            connection, corpus, name, written, ask=ask, times=times, people=people, sample=sample, seed=seed
        )


def check_result(project: StrPath, name: str) -> CheckResult:
    """The share of plain paraphrases among the rewrites of a check, and among the other pairs.

    A pair counts if the team has decided about it, or if both judgements are the same.
    """
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        return rewrite_check.check_result(connection, corpus, name)


def _pair_ids(pairs: Sequence[str] | StrPath | None) -> tuple[str, ...]:
    """Ids as they are named, or those in a file; a file without any is refused, since no name means all pairs."""
    if not isinstance(pairs, str | Path):
        return tuple(pairs or ())
    ids = tuple(read_pair_ids(Path(pairs)))
    if not ids:
        raise Refused(f"{pairs}: there is no id of a pair in it", "pairs", code="no-pairs-named")
    return ids


def _create(project: StrPath, request: BatchRequest) -> CreatedBatch:
    with open_project(project) as corpus:
        with corpus.ledger.reading() as connection:
            plan = request.plan(connection, corpus)
        if plan.wanted.query is not None:
            search.update_index(corpus)
        with corpus.ledger.reading() as connection:
            items = request.items(connection, corpus, plan, ranking(corpus, plan))
        with corpus.ledger.writing() as connection:
            batch = create_batch(connection, corpus, plan, items)
            short = people_gap(connection, batch.rules, batch.asked)
        return CreatedBatch(batch, len(items), gate_gaps(batch.rules, len(items), batch.asked), short)
