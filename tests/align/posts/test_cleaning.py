"""Posts without what their platform adds, cut into sentences that know where they stood."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.align.posts.cleaning import BLANK, GONE, IN_ASCII, clean_sentences, cover, is_symbol, symbols
from otherwords.text import pack

PIECES = [
    *(
        "a",
        "b",
        " ",
        "Z",
        "1",
        ".",
        "!",
        "?",
        "#",
        "@",
        ":",
        "…",
        "&",
        ";",
        "(",
        ")",
        "-",
        "|",
        "^",
        "\n",
        "\r",
        "\t",
        "\x00",
    ),
    *(
        "😀",
        "👩",
        "🏽",
        "\u200d",
        "\u200c",
        "\ufe0f",
        "\u20e3",
        "🇫",
        "🇮",
        "🏴",
        "\U000e0067",
        "今",
        "。",
        "क्",
        "ि",
        "سلام",
        "؟",
    ),
    *("RT ", "@ann", "#tag", "https://a.org/b", "&amp;", "via ", "http…", "’s"),
]
MESSY = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


def texts(post: str, lang: str = "en") -> list[str]:
    return [sentence.text for sentence in clean_sentences(post, pack(lang))]


@pytest.mark.parametrize(
    ("post", "sentences"),
    [
        ("RT @port: The ferry is late. https://t.co/x1", ["The ferry is late."]),
        ("RT @a: RT @b: The ferry is late", ["The ferry is late"]),
        ("RT: the ferry is late", ["the ferry is late"]),
        ("The ferry is late (via @port)", ["The ferry is late"]),
        ("The ferry is late via @port!", ["The ferry is late!"]),
        ("@ann, @bob: the ferry is late", ["the ferry is late"]),
        ("Then @port's ferry was late, mail a@b.org", ["Then ferry was late, mail a@b.org"]),
        ("Hi @ann@ferry.social, look", ["Hi, look"]),
        ("The #ferry is late #port #news", ["The ferry is late"]),
        ("Late again! #ferry\nNot today. #port #sea", ["Late again!", "Not today."]),
        ("The ferry is #late.", ["The ferry is late."]),
        ("#Breaking: the (#old) ferry", ["Breaking: the (old) ferry"]),
        ("#one#two we are #1 in C#", ["one#two we are #1 in C#"]),
        ("#ferry #port", []),
        ("Read it here: https://a.org/x", ["Read it here:"]),
        ("The ferry sank – https://a.org/x", ["The ferry sank"]),
        ("The ferry sank https://a.org/x. It did.", ["The ferry sank.", "It did."]),
        ("The ferry sank, says http…", ["The ferry sank, says"]),
        ("Fish &amp; chips &lt;3 R&amp;D &quot;x&quot; &nope; &#8217;", ['Fish & chips <3 R&D "x" &nope; ’']),
        ("", []),
        ("😀 🎉", []),
    ],
)
def test_what_platforms_add(post: str, sentences: list[str]) -> None:
    assert texts(post) == sentences


@pytest.mark.parametrize(
    ("post", "lang", "sentences"),
    [
        ("What a day 👨‍👩‍👧‍👦! We won 🏴󠁧󠁢󠁳󠁣󠁴󠁿🇫🇮 twice 👍🏽", "en", ["What a day!", "We won twice"]),
        ("Step 1️⃣ is #️⃣ and *️⃣ or ‼️ ☎️ ™", "en", ["Step is and or ‼"]),
        ("New 🫨 and old ❤️‍🔥 emoji", "en", ["New and old emoji"]),
        ("It costs $5 + 3 € at 20 °C ~ cheap → now | ok ★", "en", ["It costs $5 + 3 € at 20 °C ~ cheap now ok"]),
        ("I❤NY", "en", ["I NY"]),
        ("今日は😀いい天気。㈱東京～明日も？ #天気", "ja", ["今日は いい天気。", "㈱東京～明日も？"]),
        ("これはhttps://t.co/abcです", "ja", ["これは です"]),
        ("می‌خواهم بروم! کجا؟ #تهران", "fa", ["می‌خواهم بروم!", "کجا؟"]),
        ("العبّارة متأخرة 😀؟ نعم", "ar", ["العبّارة متأخرة؟", "نعم"]),
        ("आज #क्रिकेट मैच है। क्ष‍ण 🙏", "hi", ["आज क्रिकेट मैच है।", "क्ष‍ण"]),
        ("Lautta lähti 10.30. Se oli ajoissa…  ⛴️", "fi", ["Lautta lähti 10.30.", "Se oli ajoissa…"]),
    ],
)
def test_scripts_and_emoji(post: str, lang: str, sentences: list[str]) -> None:
    assert texts(post, lang) == sentences


def test_sentences_know_where_they_stood() -> None:
    post = "RT @port: The old 😀 #ferry is late. Fish &amp; chips! #sea"
    assert [post[sentence.start : sentence.end] for sentence in clean_sentences(post, pack("en"))] == [
        "The old 😀 #ferry is late.",
        "Fish &amp; chips!",
    ]


def test_the_example_of_the_paper() -> None:
    """MultiPIT, table 8, in our words: a post of two sentences is two candidates."""
    post = "The bridge was closed after a crash.\nThat is the one I cross every morning Ouch"
    assert texts(post) == ["The bridge was closed after a crash.", "That is the one I cross every morning Ouch"]


@settings(max_examples=300)
@given(MESSY | st.text(max_size=30))
def test_covers_keep_every_place(post: str) -> None:
    whole = cover(post)
    assert len(whole) == len(post)
    assert all(
        now in (BLANK, GONE, was) or post[place] == "&"
        for place, (was, now) in enumerate(zip(post, whole, strict=True))
    )


@settings(max_examples=300)
@given(MESSY | st.text(max_size=30))
def test_sentences_are_clean_in_order_and_inside(post: str) -> None:
    end = 0
    for sentence in clean_sentences(post, pack("en")):
        assert end <= sentence.start < sentence.end <= len(post)
        end = sentence.end
        assert sentence.text == sentence.text.strip() != ""
        assert BLANK not in sentence.text
        assert not any(map(is_symbol, sentence.text))


@given(st.text(st.characters(max_codepoint=127)))
def test_the_short_way_for_ascii_is_the_long_way(text: str) -> None:
    assert IN_ASCII.sub("*", text) == symbols().sub("*", text)


@pytest.mark.parametrize(
    "unit", ["#a ", "#a", "@a ", "RT @a: ", "via ", "https://", "😀\u200d", "&amp;", "\x1f ", "( ", "- "]
)
def test_cleaning_is_linear(unit: str) -> None:
    clean_sentences(unit * 20_000, pack("en"))  # takes minutes where a pattern is not
