"""Subtitles: each file is one version of a movie or episode, and one document.

Formats are SubRip, WebVTT, SubStation, MicroDVD and OPUS. Each line of a cue is a line of the text. The times of the
cues are in ``meta``; K1 of the Turku method aligns two versions by them. The path, or a table of the user's, says which
movie it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from otherwords.errors import DataError, UsageError
from otherwords.records import Document
from otherwords.sources.documents.file_walk import source_files
from otherwords.sources.documents.kind import FORMAT, Kind, KindOption, Options, document_id
from otherwords.sources.documents.subtitles.cues import Cue, ordered_cues, text_and_times
from otherwords.sources.documents.subtitles.encodings import decode_text
from otherwords.sources.documents.subtitles.naming import (
    Facts,
    facts_from_opus_path,
    facts_from_path,
    path_examples,
)
from otherwords.sources.documents.subtitles.opus import opus_subtitles
from otherwords.sources.documents.subtitles.table import TABLE_HELP, FactsTable, facts_table
from otherwords.sources.documents.subtitles.text_formats import is_microdvd, microdvd, subrip, substation, webvtt
from otherwords.sources.documents.table_rows import check_format, row_language
from otherwords.sources.format import Head
from otherwords.sources.io.json_stream import first_character
from otherwords.sources.source import Source

FORMATS = {
    "srt": "SubRip: a number, a line `00:00:12,500 --> 00:00:15,000`, the lines of the cue, a blank line",
    "vtt": "WebVTT: begins with `WEBVTT`",
    "ass": "SubStation (`.ass`, `.ssa`): sections `[Script Info]` and `[Events]`",
    "microdvd": "MicroDVD (`.sub`): `{first frame}{last frame}text`",
    "opus": "OPUS OpenSubtitles: XML under `xml/LANGUAGE/YEAR/MOVIE/VERSION.xml.gz`",
}
_SUFFIXES = frozenset({".srt", ".vtt", ".ass", ".ssa", ".sub", ".xml"})
_LINE_ENDS = re.compile("\r\n?")
_STYLED = re.compile(r"^\s*\[(?:script info|v4\+? styles|events)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _SubtitleOptions:
    format: str | None
    fps: float | None
    folders: bool
    source: str
    table: FactsTable | None


def read(source: Source, options: Options) -> Iterator[Document]:
    """The versions in a file or folder; a file that cannot be used is rejected."""
    chosen = _SubtitleOptions(
        format=check_format(options.get("format"), tuple(FORMATS)),
        fps=_frame_rate(options.get("fps")),
        folders=bool(options.get("folders")),
        source=options.get("source") or "subtitles",
        table=facts_table(source, options["table"]) if options.get("table") else None,
    )
    for file in source_files(source, _SUFFIXES):
        try:
            document = _document(file, _facts(source, file, chosen), chosen)
        except DataError as problem:
            file.reject(problem.line, problem.reason)
            continue
        if document is not None:
            yield document
    if chosen.table:
        unused = chosen.table.facts.keys() - chosen.table.used
        source.mark("a row of the table whose file was not there", len(unused))


def _frame_rate(fps: object) -> float | None:
    if fps is None:
        return None
    try:
        rate = float(str(fps))
    except ValueError:
        rate = 0.0
    if not 1 <= rate <= 1000:
        message = f"subtitles: frames per second such as 25 or 23.976 are expected for fps, found {fps!r}"
        raise UsageError(message, code="bad-option")
    return rate


def _facts(source: Source, file: Source, options: _SubtitleOptions) -> Facts:
    """The facts about a file: from the table, and from its path for what the table does not say."""
    if file.path is None:
        return Facts(movie=file.stem)
    path = file.path
    if source.path is not None and file is not source:
        path = path.relative_to(source.path)
    elif not options.folders:
        path = Path(path.name)
    by_path = facts_from_opus_path(file.path) or facts_from_path(path)
    by_table = options.table.about(path) if options.table else None
    if by_table is None:
        if options.table:
            file.mark("a file that is not in the table, named by its path")
        return by_path
    if by_table.movie or by_table.series:  # do not mix the movie of the path with that of the table
        by_path = Facts(version=by_path.version, lang=by_path.lang)
    return replace(by_path, **{name: value for name, value in asdict(by_table).items() if value is not None})


def _document(file: Source, facts: Facts, options: _SubtitleOptions) -> Document | None:
    cues, facts = _cues(file, facts, options)
    ordered = ordered_cues(file, cues)
    if not ordered:
        reason = "the file has no cues; is it a subtitle file?" if not cues else "no cue of the file has any text"
        file.reject(None, reason)
        return None
    text, times = text_and_times(ordered)
    known = {name: value for name, value in asdict(facts).items() if value is not None and name != "lang"}
    lang = row_language(file, facts.lang)
    return Document(
        id=document_id("subtitles", lang, facts.group, text, repr(times)),
        text=text,
        lang=lang,
        source=options.source,
        group=facts.group,
        meta={**known, "cues": times, "file": file.name, "line": min(cue.place for cue in ordered)},
    )


def _cues(file: Source, facts: Facts, options: _SubtitleOptions) -> tuple[list[Cue], Facts]:
    if options.format == "opus" or (options.format is None and first_character(Head("", file.head())) == "<"):
        cues, header = opus_subtitles(file)
        year = int(header["year"]) if header.get("year", "").isdecimal() and len(header["year"]) == 4 else None
        return cues, replace(facts, year=facts.year or year, lang=facts.lang or header.get("lang"))
    text = _LINE_ENDS.sub("\n", _text(file, facts.lang or file.lang))
    format = options.format or _recognise(text)
    if format == "microdvd":
        return list(microdvd(file, text, options.fps)), facts
    readers = {"vtt": webvtt, "ass": substation, "srt": subrip}
    return list(readers[format](file, text)), facts


def _text(file: Source, lang: str | None) -> str:
    content = file.content("subtitles")
    if file.encoding:
        try:
            return content.decode(file.actual_encoding).removeprefix("\ufeff")
        except (UnicodeError, LookupError) as problem:
            raise file.error(f"the file is not {file.encoding}: {problem}", code="wrong-encoding") from None
    text, remark = decode_text(content, lang)
    if remark:
        file.mark(remark)
    return text


def _recognise(text: str) -> str:
    """The format by the content, since any of them may be named .sub or .txt."""
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
        "lang": "as in the table, the path or the file, else the language that the user named",
        "source": "subtitles, or the option source",
        "group": "the movie with its year, or the series with season and episode",
        "meta.version": "the name of the version",
        "meta.movie": "the movie",
        "meta.series": "the series",
        "meta.season": "the number of the season",
        "meta.episode": "the number of the episode",
        "meta.year": "the year of the movie",
        "meta.cues": "for each cue its first line in the text (from 0), its start and its end in milliseconds",
        "meta.file": "the file",
        "meta.line": "the line of its first cue",
    },
    options={
        "format": FORMAT,
        "source": KindOption(None, "a name", "the name of the source, instead of subtitles"),
        "table": KindOption(None, "a CSV, TSV, Excel or JSON Lines file", TABLE_HELP),
        "fps": KindOption(None, "a number", "frames per second of MicroDVD files that do not say it: 25, 23.976"),
        "folders": KindOption(False, "true or false", "take the movie from the folders of a single file too"),
    },
    formats=FORMATS,
    columns={},
    paths=path_examples(),
    example="sources/subtitles/Harbour.Street.S01E01.v1.en.srt",
)
