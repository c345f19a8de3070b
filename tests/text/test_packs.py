from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.text import Pack, pack
from tests.errors import raises
from tests.processes import SECONDS

anything = st.text(
    st.one_of(st.sampled_from(".!?。 \n\"'()aAб5あ漢ก\u0301\u200d😀\0\u3000-…"), st.characters(codec="utf-8")),
    max_size=60,
)


def test_a_pack_by_any_name_is_the_same_pack() -> None:
    assert pack("fi") is pack("fi-FI") is pack("fin") is pack("Finnish")
    assert isinstance(pack("fi"), Pack)


def test_every_well_formed_tag_has_a_pack() -> None:
    assert [pack(tag).lang for tag in (None, "und", "xx", "am", "zho")] == ["und", "und", "xx", "am", "zh"]


def test_nonsense_has_none() -> None:
    with raises("not-a-language"):
        pack("no such language")


@pytest.mark.parametrize(
    ("lang", "text", "tokens"),
    [
        ("en", "Don't go, Ann!", ["Don't", "go", ",", "Ann", "!"]),
        ("fi", "EU:n raja siirtyi.", ["EU:n", "raja", "siirtyi", "."]),
        ("ja", "猫が寝ました。", ["猫", "が", "寝", "まし", "た", "。"]),
        ("ar", "أين الكتاب؟", ["أين", "الكتاب", "؟"]),
        ("he", "איפה הספר?", ["איפה", "הספר", "?"]),
        ("hi", "किताब कहाँ है?", ["किताब", "कहाँ", "है", "?"]),
        ("zh", "书在哪？", ["书", "在", "哪", "？"]),
        ("fa", "می\u200cروم.", ["می\u200cروم", "."]),
        ("el", "Πού είναι;", ["Πού", "είναι", ";"]),
        ("tr", "Kitap nerede?", ["Kitap", "nerede", "?"]),
        ("am", "መጽሐፉ የት ነው።", ["መጽሐፉ", "የት", "ነው", "።"]),
    ],
)
def test_tokens(lang: str, text: str, tokens: list[str]) -> None:
    assert pack(lang).tokens(text) == tokens


def test_the_signature_says_what_results_depend_on() -> None:
    assert pack("ja").signature() == "lang:ja|tok:ja-mecab-0.996-IPA|lemma:unidic|function:otherwords"
    fields = dict(field.split(":") for field in pack("sv-SE").signature().split("|"))
    assert fields["lang"] == "sv"
    assert fields["tok"].startswith("words-u")
    assert (fields["lemma"], fields["function"]) == ("simplemma", "otherwords")
    assert "lemma:none" in pack("xx").signature()


@pytest.mark.parametrize("lang", ["en", "es", "fi", "ru", "sv", "ar", "th", None])
@settings(max_examples=60)  # the first word loads a dictionary
@given(text=anything)
def test_one_lemma_a_token(lang: str | None, text: str) -> None:
    chosen = pack(lang)
    assert len(chosen.lemmas(text)) == len(chosen.tokens(text))
    assert all(lemma for lemma in chosen.lemmas(text))


def test_importing_the_room_loads_no_analyser() -> None:
    heavy = ["simplemma", "libvoikko", "pymorphy3", "fugashi", "unidic_lite", "stopwordsiso", "numpy", "pyarrow"]
    code = f"import sys, otherwords.text; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=SECONDS)
    assert done.stdout.strip() == "[]"


def test_the_tokeniser_of_a_language() -> None:
    assert [pack(lang).tokeniser for lang in ("en", "jpn", None)] == ["words", "ja-mecab", "words"]
