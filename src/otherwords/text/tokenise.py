"""Texts into tokens, by name.

Measures are only comparable when they split text in the same way, so a tokeniser has a name and a signature that is
stored with every score. Most run in the kernels (``native`` is their number there). One that does not is applied in
Python and its tokens are passed on joined by blanks, so they must not contain white space.

================  ==========================================================================
``blank``         at white space, as ``str.split()``; for text that is already tokenised (``none``)
``words``         words, numbers and punctuation of any language, by fixed Unicode tables
``13a``           sacrebleu's default, NIST's mteval-v13a
``intl``          sacrebleu's international one, mteval-v14
``zh``            sacrebleu's Chinese one
``char``          every character but white space
``ja-mecab``      sacrebleu's Japanese one: MeCab with the IPA dictionary
``ja-unidic``     MeCab with UniDic (short units)
================  ==========================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Protocol

from otherwords import _kernels
from otherwords.errors import MissingExtra, UsageError
from otherwords.registry import Registry

Span = tuple[int, int]


class Tokeniser(Protocol):
    """Splits a text into tokens."""

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str:
        """The name, with the version of what its result depends on."""

    @property
    def native(self) -> int | None:
        """Its number in the kernels, or None."""

    def tokens(self, text: str) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class NativeTokeniser:
    """A tokeniser that runs in the kernels."""

    name: str
    signature: str
    native: int

    def tokens(self, text: str) -> list[str]:
        return _kernels.tokens(text, self.native)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The code-point spans of the tokens, end exclusive; a ValueError for one that rewrites the text."""
        return _kernels.token_spans(text, self.native)


@dataclass(frozen=True, slots=True)
class MecabTokeniser:
    """Japanese, by MeCab and one of its dictionaries."""

    name: str
    signature: str
    tagger: Any
    native: None = None

    def tokens(self, text: str) -> list[str]:
        # MeCab reads C strings, so a NUL would end the text.
        tokens: str = self.tagger.parse(text.replace("\0", " ").strip())
        return tokens.split()


TOKENISERS: Registry[Callable[[], Tokeniser]] = Registry(
    "tokeniser",
    {
        "blank": f"{__name__}:blank",
        "words": f"{__name__}:words",
        "13a": f"{__name__}:mteval_13a",
        "intl": f"{__name__}:intl",
        "zh": f"{__name__}:zh",
        "char": f"{__name__}:char",
        "none": f"{__name__}:blank",
        "ja-mecab": f"{__name__}:ja_mecab",
        "ja-unidic": f"{__name__}:ja_unidic",
    },
    group="otherwords.tokenisers",
)


def tokeniser(name: str) -> Tokeniser:
    """The tokeniser of that name; an unknown one, or one whose package is missing, is an error."""
    return TOKENISERS.get(name)()


def locate_tokens(text: str, name: str) -> list[Span]:
    """The code-point spans of the tokens, end exclusive.

    A tokeniser that rewrites the text (``13a`` and the like) cannot say where its tokens are and is refused.
    """
    chosen = tokeniser(name)
    if isinstance(chosen, NativeTokeniser):
        try:
            return chosen.spans(text)
        except ValueError:
            message = f"the tokeniser {name} rewrites the text, so its tokens have no place in it"
            raise UsageError(
                f"{message}; choose words, blank, char or ja-mecab", code="tokens-without-places"
            ) from None
    places: list[Span] = []
    end = 0
    for token in chosen.tokens(text):  # they follow each other, with nothing but white space between them
        start = text.find(token, end)
        if start >= 0:  # a NUL counts as a blank
            end = start + len(token)
            places.append((start, end))
    return places


blank = partial(NativeTokeniser, "blank", "blank", _kernels.BLANK)
words = partial(NativeTokeniser, "words", f"words-u{_kernels.UNICODE_VERSION}", _kernels.WORDS)
mteval_13a = partial(NativeTokeniser, "13a", "13a", _kernels.MTEVAL_13A)
intl = partial(NativeTokeniser, "intl", "intl", _kernels.INTL)
zh = partial(NativeTokeniser, "zh", "zh", _kernels.ZH)
char = partial(NativeTokeniser, "char", "char", _kernels.CHARACTERS)


@cache
def ja_mecab() -> Tokeniser:
    try:
        import fugashi
        import ipadic
    except ImportError as missing:
        raise MissingExtra("ja", "the tokeniser ja-mecab") from missing
    tagger = fugashi.GenericTagger(f"{ipadic.MECAB_ARGS} -Owakati")
    return MecabTokeniser("ja-mecab", "ja-mecab-0.996-IPA", tagger)


@cache
def ja_unidic() -> Tokeniser:
    fugashi, dictionary = unidic("the tokeniser ja-unidic")
    tagger = fugashi.GenericTagger(f"{dictionary} -Owakati")
    return MecabTokeniser("ja-unidic", "ja-unidic-lite-2.1.2", tagger)


def unidic(purpose: str) -> tuple[Any, str]:
    """The package of MeCab, and its options for UniDic."""
    try:
        import fugashi
        import unidic_lite
    except ImportError as missing:
        raise MissingExtra("ja", purpose) from missing
    return fugashi, f'-r "{unidic_lite.DICDIR}/mecabrc" -d "{unidic_lite.DICDIR}"'
