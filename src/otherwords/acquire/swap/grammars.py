"""Which forms two things need to change places: rules that all languages share, and those of a language by its code.

Forms come from the features that the tagger found. A language without rules of its own exchanges what has exactly the
same features.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from otherwords.acquire.swap.records import AGREEMENT, NEIGHBOUR, NUMBERS, NewWords, SwapRefused, TaggedSentence, Unit
from otherwords.registry import Registry

LEXICAL = {"NumType", "NumForm", "PronType", "Foreign", "Abbr", "Poss", "AdpType", "Typo", "Style", "Derivation"}


class Grammar:
    """The rules of a language; the defaults ask for the same features."""

    ignored: ClassVar[frozenset[str]] = frozenset(LEXICAL)  # features that no other word depends on

    def edits(self, sentence: TaggedSentence, kind: str, first: Unit, second: Unit) -> tuple[NewWords, NewWords]:
        """What stands in the first place, which the second thing takes, and in the second place afterwards."""
        if kind == NUMBERS:
            check_counts(sentence, first, second)
        if not _all_digits(sentence, first, second):
            self.check_features(sentence, kind, first, second)
        if article_before(sentence, first) != article_before(sentence, second):
            raise SwapRefused(NEIGHBOUR)
        return exchanged(sentence, first, second)

    def check_features(self, sentence: TaggedSentence, kind: str, first: Unit, second: Unit) -> None:
        """Refuse an exchange of things whose features differ."""
        if self.compared(sentence, first.head) != self.compared(sentence, second.head):
            raise SwapRefused(AGREEMENT)

    def neighbours(self, sentence: TaggedSentence, edits: Iterable[NewWords]) -> list[NewWords]:
        """Changes that words before the new ones need, such as a → an."""
        return []

    def confirms(self, sentence: TaggedSentence, number: int) -> bool:
        """Whether something besides the tagger says that a word has the features that it is tagged with."""
        return True

    def check_replacement(self, sentence: TaggedSentence, number: int, new: str) -> None:
        """Refuse a word that has the features of a token and cannot stand for it all the same."""

    def compared(self, sentence: TaggedSentence, number: int) -> dict[str, str]:
        """The features of a token that must agree."""
        features = sentence.features[number]
        return {name: value for name, value in features.items() if name not in self.ignored}


def exchanged(sentence: TaggedSentence, first: Unit, second: Unit) -> tuple[NewWords, NewWords]:
    """The two with each other's words, as they are."""
    return replaced(sentence, first, words(sentence, second)), replaced(sentence, second, words(sentence, first))


def replaced(sentence: TaggedSentence, unit: Unit, new: str) -> NewWords:
    """Other words in the place of a unit."""
    return NewWords(sentence.tokens[unit.first].start, sentence.tokens[unit.last].end, new)


def words(sentence: TaggedSentence, unit: Unit) -> str:
    """The words of a unit as they are written."""
    return sentence.text[sentence.tokens[unit.first].start : sentence.tokens[unit.last].end]


def article_before(sentence: TaggedSentence, unit: Unit) -> str:
    """The determiner right before a unit, in lower case."""
    before = unit.first - 1
    return sentence.word(before).lower() if before >= 0 and sentence.tokens[before].pos == "DET" else ""


def check_counts(sentence: TaggedSentence, first: Unit, second: Unit) -> None:
    """Refuse numbers that ask for different forms of what they count: 1, and in Russian 2 to 4."""
    if first.type not in ("number", "number with marks"):
        return
    classes = {_count_class(sentence.lang, words(sentence, unit)) for unit in (first, second)}
    if len(classes) > 1:
        raise SwapRefused(AGREEMENT)


def _count_class(lang: str, number: str) -> str:
    digits = "".join(character for character in number if character.isdigit())
    if not number.isdigit():
        return "with marks" if lang == "ru" else "many"
    if lang != "ru":
        return "one" if digits == "1" else "many"
    if digits[-1] == "1" and digits[-2:] != "11":
        return "one"
    return "few" if digits[-1] in "234" and digits[-2:-1] != "1" else "many"


def _all_digits(sentence: TaggedSentence, *units: Unit) -> bool:
    """Whether they are written in digits, which have no forms."""
    return all(unit.first == unit.last and not words(sentence, unit).isalpha() for unit in units) and all(
        words(sentence, unit)[:1].isdigit() for unit in units
    )


GRAMMARS: Registry[Grammar] = Registry(
    "grammar of swaps",
    {
        "en": "otherwords.acquire.swap.english:ENGLISH",
        "es": "otherwords.acquire.swap.spanish:SPANISH",
        "fi": "otherwords.acquire.swap.finnish:FINNISH",
        "ru": "otherwords.acquire.swap.russian:RUSSIAN",
    },
    group="otherwords.swap_grammars",
)


def grammar(lang: str) -> Grammar:
    """The rules of a language."""
    return GRAMMARS.get(lang) if lang in GRAMMARS else Grammar()
