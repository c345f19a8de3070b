"""Views: the same judgements seen strictly and loosely, by one threshold and another, side by side.

In goes what was said of a pair, as text of the ledger; out comes what the main view of the scheme makes of it, and its
label in every other view.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from sqlalchemy import Connection, Text, cast, select

from otherwords.annotate.question import Question, Value
from otherwords.annotate.ruling import Answers, Rule, Ruling, rules_of
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.schemes import scheme as scheme_of
from otherwords.annotate.standing import stands
from otherwords.corpus.labelled import MadeBy
from otherwords.corpus.polarity import polarity
from otherwords.errors import UsageError
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.registry import suggest

AS_FOUND = "as-found"  # the scheme of a project that has none: whatever labels there are


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of a pair and counts: each value as the ledger spells it, in an order that does not matter."""

    decided: str | None = None
    decided_by: Literal["consensus", "qa"] | None = None
    alone: tuple[str, ...] = ()
    votes: tuple[str, ...] = ()
    asked: int = 0
    came: str | None = None  # the label that the pair came with


@dataclass(frozen=True, slots=True)
class Seen:
    """What follows from it: by the main view, and the label in each view."""

    ruling: Ruling | None  # None: nothing was said that counts
    made_by: MadeBy | None = None
    views: dict[str, str | None] = field(default_factory=dict)
    votes: int | None = None
    positive_votes: int | None = None


class Views:
    """All views of a scheme at work."""

    def __init__(self, scheme: Scheme) -> None:
        self.scheme = scheme
        self.rules = rules_of(scheme)
        self.main = next(iter(self.rules.values()))

    def __call__(self, said: Said) -> Seen:
        """What follows from what was said."""
        rulings = {name: self._ruled(rule, said) for name, rule in self.rules.items()}
        views = {name: ruling.label if ruling else None for name, ruling in rulings.items()}
        ruling = next(iter(rulings.values()))
        if ruling is None or ruling.state != "labelled":
            return Seen(ruling, None, views)
        if said.decided is not None:
            return Seen(ruling, said.decided_by, views)
        answers = _answers(self.main, said)
        if not answers:
            return Seen(ruling, "import", views)
        yes, no = self.main.tally(_decoded(answers))
        return Seen(ruling, "votes" if ruling.by_votes else "judgements", views, yes + no, yes)

    def _ruled(self, rule: Rule, said: Said) -> Ruling | None:
        if said.decided is not None:
            return rule.of_decision(msgspec.json.decode(said.decided))
        answers = _answers(rule, said)
        if answers:
            return rule.of_answers(Answers(_decoded(answers), said.asked, bool(said.votes)))
        if said.came is not None and rule.question == self.main.question:  # it is an answer to that question
            return rule.of_import(said.came)
        return None


def _answers(rule: Rule, said: Said) -> tuple[str, ...]:
    """What a view counts: votes of people whom nobody knows only where it goes by votes."""
    return said.alone + said.votes if rule.view.rule == "votes" else said.alone


def _decoded(texts: Sequence[str]) -> list[object]:
    return [msgspec.json.decode(text) for text in texts]


def left_out_labels(scheme: Scheme) -> frozenset[str]:
    """The labels that a release does without unless somebody asks for them, as Turku's 1 and x."""
    return frozenset(scheme.leave_out)


def rule_named(scheme: Scheme, view: str | None) -> Rule:
    """A view of a scheme by its name; without one, the main view."""
    rules = rules_of(scheme)
    if view is not None and view not in rules:
        raise UsageError(f"the scheme {scheme.name!r} has no view {view!r}{suggest(view, list(rules))}")
    return rules[view] if view is not None else next(iter(rules.values()))


def scheme_in(project: Project, name: str | None = None) -> Scheme:
    """The scheme that labels are made by: the one named, the project's own, or whatever its labels are."""
    wanted = name or project.config.scheme
    if wanted:
        return scheme_of(wanted, project.folder)
    with project.ledger.reading() as connection:
        return _as_found(_labels_in(connection))


def _as_found(labels: Iterable[str]) -> Scheme:
    known = sorted(set(labels))
    says = polarity(known)
    values = tuple(Value(value=label, key=label[:1], name=label) for label in known)
    sides = {label: says(label) for label in known}
    return Scheme(
        name=AS_FOUND,
        title="The labels that are there",
        questions=(Question(values=values),),
        positive=tuple(label for label, side in sides.items() if side),
        missing=tuple(label for label, side in sides.items() if side is None),
    )


def _labels_in(connection: Connection) -> list[str]:
    """All labels that pairs came with, and all plain answers."""
    one, said = schema.pairs, schema.judgements
    came = connection.execute(select(one.c.label).where(one.c.label.is_not(None)).distinct()).scalars()
    text = cast(said.c.value, Text)
    answers = connection.execute(select(text).where(said.c.unit == "pair", stands()).distinct()).scalars()
    plain = [value for value in map(msgspec.json.decode, answers) if isinstance(value, str | bool | int)]
    words = {True: "yes", False: "no"}
    return [*came, *(words[value] if isinstance(value, bool) else str(value) for value in plain if value != "")]
