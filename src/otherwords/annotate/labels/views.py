"""Views of a scheme: the same judgements read strictly and loosely, by one threshold and another, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from sqlalchemy import Connection, Text, cast, select

from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.labels.label_rule import LabelDecision, LabelRule, PairAnswers, label_rules, polarity
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.schemes.question import Question, Value
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import UsageError
from otherwords.project.ledger import schema
from otherwords.project.project import Project
from otherwords.records import MODEL
from otherwords.registry import suggest

MadeBy = Literal["consensus", "qa", "judgements", "votes", "import", "rewrite"]
AS_FOUND = "as-found"  # the scheme of a project that has none: whatever labels there are


@dataclass(frozen=True, slots=True)
class CountedValues:
    """The values of a pair's judgements that count, as JSON of the ledger; their order does not matter."""

    decided: str | None = None
    decided_by: Literal["consensus", "qa"] | None = None
    alone: tuple[str, ...] = ()
    votes: tuple[str, ...] = ()
    asked: int = 0
    imported: str | None = None  # the label that the pair was imported with


@dataclass(frozen=True, slots=True)
class ViewLabels:
    """The decision of the main view about a pair, and its label in each view."""

    decision: LabelDecision | None  # None: there is nothing that counts
    made_by: MadeBy | None = None
    views: dict[str, str | None] = field(default_factory=dict)
    votes: int | None = None
    positive_votes: int | None = None


class SchemeViews:
    """Labels pairs by all views of a scheme at once."""

    def __init__(self, scheme: Scheme) -> None:
        self.scheme = scheme
        self.rules = label_rules(scheme)
        self.main = next(iter(self.rules.values()))

    def labels(self, values: CountedValues) -> ViewLabels:
        """What the views make of some values."""
        decisions = {name: self._decide(rule, values) for name, rule in self.rules.items()}
        views = {name: decision.label if decision else None for name, decision in decisions.items()}
        main = next(iter(decisions.values()))
        if main is None or main.state != "labelled":
            return ViewLabels(main, None, views)
        if values.decided is not None:
            return ViewLabels(main, values.decided_by, views)
        answers = _answers(self.main, values)
        if not answers:
            return ViewLabels(main, "import", views)
        yes, no = self.main.tally(_decode(answers))
        return ViewLabels(main, "votes" if main.by_votes else "judgements", views, yes + no, yes)

    def _decide(self, rule: LabelRule, values: CountedValues) -> LabelDecision | None:
        if values.decided is not None:
            return rule.of_decision(msgspec.json.decode(values.decided))
        answers = _answers(rule, values)
        if answers:
            return rule.of_answers(PairAnswers(_decode(answers), values.asked, bool(values.votes)))
        if values.imported is not None and rule.question == self.main.question:  # it is an answer to that question
            return rule.of_import(values.imported)
        return None


def _answers(rule: LabelRule, values: CountedValues) -> tuple[str, ...]:
    """The answers that a view counts: anonymous votes only where it goes by votes."""
    return values.alone + values.votes if rule.view.rule == "votes" else values.alone


def _decode(texts: Sequence[str]) -> list[object]:
    return [msgspec.json.decode(text) for text in texts]


def left_out_labels(scheme: Scheme) -> frozenset[str]:
    """The labels that a release leaves out unless somebody asks for them, such as Turku's 1 and x."""
    return frozenset(scheme.leave_out)


def view_rule(scheme: Scheme, view: str | None) -> LabelRule:
    """The rule of a view by its name; without a name, of the main view."""
    rules = label_rules(scheme)
    if view is None:
        return next(iter(rules.values()))
    if view not in rules:
        message = f"the scheme {scheme.name!r} has no view {view!r}{suggest(view, list(rules))}"
        raise UsageError(message, code="no-such-view")
    return rules[view]


def labelling_scheme(project: Project, name: str | None = None) -> Scheme:
    """The scheme to label by: the named one, the project's own, or one made of the labels that are there."""
    wanted = name or project.config.scheme
    if wanted:
        return load_scheme(wanted, project.folder)
    with project.ledger.reading() as connection:
        return as_found(_labels_in(connection))


def as_found(labels: Iterable[str]) -> Scheme:
    """A scheme of these labels, for judgements and pairs that come without one."""
    known = sorted(set(labels))
    is_positive = polarity(known)
    values = tuple(Value(value=label, key=label[:1], name=label) for label in known)
    poles = {label: is_positive(label) for label in known}
    return Scheme(
        name=AS_FOUND,
        title="The labels that are there",
        questions=(Question(values=values),),
        positive=tuple(label for label, pole in poles.items() if pole),
        missing=tuple(label for label, pole in poles.items() if pole is None),
    )


def _labels_in(connection: Connection) -> list[str]:
    """All labels that pairs were imported with, and all plain answers."""
    pairs, judgements = schema.pairs, schema.judgements
    imported = connection.execute(select(pairs.c.label).where(pairs.c.label.is_not(None)).distinct()).scalars()
    text = cast(judgements.c.value, Text)
    of_pairs = (judgements.c.unit == "pair", judgements.c.kind != MODEL, is_current())
    answers = connection.execute(select(text).where(*of_pairs).distinct()).scalars()
    plain = [value for value in map(msgspec.json.decode, answers) if isinstance(value, str | bool | int)]
    words = {True: "yes", False: "no"}
    return [*imported, *(words[value] if isinstance(value, bool) else str(value) for value in plain if value != "")]
