"""The words of a text as patterns compare them: without punctuation, in lower case, and as lemmas where that is asked.

In goes a text, normalised, and the pack of its language; out come :class:`Words`. Lemmas are looked up only when they
are needed: most pairs differ in how many words they have, and that says enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from unicodedata import category

from otherwords.text import Pack
from otherwords.text.tokenise import tokeniser

READ_ALOUD = frozenset("%‰&@#§")  # punctuation to Unicode, words to a reader
LAST_WITH_PUNCTUATION = 0x1FFFF


@dataclass
class Words:
    """The words of one text, in their order."""

    text: str
    pack: Pack

    @cached_property
    def tokens(self) -> list[str]:
        """In lower case; a token of punctuation alone is no word."""
        return [token.lower() for token in self._all if _is_word(token)]

    @cached_property
    def lemmas(self) -> list[str]:
        """One for each token."""
        every = zip(self._all, self.pack.lemmas(self.text), strict=True)
        return [lemma for token, lemma in every if _is_word(token)]

    @cached_property
    def content(self) -> list[int]:
        """The places of those that are no function words."""
        return [place for place, token in enumerate(self.tokens) if not self.pack.is_function_word(token)]

    @property
    def content_lemmas(self) -> list[str]:
        """The lemmas of those."""
        return [self.lemmas[place] for place in self.content]

    @cached_property
    def _all(self) -> list[str]:
        return tokeniser(cut_by(self.pack)).tokens(self.text)


def cut_by(pack: Pack) -> str:
    """The tokeniser whose tokens have lemmas."""
    return "ja-unidic" if pack.lang == "ja" else pack.tokeniser


def without_typing(text: str) -> str:
    """A text, normalised already, without case and blanks."""
    return "".join(text.casefold().split())


def without_punctuation(text: str) -> str:
    """A text without its punctuation."""
    return text.translate(_punctuation())


def _is_word(token: str) -> bool:
    return token[0].isalnum() or bool(token.translate(_punctuation()))


@cache
def _punctuation() -> dict[int, None]:
    every = (chr(code) for code in range(LAST_WITH_PUNCTUATION + 1))
    return {ord(one): None for one in every if category(one)[0] == "P" and one not in READ_ALOUD}
