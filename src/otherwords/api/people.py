"""The work of annotators: the site on which they judge, what they disagree about, and annotators that are simulated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from otherwords.api.reading import StrPath

if TYPE_CHECKING:
    from otherwords.annotate.adjudication.batch_outcome import KeepCounts
    from otherwords.annotate.adjudication.disagreements import Case, Resolution
    from otherwords.simulate.simulation import SimulationResult
    from otherwords.web.server import ServedProject

TaskCount = Callable[[str, int], None]  # is called with a kind of work and a number


@dataclass(frozen=True, slots=True)
class AdjudicationReport:
    """The state of the adjudication of a batch, and the cases to look at, the most severe first."""

    batch: str
    resolution: Resolution
    kept: KeepCounts | None  # only of a batch with a rule by which pairs are kept
    cases: list[Case]


def serve(
    project: StrPath,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    workers: int = 1,
    public: bool = False,
    address: str | None = None,
    ready: Callable[[ServedProject], None] = lambda site: None,
) -> None:
    """Serve the annotation site of a project until it is interrupted.

    ``ready`` is called when the server listens, with the address and, while nobody is admin, the link to become it. A
    ``port`` of 0 takes any free one. A ``public`` site shows released pairs only, without accounts. ``address`` is
    where people reach the site, if that is not where it listens: links begin with it.
    """
    from otherwords.web import server

    site = server.bind(Path(project), host, port, public=public, address=address)
    server.serve(site, Path(project), workers, public=public, ready=lambda: ready(site))


def adjudicate(
    project: StrPath, batch: str, *, show: Literal["disagreements", "unsure", "decided"] = "disagreements"
) -> AdjudicationReport:
    """List the disagreements of a batch, the most severe first.

    The severity is the distance of the answers by the scheme: at most 1, and flags weigh less than values. ``unsure``
    lists pairs on which all agree and somebody was unsure, ``decided`` those that the team has decided about.
    """
    from otherwords.annotate.adjudication.batch_outcome import count_decisions, decide_cases
    from otherwords.annotate.adjudication.disagreements import case_outlines, cases_of, select_cases, settled
    from otherwords.annotate.batches.batch import load_batch
    from otherwords.annotate.schemes import load_scheme
    from otherwords.project import open_project

    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        record = load_batch(connection, batch)
        scheme = load_scheme(record.scheme, corpus.folder)
        outlines = list(case_outlines(connection, record, scheme))
        chosen = cases_of(connection, record, select_cases(outlines, show))
    rule = record.rules.keep
    kept = count_decisions(decide_cases(outlines, rule, scheme)) if rule else None
    return AdjudicationReport(batch, settled(outlines), kept, chosen)


def simulate(
    project: StrPath,
    *,
    people: int = 4,
    accuracy: float = 0.9,
    bias: Mapping[tuple[str, str], float] | None = None,
    seconds: float = 8.0,
    absent: float = 0.1,
    similarity: float = 0.55,
    seed: int = 0,
    batches: Sequence[str] = (),
    tasks: Sequence[str] | None = None,
    most: int | None = None,
    wait: bool = False,
    begin: TaskCount = lambda task, number: None,
    progress: TaskCount = lambda task, number: None,
) -> SimulationResult:
    """Let simulated annotators do the work that waits for people; the project is marked as simulated.

    They give the true answer with the probability ``accuracy``; a ``bias`` of ``{("4", "3"): 0.1}`` makes every tenth 4
    a 3. ``similarity`` is how much of the truth follows from how similar two texts are; the rest is chance, and with 0
    all of it. ``seconds`` is the median time for a judgement, ``absent`` the share of days on which somebody is away,
    ``most`` the number of judgements after which to stop. Without ``tasks`` they do all of triage, extract, seed, judge
    and adjudicate, or the last two if ``batches`` are named. ``begin`` is called with each task and how much of it
    waits, ``progress`` with how much is done. With ``wait``, a project that is in use is waited for.
    """
    from otherwords.project import open_project
    from otherwords.simulate.options import SimulationOptions, parse_tasks
    from otherwords.simulate.simulation import simulate as run_simulation

    options = SimulationOptions(
        people=people,
        accuracy=accuracy,
        bias=bias or {},
        seconds=seconds,
        absent=absent,
        similarity=similarity,
        seed=seed,
        tasks=parse_tasks(None if tasks is None else ",".join(tasks), batches),
        batches=batches,
        most=most,
    )
    with open_project(project) as corpus, corpus.holding(wait=wait):
        return run_simulation(corpus, options, begin=begin, progress=progress)
