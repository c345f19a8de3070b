"""Russian: what changes places takes the case of its new place, in forms that pymorphy3 makes of words it knows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from otherwords.acquire.swap.grammars import Grammar, check_counts, exchanged, replaced, words
from otherwords.acquire.swap.records import (
    ADJECTIVES,
    AGREEMENT,
    KEEPS_MEANING,
    NEIGHBOUR,
    NOUN_PHRASES,
    NUMBERS,
    SEVERAL_FORMS,
    USE,
    VERBS,
    NewWords,
    SwapRefused,
    TaggedSentence,
    Unit,
)
from otherwords.acquire.swap.russian_forms import analyser, inflected
from otherwords.acquire.swap.units import ORGANISATION
from otherwords.text.russian import russian_cases, russian_readings

FIXED_VERB_FEATURES = ("Aspect", "Tense", "Mood", "VerbForm", "Voice")
INFLECTED_VERB_FEATURES = ("Gender", "Number", "Person")
ADJECTIVE_FEATURES = ("Case", "Number", "Gender", "Animacy")
AGREEING = ("amod", "acl", "det", "appos", "nummod", "nsubj")
COUNTED = {"один", "два", "оба", "полтора", "сто"}
INNER, OUTER = {"в", "во", "из", "изо"}, {"на", "с", "со"}
CONSONANT = "[бвгджзйклмнпрстфхцчшщ]"
_PREPOSITIONS = {
    "Gen": "из от до у без для из-за из-под около после вокруг с со",
    "Dat": "к ко по",
    "Acc": "в во на о об под за через про сквозь",
    "Ins": "с со над перед под за",
    "Loc": "в во на о об при",
}
GOVERNED = {  # the cases that a preposition can have after it
    preposition: {case for case, others in _PREPOSITIONS.items() if preposition in others.split()}
    for listed in _PREPOSITIONS.values()
    for preposition in listed.split()
}
LONG_PREPOSITIONS = {"в": f"[вф]{CONSONANT}", "с": f"[сзшж]{CONSONANT}|щ|мн|вс", "к": "вс|мн|дв|дн"}


class Russian(Grammar):
    """The rules of Russian."""

    def edits(self, sentence: TaggedSentence, kind: str, first: Unit, second: Unit) -> tuple[NewWords, NewWords]:
        if kind == NUMBERS:
            return _numbers(sentence, first, second)
        if kind == ADJECTIVES:
            return _adjectives(sentence, first, second)
        if kind == VERBS:
            return _verbs(sentence, first, second)
        _check_nouns(sentence, kind, first, second)
        new1, new2 = _moved(sentence, second, first), _moved(sentence, first, second)
        if (new1, new2) == (words(sentence, second), words(sentence, first)) and _bare_of_one_verb(
            sentence, first, second
        ):
            raise SwapRefused(KEEPS_MEANING)  # the forms do not show who does what
        return replaced(sentence, first, new1), replaced(sentence, second, new2)

    def confirms(self, sentence: TaggedSentence, number: int) -> bool:
        """A word that pymorphy3 knows, with a reading that has the features."""
        word, pos = sentence.word(number), sentence.tokens[number].pos
        known = analyser().word_is_known(word.lower())
        return known and bool(russian_readings(word, pos, sentence.features[number]))

    def check_replacement(self, sentence: TaggedSentence, number: int, new: str) -> None:
        """Refuse a word that shows a case where the one before it could be of several."""
        token, features = sentence.tokens[number], sentence.features[number]
        if "Case" in features:
            others = {name: value for name, value in features.items() if name != "Case"}
            cases = possible_cases(sentence, Unit(number, number, number, ""))
            if not cases <= russian_cases(new, token.pos, others):
                raise SwapRefused(SEVERAL_FORMS)

    def neighbours(self, sentence: TaggedSentence, edits: Iterable[NewWords]) -> list[NewWords]:
        """Refuse a preposition whose sound does not fit the new word: о and об, в and во, с and со."""
        for edit in edits:
            before = re.findall(r"(\w+)\s+$", sentence.text[: edit.start])
            if before and not preposition_fits(before[0].lower(), edit.words.lower()):
                raise SwapRefused(NEIGHBOUR)
        return []


def preposition_fits(preposition: str, new: str) -> bool:
    """Whether a preposition has the right sound before a word."""
    if preposition in ("о", "об"):
        return (preposition == "об") == (new[:1] in set("аиоуэ"))
    if preposition in LONG_PREPOSITIONS:
        return not re.match(LONG_PREPOSITIONS[preposition], new)
    if preposition in ("во", "со", "ко"):
        return bool(re.match(LONG_PREPOSITIONS[preposition[0]], new))
    return preposition not in ("обо", "изо", "надо", "подо", "ото", "передо")


def _numbers(sentence: TaggedSentence, first: Unit, second: Unit) -> tuple[NewWords, NewWords]:
    check_counts(sentence, first, second)
    heads = [sentence.tokens[unit.head] for unit in (first, second)]
    if words(sentence, first)[:1].isalpha():
        cases = {sentence.features[unit.head].get("Case") for unit in (first, second)}
        if len(cases) > 1 or {head.lemma for head in heads} & COUNTED:
            raise SwapRefused(AGREEMENT)
        few = {head.lemma in ("три", "четыре") for head in heads}
        if first.type == "number word" and len(few) > 1:
            raise SwapRefused(AGREEMENT)
        if first.type in ("month", "weekday"):
            genders = {sentence.features[unit.head].get("Gender") for unit in (first, second)}
            if len(genders) > 1 and any(_bound(sentence, unit) for unit in (first, second)):
                raise SwapRefused(AGREEMENT)
    return exchanged(sentence, first, second)


def _adjectives(sentence: TaggedSentence, first: Unit, second: Unit) -> tuple[NewWords, NewWords]:
    features = [sentence.features[unit.head] for unit in (first, second)]
    for name in ("Degree", "Variant"):
        if len({feature.get(name) for feature in features}) > 1:
            raise SwapRefused(AGREEMENT)
    edits = []
    for unit, other in ((first, second), (second, first)):
        place = {name: value for name, value in sentence.features[unit.head].items() if name in ADJECTIVE_FEATURES}
        edits.append(replaced(sentence, unit, inflected(sentence, other.head, place)))
    return edits[0], edits[1]


def _verbs(sentence: TaggedSentence, first: Unit, second: Unit) -> tuple[NewWords, NewWords]:
    features = [sentence.features[unit.head] for unit in (first, second)]
    if any(len({feature.get(name) for feature in features}) > 1 for name in FIXED_VERB_FEATURES):
        raise SwapRefused(AGREEMENT)
    edits = []
    for unit, other in ((first, second), (second, first)):
        own = sentence.features[unit.head]
        place = {name: value for name, value in own.items() if name in INFLECTED_VERB_FEATURES}
        edits.append(replaced(sentence, unit, inflected(sentence, other.head, place)))
    return edits[0], edits[1]


def _check_nouns(sentence: TaggedSentence, kind: str, first: Unit, second: Unit) -> None:
    features = [sentence.features[unit.head] for unit in (first, second)]
    same_case = features[0].get("Case") == features[1].get("Case")
    if None in (features[0].get("Case"), features[1].get("Case")):
        raise SwapRefused(AGREEMENT)
    if first.type == ORGANISATION and not same_case:
        raise SwapRefused(AGREEMENT)
    if kind == NOUN_PHRASES and any(sentence.related(unit.head, "nummod") for unit in (first, second)):
        raise SwapRefused(USE)  # the form depends on the number
    if any(_bound(sentence, unit) for unit in (first, second)):
        for name in ("Number", "Gender", "Animacy"):
            if len({feature.get(name) for feature in features}) > 1:
                raise SwapRefused(AGREEMENT)
    if any(_adjective_before(sentence, unit) for unit in (first, second)):
        raise SwapRefused(AGREEMENT)
    sides = [_side(sentence.word(unit.first - 1).lower()) for unit in (first, second)]
    if sides[0] and sides[1] and sides[0] != sides[1]:
        raise SwapRefused(NEIGHBOUR)  # в and на go with the noun


def _bare_of_one_verb(sentence: TaggedSentence, first: Unit, second: Unit) -> bool:
    heads = {sentence.tokens[unit.head].head for unit in (first, second)}
    return len(heads) == 1 and not any(sentence.related(unit.head, "case") for unit in (first, second))


def _adjective_before(sentence: TaggedSentence, unit: Unit) -> bool:
    """Whether the word before a unit can be an adjective of its first word: then it would have to agree."""
    before = sentence.word(unit.first - 1)
    if not before or not analyser().word_is_known(before.lower()):
        return False
    return bool(russian_readings(before, "ADJ", {})) and sentence.tokens[unit.first - 1].pos not in ("ADP", "PUNCT")


def _side(preposition: str) -> str:
    return "in" if preposition in INNER else "on" if preposition in OUTER else ""


def _bound(sentence: TaggedSentence, unit: Unit) -> bool:
    """Whether a verb, an adjective or a clause outside the unit agrees with its head."""
    outside = [number for number in sentence.children[unit.head] if number not in unit.numbers]
    agrees = any(sentence.relation(number) in AGREEING for number in outside)
    return agrees or sentence.relation(unit.head) in ("nsubj", "root")


def _moved(sentence: TaggedSentence, unit: Unit, place: Unit) -> str:
    """A unit in the case of its new place."""
    own = sentence.features[unit.head]["Case"]
    possible_cases(sentence, unit)  # refuses what the tagger got wrong
    forms = {_in_case(sentence, unit, own, case) for case in possible_cases(sentence, place)}
    if len(forms) > 1:
        raise SwapRefused(SEVERAL_FORMS)  # the place does not show its case
    return forms.pop()


def possible_cases(sentence: TaggedSentence, unit: Unit) -> set[str]:
    """The cases that a place can have, by the form of what stands there and the preposition before it."""
    tagged = sentence.features[unit.head]
    features = {name: value for name, value in tagged.items() if name != "Case"}
    found: set[str] = set()
    for number in unit.numbers:
        if number == unit.head or sentence.tokens[number].pos in ("ADJ", "DET"):
            own = {name: value for name, value in sentence.features[number].items() if name != "Case"}
            cases = russian_cases(
                sentence.word(number), sentence.tokens[number].pos, own if number != unit.head else features
            )
            if cases:
                found = found & cases if found else cases
    preposition = sentence.word(unit.first - 1).lower()
    governed = GOVERNED.get(preposition)
    if governed:
        found &= governed
    elif sentence.tokens[unit.first - 1 if unit.first else 0].pos != "ADP":
        found -= {"Loc"}  # which never stands without a preposition
    known = analyser().word_is_known(sentence.word(unit.head).lower())
    if (found or known) and tagged["Case"] not in found:
        raise SwapRefused(AGREEMENT)  # pymorphy3 says that the tagger is wrong
    return found | {tagged["Case"]}


def _in_case(sentence: TaggedSentence, unit: Unit, own: str, case: str) -> str:
    if case == own:
        return words(sentence, unit)
    parts, end = [], sentence.tokens[unit.first].start
    for number in unit.numbers:
        token, features = sentence.tokens[number], sentence.features[number]
        form = sentence.word(number)
        if features.get("Case") == own:
            target = {"Case": case}
            if number != unit.head and token.pos in ("ADJ", "DET"):
                head = sentence.features[unit.head]
                target |= {name: head[name] for name in ("Number", "Gender", "Animacy") if name in head}
            form = inflected(sentence, number, target)
        elif number == unit.head or token.pos in ("PROPN", "ADJ", "DET", "NOUN"):
            raise SwapRefused(AGREEMENT)
        parts.append(sentence.text[end : token.start] + form)
        end = token.end
    return "".join(parts)


RUSSIAN = Russian()
