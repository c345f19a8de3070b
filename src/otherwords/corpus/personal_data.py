"""Texts that may give away who somebody is: addresses, numbers of phones, accounts, cards and persons.

In goes a text, out come the stretches that look like one, each with what it looks like. Wherever a number has a
checksum it has to be right, and a phone number has to be written as one: so dates, prices, years and scores are left
alone. Names are not looked for; no pattern finds them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

import pyarrow as pa
import pyarrow.compute as pc

from otherwords.corpus.personal_numbers import PERSONAL_NUMBERS, luhn

_WORTH_A_LOOK = re.compile(r"@|:[0-9A-Fa-f]{0,4}:|\d\.\d{1,3}\.\d|(?:\d\D{0,3}){7}")  # most texts are not
_WORTH_A_LOOK_RE2 = r"@|:[0-9A-Fa-f]{0,4}:|\pN\.\pN{1,3}\.\pN|(?:\pN\PN{0,3}){7}"  # where \d is a digit of ASCII only
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
_DIGITS_OF_A_PHONE = range(8, 16)
_HANDLE = re.compile(r"(?<![\w@.])@[A-Za-z_]\w{2,30}(?!\w|\.\w)")


@dataclass(frozen=True, slots=True)
class Personal:
    """A stretch of a text that may give somebody away."""

    kind: str
    found: str


def personal_data(text: str) -> list[Personal]:
    """All such stretches of a text; what is part of one is not told again."""
    return list(_found(text, KINDS)) if _WORTH_A_LOOK.search(text) else []


def worth_a_look(texts: Sequence[str]) -> list[bool]:
    """Which of many texts may hold any; the others certainly do not. Takes a thirtieth of asking them one by one."""
    found: list[bool] = pc.match_substring_regex(pa.array(texts, pa.large_string()), _WORTH_A_LOOK_RE2).to_pylist()
    return found


def handles(text: str) -> list[Personal]:
    """Names of accounts, ``@somebody``; in posts they are part of the text, so they are asked for by themselves."""
    return [Personal("handle", found[0]) for found in _HANDLE.finditer(text)]


def _found(text: str, kinds: dict[str, Callable[[str], Iterator[re.Match[str]]]]) -> Iterator[Personal]:
    taken: list[tuple[int, int]] = []
    for kind, find in kinds.items():
        for match in find(text):
            if not any(match.start() < end and start < match.end() for start, end in taken):
                taken.append(match.span())
                yield Personal(kind, match[0])


def _matching(pattern: re.Pattern[str], holds: Callable[[str], bool]) -> Callable[[str], Iterator[re.Match[str]]]:
    return lambda text: (found for found in pattern.finditer(text) if holds(found[0]))


def _is_iban(found: str) -> bool:
    """ISO 13616: the first four to the end, letters as numbers, the remainder by 97 is 1."""
    bare = found.replace(" ", "")
    if not 15 <= len(bare) <= 34:
        return False
    return int("".join(str(int(letter, 36)) for letter in bare[4:] + bare[:4])) % 97 == 1


def _is_card(found: str) -> bool:
    digits = re.sub(r"\D", "", found)
    return len(set(digits)) > 1 and _ISSUERS.match(digits) is not None and luhn(digits)


def _addresses(text: str) -> Iterator[re.Match[str]]:
    """Addresses of machines that are not everybody's own; four numbers after "version" are no address."""
    for found in (*_IPV4.finditer(text), *_IPV6.finditer(text)):
        try:
            address = ip_address(found[0])
        except ValueError:
            continue
        nobodys = address.is_loopback or address.is_unspecified or address.is_multicast or address.is_reserved
        if not nobodys and not _VERSION.search(text, 0, found.start()):
            yield found


def _is_phone(found: str) -> bool:
    digits = re.sub(r"\D", "", found)
    return len(digits) in _DIGITS_OF_A_PHONE and len(set(digits)) > 2


KINDS: dict[str, Callable[[str], Iterator[re.Match[str]]]] = {
    "e-mail address": _matching(_EMAIL, lambda found: True),
    "bank account": _matching(_IBAN, _is_iban),
    "card number": _matching(_CARD, _is_card),
    **{kind: _matching(pattern, holds) for kind, (pattern, holds) in PERSONAL_NUMBERS.items()},
    "IP address": _addresses,
    "phone number": _matching(_PHONE, _is_phone),
}
