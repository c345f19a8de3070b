"""PIT-2015 (Xu et al., SemEval-2015 task 1): tweets by topic, with the votes of five workers or one expert's digit.

Training and development files have votes ``(3, 2)``, yes and no; the test file has a digit from 0 to 5.
Pairs between the thresholds are debatable: kept, marked, and without a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from otherwords.errors import WriteError
from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import note_empty_texts
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, plain_rows, write_plain_rows
from otherwords.sources.votes import Votes, two_numbers, votes_of

COLUMNS = ["topic_id", "topic", "text1", "text2", "votes", "tags1", "tags2"]
WORKERS = 5
POSITIVE_FROM, NEGATIVE_TO = 3, 1  # votes for yes; 2 is debatable
EXPERT_POSITIVE_FROM, EXPERT_NEGATIVE_TO = 4, 2  # the expert's digit; 3 is debatable
EXPERT_SCHEME = "similarity-0-5"
_DIGITS = {"1": "5", "0": "0"}
_ROW = re.compile(r"[^\t]*\t[^\t]+\t[^\t]+\t[^\t]+\t(?:\(\d+, ?\d+\)|[0-5])\t[^\t]*/[^\t]*\t[^\t]*\t?")


def read(source: Source) -> Iterator[Record]:
    """The pairs, or their judgements: a vote each, or the expert's digit."""
    for number, row in headed(plain_rows(source), source, COLUMNS):
        identity = f"{source.stem}:{number}"
        counts, digit = two_numbers(row["votes"]), row["votes"].strip()
        if counts is not None:
            votes = Votes(*counts)
            if votes.yes + votes.no != WORKERS:
                source.mark(f"not {WORKERS} votes")
            label = votes.label(POSITIVE_FROM, NEGATIVE_TO)
            verdicts, meta = votes.judgements(identity), votes.as_meta(label)
        elif digit in ("0", "1", "2", "3", "4", "5"):
            label = Votes(int(digit), 0).label(EXPERT_POSITIVE_FROM, EXPERT_NEGATIVE_TO)
            verdicts = iter([Judgement(id=f"{identity}/1", pair=identity, value=int(digit), scheme=EXPERT_SCHEME)])
            meta = {"expert": int(digit)} | ({} if label else {"debatable": True})
        else:
            source.reject(number, f"votes {row['votes']!r} are neither of the form (3, 2) nor a digit 0-5", row)
            continue
        if source.wants_judgements:
            yield from verdicts
        else:
            yield _pair(source, identity, row, label, meta)


def _pair(source: Source, identity: str, row: dict[str, str], label: str | None, meta: dict[str, Any]) -> Pair:
    if label is None:
        source.mark("debatable")
    note_empty_texts(source, row["text1"], row["text2"])
    return Pair(
        id=identity,
        text1=row["text1"],
        text2=row["text2"],
        lang=source.lang or "en",
        group=row["topic_id"] or None,
        label=label,
        meta=meta | {name: row[name] for name in ("topic", "tags1", "tags2") if row[name]},
    )


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """The released layout. A label without votes is written as the digit that the test file has for it."""
    write_plain_rows((_cells(record) for record in records if isinstance(record, Pair)), stream)


def _cells(pair: Pair) -> list[str]:
    topic, tags1, tags2 = (str(pair.meta.get(name, "")) for name in ("topic", "tags1", "tags2"))
    return [pair.group or "", topic, pair.text1, pair.text2, _votes_cell(pair), tags1, tags2]


def _votes_cell(pair: Pair) -> str:
    if votes := votes_of(pair):
        return f"({votes.yes}, {votes.no})"
    digit = pair.meta.get("expert", _DIGITS.get(pair.label or ""))
    if digit is None:
        raise WriteError(f"pair {pair.id}: label {pair.label!r} cannot be written as pit2015, which has 0, 1 or votes")
    return str(digit)


def sniff(head: Head) -> bool:
    """Seven columns, votes in the fifth and tagged tokens after it, in every row."""
    return bool(head.lines) and all(_ROW.fullmatch(line) for line in head.lines)


FORMAT = Format(
    name="pit2015",
    title="PIT-2015, tweets with votes (SemEval-2015 task 1)",
    read=read,
    write=write,
    sniff=sniff,
    nouns=(Pair, Judgement),
)
