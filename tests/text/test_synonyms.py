from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.text.synonyms import Synonyms, build_synonyms, load_synonyms
from tests.errors import raises

DEBIAN_WORDNET = Path("/usr/share/wordnet")

words = st.text(st.sampled_from("aAä_ b"), min_size=1, max_size=3)


@pytest.fixture(scope="module")
def tiny(fixtures: Path) -> Synonyms:
    return load_synonyms(fixtures / "text" / "tiny-fin.tab")


@pytest.fixture(scope="module")
def miniature(fixtures: Path) -> Synonyms:
    return load_synonyms(fixtures / "text" / "wordnet")


def test_a_word_in_two_synsets_has_the_synonyms_of_both(tiny: Synonyms) -> None:
    assert tiny.synonyms("kulkupeli") == {"auto", "polku pyörä"}
    assert tiny.synonyms("auto") == {"kulkupeli"}
    assert tiny.related("auto", "kulkupeli")
    assert not tiny.related("auto", "polku pyörä")  # not through a third word


@pytest.mark.parametrize("spelled", ["polku_pyörä", "polku pyörä", " Polku  Pyörä ", "polku_pyo\u0308ra\u0308"])
def test_case_blanks_and_normal_form_do_not_matter(tiny: Synonyms, spelled: str) -> None:
    assert spelled in tiny
    assert tiny.synonyms(spelled) == {"kulkupeli"}


def test_what_the_header_says(tiny: Synonyms) -> None:
    assert (tiny.name, tiny.licence, len(tiny)) == ("Tiny Wordnet-fin", "CC0", 6)
    assert tiny.signature() == "synonyms:Tiny Wordnet-fin"


def test_other_kinds_of_line_and_empty_lemmas_are_passed_over(tiny: Synonyms) -> None:
    assert "ajoneuvo" not in tiny
    assert "" not in tiny
    assert tiny.related("ajaa", "ajella")
    assert "nopea" in tiny


def test_a_file_without_header_or_last_line_end(fixtures: Path) -> None:
    headless = load_synonyms(fixtures / "text" / "headless.tab")
    assert (headless.name, headless.licence) == ("headless", "")
    assert headless.synonyms("quickly") == {"swiftly"}


def test_an_unknown_word_is_related_to_itself_only(tiny: Synonyms) -> None:
    assert tiny.synonyms("unknown") == frozenset()
    assert tiny.related("unknown", "Unknown")
    assert not tiny.related("unknown", "auto")


def test_a_wordnet_database(miniature: Synonyms) -> None:
    assert miniature.synonyms("jug") == {"water pitcher"}
    assert miniature.synonyms("galore") == {"plentiful", "ample"}  # without the marker (ip)
    assert miniature.synonyms("vessel") == frozenset()
    assert "vessel" in miniature
    assert (miniature.name, len(miniature)) == ("WordNet-9.1", 6)


def test_a_bad_tab_line_is_named(fixtures: Path) -> None:
    with raises("not-an-omw-line", match=r"broken\.tab: line 3: "):
        load_synonyms(fixtures / "text" / "broken.tab")


def test_a_bad_database_line_is_named(fixtures: Path) -> None:
    with raises("incomplete-synset", match=r"data\.noun: line 3: announces 11 words"):
        load_synonyms(fixtures / "text" / "broken-wordnet")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("0101 06 n 01 jug 0 000 | short offset", "not-a-synset"),
        ("00000101 06 q 01 jug 0 000 | no such part of speech", "not-a-synset"),
        ("00000101 06 n 00 000 | no word", "incomplete-synset"),
        ("", "not-a-synset"),
    ],
)
def test_what_makes_a_database_line_bad(tmp_path: Path, line: str, code: str) -> None:
    (tmp_path / "data.verb").write_text(f"  1 Licence\n{line}\n", encoding="utf-8")
    with raises(code, match="data.verb: line 2: "):
        load_synonyms(tmp_path)


@pytest.mark.parametrize(
    "line", ["1-n\teng:lemma\tjug", "00000001-x\teng:lemma\tjug", "00000001-n\teng:lemma", "00000001-n\t\tjug"]
)
def test_what_makes_a_tab_line_bad(tmp_path: Path, line: str) -> None:
    path = tmp_path / "one.tab"
    path.write_text(line, encoding="utf-8")
    with raises("not-an-omw-line", match="line 1: "):
        load_synonyms(path)


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.tab"
    path.write_bytes(b"# Latin\teng\t\tCC0\n00000001-n\teng:lemma\tcaf\xe9\n")
    with raises("not-utf8", match=r"latin\.tab: line 2: "):
        load_synonyms(path)


def test_what_is_not_there(tmp_path: Path) -> None:
    with raises("no-such-file"):
        load_synonyms(tmp_path / "missing.tab")
    with raises("not-a-wordnet"):
        load_synonyms(tmp_path)


@given(st.lists(st.tuples(st.sampled_from("123"), words)), words, words)
def test_being_related_has_no_direction(senses: list[tuple[str, str]], a: str, b: str) -> None:
    table = build_synonyms(senses, "drawn")
    assert table.related(a, b) == table.related(b, a)
    assert all(table.related(a, other) and other != a for other in table.synonyms(a))


@pytest.mark.parametrize(
    ("code", "lemmas", "word", "synonym", "other"),
    [
        ("eng", 37608, "car", "automobile", "house"),
        ("fin", 23342, "kyvytön", "kykenemätön", "auto"),
        ("jpn", 16792, "行く", "参る", "猫"),
        ("rus", 25185, "машина", "автомобиль", "дом"),
        ("spa", 19712, "coche", "automóvil", "casa"),
    ],
)
def test_the_real_wordnets(shared_data: Path, code: str, lemmas: int, word: str, synonym: str, other: str) -> None:
    path = shared_data / "omw" / f"wn-wikt-{code}.tab"
    if not path.is_file():
        pytest.skip(f"{path.name} is not here")
    table = load_synonyms(path)
    assert (table.name, table.licence, len(table)) == (f"Wiktionary-{code}", "CC BY-SA", lemmas)
    assert table.related(word, synonym)
    assert not table.related(word, other)


def test_the_real_wordnet_database() -> None:
    if not DEBIAN_WORDNET.is_dir():
        pytest.skip("WordNet is not installed (Debian: wordnet-base)")
    table = load_synonyms(DEBIAN_WORDNET)
    assert table.name.startswith("WordNet-3")
    assert {"automobile", "motorcar", "auto"} <= table.synonyms("car")
    assert table.related("water_pistol", "squirt gun")
