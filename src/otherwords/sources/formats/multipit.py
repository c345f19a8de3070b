"""MultiPIT (Dou et al. 2022): a CSV of tweet pairs, and the multi-reference set as one JSON object.

Of the object (source → list of references) every source with each of its references is a pair, and
the source is their group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Any, BinaryIO

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.json_stream import first_element, members, opening
from otherwords.sources.json_writing import write_object
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, quoted_rows, write_rows

HEADER = ["sentence1", "sentence2", "label"]
LABELS = ("0", "1")


def read(source: Source) -> Iterator[Record]:
    """The pairs of either layout."""
    if opening(Head("", source.head())) == "{":
        yield from _references(source)
        return
    for number, row in headed(quoted_rows(source), source):
        if not set(HEADER) <= row.keys():
            raise source.error(f"a header with {', '.join(HEADER)} is expected, found {', '.join(row)}")
        label = row["label"].strip()
        if label not in LABELS:
            source.reject(number, f"label {label!r} is not 0 or 1", row)
            continue
        yield Pair(
            id=f"{source.stem}:{number}",
            text1=row["sentence1"],
            text2=row["sentence2"],
            lang=source.lang or "en",
            label=label,
            meta={name: cell for name, cell in row.items() if name not in HEADER},
        )


def _references(source: Source) -> Iterator[Pair]:
    for number, (line, text, references) in enumerate(members(source), 1):
        if not _is_list_of_texts(references):
            source.reject(line, "a list of references (texts) is expected for each source", {text: references})
            continue
        for k, reference in enumerate(references, 1):
            yield Pair(
                id=f"{source.stem}:{number}:{k}",
                text1=text,
                text2=reference,
                lang=source.lang or "en",
                group=text,
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
    rows = ([p.text1, p.text2, p.label or "", *(p.meta.get(name, "") for name in others)] for p in everything)
    write_rows(chain([[*HEADER, *others]], rows), stream)


def sniff(head: Head) -> bool:
    """The header and nothing else in it, or an object whose first member is a list of texts."""
    if opening(head) == "{":
        first = first_element(head)
        return isinstance(first, tuple) and _is_list_of_texts(first[1]) and len(first[1]) > 1
    return bool(head.lines) and head.lines[0].split(",") == HEADER


FORMAT = Format(
    name="multipit",
    title="MultiPIT (CSV, or JSON object of several references)",
    read=read,
    write=write,
    sniff=sniff,
)
