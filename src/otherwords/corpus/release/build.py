"""Releases: the labelled pairs of a project as files for everybody, checked first, with the same bytes every time.

A release is built in a temporary folder, which is moved into place when it is complete; then the ledger records which
pair was released in which part. The pairs are written first, and everything else is made from them.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import msgspec
from sqlalchemy import Connection, func, insert, select

from otherwords.annotate.current_judgements import gold_labels
from otherwords.annotate.labels.label_rule import Polarity, polarity
from otherwords.annotate.labels.views import labelling_scheme, left_out_labels, view_rule
from otherwords.annotate.pseudonyms import project_key, pseudonyms
from otherwords.annotate.schemes import load_scheme
from otherwords.corpus.corpus import Corpus
from otherwords.corpus.release import checks
from otherwords.corpus.release.changes import CHANGES, ReleaseChanges, changes_page, compare_versions
from otherwords.corpus.release.checks import by_source, count_licences
from otherwords.corpus.release.earlier_tests import earlier_test_check
from otherwords.corpus.release.folder import (
    existing_release,
    move_into_place,
    refuse_other_content,
    temporary_folder,
    write_files,
)
from otherwords.corpus.release.judgements import PublishedForm, write_judgements, write_types
from otherwords.corpus.release.metadata_files import metadata_files, write_checksums
from otherwords.corpus.release.model import WHOLE, Check, Describe, ReleaseModel, Verify
from otherwords.corpus.release.options import ReleaseOptions
from otherwords.corpus.release.pairs import LabelChooser, read_blocks, read_pairs, write_pairs
from otherwords.corpus.release.parquet import write_configs
from otherwords.corpus.release.part_files import part_file, read_part
from otherwords.corpus.release.split import ReleaseTables, read_places, split_release
from otherwords.corpus.release.turku import is_turku, write_turku
from otherwords.errors import DataError, UsageError
from otherwords.licences.compatibility import licence
from otherwords.measures.options import signature
from otherwords.project.about import read_about
from otherwords.project.alignments import alignment_counts
from otherwords.project.ledger import schema
from otherwords.project.project import Project, now
from otherwords.registry import suggest
from otherwords.sources.reading import DATA_FOLDER, JUDGEMENTS_FILE, PAIRS_FILE

MOST_NAMED = 5  # problems in a message
BY_PART = ".parts"  # deleted before the release is complete
SIMULATED = "some labels rest on simulated judgements: this release says nothing about people"


@dataclass(frozen=True, slots=True)
class ReleaseHistory:
    """An earlier release."""

    date: str
    digest: str | None = None  # of its checksums
    split: dict[str, object] = field(default_factory=dict)  # the options of its split


def _earlier_release(project: Project, version: str) -> ReleaseHistory | None:
    """What is known about a version; None if it was never released."""
    releases = schema.releases
    with project.ledger.reading() as connection:
        row = connection.execute(select(releases.c.time, releases.c.meta).where(releases.c.version == version)).first()
    if row is None:
        return None
    date = str(row.meta.get("date") or row.time[:10])
    return ReleaseHistory(date, row.meta.get("digest"), row.meta.get("split") or {})


def release(project: Project, options: ReleaseOptions, describe: Describe, verify: Verify) -> ReleaseModel:
    """Build a release, or the same one again, and verify it; if it is stopped, nothing is left of it."""
    options = options.checked(checks.NAMES)
    target = options.target(project.folder)
    with project.holding(wait=True):
        earlier = _earlier_release(project, options.version)
        tables = split_release(project, options, earlier.split if earlier else {})
        existing = existing_release(target, options.version)
        # Without a date it is that of the first release: one that is built twice stays the same.
        first = earlier.date if earlier is not None else existing.date if existing is not None else None
        date = options.date or first or datetime.now(UTC).date().isoformat()
        with temporary_folder(target) as folder:
            with project.ledger.reading() as connection:
                builder = _Builder(connection, project, options, tables, folder)
                built = builder.build(date, describe)
            digest = write_checksums(folder)
            if problems := verify(folder, project.folder):
                found = "; ".join(problems[:MOST_NAMED])
                message = f"{options.version} is not released: what was written does not pass verify: {found}"
                raise DataError(message, code="release-not-sound")
            if earlier is None:
                refuse_other_content(target, digest)
            elif earlier.digest != digest:
                message = f"{options.version} was released with other content; choose a new version"
                raise DataError(message, code="version-released")
            move_into_place(folder, target)
        if earlier is None:
            record(project, built, target / DATA_FOLDER / PAIRS_FILE, digest, tables, builder.types)
    corpus = _corpus(project, options, target, built.corpus.polarity)
    return replace(built, folder=target, corpus=corpus, again=earlier is not None)


def check_release(project: Project, options: ReleaseOptions) -> tuple[list[Check], dict[str, dict[str, int]]]:
    """The checks of a release, and how many pairs of each part and label it would have; nothing is kept."""
    options = options.checked(checks.NAMES)
    with project.holding(wait=True):
        earlier = _earlier_release(project, options.version)
        tables = split_release(project, options, earlier.split if earlier else {})
        with temporary_folder(options.target(project.folder)) as folder, project.ledger.reading() as connection:
            builder = _Builder(connection, project, options, tables, folder)
            return checks.run_checks(connection, builder.draft, options), builder.counts()


class _Builder:
    """Writes the files of a release into a folder, the pairs and judgements first."""

    def __init__(
        self, connection: Connection, project: Project, options: ReleaseOptions, tables: ReleaseTables, folder: Path
    ) -> None:
        self.connection, self.project, self.options = connection, project, options
        self.tables, self.folder = tables, folder
        self.scheme = labelling_scheme(project, options.scheme)
        self.types: dict[str, list[str]] = {}  # by pair, when they are written
        usual = left_out_labels(self.scheme)
        if unknown := sorted(set(options.keep_labels) - usual):
            labels = " and ".join(sorted(usual)) or "no label"
            message = f"--keep-labels {unknown[0]!r}: a release by the scheme {self.scheme.name} leaves out {labels}"
            raise UsageError(message, code="label-not-left-out")
        positive = view_rule(self.scheme, options.view).positive
        chooser = LabelChooser(options.view, usual - set(options.keep_labels), positive)
        pairs, by_part = folder / DATA_FOLDER / PAIRS_FILE, folder / BY_PART
        key, judgements_file = project_key(project.folder), folder / JUDGEMENTS_FILE
        self.renaming = pseudonyms(connection, key)
        selection = write_pairs(
            tables.labels, read_places(tables), chooser, options.meta, self.renaming, pairs, by_part
        )
        name = project.config.scheme
        form = PublishedForm(key, frozenset(options.meta), load_scheme(name, project.folder) if name else None)
        judgements = write_judgements(
            connection, judgements_file, selection.places, self.renaming, form, simulated=options.simulated
        )
        known = selection.meta | judgements.meta
        if unknown := sorted(set(options.meta) - known):
            message = f"--meta {unknown[0]!r}: no released pair or judgement has it{suggest(unknown[0], sorted(known))}"
            raise UsageError(message, code="no-such-meta")
        parts = {part: part_file(by_part, part) for part in tables.names if part in selection.counts}
        trained = {part: (pair for block in read_part(path) for pair in block) for part, path in parts.items()}
        earlier, self.earlier_tests = earlier_test_check(connection, options.version, trained)
        self.draft = checks.ReleaseDraft(
            pairs=pairs,
            parts=parts,
            selection=selection,
            judgements=judgements,
            judgements_file=judgements_file,
            words=(project.config.name, self.scheme.name, self.scheme.title),
            licences=count_licences(connection, selection),
            scheme=self.scheme.name,
            earlier=earlier,
            about=read_about(project.folder),
        )

    def counts(self) -> dict[str, dict[str, int]]:
        """The number of pairs by part and label."""
        return {part: dict(sorted(self.draft.selection.counts[part].items())) for part in self.draft.parts}

    def build(self, date: str, describe: Describe) -> ReleaseModel:
        """Check the data files, write all others, and describe the release."""
        project, options, selection = self.project, self.options, self.draft.selection
        results = checks.run_checks(self.connection, self.draft, options)
        if any(check.refuses for check in results):
            raise checks.NotReleased(results, options.version)
        parts = dict(self.draft.parts)
        configs = write_configs(self.connection, self.folder, parts)
        scheme = options.scheme or project.config.scheme
        if is_turku(scheme, selection.labels):
            write_turku(self.connection, self.folder / "turku", parts, selection)
        self.types = write_types(self.connection, self.folder / "p4p", selection.places, parts, self.renaming)
        shutil.rmtree(self.folder / BY_PART)
        licence_name = options.licence
        with contextlib.suppress(UsageError):  # if its check was overruled
            licence_name = licence(licence_name).name
        labels = {"view": options.view or "full", "simulated": "yes" if options.simulated else "no"}
        built = ReleaseModel(
            name=project.config.name,
            version=options.version,
            licence=licence_name,
            lang=project.config.lang,
            scheme=scheme,
            date=date,
            folder=self.folder,
            corpus=_corpus(project, options, self.folder, polarity(selection.labels)),
            counts=self.counts(),
            left_out=dict(sorted(selection.left_out.items())),
            checks=results,
            configs=configs,
            rewrites=selection.rewritten,
            judgements=self.draft.judgements.count,
            annotators=len(self.draft.judgements.annotators),
            parameters=options.as_parameters()
            | {"split": self.tables.options | {"cut_offs": list(self.tables.cut_offs)}},
            simulated=options.simulated or selection.simulated > 0,
            simulated_judgements=self.draft.judgements.simulated,
            signatures={"labels": signature("labels", labels), "split": signature("split", self.tables.options)},
            sources=by_source(self.draft.licences),
            explained=self.scheme if scheme else None,
            about=self.draft.about,
            alignments=alignment_counts(self.connection),
            own_schemes=project.folder,
            gold=self._gold_labels(),
            earlier_tests=self.earlier_tests,
        )
        write_files(describe(built), self.folder)
        write_files(metadata_files(built), self.folder)
        write_files({CHANGES: changes_page(self._changes()).encode()}, self.folder)
        return built

    def _changes(self) -> ReleaseChanges:
        """Since the version before."""
        pairs = (pair for block in read_blocks(self.draft.pairs, _ReleasedPair) for pair in block)
        placed = ((pair.id, pair.meta.part or WHOLE, pair.label) for pair in pairs)
        return compare_versions(self.connection, self.options.version, placed)

    def _gold_labels(self) -> dict[str, str]:
        """Those of the released pairs."""
        gold = gold_labels(self.connection)
        parts = self.draft.selection.places.parts_of(gold)
        return {pair: label for (pair, label), part in zip(gold.items(), parts, strict=True) if part is not None}


class _ReleasedMeta(msgspec.Struct, gc=False):
    part: str | None = None


class _ReleasedPair(msgspec.Struct, gc=False):
    """What the ledger records about a released pair."""

    id: str
    label: str
    meta: _ReleasedMeta


def record(
    project: Project,
    release: ReleaseModel,
    pairs: Path,
    digest: str,
    split: ReleaseTables,
    types: Mapping[str, list[str]],
) -> None:
    """Record a release and all its pairs, with their labels and ``types``, in one transaction."""
    meta = {"date": release.date, "digest": digest, "parameters": release.parameters}
    meta |= {"split": split.options, "cut_offs": list(split.cut_offs)}
    row = {"version": release.version, "licence": release.licence, "meta": meta}
    with project.ledger.writing() as connection:
        latest = connection.execute(select(func.max(schema.releases.c.time))).scalar()
        connection.execute(insert(schema.releases), [row | {"time": _time_after(latest)}])
        for block in read_blocks(pairs, _ReleasedPair):
            rows = [
                {"version": release.version, "pair": pair.id, "part": pair.meta.part, "label": pair.label}
                | {"types": types.get(pair.id, [])}
                for pair in block
            ]
            connection.execute(insert(schema.released_pairs), rows)


def _time_after(latest: str | None) -> str:
    """The time, or just after the latest release: releases are in the order of their times, whatever the clock says."""
    moment = now()
    if latest is None or moment > latest:
        return moment
    return (datetime.fromisoformat(latest) + timedelta(milliseconds=1)).isoformat(timespec="milliseconds")


def _corpus(project: Project, options: ReleaseOptions, folder: Path, label_polarity: Polarity) -> Corpus:
    pairs, notes = folder / DATA_FOLDER / PAIRS_FILE, [SIMULATED] if options.simulated else []
    read = partial(read_pairs, pairs)
    return Corpus(project.config.name, folder, "release", label_polarity, read, project.config.lang, notes)
