"""Releases: the labelled pairs of a project as files that the world can use, checked first, the same bytes every time.

In goes a project with wishes, and a function that describes a release in words; out comes a folder that appears when
it is whole, and rows in the ledger that say which pair was released in which part. The pairs are written first, aside,
and everything else is made of them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from otherwords.annotate.pseudonyms import key_of, pseudonyms
from otherwords.annotate.scheme import Scheme
from otherwords.corpus import checks
from otherwords.corpus.corpora import DATA, PLAIN, Corpus
from otherwords.corpus.polarity import Polarity, polarity
from otherwords.corpus.release_folder import filling, lay, put, refuse_other_content, there_already
from otherwords.corpus.release_judgements import Said, write_judgements, write_types
from otherwords.corpus.release_ledger import Before, made_before, record, refuse_other_release
from otherwords.corpus.release_licences import licence
from otherwords.corpus.release_pairs import Chooser, Selection, pairs_of, write_pairs
from otherwords.corpus.release_papers import papers, write_checksums
from otherwords.corpus.release_parquet import write_configs
from otherwords.corpus.release_part_files import part_file
from otherwords.corpus.release_parts import Split, placed, split_of
from otherwords.corpus.release_sources import source_licences
from otherwords.corpus.release_turku import is_turku, write_turku
from otherwords.corpus.release_wishes import Wishes
from otherwords.corpus.released import Check, Describe, Released
from otherwords.corpus.views import left_out_labels, rule_named, scheme_in
from otherwords.errors import UsageError
from otherwords.measures.signature import signature
from otherwords.project.identities import Renaming
from otherwords.project.project import Project
from otherwords.records import Pair

JUDGEMENTS = "judgements.jsonl"
BY_PART = ".parts"  # gone before the release is whole
SIMULATED = "some labels rest on simulated judgements: this release says nothing about people"


def release(project: Project, wishes: Wishes, describe: Describe) -> Released:
    """Make a release, or the same one again; what stops it is told as one error and nothing is left of it."""
    wishes = wishes.checked(checks.NAMES)
    target = wishes.target(project.folder)
    with project.holding(wait=True):
        before = made_before(project, wishes.version)
        split = split_of(project, wishes, before.split if before else {})
        date = _date(wishes, before, there_already(target, wishes.version))
        with filling(target) as aside:
            released = _made(project, wishes, split, aside, date, describe)
            digest = write_checksums(aside)
            refuse_other_release(before, digest, wishes.version)
            if before is None:
                refuse_other_content(target, digest)
            put(aside, target)
        if before is None:
            record(project, released, target / DATA / PLAIN, digest, split)
    corpus = _corpus(project, wishes, target, released.corpus.polarity)
    return replace(released, folder=target, corpus=corpus, again=before is not None)


def looked_over(project: Project, wishes: Wishes) -> tuple[list[Check], dict[str, dict[str, int]]]:
    """Only the checks, and how many pairs of each part and label would be released; nothing is written that stays."""
    wishes = wishes.checked(checks.NAMES)
    with project.holding(wait=True):
        before = made_before(project, wishes.version)
        split = split_of(project, wishes, before.split if before else {})
        with filling(wishes.target(project.folder)) as aside, project.ledger.reading() as connection:
            selection, said = _chosen(connection, project, wishes, split, aside, _renaming(connection, project))
            parts = _files(selection, split, aside)
            return _checked(connection, project, wishes, selection, said, aside, parts), _counts(selection, split)


def _made(project: Project, wishes: Wishes, split: Split, aside: Path, date: str, describe: Describe) -> Released:
    with project.ledger.reading() as connection:
        renaming = _renaming(connection, project)
        selection, said = _chosen(connection, project, wishes, split, aside, renaming)
        parts = _files(selection, split, aside)
        found = _checked(connection, project, wishes, selection, said, aside, parts)
        checks.refuse(found, wishes.version)
        configs = write_configs(connection, aside, parts)
        if is_turku(project.config.scheme, selection.labels):
            write_turku(connection, aside / "turku", parts, selection)
        write_types(connection, aside / "p4p", selection.places, parts, renaming)
        shutil.rmtree(aside / BY_PART)
        sources = source_licences(connection, selection.documents)
    says = polarity(selection.labels)
    released = Released(
        name=project.config.name,
        version=wishes.version,
        licence=_licence_name(wishes.licence),
        lang=project.config.lang,
        scheme=project.config.scheme,
        date=date,
        folder=aside,
        corpus=_corpus(project, wishes, aside, says),
        counts=_counts(selection, split),
        left_out=dict(sorted(selection.left_out.items())),
        checks=found,
        configs=configs,
        rewrites=selection.rewritten,
        judgements=said.count,
        annotators=len(said.annotators),
        parameters=wishes.as_parameters() | {"split": split.wishes | {"cut_offs": list(split.cut_offs)}},
        simulated=wishes.simulated or selection.simulated > 0,
        simulated_judgements=said.simulated,
        signatures=_signatures(wishes, split),
        sources=sources,
        explained=scheme_in(project) if project.config.scheme else None,
    )
    lay(describe(released), aside)
    lay(papers(released), aside)
    return released


def _chosen(
    connection: Connection,
    project: Project,
    wishes: Wishes,
    split: Split,
    aside: Path,
    renaming: Renaming | None,
) -> tuple[Selection, Said]:
    """The pairs and the judgements, written."""
    scheme = scheme_in(project)
    choose = Chooser(wishes.view, _without(scheme, wishes), rule_named(scheme, wishes.view).positive)
    pairs, by_part = aside / DATA / PLAIN, aside / BY_PART
    selection = write_pairs(split.labels, placed(split), choose, renaming, pairs, by_part)
    path = aside / JUDGEMENTS
    return selection, write_judgements(connection, path, selection.places, renaming, simulated=wishes.simulated)


def _files(selection: Selection, split: Split, aside: Path) -> dict[str, Path]:
    """The pairs of each part, in a file that is gone when the release is whole."""
    return {part: part_file(aside / BY_PART, part) for part in split.ordered(selection.counts)}


def _counts(selection: Selection, split: Split) -> dict[str, dict[str, int]]:
    return {part: dict(sorted(selection.counts[part].items())) for part in split.ordered(selection.counts)}


def _checked(
    connection: Connection,
    project: Project,
    wishes: Wishes,
    selection: Selection,
    said: Said,
    aside: Path,
    parts: dict[str, Path],
) -> list[Check]:
    pairs, scheme = aside / DATA / PLAIN, scheme_in(project)
    return checks.checked(connection, pairs, parts, selection, said, wishes, scheme.name)


def _renaming(connection: Connection, project: Project) -> Renaming | None:
    return pseudonyms(connection, key_of(project.folder))


def _without(scheme: Scheme, wishes: Wishes) -> frozenset[str]:
    """The labels that a release of the scheme leaves out, but for those that somebody wants to keep."""
    usual = left_out_labels(scheme)
    if unknown := sorted(set(wishes.keep_labels) - usual):
        told = " and ".join(sorted(usual)) or "no label"
        raise UsageError(f"--keep-labels {unknown[0]!r}: a release by the scheme {scheme.name} leaves out {told}")
    return usual - set(wishes.keep_labels)


def _licence_name(name: str) -> str:
    try:
        return licence(name).name
    except UsageError:
        return name  # the check about licences was overruled


def _date(wishes: Wishes, before: Before | None, there: dict[str, Any] | None) -> str:
    """The day that was asked for, or that of the first making: a release made twice is the same."""
    if wishes.date is not None:
        return wishes.date
    if before is not None:
        return before.date
    return str(there["date"]) if there is not None else datetime.now(UTC).date().isoformat()


def _corpus(project: Project, wishes: Wishes, folder: Path, says: Polarity) -> Corpus:
    def read() -> Iterator[Pair]:
        return pairs_of(folder / DATA / PLAIN)

    notes = [SIMULATED] if wishes.simulated else []
    return Corpus(project.config.name, folder, "release", says, read, project.config.lang, notes)


def _signatures(wishes: Wishes, split: Split) -> dict[str, str]:
    labels = {"view": wishes.view or "full", "simulated": "yes" if wishes.simulated else "no"}
    return {"labels": signature("labels", labels), "split": signature("split", split.wishes)}
