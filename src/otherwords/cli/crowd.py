"""``otherwords crowd``: how a crowd does, what it says, and what is decided about its workers."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import click

if TYPE_CHECKING:
    from otherwords.analyse.crowd import CrowdState
    from otherwords.annotate.deployment import Deployed

_project = click.argument("project", metavar="PROJECT")
_batch = click.argument("name", metavar="BATCH")
_worker = click.argument("worker", metavar="WORKER")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
_threshold = click.option(
    "--threshold",
    type=click.IntRange(0, 100),
    metavar="T",
    help="More votes than that make a paraphrase, fewer none; exactly that many drop the pair. Half of them otherwise.",
)
_reason = click.option("--reason", default="", metavar="TEXT", help="Why; it stands in the audit trail.")
WAYS = {"threshold": "by the threshold", "majority": "by majority", "dawid_skene": "by Dawid and Skene"}
_WORKERS = ("worker", "judgements", "tests", "right", "kappa", "on", "seconds", "state", "why")


@click.group("crowd")
def command() -> None:
    """Watch a crowd: workers, votes, invitations, and the pairs that follow.

    A crowd works on a batch with hidden tests and a gate: otherwords batch new … --times 6 --tests all --gate.
    """


@command.command()
@_project
@_batch
@click.option("--experts", metavar="BATCH", help="Compare with what experts said in that batch: F1.")
@_threshold
@_as_json
def status(project: str, name: str, experts: str | None, threshold: int | None, as_json: bool) -> None:
    """Show how each worker does, and the labels by three ways.

    Labels come by a threshold of votes, with ties dropped, by majority, and by Dawid and Skene's model, which weighs
    workers by how far they can be trusted.

    \b
      otherwords crowd status corpus tweets
      otherwords crowd status corpus tweets --experts gold --threshold 3
    """
    from otherwords.analyse.crowd import crowd_state
    from otherwords.annotate.batches import batch
    from otherwords.annotate.schemes import scheme
    from otherwords.project import opened

    with opened(project) as corpus, corpus.ledger.reading() as connection:
        of = batch(connection, name)
        against = batch(connection, experts) if experts else None
        state = crowd_state(connection, of, scheme(of.scheme, corpus.folder), threshold, against)
    if as_json:
        click.echo(json.dumps(asdict(state), ensure_ascii=False, indent=2))
    else:
        _print(state)


def _print(state: CrowdState) -> None:
    from rich.table import Table

    from otherwords.cli.talk import print_table

    workers = Table(*_WORKERS, box=None)
    for one in state.workers:
        figures = (_share(one.accuracy), _number(one.kappa, ".2f"), f"{one.shared:,}", _number(one.seconds, ".1f"))
        done = (f"{one.answers:,}", f"{one.tests:,}")
        workers.add_row(one.name, *done, *figures, one.state, "; ".join(one.reasons))
    print_table(workers)
    click.echo(f"{state.pairs:,} pairs have {state.judgements:,} votes")
    for way, counts in state.labels.items():
        told = ", ".join(f"{label} {count:,}" for label, count in counts.items())
        of = f" {state.threshold}" if way == "threshold" else ""
        click.echo(f"  {WAYS[way]}{of}: {told}")
    click.echo(f"  the ways differ on {state.differing:,}")
    for way, found in (state.experts or {}).items():
        shares = (_number(found.f1, ".3f"), _number(found.precision, ".3f"), _number(found.recall, ".3f"))
        click.echo(
            "  against the experts, {}: F1 {}, precision {}, recall {}, on {:,}".format(WAYS[way], *shares, found.n)
        )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else f"{value:{form}}"


@command.command()
@_project
@_batch
@click.option("--dry-run", is_flag=True, help="Say what would follow, and change nothing.")
@_threshold
@_as_json
def deploy(project: str, name: str, dry_run: bool, threshold: int | None, as_json: bool) -> None:
    """Add more pairs of the groups whose first twenty hold many paraphrases.

    For a batch that was made with --deploy. A group is decided about once, when all judgements of its first pairs are
    in: 4–6, 7–9, 10–12 or 13–20 paraphrases among them bring 20, 30, 40 or 50 more pairs (Dou et al. 2022, §2.3).

    \b
      otherwords crowd deploy corpus tweets --dry-run
      otherwords crowd deploy corpus tweets
    """
    from otherwords.annotate import deployment
    from otherwords.annotate.batches import batch
    from otherwords.annotate.schemes import scheme
    from otherwords.project import opened

    with opened(project) as corpus:
        with corpus.ledger.reading() as connection:
            of = batch(connection, name)
            labels = scheme(of.scheme, corpus.folder)
            planned = deployment.plan(connection, of, labels, threshold)
        if not dry_run:
            with corpus.ledger.writing() as connection:
                planned = deployment.deploy(connection, of, labels, None, threshold)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in planned], ensure_ascii=False, indent=2))
    else:
        _say_deployed(planned)


def _say_deployed(planned: list[Deployed]) -> None:
    from otherwords.cli.talk import say

    for one in planned:
        click.echo(f"{one.group}: {one.positive} of {one.first} are paraphrases; {one.added:,} more pairs")
    say(f"{sum(one.added for one in planned):,} pairs of {len(planned):,} groups that are decided about now")


@command.command()
@_project
@_batch
@click.option("--uses", type=click.IntRange(1, 10_000), default=1, show_default=True, help="People who may join by it.")
@click.option("--days", type=float, default=7, show_default=True, help="How long the link can be used.")
@click.option(
    "--address",
    default="http://127.0.0.1:8080",
    show_default=True,
    metavar="URL",
    help="Where the site is; the link begins with it.",
)
def invite(project: str, name: str, uses: int, days: float, address: str) -> None:
    """Print a link with which people can join as workers of a batch, and of that alone.

    \b
      otherwords crowd invite corpus tweets --uses 50
    """
    from otherwords.cli.talk import say
    from otherwords.project import opened
    from otherwords.web.invitations import invite_to_batch

    with opened(project) as corpus, corpus.ledger.writing() as connection:
        secret = invite_to_batch(connection, name, None, uses, days)
    click.echo(f"{address.rstrip('/')}/join/{secret}")
    say(f"for {uses:,} {'person' if uses == 1 else 'people'}, as workers of {name}; good for {days:g} days")


DECISIONS = {  # by what one types: what is decided, and what that means
    "pause": ("paused", "Stop a worker: they are given no more of the batch."),
    "resume": ("resumed", "Let a worker go on; the gate weighs what they say from now on."),
    "keep": ("kept", "Keep what a worker has said; it is only written down that somebody decided so."),
    "void": ("voided", "Void what a worker has said; its pairs are open again, for others."),
    "unvoid": ("unvoided", "Let what was voided stand again, where nobody has judged the pair anew since."),
}


def _deciding(verb: str, decision: str, meaning: str) -> click.Command:
    """The command that decides one thing about a worker."""

    @click.command(verb, help=f"{meaning}\n\n\b\n  otherwords crowd {verb} corpus tweets zoe")
    @_project
    @_batch
    @_worker
    @_reason
    def decided(project: str, name: str, worker: str, reason: str) -> None:
        _decide(project, name, worker, decision, reason)

    return decided


for _verb, (_decision, _meaning) in DECISIONS.items():
    command.add_command(_deciding(_verb, _decision, _meaning))


def _decide(project: str, name: str, worker: str, decision: str, reason: str) -> None:
    from otherwords.annotate.crowd_decisions import decide
    from otherwords.cli.talk import say
    from otherwords.project import opened

    with opened(project) as corpus, corpus.ledger.writing() as connection:
        told = decide(connection, name, worker, decision, None, str(uuid4()), reason)
    say(f"{worker} in {name}: {_came(decision, told)}")


def _came(decision: str, told: dict[str, Any]) -> str:
    """What came of a decision."""
    if decision in ("paused", "resumed"):
        return decision
    left = f"; {told['redone']:,} could not be, others have them by now" if told.get("redone") else ""
    return f"{told['judgements']:,} judgements {decision}{left}"
