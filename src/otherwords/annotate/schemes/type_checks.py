"""What a scheme that asks for types must be: one question of that kind, about pairs, and keys the editor leaves."""

from __future__ import annotations

from otherwords.annotate.phenomena import tag_set
from otherwords.annotate.scheme import Scheme
from otherwords.errors import LabelError

EDITOR_KEYS = frozenset("pqmi[]")  # projection, key elements, modify, identical, the phenomena one by one


def check_types(found: Scheme) -> None:
    """Refuse a tag set that cannot be worked with; a scheme without one is as good as any."""
    asked = [question for question in found.questions if question.kind == "types"]
    if not asked:
        return
    if len(asked) > 1:
        raise LabelError("questions: one of them may be of kind 'types', and no more; put all types into it")
    if found.unit != "pair":
        raise LabelError(f"unit: types are marked in pairs, not in a {found.unit}")
    tag_set(asked[0].types)
    for question in found.questions:
        keys = [(one.name, one.key) for one in question.values] + [(one.name, one.key) for one in question.flags]
        for name, key in keys:
            if key.lower() in EDITOR_KEYS:
                raise LabelError(f"{name!r}: key {key!r} is taken by the editor of types; choose another")
