"""What ``otherwords batch`` says of a batch: its rules, how far it is and what came of it, in words and cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from otherwords.analyse.progress import BatchState
    from otherwords.annotate.batch_outcome import Outcome
    from otherwords.annotate.batches import Batch
    from otherwords.annotate.check_results import Half


def cells(one: BatchState) -> list[str]:
    people = ", ".join(f"{name} {done:,}" for name, done in one.people) or "–"
    counts = [f"{number:,}" for number in (one.items, one.asked, one.done, one.slots)]
    return [one.id, one.purpose, one.scheme, *counts, people, one.state]


def rules_of(found: Batch) -> dict[str, Any]:
    return {name: getattr(found.rules, name) for name in found.rules.__struct_fields__}


def rules_in_words(found: Batch) -> list[str]:
    """The rules of a batch in words, as far as they are not those of every batch."""
    rules = found.rules
    told = [(not rules.context, "the documents are hidden"), (not rules.own, "nobody judges what they made")]
    told += [(not rules.again, "nobody judges what they have judged before")]
    told += [(not rules.undo, "answers are final"), (rules.assigned, "pairs are dealt out")]
    told += [(bool(rules.second_sees), f"the second annotator sees {', '.join(rules.second_sees)} only")]
    if rules.tests is not None:
        told.append((True, f"one pair in {rules.tests.every} is a test, of {len(rules.tests.pairs):,}"))
    told += [
        (rules.gate is not None, "a gate pauses whoever does badly"),
        (bool(rules.deployment), "it grows"),
    ]
    people = f"for {', '.join(rules.people)}" if rules.people else "for anybody"
    return [people, *(words for holds, words in told if holds)]


def outcome_in_words(came: Outcome) -> list[str]:
    """What has come out of a batch, in words."""
    told = []
    if came.qa:
        told.append(f"inspected {came.qa.inspected:,} of {came.qa.pairs:,}, changed {came.qa.changed:,}")
        told += [f"  {change}: {count:,}" for change, count in came.qa.changes.items()]
    if came.settled:
        numbers = (came.settled.agreed, came.settled.disagreeing, came.settled.decided)
        told.append("agreed {:,}, disagreeing {:,}, decided {:,}".format(*numbers))
    if came.kept:
        told.append(f"kept {came.kept.kept:,}, dropped {came.kept.dropped:,}, open {came.kept.open:,}")
        told += [f"  {reason}: {count:,}" for reason, count in came.kept.reasons.items()]
    return told


def shares(half: Half) -> list[str]:
    return ["–" if one is None else f"{one:.1%}" for one in (half.share, half.least, half.most)]
