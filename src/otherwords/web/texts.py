"""The words of the site in the language of whoever looks at it.

Templates write English: ``_("Save")``, ``_("%(count)s left", count=n)``, or ``ngettext("%(num)s pair", "%(num)s pairs",
n)``. Scripts write ``t("Save")`` of ``static/texts.js``. The English words are the keys of one file a language,
``texts/fi.json``; a text without a translation stays English. What is not written in a template, such as the name of
a role or the code of an error, goes through ``word`` and ``refusal``, whose results are escaped like any value.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from otherwords.annotate.documents.extracted_pairs import EARLIER_ROUND, JUDGED, OTHER_PAIR, SOMEBODY_ELSE
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.annotate.visibility import AFTER_ALL, AFTER_OWN

HERE = Path(__file__).parent
FILES, SCRIPTS = HERE / "texts", HERE / "static"
ENGLISH = "en"
OTHER_REFUSAL = "[other]"  # the text before a message whose code has none
SERVER_TROUBLE = "the server cannot do this at the moment; try again later, or ask whoever runs it to look into its log"
# What scripts show of what the server says.
SCRIPT_WORDS = (
    SERVER_TROUBLE,
    *(SOMEBODY_ELSE, EARLIER_ROUND, OTHER_PAIR, JUDGED),
    *(f"Others' judgements are shown {when}." for when in (AFTER_OWN, AFTER_ALL)),
)
COLONS = (":", "：")  # at the end of a text that is followed by something
LONGEST_HEADER = 1000  # characters of an Accept-Language header that are read


def _one_other(count: int) -> int:
    return 0 if count == 1 else 1


def _russian(count: int) -> int:
    if count % 10 == 1 and count % 100 != 11:
        return 0
    return 1 if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else 2


@dataclass(frozen=True, slots=True)
class SiteLanguage:
    """A language of the site: its own name, the plural forms of its file, and how it groups digits."""

    name: str
    categories: tuple[str, ...] = ("one", "other")  # of CLDR, in the order in which the file lists the forms
    form: Callable[[int], int] = _one_other  # which of them a whole number takes
    separator: str = "\u00a0"


LANGUAGES: Mapping[str, SiteLanguage] = {
    ENGLISH: SiteLanguage("English", separator=","),
    "es": SiteLanguage("Español"),
    "fi": SiteLanguage("Suomi"),
    "ja": SiteLanguage("日本語", ("other",), lambda count: 0, ","),
    "ru": SiteLanguage("Русский", ("one", "few", "many"), _russian),
}
SCHEME_OPTIONS = ("values", "flags", "types")  # of a question; each has a name and help
OPTION_TEXTS = ("name", "help", "class", "subclass")
Texts = Mapping[str, str | list[str]]
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


@contextlib.contextmanager
def speaking(language: str) -> Iterator[None]:
    """Translate into this language, in this thread and task alone."""
    before = _language.set(language)
    try:
        yield
    finally:
        _language.reset(before)


def current_language() -> str:
    """The language that is being spoken."""
    return _language.get()


def choose_language(chosen: str | None, accepted: str) -> str:
    """The language that somebody chose, else the first that their browser accepts and the site has, else English."""
    if chosen is not None and chosen in LANGUAGES:
        return chosen
    wanted = []
    for place, part in enumerate(accepted[:LONGEST_HEADER].split(",")):
        tag, _, quality = part.partition(";")
        weight = re.fullmatch(r"\s*q=(0(?:\.\d*)?|1(?:\.0*)?)\s*", quality)
        wanted.append((-float(weight[1]) if weight else -1.0, place, tag.strip().partition("-")[0].lower()))
    return next((tag for weight, _, tag in sorted(wanted) if tag in LANGUAGES and weight < 0), ENGLISH)


@cache
def texts_of(language: str) -> Texts:
    """The translations of a language; there are none for English."""
    if language == ENGLISH:
        return {}
    texts: Texts = json.loads((FILES / f"{language}.json").read_text("utf-8"))
    return texts


def translate(text: str) -> str:
    """A text of the site in the language of the request."""
    translation = texts_of(_language.get()).get(text, text)
    return translation if isinstance(translation, str) else text


def translate_in_context(context: str, text: str) -> str:
    """A text that means different things in different places, by the place."""
    translation = translate(f"{context}|{text}")
    return text if translation == f"{context}|{text}" else translation


def translate_count(singular: str, plural: str, count: int) -> str:
    """A text of the site that depends on a number."""
    language = _language.get()
    forms = texts_of(language).get(plural)
    return forms[LANGUAGES[language].form(count)] if isinstance(forms, list) else (singular, plural)[count != 1]


def word(text: str) -> str:
    """A word of a fixed vocabulary; what no file has, such as a name that somebody gave, stays as it is."""
    return translate(text)


def refusal(message: object, code: str | None = None, end: str = "") -> str:
    """The reason of a refusal: a sentence by its code, and the English message after one that ends in a colon.

    Without translations, it is the message itself, and its end.
    """
    known = refusal_by_code(message, code)
    if known is None:
        return f"{message}{end}"
    return f"{known} {message}{end}" if known.endswith(COLONS) else known


def refusal_by_code(message: object, code: str | None = None) -> str | None:
    """The translated sentence of a refusal; None where there are no translations."""
    code = code if code is not None else getattr(message, "code", None)
    texts = texts_of(_language.get())
    known = texts.get(str(message), texts.get(f"[{code}]", texts.get(OTHER_REFUSAL)))
    return known if isinstance(known, str) else None


def digits(number: float) -> str:
    """A whole number with its digits in groups."""
    return f"{number:,.0f}".replace(",", LANGUAGES[_language.get()].separator)


def script_keys() -> dict[str, str | None]:
    """The texts that scripts use, each with its plural if it depends on a number."""
    found: dict[str, str | None] = {}
    for path in sorted(path for path in SCRIPTS.rglob("*.js") if path.name != "texts.js"):
        for call, text, plural in _CALL.findall(path.read_text("utf-8")):
            found[json.loads(text)] = json.loads(plural) if call == "tn" else None
    return found


_STRING = r'("(?:[^"\\]|\\.)*")'
_CALL = re.compile(rf"(?<![\w.])(t|tn)\(\s*{_STRING}(?:,\s*{_STRING})?")


@cache
def script_texts(language: str) -> str:
    """The script that gives the other scripts their texts in a language."""
    texts = texts_of(language)
    keys = [plural or text for text, plural in script_keys().items()]
    known = {key: texts[key] for key in (*keys, *SCRIPT_WORDS) if key in texts}
    known |= {key: text for key, text in texts.items() if key.startswith("[")}
    content = {"language": language, "categories": LANGUAGES[language].categories, "texts": known}
    return f"globalThis.siteTexts = {json.dumps(content, ensure_ascii=False, sort_keys=True)};\n"


@cache
def script_address(language: str) -> str:
    """Its address, which changes with its content."""
    return f"/texts/{language}-{hashlib.sha256(script_texts(language).encode()).hexdigest()[:16]}.js"


def scheme_for_page(scheme: Scheme, language: str) -> dict[str, Any]:
    """The scheme as JSON for the script of a page, with its texts in that language; names of questions are no texts."""
    content: dict[str, Any] = scheme.as_page()
    with speaking(language):
        for place, key in _places(content):
            place[key] = word(place[key])
    return content


def texts_of_scheme(scheme: Scheme) -> set[str]:
    """The texts of a scheme that can be translated."""
    return {place[key] for place, key in _places(scheme.as_page())}


def _places(content: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Where the texts are: dictionaries and keys."""
    parts = [(content, "title"), *((question, "title") for question in content["questions"])]
    asked = [question.get(kind, ()) for question in content["questions"] for kind in SCHEME_OPTIONS]
    parts += [(option, key) for options in asked for option in options for key in OPTION_TEXTS]
    return ((place, key) for place, key in parts if place.get(key))
