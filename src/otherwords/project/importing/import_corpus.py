"""Import a released corpus whole: its documents, its pairs, and the judgements, votes or types of these.

Each kind of record that the corpus holds is one import of the file, so that a file imported again adds nothing, and
judgements find the pairs that came in before them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from otherwords.errors import DataError, OtherwordsError, UsageError
from otherwords.licences import compatibility
from otherwords.project.importing.answers import AnswerRules
from otherwords.project.importing.import_file import (
    DOCUMENTS,
    JUDGEMENTS,
    NO_RULES,
    NOUNS,
    OUR_FORMATS,
    PAIRS,
    Watch,
    import_file,
)
from otherwords.project.importing.records import Earlier, ImportResult
from otherwords.project.project import Project
from otherwords.sources.formats import FORMATS
from otherwords.sources.formats.hf.card import stated_licence
from otherwords.sources.quarantine import Quarantine
from otherwords.sources.reading import FILES_IN_RELEASE, RELEASE_FILE, open_records, recognise
from otherwords.sources.source import OnError, ReadLog, Source

PAIRS_ONLY = (*OUR_FORMATS, "hf")  # formats that could hold anything; as a corpus, they hold pairs
TEXTS_IN_RELEASE = Path("turku", "texts.json.gz")  # of the documents that may be redistributed
HUB_CARD = "README.md"
NOT_THERE = frozenset(
    {"missing-file", "no-judgements", "not-json"}
)  # codes where a file lacks what its format may hold


class _ReleaseMetadata(msgspec.Struct):
    """What the metadata of one of our releases say about its licence."""

    licence: str | None = None


def import_corpus(
    project: Project,
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
) -> Iterator[ImportResult]:
    """Import everything that a corpus holds, and tell the result of each noun.

    The options are those of ``import_file``, each for the nouns that it concerns. Rejected rows of a noun go to a file
    with the name of the noun.
    """
    corpus = Path(path)
    if not corpus.exists():
        raise DataError("No such file or directory", path, code="no-such-file")
    rejected = Quarantine.at(quarantine)
    for noun in [PAIRS, JUDGEMENTS] if judges else nouns_in(corpus, format, columns or {}, encoding):
        from_release = noun == DOCUMENTS and is_release(corpus, format)
        is_judgements = noun == JUDGEMENTS
        known = {*NOUNS[noun].__struct_fields__, "text1", "text2"}
        if judges and is_judgements:  # what else a row says is about the pair
            known = {"id", "text1", "text2"}
        result = import_file(
            project,
            noun,
            corpus / TEXTS_IN_RELEASE if from_release else corpus,
            options=None if is_judgements else options,
            format="turku" if from_release else format,
            lang=lang,
            columns={field: column for field, column in (columns or {}).items() if field in known},
            encoding=encoding,
            licence=None if is_judgements else licence or licence_of(corpus),
            scheme=scheme,
            sheet=sheet,
            judges=judges,
            answers=answers if noun != DOCUMENTS else NO_RULES,
            watch=watch,
            on_error=on_error,
            quarantine=rejected.beside(noun) if rejected is not None else None,
            earlier=earlier,
        )
        result.noun = noun
        yield result


def is_release(path: Path, format: str | None) -> bool:
    """Whether this is a folder that ``release`` wrote."""
    return format is None and (path / RELEASE_FILE).is_file()


def nouns_in(path: Path, format: str | None, columns: dict[str, str], encoding: str | None) -> list[str]:
    """The kinds of records in a corpus, in the order in which they refer to each other."""
    if is_release(path, format):
        files = {DOCUMENTS: TEXTS_IN_RELEASE, **FILES_IN_RELEASE}
        return [noun for noun in NOUNS if (path / files[noun]).is_file() and (path / files[noun]).stat().st_size]
    chosen = FORMATS.get(format) if format else recognise(Source(path, ReadLog(), columns=columns))
    if chosen.name in PAIRS_ONLY:
        return [PAIRS]
    held = [noun for noun, kind in NOUNS.items() if kind in chosen.nouns]
    return [noun for noun in held if len(held) == 1 or _has_any(path, format, noun, encoding)] or held


def _has_any(path: Path, format: str | None, noun: str, encoding: str | None) -> bool:
    """Whether a file has at least one record of a kind."""
    try:
        with open_records(path, format, noun=noun, encoding=encoding, on_error="skip") as records:
            return next(iter(records), None) is not None
    except OtherwordsError as problem:
        if problem.code in NOT_THERE:
            return False
        raise


def licence_of(path: Path) -> str | None:
    """The licence that a corpus states: one of our releases in its metadata, a dataset of the Hub in its card."""
    if (path / RELEASE_FILE).is_file():
        return msgspec.json.decode((path / RELEASE_FILE).read_bytes(), type=_ReleaseMetadata).licence
    card = path / HUB_CARD
    stated = stated_licence(Source(card, ReadLog())) if card.is_file() else None
    try:
        return compatibility.licence(stated).name if stated else None
    except UsageError:  # not an SPDX name; the checks of a release say what they think of it
        return stated
