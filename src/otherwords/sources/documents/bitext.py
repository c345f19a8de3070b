"""Bitext: sentences and their translations, as pairs across languages.

In goes a Moses pair of files, a translation memory (TMX), a table of two columns, or any pair corpus
of :mod:`otherwords.sources.formats` by name; out come pairs with ``meta.lang1`` and ``meta.lang2``.
A pair across languages has no language of its own. The same pair has the same id wherever it stands,
so a file read twice adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from otherwords.errors import UsageError
from otherwords.records import Pair
from otherwords.registry import suggest
from otherwords.sources.documents.bitext_files import has_partner, languages_of, sides
from otherwords.sources.documents.bitext_table import is_table, table_rows
from otherwords.sources.documents.kind import Kind, Options, document_id
from otherwords.sources.documents.plain_text import plain_text
from otherwords.sources.documents.tmx import Unit, units
from otherwords.sources.files import bare_suffix
from otherwords.sources.format import Format
from otherwords.sources.formats import FORMATS
from otherwords.sources.layout import note_empty_texts
from otherwords.sources.parallel import aligned
from otherwords.sources.reading import recognise
from otherwords.sources.source import Source
from otherwords.text.languages import language

Sides = tuple[str | None, str | None]


def read(source: Source, options: Options) -> Iterator[Pair]:
    """The pairs of a bitext; the layout is recognised where it is not named."""
    name = options.get("format") or _layout(source, options)
    if isinstance(name, Format) or name not in LAYOUTS:
        yield from _corpus(source, name if isinstance(name, Format) else _format(name))
    else:
        yield from LAYOUTS[name](source, options)


def _layout(source: Source, options: Options) -> str | Format:
    if options.get("other") or has_partner(source):
        return "moses"
    if source.path is not None and not source.path.exists():
        raise source.error("there is no such file, nor two files whose names start like this and end in a language")
    if source.path is None or source.path.is_file():
        head = source.head(4096)
        if b"<tmx" in head.replace(b"\0", b"").lower() or (source.path and bare_suffix(source.path) == ".tmx"):
            return "tmx"
        if is_table(source):
            return "tsv"
    return recognise(source)


def _format(name: str) -> Format:
    if name not in FORMATS:
        known = [*LAYOUTS, *FORMATS]
        raise UsageError(f"unknown format {name!r} of bitext{suggest(name, known)}")
    return FORMATS.get(name)


def _corpus(source: Source, format: Format) -> Iterator[Pair]:
    """A pair corpus as its own reader gives it."""
    for record in format.read(replace(source, wanted=Pair)):
        if isinstance(record, Pair):
            yield record


def _moses(source: Source, options: Options) -> Iterator[Pair]:
    if source.path is None:
        raise UsageError("standard input is one file and a Moses bitext is two; name them, or give a table or TMX")
    (path1, lang1), (path2, lang2) = sides(source, options.get("other"), languages_of(options.get("langs")))
    first, second = source.beside(path1), source.beside(path2)
    for line, (text1, text2) in aligned([first, second]):
        place = {"file": first.name, "file2": second.name, "line": line}
        yield from _pair(first, options, (text1, text2), (lang1, lang2), place)


def _tsv(source: Source, options: Options) -> Iterator[Pair]:
    said = languages_of(options.get("langs"))
    for line, texts, langs, others in table_rows(source):
        yield from _pair(source, options, texts, said or langs, {**others, "file": source.name, "line": line})


def _tmx(source: Source, options: Options) -> Iterator[Pair]:
    said = languages_of(options.get("langs"))
    order: list[str] = list(said or ())
    for line, variants in units(source):
        chosen = _two(source, (line, variants), said)
        if chosen is None:
            continue
        order = order or [lang for lang, _ in chosen]
        if [lang for lang, _ in chosen] == order[::-1]:
            chosen.reverse()
        (lang1, text1), (lang2, text2) = chosen
        yield from _pair(source, options, (text1, text2), (lang1, lang2), {"file": source.name, "line": line})


def _two(source: Source, unit: Unit, said: tuple[str, str] | None) -> list[tuple[str, str]] | None:
    """The two variants of a unit that make the pair; None, and the unit rejected, where there are not two."""
    line, variants = unit
    try:
        coded = [(language(tag or None), text) for tag, text in variants]
    except UsageError as problem:
        source.reject(line, str(problem), variants)
        return None
    if said:
        first = next((one for one in coded if one[0] == said[0]), None)
        second = next((one for one in coded if one[0] == said[1] and one is not first), None)
        coded = [one for one in (first, second) if one]
    if len(coded) == 2:
        return coded
    found = ", ".join(tag or "no language" for tag, _ in variants) or "nothing"
    advice = "" if said or len(coded) < 2 else "; choose two languages with langs=en-fi"
    source.reject(line, f"a unit of two languages is expected, found: {found}{advice}", variants)
    return None


def _pair(
    source: Source, options: Options, texts: tuple[str, str], langs: Sides, meta: dict[str, Any]
) -> Iterator[Pair]:
    """The pair, unless both of its texts are empty, which is how blank lines look."""
    text1, text2 = (plain_text(text).strip() for text in texts)
    if not text1 and not text2:
        return
    note_empty_texts(source, text1, text2)
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
        "lang": "the language, where both sides have the same",
        "source": "bitext, or what the user says",
        "method": "bitext",
        "meta.lang1": "the language of text1: by suffix, tag or column name, or as the option langs says",
        "meta.lang2": "the language of text2",
        "meta.file": "the file it comes from; of two Moses files the first",
        "meta.file2": "the second Moses file",
        "meta.line": "the line of the file on which it starts",
        "meta.*": "the other columns of a table, under their names",
    },
    options={"format": "", "langs": "", "other": "", "source": "bitext"},
    formats=("moses", "tmx", "tsv"),
    noun=Pair,
    columns=dict.fromkeys(Pair.__struct_fields__, ()),
)
