"""Whether a release is what it says: every file as it was written, every row what the pairs make it, nothing leaking.

In goes the folder of a release, out comes a :class:`Verified` with all that is wrong. With the project that it was made
from, every pair is also followed back to the judgements that made its label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherwords.annotate import schemes
from otherwords.annotate.ruling import NEGATIVE, POSITIVE, Rule
from otherwords.corpus.corpora import DATA, PLAIN
from otherwords.corpus.release_leaks import leaks_checks
from otherwords.corpus.release_pairs import pairs_of, part_of, read_pairs
from otherwords.corpus.release_papers import read_facts
from otherwords.corpus.verify_configs import config_problems
from otherwords.corpus.verify_files import file_problems
from otherwords.corpus.verify_labels import label_problems
from otherwords.corpus.views import rule_named
from otherwords.errors import LabelError, UsageError
from otherwords.records import Pair

SHOWN = 20  # problems of a kind that are told one by one


@dataclass(slots=True)
class Verified:
    """What was looked at, and what is wrong."""

    folder: str
    version: str
    pairs: int = 0
    problems: dict[str, list[str]] = field(default_factory=dict)  # by what was looked at, in that order
    more: dict[str, int] = field(default_factory=dict)  # problems that are not told one by one

    @property
    def sound(self) -> bool:
        return not any(self.problems.values())

    def look(self, at: str, found: Iterator[str]) -> None:
        """Note what is wrong with something."""
        shown: list[str] = []
        rest = 0
        for problem in found:
            if len(shown) < SHOWN:
                shown.append(problem)
            else:
                rest += 1
        self.problems[at] = shown
        if rest:
            self.more[at] = rest


def verify(folder: str | Path, project: str | Path | None = None) -> Verified:
    """Look at everything; what cannot be read at all is told as the problem that it is."""
    place = Path(folder)
    told = read_facts(place)
    verified = Verified(str(folder), told["version"])
    verified.look("files", file_problems(place))
    pairs = place / DATA / PLAIN
    try:
        counts = _counted(pairs)
    except (OSError, ValueError, RecursionError) as problem:
        verified.look("pairs", iter([f"{DATA}/{PLAIN}: cannot be read: {problem}"]))
        return verified
    verified.pairs = sum(labels.total() for labels in counts.values())
    looks: dict[str, Callable[[], Iterator[str]]] = {
        "counts": lambda: _count_problems(told, counts),
        "labels": lambda: _scheme_problems(told, counts, project),
        "configs": lambda: config_problems(place, pairs, list(counts), told),
        "leaks": lambda: _leaks(pairs, counts, told),
    }
    if project is not None:
        looks["project"] = lambda: label_problems(Path(project), pairs, told)
    for at, look in looks.items():
        verified.look(at, look())
    return verified


def _counted(pairs: Path) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for block in read_pairs(pairs):
        for pair in block:
            counts.setdefault(part_of(pair), Counter())[str(pair.label)] += 1
    return counts


def _count_problems(told: dict[str, Any], counts: dict[str, Counter[str]]) -> Iterator[str]:
    said = told.get("counts")
    if not isinstance(said, dict):
        yield "release.json does not say how many pairs there are"
        return
    for part in sorted({*said, *counts}):
        there, listed = dict(counts.get(part, {})), said.get(part) or {}
        if there != listed:
            labels = sorted(label for label in {*there, *listed} if there.get(label) != listed.get(label))
            differ = ", ".join(f"{label}: {listed.get(label, 0)} said, {there.get(label, 0)} there" for label in labels)
            yield f"the counts of {part} in release.json are not those of the pairs ({differ})"


def _scheme_problems(
    told: dict[str, Any], counts: dict[str, Counter[str]], project: str | Path | None
) -> Iterator[str]:
    name, view = told.get("scheme"), (told.get("parameters") or {}).get("view")
    if not isinstance(name, str):
        return
    try:
        rule = rule_named(schemes.scheme(name, Path(project) if project is not None else None), view)
    except UsageError:
        return  # one of the project's own, which is not at hand
    for label in sorted({label for labels in counts.values() for label in labels}):
        if not _is_label(rule, label):
            yield f"label {label!r} is outside the scheme {name}"


def _is_label(rule: Rule, label: str) -> bool:
    """Whether a view has a label: a side, a value of its projection, or an answer to its question."""
    if label in (POSITIVE, NEGATIVE) or rule.question is None:
        return True
    if rule.view.projection in rule.scheme.projections:
        return rule.positive(label) is not None
    try:
        return bool(rule.question.normalise(label) == label)
    except LabelError:
        return False


def _leaks(pairs: Path, counts: dict[str, Counter[str]], told: dict[str, Any]) -> Iterator[str]:
    """Leaks that the release was made in spite of are no news; more of them are."""
    streams = {part: _in_part(pairs, part) for part in counts}
    check = leaks_checks(streams, sum(labels.total() for labels in counts.values()))[0]
    said = [one for one in told.get("checks", []) if one.get("name") == "leaks" and one.get("overruled")]
    if check.count > sum(one.get("count", 0) for one in said):
        yield f"{check.says}: {check.count:,}{' such as ' if check.examples else ''}{'; '.join(check.examples)}"


def _in_part(pairs: Path, part: str) -> Iterator[Pair]:
    return (pair for pair in pairs_of(pairs) if part_of(pair) == part)
