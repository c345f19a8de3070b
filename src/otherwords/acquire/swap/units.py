"""What can change places in a sentence: names, adjectives, verbs, noun phrases, and numbers (a module of their own)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from otherwords.acquire.swap.numbers import MONTHS, WEEKDAYS, number_units
from otherwords.acquire.swap.records import (
    ADJECTIVES,
    ENTITIES,
    NOUN_PHRASES,
    NUMBERS,
    VERBS,
    TaggedSentence,
    Unit,
)
from otherwords.models.edges import TaggedSpan

PERSON, PLACE, ORGANISATION, GROUP = "person", "place", "organisation", "group"
ENTITY_TYPES = {
    **dict.fromkeys(("PER", "PERSON", "PRS"), PERSON),
    **dict.fromkeys(("LOC", "GPE"), PLACE),
    "ORG": ORGANISATION,
    "NORP": GROUP,
}
TIMES = {"DATE", "TIME"}
NOT_AT_THE_END = {"PART", "PUNCT", "ADP", "ADV", "CCONJ", "SCONJ", "VERB", "AUX", "PRON", "DET"}
NEVER_MOVED = {  # adjectives that count, compare or point
    "en": {
        *("other", "same", "such", "many", "few", "several", "own", "more", "most", "much", "last", "next", "certain"),
        *("various", "different", "due", "able", "only"),
    },
    "es": {"mismo", "otro", "propio", "tal", "cierto", "mucho", "poco", "varios", "único", "medio"},
    "ru": {"сам", "самый", "другой", "иной", "многий", "каждый", "весь", "такой", "свой", "который", "этот"},
    "fi": {"moni", "muu", "sama", "oma", "eri", "usea", "viimeinen", "seuraava"},
}
TIME_NOUNS = {  # phrases with these say when, and may stand anywhere
    "en": {
        "year",
        "month",
        "week",
        "day",
        "hour",
        "minute",
        "century",
        "time",
        "morning",
        "evening",
        "night",
        "spring",
        "summer",
        "autumn",
        "winter",
    },
    "es": {
        "año",
        "mes",
        "semana",
        "día",
        "hora",
        "minuto",
        "siglo",
        "vez",
        "mañana",
        "tarde",
        "noche",
        "primavera",
        "verano",
        "otoño",
        "invierno",
    }
    | set(MONTHS["es"].split() + WEEKDAYS["es"].split()),
    "ru": {
        "год",
        "месяц",
        "неделя",
        "день",
        "час",
        "минута",
        "век",
        "столетие",
        "раз",
        "утро",
        "вечер",
        "ночь",
        "весна",
        "лето",
        "осень",
        "зима",
    }
    | set(MONTHS["ru"].split() + WEEKDAYS["ru"].split()),
    "fi": {
        "vuosi",
        "kuukausi",
        "viikko",
        "päivä",
        "tunti",
        "minuutti",
        "vuosisata",
        "kerta",
        "aamu",
        "ilta",
        "yö",
        "kevät",
        "kesä",
        "syksy",
        "talvi",
    }
    | set(MONTHS["fi"].split() + WEEKDAYS["fi"].split()),
}
JOINING = "-–—‐‑/'’&"  # a word beside one of these is part of something longer


def units_of(sentence: TaggedSentence, kind: str) -> list[Unit]:
    """The things of a kind that stand alone in the sentence, in order."""
    found = FINDERS[kind](sentence)
    return sorted({unit for unit in found if _alone(sentence, unit)}, key=lambda unit: (unit.first, unit.last))


def _alone(sentence: TaggedSentence, unit: Unit) -> bool:
    """Whether blanks or marks stand on both sides, and not a hyphen or an apostrophe."""
    text, start, end = sentence.text, sentence.tokens[unit.first].start, sentence.tokens[unit.last].end
    before, after = text[start - 1 : start], text[end : end + 1]
    if before and (before.isalnum() or before in JOINING):
        return False
    possessive = text[end : end + 2].lower() in ("'s", "’s") and not text[end + 2 : end + 3].isalnum()
    return not after or possessive or not (after.isalnum() or after in JOINING)


def entities(sentence: TaggedSentence) -> Iterator[Unit]:
    """Names of persons, places, organisations and peoples."""
    for span in sentence.tags.entities:
        kind, numbers = ENTITY_TYPES.get(span.type), sentence.numbers_within(span.start, span.end)
        if kind is None:
            continue
        first, last = numbers.start, numbers.stop - 1
        while first <= last and sentence.tokens[last].pos in NOT_AT_THE_END:
            last -= 1
        while first <= last and sentence.tokens[first].pos in ("PUNCT", "ADP", "PART"):
            first += 1
        if first > last or not any(sentence.word(number)[:1].isupper() for number in range(first, last + 1)):
            continue
        unit = Unit(first, last, _head(sentence, first, last), kind)
        if kind == GROUP or sentence.tokens[unit.head].pos in ("PROPN", "NOUN"):
            yield unit


def adjectives(sentence: TaggedSentence) -> Iterator[Unit]:
    """Single adjectives outside names."""
    never = NEVER_MOVED.get(sentence.lang, set())
    named = _within(sentence, [span for span in sentence.tags.entities if ENTITY_TYPES.get(span.type) != GROUP])
    for number, token in enumerate(sentence.tokens):
        plain = sentence.word(number)[:1].isalpha() and number not in named
        if token.pos == "ADJ" and plain and token.lemma.lower() not in never:
            yield Unit(number, number, number, "adjective")


def verbs(sentence: TaggedSentence) -> Iterator[Unit]:
    """Single full verbs without a particle that belongs to them."""
    for number, token in enumerate(sentence.tokens):
        if token.pos == "VERB" and not sentence.related(number, "prt", "compound"):
            yield Unit(number, number, number, "verb")


def noun_phrases(sentence: TaggedSentence) -> Iterator[Unit]:
    """Noun phrases that are no names, times or pronouns, and have no preposition inside."""
    times = _within(sentence, [span for span in sentence.tags.entities if span.type in TIMES])
    for span in sentence.tags.noun_phrases:
        numbers = sentence.numbers_within(span.start, span.end)
        if not numbers or times & set(numbers) or any(is_time(sentence, number) for number in numbers):
            continue
        inside = [sentence.tokens[number].pos for number in numbers]
        head = _head(sentence, numbers.start, numbers.stop - 1)
        if (
            sentence.tokens[head].pos == "NOUN"
            and sentence.word(head)[0].isalpha()
            and not {"PRON", "ADP", "PUNCT", "VERB", "CCONJ"} & set(inside)
        ):
            cut = [n for n in sentence.related(head, "amod", "nummod", "det") if n not in numbers]
            numeral = numbers.start > 0 and sentence.tokens[numbers.start - 1].pos == "NUM"
            if cut or numeral or _began_before(sentence, numbers.start) or _goes_on(sentence, numbers.stop - 1):
                continue
            yield Unit(numbers.start, numbers.stop - 1, head, "noun phrase")


def _began_before(sentence: TaggedSentence, first: int) -> bool:
    """Whether an adjective or the like in the same case stands right before it, but not in the phrase."""
    case = sentence.features[first].get("Case")
    if case is None or first == 0 or sentence.tokens[first - 1].pos not in ("ADJ", "DET"):
        return False
    return sentence.features[first - 1].get("Case") == case


def _goes_on(sentence: TaggedSentence, last: int) -> bool:
    """Whether the next word is in the same case: then the tagger may have cut a phrase in two."""
    case = sentence.features[last].get("Case")
    if case is None or last + 1 >= len(sentence.tokens):
        return False
    after = sentence.tokens[last + 1]
    return after.pos in ("NOUN", "PROPN", "ADJ", "PRON") and sentence.features[last + 1].get("Case") == case


def is_time(sentence: TaggedSentence, number: int) -> bool:
    """Whether a word is one that says when."""
    return sentence.tokens[number].lemma.lower() in TIME_NOUNS.get(sentence.lang, ())


def _head(sentence: TaggedSentence, first: int, last: int) -> int:
    """The token that the others depend on; without a parse, the last one."""
    for number in range(first, last + 1):
        token = sentence.tokens[number]
        outside = token.head == number or not first <= token.head <= last
        if outside and token.relation not in ("", "det", "case"):
            return number
    return last


def _within(sentence: TaggedSentence, spans: Sequence[TaggedSpan]) -> set[int]:
    found: set[int] = set()
    for span in spans:
        found.update(sentence.numbers_within(span.start, span.end))
    return found


FINDERS: dict[str, Callable[[TaggedSentence], Iterator[Unit]]] = {
    ENTITIES: entities,
    ADJECTIVES: adjectives,
    VERBS: verbs,
    NOUN_PHRASES: noun_phrases,
    NUMBERS: number_units,
}
