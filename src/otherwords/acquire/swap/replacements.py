"""Single words by others: a word gives way to one that stands in the same form and use elsewhere in the pool."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from otherwords.acquire.swap.exchange import changed
from otherwords.acquire.swap.grammars import Grammar, grammar
from otherwords.acquire.swap.records import (
    NO_OTHER,
    NOTHING,
    REPLACE,
    UNKNOWN_FORM,
    NewWords,
    SwapCandidate,
    SwapRefused,
    TaggedSentence,
)
from otherwords.acquire.swap.units import is_time
from otherwords.acquire.swap.uses import frame
from otherwords.digests import digest_number

OPEN_CLASSES = ("NOUN", "ADJ", "VERB")
MOST_WORDS = 3  # of a sentence that are tried
Slot = tuple[str, str, str, str]  # language, part of speech, features, use
Related = Callable[[str, str], Collection[str]]  # the lemmas that may stand for a lemma of a part of speech


@dataclass
class Vocabulary:
    """The words of a pool by the form and use that they stand in, each with its lemma."""

    words: dict[Slot, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))

    @classmethod
    def of_sentences(cls, sentences: Iterable[TaggedSentence]) -> Vocabulary:
        """All words of open classes that are no names, and whose features are beyond doubt."""
        vocabulary = cls()
        for sentence in sentences:
            for number in replaceable(sentence):
                token = sentence.tokens[number]
                if not grammar(sentence.lang).confirms(sentence, number):
                    continue
                vocabulary.words[slot(sentence, number)].setdefault(sentence.word(number).lower(), token.lemma.lower())
        return vocabulary


def replaceable(sentence: TaggedSentence) -> Iterator[int]:
    """The words of a sentence that another can stand for."""
    named = [range(span.start, span.end) for span in sentence.tags.entities]
    for number, token in enumerate(sentence.tokens):
        alone = sentence.word(number).isalpha() and not sentence.related(number, "prt")
        counted = number > 0 and sentence.word(number - 1)[0].isdigit()  # a year, or what goes with the number only
        free = alone and not counted and not is_time(sentence, number)
        if token.pos in OPEN_CLASSES and free and not any(token.start in span for span in named):
            yield number


def slot(sentence: TaggedSentence, number: int) -> Slot:
    """The form and use of a word; two words of one slot can stand for each other."""
    token = sentence.tokens[number]
    use = ""
    if token.pos == "VERB":
        use = repr(frame(sentence, number))
    elif token.pos == "NOUN":
        use = "det" if sentence.related(number, "det") else "bare"
        use += " counted" if sentence.related(number, "nummod") else ""
    elif token.pos == "ADJ":
        use = "before" if token.head > number else "after"
        use += f" {sentence.relation(number)}"
    return sentence.lang, token.pos, token.features, use


def replacements(
    sentence: TaggedSentence, vocabulary: Vocabulary, rules: Grammar, seed: int, related: Related | None = None
) -> Iterator[SwapCandidate | SwapRefused]:
    """One candidate for each of a few words of the sentence, or why there is none."""
    numbers = sorted(replaceable(sentence), key=lambda number: digest_number(str(seed), sentence.text, str(number)))
    if not numbers:
        yield SwapRefused(NOTHING)
    for number in numbers[:MOST_WORDS]:
        try:
            yield _replaced(sentence, number, vocabulary, rules, seed, related)
        except SwapRefused as refused:
            yield refused


def _replaced(
    sentence: TaggedSentence,
    number: int,
    vocabulary: Vocabulary,
    rules: Grammar,
    seed: int,
    related: Related | None,
) -> SwapCandidate:
    token = sentence.tokens[number]
    if not rules.confirms(sentence, number):
        raise SwapRefused(UNKNOWN_FORM)
    allowed = None if related is None else related(token.lemma.lower(), token.pos)
    others = [
        word
        for word, lemma in vocabulary.words.get(slot(sentence, number), {}).items()
        if lemma != token.lemma.lower() and (allowed is None or lemma in allowed)
    ]
    if not others:
        raise SwapRefused(NO_OTHER)
    new = min(others, key=lambda word: digest_number(str(seed), sentence.text, str(number), word))
    rules.check_replacement(sentence, number, new)
    if sentence.word(number)[0].isupper():
        new = new[0].upper() + new[1:]
    edit = NewWords(token.start, token.end, new)
    return changed(sentence, REPLACE, [edit, *rules.neighbours(sentence, [edit])])
