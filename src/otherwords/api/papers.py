"""What papers print, and what a project will take: commands for whoever reads or plans a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from otherwords.api.reading import StrPath

if TYPE_CHECKING:
    from otherwords.analyse.planning.plan import CorpusPlan
    from otherwords.analyse.reproduce.reproduce import Reproduction

PaperName = Literal["turku", "suzuki", "multipit", "vila", "rupaws"]


def reproduce(
    paper: PaperName, data: StrPath, *, synonyms: str | None = None, out: StrPath | None = None
) -> Reproduction:
    """Recompute every number of a paper that the released data in a file or folder allow, beside the printed one.

    Each has a verdict: equal at the printed precision, close for a reason that is given, different, not released, or
    not in the folder. ``synonyms`` is a file of synonym sets, for patterns; ``out`` is a new folder for a page.
    """
    from otherwords.analyse.reproduce.reproduce import reproduce as recompute
    from otherwords.analyse.reproduce.sheet import write_page

    result = recompute(paper, data, synonyms=synonyms)
    if out is not None:
        options = f" --synonyms {Path(synonyms).name}" if synonyms else ""
        write_page(result, Path(out), f"otherwords reproduce {paper} {result.data}{options}")
    return result


def plan(
    project: StrPath | None = None,
    *,
    pairs: int,
    double: float = 0.1,
    checks: float | None = None,
    people: int = 3,
    hours_a_week: float = 10.0,
    wage: float | None = None,
    like: Literal["turku", "suzuki", "multipit", "rupaws"] = "turku",
    seed: int = 0,
    out: StrPath | None = None,
) -> CorpusPlan:
    """Plan a corpus of so many pairs: documents, judgements, hours and weeks, and how wide its intervals will be.

    Figures are those of the project where it has enough, and those of the paper ``like`` for the rest, or for all of
    them without a project. ``double`` is the share of pairs that others judge as well, ``checks`` the share that is
    checked again, ``wage`` what an hour costs; ``out`` is a new folder for a page.
    """
    from otherwords.analyse.planning.plan import PlanOptions, make_plan
    from otherwords.analyse.planning.sheet import write_page

    options = PlanOptions(pairs, double, checks, people, hours_a_week, wage, like, seed)
    planned = make_plan(project, options)
    if out is not None:
        name = f"{planned.project} " if planned.project else ""
        write_page(planned, Path(out), f"otherwords plan {name}--pairs {pairs} --double {double:g} --like {like}")
    return planned
