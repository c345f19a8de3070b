"""What the options of ``otherwords batch`` ask for: texts of the command line as filters, names and rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherwords.errors import UsageError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from otherwords.annotate.batches import Keep, Rules


def filter_settings(filters: tuple[str, ...]) -> dict[str, str]:
    """``KEY=VALUE`` options as a filter's parameters."""
    told: dict[str, str] = {}
    for one in filters:
        key, equals, value = one.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise UsageError(f"--where {one!r}: expected KEY=VALUE, such as source=news")
        if told.setdefault(key.strip(), value.strip()) != value.strip():
            raise UsageError(f"--where {key.strip()} is given twice")
    return told


def names(people: str | None) -> list[str]:
    return [name.strip() for name in (people or "").split(",") if name.strip()]


def keep_rule(wishes: tuple[str, ...], agree_on: list[str]) -> Keep | None:
    """``QUESTION=ANSWER,…`` options as the rule that says which pairs are kept."""
    from otherwords.annotate.batches import Keep

    all_say: dict[str, list[str]] = {}
    for one in wishes:
        question, equals, answers = one.partition("=")
        if not equals or not question.strip() or not names(answers):
            raise UsageError(f"--keep {one!r}: expected QUESTION=ANSWER, such as well_formed=yes")
        all_say[question.strip()] = names(answers)
    return Keep(all_say=all_say, agree_on=agree_on) if all_say or agree_on else None


def with_crowd(connection: Connection, rules: Rules, wishes: dict[str, Any]) -> Rules:
    """The rules with those of a crowd; on the command line tests may be named in a file."""
    import msgspec

    from otherwords.annotate.batches import HiddenTests
    from otherwords.annotate.crowd_wishes import ALL, SOURCE, crowded, listed_pairs

    tests, every = wishes["tests"], wishes["every"]
    in_file = tests is not None and tests != ALL and not tests.startswith(SOURCE)
    rules = crowded(connection, rules, None if in_file else tests, every, wishes["gate"], grows=wishes["deploy"])
    if in_file:
        rules = msgspec.structs.replace(rules, tests=HiddenTests(pairs=listed_pairs(Path(tests)), every=every))
    return rules
