"""The form for a new batch: reads its fields, from an address or a form, into a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from otherwords.annotate.batch_plans.request import USUAL_GATE, BatchPurpose, BatchRequest, decode_request
from otherwords.annotate.browse.filter import FILTER_NAMES
from otherwords.errors import Refused
from otherwords.web.fields import storable

PERSON = "person-"  # prefix of the checkboxes of people
PURPOSES: tuple[BatchPurpose, ...] = get_args(BatchPurpose)


def filled_fields(form: Mapping[str, str]) -> dict[str, str]:
    """The fields that are not empty, stripped; text that no database can store is refused."""
    try:
        return {name: storable(value).strip() for name, value in form.items() if value.strip()}
    except ValueError as problem:
        raise Refused(str(problem), code="unstorable-text") from None


def filter_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields of the filter; a projection without a label is ignored."""
    return {
        name: fields[name] for name in FILTER_NAMES if name in fields and (name != "projection" or "label" in fields)
    }


def people_of(fields: Mapping[str, str]) -> list[str]:
    """The people who are ticked."""
    return [name.removeprefix(PERSON) for name in fields if name.startswith(PERSON)]


def request_of(fields: Mapping[str, str]) -> BatchRequest:
    """The batch that the fields ask for."""
    same = [*("name", "sample", "seed", "order", "scheme", "times", "purpose", "second_sees", "keep", "agree_on")]
    same += ["random_share", "tests", "every", "practice", "practice_share", "check_label", "check_flag"]
    return decode_request(
        {
            "name": "",
            **{name: fields[name] for name in same if name in fields},
            "filter": filter_fields(fields),
            "not_in": (fields["not_in"],) if "not_in" in fields else (),
            "people": people_of(fields),
            "assigned": fields.get("dealing") == "assigned",
            "context": "no_context" not in fields,
            "own": "not_own" not in fields,
            "again": "not_again" not in fields,
            "undo": "final" not in fields,
            "gate": USUAL_GATE if "gate" in fields else None,
            "grows": "grows" in fields,
            "also_decided": "also_decided" in fields,
        }
    )


def whole_number(fields: Mapping[str, str], name: str, least: int, most: int) -> int | None:
    """The whole number in a field; None if the field is empty."""
    text = fields.get(name)
    if text is None:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > len(str(most)) or not least <= int(text) <= most:
        reason = f"{name}: {text!r} is not a whole number from {least:,} to {most:,}"
        raise Refused(reason, name, code="invalid-number")
    return int(text)
