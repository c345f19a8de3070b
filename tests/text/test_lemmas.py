from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.text import pack
from otherwords.text.lemmas import _unidic_tagger, lemmatiser
from otherwords.text.tokenise import tokeniser
from otherwords.text.voikko import choose, voikko_analyser, voikko_lemma
from tests.errors import raises


@pytest.fixture
def fresh() -> Iterator[None]:
    """Analysers are cached for the process; these tests hide some of them."""
    caches = (lemmatiser, voikko_lemma, voikko_analyser, _unidic_tagger)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


@pytest.mark.parametrize(
    ("lang", "text", "lemmas"),
    [
        ("en", "The mice were running.", "the mouse be run ."),
        ("en", "She ISN'T here, they can’t.", "she isn't here , they can't ."),  # negation is not lost
        ("es", "Los niños comieron peras.", "el niño comer pera ."),
        ("sv", "Flickornas hundar sprang hem.", "flicka hund springa hem ."),
        ("ru", "Кошки сидели в старых домах.", "кошка сидеть в старый дом ."),
        ("ru", "За\u0301мки стояли у реки IV ☃", "замок стоять у река iv ☃"),  # stress marks do not hide a word
        ("nb", "Husene brant.", "hus brenne ."),
        ("th", "ABC ก", "abc ก"),
        (None, "Some Words.", "some words ."),
    ],
)
def test_lemmas(lang: str | None, text: str, lemmas: str) -> None:
    assert pack(lang).lemmas(text) == lemmas.split()


def test_japanese_lemmas() -> None:
    assert pack("ja").lemmas("昨日、東京タワーへ行きました。") == [
        "昨日",
        "、",
        "東京",
        "タワー",
        "へ",
        "行く",
        "ます",
        "た",
        "。",
    ]
    assert pack("ja").lemmas("ＸＹＺ社の Qwrt　です\0") == ["ｘｙｚ", "社", "の", "qwrt", "です"]


@given(st.text(st.one_of(st.sampled_from("猫が寝た行きカナabc 　\n\0-。1"), st.characters(codec="utf-8")), max_size=40))
def test_one_japanese_lemma_a_token_of_unidic(text: str) -> None:
    lemmas = pack("ja").lemmas(text)
    assert len(lemmas) == len(tokeniser("ja-unidic").tokens(text))
    assert all(lemmas)


@pytest.mark.parametrize(
    ("lang", "name"),
    [("en", "simplemma"), ("sv", "simplemma"), ("hr", "simplemma"), ("ja", "unidic"), ("zh", "none"), ("und", "none")],
)
def test_the_name_of_the_analyser(lang: str, name: str) -> None:
    assert pack(lang).lemmatiser == name
    assert f"lemma:{name}" in pack(lang).signature()


@pytest.mark.usefixtures("fresh")
def test_russian_falls_back_on_simplemma(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pack("ru").lemmatiser == "pymorphy3"
    lemmatiser.cache_clear()
    monkeypatch.setattr("otherwords.text.lemmas.find_spec", lambda name: None)
    assert pack("ru").lemmatiser == "simplemma"
    assert pack("ru").lemmas("старых домах") == ["старый", "дом"]


@pytest.mark.usefixtures("fresh")
def test_finnish_falls_back_on_simplemma(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "libvoikko", None)
    assert pack("fi").lemmatiser == "simplemma"
    assert "lemma:simplemma" in pack("fi").signature()


@pytest.mark.usefixtures("fresh")
def test_voikko_without_its_library_is_no_voikko(monkeypatch: pytest.MonkeyPatch) -> None:
    libvoikko = pytest.importorskip("libvoikko")

    def no_library(language: str) -> None:
        raise OSError("libvoikko.so.1: cannot open shared object file")

    monkeypatch.setattr(libvoikko, "Voikko", no_library)
    assert voikko_lemma() is None
    assert pack("fi").lemmatiser == "simplemma"


@pytest.mark.usefixtures("fresh")
def test_japanese_without_its_packages_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "unidic_lite", None)
    with raises("missing-extra", match=r"otherwords\[ja\]"):
        pack("ja").lemmas("猫")


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("taloissammekin", "talo"),
        ("Helsingissä", "helsinki"),
        ("enkä", "ei"),
        ("olisimme", "olla"),
        ("ollut", "olla"),  # a participle gives its verb
        ("kirjoittanutta", "kirjoittaa"),
        ("voi", "voida"),  # not butter
        ("tuota", "tuo"),  # the pronoun, not tuottaa
        ("siitä", "se"),
        ("minäkin", "minä"),
        ("vuotta", "vuosi"),
        ("elämän", "elämä"),
        ("haluamme", "haluta"),  # not the compound of halu and amme
        ("tietokoneohjelmassa", "tietokoneohjelma"),
        ("kuusi", "kuusi"),
        ("Qwrtissä", "qwrtissä"),
        ("a\0b", "a\0b"),
    ],
)
def test_finnish_by_voikko(form: str, lemma: str) -> None:
    lemma_of = voikko_lemma()
    if lemma_of is None:
        pytest.skip("Voikko is not installed (Debian: libvoikko1 voikko-fi)")
    assert lemma_of(form) == lemma


def test_how_a_reading_is_chosen() -> None:
    noun = {"BASEFORM": "tuli", "CLASS": "nimisana", "STRUCTURE": "=pppp"}
    verb = {"BASEFORM": "tulla", "CLASS": "teonsana", "STRUCTURE": "=pppp"}
    compound = {"BASEFORM": "olla", "CLASS": "nimisana", "STRUCTURE": "=pp=pp"}
    pronoun = {"BASEFORM": "Jokin", "CLASS": "asemosana", "STRUCTURE": "=pppp"}
    name = {"BASEFORM": "Tuli", "CLASS": "etunimi", "STRUCTURE": "=ipppp"}
    assert choose("Sana", []) == "sana"
    assert choose("tuli", [compound, noun, verb]) == "tulla"
    assert choose("tuli", [verb, pronoun]) == "jokin"
    assert choose("tulin", [name, noun]) == "tuli"
    assert choose("xx", [compound]) == "olla"
