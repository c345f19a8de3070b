"""From posts to sentences that may be paired: grouped, cleaned, split, deduplicated and ranked.

The result is one Arrow table with a row for every sentence of every group, kept or not: a dropped sentence has a
reason and stays in the table (MultiPIT §2.1, §2.3 and appendix B). The table depends on the posts alone, not on their
order.

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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pyarrow as pa

from otherwords.align.candidates import table_from_rows
from otherwords.align.posts.cleaning import CleanSentence, clean_sentences
from otherwords.align.posts.grouping import group_posts
from otherwords.align.posts.spam import SHIPPED_PATTERNS, Spam, compile_patterns
from otherwords.align.posts.topics import SentenceRank, rank_sentences, words
from otherwords.records import Document
from otherwords.sources.documents.posts.fields import LETTER
from otherwords.text import pack

MIN_TOKENS = 5  # MultiPIT, appendix B
NOTHING_LEFT = "nothing left after cleaning"
NO_WORDS = "no words"
DUPLICATE = "duplicate"
SPAM = "spam: "

_TEXT, _NUMBER = pa.string(), pa.int32()
SCHEMA = pa.schema(
    {"group": _TEXT, "document": _TEXT, "start": _NUMBER, "end": _NUMBER, "text": _TEXT, "tokens": _NUMBER}
    | {"kept": pa.bool_(), "reason": _TEXT, "rank": _NUMBER, "probability": pa.float64()}
)
_IN_WORD = re.compile(LETTER)


def post_sentences(
    posts: Iterable[Document],
    by: str = "trend",
    *,
    lang: str | None = None,
    min_tokens: int = MIN_TOKENS,
    patterns: Mapping[str, str] | Iterable[str] = SHIPPED_PATTERNS,
) -> pa.Table:
    """All sentences of all groups, by group, time and place; ``lang`` is for posts without a language."""
    spam = compile_patterns(patterns)
    groups, alone = group_posts(posts, by)
    table: list[tuple[object, ...]] = []
    for name, members in groups.items():
        rows: list[_SentenceRow] = []
        for post in members:
            language = pack(post.lang or lang)
            sentences = clean_sentences(post.text, language)
            rows += [_SentenceRow(post.id, sentence, language.tokens(sentence.text)) for sentence in sentences]
            if not sentences:
                rows.append(_SentenceRow(post.id, CleanSentence(0, len(post.text), ""), [], NOTHING_LEFT))
        seen: set[str] = set()
        for row in rows:
            row.reason = row.reason or _reason(row, min_tokens, spam, seen)
        kept = [row for row in rows if row.reason is None]
        for row, place in zip(kept, rank_sentences([words(row.tokens) for row in kept]), strict=True):
            row.place = place
        table += [row.cells(name) for row in rows]
    for post in alone:
        whole = CleanSentence(0, len(post.text), post.text)
        table.append(_SentenceRow(post.id, whole, [], f"no {by}").cells(None))
    return table_from_rows(table, SCHEMA)


def without_punctuation(sentence: str) -> str:
    """The form in which sentences are compared: lower case, no punctuation (MultiPIT, appendix B)."""
    return " ".join(sentence.lower().translate(_COMPARED).split())


class _Compared(dict[int, str]):
    """The form of each character in a comparison, looked up once."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        counts = char.isspace() or (char != "_" and _IN_WORD.fullmatch(char))
        self[code] = char if counts else ""
        return self[code]


_COMPARED = _Compared()


@dataclass(slots=True)
class _SentenceRow:
    """A sentence before it is written to the table."""

    document: str
    sentence: CleanSentence
    tokens: list[str]
    reason: str | None = None
    place: SentenceRank | None = None

    def cells(self, group: str | None) -> tuple[object, ...]:
        """The row of the table."""
        sentence, kept = self.sentence, self.reason is None
        rank, probability = (self.place.rank, self.place.probability) if self.place else (None, None)
        values = (group, self.document, sentence.start, sentence.end, sentence.text, len(self.tokens))
        return (*values, kept, self.reason, rank, probability)


def _reason(row: _SentenceRow, min_tokens: int, spam: Spam, seen: set[str]) -> str | None:
    compared = without_punctuation(row.sentence.text)
    if not compared:
        return NO_WORDS
    if len(row.tokens) < min_tokens:
        return f"fewer than {min_tokens} tokens"
    if pattern := spam.reason(row.sentence.text):
        return SPAM + pattern
    if compared in seen:
        return DUPLICATE
    seen.add(compared)
    return None
