"""Errors of agreement that an analyser sees which had no part in making the candidates.

Words beside each other are looked up: an adjective and its noun share a case, a number and a gender in some reading; a
noun has a case that its preposition can have; a past verb has the gender of its subject. Russian is read by pymorphy3,
Finnish by Voikko, Spanish by Apertium's dictionary, English by its spelling and the tagger's second look. What a
sentence has before anything is swapped (a word that is not in the dictionary, a wrong parse) is no error of ours, so
errors of the sentence itself are subtracted.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from otherwords.acquire.swap.records import TaggedSentence
from otherwords.text.lemmas import russian_morphology
from otherwords.text.voikko import voikko_analyses

Errors = Counter[str]
SPANISH_DICTIONARY = Path("/usr/share/apertium/apertium-eng-spa/spa-eng.automorf.bin")
UNCLEAR = {"guía", "junto"}  # el guía, la guía; junto a
ONE_FORM = {"species", "series"}  # singular and plural
CASES_AFTER = {
    "из": {"gent"},
    "от": {"gent"},
    "до": {"gent"},
    "у": {"gent"},
    "для": {"gent"},
    "после": {"gent"},
    "к": {"datv"},
    "в": {"accs", "loct"},
    "на": {"accs", "loct"},
    "о": {"loct", "accs"},
    "об": {"loct", "accs"},
    "с": {"gent", "ablt"},
    "за": {"accs", "ablt"},
    "под": {"accs", "ablt"},
    "над": {"ablt"},
    "перед": {"ablt"},
    "через": {"accs"},
}
ALL_CASES = ["nomn", "gent", "datv", "accs", "ablt", "loct"]
SECOND = {"loc2": "loct", "gen2": "gent", "acc2": "accs"}


def russian_errors(sentence: TaggedSentence) -> Errors:
    """By pymorphy3: adjective and noun, preposition and noun, subject and past verb."""
    errors: Errors = Counter()
    for number, token in enumerate(sentence.tokens):
        word = sentence.word(number)
        if token.pos in ("ADJ", "DET") and token.head == number + 1:
            noun = sentence.word(token.head)
            forms, others = _russian_forms(word), _russian_forms(noun)
            if forms and others and not forms & others:
                errors[f"{word} {noun}"] += 1
        preposition = sentence.word(number - 1).lower()
        if token.pos in ("NOUN", "PROPN", "ADJ") and preposition in CASES_AFTER and word[0].isalpha():
            cases = {case for case, _, _ in _russian_forms(word)}
            if cases and not cases & CASES_AFTER[preposition]:
                errors[f"{preposition} {word}"] += 1
        counted = sentence.word(number - 1).isdigit() or sentence.related(number, "nummod")
        if token.relation == "nsubj" and sentence.features[token.head].get("Tense") == "Past" and not counted:
            verb = sentence.word(token.head)
            subjects, verbs = _subject_forms(word), _verb_forms(verb)
            any_gender = ("sing", "") in subjects  # судья
            if subjects and verbs and not any_gender and not subjects & verbs:
                errors[f"{word} … {verb}"] += 1
    return errors


def _russian_forms(word: str) -> set[tuple[str, str, str]]:
    forms = set()
    for reading in russian_morphology().parse(word):
        tag = reading.tag
        if tag.POS in ("NOUN", "ADJF", "PRTF", "NPRO") and tag.case:
            gender = tag.gender if tag.number == "sing" else ""
            cases = ALL_CASES if "Fixd" in tag else [SECOND.get(tag.case, tag.case)]
            forms |= {(case, str(tag.number), str(gender or "")) for case in cases}
    return forms


def _subject_forms(word: str) -> set[tuple[str, str]]:
    return {(number, gender) for case, number, gender in _russian_forms(word) if case == "nomn"}


def _verb_forms(word: str) -> set[tuple[str, str]]:
    tags = [reading.tag for reading in russian_morphology().parse(word) if reading.tag.POS in ("VERB", "PRTS")]
    return {(str(tag.number), str(tag.gender or "") if tag.number == "sing" else "") for tag in tags}


def finnish_errors(sentence: TaggedSentence) -> Errors:
    """By Voikko: an adjective right before its noun has its case and number."""
    errors: Errors = Counter()
    for number, token in enumerate(sentence.tokens):
        if token.pos == "ADJ" and number + 1 < len(sentence.tokens) and sentence.tokens[number + 1].pos == "NOUN":
            word, noun = sentence.word(number), sentence.word(number + 1)
            forms, others = _finnish_forms(word), _finnish_forms(noun)
            if forms and others and not forms & others:
                errors[f"{word} {noun}"] += 1
    return errors


def _finnish_forms(word: str) -> set[tuple[str, str]]:
    return {
        (analysis["SIJAMUOTO"], analysis.get("NUMBER", ""))
        for analysis in voikko_analyses(word)
        if "SIJAMUOTO" in analysis
    }


def spanish_errors(sentence: TaggedSentence) -> Errors:
    """By Apertium's dictionary: article, noun and adjective beside each other; de el, a el."""
    errors: Errors = Counter(re.findall(r"\b(?:de|a) el\b", sentence.text))
    for word, after in pairwise(re.findall(r"\w+|[^\w\s]", sentence.text)):
        for kinds in (("det", "n"), ("n", "adj"), ("det", "adj")):
            forms, others = _spanish_forms(word, kinds[0]), _spanish_forms(after, kinds[1])
            stressed = word.lower() in ("el", "un") and re.match(r"h?[aá]", after)  # el ala
            other_use = kinds == ("det", "adj") and _spanish_forms(after, "n")  # la seca, el largo
            if forms and others and not stressed and not other_use and not _fit_somehow(forms, others):
                errors[f"{word} {after}"] += 1
    return errors


def _fit_somehow(forms: set[tuple[str, str]], others: set[tuple[str, str]]) -> bool:
    return any(_fit(form, other) for form in forms for other in others)


def _fit(form: tuple[str, ...], other: tuple[str, ...]) -> bool:
    gender = form[0] == other[0] or "mf" in (form[0], other[0])
    return gender and (form[1] == other[1] or "sp" in (form[1], other[1]))


@cache
def _spanish_forms(word: str, kind: str) -> set[tuple[str, str]]:
    """Gender and number of a word that can be of a kind; none for an adjective that can be a verb or an adverb."""
    readings = [re.findall(r"<(\w+)>", reading) for reading in _readings(word)]
    if word.lower() in UNCLEAR or (
        kind == "adj" and any(tags[:1] in (["vblex"], ["adv"], ["pr"]) for tags in readings)
    ):
        return set()
    return {
        (gender, number)
        for tags in readings
        if tags[:1] == [kind]
        for gender in tags
        if gender in ("m", "f", "mf")
        for number in tags
        if number in ("sg", "pl", "sp")
    }


@cache
def _readings(word: str) -> list[str]:
    if not SPANISH_DICTIONARY.is_file() or shutil.which("lt-proc") is None:
        pytest.skip("Apertium's Spanish dictionary is not installed")
    command = ["lt-proc", str(SPANISH_DICTIONARY)]
    output = subprocess.run(command, input=word, capture_output=True, text=True, check=True).stdout
    return [reading for unit in re.findall(r"\^(.*?)\$", output) for reading in unit.split("/")[1:]]


def english_errors(sentence: TaggedSentence) -> Errors:
    """By spelling: a and an; by the tagger's second look: a with a plural, a subject with its verb."""
    errors: Errors = Counter()
    for article, word in re.findall(r"\b([Aa]n?) (\w+)", sentence.text):
        vowel = word[0].lower() in "aeiou" and not re.match(r"uni|use|one|eu", word.lower())
        vowel = vowel or bool(re.match(r"hon|hour|heir", word.lower()))
        if vowel != (article.lower() == "an"):
            errors[f"{article} {word}"] += 1
    for number, token in enumerate(sentence.tokens):
        features, head = sentence.features[number], sentence.features[token.head]
        word = sentence.word(number)
        if word.lower() in ("a", "an") and head.get("Number") == "Plur" and sentence.word(token.head) not in ONE_FORM:
            errors[f"{word} {sentence.word(token.head)}"] += 1
        plural = features.get("Number") == "Plur" or sentence.related(number, "conj")
        if token.relation == "nsubj" and head.get("Tense") == "Pres" and head.get("Person") == "3" and plural:
            errors[f"{word} {sentence.word(token.head)}"] += 1
    return errors


ERRORS: dict[str, Callable[[TaggedSentence], Errors]] = {
    "en": english_errors,
    "es": spanish_errors,
    "fi": finnish_errors,
    "ru": russian_errors,
}


def new_errors(before: TaggedSentence, after: TaggedSentence) -> Iterator[str]:
    """The errors that a candidate has and its sentence has not."""
    find = ERRORS[before.lang]
    old, new = find(before), find(after)
    if new.total() > old.total():
        yield f"{before.text} → {after.text}: {', '.join(new - old)}"
