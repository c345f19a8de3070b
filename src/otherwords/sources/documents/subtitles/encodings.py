"""Which encoding a file is in that does not say so, by what its language allows.

In go the bytes of a file, out come its text and the name of the encoding. A byte order mark and valid
UTF-8 decide by themselves. For the rest every language of the table is tried in the encodings it has been
written in: a letter of the language speaks for the pair, and a sign that it has no use for, a capital
inside a word, or a word of two scripts speaks against it. The best pair wins, so a guess can be wrong
but never stops the reading; bytes that mean nothing become U+FFFD.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from unicodedata import category

from otherwords.errors import UsageError
from otherwords.sources.source import MARKS
from otherwords.text.languages import language

_WESTERN = ("cp1252", "iso-8859-15")
_CENTRAL = ("cp1250", "iso-8859-2")
_CYRILLIC = ("cp1251", "koi8-u", "iso-8859-5")
_BALTIC = ("cp1257", "iso-8859-13")
# The letters of each language beyond ASCII, and its encodings, the more common first. An alphabet of its own starts
# with its commonest letters, because the letters of two alphabets may be the same bytes (Hebrew and Russian).
_LANGUAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "en": ("éèêçïöñ", _WESTERN),
    "fi": ("äöåšž", _WESTERN),
    "sv": ("åäöéà", _WESTERN),
    "da": ("æøåéö", _WESTERN),
    "no": ("æøåéòô", _WESTERN),
    "is": ("áéíóúýðþæö", _WESTERN),
    "de": ("äöüßé", _WESTERN),
    "nl": ("éèëïöüó", _WESTERN),
    "fr": ("éèêëàâîïôùûüçœæ", _WESTERN),
    "es": ("áéíóúñü", _WESTERN),
    "pt": ("áâãàçéêíóôõú", _WESTERN),
    "it": ("àèéìíòóùú", _WESTERN),
    "pl": ("ąćęłńóśźż", _CENTRAL),
    "cs": ("áčďéěíňóřšťúůýž", _CENTRAL),
    "sk": ("áäčďéíĺľňóôŕšťúýž", _CENTRAL),
    "hu": ("áéíóöőúüű", _CENTRAL),
    "ro": ("ăâîșțşţ", ("cp1250", "iso-8859-16", "iso-8859-2")),
    "hr": ("čćđšž", _CENTRAL),
    "sl": ("čšž", _CENTRAL),
    "et": ("äöõüšž", ("cp1257", "cp1252", "iso-8859-15")),
    "lv": ("āčēģīķļņšūž", _BALTIC),
    "lt": ("ąčęėįšųūž", _BALTIC),
    "tr": ("çğıöşüâİ", ("cp1254",)),
    "ru": ("оеаинтбвгдёжзйклмпрсуфхцчшщъыьэюя", _CYRILLIC),
    "uk": ("оанитібвгґдеєжзїйклмпрсуфхцчшщьюя", _CYRILLIC),
    "bg": ("аоиетнбвгджзйклмпрсуфхцчшщъьюя", ("cp1251", "iso-8859-5")),
    "sr": ("аоиенрбвгдђжзјклљмњпстћуфхцчџш", ("cp1251", "iso-8859-5")),
    "el": ("αοιετσβγδζηθκλμνξπρςυφχψωάέήίόύώϊϋΐΰ", ("cp1253", "iso-8859-7")),
    "he": ("יוהלארבגדזחטךכםמןנסעףפץצקשת", ("cp1255", "iso-8859-8")),
    "ar": ("اليمنوءآأؤإئبةتثجحخدذرزسشصضطظعغفقكهىًٌٍَُِّْ،؟؛", ("cp1256", "iso-8859-6")),
    "fa": ("ایرندهءآأؤئبپتثجچحخذزژسشصضطظعغفقکگلموكي،؟؛", ("cp1256",)),
}
# Too many characters to list: these are tried only if the user or the file's name says the language.
_LARGE = {
    "ja": ("cp932", "euc_jp"),
    "zh": ("gb18030", "big5hkscs"),
    "ko": ("cp949",),
}
_UNLIKELY = {  # what the text of such a language is not made of
    "ja": re.compile("[^\x00-\x7f\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e…♪]"),
    "zh": re.compile("[^\x00-\x7f\u3000-\u303f\u4e00-\u9fff\uff01-\uff5e…♪]"),
    "ko": re.compile("[^\x00-\x7f\u3000-\u303f\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e…♪]"),
}
_ALPHABET, _COMMONEST = 20, 6
_SIGNS = frozenset("‘’“”„‚«»‹›–—…¿¡°€£§½♪\u00a0\u00ad")
_SAMPLE = 2**16  # bytes of lines that are not all ASCII
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_HIGH = re.compile(rb"[\x80-\xff]")


def decoded(content: bytes, lang: str | None) -> tuple[str, str | None]:
    """The text, and what is to be said about how it was read; None for plain UTF-8 and marked files."""
    for mark, name in MARKS:
        if content.startswith(mark):
            return _whole(content[len(mark) :], name)
    if b"\x00" in content[:4096] and (wide := _wide(content)):
        return _whole(content, wide)[0], f"read as {wide}"
    try:
        return content.decode("utf-8"), None
    except UnicodeDecodeError:
        pass
    if _is_nearly_utf8(content):
        return _whole(content, "utf-8")
    name = guess(content, lang)
    text = content.decode(name, "replace")
    return text, f"read as {name}" + (", with bytes that mean nothing in it" if "\ufffd" in text else "")


def guess(content: bytes, lang: str | None) -> str:
    """The likeliest encoding of bytes that are not UTF-8."""
    code = _code(lang)
    if code in _LARGE:
        return min(_LARGE[code], key=lambda name: len(_UNLIKELY[code].findall(content.decode(name, "replace"))))
    best, most = "cp1252", float("-inf")
    telling = b"\n".join(line for line in content.split(b"\n") if _HIGH.search(line))[:_SAMPLE]
    seen = {name: _evidence(telling, name) for name in _encodings()}
    for candidate, (letters, names) in _LANGUAGES.items():
        for name in names:
            score = _score(seen[name], letters) + (0.1 if candidate == code else 0.0)
            if score > most + 1e-9:
                best, most = name, score
    return best


def _score(evidence: Counter[tuple[str, bool]], letters: str) -> float:
    """From 1, when every sign is a letter of the language in its place, down to -2."""
    total = sum(evidence.values())
    points = sum(_points(sign, odd, letters) * count for (sign, odd), count in evidence.items())
    return points / max(1, total)


def _points(sign: str, odd: bool, letters: str) -> float:
    if sign == "\ufffd" or category(sign) == "Cc":
        return -2.0
    if odd:
        return -1.0
    if sign in letters or sign.lower() in letters:
        return 1.0 if len(letters) < _ALPHABET or sign.lower() in letters[:_COMMONEST] else 0.8
    return 0.5 if sign in _SIGNS else -1.0


def _evidence(content: bytes, name: str) -> Counter[tuple[str, bool]]:
    """The signs beyond ASCII, each with whether it stands where no such sign should."""
    text = content.decode(name, "replace")
    seen: Counter[tuple[str, bool]] = Counter()
    for found in _BEYOND_ASCII.finditer(text):
        at, sign = found.start(), found[0]
        around = text[at - 1 : at] + text[at + 1 : at + 2]
        seen[sign, _is_odd(sign, text[at - 1 : at], around)] += 1
    return seen


def _is_odd(sign: str, before: str, around: str) -> bool:
    """Whether a letter is of another script than its neighbours, or a capital after a small letter."""
    if not sign.isalpha():
        return sign not in _SIGNS and any(char.isalpha() for char in around[:1]) and around[1:].isalpha()
    if sign.isupper() and before.islower():
        return True
    return ord(sign) >= 0x370 and any(char.isascii() and char.isalpha() for char in around)


def _whole(content: bytes, name: str) -> tuple[str, str | None]:
    text = content.decode(name, "replace")
    return text, f"broken {name}: some bytes mean nothing in it" if "\ufffd" in text else None


def _wide(content: bytes) -> str | None:
    """UTF-16 without a mark: half of the bytes of ordinary text are zero."""
    start = content[:4096]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) * 4 < len(start) // 2:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _is_nearly_utf8(content: bytes) -> bool:
    """Whether most signs beyond ASCII are good UTF-8, so that a few bytes must be damaged."""
    good = content.decode("utf-8", "ignore").encode()
    return len(_HIGH.findall(good)) > 0.9 * len(_HIGH.findall(content))


@cache
def _encodings() -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, names in _LANGUAGES.values() for name in names))


def _code(lang: str | None) -> str | None:
    try:
        return language(lang) if lang else None
    except UsageError:
        return None
