"""Japanese lemmas by MeCab and UniDic.

In goes a text, out comes one lemma for each token that the tokeniser ``ja-unidic`` cuts. UniDic adds
a gloss to loan words and homographs (タワー-tower); it is dropped.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from otherwords.errors import MissingExtra

_PROPER_NOUN = "固有名詞"


def unidic_lemmas(text: str) -> list[str]:
    """One lemma a token of ``ja-unidic``; a word that UniDic does not know is its own, in lower case."""
    lemmas: list[str] = []
    # MeCab reads C strings, so a NUL would end the text.
    for node in _tagger()(text.replace("\0", " ").strip()):
        pieces = node.surface.split()  # none for an ideographic blank
        lemma = (_dictionary_form(node.feature) or "").partition("-")[0]
        lemmas.extend([lemma] if lemma and len(pieces) == 1 else [piece.lower() for piece in pieces])
    return lemmas


def _dictionary_form(feature: Any) -> str | None:
    # The lemma of a name is its reading (トウキョウ), which says less than how it is written (東京).
    form: str | None = feature.orthBase if feature.pos2 == _PROPER_NOUN else feature.lemma
    return form


@cache
def _tagger() -> Any:
    try:
        import fugashi
        import unidic_lite
    except ImportError as missing:
        raise MissingExtra("ja", "lemmatising Japanese") from missing
    folder = unidic_lite.DICDIR
    return fugashi.Tagger(f'-r "{folder}/mecabrc" -d "{folder}"')
