"""Importing files into a project: the work behind ``otherwords import`` and the ``import`` steps of recipes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import select

from otherwords.errors import DataError, UsageError
from otherwords.project import schema
from otherwords.project.imports import Imported, add_records, begin, file_digest, finish
from otherwords.project.project import Project
from otherwords.project.work import Result, Running, Work
from otherwords.records import Document, Judgement, Pair, Record
from otherwords.sources import reading
from otherwords.sources.documents import KINDS
from otherwords.sources.rows import check_columns
from otherwords.sources.source import OnError, Source, keeping_account

Watch = Callable[[Iterable[Record], Source], Iterator[Record]]
PAIRS, JUDGEMENTS = "pairs", "judgements"
NOUNS: dict[str, type[Record]] = {PAIRS: Pair, JUDGEMENTS: Judgement}
OUR_FORMATS = ("jsonl", "csv", "tsv", "parquet")
IDS_A_QUERY = 500


def import_file(
    project: Project,
    kind: str,
    path: str | Path,
    *,
    options: dict[str, Any] | None = None,
    watch: Watch | None = None,
    on_error: OnError = "stop",
    quarantine: str | Path | None = None,
    **wishes: Any,
) -> Imported:
    """Import one file or folder; the caller holds the project's lock. The same file again adds nothing."""
    where = Path(path)
    if not where.exists():
        raise DataError("No such file or directory", where)
    _check(kind, options or {}, wishes)  # what is wrong with the wishes is said before the ledger hears of the file
    asked = {"options": options or {}, **{name: value for name, value in wishes.items() if value}}
    licence = wishes.pop("licence", None)
    import_id, before = begin(project, kind, where, asked)
    if before is not None and not (quarantine and before.skipped) and licence in (None, before.licence):
        return before  # what was refused, or is under another licence by now, is worth another reading
    told = Imported(str(path), licence=licence)
    wishes["lang"] = wishes.get("lang") or project.config.lang
    asking = _Asking(kind, where, options or {}, watch or (lambda records, source: iter(records)), wishes, licence)
    refused = Path(quarantine) if quarantine else None
    others: dict[str, Read] = {PAIRS: _pairs, JUDGEMENTS: partial(_judgements, project)}
    records = others.get(kind, _documents)(asking, told, on_error, refused)
    add_records(project, map(_stored, records), import_id, told)
    finish(project, import_id, asked, told, before)
    return told


def _check(kind: str, options: dict[str, Any], wishes: dict[str, Any]) -> None:
    """Refuse options and names of columns that do not go with the kind."""
    columns = wishes.get("columns") or {}
    if kind not in NOUNS:
        KINDS.get(kind).checked(options)
        KINDS.get(kind).check_columns(columns)
        return
    check_columns(NOUNS[kind], columns)
    if options:
        raise UsageError(f"--set goes with the kinds of documents, not with {kind}")
    if wishes.get("licence"):
        raise UsageError(f"--licence goes with the kinds of documents, not with {kind}")


@dataclass(frozen=True, slots=True)
class _Asking:
    """What is to be imported, and how."""

    kind: str
    path: Path
    options: dict[str, Any]
    watch: Watch
    wishes: dict[str, Any]
    licence: str | None = None


Read = Callable[[_Asking, Imported, OnError, Path | None], Iterator[Record]]


def _documents(asking: _Asking, told: Imported, on_error: OnError, quarantine: Path | None) -> Iterator[Record]:
    chosen, wishes = KINDS.get(asking.kind), asking.wishes
    given = {"format": wishes["format"]} if wishes.get("format") else {}
    checked = chosen.checked(asking.options | given)
    with keeping_account(on_error, quarantine) as account:
        columns, encoding = wishes.get("columns") or {}, wishes.get("encoding")
        source = Source(asking.path, account, chosen.noun, encoding, wishes["lang"], columns)
        for record in asking.watch(chosen.read(source, checked), source):
            if isinstance(record, Document | Pair) and record.lang is None and "lang1" not in record.meta:
                record = msgspec.structs.replace(record, lang=wishes["lang"])
            if asking.licence and isinstance(record, Document) and record.licence is None:
                record = msgspec.structs.replace(record, licence=asking.licence)
            yield record
        told.skipped, told.marked = dict(account.skipped), dict(account.marked)


def _pairs(asking: _Asking, told: Imported, on_error: OnError, quarantine: Path | None) -> Iterator[Record]:
    with reading(asking.path, on_error=on_error, quarantine=quarantine, **asking.wishes) as corpus:
        ours = corpus.format.name in OUR_FORMATS
        whole = _whole(asking.watch(corpus, corpus.source), corpus.source)
        yield from _distinct(whole, corpus.source, ours)
        told.skipped, told.marked = dict(corpus.account.skipped), dict(corpus.account.marked)


def _judgements(
    project: Project, asking: _Asking, told: Imported, on_error: OnError, quarantine: Path | None
) -> Iterator[Record]:
    """What people said elsewhere, about pairs that are here."""
    with reading(asking.path, noun=JUDGEMENTS, on_error=on_error, quarantine=quarantine, **asking.wishes) as said:
        stem, stream = said.source.stem, asking.watch(said, said.source)
        while block := [one for one in islice(stream, IDS_A_QUERY) if isinstance(one, Judgement)]:
            known = _known_pairs(project, {one.pair for one in block})
            for one in block:
                if one.unit == "pair" and one.pair not in known:
                    said.account.rows -= 1
                    said.source.reject(None, f"there is no pair {one.pair}; import the pairs first", {"id": one.id})
                    continue
                yield _numbered(one, stem)
        told.skipped, told.marked = dict(said.account.skipped), dict(said.account.marked)


def _known_pairs(project: Project, names: set[str]) -> set[str]:
    one = schema.pairs
    with project.ledger.reading() as connection:
        return set(connection.execute(select(one.c.id).where(one.c.id.in_(names))).scalars())


def _numbered(said: Judgement, stem: str) -> Judgement:
    """A judgement whose id is its own among all files: the number of a line is not."""
    if not said.id.startswith(f"{stem}:"):
        return said
    told = msgspec.json.encode([said.pair, said.annotator, said.value, said.time])
    return msgspec.structs.replace(said, id=f"{said.id}@{blake2b(told, digest_size=4).hexdigest()}")


def _whole(records: Iterable[Record], source: Source) -> Iterator[Pair]:
    """Pairs of two texts, their labels without blanks around them; one that lacks a text is refused."""
    for pair in records:
        if not isinstance(pair, Pair):
            continue
        if empty := next((name for name in ("text1", "text2") if not getattr(pair, name).strip()), None):
            source.reject_last(pair.id, f"{empty} is empty", msgspec.to_builtins(pair))
        elif pair.label is None or pair.label == pair.label.strip():
            yield pair
        else:
            yield msgspec.structs.replace(pair, label=pair.label.strip() or None)


def _distinct(pairs: Iterable[Pair], source: Source, ours: bool) -> Iterator[Pair]:
    """Pairs whose ids are their own among all corpora: a line number, or a number in another corpus, is not.

    Ids in our own formats are kept as they are, and two pairs with one id refused; others are told apart by a digest
    of the texts.
    """
    original: dict[str | None, str | None] = {}
    seen: dict[str, tuple[bytes, int | None]] = {}
    for pair in pairs:
        if ours and not pair.id.startswith(f"{source.stem}:"):
            told = blake2b(msgspec.json.encode(pair), digest_size=8).digest()
            line = source.account.place and source.account.place[1]
            first, earlier = seen.setdefault(pair.id, (told, line))
            if first == told:
                yield pair
            else:
                there = f"on line {earlier}" if earlier else "in the file"
                source.reject_last(pair.id, f"the id {pair.id} is {there} already", msgspec.to_builtins(pair))
            continue
        digest = blake2b(f"{pair.text1}\0{pair.text2}".encode(), digest_size=4).hexdigest()
        name = f"{pair.id}@{digest}"
        if pair.rewrite_of is None:
            original = {pair.id: name}
        yield msgspec.structs.replace(pair, id=name, rewrite_of=original.get(pair.rewrite_of, pair.rewrite_of))


def _stored(record: Record) -> Record:
    """A record as a database can hold it: no text anywhere can have a NUL character."""
    if b"\\u0000" not in msgspec.json.encode(record):
        return record
    return msgspec.convert(_without_nul(msgspec.to_builtins(record)), type(record))


def _without_nul(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {_without_nul(name): _without_nul(one) for name, one in value.items()}
    return [_without_nul(one) for one in value] if isinstance(value, list | tuple) else value


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    """A recipe's import depends on the files themselves."""
    paths = [project.folder / path for path in parameters["paths"]]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise DataError("No such file or directory", missing[0])
    return {"files": {str(path): file_digest(path) for path in paths}, "rows": len(paths)}


def _run(running: Running) -> Result:
    result = Result(rows_in=len(running.parameters["paths"]))
    for number, name in enumerate(running.parameters["paths"], 1):
        path = running.project.folder / name
        wishes = {name: running.parameters[name] for name in ("format", "lang", "licence")}
        options = running.parameters["options"]
        told = import_file(running.project, running.parameters["kind"], path, options=options, **wishes)
        result.rows_out += told.added
        result.counts[str(name)] = told.counts()
        running.progress(number, len(running.parameters["paths"]))
    return result


IMPORT = Work(
    name="import",
    version=1,
    parameters={"kind": "subtitles", "paths": [], "format": None, "lang": None, "licence": None, "options": {}},
    inputs=_inputs,
    run=_run,
    rows_a_second=1.0,
)
