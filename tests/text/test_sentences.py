from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.text import pack
from otherwords.text.sentences import ENDING_ANYWHERE, sentences

CUT = " ¦ "  # where the expected boundary is


def cut(text: str, lang: str = "und", *, lines: bool = False) -> str:
    return CUT.join(text[start:end] for start, end in sentences(text, lang, lines=lines))


@pytest.mark.parametrize(
    "expected",
    [
        "It rained. ¦ We stayed in. ¦ Nobody minded!",
        "Dr. Moss met Mr. and Mrs. Hale at St. Mary's on Mon. 5 May. ¦ They talked.",
        "Bring fruit, e.g. plums, i.e. something sweet, etc. ¦ Then come home.",
        "J. R. Moss and Ann B. Hale wrote it. ¦ So did I. ¦ We know.",
        "The U.S. Navy sailed. ¦ She left the U.S. ¦ The others stayed.",
        "We meet at 5 p.m. Monday. ¦ He rose at 5 a.m. ¦ It was dark.",
        "Acme Inc. Directors met. ¦ He works for Acme Inc. ¦ It pays well.",
        "See No. 5 and fig. 3. ¦ No. ¦ Not me.",
        "It costs 3.50 or 1.000 now. ¦ In 1990. ¦ Then more.",
        "1. Wash the pears. ¦ 2. Peel them.",
        "Wait... what? ¦ Well... ¦ Fine. ¦ He said… nothing.",
        "Really?! ¦ Yes!!! ¦ Who knows?",
        '"Why?" he asked. ¦ "Go away!" ¦ She left.',
        "She smiled (at last.) ¦ He did not. ¦ (Nobody did.) ¦ “Good.” ¦ Silence.",
        "It works.[3] ¦ So they say.[12] ¦ Fine.",
        "Visit example.org today. ¦ Use file.txt or v2.1.3 there.",
        "i like it. ¦ so do they. ¦ really? ¦ yes",
        "The approx. value and the est. size of the misc. parts.",
        "This isn't. ¦ That can't. ¦ Ours won't.",
        "Mr . Moss came . ¦ He sat down .",  # already tokenised
        "`` Come in . '' ¦ They came in .",
        "Nice!😀 ¦ Next one. 😀👍🏽",
        "... and then it ended. !!! ¦ Over.",  # loose marks have no sentence of their own
    ],
)
def test_english(expected: str) -> None:
    assert cut(expected.replace(CUT, " "), "en") == expected


@pytest.mark.parametrize(
    "expected",
    [
        "Lapsi meni 3. luokalle 5. syyskuuta. ¦ Vuonna 1995. ¦ Sitten muutettiin.",
        "Osta esim. Pirkolle jotain, vaikka omenoita jne. ¦ Tule sitten kotiin.",
        "Paikalla oli n. 50 ihmistä, mm. Aino, ks. s. 12. ¦ Tri Salo puuttui.",
        "Klo 9.30 alkoi klo. 10 jatkui. ¦ Hyvä!",
        "»Tule tänne!» hän huusi. ¦ – En tule. ¦ – Tule nyt.",
        "Hän syntyi 3. 5. 1990 Turussa. ¦ Sitä ei tiedetty.",
    ],
)
def test_finnish(expected: str) -> None:
    assert cut(expected.replace(CUT, " "), "fi") == expected


@pytest.mark.parametrize(
    "expected",
    [
        "Hon kom den 5. maj kl. 9. ¦ Sedan gick hon.",
        "Köp t.ex. Annas bröd, bl. a. limpa, m.m. ¦ Kom sedan hem.",
        "Dvs. Ingen visste, p.g.a. mörkret, osv. ¦ Dr. Ek sov.",
        "– Hej! ¦ – Hej då! ¦ Det var allt.",
    ],
)
def test_swedish(expected: str) -> None:
    assert cut(expected.replace(CUT, " "), "sv") == expected


@pytest.mark.parametrize(
    "expected",
    [
        "В 1990 г. он уехал, т. е. пропал. ¦ Потом вернулся.",
        "Там были яблоки, груши и т. д. ¦ Мы их съели.",
        "А. С. Иванов и проф. Петров живут на ул. Садовой, д. 5. ¦ Их знают все.",
        "— Что? — спросил он. ¦ — Ничего. ¦ Это я. ¦ Мама дома.",
        "«Иди сюда!» — крикнул он. ¦ Театр им. Чехова закрыт. ¦ Я дал им. ¦ Они ушли.",
        "Было 5 тыс. руб. ¦ Стало меньше.",
    ],
)
def test_russian(expected: str) -> None:
    assert cut(expected.replace(CUT, " "), "ru") == expected


@pytest.mark.parametrize(
    "expected",
    [
        "El Sr. Gómez y la Dra. Ruiz llegaron. ¦ Ud. no estaba.",
        "¿Qué? ¦ ¡No puede ser! ¦ Pues sí.",
        "Vive en EE. UU. desde 1990. ¦ Trae fruta, p. ej. Peras, etc. ¦ Luego ven.",
        "Mira la pág. 12 y el núm. 3. ¦ Nada más.",
        "—¡Vaya! —dijo Ana—. ¦ ¡Qué frío!",
    ],
)
def test_spanish(expected: str) -> None:
    assert cut(expected.replace(CUT, " "), "es") == expected


@pytest.mark.parametrize(
    "expected",
    [
        "猫が寝た。¦犬は起きた！¦本当？¦はい。",
        "「眠いですか。」と母は聞いた。¦「はい。」¦「では寝なさい。」",
        "すごい!¦でも高い?¦そう…でもない……と思う。",
        "長さは3.5キロです。¦重さは３．５キロです．¦以上です。",
        "（これは注です。）¦次に進む。¦本当か？！¦まさか。",
    ],
)
def test_japanese(expected: str) -> None:
    assert cut(expected.replace("¦", ""), "ja").replace(CUT, "¦") == expected


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("ar", "ذهب د. سامي إلى السوق. ¦ هل عاد؟ ¦ نعم! ¦ انتهى اليوم."),
        ("he", "הילד הלך לגן. ¦ האם חזר? ¦ כן!"),
        ("fa", "او به خانه رفت. ¦ آیا برگشت؟ ¦ بله."),
        ("ur", "وہ گھر گیا۔ ¦ کیا وہ آیا؟ ¦ ہاں۔"),
        ("hi", "डॉ. वर्मा बाज़ार गए। ¦ क्या वे लौटे? ¦ हाँ॥"),
        ("th", "วันที่ 5 ม.ค. พ.ศ. 2560 ฝนตก จริงหรือ? ¦ ใช่"),
        ("el", "Πού πας; ¦ Πάω σπίτι. ¦ Ναι!"),
        ("tr", "Dr. Aylin geldi. ¦ 3. Selim'i anlattı. ¦ Bitti mi?"),
        ("am", "ልጁ ሄደ። ¦ ተመለሰ? ¦ አዎ።"),
        ("de", "Am 3. Oktober kam z. B. Anna. ¦ „Gut.“ ¦ Dann ging sie."),
        ("fr", "« Viens ! » dit-elle. ¦ « Non ! » ¦ M. Blanc rit."),
        ("hy", "Նա գնաց։ ¦ Նա եկավ։"),
        ("si", "ඔහු ගියා෴ ¦ ඔහු ආවා."),
        ("ko", "비가 왔다. ¦ 그건 나. ¦ 너는?"),
        ("ka", "ის წავიდა. ¦ ის დაბრუნდა."),
        (None, "One here. ¦ Dr. Two there."),
    ],
)
def test_other_languages(lang: str | None, expected: str) -> None:
    text = expected.replace(CUT, " ")
    assert CUT.join(text[start:end] for start, end in pack(lang).sentences(text)) == expected


@pytest.mark.parametrize(
    "expected", ["书在这里。¦你看！¦“好。”¦他说。¦“再见！”¦“好。”", "သူသွားသည်။¦သူပြန်လာသည်။", "हाँ।¦राम आया॥"]
)
def test_no_blank_is_needed_where_the_script_has_none(expected: str) -> None:
    assert cut(expected.replace("¦", "")).replace(CUT, "¦") == expected


def test_offsets_are_code_points_of_the_text_as_given() -> None:
    text = "  😀 Cafe\u0301 one.\t\tЁлка two!\u3000あ。い。 "
    assert sentences(text) == [(2, 14), (16, 25), (26, 28), (28, 30)]
    assert text[16:25] == "Ёлка two!"


def test_a_blank_line_is_a_boundary_and_a_line_break_on_request() -> None:
    text = "A heading\n\nOne line\nand its end. Two\r\n \r\nThree\u2029Four"
    assert cut(text) == "A heading ¦ One line\nand its end. ¦ Two ¦ Three ¦ Four"
    assert cut("one\ntwo\r\nthree\u2028four", lines=True) == "one ¦ two ¦ three ¦ four"
    assert cut("one\r\ntwo") == "one\r\ntwo"


@pytest.mark.parametrize("text", ["", " \n\t ", "\u3000"])
def test_nothing_has_no_sentence(text: str) -> None:
    assert sentences(text) == []


punctuated = st.text(
    st.one_of(st.sampled_from('.!?…。！؟।። \n\r\t"”»)「」(«-aAбБя5あ漢กد😀\u0301\u200d\u2029\ud800'), st.characters()),
    max_size=80,
)


@given(punctuated, st.sampled_from(["en", "fi", "ru", "ja", "el", "de", "und"]), st.booleans())
def test_spans_are_in_order_apart_and_lose_nothing_but_white_space(text: str, lang: str, lines: bool) -> None:
    spans = sentences(text, lang, lines=lines)
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    assert edges == sorted(edges)
    assert all(start < end and text[start:end] == text[start:end].strip() for start, end in spans)
    outside = "".join(text[edges[i] : edges[i + 1]] for i in range(0, len(edges), 2))
    assert outside.strip() == ""


@given(punctuated)
def test_paragraphs_do_not_know_each_other(text: str) -> None:
    twice = f"{text}\n\n{text}"
    first = sentences(text)
    assert sentences(twice) == first + [(start + len(text) + 2, end + len(text) + 2) for start, end in first]


@pytest.mark.parametrize(
    "piece",
    [".", "a", ". ", "a. ", '."', "。", "。」と", ". (", ". »", "A. b ", "x.", "1. ", "( ", "Ho. ", " \n", "No! "],
)
def test_long_text_of_any_shape_is_split(piece: str) -> None:
    """A splitter that looks back or ahead over the whole text would not come to an end here."""
    text = piece * (200_000 // len(piece))
    spans = sentences(text, "en")
    assert "".join(text[start:end] for start, end in spans).replace(" ", "") == "".join(text.split())


def test_a_megabyte_of_dots_and_one_without_any_mark() -> None:
    assert sentences("." * 1_000_000) == [(0, 1_000_000)]
    assert sentences("word " * 200_000) == [(0, 999_999)]


def test_every_mark_that_ends_anywhere_is_a_sentence_terminal_of_unicode() -> None:
    regex = pytest.importorskip("regex")
    ours = set(ENDING_ANYWHERE) - set("෴།༎")
    assert all(regex.fullmatch(r"\p{Sentence_Terminal}", mark) for mark in ours)


@pytest.mark.parametrize(
    ("code", "lang", "share"),
    [("eng", "en", 0.999), ("fin", "fi", 0.998), ("swe", "sv", 0.995), ("rus", "ru", 0.995), ("spa", "es", 0.995)],
)
def test_real_sentences_that_are_joined_come_apart_again(shared_data: Path, code: str, lang: str, share: float) -> None:
    path = shared_data / "tatoeba" / f"tatoeba-test-v2023-09-26.{code}-{code}.txt.gz"
    if not path.is_file():
        pytest.skip(f"{path.name} is not here")
    rows = gzip.decompress(path.read_bytes()).decode().splitlines()[:2000]
    texts = [text for row in rows for text in row.split("\t")[2:4] if text[-1] in ".!?" and text[0].isupper()]
    starts, length = [], 0
    for text in texts:
        starts.append(length)
        length += len(text) + 1
    begun = {start for start, _ in sentences(" ".join(texts), lang)}
    assert len(begun.intersection(starts)) / len(starts) >= share
    assert len(begun) <= 1.06 * len(starts)  # some of them are two sentences
