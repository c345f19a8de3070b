"""Exchanges that would keep the meaning: "A and B", "A, that is B", "A is B", "A borders B", adjectives of one noun."""

from __future__ import annotations

from otherwords.acquire.swap.records import TaggedSentence, Unit

CONJUNCT, APPOSITION = "conj", "appos"
SUBJECTS = ("nsubj", "nsubjpass", "csubj")
PREDICATES = ("attr", "acomp")
SMALL_WORDS = {"DET", "ADP", "PUNCT", "CCONJ", "PART", "AUX", "SCONJ", "SYM"}
MODIFIERS = ("amod", "nmod", "compound")
# What holds between A and B as it does between B and A.
SYMMETRIC = {
    "en": {
        *("meet", "marry", "border", "resemble", "equal", "adjoin", "divorce", "intersect", "match", "connect", "join"),
        *("link", "combine", "merge", "mix", "unite", "coincide", "correspond", "collaborate", "between", "similar"),
        *("identical", "equivalent", "adjacent", "parallel", "close", "near", "equidistant", "marriage", "border"),
        *("merger", "match", "relative", "opposite", "together", "versus", "vs.", "vs", "differ", "cooperate"),
    },
    "es": {
        *("casar", "limitar", "unir", "conectar", "enlazar", "combinar", "mezclar", "coincidir", "equivaler", "entre"),
        *("divorciar", "parecer", "similar", "idéntico", "equivalente", "paralelo", "cercano", "colaborar", "lindar"),
    },
    "ru": {
        *("граничить", "соединять", "соединить", "познакомиться", "встретиться", "встречаться", "совпадать", "между"),
        *("связывать", "связать", "объединять", "объединить", "смешивать", "смешать", "похожий", "одинаковый"),
        *("сотрудничать", "пожениться", "развестись", "равный", "равняться"),
    },
    "fi": {
        *("rajoittua", "yhdistää", "tavata", "kohdata", "sekoittaa", "muistuttaa", "välinen", "välillä", "sama"),
        *("samanlainen", "yhtyä", "avioitua", "erota"),
    },
}
NEAR = 2  # steps up to the word that is symmetric


def keeps_meaning(sentence: TaggedSentence, first: Unit, second: Unit) -> bool:
    """Whether the sentence says the same after the two have changed places, as far as its structure shows."""
    return (
        _side_by_side(sentence, first, second)
        or _coordinated(sentence, first, second)
        or _one_and_the_same(sentence, first, second)
        or _symmetric_word(sentence, first, second)
        or _only_reordered(sentence, first, second)
    )


def _side_by_side(sentence: TaggedSentence, first: Unit, second: Unit) -> bool:
    """Nothing but commas, conjunctions, articles and a repeated preposition stands between them."""
    between = [sentence.tokens[number].pos for number in range(first.last + 1, second.first)]
    if not between:
        places = {
            (sentence.tokens[head].head, sentence.tokens[head].relation, sentence.features[head].get("Case"))
            for head in (first.head, second.head)
        }
        return len(places) == 1
    joined = "CCONJ" in between or between == ["PUNCT"]
    before = sentence.word(first.first - 1).lower()
    repeated = [
        sentence.word(number).lower() == before
        for number in range(first.last + 1, second.first)
        if sentence.tokens[number].pos == "ADP"
    ]
    return joined and set(between) <= {"PUNCT", "CCONJ", "DET", "ADP"} and all(repeated)


def _coordinated(sentence: TaggedSentence, first: Unit, second: Unit) -> bool:
    """They stand in two parts of a coordination that have nothing else of their own."""
    path1, path2 = sentence.ancestors(first.head), sentence.ancestors(second.head)
    for conjunct1, conjunct2 in _conjuncts(sentence, path1, path2):
        rest1 = _own_words(sentence, conjunct1, first)
        rest2 = _own_words(sentence, conjunct2, second)
        if not rest1 or not rest2 or rest1 == rest2:
            return True
    return False


def _conjuncts(sentence: TaggedSentence, path1: list[int], path2: list[int]) -> list[tuple[int, int]]:
    """The parts of a coordination, one with the first and the other with the second."""
    found = []
    for number, conjunct in enumerate(path2[:-1]):
        if sentence.relation(conjunct) == CONJUNCT:
            anchor = path2[number + 1]
            chain = {anchor, *_chain(sentence, anchor)}
            found += [(other, conjunct) for other in path1 if other in chain and other != conjunct]
    for number, conjunct in enumerate(path1[:-1]):
        if sentence.relation(conjunct) == CONJUNCT:
            chain = {path1[number + 1], *_chain(sentence, path1[number + 1])}
            found += [(conjunct, other) for other in path2 if other in chain and other != conjunct]
    return found


def _chain(sentence: TaggedSentence, anchor: int) -> list[int]:
    """What is coordinated with a token, one after the other."""
    found: list[int] = []
    waiting = [anchor]
    while waiting:
        parts = sentence.related(waiting.pop(), CONJUNCT)
        found += parts
        waiting += parts
    return found


def _own_words(sentence: TaggedSentence, conjunct: int, unit: Unit) -> list[str]:
    """The words of a part of a coordination, but for the unit, small words, further parts and the subject."""
    words = []
    waiting = [conjunct]
    while waiting:
        number = waiting.pop()
        if number not in unit.numbers and sentence.tokens[number].pos not in SMALL_WORDS:
            words.append(sentence.tokens[number].lemma.lower())
        waiting += [
            child
            for child in sentence.children[number]
            if sentence.relation(child) not in (CONJUNCT, "cc", "punct", *(SUBJECTS if number == conjunct else ()))
        ]
    return sorted(words)


def _one_and_the_same(sentence: TaggedSentence, first: Unit, second: Unit) -> bool:
    """They name the same thing (A, that is B; A is B), or are two adjectives of one noun."""
    tokens = sentence.tokens
    for this, other in ((first, second), (second, first)):
        up = sentence.ancestors(this.head)
        if sentence.relation(this.head) == APPOSITION and other.head in up[1:2]:
            return True
        subject = sentence.relation(this.head) in SUBJECTS
        if subject and tokens[this.head].head == other.head and sentence.related(other.head, "cop"):
            return True
        same_verb = tokens[this.head].head == tokens[other.head].head
        if subject and same_verb and sentence.relation(other.head) in PREDICATES:
            return True
    adjectives = tokens[first.head].pos == tokens[second.head].pos == "ADJ"
    same_noun = tokens[first.head].head == tokens[second.head].head >= 0
    modifiers = {sentence.relation(first.head), sentence.relation(second.head)} <= set(MODIFIERS)
    nested = adjectives and (tokens[first.head].head == second.head or tokens[second.head].head == first.head)
    return nested or (adjectives and same_noun and modifiers)


def _only_reordered(sentence: TaggedSentence, first: Unit, second: Unit) -> bool:
    """Two nouns of one verb in the same case, with the same preposition or none: only their order would change."""
    cases = [sentence.features[unit.head].get("Case") for unit in (first, second)]
    heads = [sentence.tokens[unit.head].head for unit in (first, second)]
    if cases[0] is None or cases[0] != cases[1] or heads[0] != heads[1] or heads[0] < 0:
        return False
    if {sentence.tokens[unit.head].pos for unit in (first, second)} - {"NOUN", "PROPN"}:
        return False
    prepositions = [
        [sentence.tokens[child].lemma.lower() for child in sentence.related(unit.head, "case")]
        for unit in (first, second)
    ]
    return prepositions[0] == prepositions[1]


def _symmetric_word(sentence: TaggedSentence, first: Unit, second: Unit) -> bool:
    """What two nouns both depend on means the same in both directions."""
    if {sentence.tokens[unit.head].pos for unit in (first, second)} - {"NOUN", "PROPN"}:
        return False
    path1, path2 = sentence.ancestors(first.head), sentence.ancestors(second.head)
    symmetric = SYMMETRIC.get(sentence.lang, set())
    for number in path1[: NEAR + 1]:
        if number in path2[: NEAR + 1]:
            return sentence.tokens[number].lemma.lower() in symmetric
    return False
