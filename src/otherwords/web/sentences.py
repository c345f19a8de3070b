"""Sentences that the program makes with names and numbers in them, in the language of a page.

The gate says why it paused somebody, a keep rule why it dropped a pair, a step why it waits. Such a reason is made and
stored in English, with its numbers in place. Here are the forms of these sentences; what stands in their places goes
into the translation, and a place that is called ``reason`` holds another such sentence.
"""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup, escape

from otherwords.web.texts import ENGLISH, current_language, refusal_by_code, texts_of, translate

_USE = "use more test pairs or more pairs, or a gate with a smaller fewest_tests"
_MISSED = "the gate can never pause anybody for missed tests: it waits for {count} of them, and nobody gets"
_SELDOM = (
    "the gate gets too few tests of some people: it waits for {count} of them, whoever judges all {pairs} pairs gets "
    "{mean} on average, and"
)
_TOO_FEW = (
    "too few people for it: whoever extracted or judged a pair before is not given it; invite somebody, or close the "
    "batch"
)
GATE = (
    "{right} % of the last {tests} tests right, not more than {limit} %",
    "kappa {kappa} with the majority of the others on the last {pairs} pairs, not more than {limit}",
    "the gate can never pause anybody for differing from the others: it waits for {count} pairs that others judged "
    "too, and the batch has {pairs}; use a gate with a smaller fewest_shared",
    f"{_MISSED} more than {{most}} here; {_USE}",
    f"{_MISSED} any here; {_USE}",
    f"{_SELDOM} fewer than 1 in 100 people get so many; {_USE}",
    f"{_SELDOM} {{share}} in 100 people get so many; {_USE}",
)
KEEP_RULE = ("somebody does not say {answers} to {question}", "they do not agree on {question}")
STEP = (
    "its output is missing",
    "it was {kind} before",
    "changed: {names}",
    "its inputs changed",
    "a new version of this step",
    "there is nothing for it to work on",
    "{step} was skipped: {reason}",
    "was stopped",
    "was killed",
    "1 document pair is left",
    "{count} document pairs are left",
    "1 post group is left",
    "{count} post groups are left",
    "1 judgement is left",
    "{count} judgements are left",
    "1 disagreement is left",
    "{count} disagreements are left",
    f"{{reason}}; 1 pair has {_TOO_FEW}",
    f"{{reason}}; {{pairs}} pairs have {_TOO_FEW}",
    "nobody has named the systems that translate",
    "nobody has named the version or its licence",
    "nobody has said under which licence the corpus is released",
    "in use by process {pid} on {host} since {since} ({command})",
    "in use by another process",
)
MAKING = ("{stratum}: pairs drawn: {drawn} of {population}",)
SENTENCES = (*GATE, *KEEP_RULE, *STEP, *MAKING)
_PLACE = re.compile(r"\\\{(\w+)\\\}")
_LIST = "answers"  # a place with several, joined by "or"


def sentence(text: str) -> str:
    """A sentence of the program in the language of the request; one that is not known stays English."""
    return _translated(text) or text


def sentence_html(text: str) -> Markup:
    """The same for a page, which says where English is left."""
    translation = _translated(text)
    if translation is not None or current_language() == ENGLISH:
        return escape(translation or text)
    return Markup('<span lang="en">{}</span>').format(text)


def refusal_html(message: object, code: str | None = None, end: str = "") -> Markup:
    """The reason of a refusal for a page, with what is only known in English beneath it."""
    known = refusal_by_code(message, code)
    if known is None:
        return escape(f"{message}{end}")
    if not known.endswith(":"):
        return escape(known)
    return Markup('{} <span class="detail" lang="en">{}{}</span>').format(known, message, end)


def _translated(text: str) -> str | None:
    texts = texts_of(current_language())
    if isinstance(known := texts.get(text), str):
        return known
    for key, pattern in _patterns():
        if (found := pattern.fullmatch(text)) and isinstance(form := texts.get(key), str):
            return form.format(**{name: _in_place(name, value) for name, value in found.groupdict().items()})
    return None


def _in_place(name: str, value: str) -> str:
    if name == _LIST:
        return value.replace(" or ", translate(" or "))
    return sentence(value) if name == "reason" else value


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The sentences with places, those that say more first."""
    with_places = [key for key in SENTENCES if "{" in key]
    ordered = sorted(with_places, key=lambda key: len(re.sub(r"\{\w+\}", "", key)), reverse=True)
    return tuple((key, re.compile(_PLACE.sub(r"(?P<\1>.+?)", re.escape(key)))) for key in ordered)
