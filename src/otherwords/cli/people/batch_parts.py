"""What the commands of ``otherwords batch`` share: their arguments, and what they say of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from otherwords.annotate.adjudication.batch_outcome import BatchOutcome
    from otherwords.annotate.batches.batch import BatchRules
    from otherwords.api.batch import CreatedBatch

project_argument = click.argument("project", metavar="PROJECT")
name_argument = click.argument("name", metavar="NAME")
json_option = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
people_option = click.option("--for", "people", metavar="NAME,…", help="Who may work on it; anybody by default.")
seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Random seed."
)
UNITS = {"pair": ("pair", "pairs"), "document_pair": ("document pair", "document pairs"), "group": ("group", "groups")}


def created_text(created: CreatedBatch, judged: str | None = None) -> str:
    """The size of a new batch, and how often its pairs are judged: by default, how often they are to be."""
    batch, (singular, plural) = created.batch, UNITS[created.batch.unit]
    if judged is None:
        judged = f"to be judged {'once' if batch.asked == 1 else f'{batch.asked} times each'}"
    return f"{batch.id}: {created.items:,} {singular if created.items == 1 else plural}, {judged}"


def rule_lines(rules: BatchRules) -> list[str]:
    """Who may work on a batch, and those of its rules that differ from the usual ones."""
    lines = [f"for {', '.join(rules.people)}" if rules.people else "for anybody"]
    special = [
        (not rules.context, "the documents are hidden"),
        (not rules.own, "nobody judges what they extracted or wrote"),
        (not rules.again, "nobody judges what they have judged before"),
        (not rules.undo, "answers are final"),
        (rules.assigned, "the pairs are assigned to people"),
        (bool(rules.second_sees), f"the second annotator sees {', '.join(rules.second_sees)} only"),
    ]
    lines += [line for applies, line in special if applies]
    if rules.practice is not None:
        pairs = "1 pair" if len(rules.practice.pairs) == 1 else f"{len(rules.practice.pairs):,} pairs"
        lines.append(f"everybody practises with {pairs} first; {rules.practice.share:.0%} have to be right")
    if rules.tests is not None:
        lines.append(f"one task in {rules.tests.every} is a test on average, of {len(rules.tests.pairs):,}")
    if rules.gate is not None:
        lines.append("a gate pauses people who do badly")
    if rules.deployment:
        lines.append("crowd deploy adds pairs to it")
    return lines


def outcome_lines(outcome: BatchOutcome) -> list[str]:
    """The results of a batch so far."""
    lines = []
    if qa := outcome.qa:
        lines.append(f"inspected {qa.inspected:,} of {qa.pairs:,}, changed {qa.changed:,}")
        lines += [f"  {change}: {count:,}" for change, count in qa.changes.items()]
    if settled := outcome.settled:
        lines.append(f"agreed {settled.agreed:,}, disagreeing {settled.disagreeing:,}, decided {settled.decided:,}")
    if kept := outcome.kept:
        lines.append(f"kept {kept.kept:,}, dropped {kept.dropped:,}, open {kept.open:,}")
        lines += [f"  {reason}: {count:,}" for reason, count in kept.reasons.items()]
    return lines
