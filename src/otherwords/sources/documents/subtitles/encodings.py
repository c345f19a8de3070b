"""Guess the encoding of a file from the letters of languages.

A byte order mark and valid UTF-8 decide at once. Otherwise each language of the table is tried in the encodings in
which it has been written: letters of the language count for the combination; other signs, a capital inside a word, or a
word of two scripts count against it. The best combination wins. A guess can be wrong but never stops the reading; bytes
without a meaning become U+FFFD.
"""

from __future__ import annotations

import re
from collections import Counter
from unicodedata import category

from otherwords.errors import UsageError
from otherwords.sources.source import BYTE_ORDER_MARKS
from otherwords.text.languages import language

_WESTERN = ("cp1252", "iso-8859-15")
_CENTRAL = ("cp1250", "iso-8859-2")
_CYRILLIC = ("cp1251", "koi8-u", "iso-8859-5")
_BALTIC = ("cp1257", "iso-8859-13")
# The letters of each language beyond ASCII, and its encodings, the more common first. A non-Latin alphabet starts with
# its most common letters, because the letters of two alphabets may be the same bytes (Hebrew and Russian).
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
# Too many characters to list; tried only if the user or the file name names the language.
_LARGE = {
    "ja": ("cp932", "euc_jp"),
    "zh": ("gb18030", "big5hkscs"),
    "ko": ("cp949",),
}
_UNLIKELY = {  # characters that are unlikely in a text of the language
    "ja": re.compile("[^\x00-\x7f\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e…♪]"),
    "zh": re.compile("[^\x00-\x7f\u3000-\u303f\u4e00-\u9fff\uff01-\uff5e…♪]"),
    "ko": re.compile("[^\x00-\x7f\u3000-\u303f\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e…♪]"),
}
_ALPHABET, _COMMONEST = 20, 6
_SIGNS = frozenset("‘’“”„‚«»‹›–—…¿¡°€£§½♪\u00a0\u00ad")
_SAMPLE = 2**16  # bytes of lines that are not all ASCII
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_HIGH = re.compile(rb"[\x80-\xff]")


def decode_text(content: bytes, lang: str | None) -> tuple[str, str | None]:
    """The text, and a remark on how it was decoded; None for UTF-8 and for files with a byte order mark."""
    for mark, name in BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return _decode_marked(content[len(mark) :], name)
    start = content[:4096]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) and max(even, odd) * 4 >= len(start) // 2:  # in UTF-16, half of the bytes of usual text are zero
        utf16 = "utf-16-le" if odd > even else "utf-16-be"
        return content.decode(utf16, "replace"), f"read as {utf16}"
    try:
        return content.decode("utf-8"), None
    except UnicodeDecodeError:
        valid = content.decode("utf-8", "ignore").encode()
    if len(_HIGH.findall(valid)) > 0.9 * len(_HIGH.findall(content)):  # only a few bytes are damaged
        return _decode_marked(content, "utf-8")
    name = guess_encoding(content, lang)
    text = content.decode(name, "replace")
    return text, f"read as {name}" + (", with bytes that mean nothing in it" if "\ufffd" in text else "")


def guess_encoding(content: bytes, lang: str | None) -> str:
    """The most likely encoding of bytes that are not UTF-8."""
    try:
        code = language(lang) if lang else None
    except UsageError:
        code = None
    if code in _LARGE:
        return min(_LARGE[code], key=lambda name: len(_UNLIKELY[code].findall(content.decode(name, "replace"))))
    best, best_score = "cp1252", float("-inf")
    sample = b"\n".join(line for line in content.split(b"\n") if _HIGH.search(line))[:_SAMPLE]
    seen = {name: _evidence(sample, name) for name in {name for _, names in _LANGUAGES.values() for name in names}}
    for candidate, (letters, names) in _LANGUAGES.items():
        for name in names:
            # From 1, if all characters are letters of the language in plausible places, down to -2.
            points = sum(_points(sign, odd, letters) * count for (sign, odd), count in seen[name].items())
            score = points / max(1, seen[name].total()) + (0.1 if candidate == code else 0.0)
            if score > best_score + 1e-9:
                best, best_score = name, score
    return best


def _points(sign: str, odd: bool, letters: str) -> float:
    if sign == "\ufffd" or category(sign) == "Cc":
        return -2.0
    if odd:
        return -1.0
    if sign in letters or sign.lower() in letters:
        return 1.0 if len(letters) < _ALPHABET or sign.lower() in letters[:_COMMONEST] else 0.8
    return 0.5 if sign in _SIGNS else -1.0


def _evidence(content: bytes, name: str) -> Counter[tuple[str, bool]]:
    """The characters beyond ASCII, each with whether its place is implausible."""
    text = content.decode(name, "replace")
    seen: Counter[tuple[str, bool]] = Counter()
    for match in _BEYOND_ASCII.finditer(text):
        at, sign = match.start(), match[0]
        before, around = text[at - 1 : at], text[at - 1 : at] + text[at + 1 : at + 2]
        if not sign.isalpha():
            odd = sign not in _SIGNS and around[:1].isalpha() and around[1:].isalpha()
        else:  # a capital after a small letter, or a letter of another script than its neighbours
            mixed = ord(sign) >= 0x370 and any(char.isascii() and char.isalpha() for char in around)
            odd = mixed or (sign.isupper() and before.islower())
        seen[sign, odd] += 1
    return seen


def _decode_marked(content: bytes, name: str) -> tuple[str, str | None]:
    text = content.decode(name, "replace")
    return text, f"broken {name}: some bytes mean nothing in it" if "\ufffd" in text else None
