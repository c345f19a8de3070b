"""Labels of pairs and values of judgements on their way into a project: renamed as asked, compared with a scheme.

A label that the scheme does not have is kept as it is, and counted with the nearest values of the scheme, so that
somebody notices before people work with it. What a scheme is, only a later room knows: it hands over a function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from otherwords.errors import LabelError
from otherwords.records import Judgement, Pair
from otherwords.registry import nearest
from otherwords.sources.rows.records import scalar_text

MOST_NAMED = 10  # labels outside the scheme that a result names
LONGEST = 40  # characters of a label in a message
NO_ANSWER = ""  # what a label is renamed to that means that there is none


@dataclass(frozen=True, slots=True)
class AnswerRules:
    """The names by which ``--map`` replaces labels, and the scheme of the project, if it has one."""

    mapping: Mapping[str, str] = field(default_factory=dict)
    scheme: str | None = None
    normalise: Callable[[Any], Any] | None = None  # the answer as the scheme spells it; LabelError for any other
    values: Sequence[str] = ()  # of the scheme, for proposals


@dataclass(slots=True)
class AnswerLog:
    """Applies the rules to the records of one reading of a file, and counts."""

    rules: AnswerRules
    mapped: Counter[tuple[str, str]] = field(default_factory=Counter)
    outside: Counter[str] = field(default_factory=Counter)
    _by_case: dict[str, str] = field(default_factory=dict)
    _known: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_case = {name.strip().casefold(): value for name, value in self.rules.mapping.items()}

    def pair(self, pair: Pair) -> Pair:
        """The pair with the labels that it has in the project: its own, and that of a test."""
        label, gold = self._label(pair.label), pair.gold
        if gold is not None:
            known = self._label(gold.label)
            gold = None if known is None else msgspec.structs.replace(gold, label=known)
        return (
            pair if (label, gold) == (pair.label, pair.gold) else msgspec.structs.replace(pair, label=label, gold=gold)
        )

    def _label(self, given: str | None) -> str | None:
        """A label as the project has it; None where there is none, or if it is renamed to no answer."""
        label = None if given is None else self._renamed(given)
        if label is None or label == NO_ANSWER:
            return None
        self._compare(label)
        return label

    def judgement(self, judgement: Judgement) -> Judgement | None:
        """The judgement with the value that it has in the project; None if it is renamed to no answer."""
        if judgement.unit != "pair":
            return judgement
        value = judgement.value
        if isinstance(value, bool | int | float | str):
            text = value.strip() if isinstance(value, str) else scalar_text(value)
            renamed = self._renamed(text)
            if renamed == NO_ANSWER and text:
                return None
            value = renamed if renamed != text else value
        if judgement.scheme in (None, self.rules.scheme):
            self._compare(value)
        return judgement if value == judgement.value else msgspec.structs.replace(judgement, value=value)

    def _renamed(self, label: str) -> str:
        """The name that the user gave a label, as it is written or without regard to case and blanks."""
        if not self.rules.mapping:
            return label
        name = self.rules.mapping.get(label, self._by_case.get(label.strip().casefold()))
        if name is None or name == label:
            return label
        self.mapped[label, name] += 1
        return name

    def _compare(self, answer: Any) -> None:
        if self.rules.normalise is None:
            return
        text = answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()
        key = f"{type(answer).__name__}:{text}"
        if key not in self._known:
            try:
                self.rules.normalise(answer)
                self._known[key] = True
            except LabelError:
                self._known[key] = False
        if not self._known[key]:
            self.outside[text] += 1


def answer_lines(log: AnswerLog) -> Iterator[str]:
    """What was renamed, and which labels the scheme does not have, in sentences."""
    for (label, name), count in sorted(log.mapped.items(), key=lambda item: (-item[1], item[0])):
        yield f"  renamed: {count:,} × {_short(label)} → {name}" if name else f"  left out: {count:,} × {_short(label)}"
    if not log.outside:
        return
    rules, by_case = log.rules, {value.casefold(): value for value in log.rules.values}
    if not rules.values:  # a plain label is no complete answer to several questions
        yield f"  labels of the file, kept as they are: {_counted(log.outside)}"
        yield f"  the scheme {rules.scheme} asks several questions; where a label fits, it answers the one that counts"
        return
    names = [f"{label.strip()[:LONGEST]}={name or ''}" for label, name in sorted(log.mapped)]  # those of this import
    for label, count in log.outside.most_common(MOST_NAMED):
        near = [by_case[name] for name in nearest(label.strip().casefold(), by_case)]
        names.append(f"{label.strip()[:LONGEST]}={near[0] if near else '…'}")
        proposal = f" (nearest: {', '.join(near)})" if near else ""
        yield f"  outside the scheme {rules.scheme}: {count:,} × {_short(label)}{proposal}"
    if rest := log.outside.most_common()[MOST_NAMED:]:
        rows = sum(count for _, count in rest)
        yield f"  outside the scheme {rules.scheme}: {rows:,} × one of {len(rest):,} other labels"
    known = f"; the scheme has {', '.join(rules.values)}" if len(rules.values) <= MOST_NAMED else ""
    yield f'  they are kept as they are; to rename them, import again with --map "{",".join(names)}"{known}'


def _counted(labels: Counter[str]) -> str:
    named = [f"{count:,} × {_short(label)}" for label, count in labels.most_common(MOST_NAMED)]
    others = sum(labels.values()) - sum(count for _, count in labels.most_common(MOST_NAMED))
    return ", ".join([*named, f"{others:,} × others"] if others else named)


def _short(label: str) -> str:
    return repr(label if len(label) <= LONGEST else f"{label[:LONGEST]}…")
