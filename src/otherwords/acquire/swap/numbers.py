"""Numbers and dates that can change places: those of the same shape, such as two years or two days of a month."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from otherwords.acquire.swap.records import TaggedSentence, Unit

MONTHS = {
    "en": "January February March April May June July August September October November December",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "ru": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "fi": ("tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu"),
}
WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "ru": "понедельник вторник среда четверг пятница суббота воскресенье",
    "fi": "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
}
LINKS = {"en": {",", "of", "."}, "es": {"de", "del"}, "ru": set(), "fi": {"."}}  # inside a date
YEAR = re.compile(r"1\d{3}|20\d\d")
DIGITS = re.compile(r"\d+(?:[.,  ]\d+)*")
DAY_WITH_MARK = re.compile(r"\d{1,2}\.")
YEAR_WORDS = {"year", "год", "г.", "г", "vuosi", "año"}
DASHES = {"-", "--", "–", "—", "/", ":"}  # a range or a score: its two ends are one thing
BEFORE_A_YEAR = {"vuonna", "vuoden", "vuoteen", "vuodesta", "vuosina", "year", "año"}
LONGEST = 5  # tokens of a date


def number_units(sentence: TaggedSentence) -> Iterator[Unit]:
    """Dates, years, months, days of the week and numbers; what belongs to a date is not listed on its own."""
    number = 0
    while number < len(sentence.tokens):
        if _part(sentence, number) is None:
            number += 1
            continue
        last = _end_of_date(sentence, number)
        if {sentence.word(number - 1), sentence.word(last + 1)} & DASHES:
            number = last + 1
            continue
        parts = [part for part in (_part(sentence, place) for place in range(number, last + 1)) if part]
        if last > number and "month" in parts:
            head = next(place for place in range(number, last + 1) if _part(sentence, place) == "month")
            yield Unit(number, last, head, "-".join(_in_a_date(part) for part in parts))
        else:
            last = number
            yield Unit(number, number, number, parts[0])
        number = last + 1


def _in_a_date(part: str) -> str:
    return "day" if part.startswith("number") else part


def _end_of_date(sentence: TaggedSentence, first: int) -> int:
    """The last token of the date that begins here."""
    last, place, parts = first, first, {_part(sentence, first)}
    while place + 1 < len(sentence.tokens) and place - first < LONGEST:
        place += 1
        part = _part(sentence, place)
        if part is None:
            if sentence.word(place).lower() not in LINKS.get(sentence.lang, ()):
                break
        elif part in ("month", "year", "number") and part not in parts:
            parts.add(part)
            last = place
        else:
            break
    return last if "month" in parts else first


def _part(sentence: TaggedSentence, number: int) -> str | None:
    """What a token is in a date or as a number."""
    if number >= len(sentence.tokens):
        return None
    token, word = sentence.tokens[number], sentence.word(number)
    lemma = token.lemma.lower()
    if lemma in _months(sentence.lang) or word.lower() in _months(sentence.lang):
        capital = sentence.lang != "en" or word[:1].isupper()
        return "month" if capital and token.pos in ("NOUN", "PROPN") else None
    if lemma in _weekdays(sentence.lang) or word.lower() in _weekdays(sentence.lang):
        return "weekday" if token.pos in ("NOUN", "PROPN") else None
    if DAY_WITH_MARK.fullmatch(word):  # 3. toukokuuta; at the end of a sentence the mark is not part of it
        return "number" if _part(sentence, number + 1) == "month" else None
    if DIGITS.fullmatch(word):
        if YEAR.fullmatch(word) and not _counts_something(sentence, number):
            return "year"
        return "number" if word.isdigit() else "number with marks"
    if token.pos == "NUM" and word.isalpha():
        return "number word"
    return None


def _counts_something(sentence: TaggedSentence, number: int) -> bool:
    """Whether a noun follows that the number counts."""
    if sentence.word(number - 1).lower() in BEFORE_A_YEAR:
        return False
    if number + 1 >= len(sentence.tokens):
        return False
    after = sentence.tokens[number + 1]
    return after.pos in ("NOUN", "ADJ", "SYM", "NUM") and after.lemma.lower() not in YEAR_WORDS


@cache
def _months(lang: str) -> frozenset[str]:
    return frozenset(MONTHS.get(lang, "").lower().split())


@cache
def _weekdays(lang: str) -> frozenset[str]:
    return frozenset(WEEKDAYS.get(lang, "").lower().split())
