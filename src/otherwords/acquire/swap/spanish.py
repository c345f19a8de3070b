"""Spanish: gender and number stay where something agrees with them, del and al keep their article, y and o fit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from otherwords.acquire.swap.grammars import Grammar, check_counts, exchanged
from otherwords.acquire.swap.records import (
    ADJECTIVES,
    AGREEMENT,
    ENTITIES,
    KEEPS_MEANING,
    NEIGHBOUR,
    NOUN_PHRASES,
    NUMBERS,
    SEVERAL_FORMS,
    UNKNOWN_FORM,
    VERBS,
    NewWords,
    SwapRefused,
    TaggedSentence,
    Unit,
)

CONTRACTIONS = ("del", "al")
SHORT_FORMS = {"gran", "buen", "mal", "primer", "tercer", "algún", "ningún", "san", "cualquier", "postrer", "un"}
GENDERED_ENDING = re.compile(r"(?:[oa]s?|or|ón|án|és|ín)$")
ONE = re.compile(r"(?:.*ún|un|uno|una|unos|unas|.*iuno|.*iuna|1)$", re.IGNORECASE)
MASCULINE_ARTICLES = {"el", "un", "del", "al", "algún", "ningún"}
FEMININE_WITH_EL = {
    *("agua", "ala", "águila", "alma", "arma", "aula", "hambre", "hacha", "área", "arpa", "ave", "hada", "ama", "alga"),
    *("ancla", "asa", "aspa", "ansia", "habla", "acta", "alba", "ancha", "arca", "haya", "asma", "aya"),
}
AGREEING = ("amod", "acl", "det", "appos", "nsubj", "nummod")


class Spanish(Grammar):
    """The rules of Spanish."""

    def edits(self, sentence: TaggedSentence, kind: str, first: Unit, second: Unit) -> tuple[NewWords, NewWords]:
        if kind == VERBS and self.compared(sentence, first.head) != self.compared(sentence, second.head):
            raise SwapRefused(AGREEMENT)
        if kind == NUMBERS:
            check_counts(sentence, first, second)
            if any(ONE.match(sentence.word(unit.head)) for unit in (first, second)):
                raise SwapRefused(AGREEMENT)
        if kind == ADJECTIVES:
            _check_adjectives(sentence, first, second)
        if kind in (ENTITIES, NOUN_PHRASES):
            _check_nouns(sentence, first, second)
            first, second = _without_shared_article(sentence, first, second)
        return exchanged(sentence, first, second)

    def neighbours(self, sentence: TaggedSentence, edits: Iterable[NewWords]) -> list[NewWords]:
        """Refuse de el, a el, and y or o before their own sound."""
        for edit in edits:
            before = re.findall(r"(\w+)\s+$", sentence.text[: edit.start])
            word, new = (before[0].lower() if before else ""), edit.words.lower()
            if word in ("de", "a") and edit.words.startswith("el "):
                raise SwapRefused(NEIGHBOUR)
            i_sound = bool(re.match(r"h?i(?![ae])", new))
            o_sound = bool(re.match(r"h?o", new))
            if (word == "y" and i_sound) or (word == "e" and not i_sound):
                raise SwapRefused(NEIGHBOUR)
            if (word == "o" and o_sound) or (word == "u" and not o_sound):
                raise SwapRefused(NEIGHBOUR)
        return []

    def confirms(self, sentence: TaggedSentence, number: int) -> bool:
        """A noun whose article or adjective has its gender and number, an adjective whose noun has them."""
        token = sentence.tokens[number]
        if token.pos == "ADJ":
            noun = sentence.features[token.head] if token.head >= 0 else {}
            own = [sentence.features[number].get(name) for name in ("Gender", "Number")]
            return None not in own and own == [noun.get(name) for name in ("Gender", "Number")]
        if token.pos != "NOUN":
            return True
        own = [sentence.features[number].get(name) for name in ("Gender", "Number")]
        beside = [sentence.features[child] for child in sentence.related(number, "det", "amod")]
        shown = [[features.get(name) for name in ("Gender", "Number")] for features in beside]
        return own in shown and all(None in pair or pair == own for pair in shown)

    def check_replacement(self, sentence: TaggedSentence, number: int, new: str) -> None:
        """Refuse what has el although it is feminine, and what would need it."""
        feminine = sentence.features[number].get("Gender") == "Fem"
        if feminine and (sentence.word(number - 1).lower() in MASCULINE_ARTICLES or new in FEMININE_WITH_EL):
            raise SwapRefused(NEIGHBOUR)


def _check_nouns(sentence: TaggedSentence, first: Unit, second: Unit) -> None:
    """The same number; the same gender where an adjective, a participle or a clause outside agrees with it."""
    numbers = {sentence.features[unit.head].get("Number", "Sing") for unit in (first, second)}
    if len(numbers) > 1:
        raise SwapRefused(AGREEMENT)
    heads = [sentence.tokens[unit.head].head for unit in (first, second)]
    roles = {sentence.relation(unit.head) for unit in (first, second)}
    marked = any(sentence.related(unit.head, "case") for unit in (first, second))
    if heads[0] == heads[1] and roles == {"nsubj", "obj"} and not marked:
        raise SwapRefused(KEEPS_MEANING)  # the order of subject and object is free
    if any(_bound(sentence, unit) for unit in (first, second)):
        genders = {sentence.features[unit.head].get("Gender") for unit in (first, second)}
        if len(genders) > 1:
            raise SwapRefused(AGREEMENT)
        if None in genders:
            raise SwapRefused(UNKNOWN_FORM)


def _bound(sentence: TaggedSentence, unit: Unit) -> bool:
    """Whether something outside the unit agrees with its head."""
    token = sentence.tokens[unit.head]
    outside = [number for number in sentence.children[unit.head] if number not in unit.numbers]
    if any(sentence.relation(number) in AGREEING for number in outside):
        return True
    if sentence.relation(unit.head) not in ("nsubj", "obj") or token.head < 0:
        return False
    agreeing = [token.head, *sentence.related(token.head, "xcomp", "advcl", "amod", "obj", "aux")]
    predicates = [number for number in agreeing if number not in unit.numbers]
    return any(
        sentence.tokens[number].pos == "ADJ" or sentence.features[number].get("VerbForm") == "Part"
        for number in predicates
    )


def _without_shared_article(sentence: TaggedSentence, first: Unit, second: Unit) -> tuple[Unit, Unit]:
    """Where one stands after del or al, both without their el; refused if the other has another article or none."""
    implied = [sentence.word(unit.first - 1).lower() in CONTRACTIONS for unit in (first, second)]
    outer = [_outer_article(sentence, unit) for unit in (first, second)]
    if not any(implied):
        if outer[0] != outer[1]:
            raise SwapRefused(NEIGHBOUR)
        return first, second
    bare = []
    for unit, after_contraction in zip((first, second), implied, strict=True):
        if not after_contraction and outer[(first, second).index(unit)] != "el":
            if sentence.word(unit.first) != "el" or unit.first == unit.last:
                raise SwapRefused(NEIGHBOUR)
            unit = replace(unit, first=unit.first + 1)
        bare.append(unit)
    genders = {sentence.features[unit.head].get("Gender", "Masc") for unit in bare}
    if genders != {"Masc"}:
        raise SwapRefused(AGREEMENT)
    return bare[0], bare[1]


def _outer_article(sentence: TaggedSentence, unit: Unit) -> str:
    before = unit.first - 1
    return sentence.word(before).lower() if before >= 0 and sentence.tokens[before].pos == "DET" else ""


def _check_adjectives(sentence: TaggedSentence, first: Unit, second: Unit) -> None:
    """Each adjective has the gender and number of the place that it goes to, or none."""
    if any(sentence.word(unit.head).lower() in SHORT_FORMS for unit in (first, second)):
        raise SwapRefused(SEVERAL_FORMS)
    features = [sentence.features[unit.head] for unit in (first, second)]
    if len({feature.get("Number") for feature in features}) > 1:
        raise SwapRefused(AGREEMENT)
    if len({feature.get("Degree") for feature in features}) > 1:
        raise SwapRefused(AGREEMENT)
    for unit, own in zip((first, second), features, strict=True):
        if own.get("Gender") is None and GENDERED_ENDING.search(sentence.word(unit.head).lower()):
            raise SwapRefused(UNKNOWN_FORM)
    for (unit, own), other in zip(zip((first, second), features, strict=True), reversed(features), strict=True):
        place = own.get("Gender") or _gender_of_noun(sentence, unit)
        if other.get("Gender") is not None and place is None:
            raise SwapRefused(UNKNOWN_FORM)
        if other.get("Gender") not in (None, place):
            raise SwapRefused(AGREEMENT)


def _gender_of_noun(sentence: TaggedSentence, unit: Unit) -> str | None:
    head = sentence.tokens[unit.head].head
    return sentence.features[head].get("Gender") if head >= 0 else None


SPANISH = Spanish()
