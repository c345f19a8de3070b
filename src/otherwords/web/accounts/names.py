"""Names of accounts. Two names that differ in case or in how an accent is encoded are the same name.

A new name must not look like an existing one either: on a page nobody can tell a Cyrillic ``а`` from a Latin ``a``.
"""

from __future__ import annotations

import functools
import re
import unicodedata

from otherwords.errors import Refused
from otherwords.project.withdrawal.pseudonyms import PSEUDONYM_PREFIX

MOST_CHARACTERS = 40
RESERVED = ("simulated",)  # the annotator of judgements that no person made
_SIGNS = "._-"
# Letters, digits and marks, without which a name cannot be written in many scripts.
_CATEGORIES = {"Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Mn", "Mc"}
# Letters without a mark of their own that print as nothing: fillers, joiners and selectors of variants.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
# Letters that most fonts draw like a Latin one, of the confusables of UTS 39: Cyrillic, Greek, Armenian and others.
_ALIKE = str.maketrans(
    "АВЕКМНОРСТУХІЈЅԚԜаеорсухіјѕԁԛԝѵһӏкмΑΒΕΖΗΙΚΜΝΟΡΤΥΧαιοκνρτυχγϲϳηωՕՏԼՍօոսհցզյıɑɡ",
    "ABEKMHOPCTYXIJSQWaeopcyxijsdqwvhlkmABEZHIKMNOPTYXaiokvptuxycjnwOSLUonuhgqjiag",
)
_composed = functools.partial(unicodedata.normalize, "NFC")


def key_of(name: str) -> str:
    """The same key for all spellings of a name."""
    return _composed(_composed(name).casefold())


def look_of(name: str) -> str:
    """The same for all names that look alike."""
    drawn = unicodedata.normalize("NFKD", name).translate(_ALIKE)  # apart, so that marks stay with whatever has them
    return key_of(unicodedata.normalize("NFKC", drawn))


def check_name(name: str) -> str:
    """The name as it is stored, if it is valid."""
    composed = _composed(name)
    wrong = [sign for sign in composed if sign not in _SIGNS and unicodedata.category(sign) not in _CATEGORIES]
    wrong += _UNSEEN.findall(composed)
    if not 1 <= len(composed) <= MOST_CHARACTERS:
        reason = f"a name has 1 to {MOST_CHARACTERS} characters, this one has {len(composed)}"
        raise Refused(reason, "name", code="invalid-name")
    if wrong:
        reason = f"a name has letters, digits, dots, hyphens and underscores; {wrong[0]!r} is none of them"
        raise Refused(reason, "name", code="invalid-name")
    if composed[0] == "." or unicodedata.category(composed[0]).startswith("M"):
        reason = "a name begins with a letter, a digit, a hyphen or an underscore"
        raise Refused(reason, "name", code="invalid-name")
    if key_of(composed) in RESERVED or key_of(composed).startswith(PSEUDONYM_PREFIX):
        raise Refused(f"the name {composed!r} is reserved; choose another", "name", code="reserved-name")
    return composed
