"""How far people agree: judgements in, figures of agreement, confusion matrices and weeks out.

Judgements of each scheme and unit are a set by themselves, and so is each question that a scheme asks; what was said by
one person is compared with what others said and, apart from that, with what the team agreed on. Whatever cannot be
computed says why; the rest is computed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from otherwords.analyse.agree_answers import scale_of, scheme_of, views
from otherwords.analyse.agree_questions import Labelled, questions
from otherwords.analyse.agree_rows import Said, Sets
from otherwords.analyse.agree_types import types_figures
from otherwords.annotate.queues import EXTRACT, TRIAGE
from otherwords.annotate.scheme import FULL, Scheme
from otherwords.measures.agreement.codes import Codes, Ints
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.labelled import by_label, together
from otherwords.measures.agreement.pairwise import confusion
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.agreement.scale import Scale
from otherwords.measures.agreement.setting import Setting
from otherwords.measures.agreement.two_by_two import two_by_two, with_consensus
from otherwords.records import phenomena_in

By = Literal["annotator", "label", "week", "batch"]
BYS: tuple[By, ...] = get_args(By)
ARROWS = "arrows"
TEAM = "\0consensus"  # a name that nobody has
SHOWN = 45  # confusion matrices on a page: of ten annotators
TASKS = (TRIAGE, EXTRACT)  # whose answers are of no scheme
NOUNS = {"pair": "pair", "document_pair": "document pair", "group": "group"}


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often one annotator's label met the other's."""

    part: str
    first: str
    second: str
    categories: tuple[str, ...]
    counts: Ints


@dataclass(slots=True)
class Report:
    """All that was found: figures, what has to be said about them, and what pictures are drawn from."""

    figures: list[Figure] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    confusions: list[Confusion] = field(default_factory=list)
    weeks: dict[str, dict[str, list[Figure]]] = field(default_factory=dict)  # by set of labels, then by week

    @property
    def computed(self) -> bool:
        return any(one.value is not None for one in self.figures)


@dataclass(frozen=True, slots=True)
class Asking:
    """What is wanted of the judgements: parts, projections, intervals. Without projections, the full labels."""

    by: By | None = None
    labels: tuple[str, ...] = ()
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    project: Path | None = None
    pictures: bool = False


@dataclass(frozen=True, slots=True)
class _Set:
    """The judgements of one scheme and unit."""

    said: Said
    scheme: Scheme | None
    part: dict[str, str]
    noun: str
    told: dict[str, str]


def agree(sets: Sets, asking: Asking) -> Report:
    """Measure agreement."""
    report = Report()
    if not sets:
        report.remarks.append("there are no judgements to compare")
    if len(sets) > 1:
        names = ", ".join(sorted({name or "no scheme" for name, _ in sets}))
        report.remarks.append(f"there are judgements of more than one kind ({names}); each is measured by itself")
    for (name, unit), said in sets.items():
        scheme = scheme_of(name, said.all_values, asking.project)
        if name is not None and scheme is None and name not in TASKS:
            report.remarks.append(f"the scheme {name} is not known; its values are compared as they are")
        several = {"scheme": name or "none", **({"unit": unit} if unit != "pair" else {})} if len(sets) > 1 else {}
        known = {"scheme": scheme.name if scheme else name or "none"}
        one = _Set(said, scheme, several, NOUNS.get(unit, unit), known)
        report.remarks += _twice(one)
        _measure(one, asking, report)
    return report


def _twice(one: _Set) -> list[str]:
    """A word about those who judged something twice."""
    places = {place: name for name, place in one.said.names.items() if name is not None}
    both = np.array(one.said.people) * len(one.said.unit_names) + np.array(one.said.units)
    again = np.unique_counts(both)
    times = Counter((again.values[again.counts > 1] // max(1, len(one.said.unit_names))).tolist())
    return [
        f"{places[who]} judged {count:,} {one.noun}{'s' * (count > 1)} more than once; the last judgement counts"
        for who, count in sorted(times.items())
        if who in places
    ]


def _measure(one: _Set, asking: Asking, report: Report) -> None:
    """The figures of a set under every projection that was asked for."""
    known = views(one.scheme)
    for view in asking.labels or (FULL,):
        if view in known:
            _under(one, view, asking, report)
        else:
            name = f"the scheme {one.scheme.name}" if one.scheme else "no known scheme"
            report.remarks.append(f"labels of {name} have no projection {view}, only {', '.join(known)}")
    if not asking.labels and ARROWS in known:
        for labelled in questions(one.said, one.scheme, ARROWS)[0]:  # Kanerva et al. 2023, §6.1: on these as well
            setting = _setting(one, labelled.question, ARROWS, Scale(), asking)
            means = two_by_two(labelled.codes(), setting)
            report.figures += [figure for figure in means if figure.measure.startswith("cohen-mean")]
            report.figures += _team(labelled, setting)
    if asking.labels in ((), (FULL,)) and any(map(phenomena_in, one.said.all_values)):
        setting = _setting(one, "", "types", Scale(), asking)
        report.figures += types_figures(one.said.typed, asking.project, setting)


def _under(one: _Set, view: str, asking: Asking, report: Report) -> None:
    """The figures of each question of a set under a projection."""
    asked, wrong = questions(one.said, one.scheme, view)
    report.remarks += [f"left out: {problem}" for problem in wrong]
    for labelled in asked:
        scale = scale_of(sorted(labelled.spelled), one.scheme, labelled.question, view)
        setting = _setting(one, labelled.question, view, scale, asking)
        order = [label for label, _ in scale.places]
        codes = labelled.codes(order)
        people = codes.names if asking.by == "annotator" else ()
        report.figures += [*together(codes, setting), *two_by_two(codes, setting, people), *_team(labelled, setting)]
        if asking.by == "label":
            report.figures += by_label(codes, setting)
        if asking.by == "week" or asking.by == "batch":
            report.figures += _parts(labelled, setting, asking.by)
        if asking.pictures:
            report.confusions += _confusions(codes, setting)
            weeks = labelled.parts("week").items()
            report.weeks[_title(setting)] = {week: together(some.codes(order), setting) for week, some in weeks}


def _setting(one: _Set, question: str, view: str, scale: Scale, asking: Asking) -> Setting:
    part = {**one.part, **({"question": question} if question else {})}
    return Setting(view, scale, asking.bootstrap, part, one.noun, one.told)


def _team(labelled: Labelled, setting: Setting) -> list[Figure]:
    """Everybody against the consensus, where there is one."""
    codes = labelled.codes_with_team(TEAM)
    return with_consensus(codes, setting, TEAM) if TEAM in codes.names else []


def _parts(labelled: Labelled, setting: Setting, by: Literal["week", "batch"]) -> list[Figure]:
    """The same by weeks or batches: all together, and the means over pairs of annotators."""
    figures = []
    for name, some in labelled.parts(by).items():
        of = setting.of(**{by: name})
        codes = some.codes([label for label, _ in setting.scale.places])
        means = (figure for figure in two_by_two(codes, of) if "-mean" in figure.measure)
        figures += [*together(codes, of), *means]
    return figures


def _confusions(codes: Codes, setting: Setting) -> list[Confusion]:
    pairs = list(combinations(range(len(codes.names)), 2))[:SHOWN]
    title = _title(setting)
    return [
        Confusion(title, codes.names[one], codes.names[two], codes.categories, confusion(codes, (one, two)))
        for one, two in pairs
    ]


def _title(setting: Setting) -> str:
    return ", ".join([*(f"{name} {value}" for name, value in setting.part.items()), f"{setting.labels} labels"])
