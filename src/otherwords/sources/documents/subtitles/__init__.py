"""Subtitles: each file is one version of a movie or episode, and one document.

In goes a file or a folder of SubRip, WebVTT, SubStation, MicroDVD or OPUS files, out comes a document a
file with its text a line of a cue a line, and the times of the cues beside it, by which K1 of the Turku
method aligns two versions. Which movie it is comes from the path, or from a table of the user's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from otherwords.errors import DataError, UsageError
from otherwords.records import Document
from otherwords.sources.documents.kind import Kind, Options, document_id
from otherwords.sources.documents.subtitles.cues import Cue, in_order, text_and_times
from otherwords.sources.documents.subtitles.encodings import decoded
from otherwords.sources.documents.subtitles.microdvd import is_microdvd, microdvd
from otherwords.sources.documents.subtitles.naming import Facts, facts_of, opus_facts
from otherwords.sources.documents.subtitles.opus import is_opus, opus_subtitles
from otherwords.sources.documents.subtitles.srt import subrip, webvtt
from otherwords.sources.documents.subtitles.styled import substation
from otherwords.sources.documents.subtitles.table import FactsTable, facts_table
from otherwords.sources.documents.table_rows import chosen_format, language_of
from otherwords.sources.documents.walking import files
from otherwords.sources.files import MAX_LINE
from otherwords.sources.format import Head
from otherwords.sources.source import Source

FORMATS = ("srt", "vtt", "ass", "microdvd", "opus")
_SUFFIXES = frozenset({".srt", ".vtt", ".ass", ".ssa", ".sub", ".xml"})
_LINE_ENDS = re.compile("\r\n?")
_STYLED = re.compile(r"^\s*\[(?:script info|v4\+? styles|events)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Wishes:
    format: str | None
    fps: float | None
    folders: bool
    source: str
    table: FactsTable | None


def read(source: Source, options: Options) -> Iterator[Document]:
    """The versions in a file or folder; one that cannot be used is rejected with the reason."""
    wishes = _Wishes(
        format=chosen_format(options.get("format"), FORMATS),
        fps=_rate(options.get("fps")),
        folders=bool(options.get("folders")),
        source=options.get("source") or "subtitles",
        table=facts_table(source, options["table"]) if options.get("table") else None,
    )
    for file in files(source, _SUFFIXES):
        try:
            document = _document(file, _facts(source, file, wishes), wishes)
        except DataError as problem:
            file.reject(problem.line, problem.reason)
            continue
        if document is not None:
            yield document
    if wishes.table and wishes.table.unused:
        source.account.marked["a row of the table whose file was not there"] += wishes.table.unused


def _rate(fps: object) -> float | None:
    if fps is None:
        return None
    try:
        rate = float(str(fps))
    except ValueError:
        rate = 0.0
    if not 1 <= rate <= 1000:
        raise UsageError(f"the option fps is a number of frames a second such as 25 or 23.976, not {fps!r}")
    return rate


def _facts(source: Source, file: Source, wishes: _Wishes) -> Facts:
    """What the table says about a file, and what its path says where the table is silent."""
    if file.path is None:
        return Facts(movie=file.stem)
    inside = file.path
    if source.path is not None and file is not source:
        inside = inside.relative_to(source.path)
    elif not wishes.folders:
        inside = Path(inside.name)
    by_name = opus_facts(file.path) or facts_of(inside)
    told = wishes.table.about(inside) if wishes.table else None
    if told is None:
        if wishes.table:
            file.mark("a file that is not in the table, named by its path")
        return by_name
    if told.movie or told.series:  # the path's idea of what it is must not mix with the table's
        by_name = Facts(version=by_name.version, lang=by_name.lang)
    return replace(by_name, **{name: value for name, value in asdict(told).items() if value is not None})


def _document(file: Source, facts: Facts, wishes: _Wishes) -> Document | None:
    cues, facts = _cues(file, facts, wishes)
    ordered = in_order(file, cues)
    if not ordered:
        reason = "no cue in the file; is it a subtitle file?" if not cues else "no cue of the file has any text"
        file.reject(None, reason)
        return None
    text, times = text_and_times(ordered)
    told = {name: value for name, value in asdict(facts).items() if value is not None and name != "lang"}
    lang = language_of(file, facts.lang)
    return Document(
        id=document_id("subtitles", lang, facts.group, text, repr(times)),
        text=text,
        lang=lang,
        source=wishes.source,
        group=facts.group,
        meta={**told, "cues": times, "file": file.name, "line": min(cue.place for cue in ordered)},
    )


def _cues(file: Source, facts: Facts, wishes: _Wishes) -> tuple[list[Cue], Facts]:
    head = Head("", file.head())
    if wishes.format == "opus" or (wishes.format is None and is_opus(head)):
        cues, header = opus_subtitles(file)
        year = int(header["year"]) if header.get("year", "").isdecimal() and len(header["year"]) == 4 else None
        return cues, replace(facts, year=facts.year or year, lang=facts.lang or header.get("lang"))
    text = _LINE_ENDS.sub("\n", _text(file, facts.lang or file.lang))
    form = wishes.format or _form(text)
    if form == "microdvd":
        return list(microdvd(file, text, wishes.fps)), facts
    readers = {"vtt": webvtt, "ass": substation, "srt": subrip}
    return list(readers[form](file, text)), facts


def _text(file: Source, lang: str | None) -> str:
    with file.binary() as stream:
        content = stream.read(MAX_LINE + 1)
    if len(content) > MAX_LINE:
        raise file.error(f"is larger than {MAX_LINE // 2**20} MB, which no subtitles are")
    if file.encoding:
        try:
            return content.decode(file.actual_encoding).removeprefix("\ufeff")
        except (UnicodeError, LookupError) as problem:
            raise file.error(f"is not {file.encoding}: {problem}") from None
    text, remark = decoded(content, lang)
    if remark:
        file.mark(remark)
    return text


def _form(text: str) -> str:
    """The format by what the text is like: people name files .sub and .txt whatever they are."""
    if text.startswith("WEBVTT"):
        return "vtt"
    if is_microdvd(text):
        return "microdvd"
    return "ass" if _STYLED.search(text[:65536]) else "srt"


KIND = Kind(
    name="subtitles",
    title="subtitles: SubRip, WebVTT, SubStation, MicroDVD and OPUS OpenSubtitles",
    read=read,
    fields={
        "text": "the lines of all cues in the order of their times, without markup",
        "lang": "as the table, the path or the file says, else as given",
        "source": "subtitles",
        "group": "the movie with its year, or the series with season and episode",
        "meta.version": "what tells this version from the others",
        "meta.movie": "the movie",
        "meta.series": "the series",
        "meta.season": "the season, a number",
        "meta.episode": "the episode, a number",
        "meta.year": "the year of the movie",
        "meta.cues": "for each cue its first line in the text (from 0), its start and its end in milliseconds",
        "meta.file": "the file as named",
        "meta.line": "the line of its first cue",
    },
    options={"format": None, "source": None, "table": None, "fps": None, "folders": False},
    formats=FORMATS,
    columns={},
)
