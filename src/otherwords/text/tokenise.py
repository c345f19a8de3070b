"""Texts into tokens, by name.

Measures are only comparable when they cut text in the same way, so a tokeniser is a named thing with
a signature that travels with every score. Most run in the kernels (``native`` is their number there);
one that does not is applied in Python and handed on as text cut by blanks, so its tokens hold no
white space.

================  ==========================================================================
``blank``         at white space, as ``str.split()``; for text that is already cut (``none``)
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
from functools import cache
from typing import Any, Protocol

from otherwords import _kernels
from otherwords.errors import MissingExtra
from otherwords.registry import Registry


class Tokeniser(Protocol):
    """What cuts a text into tokens."""

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
        """Where the tokens are, in code points, end exclusive; not for those that rewrite the text."""
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
        cut: str = self.tagger.parse(text.replace("\0", " ").strip())
        return cut.split()


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
)


def tokeniser(name: str) -> Tokeniser:
    """The tokeniser of that name; an unknown one, or one whose package is missing, is an error."""
    return TOKENISERS.get(name)()


def blank() -> Tokeniser:
    return NativeTokeniser("blank", "blank", _kernels.BLANK)


def words() -> Tokeniser:
    return NativeTokeniser("words", f"words-u{_kernels.UNICODE_VERSION}", _kernels.WORDS)


def mteval_13a() -> Tokeniser:
    return NativeTokeniser("13a", "13a", _kernels.MTEVAL_13A)


def intl() -> Tokeniser:
    return NativeTokeniser("intl", "intl", _kernels.INTL)


def zh() -> Tokeniser:
    return NativeTokeniser("zh", "zh", _kernels.ZH)


def char() -> Tokeniser:
    return NativeTokeniser("char", "char", _kernels.CHARACTERS)


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
    try:
        import fugashi
        import unidic_lite
    except ImportError as missing:
        raise MissingExtra("ja", "the tokeniser ja-unidic") from missing
    folder = unidic_lite.DICDIR
    tagger = fugashi.GenericTagger(f'-r "{folder}/mecabrc" -d "{folder}" -Owakati')
    return MecabTokeniser("ja-unidic", "ja-unidic-lite-2.1.2", tagger)
