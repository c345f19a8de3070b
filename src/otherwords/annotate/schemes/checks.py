"""What a scheme must be to be worked with: every key does one thing, every value can be given, no rule contradicts.

In goes a scheme as its file has it. Out comes nothing, or a sentence for whoever wrote it: which entry, and what to do.
"""

from __future__ import annotations

import re
import unicodedata

from otherwords.annotate.question import Question
from otherwords.annotate.scheme import FULL, MISSING, Projection, Scheme
from otherwords.annotate.schemes.type_checks import check_types
from otherwords.annotate.schemes.view_checks import check_views
from otherwords.errors import LabelError

NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
QUESTION = re.compile(r"[a-z][a-z0-9_]*")
PAGE_KEYS = frozenset("urcjk/?gdth") | {"Enter", "Backspace", "Escape", " "}
ADOPTING_KEYS = frozenset("abcdefgh")  # of the adjudication page: each adopts somebody's judgement
MOST_VALUES = 60
MOST_CHARACTERS = 80


def check(found: Scheme) -> None:
    """Refuse a scheme that cannot be worked with."""
    if not NAME.fullmatch(found.name):
        raise LabelError(f"name: {found.name!r} has other characters than small letters, digits and hyphens")
    if not found.title.strip():
        raise LabelError("title: say in a few words what is asked")
    _check_names(found)
    for question in found.questions:
        _check_values(question)
        _check_keys(question)
        _check_flags(question)
    check_types(found)
    _check_conditions(found)
    _check_parts(found)
    _check_distance(found)
    for name, view in found.projections.items():
        _check_projection(found, name, view)
    check_views(found)
    _check_rewriting(found)


def _check_names(found: Scheme) -> None:
    if not found.questions:
        raise LabelError("a scheme needs a question: give it values")
    seen: set[str] = set()
    for question in found.questions:
        if len(found.questions) == 1 and not question.name:
            continue
        if not QUESTION.fullmatch(question.name):
            raise LabelError(
                f"questions: each needs a name of small letters, digits and _, which answers are kept under; "
                f"found {question.name!r}"
            )
        if question.name in seen:
            raise LabelError(f"questions: two are called {question.name!r}; give one another name")
        seen.add(question.name)


def _of(question: Question) -> str:
    return f"question {question.name!r}, " if question.name else ""


def _check_values(question: Question) -> None:
    if question.kind == "types":
        if question.values or question.flags or question.several or question.counted:
            raise LabelError(f"{_of(question)}kind 'types': values and flags do not go with it; leave them out")
        if not question.types:
            raise LabelError(f"{_of(question)}kind 'types': list the types under [[types]]")
        return
    if question.types:
        raise LabelError(f'{_of(question)}types go with kind = "types"')
    if not 1 <= len(question.values) <= MOST_VALUES:
        raise LabelError(f"{_of(question)}values: a question has 1 to {MOST_VALUES}, not {len(question.values)}")
    if question.several and question.counted:
        raise LabelError(f"{_of(question)}several and counted: choose one; what is counted may be several anyway")
    for value in question.values:
        plain = all(unicodedata.category(char)[0] != "C" for char in value.value)
        if not value.value.strip() or len(value.value) > MOST_CHARACTERS or not plain or "=" in value.value:
            raise LabelError(
                f"{_of(question)}value {value.value!r}: a value has 1 to {MOST_CHARACTERS} characters, "
                f"none of them = or invisible"
            )
        if not value.name.strip():
            raise LabelError(f"{_of(question)}value {value.value!r}: it needs a name to be shown by")
    _refuse_twice(_of(question) + "value", [value.value for value in question.values])


def _refuse_twice(what: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise LabelError(f"{what} {name!r} is there twice; take one out")


def _check_keys(question: Question) -> None:
    """Keys may come again in another question, where they do what that question says."""
    taken: dict[str, str] = {}
    keys = [(f"value {one.value!r}", one.key) for one in question.values]
    for what, key in keys + [(f"flag {one.flag!r}", one.key) for one in question.flags]:
        called = _of(question) + what
        if len(key) != 1 or not key.isprintable():
            raise LabelError(f"{called}: its key has to be a single character, not {key!r}")
        if key.lower() in PAGE_KEYS:
            raise LabelError(f"{called}: key {key!r} is taken by the page itself; choose another")
        if key.lower() in ADOPTING_KEYS:
            raise LabelError(f"{called}: key {key!r} adopts a judgement in adjudication (a to h do); choose another")
        if key.lower() in taken:
            raise LabelError(f"{called}: key {key!r} is taken by {taken[key.lower()]}; choose another")
        taken[key.lower()] = what


def _check_flags(question: Question) -> None:
    values = {value.value for value in question.values}
    known = {flag.flag for flag in question.flags}
    if question.flags and (question.several or question.counted):
        raise LabelError(f"{_of(question)}flags go with questions that have one answer, neither several nor counted")
    _refuse_twice(_of(question) + "flag", [flag.flag for flag in question.flags])
    for flag in question.flags:
        called = f"{_of(question)}flag {flag.flag!r}"
        if len(flag.flag) != 1 or not flag.flag.isprintable() or flag.flag in "= ":
            raise LabelError(f"{called}: a flag is a single character")
        if not flag.on or not set(flag.on) <= values:
            raise LabelError(f"{called}: it can never be given: on = {list(flag.on)}; name values of this question")
        if flag.flag in flag.excludes:
            raise LabelError(f"{called} excludes itself; take it out of excludes")
        for other in (*flag.excludes, *([flag.mirror] if flag.mirror is not None else [])):
            if other not in known:
                raise LabelError(f"{called}: there is no flag {other!r}; take it out of excludes or mirror")
        for value in flag.on:
            if longer := next((one for one in values if one.startswith(value + flag.flag)), None):
                raise LabelError(f"{called}: {value}{flag.flag} could be the value {longer!r} too; rename one of them")


def _check_conditions(found: Scheme) -> None:
    """Every question can be asked: its conditions name answers to earlier ones, and do not contradict each other."""
    before: dict[str, Question] = {}
    asked_if: dict[str, dict[str, set[str]]] = {}
    for question in found.questions:
        needed: dict[str, set[str]] = {}
        for name, values in question.only_if.items():
            if name not in before:
                later = name in {one.name for one in found.questions}
                why = "put that question before this one" if later else "there is no such question"
                raise LabelError(f"{_of(question)}only_if names {name!r}: {why}")
            known = {value.value for value in before[name].values}
            if not values or not set(values) <= known:
                raise LabelError(f"{_of(question)}only_if: {name} is one of {sorted(known)}, not {list(values)}")
            for other, wanted in [(name, set(values)), *asked_if[name].items()]:
                choosing = needed.setdefault(other, wanted)
                needed[other] = choosing & wanted
                if not needed[other] and not before[other].several and not before[other].counted:
                    raise LabelError(f"{_of(question)}only_if: it can never be asked: nothing {other!r} may be fits")
        before[question.name], asked_if[question.name] = question, needed


def _check_parts(found: Scheme) -> None:
    """What is positive or missing can be answered, and not both."""
    known = {part for question in found.questions for part in map(question.part, _answers(question))}
    for setting in ("positive", "missing"):
        for part in getattr(found, setting):
            if part not in known:
                raise LabelError(f"{setting}: {part!r} is no answer of this scheme; known: {', '.join(sorted(known))}")
    if both := sorted(set(found.positive) & set(found.missing)):
        raise LabelError(f"{both[0]!r} is both positive and missing; take it out of one")


def _answers(question: Question) -> list[str]:
    return [value.value for value in question.values] or [str(told.get("tag")) for told in question.types]


def _check_distance(found: Scheme) -> None:
    if found.distance == "nominal":
        return
    for question in found.questions:
        if question.several or question.counted or question.kind != "choice":
            raise LabelError(
                f"{_of(question)}distance {found.distance!r} needs one answer on a scale; with several, counts or "
                f"types it has to be 'nominal'"
            )
        if found.distance == "interval":
            for value in found.order(question.name):
                if not re.fullmatch(r"-?\d+(\.\d+)?", value):
                    raise LabelError(f"{_of(question)}distance 'interval' needs numbers, and {value!r} is none")


def _check_projection(found: Scheme, name: str, view: Projection) -> None:
    called = f"projections.{name}"
    if name == FULL:
        raise LabelError(f"{called}: every scheme has it already, answers as they are; choose another name")
    question = next((one for one in found.questions if found.single or one.name == view.question), None)
    if question is None:
        raise LabelError(f"{called}: question = {view.question!r}: name one of the scheme's questions")
    if question.several or question.counted or question.kind != "choice":
        raise LabelError(f"{called}: only a question with one answer can be projected")
    values = {value.value for value in question.values}
    if unknown := sorted(set(view.map) - values):
        raise LabelError(f"{called}: map names {unknown[0]!r}, which is no value; known: {', '.join(sorted(values))}")
    if view.map and (left := sorted(values - set(view.map))):
        raise LabelError(f'{called}: map does not say what becomes of {left[0]!r}; {left[0]!r} = "" makes it missing')
    allowed = {*(view.values or view.map.values()), MISSING}
    if odd := sorted(set(view.map.values()) - allowed):
        raise LabelError(f"{called}: map leads to {odd[0]!r}, which is not among its values {list(view.values)}")
    if idle := sorted(set(view.values) - set(view.map.values())):
        raise LabelError(f"{called}: nothing leads to its value {idle[0]!r}")
    if unknown := sorted(set(view.flags) - {flag.flag for flag in question.flags}):
        raise LabelError(f"{called}: flags: there is no flag {unknown[0]!r}")


def _check_rewriting(found: Scheme) -> None:
    if found.rewrite is None:
        return
    if not found.single or found.unit != "pair":
        raise LabelError("rewrite: only schemes with one question about pairs have rewrites; leave it out")
    for label in (found.rewrite.label, *found.rewrite.not_for):
        try:
            found.normalise(label)
        except LabelError as problem:
            raise LabelError(f"rewrite: {problem}") from None
