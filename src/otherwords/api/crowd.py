"""Crowds: the workers of a batch, their votes, and decisions about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from otherwords.analyse.dashboard.crowd import CrowdState, crowd_state
from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.crowd import deployment
from otherwords.annotate.crowd.curator_decisions import decide_on_worker
from otherwords.annotate.crowd.deployment import DeployedGroup
from otherwords.annotate.crowd.events import KEPT, PAUSED, RESUMED, UNVOIDED, VOIDED
from otherwords.annotate.crowd.introduction import Introduction, introduction_of, publish_introduction
from otherwords.annotate.crowd.platforms import choose_platform, platform_link
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work import completion
from otherwords.annotate.work.completion import CheckedCode, Participant
from otherwords.api.reading import StrPath, read_markdown
from otherwords.api.user import SiteLink
from otherwords.project import open_project
from otherwords.web.accounts.invitations import invite_to_batch
from otherwords.web.address import site_address

__all__ = [
    *("check_code", "consents", "deploy", "introduce", "introduction", "invite", "keep", "pause", "resume", "status"),
    *("unvoid", "void"),
]


@dataclass(frozen=True, slots=True)
class WorkerDecision:
    """A decision about a worker, and how many of their judgements it concerns.

    ``redone`` is the number of voided judgements that cannot be restored, because others have judged the pairs since.
    """

    batch: str
    worker: str
    decision: str
    judgements: int = 0
    redone: int = 0


def status(project: StrPath, name: str, *, experts: str | None = None, threshold: int | None = None) -> CrowdState:
    """The figures of each worker of a batch, and its labels by three methods.

    The methods are a threshold of votes, where ties are dropped, the majority, and the model of Dawid and Skene.
    ``experts`` is a batch with which to compare them; without a ``threshold``, it is half of the votes.
    """
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        batch = load_batch(connection, name)
        expert_batch = load_batch(connection, experts) if experts else None
        return crowd_state(connection, batch, load_scheme(batch.scheme, corpus.folder), threshold, expert_batch)


def deploy(
    project: StrPath, name: str, *, dry_run: bool = False, threshold: int | None = None
) -> Sequence[DeployedGroup]:
    """Add more pairs of the groups whose first pairs have many paraphrases (Dou et al. 2022, §2.3).

    A group is decided about once, when all judgements of its first pairs are in. With ``dry_run`` nothing is added.
    """
    with open_project(project) as corpus:
        with corpus.ledger.reading() as connection:
            batch = load_batch(connection, name)
            scheme = load_scheme(batch.scheme, corpus.folder)
            planned = deployment.plan_deployment(connection, batch, scheme, threshold)
        if dry_run:
            return planned
        with corpus.ledger.writing() as connection:
            return deployment.deploy_pairs(connection, batch, scheme, None, threshold)


def invite(
    project: StrPath,
    name: str,
    *,
    uses: int = 1,
    days: float = 7,
    address: str | None = None,
    platform: str | None = None,
    parameter: str | None = None,
    back: str | None = None,
) -> SiteLink:
    """Make a link with which as many people as ``uses`` says can join as workers of this batch only.

    ``address`` is where people reach the site, by default where it was last served; ``days`` is how long the link can
    be used. With a ``platform``, workers
    come in by their id there and need no password: ``prolific``, ``mturk``, or any name with the ``parameter`` of the
    link that has the id. ``back`` is where they hand in their completion code, with ``{code}``, ``{worker}`` or another
    parameter in it.
    """
    chosen = choose_platform(platform, parameter, back) if platform else None
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        secret = invite_to_batch(connection, name, None, uses, days, chosen)
    return SiteLink(platform_link(f"{site_address(corpus.folder, address)}/join/{secret}", chosen))


def introduce(project: StrPath, name: str, file: StrPath, *, code_after: int | None = None) -> Introduction:
    """Publish a Markdown file as the introduction of a batch; ``-`` is standard input.

    People agree to it before their first pair, and to a new version before their next. ``code_after`` is the number of
    answers that earn a completion code: with 0 it comes when nothing is left for somebody, without it there is none.
    """
    text = read_markdown(file, "an introduction")
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        return publish_introduction(connection, name, text, code_after, None)


def introduction(project: StrPath, name: str, *, version: int | None = None) -> Introduction:
    """The introduction of a batch, or an earlier version of it."""
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        return introduction_of(connection, name, version)


def consents(project: StrPath, name: str) -> Sequence[Participant]:
    """Who agreed to which version of the introduction of a batch, when, and who has completed the work."""
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        return completion.participants(connection, name)


def check_code(project: StrPath, name: str, code: str) -> CheckedCode:
    """Whose completion code of a batch this is; an unknown one is refused."""
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        return completion.check_code(connection, name, code)


def pause(project: StrPath, name: str, worker: str, *, reason: str = "") -> WorkerDecision:
    """Pause a worker: they get no more pairs of the batch."""
    return _decide(project, name, worker, PAUSED, reason)


def resume(project: StrPath, name: str, worker: str, *, reason: str = "") -> WorkerDecision:
    """Let a paused worker continue; the gate examines their answers from now on."""
    return _decide(project, name, worker, RESUMED, reason)


def keep(project: StrPath, name: str, worker: str, *, reason: str = "") -> WorkerDecision:
    """Record the decision that the judgements of a worker are kept."""
    return _decide(project, name, worker, KEPT, reason)


def void(project: StrPath, name: str, worker: str, *, reason: str = "") -> WorkerDecision:
    """Void the judgements of a worker; others can judge the pairs instead."""
    return _decide(project, name, worker, VOIDED, reason)


def unvoid(project: StrPath, name: str, worker: str, *, reason: str = "") -> WorkerDecision:
    """Restore voided judgements of pairs that nobody has judged since."""
    return _decide(project, name, worker, UNVOIDED, reason)


def _decide(project: StrPath, name: str, worker: str, decision: str, reason: str) -> WorkerDecision:
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        detail = decide_on_worker(connection, name, worker, decision, None, str(uuid4()), reason)
    return WorkerDecision(name, worker, decision, detail.get("judgements", 0), detail.get("redone", 0))
