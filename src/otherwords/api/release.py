"""From judgements to a corpus that others can use: labels, splits, releases, sets that grow, and publishing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from otherwords.api.reading import ReadingOptions, StrPath

if TYPE_CHECKING:
    from otherwords.corpus.growing.version import GrownVersion
    from otherwords.corpus.publish.plan import PublishResult
    from otherwords.corpus.release.model import Check, Describe, ReleaseModel
    from otherwords.corpus.verify.verify import VerifyResult
    from otherwords.engine import Progress


@dataclass(frozen=True, slots=True)
class LabelCombination:
    """The label of a pair in each view of the scheme, and how many pairs have these."""

    labels: dict[str, str]
    pairs: int


@dataclass(frozen=True, slots=True)
class LabelResult:
    """How many pairs have which label, and why others have none; the most frequent first."""

    scheme: str
    pairs: int
    simulated: int  # labels that rest on simulated judgements
    by_model: int  # labels that rest on judgements of models
    states: dict[str, int]
    labels: dict[str, int]
    made_by: dict[str, int]
    reasons: dict[str, int]  # why pairs have no label
    views: dict[str, dict[str, int]]  # counts of labels by view of the scheme
    side_by_side: list[LabelCombination]
    table: Path  # the dataset of all pairs with their labels


@dataclass(frozen=True, slots=True)
class PartSize:
    """A part of a split: how large it is and should be, and the share of each label."""

    part: str
    pairs: int
    units: int
    asked: float
    share: float
    off: float  # share - asked
    labels: dict[str, float]


@dataclass(frozen=True, slots=True)
class SplitResult:
    """How a corpus was split, by which options, and what is worth knowing about it."""

    by: str
    components: bool
    parts: str
    folds: int
    seed: int
    before: list[str]
    chosen: bool  # whether ``by`` was chosen by what the pairs have
    pairs: int
    units: int
    cut_offs: list[str]
    sizes: list[PartSize]
    none: dict[str, int]  # pairs in no part, by reason
    remarks: list[str]


@dataclass(frozen=True, slots=True)
class ReleaseResult:
    """A release, or for a dry run, what it would be."""

    version: str
    counts: dict[str, dict[str, int]]  # pairs by part and label
    checks: list[Check]
    release: ReleaseModel | None = None  # None after a dry run

    @property
    def refused(self) -> bool:
        """Whether a check prevents the release."""
        return any(check.refuses for check in self.checks)


def label(
    project: StrPath,
    *,
    scheme: str | None = None,
    simulated: bool = False,
    count_models: bool = False,
    out: StrPath | None = None,
    progress: Progress | None = None,
) -> LabelResult:
    """Make labels from the judgements of a project.

    The label is the consensus, or a later answer of quality control; without a consensus, the rule of the scheme
    decides. ``scheme`` is that of the project by default. Simulated judgements count only with ``simulated``, those of
    models, like a person's, only with ``count_models``. ``out`` is a file for all pairs with their labels, and with
    the judgements behind them or the reason why there is none.
    """
    import msgspec

    from otherwords.corpus.labels import step
    from otherwords.corpus.labels.table import save_labels
    from otherwords.project import open_project
    from otherwords.sources.reading import format_for

    if out is not None:
        format_for(str(out))  # a name that does not tell its format is refused before anything is computed
    with open_project(project) as corpus:
        table = step.label(corpus, simulated=simulated, models=count_models, scheme=scheme, progress=progress)
    if out is not None:
        save_labels(table, str(out))
    return msgspec.convert(table.summary | {"table": table.folder}, LabelResult)


def split(
    path: StrPath,
    *,
    by: Literal["group", "document", "time", "pair"] | None = None,
    components: bool = False,
    parts: str = "80/10/10",
    folds: int = 0,
    seed: int = 0,
    before: Sequence[str] = (),
    out: StrPath | None = None,
    simulated: bool = False,
    count_models: bool = False,
    **reading: Unpack[ReadingOptions],
) -> SplitResult:
    """Split a project, a release or a file so that no group, document or sentence of the test is seen in training.

    ``by`` is what stays together; without it, group or document if most pairs have one. ``components`` also keeps pairs
    together that share a sentence. ``folds`` are equal parts instead of ``parts``. ``before`` has the dates at which
    dev and test begin, by time. A project keeps the split; ``out`` is a file for the pairs with their part, or a folder
    for a file per part. With ``count_models``, judgements of models make labels too; pairs with such a label are in no
    test part and in no fold.
    """
    import msgspec

    from otherwords.corpus.splits.files import split_path
    from otherwords.corpus.splits.options import SplitOptions

    options = SplitOptions(by, components, parts, folds, seed, tuple(before))
    target = None if out is None else str(out)
    counted = {"simulated": simulated, "models": count_models}
    return msgspec.convert(split_path(path, options, out=target, **counted, **reading), SplitResult)


def release(
    project: StrPath,
    *,
    version: str,
    licence: str,
    out: StrPath | None = None,
    date: str | None = None,
    view: str | None = None,
    by: str | None = None,
    parts: str | None = None,
    seed: int | None = None,
    keep_labels: Sequence[str] = (),
    meta: Sequence[str] = (),
    anyway: Sequence[str] = (),
    with_baselines: bool = False,
    simulated: bool = False,
    dry_run: bool = False,
) -> ReleaseResult:
    """Check a corpus and release it as JSON Lines, Parquet, Turku JSON, TSV and P4P, with a card.

    ``licence`` is an SPDX name, ``view`` the view of the scheme whose labels are released. The options of the split are
    those of the last split by default; ``by="none"`` does not split. ``keep_labels`` are labels that releases of the
    scheme leave out, ``meta`` the keys of metadata that are published: without them, other columns of a source stay in
    the project. ``anyway`` are the checks that do not prevent the release. ``with_baselines`` adds the models that were
    trained on the project, with a page that compares them. A release that is refused is an error that has the checks; a
    ``dry_run`` writes nothing and returns them.
    """
    from otherwords.analyse.card.build import card
    from otherwords.analyse.ladder import with_project_baselines
    from otherwords.corpus.release import build
    from otherwords.corpus.release.options import ReleaseOptions
    from otherwords.corpus.verify.verify import problems_before_release
    from otherwords.project import open_project

    options = ReleaseOptions(
        version=version,
        licence=licence,
        out=None if out is None else Path(out),
        date=date,
        view=view,
        by=by,
        parts=parts,
        seed=seed,
        keep_labels=tuple(keep_labels),
        meta=tuple(meta),
        anyway=tuple(anyway),
        simulated=simulated,
    )
    with open_project(project) as corpus:
        if dry_run:
            checks, counts = build.check_release(corpus, options)
            return ReleaseResult(version, counts, checks)
        describe: Describe = card
        if with_baselines:
            describe = with_project_baselines(card, corpus.folder)
        model = build.release(corpus, options, describe, problems_before_release)
        return ReleaseResult(version, model.counts, model.checks, model)


def verify(folder: StrPath, *, project: StrPath | None = None) -> VerifyResult:
    """Check that a release is intact: its files, counts, labels, rows, and that nothing leaks between its parts.

    With the ``project`` it was made from, every pair is also followed back to its judgements.
    """
    from otherwords.corpus.verify import verify as verification

    return verification.verify(folder, project)


def grow(
    project: StrPath,
    *,
    version: str,
    licence: str,
    model: str = "features",
    date: str | None = None,
    near: float = 0.85,
    bleu: float = 14.0,
) -> GrownVersion:
    """Make the next version of a project's growing set: what a model takes for paraphrases, for training.

    ``model`` is a classifier in the project's folder models, or the folder of a run. A version has the pairs of the one
    before and those among all other candidates that the model takes for paraphrases, whose texts have a BLEU of at most
    ``bleu``, and that share no group, address or sentence with the test of any release; a sentence of a similarity of
    ``near`` counts as the same. Pairs that the version before had are dropped if a test has them by now. A version that
    is there is not made again.
    """
    from otherwords.corpus.growing.grow import GrowOptions
    from otherwords.corpus.growing.grow import grow as make_version
    from otherwords.corpus.verify.verify import problems_before_release
    from otherwords.learn.predicting import identifier
    from otherwords.learn.runs.run import open_run
    from otherwords.project import open_project
    from otherwords.project.project import MODELS

    with open_project(project) as corpus:
        own = corpus.folder / MODELS / model
        run = open_run(own if own.is_dir() else Path(model))
        options = GrowOptions(version, licence, run.record.signature, date, near, bleu)
        return make_version(corpus, options, identifier(run), problems_before_release)


def publish(
    release: StrPath,
    *,
    to: str,
    yes: bool = False,
    endpoint: str | None = None,
    token_file: StrPath | None = None,
) -> PublishResult:
    """Publish a release on the Hub (``to="hf:OWNER/NAME"``) or on Zenodo (``to="zenodo:ID"``, ``"zenodo:new"``).

    The release is verified first. Without ``yes`` nothing is sent: the result has every file and every call that would
    be made. The token is read from ``token_file``, or from the environment variable HF_TOKEN or ZENODO_TOKEN.
    ``endpoint`` is the address of another server that speaks the same protocol. Run again after a failure, it goes on;
    what is published is the whole release or nothing.
    """
    from otherwords.corpus.publish import publish as publishing

    return publishing.publish(release, to, yes=yes, endpoint=endpoint, token_file=token_file)
