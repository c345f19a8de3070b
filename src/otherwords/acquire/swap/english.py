"""English: number and degree stay, verbs keep their form, and a or an follows what it stands before."""

from __future__ import annotations

import re
from collections.abc import Iterable

from otherwords.acquire.swap.grammars import Grammar, article_before, check_counts, exchanged
from otherwords.acquire.swap.records import (
    ADJECTIVES,
    AGREEMENT,
    ENTITIES,
    NEIGHBOUR,
    NOUN_PHRASES,
    NUMBERS,
    VERBS,
    NewWords,
    SwapRefused,
    TaggedSentence,
    Unit,
)
from otherwords.acquire.swap.units import GROUP

NEEDED = {ENTITIES: ("Number",), NOUN_PHRASES: ("Number",), ADJECTIVES: ("Degree",)}
SILENT_H = ("hour", "honest", "honour", "honor", "heir")
CONSONANT_VOWELS = ("one", "once", "eu", "ewe", "uni", "use", "usu", "usa", "ura", "uto", "uk", "ut", "ubi", "ufo")
SMALL_NUMBERS = re.compile(r"(?:one|1)$", re.IGNORECASE)


class English(Grammar):
    """The rules of English."""

    def edits(self, sentence: TaggedSentence, kind: str, first: Unit, second: Unit) -> tuple[NewWords, NewWords]:
        if kind == NUMBERS:
            check_counts(sentence, first, second)
            if any(SMALL_NUMBERS.match(sentence.word(unit.head)) for unit in (first, second)):
                raise SwapRefused(AGREEMENT)
        for name in NEEDED.get(kind, ()):
            if len({sentence.features[unit.head].get(name) for unit in (first, second)}) > 1:
                raise SwapRefused(AGREEMENT)
        if kind == VERBS or first.type == GROUP:
            pos = {sentence.tokens[unit.head].pos for unit in (first, second)}
            if len(pos) > 1 or self.compared(sentence, first.head) != self.compared(sentence, second.head):
                raise SwapRefused(AGREEMENT)
        if kind == ENTITIES and (article_before(sentence, first) == "") != (article_before(sentence, second) == ""):
            raise SwapRefused(NEIGHBOUR)
        return exchanged(sentence, first, second)

    def neighbours(self, sentence: TaggedSentence, edits: Iterable[NewWords]) -> list[NewWords]:
        """a and an before the new words."""
        found = []
        for edit in edits:
            for token in sentence.tokens:
                article = sentence.text[token.start : token.end]
                between = sentence.text[token.end : edit.start]
                if article.lower() in ("a", "an") and token.end < edit.start and between.isspace():
                    right = "an" if starts_with_vowel(edit.words) else "a"
                    if article.lower() != right:
                        new = right.capitalize() if article[0].isupper() else right
                        found.append(NewWords(token.start, token.end, new))
        return found


def starts_with_vowel(words: str) -> bool:
    """Whether the first word sounds as if it began with a vowel; refused where its spelling does not say so."""
    word = re.split(r"[\s-]", words.lstrip("\"'“‘("))[0]
    lower = word.lower()
    if word[:1].isdigit():
        return lower.startswith("8") or lower in ("11", "18")
    if len(word) > 1 and word.isupper():
        raise SwapRefused(NEIGHBOUR)  # an MP, a NATO base
    if lower.startswith("h"):
        return lower.startswith(SILENT_H)
    if lower.startswith(CONSONANT_VOWELS):
        if lower.startswith("un") and not lower.startswith(("unit", "unio", "univ", "uniq", "unif", "unic")):
            raise SwapRefused(NEIGHBOUR)  # unimportant, unison
        return False
    return lower[:1] in set("aeiouáéíóúäöüæøåœ")


ENGLISH = English()
