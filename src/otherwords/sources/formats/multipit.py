"""MultiPIT (Dou et al. 2022): a CSV of tweet pairs, and the multi-reference set as one JSON object.

Of the object (source → list of references) every source with each of its references is a pair, and
the source is their group.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Any, BinaryIO

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.json_stream import first_element, members, opening
from otherwords.sources.json_writing import write_object
from otherwords.sources.layout import BINARY, check_written_label, has_labels, named_lang
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, quoted_rows, write_rows

HEADER = ["sentence1", "sentence2", "label"]


def read(source: Source) -> Iterator[Record]:
    """The pairs of either layout."""
    if opening(Head("", source.head())) == "{":
        yield from _references(source)
        return
    lang = source.lang or named_lang(source, "en")
    for number, row in headed(quoted_rows(source), source):
        if not set(HEADER) <= row.keys():
            raise source.error(f"a header with {', '.join(HEADER)} is expected, found {', '.join(row)}")
        label = row["label"].strip() or None
        if label is None:
            source.mark("no label")
        elif label not in BINARY:
            hint = "" if source.named else "; if this is not multipit, name its format with --from"
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
    lang = source.lang or named_lang(source, "en")
    for number, (line, text, references) in enumerate(members(source), 1):
        if not _is_list_of_texts(references):
            source.reject(line, "a list of references (texts) is expected for each source", {text: references})
            continue
        for k, reference in enumerate(references, 1):
            yield Pair(
                id=f"{source.stem}:{number}:{k}",
                text1=text,
                text2=reference,
                lang=lang,
                group=text or None,
                meta={"reference": k},
            )


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """The object, if the pairs are numbered references; else the table."""
    pairs = (record for record in records if isinstance(record, Pair))
    first = next(pairs, None)
    everything = chain([first] if first else [], pairs)
    if first is not None and "reference" in first.meta:
        groups = groupby(everything, lambda pair: pair.text1)
        write_object(((text, [pair.text2 for pair in group]) for text, group in groups), stream)
        return
    others = [name for name in first.meta if name != "debatable"] if first is not None else []
    write_rows(chain([[*HEADER, *others]], (_cells(pair, others) for pair in everything)), stream)


def _cells(pair: Pair, others: list[str]) -> list[Any]:
    check_written_label(pair.id, pair.label, BINARY, "multipit")
    return [pair.text1, pair.text2, pair.label or "", *(pair.meta.get(name, "") for name in others)]


def sniff(head: Head) -> bool:
    """The header and nothing else in it over labels of 0 and 1, or an object of a sentence and its references."""
    if opening(head) == "{":
        first = first_element(head)
        if not isinstance(first, tuple) or not _is_list_of_texts(first[1]):
            return False
        return len(first[1]) > 1 and len(first[0].split()) > 1  # a word alone is the name of some setting
    header = head.lines[0].replace('"', "").split(",") if head.lines else []
    return header == HEADER and has_labels(csv.reader(head.lines), BINARY)


FORMAT = Format(
    name="multipit",
    title="MultiPIT (CSV, or JSON object of several references)",
    read=read,
    write=write,
    sniff=sniff,
)
