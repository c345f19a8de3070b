"""APTY: sentences changed by one paraphrase type each and judged by people, in a ``;``-separated table.

The label says whether the type was applied correctly. The span that an annotator marked refers to the model's whole
answer; it is moved to the sentence that was taken from that answer (``text2``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.tabular import quoted_rows, require_columns, rows_by_header, write_rows
from otherwords.sources.rows.layout import unwritable_label
from otherwords.sources.source import Source

HEADER = (
    *("annotator", "apt", "index", "kind", "paraphrase-text", "original", "paraphrase_fixed", "paraphrase"),
    *("applied-correctly", "failure_identical", "failure_otherchange", "failure_nonsense", "failure_other"),
    *("correct_format", "hard", "add_morph", "add_struct", "add_semantic", "add_others", "mistaken_morph"),
    *("mistaken_struct", "mistaken_semantic", "mistaken_others", "start", "end", "marked_text", "golden_example"),
)
REQUIRED = ("index", "apt", "original", "paraphrase_fixed", "applied-correctly")
_LABEL_BY_WORD = {"true": "1", "false": "0"}
_WORD_BY_LABEL = {"1": "True", "0": "False"}
_FIELDS = frozenset({"index", "original", "paraphrase_fixed", "applied-correctly"})
_SCHEME = "apty"


def read(source: Source) -> Iterator[Record]:
    """Pairs, or one judgement per row with the type and its span."""
    for number, row in rows_by_header(quoted_rows(source, ";"), source):
        require_columns(source, row, REQUIRED)
        try:
            pair = _pair(row, f"{source.stem}:{number}", source)
            record = _judgement(row, pair, source) if source.wants_judgements else pair
        except ValueError as problem:
            source.reject(number, str(problem), row)
            continue
        source.note_place(number)
        yield record


def _pair(row: dict[str, str], default_id: str, source: Source) -> Pair:
    label = _LABEL_BY_WORD.get(row["applied-correctly"].strip().lower())
    if label is None:
        raise ValueError(f"applied-correctly: True or False is expected, found {row['applied-correctly']!r}")
    others = {name: cell for name, cell in row.items() if name not in _FIELDS}
    return Pair(
        id=row["index"].strip() or default_id,
        text1=row["original"],
        text2=row["paraphrase_fixed"],
        lang=source.lang or "en",
        label=label,
        meta={"type": others.pop("apt"), **others},
    )


def _judgement(row: dict[str, str], pair: Pair, source: Source) -> Judgement:
    phenomenon: dict[str, object] = {"type": pair.meta["type"]}
    span = _span(row)
    if span is not None:
        moved = _move_span(span, row.get("paraphrase-text", pair.text2), pair.text2)
        if moved is None:
            source.mark("a marked span that is not in the sentence")
        else:
            phenomenon["scope2"] = [moved]
    if pair.label == "0":
        phenomenon["meta"] = {"applied_correctly": False}
    others = {name: value for name, value in pair.meta.items() if name not in ("type", "annotator")}
    return Judgement(
        id=f"{pair.id}:{row.get('annotator', '')}",
        pair=pair.id,
        annotator=row.get("annotator") or None,
        scheme=_SCHEME,
        value=[phenomenon] if span is not None or pair.label == "1" else [],
        meta={"text1": pair.text1, "text2": pair.text2, "label": pair.label, "type": pair.meta["type"], **others},
    )


def _span(row: dict[str, str]) -> tuple[int, int] | None:
    """The range of the marked characters, which the table writes as floats."""
    cells = row.get("start", "").strip(), row.get("end", "").strip()
    if cells == ("", ""):
        return None
    try:
        start, end = (int(float(cell)) for cell in cells)
    except (ValueError, OverflowError):
        raise ValueError(f"start and end: numbers are expected, found {cells[0]!r} and {cells[1]!r}") from None
    if not 0 <= start < end:
        raise ValueError(f"a span must start at 0 or later and end after its start, found {start} to {end}")
    return start, end


def _move_span(span: tuple[int, int], answer: str, sentence: str) -> list[int] | None:
    """The span in the sentence: by the place of the sentence in the answer, else where the same words are."""
    start, end = span
    words = answer[start:end]
    shift = answer.find(sentence)
    if shift >= 0 and words and sentence[max(start - shift, 0) : end - shift] == words:
        return [start - shift, end - shift]
    at = sentence.find(words) if words else -1
    return [at, at + len(words)] if at >= 0 else None


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the table with all its columns."""
    rows = (_row(record) for record in records)
    first = next(rows, {})
    columns = [*HEADER, *(name for name in first if name not in HEADER)]
    cells = ([row.get(name, "") for name in columns] for row in chain([first] if first else [], rows))
    write_rows(chain([columns], cells), stream, ";")


def _row(record: Record) -> dict[str, str]:
    if isinstance(record, Pair):
        fields = {"index": record.id, "original": record.text1, "paraphrase_fixed": record.text2}
        label, meta = record.label, dict(record.meta)
    elif isinstance(record, Judgement):
        meta = dict(record.meta)
        texts = {"original": meta.pop("text1", ""), "paraphrase_fixed": meta.pop("text2", "")}
        fields = {"index": record.pair, "annotator": record.annotator or "", **texts}
        label = meta.pop("label", None)
    else:
        return {}
    apt = meta.pop("type", "")
    if label not in _WORD_BY_LABEL:
        raise unwritable_label(fields["index"], label, "apty", "1 and 0, for types applied correctly or not")
    others = {name: value for name, value in meta.items() if isinstance(value, str)}
    verdict = {"apt": apt, "applied-correctly": _WORD_BY_LABEL[label]}
    return {"paraphrase-text": fields["paraphrase_fixed"], **others, **fields, **verdict}


def sniff(head: Head) -> bool:
    return bool(head.lines) and {"apt", "original", "applied-correctly"} <= set(head.lines[0].split(";"))


FORMAT = Format("apty", "APTY (single-type paraphrases with spans)", read, write, sniff, nouns=(Pair, Judgement))
