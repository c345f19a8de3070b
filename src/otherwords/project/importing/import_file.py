"""Import a file or a folder into a project: read it, check it, store its records."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from otherwords.errors import DataError, LedgerError, OtherwordsError, UsageError
from otherwords.project.importing.annotator_names import (
    NO_IMPORT,
    imports_of_pairs,
    names_without_account,
    separate_names,
)
from otherwords.project.importing.answers import AnswerLog, AnswerRules, answer_lines
from otherwords.project.importing.pair_ids import check_own_ids, judged_pairs, pair_digests, rename_clashing
from otherwords.project.importing.records import (
    Earlier,
    ImportResult,
    add_records,
    begin_import,
    finish_import,
    take_back,
)
from otherwords.project.ledger.rows import TABLES, in_blocks
from otherwords.project.project import Project
from otherwords.records import Document, Judgement, Pair, Record
from otherwords.sources.documents import KINDS
from otherwords.sources.quarantine import Quarantine
from otherwords.sources.reading import RELEASE_FILE, RecordReader, open_records
from otherwords.sources.rows.records import NOT_ASKED, as_answer, check_columns
from otherwords.sources.source import OnError, ReadLog, Source, open_read_log

Watch = Callable[[Iterable[Record], Source], Iterator[Record]]
DOCUMENTS, PAIRS, JUDGEMENTS = "documents", "pairs", "judgements"
NOUNS: dict[str, type[Record]] = {DOCUMENTS: Document, PAIRS: Pair, JUDGEMENTS: Judgement}
TYPES_OF_NO_PARAPHRASE = "types of a pair that is no paraphrase, kept beside the answer"
OUR_FORMATS = ("jsonl", "csv", "tsv", "parquet", "xlsx")
NO_RULES = AnswerRules()


class ImportOptions(msgspec.Struct, frozen=True):
    """How a file is read: ``options`` are those of a kind of documents, the others hold for all kinds."""

    options: dict[str, object] = msgspec.field(default_factory=dict)
    format: str | None = None
    lang: str | None = None
    columns: dict[str, str] | None = None
    encoding: str | None = None
    licence: str | None = None
    scheme: str | None = None
    sheet: str | None = None
    judges: dict[str, str] | None = None
    mapping: dict[str, str] | None = None

    def as_json(self) -> dict[str, object]:
        """The options that were set, as the ledger records them."""
        values = msgspec.structs.asdict(self)
        return {name: value for name, value in values.items() if value or name == "options"}


def import_file(
    project: Project,
    kind: str,
    path: str | Path,
    *,
    options: dict[str, object] | None = None,
    format: str | None = None,
    lang: str | None = None,
    columns: dict[str, str] | None = None,
    encoding: str | None = None,
    licence: str | None = None,
    scheme: str | None = None,
    sheet: str | None = None,
    judges: dict[str, str] | None = None,
    answers: AnswerRules = NO_RULES,
    watch: Watch | None = None,
    on_error: OnError = "stop",
    quarantine: str | Path | Quarantine | None = None,
    earlier: Earlier | None = None,
) -> ImportResult:
    """Import a file or a folder; the caller holds the project's lock. The same file again adds nothing.

    With other options, it replaces what it brought before and nobody used. ``earlier`` says what becomes of that:
    "replace" holds for other content of the same path too, "keep" keeps all of it. ``judges`` are the annotators by
    the columns of a table that hold their answers, ``answers`` say what becomes of labels.
    """
    mapping = dict(answers.mapping) or None
    chosen = ImportOptions(options or {}, format, lang, columns, encoding, licence, scheme, sheet, judges, mapping)
    if not Path(path).exists():
        raise DataError("No such file or directory", path, code="no-such-file")
    _check(kind, chosen)  # before the ledger records the file
    noun = NOUNS[kind] if kind in NOUNS else KINDS.get(kind).noun
    begun = begin_import(project, kind, TABLES[noun], Path(path), chosen.as_json(), earlier)
    before = begun.before
    if before is not None and not (quarantine and before.skipped) and licence in (None, before.licence):
        return before  # a file is read again for its rejected rows, or for another licence
    rejected = Quarantine.at(quarantine)
    result = ImportResult(str(path), licence=licence, refused_rows=str(rejected) if rejected is not None else None)
    watching = watch or (lambda records, source: iter(records))
    job = _Job(project, kind, Path(path), chosen, watching, on_error, rejected, result, begun.id, answers)
    read = _READERS.get(kind, _documents)
    try:
        if begun.earlier:
            deque(read(job), maxlen=0)  # what is there is replaced only if the whole file can be read
        add_records(project, map(_storable, read(job)), begun, result)
    except LedgerError:  # what came in stays, and the import goes on from there
        raise
    except OtherwordsError:
        take_back(project, begun)
        raise
    finish_import(project, begun, chosen.as_json(), result)
    return result


def _check(kind: str, chosen: ImportOptions) -> None:
    """Refuse options and names of columns that do not go with the kind."""
    columns = chosen.columns or {}
    for flag, given in (("--judges", chosen.judges), ("--map", chosen.mapping)):
        if given and (kind == DOCUMENTS or kind not in NOUNS):
            raise UsageError(f"{flag} goes with pairs, judgements and corpus, not with {kind}", code="misplaced-option")
    if kind not in NOUNS:
        KINDS.get(kind).checked(chosen.options)
        KINDS.get(kind).check_columns(columns)
        return
    check_columns(NOUNS[kind], columns)
    if kind != JUDGEMENTS:
        for name, value in chosen.options.items():
            if name != "source" or not isinstance(value, str):
                message = f"--set {name}={value}: {kind} have only the option source, the name of a source"
                raise UsageError(message, code="no-such-option")
        return
    for flag, value in (("--set", chosen.options), ("--licence", chosen.licence)):
        if value:
            message = f"{flag} goes with pairs and the kinds of documents, not with {kind}"
            raise UsageError(message, code="misplaced-option")


@dataclass(frozen=True, slots=True)
class _Job:
    """One file to import."""

    project: Project
    kind: str
    path: Path
    options: ImportOptions
    watch: Watch
    on_error: OnError
    quarantine: Quarantine | None
    result: ImportResult
    import_id: str
    answers: AnswerRules

    @property
    def lang(self) -> str:
        return self.options.lang or self.project.config.lang

    def complete(self, record: Record) -> Record:
        """A document or pair with the language, licence and source of the import, unless it states its own."""
        if not isinstance(record, Document | Pair):
            return record
        source = self.options.options.get("source")
        changes = {
            "lang": self.lang if record.lang is None and "lang1" not in record.meta else None,
            "licence": self.options.licence if record.licence is None else None,
            "source": str(source) if source and record.source is None else None,
        }
        changes = {name: value for name, value in changes.items() if value is not None}
        return msgspec.structs.replace(record, **changes) if changes else record

    def open(self, noun: str) -> AbstractContextManager[RecordReader]:
        """The records of the file; those of the language of the project do not say so yet."""
        chosen = self.options
        return open_records(
            self.path,
            chosen.format,
            noun=noun,
            encoding=chosen.encoding,
            columns=chosen.columns,
            scheme=chosen.scheme,
            sheet=chosen.sheet,
            judges=chosen.judges,
            lang=chosen.lang,
            on_error=self.on_error,
            quarantine=self.quarantine,
        )

    def reading_again(self) -> _Job:
        """The same file, read for something else: its rejected rows are those of the other reading."""
        return dataclasses.replace(self, on_error="skip", quarantine=None)

    def has_own_ids(self, corpus: RecordReader) -> bool:
        """Whether the ids are those of a project's own sheet; those of a release are another project's."""
        return corpus.format.name in OUR_FORMATS and not (self.path / RELEASE_FILE).is_file()

    def count_rejected(self, log: ReadLog) -> None:
        """Take over which rows were rejected or marked."""
        self.result.skipped, self.result.marked = dict(log.skipped), dict(log.marked)

    def count_answers(self, log: AnswerLog) -> None:
        """Take over which labels were renamed or are outside the scheme."""
        self.result.outside, self.result.answers = dict(log.outside.most_common()), list(answer_lines(log))


def _documents(job: _Job) -> Iterator[Record]:
    kind, chosen = KINDS.get(job.kind), job.options
    checked = kind.checked(chosen.options | ({"format": chosen.format} if chosen.format else {}))
    with open_read_log(job.on_error, job.quarantine) as log:
        source = Source(job.path, log, kind.noun, chosen.encoding, job.lang, chosen.columns or {}, sheet=chosen.sheet)
        yield from map(job.complete, job.watch(kind.read(source, checked), source))
        job.count_rejected(log)


def _corpus_documents(job: _Job) -> Iterator[Record]:
    """The documents that the pairs of a corpus were taken from."""
    with job.open(DOCUMENTS) as corpus:
        yield from map(job.complete, job.watch(corpus, corpus.source))
        job.count_rejected(corpus.account)


def _pairs(job: _Job) -> Iterator[Record]:
    with job.open(PAIRS) as corpus:
        source, answers = corpus.source, AnswerLog(job.answers)
        pairs = map(answers.pair, _complete(map(_storable, job.watch(corpus, source)), source))
        named = check_own_ids(pairs, source) if job.has_own_ids(corpus) else rename_clashing(job.project, pairs, source)
        yield from map(job.complete, named)
        job.count_rejected(corpus.account)
        job.count_answers(answers)


def _judgements(job: _Job) -> Iterator[Record]:
    """Judgements that were made elsewhere, of pairs that are here."""
    with job.open(JUDGEMENTS) as sheet:
        source, own_ids, digests = sheet.source, job.has_own_ids(sheet), None
        answers, is_wide = AnswerLog(job.answers), bool(job.options.judges)
        if not own_ids and Pair in sheet.format.nouns:
            with job.reading_again().open(PAIRS) as corpus:
                digests = pair_digests(map(_storable, corpus))
        names = job.result.renamed = _other_names(job, source.stem, digests)
        rows = (
            (judgement, source.place)
            for row in job.watch(sheet, source)
            if isinstance(row, Judgement) and (judgement := answers.judgement(as_answer(row))) is not None
        )
        for block in in_blocks(rows):
            pairs = judged_pairs(job.project, [judgement for judgement, _ in block], digests, by_texts=is_wide)
            for (judgement, place), pair in zip(block, pairs, strict=True):
                if judgement.unit == "pair" and pair is None:
                    texts = " with these texts" if is_wide and "text1" in judgement.meta else ""
                    reason = f"there is no pair {judgement.pair}{texts}; import the pairs first"
                    source.reject_read(place, reason, msgspec.to_builtins(judgement))
                    continue
                source.mark(TYPES_OF_NO_PARAPHRASE, int(NOT_ASKED in judgement.meta))
                meta = {} if is_wide else judgement.meta  # the texts by which the pair was found
                judgement = msgspec.structs.replace(judgement, pair=pair or judgement.pair, meta=meta)
                if not own_ids or judgement.id.startswith(f"{source.stem}:"):  # an id that other files may have too
                    content = [judgement.pair, judgement.annotator, judgement.value, judgement.time]
                    digest = blake2b(msgspec.json.encode(content), digest_size=4).hexdigest()
                    judgement = msgspec.structs.replace(judgement, id=f"{judgement.id}@{digest}")
                if judgement.annotator in names:
                    judgement = msgspec.structs.replace(judgement, annotator=names[judgement.annotator])
                yield judgement
        job.count_rejected(sheet.account)
        job.count_answers(answers)


def _other_names(job: _Job, file: str, digests: Mapping[str, list[str]] | None) -> dict[str, str]:
    """New names for annotators of the file whose names other people have; the file is read for it if there are any."""
    with job.project.ledger.reading() as connection:
        if not (known := names_without_account(connection)):
            return {}
    judged: dict[str, set[str]] = {}
    with job.reading_again().open(JUDGEMENTS) as sheet:
        rows = (row for row in sheet if isinstance(row, Judgement) and row.annotator in known)
        for block in in_blocks(rows):
            pairs = judged_pairs(job.project, block, digests, by_texts=bool(job.options.judges))
            with job.project.ledger.reading() as connection:
                imports = imports_of_pairs(connection, {pair for pair in pairs if pair is not None})
            for judgement, pair in zip(block, pairs, strict=True):
                if judgement.unit != "pair" or pair is not None:
                    judged.setdefault(judgement.annotator or "", set()).add(imports.get(pair or "", NO_IMPORT))
    with job.project.ledger.reading() as connection:
        return separate_names(connection, judged, job.import_id, file)


_READERS: dict[str, Callable[[_Job], Iterator[Record]]] = {
    DOCUMENTS: _corpus_documents,
    PAIRS: _pairs,
    JUDGEMENTS: _judgements,
}


def _complete(records: Iterable[Record], source: Source) -> Iterator[Pair]:
    """Pairs that have both texts, with stripped labels; others are rejected."""
    for pair in records:
        if not isinstance(pair, Pair):
            continue
        if empty := next((name for name in ("text1", "text2") if not getattr(pair, name).strip()), None):
            source.reject_last(pair.id, f"{empty} is empty", msgspec.to_builtins(pair))
        elif pair.label is None or pair.label == pair.label.strip():
            yield pair
        else:
            yield msgspec.structs.replace(pair, label=pair.label.strip() or None)


def _storable(record: Record) -> Record:
    """A record without NUL characters, which databases do not store in texts."""
    if b"\\u0000" not in msgspec.json.encode(record):
        return record
    return msgspec.convert(_without_nul(msgspec.to_builtins(record)), type(record))


def _without_nul(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {_without_nul(key): _without_nul(item) for key, item in value.items()}
    return [_without_nul(item) for item in value] if isinstance(value, list | tuple) else value
