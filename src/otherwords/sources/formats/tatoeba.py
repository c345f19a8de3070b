"""The Tatoeba translation challenge: two language codes and two sentences a line, no header, no labels.

Pairs within one language are candidates for paraphrases; those across languages are read as well and
have no language of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import note_empty_texts
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, plain_rows, write_plain_rows
from otherwords.text.languages import UNDETERMINED, language

COLUMNS = ["lang1", "lang2", "text1", "text2"]
_CODE = r"[a-z]{3}(?:_[A-Z][a-z]{3})?"  # ISO 639-3, and a script where a language has several
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:_[A-Z][a-z]{3})?")
_ROW = re.compile(rf"{_CODE}\t{_CODE}\t[^\t]+\t[^\t]+\t?")


def read(source: Source) -> Iterator[Record]:
    """The pairs; the codes of the corpus are kept as ``meta.lang1`` and ``meta.lang2``."""
    for number, row in headed(plain_rows(source), source, COLUMNS):
        codes = row["lang1"].strip(), row["lang2"].strip()
        wrong = next((code for code in codes if not _LANGUAGE.fullmatch(code)), None)
        if wrong is not None:
            source.reject(number, f"{wrong!r} is not a language code", row)
            continue
        note_empty_texts(source, row["text1"], row["text2"])
        yield Pair(
            id=f"{source.stem}:{number}",
            text1=row["text1"],
            text2=row["text2"],
            lang=language(codes[0]) if codes[0] == codes[1] else None,
            meta={"lang1": codes[0], "lang2": codes[1]},
        )


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """A pair from elsewhere is written under its own language, as it names it."""
    write_plain_rows((_cells(record) for record in records if isinstance(record, Pair)), stream)


def _cells(pair: Pair) -> list[str]:
    codes = [str(pair.meta.get(name) or pair.lang or UNDETERMINED) for name in ("lang1", "lang2")]
    return [*codes, pair.text1, pair.text2]


def sniff(head: Head) -> bool:
    return bool(head.lines) and all(_ROW.fullmatch(line) for line in head.lines)


FORMAT = Format(
    name="tatoeba", title="Tatoeba challenge, sentence pairs by language", read=read, write=write, sniff=sniff
)
