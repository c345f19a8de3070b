"""A version of a growing set on disk: the files of a release, with a card that says what was taken and what was not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
import pyarrow as pa
from sqlalchemy import Connection

from otherwords.annotate.labels.label_rule import POSITIVE, polarity
from otherwords.corpus.corpus import Corpus
from otherwords.corpus.growing.select import SelectedPairs
from otherwords.corpus.leaks.overlap import KINDS
from otherwords.corpus.release.changes import CHANGES, EarlierRelease, Place, changes_page, find_changes
from otherwords.corpus.release.folder import (
    existing_release,
    move_into_place,
    temporary_folder,
    write_files,
)
from otherwords.corpus.release.metadata_files import front_matter, metadata_files, write_checksums
from otherwords.corpus.release.model import EarlierTest, GrowthFacts, HubConfig, ReleaseModel, Verify
from otherwords.corpus.release.pairs import read_pairs
from otherwords.corpus.release.parquet import write_configs
from otherwords.corpus.release.part_files import SCHEMA, part_file, part_writer
from otherwords.errors import DataError
from otherwords.project.about import read_about
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.project import Project
from otherwords.records import Pair
from otherwords.sources.reading import DATA_FOLDER, JUDGEMENTS_FILE, PAIRS_FILE

PART = "train"
BY_PART = ".parts"
ROWS_PER_BLOCK = 5000
MOST_NAMED = 5  # problems in a message
SIMULATED = "The model has learned from simulated annotators: this version says nothing about people or texts."


@dataclass(frozen=True, slots=True)
class VersionDraft:
    """A version before it is written: what it is called, its pairs, and what it follows."""

    name: str
    version: str
    licence: str
    date: str
    selected: SelectedPairs
    tests: dict[str, int]  # pairs by release
    growth: GrowthFacts
    since: EarlierRelease | None
    places: Mapping[str, Place]  # of the pairs of the version before
    simulated: bool = False  # whether the model has learned from simulated annotators


@dataclass(frozen=True, slots=True)
class GrownVersion:
    """A version that was made."""

    folder: Path
    version: str
    pairs: int
    came: int
    went: int
    dropped: dict[str, int]
    tests: int | None = None  # releases that have one; None for a version that was there already
    again: bool = False


def write_version(
    connection: Connection, project: Project, target: Path, draft: VersionDraft, verify: Verify
) -> GrownVersion:
    """Write a version; the folder appears when it is complete and was verified."""
    selected = draft.selected
    if not selected.kept:
        reasons = ", ".join(f"{reason}: {count:,}" for reason, count in selected.dropped.most_common(3) if count)
        message = f"version {draft.version} would have no pair" + (f"; dropped: {reasons}" if reasons else "")
        raise DataError(message, code="nothing-grown")
    existing_release(target, draft.version)  # an error if something else is in its place
    changes = find_changes(
        draft.version, draft.since, draft.places, ((pair.id, PART, POSITIVE) for pair in selected.kept)
    )
    with temporary_folder(target) as folder:
        _write_pairs(folder, selected.kept)
        configs = write_configs(connection, folder, {PART: part_file(folder / BY_PART, PART)})
        shutil.rmtree(folder / BY_PART)
        built = _described(project, folder, draft, configs)
        write_files({"README.md": _card(built, draft).encode()}, folder)
        write_files(metadata_files(built) | {CHANGES: changes_page(changes).encode()}, folder)
        write_checksums(folder)
        if problems := verify(folder, project.folder):
            found = "; ".join(problems[:MOST_NAMED])
            message = f"{draft.version} is not made: what was written does not pass verify: {found}"
            raise DataError(message, code="release-not-sound")
        move_into_place(folder, target)
    came, went = changes.came.total(), len(changes.went)
    return GrownVersion(target, draft.version, len(selected.kept), came, went, built.left_out, len(draft.tests))


def _described(project: Project, folder: Path, draft: VersionDraft, configs: list[HubConfig]) -> ReleaseModel:
    """What the card and the other files are written from."""
    pairs = folder / DATA_FOLDER / PAIRS_FILE
    return ReleaseModel(
        name=draft.name,
        version=draft.version,
        licence=draft.licence,
        lang=project.config.lang,
        scheme=None,
        date=draft.date,
        folder=folder,
        corpus=Corpus(draft.name, folder, "release", polarity([POSITIVE]), partial(read_pairs, pairs)),
        counts={PART: {POSITIVE: len(draft.selected.kept)}},
        left_out={reason: count for reason, count in sorted(draft.selected.dropped.items()) if count},
        checks=[],
        configs=configs,
        rewrites=0,
        judgements=0,
        annotators=0,
        simulated=draft.simulated,
        parameters={"growth": msgspec.to_builtins(draft.growth)},
        about=read_about(project.folder),
        earlier_tests=[EarlierTest(test, pairs, dict.fromkeys(KINDS, 0)) for test, pairs in draft.tests.items()],
    )


def _write_pairs(folder: Path, pairs: Sequence[Pair]) -> None:
    """The lines of all pairs, and their columns."""
    (folder / DATA_FOLDER).mkdir()
    (folder / JUDGEMENTS_FILE).touch()  # nobody has judged them
    with (folder / DATA_FOLDER / PAIRS_FILE).open("wb") as stream, part_writer(folder / BY_PART) as write:
        for block in in_blocks(map(_published, pairs), ROWS_PER_BLOCK):
            stream.write(b"".join(msgspec.json.encode(pair) + b"\n" for pair in block))
            write(PART, pa.RecordBatch.from_pylist(list(_rows(block)), SCHEMA))


def _published(pair: Pair) -> Pair:
    """A pair as it is published: without its passages and without what its source says besides."""
    names = ("id", "text1", "text2", "lang", "source", "group", "time", "method")
    fields = {name: getattr(pair, name) for name in names}
    return Pair(**fields, label=POSITIVE, meta={"part": PART, "positive": True, "made_by": "model"})


def _rows(pairs: Sequence[Pair]) -> Iterator[dict[str, object]]:
    for pair in pairs:
        row = {name: getattr(pair, name, None) for name in SCHEMA.names}
        yield row | {"positive": True, "scores": None, "meta": None}


def _card(built: ReleaseModel, draft: VersionDraft) -> str:
    """The README of a version."""
    growth = draft.growth
    by_reason = "".join(f"| {reason} | {count:,} |\n" for reason, count in built.left_out.items())
    after = f" It grows from {growth.after}." if growth.after else ""
    warning = f"**{SIMULATED}**\n\n" if draft.simulated else ""
    return (
        f"{front_matter(built)}\n# {built.name} {built.version}\n\n{warning}"
        f"{built.pairs:,} pairs that a model (`{growth.model}`) takes for paraphrases; nobody has checked "
        f"them. They are for training. Made on {built.date}.{after} See `{CHANGES}` for what is new.\n\n"
        "## Dropped\n\n"
        f"Texts are too much alike above a BLEU of {growth.most_bleu:g}; sentences are nearly the same from a "
        f"similarity of {growth.near:g} on (Dice coefficient of character trigrams).\n\n"
        f"| reason | pairs |\n|---|---:|\n{by_reason}\n{_leak_table(draft)}"
        f"## Licence\n\n{built.licence}; see `LICENSE`.\n"
    )


def _leak_table(draft: VersionDraft) -> str:
    """What was dropped because of each test; that nothing is left was verified."""
    if not draft.tests:
        return "## Tests\n\nNo release had a test when this version was made.\n\n"
    shared = draft.selected.shared
    rows = "".join(
        f"| {test} | {pairs:,} | {' | '.join(f'{shared[test][kind]:,}' for kind in KINDS)} | 0 |\n"
        for test, pairs in draft.tests.items()
    )
    return (
        "## Tests\n\nPairs that were dropped because they have something in common with the test of a release, each "
        "under the first kind that fits, and pairs that are left and have. A test pair counts for the first release "
        "that tests with it.\n\n"
        "| release | test pairs | same group | same address | same sentence | similar sentence | left |\n"
        f"|---|---:|---:|---:|---:|---:|---:|\n{rows}\n"
    )
