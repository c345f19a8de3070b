"""Sentences that the program makes with names and numbers in them, in the language of a page.

The gate says why it paused somebody, a keep rule why it dropped a pair, a step why it waits. Such a reason is made and
stored in English, with its numbers in place. Here are the forms of these sentences; what stands in their places goes
into the translation, and a place that is named in ``_INNER`` holds another such sentence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache

from markupsafe import Markup, escape

from otherwords.analyse.agreement.report import WORDS as COEFFICIENTS
from otherwords.corpus.harvest.points import KEPT_APART, NO_SIDE, NO_VALUE
from otherwords.project.simulated import SIMULATED_REMARK
from otherwords.web.texts import (
    COLONS,
    ENGLISH,
    current_language,
    digits,
    refusal_by_code,
    texts_of,
    translate,
    translate_in_context,
)

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
TESTS = tuple(
    f"one task in {{every}} is a test on average; whoever judges {pairs} gets {{mean}} tests on average, nine in ten "
    f"people {count}"
    for pairs in ("all {pairs} pairs", "the pair")
    for count in ("{low} to {high}", "{low}")
)
PEOPLE = (
    "{wanted} different people are to judge each, and only 1 account may judge: invite more people",
    "{wanted} different people are to judge each, and only {count} accounts may judge: invite more people",
)
KEEP_RULE = ("somebody does not say {answers} to {question}", "they do not agree on {question}")
STEP = (
    "its output is missing",
    "it was {kind} before",
    "changed: {names}",
    "its inputs changed",
    "a new version of this step",
    "there is nothing for it to work on",
    "{step} was skipped",
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
    "choose one when you run the recipe again: {option}",
    "run the recipe again with {option}",
    "name them with {option} (otherwords models lists those that are installed), or files of what they made: {files}",
    "{what} needs an optional package: {command}",
    "the tagger of {lang} is not installed: {command}",
    "there is no tagger of {lang}; name a package or a folder of spaCy, as in spacy:NAME",
    "name the vectors of words that are to be read: --set vectors=FILE (.vec, .npz), or one of {names}",
    "in use by process {pid} on {host} since {since} ({command})",
    "in use by another process",
)
_JUDGED = "over {judged} that were judged {people} ({labels} labels)"
AGREEMENT = (
    f"{{coefficient}} is {{value}}, 95 % interval {{low}} to {{high}}, {_JUDGED}",
    f"{{coefficient}} is {{value}}, {_JUDGED}",
    *COEFFICIENTS.values(),
    *(f"{coefficient} ({{part}})" for coefficient in COEFFICIENTS.values()),
    "{count} pair",
    "{count} pairs",
    "{count} document pair",
    "{count} document pairs",
    "{count} group",
    "{count} groups",
    "by both annotators",
    "by both annotators for {purposes}",
    "by two or more of {count} annotators",
    "by two or more of {count} annotators for {purposes}",
    "by two or more unnamed people",
    "by two or more unnamed people for {purposes}",
)
MAKING = ("{stratum}: pairs drawn: {drawn} of {population}",)
MODELS = (
    "{part}, complete labels",
    "{part}, complete labels ({number})",
    SIMULATED_REMARK,
    "{test}: the best model is {model}, with an accuracy of {accuracy} % on {pairs} pairs; giving all of them the same "
    "answer has {trivial} %",
    "{test}: no model is more accurate than giving all {pairs} pairs the same answer ({accuracy} %)",
    "its pairs share so many sentences that there are only {units} independent units; intervals say little",
    "{count} pairs of the training data, whole components, are the dev part",
    "{count} of {all} pairs of {test} share a sentence with training: the scores are too good",
    "{count} training pairs share a sentence with another part and were left out",
    "{count} harvested positives were added to training",
    "{count} harvested negatives were added to training",
    "{count} harvested positives of {wanted} that were wanted were added to training",
    "{count} harvested negatives of {wanted} that were wanted were added to training",
    "{count} pairs with denoised labels were added to training, {changed} of them with another label than people gave "
    "them ({rule})",
    "pairs are not shown the other way round: nobody knows what their labels would be",
    "{count} of {all} training pairs are longer than {limit}; the ends of their texts were not read",
    "{count} of {all} dev pairs are longer than {limit}; the ends of their texts were not read",
    "{count} × longer than {limit}; the ends of the texts were not read",
    "{count} of {words} different words of the training part have no vector and count as zeros",
    "the features are without those of an encoder: {problem}",
    "{low}–{high} tokens",
    "{low} tokens and more",
)
_NO_TILES = (
    "{project}: no labelled pair has a value of {name}; known are {names}. Name one of these as the confidence, or "
    "draw the sample from what otherwords predict RUN PAIRS --out FILE wrote",
    "there are {count} pairs; this many are for the command {command}",
    "{project}: no labelled pair can be shown",
    "{project}: no labelled pair can be shown ({reason})",
)
MINING = (*_NO_TILES, f"{{count}} {NO_SIDE}", f"{{count}} {NO_VALUE}", f"{{count}} {KEPT_APART}")
NOT_UNDERSTOOD = "the site did not understand the request; load the page again and repeat it: {details}"
INVALID = (
    "Field required",
    "Extra inputs are not permitted",
    "JSON decode error",
    "Input should be a valid integer",
    "Input should be a valid integer, unable to parse string as an integer",
    "Input should be a valid integer, got a number with a fractional part",
    "Unable to parse input string as an integer, exceeded maximum size",
    "Input should be a valid number",
    "Input should be a valid number, unable to parse string as a number",
    "Input should be a finite number",
    "Input should be a valid string",
    "Input should be a valid boolean",
    "Input should be a valid boolean, unable to interpret input",
    "Input should be a valid list",
    "Input should be a valid dictionary",
    "Input should be a valid dictionary or object to extract fields from",
    "Input should be greater than or equal to {limit}",
    "Input should be greater than {limit}",
    "Input should be less than or equal to {limit}",
    "Input should be less than {limit}",
    "Input should be '{answers}'",
    "String should have at least {count} character",
    "String should have at least {count} characters",
    "String should have at most {count} characters",
    "List should have at least {count} item after validation, not {found}",
    "List should have at most {count} items after validation, not {found}",
    "Value error, {reason}",
    "a null character, which no database stores; leave it out",
    "half of a surrogate pair, which is no character; leave it out",
    "a key has printable characters only",
    "the answer is nested too deeply",
)
SENTENCES = (*GATE, *TESTS, *PEOPLE, *KEEP_RULE, *STEP, *AGREEMENT, *MAKING, *MODELS, *MINING, NOT_UNDERSTOOD, *INVALID)
_PLACE = re.compile(r"\\\{(\w+)\\\}")
_GROUPED = re.compile(r"\d{1,3}(,\d{3})+")  # a number as English groups its digits
_INNER = ("reason", "test", "coefficient", "judged", "people")  # places with another of these sentences
# What an agreement is over: sets of labels, and the parts of the judgements. Names that people gave stay as they are.
LABELS, PART = "labels", "part"
LABEL_SETS = ("full", "arrows", "base", "binary", "types")
PARTS = {"scheme": ("none",), "question": (), "unit": ("document_pair", "group"), "kind": ("votes",)}
_LIST = "answers"  # a place with several, joined by "or"
# Places that only a number can take.
_NUMBERS = ("accuracy", "all", "changed", "count", "found", "number", "units", "wanted")


def sentence(text: str) -> str:
    """A sentence of the program in the language of the request; one that is not known stays English."""
    return translated(text) or text


def sentence_html(text: str) -> Markup:
    """The same for a page, which says where English is left."""
    translation = translated(text)
    if translation is not None or current_language() == ENGLISH:
        return escape(translation or text)
    return Markup('<span lang="en">{}</span>').format(text)


def full_sentence(text: str, names: Collection[str] = ()) -> Markup:
    """The same with a full stop, and with a capital unless it begins with one of these names."""
    shown = sentence_html(text)
    if text.partition(" ")[0].rstrip(":") not in names:
        shown = shown[:1].upper() + shown[1:]
    return Markup(translate("%(sentence)s.")) % {"sentence": shown}  # noqa: S704 - a text of the site


def refusal_html(message: object, code: str | None = None, end: str = "") -> Markup:
    """The reason of a refusal for a page, with what is only known in English beneath it."""
    known = translated(str(message)) or refusal_by_code(message, code)
    if known is None:
        return escape(f"{message}{end}")
    if not known.endswith(COLONS):
        return escape(known)
    return Markup('{} <span class="detail" lang="en">{}{}</span>').format(known, message, end)


def invalid_request(wrong: Iterable[tuple[str, str]]) -> str | None:
    """What is wrong with the parts of a request; None where something of it is only known in English."""
    parts = [(where, translated(what)) for where, what in wrong]
    if not parts or any(what is None for _, what in parts):
        return None
    return translate(NOT_UNDERSTOOD).format(details="; ".join(f"{where}: {what}" for where, what in parts))


def translated(text: str) -> str | None:
    """A sentence in the language of the request; None where it is not known in it, and in English."""
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
    if name == "purposes":
        return translate(", ").join(translate(purpose) for purpose in value.split(" and "))
    if name == LABELS:
        return translate_in_context(LABELS, value)
    if name == PART:
        return translate(", ").join(map(_part, value.split(", ")))
    if name in _INNER:
        return sentence(value)
    return digits(int(value.replace(",", ""))) if _GROUPED.fullmatch(value) else value


def _part(text: str) -> str:
    """A part of the judgements, such as ``question meaning``."""
    noun, _, name = text.partition(" ")
    shown = translate_in_context(PART, name) if name in PARTS.get(noun, ()) else name
    return f"{translate_in_context(PART, noun)} {shown}"


def agreement_words() -> set[str]:
    """The words of an agreement that are no sentences, as the keys of a language file."""
    found = {f"{LABELS}|{name}" for name in LABEL_SETS} | {f"{PART}|{noun}" for noun in PARTS}
    return found | {f"{PART}|{value}" for values in PARTS.values() for value in values}


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The sentences with places, those that say more first."""
    with_places = [key for key in SENTENCES if "{" in key]
    ordered = sorted(with_places, key=lambda key: len(re.sub(r"\{\w+\}", "", key)), reverse=True)
    return tuple((key, re.compile(_PLACE.sub(_place, re.escape(key)))) for key in ordered)


def _place(found: re.Match[str]) -> str:
    return rf"(?P<{found[1]}>[\d.,]+)" if found[1] in _NUMBERS else f"(?P<{found[1]}>.+?)"
