"""Language packs: everything that depends on the language of a text, behind one small interface.

A pack splits into tokens and sentences, lemmatises and knows the function words. English, Finnish, Swedish,
Russian, Spanish and Japanese have rules and lists of their own; every other language gets the same pack with what
Unicode, simplemma and stopwordsiso offer, so no text is refused for its language.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from otherwords.text.function_words import function_word_source, function_words
from otherwords.text.languages import language
from otherwords.text.lemmas import lemmatiser, unidic_lemmas
from otherwords.text.sentences import Span, sentences
from otherwords.text.tokenise import tokeniser


@dataclass(frozen=True, slots=True)
class Pack:
    """The analysers of one language. They take the text as it is, without normalising it."""

    lang: str
    tokeniser: str
    function_words: frozenset[str]

    def tokens(self, text: str) -> list[str]:
        """The tokens, by the pack's own tokeniser."""
        return tokeniser(self.tokeniser).tokens(text)

    def sentences(self, text: str, *, lines: bool = False) -> list[Span]:
        """Code-point spans of the sentences; with ``lines`` every line break ends one."""
        return sentences(text, self.lang, lines=lines)

    def lemmas(self, text: str) -> list[str]:
        """One lemma per token, in lower case (in Japanese: per token of ``ja-unidic``)."""
        if self.lang == "ja":
            return unidic_lemmas(text)
        return [lemmatiser(self.lang).lemma(token) for token in self.tokens(text)]

    @property
    def lemmatiser(self) -> str:
        """The name of the analyser in use: simplemma, voikko, pymorphy3, unidic or none."""
        return "unidic" if self.lang == "ja" else lemmatiser(self.lang).name

    def is_function_word(self, token: str) -> bool:
        """Whether the token carries grammar rather than meaning, whatever its case or apostrophe."""
        return token.lower().replace("’", "'") in self.function_words

    def signature(self) -> str:
        """What results depend on, to be stored with every number computed with this pack."""
        tokens, words = tokeniser(self.tokeniser).signature, function_word_source(self.lang)
        return f"lang:{self.lang}|tok:{tokens}|lemma:{self.lemmatiser}|function:{words}"


def pack(lang: str | None) -> Pack:
    """The pack of a language by tag or English name; None and unknown languages get the fallback."""
    return _pack(language(lang))


@cache
def _pack(code: str) -> Pack:
    return Pack(code, "ja-mecab" if code == "ja" else "words", function_words(code))
