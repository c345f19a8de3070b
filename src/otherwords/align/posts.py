"""From posts to sentences that may be paired: grouped, cleaned, cut, deduplicated and ranked.

In go the documents of a social platform, out comes one Arrow table with a row for every sentence of
every group, kept or not: what is dropped has a reason and stays (MultiPIT §2.1, §2.3 and appendix
B). The table depends on the posts alone, not on the order in which they come.

==============  =================================================================================
``group``       the trend, hashtag or address; null for a post that has none
``document``    the id of the post
``start, end``  the sentence in the post as written, in code points
``text``        the sentence as cleaned
``tokens``      how many tokens it has, by the tokeniser of the language pack
``kept``        whether it may be paired
``reason``      why it is not
``rank``        its place among the kept sentences of the group, 1 is the best
``probability`` its mean word probability there
==============  =================================================================================
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from otherwords.align.cleaning import Sentence, cleaned_sentences
from otherwords.align.posts_grouping import grouped
from otherwords.align.ranking import Place, ranked, words
from otherwords.align.spam import SHIPPED, Spam, spam
from otherwords.records import Document
from otherwords.sources.documents.posts_marks import LETTER
from otherwords.text import Pack, pack

MIN_TOKENS = 5  # MultiPIT, appendix B
NOTHING_LEFT = "nothing left after cleaning"
NO_WORDS = "no words"
DUPLICATE = "duplicate"
SPAM = "spam: "

SCHEMA = pa.schema(
    [
        ("group", pa.string()),
        ("document", pa.string()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("text", pa.string()),
        ("tokens", pa.int32()),
        ("kept", pa.bool_()),
        ("reason", pa.string()),
        ("rank", pa.int32()),
        ("probability", pa.float64()),
    ]
)
_IN_WORD = re.compile(LETTER)


def post_sentences(
    posts: Iterable[Document],
    by: str = "trend",
    *,
    lang: str | None = None,
    min_tokens: int = MIN_TOKENS,
    patterns: Mapping[str, str] | Iterable[str] = SHIPPED,
) -> pa.Table:
    """All sentences of all groups, by group, time and place; ``lang`` is for posts that say none."""
    searched = spam(patterns)
    groups, alone = grouped(posts, by)
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
    for name, members in groups.items():
        rows = [row for post in members for row in _rows(post, pack(post.lang or lang))]
        _decide(rows, min_tokens, searched)
        for row in rows:
            _append(columns, name, row)
    for post in alone:
        _append(columns, None, _Row(post.id, Sentence(0, len(post.text), post.text), [], f"no {by}"))
    return pa.table(columns, schema=SCHEMA)


def reasons(table: pa.Table) -> dict[str, int]:
    """How many sentences were dropped for each reason, the most frequent first."""
    counts = Counter(reason for reason in table["reason"].to_pylist() if reason is not None)
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def without_punctuation(sentence: str) -> str:
    """What two sentences are compared by: lower case, no punctuation (MultiPIT, appendix B)."""
    return " ".join(sentence.lower().translate(_COMPARED).split())


class _Compared(dict[int, str]):
    """What each character counts for in a comparison, looked up once."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        counts = char.isspace() or (char != "_" and _IN_WORD.fullmatch(char))
        self[code] = char if counts else ""
        return self[code]


_COMPARED = _Compared()


@dataclass(slots=True)
class _Row:
    """A sentence on its way into the table."""

    document: str
    sentence: Sentence
    tokens: list[str]
    reason: str | None = None
    place: Place | None = None


def _rows(post: Document, language: Pack) -> list[_Row]:
    """The sentences of a post; one row that says so where none is left."""
    found = cleaned_sentences(post.text, language)
    if not found:
        return [_Row(post.id, Sentence(0, len(post.text), ""), [], NOTHING_LEFT)]
    return [_Row(post.id, sentence, language.tokens(sentence.text)) for sentence in found]


def _decide(rows: list[_Row], min_tokens: int, searched: Spam) -> None:
    """Give each row of a group its reason or its rank."""
    seen: set[str] = set()
    for row in rows:
        row.reason = row.reason or _reason(row, min_tokens, searched, seen)
    kept = [row for row in rows if row.reason is None]
    for row, place in zip(kept, ranked([words(row.tokens) for row in kept]), strict=True):
        row.place = place


def _reason(row: _Row, min_tokens: int, searched: Spam, seen: set[str]) -> str | None:
    compared = without_punctuation(row.sentence.text)
    if not compared:
        return NO_WORDS
    if len(row.tokens) < min_tokens:
        return f"fewer than {min_tokens} tokens"
    if pattern := searched.reason(row.sentence.text):
        return SPAM + pattern
    if compared in seen:
        return DUPLICATE
    seen.add(compared)
    return None


def _append(columns: dict[str, list[Any]], group: str | None, row: _Row) -> None:
    columns["group"].append(group)
    columns["document"].append(row.document)
    columns["start"].append(row.sentence.start)
    columns["end"].append(row.sentence.end)
    columns["text"].append(row.sentence.text)
    columns["tokens"].append(len(row.tokens))
    columns["kept"].append(row.reason is None)
    columns["reason"].append(row.reason)
    columns["rank"].append(row.place.rank if row.place else None)
    columns["probability"].append(row.place.probability if row.place else None)
