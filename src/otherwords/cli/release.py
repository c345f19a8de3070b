"""``release`` and ``grow``: corpora that others can use; ``verify``: are they intact; ``publish``: where they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import split_names
from otherwords.cli.talk import print_json, say

if TYPE_CHECKING:
    from otherwords.api.release import ReleaseResult
    from otherwords.corpus.publish.plan import PublishResult
    from otherwords.corpus.release.model import Check, ReleaseModel


@click.command("release")
@click.argument("project", metavar="PROJECT")
@click.option("--version", required=True, metavar="VERSION", help="The name of this release, such as 1.0.")
@click.option("--licence", required=True, metavar="SPDX", help="Its licence by its SPDX name, such as CC-BY-SA-4.0.")
@click.option("--out", type=click.Path(), metavar="DIR", help="The folder; PROJECT/releases/VERSION by default.")
@click.option("--date", metavar="YYYY-MM-DD", help="The day of the release; by default, the day it was first made.")
@click.option("--view", metavar="NAME", help="The labels of this view; otherwords label lists them.")
@click.option("--by", metavar="UNIT", help="Split by group, document, time or pair; none does not split.")
@click.option("--parts", metavar="80/10/10", help="Per cent for train, dev and test.")
@click.option("--seed", type=click.IntRange(min=0), help="Random seed of the split.")
@click.option("--keep-labels", metavar="LABEL,…", help="Keep labels that a release leaves out: of Turku's, 1 and x.")
@click.option("--meta", metavar="KEY,…", help="Publish these columns of the sources; all others stay in the project.")
@click.option("--anyway", metavar="CHECK,…", help="Release in spite of these checks, by name.")
@click.option("--with-baselines", is_flag=True, help="Add the models in its folder models, and how they compare.")
@click.option("--simulated", is_flag=True, help="Let simulated judgements make labels; the release says so.")
@click.option("--dry-run", is_flag=True, help="Only check, and show what would be released.")
@click.option("--json", "as_json", is_flag=True, help="Print the content of the release and all checks as JSON.")
def release(project: str, as_json: bool, **options: Any) -> None:
    """Check a corpus and release it: JSON Lines, Parquet for load_dataset, Turku JSON, TSV and P4P, with a card.

    The checks look for leaks between parts, duplicates, contradictions, labels outside the scheme, missing context,
    personal data and licences that do not fit; the release is refused if they find any. Made again, a release has
    the same bytes; the same version with other content is refused.

    \b
      otherwords release corpus --version 1.0 --licence CC-BY-SA-4.0 --dry-run
      otherwords release corpus --version 1.0 --licence CC-BY-SA-4.0 --by group --parts 80/10/10
      otherwords release corpus --version 1.1 --licence CC0-1.0 --anyway duplicates,leaks
    """
    import msgspec

    from otherwords.api import release as releases
    from otherwords.corpus.release.checks import NotReleased

    try:
        lists = {name: split_names(options[name]) for name in ("keep_labels", "meta", "anyway")}
        result = releases.release(project, **options | lists)
    except NotReleased as problem:
        if as_json:
            print_json({"error": str(problem), "checks": msgspec.to_builtins(problem.checks)})
        else:
            _say_checks([check for check in problem.checks if check.refuses])
        say(f"otherwords: {problem.summary} [{problem.code}]")
        raise SystemExit(problem.exit_code) from None
    if result.release is not None:
        _print_release(result.release, as_json)
        return
    _print_dry_run(result, as_json)
    if result.refused:  # the exit code of a dry run is that of the release
        raise SystemExit(1)


def _print_release(release: ReleaseModel, as_json: bool) -> None:
    from otherwords.analyse.figures.render import NO_FIGURES, can_draw
    from otherwords.corpus.release.metadata_files import release_facts

    if as_json:
        print_json(release_facts(release) | {"folder": str(release.folder)})
        return
    _say_checks([check for check in release.checks if check.count])
    _say_counts(release.counts)
    if release.left_out:
        reasons = {reason.removeprefix("left out: "): count for reason, count in release.left_out.items()}
        say(f"left out: {_listed(reasons)}{_keep_labels_hint(release)}")
    if not can_draw():
        say(NO_FIGURES)
    if release.again:
        say(f"{release.version} was released before, with the same content")
    click.echo(release.folder)


def _keep_labels_hint(release: ReleaseModel) -> str:
    """Which labels releases of the scheme leave out, and how to keep them."""
    from otherwords.annotate.labels.views import left_out_labels

    usual = left_out_labels(release.explained) if release.explained else frozenset()
    labels = [label for label in sorted(usual) if f"label {label}" in release.left_out]
    if not labels:
        return ""
    noun, pronoun = ("this label", "it") if len(labels) == 1 else ("these labels", "them")
    option = f"--keep-labels {','.join(labels)}"
    return f" (releases by the scheme {release.scheme} leave {noun} out; {option} keeps {pronoun})"


def _print_dry_run(result: ReleaseResult, as_json: bool) -> None:
    import msgspec

    from otherwords.corpus.release.checks import remedies

    if as_json:
        print_json({"counts": result.counts, "checks": msgspec.to_builtins(result.checks)})
        return
    _say_checks(result.checks)
    _say_counts(result.counts)
    say(f"{result.version} would {'not ' if result.refused else ''}be released")
    for remedy in remedies(result.checks):
        say(f"to fix it, {remedy}")


def _say_checks(checks: Sequence[Check]) -> None:
    for check in checks:
        overruled = " (released anyway)" if check.overruled else ""
        say(f"{check.name}: {check.says}: {f'{check.count:,}{overruled}' if check.count else 'nothing found'}")
        for example in check.examples:
            say(f"  {example}")


def _say_counts(counts: dict[str, dict[str, int]]) -> None:
    for part, labels in counts.items():
        pairs = sum(labels.values())
        say(f"{part}: {pairs:,} {'pair' if pairs == 1 else 'pairs'} ({_listed(labels)})")


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name}: {count:,}" for name, count in counts.items())


@click.command("verify")
@click.argument("folder", metavar="DIR")
@click.option("--project", metavar="PROJECT", help="Also follow every pair back to its judgements in this project.")
@click.option("--json", "as_json", is_flag=True, help="Print everything that was checked as JSON.")
def verify(folder: str, project: str | None, as_json: bool) -> None:
    """Check a release: its files, its counts, its labels, every row of every config, and leaks between its parts.

    The exit code is 1 if anything is not as it was released.

    \b
      otherwords verify corpus/releases/1.0
      otherwords verify corpus/releases/1.0 --project corpus
    """
    from otherwords.api import release as releases

    result = releases.verify(folder, project=project)
    if as_json:
        print_json(asdict(result) | {"sound": result.sound})
    for subject, problems in result.problems.items():
        for problem in problems:
            say(f"{subject}: {problem}")
        if subject in result.more:
            say(f"{subject}: and {result.more[subject]:,} more")
    if not result.sound:
        say(f"{folder} is not as it was released")
        raise SystemExit(1)
    pairs = "1 pair" if result.pairs == 1 else f"{result.pairs:,} pairs"
    say(f"{folder}: version {result.version}, {pairs}, all as it was released")


@click.command("grow")
@click.argument("project", metavar="PROJECT")
@click.option("--version", required=True, metavar="VERSION", help="The name of this version, such as 2026-01.")
@click.option("--licence", required=True, metavar="SPDX", help="Its licence by its SPDX name, such as CC-BY-SA-4.0.")
@click.option(
    "--model",
    default="features",
    show_default=True,
    metavar="NAME|RUN",
    help="A classifier in the project's folder models, or the folder of a run.",
)
@click.option("--date", metavar="YYYY-MM-DD", help="The day of the version; today by default.")
@click.option(
    "--near",
    type=float,
    default=0.85,
    show_default=True,
    metavar="SIMILARITY",
    help="From where on a sentence is nearly that of a test.",
)
@click.option(
    "--bleu", type=float, default=14.0, show_default=True, metavar="BLEU", help="Drop pairs whose texts are more alike."
)
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def grow(project: str, as_json: bool, **options: Any) -> None:
    """Make the next version of a growing set: pairs for training that a model takes for paraphrases.

    A version has the pairs of the one before and what the model finds among all other candidates of the project.
    What shares a group, an address, a sentence or nearly a sentence with the test of any release is dropped, and
    counted, even if the version before had it. Versions come in the order of their names, and never change.

    \b
      otherwords grow corpus --version 2026-01 --licence CC-BY-SA-4.0
      otherwords grow corpus --version 2026-02 --licence CC-BY-SA-4.0 --model features
    """
    from otherwords.api.release import grow as make_version

    grown = make_version(project, **options)
    if as_json:
        print_json(asdict(grown) | {"folder": str(grown.folder)})
        return
    for reason, count in grown.dropped.items():
        say(f"dropped, {reason}: {count:,}")
    if grown.tests == 0:
        say("no release of the project has a test yet, so nothing was compared with one")
    pairs = "1 pair" if grown.pairs == 1 else f"{grown.pairs:,} pairs"
    if grown.again:
        say(f"{grown.version} is there already: {pairs}")
    else:
        say(f"{grown.version}: {pairs}; {grown.came:,} came, {grown.went:,} went")
    click.echo(grown.folder)


@click.command("publish")
@click.argument("release", metavar="RELEASE")
@click.option("--to", required=True, metavar="TARGET", help="hf:OWNER/NAME, zenodo:ID or zenodo:new.")
@click.option("--yes", is_flag=True, help="Send it; without this option everything is only shown.")
@click.option("--endpoint", metavar="URL", help="Another server of the same kind, such as https://sandbox.zenodo.org.")
@click.option(
    "--token-file", type=click.Path(), metavar="FILE", help="The token, if HF_TOKEN or ZENODO_TOKEN is not set."
)
@click.option("--json", "as_json", is_flag=True, help="Print files, calls and what was sent as JSON.")
def publish(release: str, to: str, yes: bool, endpoint: str | None, token_file: str | None, as_json: bool) -> None:
    """Publish a release on the Hugging Face Hub or on Zenodo.

    The release is verified, then every file and every call is shown. Nothing is sent without --yes. A large upload that
    broke off goes on when the command is run again, and a release is published whole or not at all.

    \b
      otherwords publish corpus/releases/1.0 --to hf:harbour/paraphrases
      otherwords publish corpus/releases/1.0 --to hf:harbour/paraphrases --yes
      otherwords publish corpus/releases/1.0 --to zenodo:new --endpoint https://sandbox.zenodo.org --yes
    """
    import msgspec

    from otherwords.api.release import publish as publish_release

    result = publish_release(release, to=to, yes=yes, endpoint=endpoint, token_file=token_file)
    if as_json:
        print_json(msgspec.to_builtins(result))
    elif result.sent:
        _say_sent(result)
    else:
        _say_plan(result)
    if result.address is not None and not as_json:
        click.echo(result.address)


def _say_plan(result: PublishResult) -> None:
    plan = result.plan
    for file in plan.files:
        click.echo(f"{file.size:>14,}  {file.path}")
    for call in plan.calls:
        size = f", up to {call.size:,} bytes" if call.size else ""
        click.echo(f"{call.method:<6} {call.url}  ({call.purpose}{size})")
    total = sum(file.size for file in plan.files)
    say(f"{plan.version} to {plan.target}: {len(plan.files):,} files, {total:,} bytes; nothing was sent")
    say("add --yes to publish it")


def _say_sent(result: PublishResult) -> None:
    if result.again:
        say(f"{result.plan.version} is there already; nothing was sent")
        return
    deleted = f", {len(result.deleted):,} of an earlier version deleted" if result.deleted else ""
    say(f"{result.plan.version} is published: {len(result.uploaded):,} files sent{deleted}")
