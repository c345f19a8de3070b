"""What somebody types into a search box, taken literally: words, "phrases in quotes", and no other syntax.

In goes a query, out come folded terms, and of the longer ones an expression in which the index finds nothing but
those very characters. Quotes without a partner are blanks, and so are control characters.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from otherwords.errors import Refused

MOST_CHARACTERS = 2000
TRIGRAM = 3
MOST_TERMS = 32
MOST_INDEXED, LONGEST_INDEXED = 4, 24  # what the index is asked for; the rest is looked for in what it finds
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_QUOTES = str.maketrans("“”„‟", '""""')
_TERM = re.compile(r'"([^"]*)"|([^\s"]+)')


class Terms(NamedTuple):
    """What a text has to hold: an expression for the index, and what has to be looked for in the rows."""

    expression: str
    unindexed: list[str]

    def __bool__(self) -> bool:
        return bool(self.expression or self.unindexed)


def folded(text: str) -> str:
    """A text as it is compared: without case or compatibility forms, and with one blank where there are several."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(plain.replace("\0", " ").split())


def terms_of(query: str) -> Terms:
    """What a query asks for; nothing, where it has no words."""
    if len(query) > MOST_CHARACTERS:
        raise Refused(f"a search has at most {MOST_CHARACTERS:,} characters, not {len(query):,}; look for less of it")
    spelled = folded(_CONTROL.sub(" ", query.translate(_QUOTES)))
    found = (phrase.strip() or word for phrase, word in _TERM.findall(spelled))
    terms = sorted(filter(None, dict.fromkeys(found)), key=len, reverse=True)
    if len(terms) > MOST_TERMS:
        raise Refused(f"a search has at most {MOST_TERMS} words; put a passage in quotes to find it as it stands")
    indexed = [term[:LONGEST_INDEXED] for term in terms if len(term) >= TRIGRAM][:MOST_INDEXED]
    expression = " AND ".join(f'"{term}"' for term in indexed)
    return Terms(expression, [term for term in terms if term not in indexed])
