"""The library call behind ``otherwords agree``: agreement in a project, or in files of judgements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from otherwords.analyse.agreement.answers import project_scheme
from otherwords.analyse.agreement.measure import measure_agreement
from otherwords.analyse.agreement.report import AgreementOptions, AgreementReport, By
from otherwords.analyse.judgement_tables import (
    JudgementFilter,
    LeftOut,
    from_files,
    from_ledger,
    is_project,
    left_out_remarks,
    other_purposes,
)
from otherwords.analyse.types.annotations import pairs_beside
from otherwords.annotate import schemes
from otherwords.engine import cores
from otherwords.errors import UsageError
from otherwords.measures.agreement.resampling import REPLICATES, Bootstrap
from otherwords.project import open_project
from otherwords.records import Pair, phenomena_in

PairLookup = Callable[[set[str]], dict[str, Pair]]


def agree(
    paths: Sequence[str | Path],
    *,
    by: By | None = None,
    labels: Sequence[str] = (),
    scheme: str | None = None,
    batch: str | None = None,
    purpose: str | Sequence[str] = (),
    format: str | None = None,
    columns: dict[str, str] | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
    pictures: bool = False,
    simulated: bool = False,
    texts: PairLookup | None = None,
    schemes_folder: Path | None = None,
    main_scheme: str | None = None,
) -> AgreementReport:
    """Measure agreement in one project, or in several files taken together.

    Without ``purpose`` and ``batch``, judgements for production and agreement are compared. For files, ``texts`` looks
    up the pairs of judgements that list types without carrying their texts, which are otherwise those of the releases
    in which the files lie; ``schemes_folder`` is that of the project with their own schemes, and ``main_scheme`` the
    scheme of judgements that name none.
    """
    bootstrap = Bootstrap(replicates, seed, cores())
    purposes = (purpose,) if isinstance(purpose, str) else tuple(purpose)
    selection = JudgementFilter(scheme, batch, purposes, simulated, main_scheme)
    projects = [path for path in paths if is_project(path)]
    if projects and len(paths) > 1:
        message = f"{projects[0]} is a project and cannot be measured together with other paths; name it alone"
        raise UsageError(message, code="project-among-paths")
    projections = tuple(dict.fromkeys(labels))
    if projects:
        if scheme is not None:
            schemes.load_scheme(scheme, Path(projects[0]))
        with open_project(projects[0]) as project, project.ledger.reading() as connection:
            options = AgreementOptions(by, projections, bootstrap, project.folder, pictures)
            tables, left_out = from_ledger(connection, selection, project_scheme(project))
            return _with_left_out(measure_agreement(tables, options), left_out)
    tables, left_out = from_files(paths, selection, format=format, columns=columns)
    lookups = [texts] if texts is not None else [found for path in paths if (found := pairs_beside(Path(path)))]
    for table in tables.values():
        if lookups and any(map(phenomena_in, table.distinct_values)):
            wanted = {judgement.pair for judgement in table.typed.judgements}
            for lookup in lookups:
                table.typed.pairs |= lookup(wanted)
    report = measure_agreement(tables, AgreementOptions(by, projections, bootstrap, schemes_folder, pictures))
    return _with_left_out(report, left_out)


def _with_left_out(report: AgreementReport, left_out: LeftOut) -> AgreementReport:
    """Add what was left out to the remarks of a report."""
    report.remarks[:0] = left_out_remarks(left_out)
    report.other_purposes = other_purposes(left_out)
    return report
