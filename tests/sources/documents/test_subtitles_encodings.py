"""Subtitles in the encodings of their time: the letters distinguish each language from the others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.sources.documents.subtitles.encodings import decode_text

TEXTS = {
    "en": "She met him at the café — “the old one”, she said. It’s a cliché, isn’t it…",
    "fi": "Älä mene sinne yöllä. Hän sanoi, että jää on heikkoa. Åke näki sen itse.",
    "sv": "Vi ses på ön i morgon, sade han. Är du säker? Ja, det är jag även när det blåser.",
    "da": "Jeg så ham på øen i går. Hvad er det, du vil gøre? Spørg ikke mere.",
    "is": "Ég veit það ekki. Þú mátt ekki fara þangað ein, það er of kalt í dag.",
    "de": "Wir müssen früh aufstehen, sagte er, und schloss die Tür. Das weiß ich schön länger.",
    "fr": "Où étais-tu hier soir ? J’ai rêvé que la forêt brûlait, ça m’a réveillé.",
    "es": "¿Dónde está mi sombrero? Mañana será otro día, niño, y el camión vendrá.",
    "pl": "Gdzie jesteś? Myślałem, że już nie wrócisz. Źle się czuję, proszę, zostań jeszcze chwilę.",
    "cs": "Kde jsi byl? Říkal jsem ti, že přijdu později. Měl jsem žízeň a šel jsem domů.",
    "hu": "Hol voltál tegnap? Az őszi eső miatt későn értem haza, és fűtés sem volt.",
    "et": "Kus sa öösel olid? Õues oli külm ja ma jäin tuppa. Šokolaadi meil enam pole.",
    "lv": "Kur tu biji vakar? Es gāju mājās caur mežu, un tur bija ļoti tumšs.",
    "lt": "Kur tu buvai vakar? Aš ėjau namo per mišką, ir ten buvo labai tamsu, žinai.",
    "tr": "Dün gece neredeydin? Işığı açık bıraktığını sanmıştım, şimdi çok üşüyorum.",
    "ru": "Где ты была вчера? Я думал, что ты уже не вернёшься. Останься, пожалуйста.",
    "uk": "Де ти була вчора? Я їхав додому і думав, що ти вже є там.",
    "el": "Πού ήσουν χθες το βράδυ; Νόμιζα ότι δεν θα γυρίσεις ποτέ.",
    "he": "איפה היית אתמול בלילה? חשבתי שלא תחזור אף פעם.",
    "ar": "أين كنت الليلة الماضية؟ ظننت أنك لن تعود أبدا.",
}
ENCODINGS = {
    **dict.fromkeys(["en", "fi", "sv", "da", "is", "de", "fr", "es"], ("cp1252",)),
    **dict.fromkeys(["pl", "cs", "hu"], ("cp1250", "iso-8859-2")),
    **dict.fromkeys(["et", "lv", "lt"], ("cp1257",)),
    "tr": ("cp1254",),
    "ru": ("cp1251", "koi8-r", "iso-8859-5"),
    "uk": ("cp1251", "koi8-u"),
    "el": ("cp1253", "iso-8859-7"),
    "he": ("cp1255",),
    "ar": ("cp1256",),
}
CASES = [(lang, name) for lang, names in ENCODINGS.items() for name in names]


@pytest.mark.parametrize(("lang", "name"), CASES)
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_the_text_is_read_with_and_without_its_language(lang: str, name: str, known: bool) -> None:
    text, remark = decode_text(TEXTS[lang].encode(name), lang if known else None)
    assert text == TEXTS[lang]
    assert remark is not None
    assert remark.startswith("read as ")


@pytest.mark.parametrize(
    ("lang", "name", "line"),
    [
        ("ja", "cp932", "昨日の夜はどこにいたの？"),
        ("ja", "euc_jp", "昨日の夜はどこにいたの？"),
        ("zh", "gb18030", "你昨天晚上在哪里？"),
        ("zh", "big5", "你昨天晚上在哪裡？"),
        ("ko", "cp949", "어젯밤에 어디 있었어?"),
    ],
)
def test_large_scripts_are_read_where_the_language_is_told(lang: str, name: str, line: str) -> None:
    assert decode_text(line.encode(name), lang)[0] == line


@pytest.mark.parametrize("name", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_what_says_its_encoding_is_not_marked(name: str) -> None:
    assert decode_text(TEXTS["ru"].encode(name), None) == (TEXTS["ru"], None)


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be"])
def test_wide_text_without_a_mark(name: str) -> None:
    assert decode_text(TEXTS["en"].encode(name), None) == (TEXTS["en"], f"read as {name}")


def test_utf8_with_a_damaged_byte_stays_utf8() -> None:
    content = (TEXTS["ru"] * 3).encode()
    text, remark = decode_text(content[:40] + b"\xff" + content[40:], None)
    assert text.replace("\ufffd", "") == TEXTS["ru"] * 3
    assert remark == "broken utf-8: some bytes mean nothing in it"


def test_a_language_that_nobody_knows_does_not_matter() -> None:
    assert decode_text(TEXTS["fi"].encode("cp1252"), "Klingon?")[0] == TEXTS["fi"]


@given(st.binary(max_size=300), st.sampled_from([None, "fi", "ja", "zh", "ar"]))
def test_any_bytes_become_text(content: bytes, lang: str | None) -> None:
    text, remark = decode_text(content, lang)
    text.encode()
    assert remark is None or remark.startswith(("read as ", "broken "))
