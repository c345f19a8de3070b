"""What the settings say about the corpus is checked, and changed without touching anything else in the file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.project import create_project
from otherwords.project.about import (
    About,
    AnnotatorFacts,
    CorpusAuthor,
    TextFacts,
    checked_about,
    read_about,
    with_about,
    write_about,
)
from otherwords.project.config import CONFIG_FILE
from tests.errors import raises

ADA = CorpusAuthor("Byron, Ada", "0000-0002-1825-0097", "Institute of Engines")
WHOLE = About(
    title="Harbour talk",
    description="Paraphrases of what\nsailors say.",
    contact="harbour@example.org",
    funding="Grant 7",
    citation='Byron (2026): "Harbour talk".',
    authors=(ADA, CorpusAuthor("Grace Brewster Hopper")),
    texts=TextFacts("Standard English", "sailors", "in 2024, on deck", "chat"),
    annotators=AnnotatorFacts("three students", "12 euros an hour"),
)
words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp", "Cf", "Co", "Cn"]), max_size=20)


def test_a_new_project_has_an_empty_section(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en")
    assert read_about(tmp_path / "corpus") == About()
    assert len(About().empty) == 12
    assert About().empty[-1] == "annotators.pay"
    assert WHOLE.empty == []


def test_what_is_written_is_read(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en", "turku")
    before = tomllib.loads((tmp_path / "corpus" / CONFIG_FILE).read_text("utf-8"))
    write_about(tmp_path / "corpus", WHOLE)
    assert read_about(tmp_path / "corpus") == WHOLE
    write_about(tmp_path / "corpus", About())
    assert tomllib.loads((tmp_path / "corpus" / CONFIG_FILE).read_text("utf-8")) == before


@given(
    title=words, description=st.lists(words).map("\n".join), names=st.lists(words.filter(lambda name: name.strip(" ,")))
)
def test_any_words_are_kept(title: str, description: str, names: list[str]) -> None:
    about = checked_about({"title": title, "description": description, "authors": [{"name": name} for name in names]})
    text = with_about('[project]\nname = "x"\n', about)
    assert checked_about(tomllib.loads(text)["about"]) == about
    assert with_about(text, about) == text


def test_all_other_sections_and_comments_stay() -> None:
    text = '# mine\n[about]\ntitle = "x"\n[[about.authors]]\nname = "y"\n\n# where it is\n[ledger]\nurl = "z"  # here\n'
    changed = with_about(text, WHOLE)
    for line in ("# where it is", "[ledger]", 'url = "z"  # here'):
        assert line in changed
    assert changed.count("[about]") == 1
    assert with_about(changed, WHOLE) == changed


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ({"authors": [{"name": "Ada", "orcid": "0000-0002-1825-0098"}]}, "bad-orcid"),
        ({"authors": [{"name": "Ada", "orcid": "1825"}]}, "bad-orcid"),
        ({"authors": [{"name": " "}]}, "author-without-name"),
        ({"authors": [{"nome": "Ada"}]}, "bad-about"),
        ({"authors": [{"name": "Ada"}] * 201}, "too-many-authors"),
        ({"contact": "ask anybody"}, "bad-contact"),
        ({"contact": "ftp://example.org"}, "bad-contact"),
        ({"titel": "x"}, "bad-about"),
        ({"title": 7}, "bad-about"),
        ({"title": "a\x7fb"}, "control-character"),
        ({"description": "x" * 10_001}, "entry-too-long"),
    ],
)
def test_what_is_wrong_is_refused(tmp_path: Path, content: dict[str, Any], code: str) -> None:
    with raises(code):
        checked_about(content)


def test_a_mistake_in_the_file_names_the_file(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).write_text('[about]\ncontact = "nobody"\n', "utf-8")
    with raises("bad-contact", match=CONFIG_FILE):
        read_about(tmp_path)
    with raises("misplaced-about"):
        with_about('about = { title = "x" }\n', WHOLE)


@pytest.mark.parametrize(
    "spelled", ["0000-0002-1694-233X", "https://orcid.org/0000-0002-1694-233x", "000000021694233X"]
)
def test_an_orcid_has_one_spelling(spelled: str) -> None:
    about = checked_about({"authors": [{"name": "Ada", "orcid": spelled}], "contact": "https://example.org/ask"})
    assert about.authors[0].orcid == "0000-0002-1694-233X"


def test_names_as_people_write_them() -> None:
    assert ADA.names == ("Ada", "Byron")
    assert ADA.full_name == "Ada Byron"
    assert CorpusAuthor("Grace Brewster Hopper").names == ("Grace Brewster", "Hopper")
    assert CorpusAuthor("Plato").full_name == "Plato"
