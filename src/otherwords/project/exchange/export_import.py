"""A whole project as files for exchange: written from one snapshot, and read back without loss.

Documents, document pairs, pairs and judgements are written as JSON Lines, each record with its provenance; the rest of
the ledger as plain rows; what the settings say about the corpus as JSON; the project's own files and the datasets of
finished steps as they are. Importing an export adds what is new, honours the withdrawals of both sides, and changes
nothing that exists.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec
from sqlalchemy import Table

from otherwords.errors import DataError, Refused, WriteError
from otherwords.project.about import About, checked_about, read_about, write_about
from otherwords.project.config import CONFIG_FILE, read_config, with_scheme
from otherwords.project.exchange import own_files, row_lines
from otherwords.project.exchange.merge import MergedRecords, honour
from otherwords.project.importing.records import ImportResult
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import TABLES, Row, in_blocks, read_records, row_of
from otherwords.project.permissions import PRIVATE_FOLDER
from otherwords.project.project import Project
from otherwords.project.withdrawal.withdraw import erase_withdrawn
from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.sources.io.files import atomic_folder, atomic_write

SCHEME_TAKEN = "scheme of the export, now that of the project: {}"
SCHEME_KEPT = "settings: the project has the scheme {}, which was kept, and the export {}"


def take_over_scheme(project: Project, brought: str | None, result: ImportResult) -> None:
    """Take over the scheme of an export where the project has none; the result says what became of it."""
    own = read_config(project.folder).scheme
    if brought and own is None:
        path = project.folder / CONFIG_FILE
        settings = with_scheme(path.read_text(encoding="utf-8"), brought)
        with atomic_write(path) as stream:
            stream.write(settings.encode())
        result.marked[SCHEME_TAKEN.format(brought)] = 1
    elif brought and brought != own:
        result.skipped[SCHEME_KEPT.format(own, brought)] = 1


SEQ = ("seq",)
ROWS_A_TRANSACTION = 2000
FILES_ADDED = "files of the export, added to the folder"
ABOUT_FILE = "about.json"  # what the settings say about the corpus
ABOUT_ADDED = "entries about the corpus, added to the settings"
ABOUT_KEPT = "about the corpus: other entries are here already and were kept"


class ImportedDocument(Document, frozen=True, gc=False):
    """A document and the import it came with."""

    import_id: str | None = None


class AlignedPair(DocumentPair, frozen=True, gc=False):
    """A document pair and the step that made it."""

    step: str | None = None
    step_key: str | None = None


class AcquiredPair(Pair, frozen=True, gc=False):
    """A pair, the import or the step it came with, and whether it was removed."""

    import_id: str | None = None
    step: str | None = None
    step_key: str | None = None
    state: str | None = None


# In the order in which they are read: tombstones before what they erase.
PLAIN_FIRST = (schema.imports, schema.tombstones)
NOUNS: dict[Table, type[Record]] = {
    TABLES[Document]: ImportedDocument,
    TABLES[DocumentPair]: AlignedPair,
    TABLES[Pair]: AcquiredPair,
    TABLES[Judgement]: Judgement,
}
PLAIN_LAST = (schema.steps, schema.releases, schema.released_pairs)
SITE = (
    *(schema.guidelines, schema.remarks, schema.batches, schema.slots, schema.takers, schema.left_out),
    *(schema.introductions, schema.consents, schema.completion_codes),
)
# Events last: by then the names of everybody who did something are known. Accounts, sessions, tokens, invitations and
# attempts are not exported because they are secret, nor are the ids that name people elsewhere (identities, workers of
# platforms); and holds, past holders, practice rounds and webhooks are only about the moment and the site.
ALL = (*PLAIN_FIRST, *NOUNS, *PLAIN_LAST, *SITE, schema.events)


def export_project(project: Project, folder: str | Path) -> dict[str, int]:
    """Write everything into a new folder, which appears when it is complete; the number of rows of each file."""
    target = Path(folder)
    files: dict[str, row_lines.Entry] = {}
    with atomic_folder(target, PRIVATE_FOLDER) as aside, project.ledger.reading() as connection:
        for table in ALL:
            name = f"{table.name}.jsonl"
            rows: Iterable[object] = (
                read_records(connection, NOUNS[table])
                if table in NOUNS
                else row_lines.table_rows(connection, table, without=SEQ)
            )
            with (aside / name).open("wb") as stream:
                digest = row_lines.DigestStream(stream)
                row_lines.write_lines(rows, digest)
            files[name] = digest.entry(rows=True)
        originals = {name: name for name in row_lines.dataset_files(connection, project)}
        originals |= {f"{own_files.FOLDER}/{name}": name for name in own_files.own_files(connection, project)}
        for name, original_name in originals.items():
            (aside / name).parent.mkdir(parents=True, exist_ok=True)
            with (project.folder / original_name).open("rb") as original, (aside / name).open("wb") as copy:
                digest = row_lines.DigestStream(copy)
                shutil.copyfileobj(original, digest, row_lines.BLOCK)
            files[name] = digest.entry(rows=False)
        if (about := read_about(project.folder)) != About():
            with (aside / ABOUT_FILE).open("wb") as copy:
                digest = row_lines.DigestStream(copy)
                digest.write(msgspec.json.format(msgspec.json.encode(about), indent=2) + b"\n")
            files[ABOUT_FILE] = digest.entry(rows=False)
        revision = project.ledger.revision() or ""
        (aside / row_lines.MANIFEST).write_bytes(row_lines.encode_manifest(project, "export", files, revision))
    return {name: entry.rows for name, entry in files.items() if entry.rows is not None}


def import_export(project: Project, folder: str | Path) -> ImportResult:
    """Import what :func:`export` wrote; the caller holds the project's lock. A second time it adds nothing."""
    source = Path(folder)
    manifest = _verify(source)
    result = ImportResult(str(folder))
    merged = MergedRecords(project, result)
    for table in ALL:
        name = f"{table.name}.jsonl"
        with (source / name).open("rb") as stream:
            rows = _rows(table, stream, source / name)
            for block in in_blocks(rows, ROWS_A_TRANSACTION):
                merged.add(table, block)
        if table is schema.tombstones:
            honour(project, result)
    datasets = sorted(
        filter(row_lines.is_dataset_file, manifest.files), key=lambda name: (not name.endswith(".parquet"), name)
    )
    for name in datasets:  # manifests last: a folder that has one is complete
        _add_file(source / name, project.folder / name)
    if datasets:
        erase_withdrawn(project)
    take_over_scheme(project, manifest.scheme, result)
    _add_own_files(source, project, filter(own_files.is_own_file, manifest.files), result)
    if ABOUT_FILE in manifest.files:
        _add_about(source / ABOUT_FILE, project, result)
    result.again = not (result.added or result.withdrawn or result.skipped or result.marked)
    return result


def _rows(table: Table, stream: BinaryIO, path: Path) -> Iterator[Row]:
    shape = row_lines.row_type(table, without=SEQ)
    if table not in NOUNS:
        yield from map(msgspec.structs.asdict, row_lines.read_lines(stream, shape, path))
        return
    for number, record in enumerate(row_lines.read_lines(stream, NOUNS[table], path), 1):
        row = row_of(record)
        try:
            msgspec.convert(row, shape)
        except msgspec.ValidationError as problem:
            raise DataError(f"cannot be kept: {problem}", path, number, code="bad-row") from None
        yield row


def _verify(folder: Path) -> row_lines.Manifest:
    """The manifest of an export, after every file was compared with it."""
    path = folder / row_lines.MANIFEST
    try:
        manifest = row_lines.read_manifest(path.read_bytes(), "export", folder)
    except OSError as problem:
        raise DataError(
            f"not an export: {row_lines.MANIFEST}: {problem.strerror}", folder, code="not-an-export"
        ) from None
    wanted = {f"{table.name}.jsonl" for table in ALL}
    for name in sorted(wanted - manifest.files.keys()):
        raise DataError(f"{row_lines.MANIFEST} does not list {name}", folder, code="missing-file")
    for name, entry in manifest.files.items():
        if (
            name not in (*wanted, ABOUT_FILE)
            and not row_lines.is_dataset_file(name)
            and not own_files.is_own_file(name)
        ):
            reason = f"{row_lines.MANIFEST} lists {name!r}, which is no file of an export"
            raise DataError(reason, folder, code="foreign-file")
        try:
            with (folder / name).open("rb") as stream:
                found = row_lines.read_entry(stream, rows=entry.rows is not None)
        except OSError as problem:
            raise DataError(problem.strerror or str(problem), folder / name, code="file-unreadable") from None
        if found != entry:
            reason = "is not what the manifest says; it was changed or damaged since it was written"
            raise DataError(reason, folder / name, code="damaged-file")
    return manifest


def _add_own_files(source: Path, project: Project, names: Iterable[str], result: ImportResult) -> None:
    """Add the schemes, the recipe and whatever else the project does not have; one that differs is kept as it is."""
    for name in names:
        target = project.folder / name.removeprefix(f"{own_files.FOLDER}/")
        if not target.exists():
            _add_file(source / name, target)
            result.marked[FILES_ADDED] = result.marked.get(FILES_ADDED, 0) + 1
        elif not target.is_file() or target.read_bytes() != (source / name).read_bytes():
            reason = f"files: {target.name}, with other content, is here already and was kept"
            result.skipped[reason] = result.skipped.get(reason, 0) + 1


def _add_about(path: Path, project: Project, result: ImportResult) -> None:
    """Fill in what the settings leave empty about the corpus; entries that differ are kept as they are."""
    try:
        about = checked_about(msgspec.json.decode(path.read_bytes()))
    except (msgspec.DecodeError, Refused) as problem:
        raise DataError(f"cannot be read: {problem}", path, code="bad-about") from None
    here = read_about(project.folder)
    completed = here.completed(about)
    if added := completed.changes(here):
        write_about(project.folder, completed)
        result.marked[ABOUT_ADDED] = len(added)
    if kept := set(completed.changes(about)) - set(about.empty):
        result.skipped[ABOUT_KEPT] = len(kept)


def _add_file(source: Path, target: Path) -> None:
    """Copy a file of a dataset, unless it exists: its folder is named after everything that it depends on."""
    if target.exists():
        return
    aside = target.with_name(f".{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, aside)
        aside.replace(target)
    except OSError as problem:
        message = f"{target}: cannot be written: {problem.strerror or problem}"
        raise WriteError(message, code="file-unwritable") from None
    finally:
        aside.unlink(missing_ok=True)
