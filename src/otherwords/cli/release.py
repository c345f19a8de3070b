"""``otherwords release``: a corpus that others can use."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from otherwords.corpus.released import Check, Released


@click.command("release")
@click.argument("project", metavar="PROJECT")
@click.option("--version", required=True, metavar="VERSION", help="What this release is called, such as 1.0.")
@click.option("--licence", required=True, metavar="SPDX", help="Its licence by its SPDX name, such as CC-BY-SA-4.0.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Instead of PROJECT/releases/VERSION.")
@click.option("--date", metavar="YYYY-MM-DD", help="The day of the release; without it, that of its first making.")
@click.option("--view", metavar="NAME", help="The labels of this view; otherwords label lists them.")
@click.option("--by", metavar="WHAT", help="Split by group, document, time or pair; none does not split.")
@click.option("--parts", metavar="80/10/10", help="How large the parts are.")
@click.option("--seed", type=click.IntRange(min=0), help="The seed of the split.")
@click.option("--keep-labels", metavar="LABEL,…", help="Keep labels that a release leaves out: of Turku's, 1 and x.")
@click.option("--anyway", metavar="CHECK,…", help="Release in spite of these checks, by name.")
@click.option("--simulated", is_flag=True, help="Let simulated judgements become labels; the release says so.")
@click.option("--dry-run", is_flag=True, help="Only check, and say what would be released.")
@click.option("--json", "as_json", is_flag=True, help="Print what was released, and every check, as JSON.")
def command(
    project: str, keep_labels: str | None, anyway: str | None, dry_run: bool, as_json: bool, **wishes: Any
) -> None:
    """Check a corpus and release it: JSON Lines, Parquet for load_dataset, Turku JSON, TSV and P4P, with a card.

    Looks for leaks between parts, duplicates, contradictions, labels outside the scheme, missing context, personal
    data and licences that do not fit, and refuses with a list unless it is told otherwise. Made twice, a release has
    the same bytes; a version with other content is refused.

    \b
      otherwords release corpus --version 1.0 --licence CC-BY-SA-4.0 --dry-run
      otherwords release corpus --version 1.0 --licence CC-BY-SA-4.0 --by group --parts 80/10/10
      otherwords release corpus --version 1.1 --licence CC0-1.0 --anyway duplicates,leaks
    """
    from otherwords.analyse.card import card
    from otherwords.corpus.checks import NotReleased
    from otherwords.corpus.release import looked_over, release
    from otherwords.corpus.release_wishes import Wishes
    from otherwords.project import opened

    asked = Wishes(keep_labels=_listed(keep_labels), anyway=_listed(anyway), **wishes)
    with opened(project) as corpus:
        try:
            if dry_run:
                _tell_checks(*looked_over(corpus, asked), asked.version, as_json)
            else:
                _tell(release(corpus, asked, card), as_json)
        except NotReleased as problem:
            _tell_refused(problem, as_json)


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip()) if text else ()


def _tell(released: Released, as_json: bool) -> None:
    from otherwords.analyse.figures import NO_FIGURES, can_draw
    from otherwords.cli.talk import say
    from otherwords.corpus.release_papers import facts

    if as_json:
        click.echo(json.dumps(facts(released) | {"folder": str(released.folder)}, ensure_ascii=False, indent=2))
        return
    _say_checks([one for one in released.checks if one.count])
    for part, labels in released.counts.items():
        say(f"{part}: {sum(labels.values()):,} pairs ({_numbers(labels)})")
    if released.left_out:
        say(f"left out: {_numbers(released.left_out)}{_kept_by(released)}")
    if not can_draw():
        say(NO_FIGURES)
    if released.again:
        say(f"{released.version} was released before, and is the same")
    click.echo(released.folder)


def _kept_by(released: Released) -> str:
    """Which labels the scheme leaves out of releases, and how they are kept."""
    from otherwords.corpus.views import left_out_labels

    usual = left_out_labels(released.explained) if released.explained else frozenset()
    gone = [label for label in sorted(usual) if f"label {label}" in released.left_out]
    if not gone:
        return ""
    labels = "this label" if len(gone) == 1 else "these labels"
    return f" (releases by the scheme {released.scheme} leave {labels} out; --keep-labels {','.join(gone)} keeps them)"


def _tell_checks(checks: Sequence[Check], counts: dict[str, dict[str, int]], version: str, as_json: bool) -> None:
    """What a dry run found; the exit code is that of the release."""
    from otherwords.cli.talk import say
    from otherwords.corpus.checks import remedies

    stopped = any(one.refuses for one in checks)
    if as_json:
        click.echo(json.dumps({"counts": counts, "checks": _plain(checks)}, ensure_ascii=False, indent=2))
    else:
        _say_checks(checks)
        for part, labels in counts.items():
            say(f"{part}: {sum(labels.values()):,} pairs ({_numbers(labels)})")
        say(f"{version} would {'not ' if stopped else ''}be released")
        for remedy in remedies(checks):
            say(f"to mend it, {remedy}")
    if stopped:
        raise SystemExit(1)


def _tell_refused(problem: Any, as_json: bool) -> None:
    from otherwords.cli.talk import say

    if as_json:
        click.echo(json.dumps({"error": str(problem), "checks": _plain(problem.checks)}, ensure_ascii=False, indent=2))
    else:
        _say_checks([one for one in problem.checks if one.refuses])
    say(f"otherwords: {problem.summary}")
    raise SystemExit(1)


def _say_checks(checks: Sequence[Check]) -> None:
    from otherwords.cli.talk import say

    for one in checks:
        found = "nothing found" if not one.count else f"{one.count:,}{' (released anyway)' if one.overruled else ''}"
        say(f"{one.name}: {one.says}: {found}")
        for example in one.examples:
            say(f"  {example}")


def _plain(checks: Sequence[Check]) -> Any:
    import msgspec

    return msgspec.to_builtins(list(checks))


def _numbers(counts: dict[str, int]) -> str:
    return ", ".join(f"{name}: {count:,}" for name, count in counts.items())
