"""Where the tokens of a text lie in it, by the name of a tokeniser.

Scopes are code points and people count tokens. In goes a text, out come the ranges of its tokens in code points, end
exclusive. A tokeniser that rewrites the text (``13a`` and its kin) has no such places and is refused.
"""

from __future__ import annotations

from otherwords.errors import UsageError
from otherwords.text.packs import pack
from otherwords.text.tokenise import NativeTokeniser, tokeniser

Span = tuple[int, int]


def token_places(text: str, name: str) -> list[Span]:
    """The ranges of the tokens that the tokeniser of that name cuts."""
    chosen = tokeniser(name)
    if not isinstance(chosen, NativeTokeniser):
        return _found(text, chosen.tokens(text))
    try:
        return chosen.spans(text)
    except ValueError:
        raise UsageError(
            f"the tokeniser {name} rewrites the text, so its tokens have no place in it; "
            "choose words, blank, char or ja-mecab"
        ) from None


def tokeniser_of(lang: str | None) -> str:
    """The name of the tokeniser that texts of a language are cut by unless somebody says otherwise."""
    return pack(lang).tokeniser


def _found(text: str, tokens: list[str]) -> list[Span]:
    """The places of tokens that follow each other in the text, with nothing but white space between them."""
    places: list[Span] = []
    end = 0
    for token in tokens:
        start = text.find(token, end)
        if start >= 0:  # a NUL is cut as a blank
            end = start + len(token)
            places.append((start, end))
    return places
