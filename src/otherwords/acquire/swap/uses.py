"""Whether two words are used in the same way, so that one can stand where the other does."""

from __future__ import annotations

from otherwords.acquire.swap.records import (
    ADJECTIVES,
    ENTITIES,
    NOUN_PHRASES,
    USE,
    VERBS,
    SwapRefused,
    TaggedSentence,
    Unit,
)

OBJECTS = ("obj", "dobj", "iobj", "dative", "ccomp", "xcomp", "csubj", "expl", "agent", "aux", "auxpass", "cop", "neg")
OBLIQUES = ("obl", "prep", "nmod", "advmod")
ATTRIBUTIVE = ("amod", "nummod", "det")
EMPTY_NOUNS = {"en": {"one", "thing", "part", "kind", "sort", "lot", "number", "way", "time", "type", "member", "term"}}


def check_use(sentence: TaggedSentence, kind: str, first: Unit, second: Unit) -> None:
    """Refuse an exchange of words that are used in different ways."""
    if kind == VERBS and frame(sentence, first.head) != frame(sentence, second.head):
        raise SwapRefused(USE)
    if kind == ADJECTIVES:
        uses = {_adjective_use(sentence, unit.head) for unit in (first, second)}
        if len(uses) > 1:
            raise SwapRefused(USE)
    if kind in (NOUN_PHRASES, ENTITIES):
        if set(first.numbers) & set(second.numbers):
            raise SwapRefused(USE)
        for unit, other in ((first, second), (second, first)):
            if kind == NOUN_PHRASES and other.head in sentence.ancestors(unit.head)[1:3]:
                raise SwapRefused(USE)  # one belongs to the other
    if kind == NOUN_PHRASES:
        empty = EMPTY_NOUNS.get(sentence.lang, set())
        if any(sentence.tokens[unit.head].lemma.lower() in empty for unit in (first, second)):
            raise SwapRefused(USE)
        if len({_determined(sentence, unit) for unit in (first, second)}) > 1:
            raise SwapRefused(USE)  # in front of the house


def _determined(sentence: TaggedSentence, unit: Unit) -> bool:
    """Whether a phrase has an article or the like, inside or right before it, or is in the plural, which needs none."""
    numbers = range(unit.first - (unit.first > 0), unit.last + 1)
    determiners = any(
        sentence.tokens[number].pos in ("DET", "NUM") or sentence.features[number].get("Poss") == "Yes"
        for number in numbers
    )
    return determiners or sentence.features[unit.head].get("Number") == "Plur"


def frame(sentence: TaggedSentence, verb: int) -> tuple[tuple[str, str], ...]:
    """What a verb has beside it: objects and clauses with their case, and, without an object, its prepositions."""
    parts = set()
    for child in sentence.children[verb]:
        relation = sentence.relation(child)
        if relation in OBJECTS:
            parts.add((relation, _preposition(sentence, child)))
    if not any(relation in ("obj", "dobj", "ccomp", "xcomp") for relation, _ in parts):
        for child in sentence.children[verb]:
            if sentence.relation(child) in OBLIQUES:
                parts.add(("with", _preposition(sentence, child)))
    passive = any(child for child in sentence.children[verb] if "pass" in sentence.tokens[child].relation)
    parts.add(("voice", "passive" if passive else "active"))
    clause = sentence.relation(verb)
    parts.add(("clause", clause if clause in ("acl", "amod", "xcomp", "relcl", "pcomp") else ""))
    return tuple(sorted(parts))


def _preposition(sentence: TaggedSentence, number: int) -> str:
    token = sentence.tokens[number]
    if token.pos in ("ADP", "ADV", "SCONJ"):
        return token.lemma.lower() if token.pos == "ADP" else ""
    cases = sentence.related(number, "case")
    own = sentence.features[number].get("Case", "")
    return " ".join([*(sentence.tokens[case].lemma.lower() for case in cases), own])


def _adjective_use(sentence: TaggedSentence, number: int) -> tuple[str, bool]:
    """Before a noun, after a noun, or as a predicate; and whether something depends on it, as in afraid of."""
    extended = [child for child in sentence.children[number] if sentence.relation(child) in ("prep", "obl", "xcomp")]
    if sentence.relation(number) not in ATTRIBUTIVE:
        return "predicate", bool(extended)
    return ("before" if sentence.tokens[number].head > number else "after"), bool(extended)
