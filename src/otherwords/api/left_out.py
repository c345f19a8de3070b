"""Leaving pairs out of the corpus, and taking them back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from otherwords.api.reading import StrPath
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.project.left_out import LeftOutPair
    from otherwords.project.project import Project


@dataclass(frozen=True, slots=True)
class LeaveOutResult:
    """The pairs that were left out or taken back by this call, and all that are left out now."""

    changed: list[str] = field(default_factory=list)
    unchanged: int = 0  # pairs that were named and needed no change
    kept: dict[str, str] = field(default_factory=dict)  # by duplicate: the pair that is kept
    contradictions: int = 0  # sets of duplicates whose labels differ, which are left as they are
    left_out: list[LeftOutPair] = field(default_factory=list)


def leave_out(
    project: StrPath,
    pairs: Iterable[str] = (),
    *,
    reason: str | None = None,
    duplicates: bool = False,
    undo: bool = False,
    dry_run: bool = False,
    wait: bool = False,
) -> LeaveOutResult:
    """Leave pairs out of the corpus for a ``reason`` or, with ``undo``, take them back; nothing is erased.

    With ``duplicates``, they are found: one pair of each set is kept. ``undo`` takes back all that were left out that
    way. With ``dry_run``, nothing is changed. Without any pairs, the result only says what is left out.
    """
    from otherwords.project import open_project
    from otherwords.project.left_out import leave_out as leave_pairs_out
    from otherwords.project.left_out import left_out_pairs, take_back, take_back_duplicates

    named = list(dict.fromkeys([pairs] if isinstance(pairs, str) else pairs))
    if duplicates and (named or reason):
        message = "--duplicates finds the pairs, and says why; leave out PAIR and --reason"
        raise UsageError(message, code="conflicting-options")
    if dry_run and not (duplicates and not undo):
        raise UsageError("--dry-run shows what --duplicates would leave out", code="conflicting-options")
    with open_project(project) as corpus, corpus.holding(wait=wait):
        if duplicates and not undo:
            return _leave_out_duplicates(corpus, dry_run=dry_run)
        with corpus.ledger.writing() as connection:
            if duplicates:
                changed = take_back_duplicates(connection)
            elif undo:
                changed = take_back(connection, named, reason or "")
            else:
                changed = leave_pairs_out(connection, named, reason or "") if named else []
            left_out = list(left_out_pairs(connection).values())
    return LeaveOutResult(changed, len(named) - len(changed) if named else 0, left_out=left_out)


def _leave_out_duplicates(corpus: Project, *, dry_run: bool) -> LeaveOutResult:
    from otherwords.corpus.duplicates import find_duplicates
    from otherwords.project.left_out import leave_out_duplicates, left_out_pairs

    found = find_duplicates(corpus)
    with corpus.ledger.writing() as connection:
        changed = leave_out_duplicates(connection, found.kept) if not dry_run else []
        left_out = list(left_out_pairs(connection).values())
    return LeaveOutResult(changed, 0, found.kept, found.contradictions, left_out)
