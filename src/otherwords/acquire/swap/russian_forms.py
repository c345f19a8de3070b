"""Forms of Russian words, made by pymorphy3 from the reading that fits what the tagger found."""

from __future__ import annotations

from typing import Any

from otherwords.acquire.swap.records import SEVERAL_FORMS, UNKNOWN_FORM, Refused, TaggedSentence
from otherwords.errors import MissingExtra
from otherwords.text.lemmas import russian_morphology

GRAMMEMES = {
    "Case": {"Nom": "nomn", "Gen": "gent", "Dat": "datv", "Acc": "accs", "Ins": "ablt", "Loc": "loct"},
    "Number": {"Sing": "sing", "Plur": "plur"},
    "Gender": {"Masc": "masc", "Fem": "femn", "Neut": "neut"},
    "Animacy": {"Anim": "anim", "Inan": "inan"},
    "Person": {"1": "1per", "2": "2per", "3": "3per"},
    "Tense": {"Past": "past", "Pres": "pres", "Fut": "futr"},
}
READINGS = {
    "NOUN": {"NOUN", "ADJF", "PRTF"},
    "PROPN": {"NOUN", "ADJF"},
    "ADJ": {"ADJF", "ADJS", "PRTF", "PRTS"},
    "DET": {"ADJF", "NPRO"},
    "VERB": {"VERB"},
}
SECOND_CASES = {"gen2": "gent", "acc2": "accs", "loc2": "loct"}


def inflected(sentence: TaggedSentence, number: int, target: dict[str, str]) -> str:
    """A word of the sentence in the form that a place needs; the word as it is where it has that form."""
    word, features = sentence.word(number), sentence.features[number]
    if all(features.get(name) == value for name, value in target.items() if name != "Animacy" or _needs(target)):
        return word
    lower = word.lower()
    if not analyser().word_is_known(lower):
        raise Refused(UNKNOWN_FORM)
    forms = set()
    for reading in readings(word, sentence.tokens[number].pos, features):
        forms.add(_form(reading, target))
    if not forms or None in forms:
        raise Refused(UNKNOWN_FORM)
    if len(forms) > 1:
        raise Refused(SEVERAL_FORMS)
    form = str(forms.pop())
    if "ё" in form and "ё" not in sentence.text.lower():
        form = form.replace("ё", "е")  # the text does without it
    return _capitals(word, form)


def readings(word: str, pos: str, features: dict[str, str]) -> list[Any]:
    """The readings of a word that have these features."""
    allowed = READINGS.get(pos, set())
    found = []
    for reading in analyser().parse(word.lower()):
        tag = reading.tag
        if tag.POS in allowed and all(
            _agrees(tag, name, features[name]) for name in ("Case", "Number", "Gender", "Tense", "Person") if name in features
        ):
            found.append(reading)
    return found


def cases_of(word: str, pos: str, features: dict[str, str]) -> set[str]:
    """The cases that a form can be, by their names in Universal Dependencies."""
    names = {grammeme: name for name, grammeme in GRAMMEMES["Case"].items()}
    cases = (reading.tag.case for reading in readings(word, pos, features))
    return {names[SECOND_CASES.get(case, case)] for case in cases if SECOND_CASES.get(case, case) in names}


def _agrees(tag: Any, name: str, value: str) -> bool:
    have = getattr(tag, name.lower())
    return have is None or SECOND_CASES.get(have, have) == GRAMMEMES[name].get(value)


def _needs(target: dict[str, str]) -> bool:
    """Whether the form depends on whether it is about something alive: the accusative, but for feminine singular."""
    return target.get("Case") == "Acc" and not (target.get("Gender") == "Fem" and target.get("Number") == "Sing")


def _form(reading: Any, target: dict[str, str]) -> str | None:
    """The form of a reading; None where there is none, or where a second case makes it doubtful."""
    wanted = {
        GRAMMEMES[name][value]
        for name, value in target.items()
        if value in GRAMMEMES[name] and (name != "Animacy" or _needs(target))
    }
    if reading.tag.POS == "NOUN":
        wanted -= {"masc", "femn", "neut", "anim", "inan"}
        wanted |= {str(reading.tag.number)}
    if "plur" in wanted:
        wanted -= {"masc", "femn", "neut"}
    if wanted & {"loct", "gent"} and reading.tag.POS == "NOUN":
        second = reading.inflect({"loc2" if "loct" in wanted else "gen2", str(reading.tag.number)})
        first = reading.inflect(wanted)
        if "loct" in wanted and second and first and second.word != first.word:
            return None
    form = reading.inflect(wanted)
    return form.word if form else None


def _capitals(word: str, form: str) -> str:
    if len(word) > 1 and word.isupper():
        return form.upper()
    if word[:1].isupper():
        return "-".join(part[:1].upper() + part[1:] if own[:1].isupper() else part for own, part in _parts(word, form))
    return form


def _parts(word: str, form: str) -> list[tuple[str, str]]:
    own, new = word.split("-"), form.split("-")
    return list(zip(own, new, strict=True)) if len(own) == len(new) else [(word, form)]


def analyser() -> Any:
    """pymorphy3 with its Russian dictionary."""
    try:
        return russian_morphology()
    except ImportError as problem:
        raise MissingExtra("ru", "making Russian forms") from problem
