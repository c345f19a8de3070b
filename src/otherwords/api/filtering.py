"""Commands that choose among candidate pairs: filters with reasons, balanced samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from otherwords.api.reading import ReadingOptions, ReadingProgress, StrPath, check_quarantine, no_progress
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.acquire.filters.proposal import ThresholdProposal
    from otherwords.acquire.filters.tally import ReasonCount
    from otherwords.acquire.sampling import SampleTable
    from otherwords.sources.reading import RecordReader

SHARE = 0.01  # of the pairs that a proposed threshold may cut off


@dataclass(frozen=True, slots=True)
class FilterReport:
    """What a filter did: how many pairs it kept and rejected, for which reasons, and what each rule depends on.

    In a project, ``left_out`` are the pairs that were left out now, ``others`` those that are no candidates.
    """

    pairs: int
    kept: int
    rejected: int
    reasons: list[ReasonCount]
    signatures: dict[str, str]
    proposals: list[ThresholdProposal] = field(default_factory=list)
    left_out: int | None = None
    others: int | None = None
    taken_back: int | None = None
    reading: RecordReader | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        from dataclasses import asdict

        reasons = [asdict(reason) for reason in self.reasons]
        proposals = [asdict(proposal) | {"spec": proposal.spec} for proposal in self.proposals]
        counts = {name: getattr(self, name) for name in ("pairs", "kept", "rejected")}
        project = {name: getattr(self, name) for name in ("left_out", "others", "taken_back")}
        shown = {name: value for name, value in project.items() if value is not None}
        return counts | shown | {"reasons": reasons, "signatures": self.signatures, "proposals": proposals}


def filter(
    pairs: StrPath,
    out: StrPath | None = None,
    *,
    rules: Sequence[str] = (),
    rejected: StrPath | None = None,
    to: str | None = None,
    examples: int = 0,
    propose: float | None = None,
    plot: StrPath | None = None,
    dry_run: bool = False,
    undo: bool = False,
    tokeniser: str | None = None,
    jobs: int | None = None,
    wait: bool = False,
    progress: ReadingProgress = no_progress,
    **reading: Unpack[ReadingOptions],
) -> FilterReport:
    """Reject pairs by rules, each with a reason.

    A rule is spelled ``NAME`` or ``NAME:key=value,key=value``; without any, the usual ones that need no model are
    applied. From a file, the pairs that are kept go to ``out`` and the others, with their reasons, to ``rejected``;
    without ``out``, they are only counted. In a project, what is rejected is left out of the corpus for that reason,
    among pairs that nobody has judged; ``undo`` takes back all that filters left out. ``examples`` is how many rejected
    pairs are shown for each reason. ``propose`` is the share of pairs that a threshold may cut off at either end: the
    values of all rules are then counted instead of applied, and ``plot`` is a file for their histograms.
    """
    from otherwords.acquire.filters import DEFAULT_RULES
    from otherwords.project.config import CONFIG_FILE

    if propose is not None and not 0 <= propose < 0.5:
        raise UsageError(f"--share {propose:g}: expected a share from 0 to below 0.5", code="bad-share")
    if plot is not None:
        from otherwords.analyse.figures.render import check_figure

        check_figure(plot)
        propose = SHARE if propose is None else propose
    specs = list(rules) or list(DEFAULT_RULES)
    if (Path(pairs) / CONFIG_FILE).is_file():
        if out is not None or rejected is not None:
            message = "in a project, rejected pairs are left out with their reason; leave out --out and --rejected"
            raise UsageError(message, code="conflicting-options")
        report = _filter_project(pairs, specs, examples, propose, tokeniser, jobs, dry_run, undo, wait)
    else:
        if undo or dry_run:
            message = "--undo and --dry-run are for projects; without --out, a file is only counted"
            raise UsageError(message, code="conflicting-options")
        report = _filter_file(pairs, specs, out, rejected, to, examples, propose, tokeniser, jobs, progress, reading)
    if plot is not None:
        from otherwords.analyse.figures.candidates import proposal_figure
        from otherwords.analyse.figures.render import save

        save(proposal_figure(report.proposals, Path(pairs).name), plot)
    return report


def _filter_file(
    pairs: StrPath,
    specs: Sequence[str],
    out: StrPath | None,
    rejected: StrPath | None,
    to: str | None,
    examples: int,
    propose: float | None,
    tokeniser: str | None,
    jobs: int | None,
    progress: ReadingProgress,
    reading: ReadingOptions,
) -> FilterReport:
    from otherwords.acquire.filters.run import filter_file

    if propose is not None and out is not None:
        raise UsageError("--propose and --plot only show values; leave out --out", code="conflicting-options")
    for target in (out, rejected):
        if target is not None:
            check_quarantine(target, reading)
    result = filter_file(
        pairs,
        specs,
        out=out,
        rejected=rejected,
        to=to,
        examples=examples,
        propose=propose,
        tokeniser=tokeniser,
        jobs=jobs,
        watch=progress,
        **reading,
    )
    counts = result.counts
    return FilterReport(
        *(counts.pairs, counts.kept, counts.rejected, counts.reasons, dict(counts.signatures), result.proposals),
        reading=result.reading,
    )


def _filter_project(
    folder: StrPath,
    specs: Sequence[str],
    examples: int,
    propose: float | None,
    tokeniser: str | None,
    jobs: int | None,
    dry_run: bool,
    undo: bool,
    wait: bool,
) -> FilterReport:
    from otherwords.annotate.candidates import filter_candidates, undo_filters
    from otherwords.project import open_project

    with open_project(folder) as project, project.holding(wait=wait):
        if undo:
            return FilterReport(0, 0, 0, [], {}, taken_back=len(undo_filters(project)))
        done = filter_candidates(
            project, specs, tokeniser=tokeniser, examples=examples, propose=propose, dry_run=dry_run, jobs=jobs
        )
    counts = done.counts
    return FilterReport(
        *(counts.pairs, counts.kept, counts.rejected, counts.reasons, dict(counts.signatures), done.proposals),
        left_out=done.left_out,
        others=done.others,
    )


@dataclass(frozen=True, slots=True)
class SampleReport:
    """How a sample was drawn; of a project, the ids of the drawn pairs and the batch that was made of them."""

    table: SampleTable
    ids: list[str]
    batch: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return self.table.as_dict() | {"batch": self.batch, "ids": self.ids}


def sample(
    pairs: StrPath,
    out: StrPath | None = None,
    *,
    by: str = "jaccard",
    bins: int | str | Sequence[float] = 10,
    per_bin: int = 50,
    balance: Literal["label", "topic", "group"] | None = None,
    cap_per_group: int | None = None,
    seed: int = 0,
    batch: str | None = None,
    times: int = 1,
    also_labelled: bool = False,
    to: str | None = None,
    plot: StrPath | None = None,
    tokeniser: str | None = None,
    progress: ReadingProgress = no_progress,
    **reading: Unpack[ReadingOptions],
) -> SampleReport:
    """Draw the same number of pairs from each range of a measure.

    ``bins`` is a number of equal ranges or a list of edges, ``per_bin`` how many pairs each of them gives. With
    ``balance``, labels, topics or groups take turns; no group gives more than ``cap_per_group`` pairs. From a file, the
    drawn pairs go to ``out``. In a project, pairs that nobody has judged are drawn (``also_labelled``: also those that
    came with a label), ``out`` is a file for their ids, and ``batch`` the name of a batch to make of them, each to be
    judged so many ``times``. ``plot`` is a file for a figure of the ranges before and after.
    """
    from otherwords.acquire.sampling import SamplePlan, parse_ranges
    from otherwords.project.config import CONFIG_FILE

    if plot is not None:
        from otherwords.analyse.figures.render import check_figure

        check_figure(plot)
    plan = SamplePlan(by, parse_ranges(bins, by), per_bin, balance, cap_per_group, seed)
    if (Path(pairs) / CONFIG_FILE).is_file():
        report = _sample_project(pairs, plan, out, tokeniser, also_labelled)
        if batch is not None:
            from otherwords.api import batch as batches

            batches.new(pairs, batch, pairs=report.ids, times=times)
            report = SampleReport(report.table, report.ids, batch)
    else:
        if batch is not None:
            raise UsageError("--batch makes a batch in a project, and this is a file", code="conflicting-options")
        report = _sample_file(pairs, plan, out, to, tokeniser, progress, reading)
    if plot is not None:
        from otherwords.analyse.figures.candidates import sample_figure
        from otherwords.analyse.figures.render import save

        save(sample_figure(report.table, Path(pairs).name), plot)
    return report


def _sample_file(
    pairs: StrPath,
    plan: Any,
    out: StrPath | None,
    to: str | None,
    tokeniser: str | None,
    progress: ReadingProgress,
    reading: ReadingOptions,
) -> SampleReport:
    from otherwords.acquire.sampling import sample_file

    if out is not None:
        check_quarantine(out, reading)
    return SampleReport(*sample_file(pairs, plan, out=out, to=to, tokeniser=tokeniser, watch=progress, **reading))


def _sample_project(
    folder: StrPath, plan: Any, out: StrPath | None, tokeniser: str | None, labelled: bool
) -> SampleReport:
    from otherwords.annotate.candidates import sample_candidates
    from otherwords.project import open_project
    from otherwords.sources.io.files import atomic_write

    with open_project(folder) as project:
        table, ids = sample_candidates(project, plan, tokeniser=tokeniser, labelled=labelled)
    if out is not None:
        with atomic_write(None if str(out) == "-" else Path(out)) as stream:
            stream.write("".join(f"{id}\n" for id in ids).encode())
    return SampleReport(table, ids)
