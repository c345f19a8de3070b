"""Texts of ETPC pieced together from the words of relations, for releases that leave the sentences to MRPC.

A relation has the numbers of its tokens and their words. Together the relations of a pair show part of its sentences;
``…`` stands for tokens that none of them names. Types and the lengths of their scopes can be counted in such texts;
the sentences themselves cannot be read from them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from xml.etree.ElementTree import Element

from otherwords.records import Pair
from otherwords.sources.formats.etpc.writing import SIDES, WHOLE
from otherwords.sources.io.xml_stream import child_text

UNKNOWN = "…"
_MAX_TOKENS = 1000  # of a sentence


class PartialTexts:
    """The words of both sentences of each pair, by token number."""

    def __init__(self) -> None:
        self._words: dict[str, tuple[dict[int, str], dict[int, str]]] = defaultdict(lambda: ({}, {}))

    def add(self, relation: Element) -> None:
        """Take over the words of a relation."""
        pair_id = (child_text(relation, "pair_id") or "").strip()
        for side, names in SIDES.items():
            scope, text = ((child_text(relation, name) or "").strip() for name in names)
            words = text.split()
            parts = [part.strip() for part in scope.split(",") if part.strip()]
            if scope.lower() == WHOLE:
                parts = [str(number) for number in range(len(words))]
            numbers = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 10]
            fitting = words if len(words) == len(numbers) else [UNKNOWN] * len(numbers)
            known = self._words[pair_id][side.endswith("2")]
            for number, word in zip(numbers, fitting, strict=True):
                if number < _MAX_TOKENS and known.get(number, UNKNOWN) == UNKNOWN:
                    known[number] = word

    def pairs(self, lang: str) -> dict[str, Pair]:
        """The pairs by id, with the texts as far as they are known."""
        texts = {id: [_text(words) for words in sides] for id, sides in self._words.items() if id}
        meta = {"tokeniser": "blank", "texts": "partial"}
        return {
            id: Pair(id=id, text1=first, text2=second, lang=lang, meta=meta) for id, (first, second) in texts.items()
        }


def _text(words: Mapping[int, str]) -> str:
    return " ".join(words.get(number, UNKNOWN) for number in range(max(words, default=-1) + 1))
