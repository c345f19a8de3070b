"""Bitext: sentences and their translations, as pairs across languages.

The input is two Moses files, a translation memory (TMX), a table of two columns, or any pair corpus of
:mod:`otherwords.sources.formats` by name. Pairs have ``meta.lang1`` and ``meta.lang2``; a pair across languages has no
``lang``. The same pair always has the same id, so that reading a file twice adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from otherwords.errors import UsageError
from otherwords.records import Pair
from otherwords.registry import suggest
from otherwords.sources.documents.bitext.files import has_partner, moses_files, parse_languages
from otherwords.sources.documents.bitext.table import TEXT_NAMES, is_table, table_rows
from otherwords.sources.documents.bitext.tmx import Unit, units
from otherwords.sources.documents.kind import Kind, KindOption, Options, document_id
from otherwords.sources.format import Format
from otherwords.sources.formats import FORMATS
from otherwords.sources.io.files import bare_suffix
from otherwords.sources.io.parallel_files import aligned_lines
from otherwords.sources.reading import recognise
from otherwords.sources.rows.layout import mark_empty_texts
from otherwords.sources.source import Source
from otherwords.text.languages import language
from otherwords.text.normalise import document_text

Languages = tuple[str | None, str | None]


def read(source: Source, options: Options) -> Iterator[Pair]:
    """The pairs of a bitext; the layout is recognised if it is not named."""
    format: str | Format = options.get("format") or _layout(source, options)
    if isinstance(format, str) and format in LAYOUTS:
        yield from LAYOUTS[format](source, options)
        return
    if isinstance(format, str):
        if format not in FORMATS:
            known = [*LAYOUTS, *FORMATS]
            raise UsageError(f"unknown format {format!r} of bitext{suggest(format, known)}", code="unknown-format")
        format = FORMATS.get(format)
    records = format.read(replace(source, record_type=Pair))
    yield from (record for record in records if isinstance(record, Pair))


def _layout(source: Source, options: Options) -> str | Format:
    if options.get("other") or has_partner(source):
        return "moses"
    if source.path is not None and not source.path.exists():
        message = "there is no such file, nor two files with names that start like this and end in a language"
        raise source.error(message, code="file-unreadable")
    if source.path is None or source.path.is_file():
        head = source.head(4096)
        if b"<tmx" in head.replace(b"\0", b"").lower() or (source.path and bare_suffix(source.path) == ".tmx"):
            return "tmx"
        if is_table(source):
            return "tsv"
    return recognise(source)


def _moses(source: Source, options: Options) -> Iterator[Pair]:
    if source.path is None:
        message = "a Moses bitext is two files and cannot be read from standard input; name them, or use a table or TMX"
        raise UsageError(message, code="file-needed")
    (path1, lang1), (path2, lang2) = moses_files(source, options.get("other"), parse_languages(options.get("langs")))
    first, second = source.sibling(path1), source.sibling(path2)
    for line, (text1, text2) in aligned_lines([first, second]):
        place = {"file": first.name, "file2": second.name, "line": line}
        yield from _pair(first, options, (text1, text2), (lang1, lang2), place)


def _tsv(source: Source, options: Options) -> Iterator[Pair]:
    named = parse_languages(options.get("langs"))
    for line, texts, langs, others in table_rows(source):
        yield from _pair(source, options, texts, named or langs, {**others, "file": source.name, "line": line})


def _tmx(source: Source, options: Options) -> Iterator[Pair]:
    named = parse_languages(options.get("langs"))
    order: list[str] = list(named or ())
    for line, variants in units(source):
        chosen = _choose_variants(source, (line, variants), named)
        if chosen is None:
            continue
        order = order or [lang for lang, _ in chosen]
        if [lang for lang, _ in chosen] == order[::-1]:
            chosen.reverse()
        (lang1, text1), (lang2, text2) = chosen
        yield from _pair(source, options, (text1, text2), (lang1, lang2), {"file": source.name, "line": line})


def _choose_variants(source: Source, unit: Unit, langs: tuple[str, str] | None) -> list[tuple[str, str]] | None:
    """The two variants of a unit that make a pair; a unit without two is rejected and gives None."""
    line, variants = unit
    try:
        coded = [(language(tag or None), text) for tag, text in variants]
    except UsageError as problem:
        source.reject(line, str(problem), variants)
        return None
    if langs:
        first = next((variant for variant in coded if variant[0] == langs[0]), None)
        second = next((variant for variant in coded if variant[0] == langs[1] and variant is not first), None)
        coded = [variant for variant in (first, second) if variant]
    if len(coded) == 2:
        return coded
    found = ", ".join(tag or "no language" for tag, _ in variants) or "nothing"
    advice = "" if langs or len(coded) < 2 else "; choose two languages with langs=en-fi"
    source.reject(line, f"a unit in two languages is expected, found: {found}{advice}", variants)
    return None


def _pair(
    source: Source, options: Options, texts: tuple[str, str], langs: Languages, meta: Mapping[str, object]
) -> Iterator[Pair]:
    """The pair, unless both texts are empty, as in blank lines."""
    text1, text2 = (document_text(text).strip() for text in texts)
    if not text1 and not text2:
        return
    mark_empty_texts(source, text1, text2)
    named = {f"lang{side}": lang for side, lang in enumerate(langs, 1) if lang}
    yield Pair(
        id=document_id("bitext", *langs, text1, text2),
        text1=text1,
        text2=text2,
        lang=langs[0] if langs[0] and langs[0] == langs[1] else None,
        source=options.get("source", "bitext"),
        method="bitext",
        meta={**named, **meta},
    )


LAYOUTS: dict[str, Callable[[Source, Options], Iterator[Pair]]] = {"moses": _moses, "tmx": _tmx, "tsv": _tsv}

KIND = Kind(
    name="bitext",
    title="sentences and their translations: Moses files, TMX, tables, and every pair corpus by name",
    read=read,
    fields={
        "text1": "the sentence in the first language",
        "text2": "the sentence in the second language",
        "lang": "the language, if both texts are in the same",
        "source": "bitext, or the option source",
        "method": "bitext",
        "meta.lang1": "the language of text1: by suffix, tag or column name, or by the option langs",
        "meta.lang2": "the language of text2",
        "meta.file": "the file; the first of two Moses files",
        "meta.file2": "the second Moses file",
        "meta.line": "the line in the file",
        "meta.*": "the other columns of a table under their names",
    },
    options={
        "format": KindOption("", "one of the formats", "the format; recognised if not set"),
        "langs": KindOption("", "two languages: en-fi", "the languages of the two texts, in this order"),
        "other": KindOption("", "a file", "the second of two Moses files whose names do not go together"),
        "source": KindOption("bitext", "a name", "the name of the source"),
    },
    formats={
        "moses": "two files with one sentence per line, named by language: `corpus.en` and `corpus.fi`; name either",
        "tmx": "a translation memory (`.tmx`)",
        "tsv": "two columns separated by tabs, with or without a header; a header may name languages (`en`, `fi`)",
        "any other": "every [format of pairs](formats.md), by its name",
    },
    needed=("text1", "text2"),
    noun=Pair,
    columns=dict.fromkeys(Pair.__struct_fields__, ()) | TEXT_NAMES,
)
