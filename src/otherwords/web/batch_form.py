"""The form that makes a batch, as fields of an address or of a form, and the plan that they describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from otherwords.annotate.batches import MOST_ASKED, Rules
from otherwords.annotate.making import MOST_SEED, Plan
from otherwords.annotate.pair_filter import NAMES, Filter, parse
from otherwords.errors import Refused
from otherwords.web.api.batches import Purpose
from otherwords.web.fields import storable

PERSON = "person-"  # before the name of somebody who is chosen
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)
MOST_PAIRS = 10**9


def fields_of(given: Mapping[str, str]) -> dict[str, str]:
    """What is filled in, if a database can keep it."""
    try:
        return {name: storable(value).strip() for name, value in given.items() if value.strip()}
    except ValueError as problem:
        raise Refused(str(problem)) from None


def filter_of(fields: Mapping[str, str]) -> Filter:
    """The filter among the fields; how a label is read is nothing without one."""
    told = {name: fields[name] for name in NAMES if name in fields}
    if "label" not in told:
        told.pop("projection", None)
    return parse(told)


def people_of(fields: Mapping[str, str]) -> list[str]:
    """Who is chosen."""
    return [name.removeprefix(PERSON) for name in fields if name.startswith(PERSON)]


def not_in_of(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The batch whose pairs are left out."""
    return (fields["not_in"],) if "not_in" in fields else ()


def plan_of(fields: Mapping[str, str]) -> Plan:
    """The plan that the fields describe; nonsense is refused."""
    rules = Rules(
        people=people_of(fields),
        assigned=fields.get("dealing") == "assigned",
        context="no_context" not in fields,
        own="not_own" not in fields,
        again="not_again" not in fields,
        undo="final" not in fields,
    )
    return Plan(
        name=fields.get("name", ""),
        wanted=filter_of(fields),
        sample=number_in(fields, "sample", 1, MOST_PAIRS),
        seed=number_in(fields, "seed", 0, MOST_SEED) or 0,
        order="shuffled" if fields.get("order") == "shuffled" else "arrival",
        not_in=not_in_of(fields),
        scheme=fields.get("scheme"),
        asked=number_in(fields, "times", 1, MOST_ASKED) or 1,
        purpose=_purpose(fields.get("purpose", "production")),
        rules=rules,
    )


def number_in(fields: Mapping[str, str], name: str, least: int, most: int) -> int | None:
    """The whole number in a field; None where it was left empty."""
    text = fields.get(name)
    if text is None:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > len(str(most)) or not least <= int(text) <= most:
        raise Refused(f"{name}: {text!r} is not a whole number from {least:,} to {most:,}")
    return int(text)


def _purpose(told: str) -> Purpose:
    for purpose in PURPOSES:
        if told == purpose:
            return purpose
    raise Refused(f"purpose: {told!r} is not one of {', '.join(PURPOSES)}")
