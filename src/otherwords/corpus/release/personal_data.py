"""Personal data in texts: addresses, and numbers of phones, accounts, cards and persons.

Wherever a number has a checksum it has to be right, and a phone number has to be written as one, so that dates, prices,
years and scores are not taken for it. Names are not looked for: no pattern finds them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

import pyarrow as pa
import pyarrow.compute as pc

from otherwords.corpus.release.national_ids import PERSONAL_NUMBERS, luhn

EMAIL = "e-mail address"
Finder = Callable[[str], Iterator[re.Match[str]]]
_CANDIDATE = re.compile(r"@|:[0-9A-Fa-f]{0,4}:|\d\.\d{1,3}\.\d|(?:\d\D{0,3}){7}")  # most texts do not match
_CANDIDATE_RE2 = r"@|:[0-9A-Fa-f]{0,4}:|\pN\.\pN{1,3}\.\pN|(?:\pN\PN{0,3}){7}"  # in RE2, \d is an ASCII digit only
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[0-9A-Z]{4}){2,7}(?: ?[0-9A-Z]{1,4})?(?!\w)")
_CARD = re.compile(r"(?<![\w.,-])(?:\d[ -]?){12,18}\d(?![\w-]|[.,]\d)")
_ISSUERS = re.compile(r"4|5[1-5]|2[2-7]|3[47]|6(?:011|5)|35")
_IPV4 = re.compile(r"(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)")
_IPV6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w:])")
_VERSION = re.compile(r"(?:version|release|section|chapter|v\.?|§) ?$", re.IGNORECASE)
_PHONE = re.compile(
    r"(?<![\w+.,/-])(?:"
    r"\+\d{1,3}(?:[ .-]?(?:\(\d{1,4}\)|\d{1,4})){2,6}"  # +358 40 123 4567
    r"|\(0?\d{2,4}\) ?\d{3,4}[ -]?\d{3,4}"  # (09) 1234 567
    r"|0\d{1,4}[ -]\d{3,4}(?:[ -]?\d{2,4}){1,2}"  # 040-123 4567
    r"|\d{3}-\d{3}-\d{4}"  # 555-123-4567
    r")(?![\w-]|[.,/]\d)"
)
_PHONE_DIGITS = range(8, 16)


@dataclass(frozen=True, slots=True)
class PersonalMatch:
    """A stretch of a text that looks like personal data."""

    kind: str
    text: str


def personal_data(text: str) -> list[PersonalMatch]:
    """The personal data in a text; matches do not overlap."""
    found: dict[tuple[int, int], PersonalMatch] = {}
    for kind, find in KINDS.items() if _CANDIDATE.search(text) else ():
        for match in find(text):
            if not any(match.start() < end and start < match.end() for start, end in found):
                found[match.span()] = PersonalMatch(kind, match[0])
    return list(found.values())


def may_have_personal_data(texts: Sequence[str]) -> list[bool]:
    """Which of many texts may have any; the others certainly have none. Thirty times as fast as looking at each."""
    matches: list[bool] = pc.match_substring_regex(pa.array(texts, pa.large_string()), _CANDIDATE_RE2).to_pylist()
    return matches


def _finder(pattern: re.Pattern[str], is_valid: Callable[[str], bool]) -> Finder:
    return lambda text: (match for match in pattern.finditer(text) if is_valid(match[0]))


def _is_iban(text: str) -> bool:
    """ISO 13616: the first four characters to the end, letters as numbers, the remainder by 97 is 1."""
    bare = text.replace(" ", "")
    if not 15 <= len(bare) <= 34:
        return False
    return int("".join(str(int(letter, 36)) for letter in bare[4:] + bare[:4])) % 97 == 1


def _is_card(text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    return len(set(digits)) > 1 and _ISSUERS.match(digits) is not None and luhn(digits)


def _addresses(text: str) -> Iterator[re.Match[str]]:
    """IP addresses of particular machines; four numbers after "version" are no address."""
    for match in (*_IPV4.finditer(text), *_IPV6.finditer(text)):
        try:
            address = ip_address(match[0])
        except ValueError:
            continue
        special = address.is_loopback or address.is_unspecified or address.is_multicast or address.is_reserved
        if not special and not _VERSION.search(text, 0, match.start()):
            yield match


def _is_phone(text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    return len(digits) in _PHONE_DIGITS and len(set(digits)) > 2


KINDS: dict[str, Finder] = {
    EMAIL: _finder(_EMAIL, lambda text: True),
    "bank account": _finder(_IBAN, _is_iban),
    "card number": _finder(_CARD, _is_card),
    **{kind: _finder(pattern, is_valid) for kind, (pattern, is_valid) in PERSONAL_NUMBERS.items()},
    "IP address": _addresses,
    "phone number": _finder(_PHONE, _is_phone),
}
