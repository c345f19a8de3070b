"""Corpora made of Tatoeba: the translation challenge, and the sets of paraphrases of TaPaCo.

The challenge has two language codes and two sentences per line, no header, no labels. Pairs within one language are
candidates for paraphrases. Pairs across languages are read too and have no ``lang``.

TaPaCo (Scherrer 2020) is a TSV file of set id, sentence id, sentence, lists, tags and language in 73 languages; lists
and tags may be missing. All sentences of a set are paraphrases of each other, so every two make a pair; the set is the
group. The rows of a set are adjacent, so that the file can be read as a stream.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import BinaryIO

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.tabular import column_count, plain_rows, rows_by_header, write_plain_rows
from otherwords.sources.rows.layout import mark_empty_texts
from otherwords.sources.source import Source
from otherwords.text.languages import UNDETERMINED, language

CHALLENGE_COLUMNS = ["lang1", "lang2", "text1", "text2"]
_CHALLENGE_CODE = r"[a-z]{3}(?:_[A-Z][a-z]{3})?"  # ISO 639-3, and a script if a language has several
_CHALLENGE_LANGUAGE = re.compile(r"[a-z]{2,3}(?:_[A-Z][a-z]{3})?")
_CHALLENGE_ROW = re.compile(rf"{_CHALLENGE_CODE}\t{_CHALLENGE_CODE}\t[^\t]+\t[^\t]+\t?")


def read_challenge(source: Source) -> Iterator[Record]:
    """The pairs; the codes of the corpus are kept as ``meta.lang1`` and ``meta.lang2``."""
    for number, row in rows_by_header(plain_rows(source), source, CHALLENGE_COLUMNS):
        codes = row["lang1"].strip(), row["lang2"].strip()
        wrong = next((code for code in codes if not _CHALLENGE_LANGUAGE.fullmatch(code)), None)
        if wrong is not None:
            source.reject(number, f"a language code such as eng is expected, found {wrong!r}", row)
            continue
        mark_empty_texts(source, row["text1"], row["text2"])
        yield Pair(
            id=f"{source.stem}:{number}",
            text1=row["text1"],
            text2=row["text2"],
            lang=language(codes[0]) if codes[0] == codes[1] else None,
            meta={"lang1": codes[0], "lang2": codes[1]},
        )


def write_challenge(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the pairs; those from elsewhere with the language code that they have."""

    def cells(pair: Pair) -> list[str]:
        codes = [str(pair.meta.get(name) or pair.lang or UNDETERMINED) for name in ("lang1", "lang2")]
        return [*codes, pair.text1, pair.text2]

    write_plain_rows((cells(record) for record in records if isinstance(record, Pair)), stream)


def sniff_challenge(head: Head) -> bool:
    return bool(head.lines) and all(_CHALLENGE_ROW.fullmatch(line) for line in head.lines)


TATOEBA = Format(
    "tatoeba", "Tatoeba challenge, sentence pairs by language", read_challenge, write_challenge, sniff_challenge
)


TAPACO_HEADER = ["paraphrase_set_id", "sentence_id", "paraphrase", "lists", "tags", "language"]
_TAPACO_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_TAPACO_ROW = re.compile(rf"\d+\t\d+\t[^\t]+(?:\t[^\t]*){{0,2}}\t{_TAPACO_LANGUAGE.pattern}\t?")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence of a set."""

    group: str
    id: str
    text: str
    between: list[str]
    lang: str | None


def read_tapaco(source: Source) -> Iterator[Record]:
    """The pairs of all sets."""
    closed: set[str] = set()
    for group, rows in groupby(_sentences(source, closed), key=lambda sentence: sentence.group):
        sentences = list(rows)
        closed.add(group)
        if len(sentences) == 1:
            source.mark("a set of one sentence, which makes no pair")
        for first, second in combinations(sentences, 2):
            mark_empty_texts(source, first.text, second.text)
            between = {f"columns{n}": side.between for n, side in ((1, first), (2, second)) if any(side.between)}
            yield Pair(
                id=f"{group}:{first.id}-{second.id}",
                text1=first.text,
                text2=second.text,
                lang=first.lang or source.lang,
                group=group,
                meta={"id1": first.id, "id2": second.id, **between},
            )


def _sentences(source: Source, closed: set[str]) -> Iterator[_Sentence]:
    for number, cells in plain_rows(source):
        if cells[0].strip() == TAPACO_HEADER[0]:
            continue
        while len(cells) > 3 and not cells[-1].strip():
            cells.pop()
        group = cells[0].strip()
        if len(cells) < 3:
            source.reject(number, f"{column_count(cells)} found, at least 3 expected", cells)
        elif not group:
            source.reject(number, "no set id", cells)
        elif group in closed:
            source.reject(number, f"the rows of set {group} are not adjacent; sort the file by set", cells)
        else:
            lang = cells[-1].strip() if len(cells) > 3 and _TAPACO_LANGUAGE.fullmatch(cells[-1].strip()) else None
            between = cells[3:-1] if lang else cells[3:]
            yield _Sentence(group, cells[1].strip() or f"line {number}", cells[2], between, lang)


def write_tapaco(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write each sentence of a set once, in the order of the pairs."""
    pairs = (record for record in records if isinstance(record, Pair))
    groups = groupby(pairs, key=lambda pair: pair.group or pair.id)
    write_plain_rows((row for group, members in groups for row in _rows(group, members)), stream)


def _rows(group: str, pairs: Iterable[Pair]) -> Iterator[list[str]]:
    written: set[str] = set()
    for pair in pairs:
        for side, text in ((1, pair.text1), (2, pair.text2)):
            sentence_id = str(pair.meta.get(f"id{side}") or f"{pair.id}.{side}")
            if sentence_id not in written:
                written.add(sentence_id)
                lists, tags = ([*map(str, pair.meta.get(f"columns{side}", [])), "", ""])[:2]
                yield [group, sentence_id, text, lists, tags, pair.lang or ""]


def sniff_tapaco(head: Head) -> bool:
    """The header; or every row has numbers of set and sentence before the text and a language after it."""
    lines = head.lines
    return bool(lines) and (lines[0].split("\t") == TAPACO_HEADER or all(_TAPACO_ROW.fullmatch(line) for line in lines))


TAPACO = Format(
    "tapaco", "TaPaCo, sets of paraphrases in 73 languages", read_tapaco, write_tapaco, sniff_tapaco, suffix=".txt"
)
