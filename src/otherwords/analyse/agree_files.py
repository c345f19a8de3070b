"""Agreement of whatever was named, a project or files: the library call behind ``otherwords agree``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from otherwords.analyse.agree import Asking, By, Report, agree
from otherwords.analyse.agree_answers import own_scheme
from otherwords.analyse.agree_rows import Wish, from_files, from_ledger, is_project
from otherwords.annotate import schemes
from otherwords.errors import UsageError
from otherwords.measures.agreement.resampling import REPLICATES, Bootstrap
from otherwords.measures.parallel import cores
from otherwords.project import opened
from otherwords.records import Pair, phenomena_in

Texts = Callable[[set[str]], dict[str, Pair]]


def measured(
    paths: Sequence[str | Path],
    *,
    by: By | None = None,
    labels: Sequence[str] = (),
    scheme: str | None = None,
    batch: str | None = None,
    purpose: str | None = None,
    format: str | None = None,
    columns: dict[str, str] | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
    pictures: bool = False,
    simulated: bool = False,
    texts: Texts | None = None,
) -> Report:
    """The agreement of a project, or of all files together.

    Of files, ``texts`` finds the pairs of judgements that list types and do not carry their texts.
    """
    bootstrap = Bootstrap(replicates, seed, cores())
    wish = Wish(scheme, batch, purpose, simulated)
    projects = [path for path in paths if is_project(path)]
    if projects and len(paths) > 1:
        raise UsageError(f"{projects[0]} is a project; measure one project at a time, or files")
    views = tuple(dict.fromkeys(labels))
    if projects:
        if scheme is not None:
            schemes.scheme(scheme, Path(projects[0]))
        with opened(projects[0]) as project, project.ledger.reading() as connection:
            asking = Asking(by, views, bootstrap, project.folder, pictures)
            return agree(from_ledger(connection, wish, own_scheme(project)), asking)
    said, remarks = from_files(paths, wish, format=format, columns=columns)
    for one in said.values():
        if texts is not None and any(map(phenomena_in, one.all_values)):
            one.typed.pairs |= texts({judgement.pair for judgement in one.typed.judgements})
    report = agree(said, Asking(by, views, bootstrap, pictures=pictures))
    report.remarks[:0] = remarks
    return report
