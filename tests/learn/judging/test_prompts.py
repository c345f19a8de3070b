"""Prompts say all that a scheme asks, and answers are read strictly."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.annotate.schemes import load_scheme
from otherwords.learn.judging.prompts import NO_ANSWER, OTHER_ANSWER, prompt_for, read_answer
from tests.errors import raises

TURKU, RUPAWS, LOOSE = load_scheme("turku"), load_scheme("rupaws"), load_scheme("binary-loose")


@pytest.mark.parametrize(
    ("text", "value"),
    [("4", "4"), (" 4>s.\n", "4>s"), ("`4is`", "4is"), ("“3”", "3"), ("X", "x"), ("'2'.", "2"), ("4si>", "4>is")],
)
def test_answers_of_one_question(text: str, value: str) -> None:
    assert read_answer(TURKU, text) == (value, None)


@pytest.mark.parametrize("text", ["5", "4 because", "The answer is 4", "3s", "4<>", "44", "4\n3", "Text 1: 4"])
def test_whatever_else_a_model_writes_is_no_answer(text: str) -> None:
    assert read_answer(TURKU, text) == (None, OTHER_ANSWER)


@pytest.mark.parametrize("text", ["", "  \n", '""'])
def test_an_empty_answer_is_none(text: str) -> None:
    assert read_answer(TURKU, text) == (None, NO_ANSWER)


def test_answers_of_several_questions() -> None:
    both = "well_formed: yes\nparaphrase: No."
    assert read_answer(RUPAWS, both) == ({"well_formed": "yes", "paraphrase": "no"}, None)
    for wrong in ("yes", "well_formed: yes", f"{both}\nparaphrase: yes", f"Sure!\n{both}", "well_formed: maybe"):
        assert read_answer(RUPAWS, wrong) == (None, OTHER_ANSWER)


def test_the_prompts_that_ship_say_what_is_asked() -> None:
    prompt = prompt_for(TURKU).ask("The {text2} went out.", "It was dark.")
    assert "Text 1: The {text2} went out.\nText 2: It was dark." in prompt  # a text is not searched for places
    assert all(value.help in prompt for value in TURKU.questions[0].values)
    assert "added to 4: first more general" in prompt
    assert "well_formed: Are both texts grammatical" in prompt_for(RUPAWS).ask("a", "b")


def test_the_version_is_of_all_that_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    file.write_text("{guideline}\n{text1}\n{text2}\n", "utf-8")
    versions = [prompt_for(LOOSE, file, text).version for text in ("old", "new")] + [prompt_for(LOOSE).version]
    assert len(set(versions)) == 3
    assert prompt_for(LOOSE, file, "old").version == versions[0]


def test_prompts_that_cannot_be_used(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    for text, code in (
        ("{text1}", "prompt-without-texts"),
        ("{text1}{text2}{label}", "unknown-place"),
        (" ", "empty-prompt"),
    ):
        file.write_text(text, "utf-8")
        with raises(code):
            prompt_for(LOOSE, file)
    file.write_bytes(b"\xff\xfe{text1}")
    with raises("not-utf8"):
        prompt_for(LOOSE, file)
    with raises("file-unreadable"):
        prompt_for(LOOSE, tmp_path / "nothing.txt")
    with raises("scheme-for-people", match="types to be marked"):
        prompt_for(load_scheme("vila"))
