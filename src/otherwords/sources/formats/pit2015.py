"""PIT-2015 (Xu et al., SemEval-2015 task 1): tweets by topic, with the votes of five workers or one expert's digit.

Training and development files have votes ``(3, 2)`` for yes and no; the test file has a digit from 0 to 5. Pairs
between the thresholds are debatable: they are kept and marked, and have no label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.tabular import plain_rows, rows_by_header, write_plain_rows
from otherwords.sources.rows.layout import mark_empty_texts, unwritable_label
from otherwords.sources.rows.votes import Votes, parse_counts, votes_of
from otherwords.sources.source import Source

COLUMNS = ["topic_id", "topic", "text1", "text2", "votes", "tags1", "tags2"]
WORKERS = 5
POSITIVE_FROM, NEGATIVE_TO = 3, 1  # votes for yes; 2 is debatable
EXPERT_POSITIVE_FROM, EXPERT_NEGATIVE_TO = 4, 2  # the expert's digit; 3 is debatable
EXPERT_SCHEME = "similarity-0-5"
_DIGITS = {"1": "5", "0": "0"}
_ROW = re.compile(r"[^\t]*\t[^\t]+\t[^\t]+\t[^\t]+\t(?:\(\d+, ?\d+\)|[0-5])\t[^\t]*/[^\t]*\t[^\t]*\t?")


def read(source: Source) -> Iterator[Record]:
    """The pairs, or their judgements: one per vote, or the expert's digit."""
    for number, row in rows_by_header(plain_rows(source), source, COLUMNS):
        pair_id = f"{source.stem}:{number}"
        counts, digit = parse_counts(row["votes"]), row["votes"].strip()
        if counts is not None:
            votes = Votes(*counts)
            if votes.yes + votes.no != WORKERS:
                source.mark(f"not {WORKERS} votes")
            label = votes.label(POSITIVE_FROM, NEGATIVE_TO)
            verdicts, meta = votes.judgements(pair_id), votes.as_meta(label)
        elif digit in ("0", "1", "2", "3", "4", "5"):
            label = Votes(int(digit), 0).label(EXPERT_POSITIVE_FROM, EXPERT_NEGATIVE_TO)
            verdicts = iter([Judgement(id=f"{pair_id}/1", pair=pair_id, value=int(digit), scheme=EXPERT_SCHEME)])
            meta = {"expert": int(digit), **({} if label else {"debatable": True})}
        else:
            reason = f"votes such as (3, 2) or a digit from 0 to 5 are expected, found {row['votes']!r}"
            source.reject(number, reason, row)
            continue
        if source.wants_judgements:
            yield from verdicts
            continue
        if label is None:
            source.mark("debatable")
        mark_empty_texts(source, row["text1"], row["text2"])
        yield Pair(
            id=pair_id,
            text1=row["text1"],
            text2=row["text2"],
            lang=source.lang or "en",
            group=row["topic_id"] or None,
            label=label,
            meta=meta | {name: row[name] for name in ("topic", "tags1", "tags2") if row[name]},
        )


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the released layout. A label without votes is written as a digit, as in the test file."""

    def cells(pair: Pair) -> list[str]:
        votes, digit = votes_of(pair), pair.meta.get("expert", _DIGITS.get(pair.label or ""))
        if votes is None and digit is None:
            raise unwritable_label(pair.id, pair.label, "pit2015", "0, 1 or votes")
        topic, tags1, tags2 = (str(pair.meta.get(name, "")) for name in ("topic", "tags1", "tags2"))
        answer = f"({votes.yes}, {votes.no})" if votes else str(digit)
        return [pair.group or "", topic, pair.text1, pair.text2, answer, tags1, tags2]

    write_plain_rows((cells(record) for record in records if isinstance(record, Pair)), stream)


def sniff(head: Head) -> bool:
    """Every row has seven columns, with votes in the fifth and tagged tokens in the sixth."""
    return bool(head.lines) and all(_ROW.fullmatch(line) for line in head.lines)


_TITLE = "PIT-2015, tweets with votes (SemEval-2015 task 1)"
FORMAT = Format("pit2015", _TITLE, read, write, sniff, nouns=(Pair, Judgement))
