"""MultiPIT (Dou et al. 2022): a CSV of tweet pairs, and the multi-reference set as one JSON object.

The automatic part is a CSV without labels. In the object (source → list of references), a source makes a pair with each
of its references, and is their group.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Any, BinaryIO

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.json_stream import first_character, first_element, members, write_object
from otherwords.sources.io.tabular import quoted_rows, require_columns, rows_by_header, write_rows
from otherwords.sources.rows.layout import BINARY, check_writable_label, has_labels, lang_if_named
from otherwords.sources.source import Source

TEXTS = ["sentence1", "sentence2"]
HEADER = [*TEXTS, "label"]


def read(source: Source) -> Iterator[Record]:
    """The pairs of either layout."""
    if first_character(Head("", source.head())) == "{":
        yield from _references(source)
        return
    lang = source.lang or lang_if_named(source, "en")
    for number, row in rows_by_header(quoted_rows(source), source):
        require_columns(source, row, TEXTS)
        label = row.get("label", "").strip() or None
        if label is None and "label" in row:
            source.mark("no label")
        elif label is not None and label not in BINARY:
            hint = "" if source.format_named else "; if this is not multipit, name its format with --from"
            source.reject(number, f"label {label!r} is not 0 or 1{hint}", row)
            continue
        yield Pair(
            id=f"{source.stem}:{number}",
            text1=row["sentence1"],
            text2=row["sentence2"],
            lang=lang,
            label=label,
            meta={name: cell for name, cell in row.items() if name not in HEADER},
        )


def _references(source: Source) -> Iterator[Pair]:
    lang = source.lang or lang_if_named(source, "en")
    for number, (line, text, references) in enumerate(members(source), 1):
        if not _is_list_of_texts(references):
            source.reject(line, "a list of texts, the references, is expected for each source", {text: references})
            continue
        for k, reference in enumerate(references, 1):
            id, meta = f"{source.stem}:{number}:{k}", {"reference": k}
            yield Pair(id=id, text1=text, text2=reference, lang=lang, group=text or None, meta=meta)


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the object if the first pair is a numbered reference; else the table."""
    pairs = (record for record in records if isinstance(record, Pair))
    first = next(pairs, None)
    all_pairs = chain([first] if first else [], pairs)
    if first is not None and "reference" in first.meta:
        groups = groupby(all_pairs, lambda pair: pair.text1)
        write_object(((text, [pair.text2 for pair in group]) for text, group in groups), stream)
        return
    others = [name for name in first.meta if name != "debatable"] if first is not None else []

    def cells(pair: Pair) -> list[object]:
        check_writable_label(pair.id, pair.label, BINARY, "multipit")
        return [pair.text1, pair.text2, pair.label or "", *(pair.meta.get(name, "") for name in others)]

    write_rows(chain([[*HEADER, *others]], map(cells, all_pairs)), stream)


def _is_sentence(text: str, words: int) -> bool:
    """Whether it has so many words, or is in a script that may have no blanks."""
    return len(text.split()) >= words or not text.isascii()


def sniff(head: Head) -> bool:
    """Exactly this header with labels 0 and 1, or an object of a sentence and its references."""
    if first_character(head) == "{":
        first = first_element(head)
        if not isinstance(first, tuple) or not _is_list_of_texts(first[1]):
            return False
        fewest = 2 if len(first[1]) > 1 else 3  # one short text in a list is more likely some setting
        texts = first[:1] if len(first[1]) > 1 else (first[0], *first[1])
        return bool(first[1]) and all(_is_sentence(text, fewest) for text in texts)
    header = head.lines[0].replace('"', "").split(",") if head.lines else []
    return header == HEADER and has_labels(csv.reader(head.lines), BINARY)


FORMAT = Format("multipit", "MultiPIT (CSV, or JSON object of several references)", read, write, sniff)
