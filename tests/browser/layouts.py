"""Keyboard layouts: the events that a browser reports for the keys of each, as the standard for them has it.

A character is reached by a key alone, with Shift, or on the third level, which is AltGr on most keyboards, Ctrl and Alt
for some browsers on Windows, and Option on a Mac.
"""

from __future__ import annotations

from typing import Any

_DIGITS = ["Backquote", *(f"Digit{digit}" for digit in "1234567890"), "Minus", "Equal"]
_UPPER = [*(f"Key{letter}" for letter in "QWERTYUIOP"), "BracketLeft", "BracketRight"]
_MIDDLE = [*(f"Key{letter}" for letter in "ASDFGHJKL"), "Semicolon", "Quote", "Backslash"]
_LOWER = ["IntlBackslash", *(f"Key{letter}" for letter in "ZXCVBNM"), "Comma", "Period", "Slash"]
CODES = [*_DIGITS, *_UPPER, *_MIDDLE, *_LOWER]
DEAD = "☠"  # gives nothing by itself
# The keys of the four rows alone and with Shift, and what is on the third level of which key.
ROWS = {
    "US": (
        "`1234567890-=" "qwertyuiop[]" "asdfghjkl;'\\" "☠zxcvbnm,./",
        "~!@#$%^&*()_+" "QWERTYUIOP{}" 'ASDFGHJKL:"|' "☠ZXCVBNM<>?",
        {},
    ),
    "German": (
        "☠1234567890ß☠" "qwertzuiopü+" "asdfghjklöä#" "<yxcvbnm,.-",
        '°!"§$%&/()=?☠' "QWERTZUIOPÜ*" "ASDFGHJKLÖÄ'" ">YXCVBNM;:_",
        {"7": "{", "8": "[", "9": "]", "0": "}", "ß": "\\", "q": "@", "e": "€", "+": "~", "<": "|", "m": "µ"},
    ),
    "Finnish": (
        "§1234567890+☠" "qwertyuiopå☠" "asdfghjklöä'" "<zxcvbnm,.-",
        '½!"#¤%&/()=?☠' "QWERTYUIOPÅ☠" "ASDFGHJKLÖÄ*" ">ZXCVBNM;:_",
        {"2": "@", "3": "£", "4": "$", "7": "{", "8": "[", "9": "]", "0": "}", "+": "\\", "e": "€", "<": "|"},
    ),
    "Spanish": (
        "º1234567890'¡" "qwertyuiop☠+" "asdfghjklñ☠ç" "<zxcvbnm,.-",
        'ª!"·$%&/()=?¿' "QWERTYUIOP☠*" "ASDFGHJKLÑ☠Ç" ">ZXCVBNM;:_",
        {"º": "\\", "1": "|", "2": "@", "3": "#", "4": "~", "e": "€", "+": "]", "ç": "}"},
    ),
    "French": (
        "²&é\"'(-è_çà)=" "azertyuiop☠$" "qsdfghjklmù*" "<wxcvbn,;:!",
        "☠1234567890°+" "AZERTYUIOP☠£" "QSDFGHJKLM%µ" ">WXCVBN?./§",
        {'"': "#", "'": "{", "(": "[", "-": "|", "_": "\\", "à": "@", ")": "]", "=": "}", "e": "€"},
    ),
}  # fmt: skip
THIRD_LEVELS: dict[str, dict[str, Any]] = {
    "AltGr": {"modifierAltGraph": True},
    "Ctrl and Alt": {"ctrlKey": True, "altKey": True},
    "Option": {"altKey": True},
}
NAMED = {"Enter", "Escape", "Backspace", "Delete", "Tab", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"}
Event = dict[str, Any]


def easy_keys(layout: str) -> dict[str, Event]:
    """The event of each character that a layout has without its third level; the plain key wins over one with Shift."""
    plain, shifted, _ = ROWS[layout]
    events = {char: {"key": char, "code": code, "shiftKey": True} for char, code in zip(shifted, CODES, strict=True)}
    events |= {char: {"key": char, "code": code} for char, code in zip(plain, CODES, strict=True)}
    events.pop(DEAD, None)
    return events | {name: {"key": name, "code": name} for name in NAMED}


def third_level(layout: str, how: str = "AltGr") -> dict[str, Event]:
    """The event of each character on the third level of a layout."""
    plain, _, third = ROWS[layout]
    codes = dict(zip(plain, CODES, strict=True))
    return {char: {"key": char, "code": codes[key], **THIRD_LEVELS[how]} for key, char in third.items()}
