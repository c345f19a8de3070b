"""National identity numbers: how each is written, and its checksum.

Only numbers with a recognisable form and a check are here; nine digits in a row can be anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable

CheckedPattern = tuple[re.Pattern[str], Callable[[str], bool]]
_HETU_LETTERS = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_ODD_DIGITS = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
_ODD_LETTERS = (*_ODD_DIGITS, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_ODD = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", (*_ODD_DIGITS, *_ODD_LETTERS), strict=True))


def luhn(digits: str) -> bool:
    """ISO/IEC 7812: every second digit from the right doubled; the sum of all digits is divisible by ten."""
    doubled = (int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits)))
    return sum(value // 10 + value % 10 for value in doubled) % 10 == 0


def _is_day(day: int, month: int) -> bool:
    return 1 <= day <= 31 and 1 <= month <= 12


def _finnish(number: str) -> bool:
    """Henkilötunnus: the remainder of day, month, year and number by 31 is the letter at the end."""
    digits = number[:6] + number[7:10]
    return _is_day(int(number[:2]), int(number[2:4])) and _HETU_LETTERS[int(digits) % 31] == number[10].upper()


def _swedish(number: str) -> bool:
    """Personnummer: Luhn over the last ten digits; a day above 60 is of a coordination number."""
    digits = re.sub(r"\D", "", number)[-10:]
    return _is_day(int(digits[4:6]) % 60, int(digits[2:4])) and luhn(digits)


def _norwegian(number: str) -> bool:
    """Fødselsnummer: two weighted sums by 11."""
    digits = [int(character) for character in number if character.isdigit()]
    weights = ((3, 7, 6, 1, 8, 9, 4, 5, 2, 1, 0), (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1))
    sums = (sum(digit * weight for digit, weight in zip(digits, row, strict=True)) for row in weights)
    return _is_day(10 * digits[0] + digits[1], 10 * digits[2] + digits[3]) and not any(total % 11 for total in sums)


def _spanish(number: str) -> bool:
    """DNI: the remainder by 23 is the letter."""
    return _DNI_LETTERS[int(number[:8]) % 23] == number[-1].upper()


def _italian(number: str) -> bool:
    """Codice fiscale: odd and even places have different values; the remainder by 26 is the last letter."""
    plain = [str(int(sign)) if sign.isdecimal() else sign for sign in number[:15]]  # digits of any script
    values = (_ODD[sign] if place % 2 == 0 else int(sign, 36) - 10 * sign.isalpha() for place, sign in enumerate(plain))
    return chr(ord("A") + sum(values) % 26) == number[15]


def _polish(number: str) -> bool:
    """PESEL: weights 1, 3, 7, 9; the century is added to the month."""
    digits = [int(character) for character in number]
    total = sum(digit * weight for digit, weight in zip(digits, (1, 3, 7, 9) * 2 + (1, 3, 1), strict=True))
    return total % 10 == 0 and _is_day(10 * digits[4] + digits[5], (10 * digits[2] + digits[3]) % 20)


def _russian(number: str) -> bool:
    """SNILS: weights 9 … 1, by 101."""
    digits = re.sub(r"\D", "", number)
    total = sum(int(digit) * (9 - place) for place, digit in enumerate(digits[:9]))
    return total % 101 % 100 == int(digits[9:])


def _american(number: str) -> bool:
    """Social security number: no checksum, but some numbers are never issued."""
    area, group, serial = number.split("-")
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


PERSONAL_NUMBERS: dict[str, CheckedPattern] = {
    "Finnish personal identity code": (re.compile(r"(?<!\w)\d{6}[-+A-FU-Y]\d{3}[0-9A-Y](?![\w-])"), _finnish),
    "Swedish personal number": (re.compile(r"(?<![\w-])(?:19|20)?\d{6}[-+]\d{4}(?![\w-])"), _swedish),
    "Norwegian birth number": (re.compile(r"(?<![\w-])\d{6} ?\d{5}(?![\w-])"), _norwegian),
    "Spanish identity number": (re.compile(r"(?<![\w-])\d{8}-?[A-Z](?![\w-])"), _spanish),
    "Italian tax code": (re.compile(r"(?<!\w)[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z](?!\w)"), _italian),
    "Polish PESEL": (re.compile(r"(?<![\w-])\d{11}(?![\w-])"), _polish),
    "Russian SNILS": (re.compile(r"(?<![\w-])\d{3}-\d{3}-\d{3}[ -]\d{2}(?![\w-])"), _russian),
    "American social security number": (re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])"), _american),
}
