"""``otherwords crowd``: the workers of a batch, their votes, and decisions about them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from otherwords.cli.talk import print_json, print_link, print_table, say

if TYPE_CHECKING:
    from otherwords.analyse.dashboard.crowd import CrowdState

_project = click.argument("project", metavar="PROJECT")
_batch = click.argument("name", metavar="BATCH")
_worker = click.argument("worker", metavar="WORKER")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
_threshold = click.option(
    "--threshold",
    type=click.IntRange(0, 100),
    metavar="T",
    help="More votes make a paraphrase, fewer do not; exactly T drop the pair. Half of the votes by default.",
)
_reason = click.option("--reason", default="", metavar="TEXT", help="The reason, for the audit trail.")
METHODS = {"threshold": "by the threshold", "majority": "by majority", "dawid_skene": "by Dawid and Skene"}
_WORKERS = ("worker", "judgements", "tests", "right", "kappa", "on", "seconds", "state", "why", "platform id")


@click.group("crowd")
def command() -> None:
    """Watch a crowd: workers, votes, invitations, and further pairs.

    A crowd works on a batch with hidden tests and a gate: otherwords batch new … --times 6 --tests all --gate.
    """


@command.command()
@_project
@_batch
@click.option("--experts", metavar="BATCH", help="Compare with the judgements of experts in that batch: F1.")
@_threshold
@_as_json
def status(project: str, name: str, experts: str | None, threshold: int | None, as_json: bool) -> None:
    """Show how well each worker does, and the labels by three methods.

    The methods are a threshold of votes, where ties are dropped, the majority, and the model of Dawid and Skene, which
    weighs workers by their reliability.

    \b
      otherwords crowd status corpus tweets
      otherwords crowd status corpus tweets --experts gold --threshold 3
    """
    from otherwords.api import crowd

    state = crowd.status(project, name, experts=experts, threshold=threshold)
    if as_json:
        print_json(asdict(state))
    else:
        _print_workers(state)
        if state.expected_tests is not None:
            click.echo(state.expected_tests.sentence())
        for gap in state.gate_gaps:
            click.echo(gap)
        _print_labels(state)


def _print_workers(state: CrowdState) -> None:
    from rich.table import Table

    table = Table(*_WORKERS, box=None)
    for worker in state.workers:
        table.add_row(
            worker.name,
            f"{worker.answers:,}",
            f"{worker.tests:,}",
            _number(worker.accuracy, ".0%"),
            _number(worker.kappa, ".2f"),
            f"{worker.shared:,}",
            _number(worker.seconds, ".1f"),
            worker.state,
            "; ".join(worker.reasons),
            worker.platform_id or "–",
        )
    print_table(table)


def _print_labels(state: CrowdState) -> None:
    pairs = "1 pair has" if state.pairs == 1 else f"{state.pairs:,} pairs have"
    click.echo(f"{pairs} {state.judgements:,} {'vote' if state.judgements == 1 else 'votes'}")
    for method, labels in state.labels.items():
        counts = ", ".join(f"{label} {count:,}" for label, count in labels.items())
        threshold = f" {state.threshold}" if method == "threshold" else ""
        click.echo(f"  {METHODS[method]}{threshold}: {counts}")
    click.echo(f"  the methods differ on {state.differing:,}")
    for method, result in (state.experts or {}).items():
        f1, precision, recall = (_number(score, ".3f") for score in (result.f1, result.precision, result.recall))
        scores = f"F1 {f1}, precision {precision}, recall {recall}, on {result.n:,}"
        click.echo(f"  against the experts, {METHODS[method]}: {scores}")


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else f"{value:{form}}"


@command.command()
@_project
@_batch
@click.option("--dry-run", is_flag=True, help="Only show what would be added.")
@_threshold
@_as_json
def deploy(project: str, name: str, dry_run: bool, threshold: int | None, as_json: bool) -> None:
    """Add more pairs of the groups whose first twenty have many paraphrases.

    For a batch that was created with --deploy. A group is decided about once, when all judgements of its first pairs
    are in: 4–6, 7–9, 10–12 or 13–20 paraphrases among them add 20, 30, 40 or 50 pairs (Dou et al. 2022, §2.3).

    \b
      otherwords crowd deploy corpus tweets --dry-run
      otherwords crowd deploy corpus tweets
    """
    from otherwords.api import crowd

    groups = crowd.deploy(project, name, dry_run=dry_run, threshold=threshold)
    if as_json:
        print_json([asdict(group) for group in groups])
        return
    for group in groups:
        more = "1 more pair" if group.added == 1 else f"{group.added:,} more pairs"
        click.echo(f"{group.group}: {group.positive} of {group.first} are paraphrases; {more}")
    added = sum(group.added for group in groups)
    groups_text = "1 group is" if len(groups) == 1 else f"{len(groups):,} groups are"
    say(f"{groups_text} decided now, with {added:,} more {'pair' if added == 1 else 'pairs'}")


@command.command()
@_project
@_batch
@click.option("--uses", type=click.IntRange(1, 10_000), default=1, show_default=True, help="People who may join by it.")
@click.option("--days", type=float, default=7, show_default=True, help="How long the link can be used.")
@click.option(
    "--address",
    metavar="URL",
    help="The address of the site; the link begins with it. By default, where it was last served.",
)
@click.option(
    "--platform", metavar="NAME", help="Workers come from there: prolific, mturk, or another with --parameter."
)
@click.option("--parameter", metavar="NAME", help="The parameter of the link in which another platform sends their id.")
@click.option("--back", metavar="URL", help="Where they hand in their code; may have {code}, {worker}, {STUDY_ID} ….")
def invite(project: str, name: str, uses: int, days: float, address: str | None, **platform: str | None) -> None:
    """Print a link with which people can join as workers of this batch only.

    Workers of a platform come in by their id there, without a password, and work under a pseudonym.

    \b
      otherwords crowd invite corpus tweets --uses 50
      otherwords crowd invite corpus tweets --uses 50 --platform prolific --address https://corpus.example.org
    """
    from otherwords.api import crowd

    link = crowd.invite(project, name, uses=uses, days=days, address=address, **platform)
    print_link(link.url, address)
    say(f"for {uses:,} {'person' if uses == 1 else 'people'}, as workers of {name}; valid for {days:g} days")


@command.command()
@_project
@_batch
@click.argument("file", metavar="FILE")
@click.option("--code", is_flag=True, help="Give people a completion code when nothing is left for them.")
@click.option(
    "--code-after",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="Give people a completion code after N answers.",
)
@_as_json
def introduce(project: str, name: str, file: str, code: bool, code_after: int | None, as_json: bool) -> None:
    """Make a Markdown file the introduction of a batch; - is standard input.

    People read it before their first pair and agree to it; version and time are recorded. A new version is put to
    everybody again before their next pair.

    \b
      otherwords crowd introduce corpus tweets introduction.md --code
      otherwords crowd introduce corpus tweets introduction.md --code-after 50
    """
    from otherwords.api import crowd

    published = crowd.introduce(project, name, file, code_after=code_after or (0 if code else None))
    if as_json:
        print_json(asdict(published))
    say(f"introduction of {name}, version {published.version}: {len(published.text):,} characters")


@command.command()
@_project
@_batch
@click.option("--version", "number", type=click.IntRange(1), metavar="N", help="An earlier version.")
@_as_json
def introduction(project: str, name: str, number: int | None, as_json: bool) -> None:
    """Print the introduction of a batch.

    \b
      otherwords crowd introduction corpus tweets
    """
    from otherwords.api import crowd

    shown = crowd.introduction(project, name, version=number)
    if as_json:
        print_json(asdict(shown))
    else:
        click.echo(shown.text)


@command.command()
@_project
@_batch
@_as_json
def consents(project: str, name: str, as_json: bool) -> None:
    """List who agreed to the introduction of a batch, and who has completed the work.

    \b
      otherwords crowd consents corpus tweets --json
    """
    from rich.table import Table

    from otherwords.api import crowd

    people = crowd.consents(project, name)
    if as_json:
        print_json([asdict(person) for person in people])
        return
    table = Table("worker", "version", "agreed", "completed", "code", "platform id", box=None)
    for person in people:
        row = (person.worker, str(person.version), person.agreed, person.completed, person.code, person.platform_id)
        table.add_row(*(cell or "–" for cell in row))
    print_table(table)


@command.command("check-code")
@_project
@_batch
@click.argument("code", metavar="CODE")
@_as_json
def check_code(project: str, name: str, code: str, as_json: bool) -> None:
    """Show whose completion code this is; exit with 1 if it is nobody's.

    \b
      otherwords crowd check-code corpus tweets 7KQ2M-X9T4B
    """
    from otherwords.api import crowd

    checked = crowd.check_code(project, name, code)
    if as_json:
        print_json(asdict(checked))
        return
    answers = "1 answer" if checked.answers == 1 else f"{checked.answers:,} answers"
    paused = ", paused" if checked.state == "paused" else ""
    paid_as = f" ({checked.platform_id})" if checked.platform_id else ""
    click.echo(f"{checked.code}: {checked.worker}{paid_as}, {answers}{paused}; completed {checked.time}")


DECISIONS = {  # the help of each decision about a worker
    "pause": "Pause a worker: they get no more pairs of the batch.",
    "resume": "Let a paused worker continue; the gate examines their answers from now on.",
    "keep": "Keep the judgements of a worker; the decision is recorded.",
    "void": "Void the judgements of a worker; others can judge the pairs instead.",
    "unvoid": "Restore voided judgements of pairs that nobody has judged since.",
}


def _decision_command(verb: str, meaning: str) -> click.Command:
    @click.command(verb, help=f"{meaning}\n\n\b\n  otherwords crowd {verb} corpus tweets zoe")
    @_project
    @_batch
    @_worker
    @_reason
    def decide(project: str, name: str, worker: str, reason: str) -> None:
        from otherwords.api import crowd

        decision = getattr(crowd, verb)(project, name, worker, reason=reason)
        count = "1 judgement" if decision.judgements == 1 else f"{decision.judgements:,} judgements"
        counted = "" if decision.decision in ("paused", "resumed") else f"{count} "
        redone = f"; {decision.redone:,} could not be, as others have judged the pairs since" if decision.redone else ""
        say(f"{worker} in {name}: {counted}{decision.decision}{redone}")

    return decide


for _verb, _meaning in DECISIONS.items():
    command.add_command(_decision_command(_verb, _meaning))
