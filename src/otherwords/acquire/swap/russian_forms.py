"""Forms of Russian words, made by pymorphy3 from the reading that fits what the tagger found."""

from __future__ import annotations

from typing import Any

from otherwords.acquire.swap.records import SEVERAL_FORMS, UNKNOWN_FORM, SwapRefused, TaggedSentence
from otherwords.errors import MissingExtra
from otherwords.text.lemmas import russian_morphology
from otherwords.text.russian import GRAMMEMES, russian_readings


def inflected(sentence: TaggedSentence, number: int, target: dict[str, str]) -> str:
    """A word of the sentence in the form that a place needs; the word as it is where it has that form."""
    word, features = sentence.word(number), sentence.features[number]
    if all(features.get(name) == value for name, value in target.items() if name != "Animacy" or _needs(target)):
        return word
    lower = word.lower()
    if not analyser().word_is_known(lower):
        raise SwapRefused(UNKNOWN_FORM)
    forms = set()
    for reading in russian_readings(word, sentence.tokens[number].pos, features):
        forms.add(_form(reading, target))
    if not forms or None in forms:
        raise SwapRefused(UNKNOWN_FORM)
    if len(forms) > 1:
        raise SwapRefused(SEVERAL_FORMS)
    form = str(forms.pop())
    if "ё" in form and "ё" not in sentence.text.lower():
        form = form.replace("ё", "е")  # the text does without it
    return _capitals(word, form)


def _needs(target: dict[str, str]) -> bool:
    """Whether the form depends on whether it is about something alive: the accusative, but for feminine singular."""
    return target.get("Case") == "Acc" and not (target.get("Gender") == "Fem" and target.get("Number") == "Sing")


def _form(reading: Any, target: dict[str, str]) -> str | None:
    """The form of a reading; None where there is none, or where a second case makes it doubtful."""
    if "Supr" in reading.tag:  # pymorphy3 makes наихороший of лучший
        return None
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
    if "loct" in wanted and reading.tag.POS == "NOUN":
        first, second = reading.inflect(wanted), reading.inflect({"loc2", str(reading.tag.number)})
        if first and second and first.word != second.word:
            return None  # о саде, but в саду
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
