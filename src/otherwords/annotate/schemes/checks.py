"""Check a scheme before anybody works with it: keys do one thing, values can be given, rules do not contradict."""

from __future__ import annotations

import re
import unicodedata

from otherwords.annotate.schemes.phenomena import tag_set
from otherwords.annotate.schemes.question import Flag, Question, Value
from otherwords.annotate.schemes.scheme import FULL, MISSING, Projection, Scheme, View
from otherwords.errors import LabelError

NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
QUESTION = re.compile(r"[a-z][a-z0-9_]*")
VIEW = re.compile(r"[a-z0-9][a-z0-9_-]*")
NUMBER = re.compile(r"-?\d+(\.\d+)?")
PAGE_KEYS = frozenset("urcjk/?gdth") | {"Enter", "Backspace", "Escape", " "}
ADOPTING_KEYS = frozenset("abcdefgh")  # on the adjudication page, each adopts somebody's judgement
EDITOR_KEYS = frozenset("pqmi[]")  # of the types editor: projection, key elements, modify, identical, previous and next
MAX_VALUES = 60
MAX_CHARACTERS = 80
MAX_VOTES = 1000


def check(scheme: Scheme) -> None:
    """Refuse a scheme that cannot be worked with."""
    if not NAME.fullmatch(scheme.name):
        message = f"name: {scheme.name!r} has other characters than small letters, digits and hyphens"
        raise LabelError(message, code="bad-scheme-name")
    if not scheme.title.strip():
        raise LabelError("title: say in a few words what is asked", code="empty-title")
    _check_names(scheme)
    for question in scheme.questions:
        _check_values(question)
        _check_keys(question)
        _check_flags(question)
    _check_types(scheme)
    _check_conditions(scheme)
    _check_parts(scheme)
    _check_distance(scheme)
    for name, projection in scheme.projections.items():
        _check_projection(scheme, name, projection)
    _check_views(scheme)
    _check_rewrite(scheme)


def _check_names(scheme: Scheme) -> None:
    if not scheme.questions:
        raise LabelError("a scheme needs a question: give it values", code="no-questions")
    seen: set[str] = set()
    for question in scheme.questions:
        if scheme.single:
            continue
        if not QUESTION.fullmatch(question.name):
            message = "questions: answers are stored under the name of a question, of small letters, digits and _"
            raise LabelError(f"{message}; found {question.name!r}", code="bad-question-name")
        if question.name in seen:
            raise LabelError(f"questions: two are called {question.name!r}; rename one", code="duplicate-question")
        seen.add(question.name)


def _prefix(question: Question) -> str:
    return f"question {question.name!r}, " if question.name else ""


def _check_values(question: Question) -> None:
    prefix = _prefix(question)
    if question.kind == "types":
        if question.values or question.flags or question.several or question.counted:
            raise LabelError(f"{prefix}kind 'types': leave out values and flags", code="values-with-types")
        if not question.types:
            raise LabelError(f"{prefix}kind 'types': list the types under [[types]]", code="no-types")
        return
    if question.types:
        raise LabelError(f'{prefix}types go with kind = "types"', code="types-without-kind")
    if not 1 <= len(question.values) <= MAX_VALUES:
        message = f"{prefix}values: a question has 1 to {MAX_VALUES}, not {len(question.values)}"
        raise LabelError(message, code="number-of-values")
    if question.several and question.counted:
        message = f"{prefix}several and counted: choose one; counted answers may be several anyway"
        raise LabelError(message, code="several-and-counted")
    for value in question.values:
        visible = all(unicodedata.category(char)[0] != "C" for char in value.value)
        if not value.value.strip() or len(value.value) > MAX_CHARACTERS or not visible or "=" in value.value:
            limits = f"a value has 1 to {MAX_CHARACTERS} characters, none of them = or invisible"
            raise LabelError(f"{prefix}value {value.value!r}: {limits}", code="bad-value")
        if not value.name.strip():
            raise LabelError(f"{prefix}value {value.value!r}: give it a name to be shown by", code="unnamed-value")
    _check_unique(question, "value", [value.value for value in question.values])


def _check_unique(question: Question, noun: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise LabelError(f"{_prefix(question)}{noun} {name!r} is there twice; remove one", code=f"duplicate-{noun}")


def _check_keys(question: Question) -> None:
    """Check keys within a question; another question may use the same ones."""
    owners: dict[str, str] = {}
    keys = [(f"value {value.value!r}", value.key) for value in question.values]
    keys += [(f"flag {flag.flag!r}", flag.key) for flag in question.flags]
    for owner, key in keys:
        place, lower = _prefix(question) + owner, key.lower()
        if len(key) != 1 or not key.isprintable():
            raise LabelError(f"{place}: its key has to be a single character, not {key!r}", code="bad-key")
        if lower in PAGE_KEYS:
            raise LabelError(f"{place}: key {key!r} is taken by the page itself; choose another", code="page-key")
        if lower in ADOPTING_KEYS:
            message = f"{place}: key {key!r} adopts a judgement in adjudication (a to h do); choose another"
            raise LabelError(message, code="adjudication-key")
        if lower in owners:
            raise LabelError(f"{place}: key {key!r} is taken by {owners[lower]}; choose another", code="duplicate-key")
        owners[lower] = owner


def _check_flags(question: Question) -> None:
    if question.flags and not question.has_one_answer:
        message = f"{_prefix(question)}flags go with questions that have one answer, neither several nor counted"
        raise LabelError(message, code="flags-not-allowed")
    _check_unique(question, "flag", [flag.flag for flag in question.flags])
    values, flags = {value.value for value in question.values}, {flag.flag for flag in question.flags}
    for flag in question.flags:
        place = f"{_prefix(question)}flag {flag.flag!r}"
        if len(flag.flag) != 1 or not flag.flag.isprintable() or flag.flag in "= ":
            raise LabelError(f"{place}: a flag is a single character", code="bad-flag")
        if not flag.on or not set(flag.on) <= values:
            message = f"{place}: it can never be given: on = {list(flag.on)}; name values of this question"
            raise LabelError(message, code="flag-on-nothing")
        if flag.flag in flag.excludes:
            raise LabelError(f"{place} excludes itself; remove it from excludes", code="flag-excludes-itself")
        for other in (*flag.excludes, *([flag.mirror] if flag.mirror is not None else [])):
            if other not in flags:
                raise LabelError(f"{place}: no flag {other!r}; remove it from excludes or mirror", code="no-such-flag")
        for value in flag.on:
            if longer := next((known for known in values if known.startswith(value + flag.flag)), None):
                message = f"{place}: {value}{flag.flag} could be the value {longer!r} too; rename one of them"
                raise LabelError(message, code="ambiguous-flag")


def _check_types(scheme: Scheme) -> None:
    """Check a tag set: one question of that kind, about pairs, and keys that the editor does not use itself."""
    tagging = [question for question in scheme.questions if question.kind == "types"]
    if not tagging:
        return
    if len(tagging) > 1:
        message = "questions: only one of them may be of kind 'types'; put all types into it"
        raise LabelError(message, code="several-types-questions")
    if scheme.unit != "pair":
        raise LabelError(f"unit: types are marked in pairs, not in a {scheme.unit}", code="types-not-on-pairs")
    tag_set(tagging[0].types)
    for question in scheme.questions:
        entries: list[Value | Flag] = [*question.values, *question.flags]
        for entry in entries:
            if entry.key.lower() in EDITOR_KEYS:
                message = f"{entry.name!r}: key {entry.key!r} is taken by the editor of types; choose another"
                raise LabelError(message, code="editor-key")


def _check_conditions(scheme: Scheme) -> None:
    """Every question can be asked: its conditions name answers to earlier ones and do not contradict each other."""
    earlier: dict[str, Question] = {}
    needed_by: dict[str, dict[str, set[str]]] = {}  # by question: the answers to earlier ones that it needs
    for question in scheme.questions:
        place = f"{_prefix(question)}only_if"
        needed: dict[str, set[str]] = {}
        for name, values in question.only_if.items():
            if name not in earlier:
                later = name in {other.name for other in scheme.questions}
                advice = "put that question before this one" if later else "there is no such question"
                raise LabelError(f"{place} names {name!r}: {advice}", code="condition-not-earlier")
            known = {value.value for value in earlier[name].values}
            if not values or not set(values) <= known:
                raise LabelError(f"{place}: {name} is one of {sorted(known)}, not {list(values)}", code="bad-condition")
            for other, wanted in [(name, set(values)), *needed_by[name].items()]:
                needed[other] = needed.get(other, wanted) & wanted
                if not needed[other] and not earlier[other].several and not earlier[other].counted:
                    message = f"{place}: it can never be asked: no answer to {other!r} fits"
                    raise LabelError(message, code="contradictory-conditions")
        earlier[question.name], needed_by[question.name] = question, needed


def _check_parts(scheme: Scheme) -> None:
    """Positive and missing parts are answers of the scheme, and none is both."""
    known = {question.part(value.value) for question in scheme.questions for value in question.values}
    known |= {question.part(str(entry.get("tag"))) for question in scheme.questions for entry in question.types}
    for setting in ("positive", "missing"):
        for part in getattr(scheme, setting):
            if part not in known:
                message = f"{setting}: {part!r} is not an answer of this scheme; known: {', '.join(sorted(known))}"
                raise LabelError(message, code="unknown-answer")
    if both := sorted(set(scheme.positive) & set(scheme.missing)):
        raise LabelError(f"{both[0]!r} is both positive and missing; remove it from one", code="positive-and-missing")


def _check_distance(scheme: Scheme) -> None:
    if scheme.distance == "nominal":
        return
    for question in scheme.questions:
        place = f"{_prefix(question)}distance {scheme.distance!r}"
        if not question.has_one_answer:
            message = f"{place} needs one answer on a scale; with several, counts or types it has to be 'nominal'"
            raise LabelError(message, code="distance-without-scale")
        if scheme.distance == "interval":
            for value in scheme.order(question.name):
                if not NUMBER.fullmatch(value):
                    raise LabelError(f"{place} needs numbers, and {value!r} is not one", code="distance-not-numeric")


def _check_projection(scheme: Scheme, name: str, projection: Projection) -> None:
    place = f"projections.{name}"
    if name == FULL:
        message = f"{place}: every scheme has this one, answers as they are; choose another name"
        raise LabelError(message, code="reserved-projection")
    question = scheme.find_question(projection.question)
    if question is None:
        message = f"{place}: question = {projection.question!r}: name one of the scheme's questions"
        raise LabelError(message, code="no-such-question")
    if not question.has_one_answer:
        raise LabelError(f"{place}: only a question with one answer can be projected", code="several-answers")
    _check_map(place, question, projection)
    if unknown := sorted(set(projection.flags) - {flag.flag for flag in question.flags}):
        raise LabelError(f"{place}: flags: there is no flag {unknown[0]!r}", code="no-such-flag")


def _check_map(place: str, question: Question, projection: Projection) -> None:
    values, targets = {value.value for value in question.values}, set(projection.map.values())
    if unknown := sorted(set(projection.map) - values):
        message = f"{place}: map names {unknown[0]!r}, which is not a value; known: {', '.join(sorted(values))}"
        raise LabelError(message, code="unknown-value")
    if projection.map and (unmapped := sorted(values - set(projection.map))):
        message = f'{place}: map does not say what becomes of {unmapped[0]!r}; {unmapped[0]!r} = "" makes it missing'
        raise LabelError(message, code="unmapped-value")
    if undeclared := sorted(targets - {*(projection.values or targets), MISSING}):
        message = f"{place}: map leads to {undeclared[0]!r}, which is not among its values {list(projection.values)}"
        raise LabelError(message, code="undeclared-value")
    if unreachable := sorted(set(projection.values) - targets):
        raise LabelError(f"{place}: nothing leads to its value {unreachable[0]!r}", code="unreachable-value")


def _check_rewrite(scheme: Scheme) -> None:
    if scheme.rewrite is None:
        return
    if not scheme.single or scheme.unit != "pair":
        message = "rewrite: only schemes with one question about pairs have rewrites; leave it out"
        raise LabelError(message, code="rewrite-not-allowed")
    for label in (scheme.rewrite.label, *scheme.rewrite.not_for):
        try:
            scheme.normalise(label)
        except LabelError as problem:
            raise LabelError(f"rewrite: {problem}", code=problem.code) from None


def _check_views(scheme: Scheme) -> None:
    """Refuse views that cannot be computed, and labels to leave out that nobody can give."""
    values = {question.name: {value.value for value in question.values} for question in scheme.questions}
    for name, view in scheme.views.items():
        place = f"views.{name}"
        if not VIEW.fullmatch(name):
            raise LabelError(f"{place}: a name has small letters, digits, - and _ only", code="bad-view-name")
        _check_rule(place, view)
        question = _find_question(place, scheme, view)
        _check_positive(place, view, question)
        for asked, answers in view.all_say.items():
            if not answers or not set(answers) <= values.get(asked, set()):
                message = f"{place}: all_say: {asked} = {list(answers)}: name a question and some of its values"
                raise LabelError(message, code="bad-all-say")
        if view.rule == "votes" and not (view.positive or scheme.positive):
            message = f"{place}: votes need to know which answers are positive; name them under positive"
            raise LabelError(message, code="votes-without-positive")
    all_values = set[str]().union(*values.values())
    if unknown := sorted(set(scheme.leave_out) - all_values):
        message = f"leave_out: {unknown[0]!r} is not a value; known: {', '.join(sorted(all_values))}"
        raise LabelError(message, code="unknown-value")


def _check_rule(place: str, view: View) -> None:
    if view.rule == "votes":
        if view.threshold is None or view.expected is None:
            raise LabelError(f"{place}: votes need both, as in threshold = 3, of = 6", code="missing-threshold")
        if not 0 < view.threshold < view.expected <= MAX_VOTES:
            message = f"{place}: threshold {view.threshold} of {view.expected}: give 0 < threshold < of ≤ {MAX_VOTES}"
            raise LabelError(message, code="bad-threshold")
        return
    if view.threshold is not None:
        raise LabelError(f'{place}: a threshold goes with rule = "votes"', code="threshold-without-votes")
    if view.expected is not None and (view.rule == "single" or not 2 <= view.expected <= MAX_VOTES):
        message = f'{place}: of = {view.expected}: the number who have to agree, 2 or more, with rule = "agreement"'
        raise LabelError(message, code="bad-agreement-size")


def _find_question(place: str, scheme: Scheme, view: View) -> Question:
    """The question that a view is about, which has to have one answer."""
    if view.projection and view.projection != FULL and view.projection not in scheme.projections:
        known = ", ".join([FULL, *scheme.projections])
        raise LabelError(f"{place}: no projection {view.projection!r}; known: {known}", code="no-such-projection")
    projection = scheme.projections.get(view.projection)
    if projection and view.question and projection.question != view.question:
        message = f"{place}: its projection is about {projection.question!r}; leave out the question"
        raise LabelError(message, code="question-of-projection")
    name = view.question or (projection.question if projection else "")
    question = scheme.find_question(name)
    if question is None:
        raise LabelError(f"{place}: question = {name!r}: name one of the scheme's questions", code="no-such-question")
    if not question.has_one_answer:
        message = f"{place}: a label is one answer, and {name or 'this question'} may have several"
        raise LabelError(message, code="several-answers")
    return question


def _check_positive(place: str, view: View, question: Question) -> None:
    values = {value.value for value in question.values}
    if unknown := sorted(set(view.positive) - values):
        message = f"{place}: positive: {unknown[0]!r} is not a value; known: {', '.join(sorted(values))}"
        raise LabelError(message, code="unknown-value")
    if view.positive and view.projection:
        message = f"{place}: positive and projection: choose one; each says what the labels are"
        raise LabelError(message, code="positive-and-projection")
    if view.plain and not view.positive:
        raise LabelError(f"{place}: plain goes with positive", code="plain-without-positive")
