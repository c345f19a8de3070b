from __future__ import annotations

import pytest

from otherwords.text.languages import language, language_name, listing
from tests.errors import raises


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("fi", "fi"),
        ("FI", "fi"),
        ("fin", "fi"),
        ("fi-FI", "fi"),
        ("fi_FI.UTF-8", "fi"),
        ("Finnish", "fi"),
        ("swe", "sv"),
        ("rus", "ru"),
        ("jpn", "ja"),
        ("fre", "fr"),
        ("fra", "fr"),
        ("ger", "de"),
        ("cmn", "zh"),
        ("chi", "zh"),
        ("zh-Hant-TW", "zh"),
        ("sr_RS@latin", "sr"),
        ("pes", "fa"),
        ("iw", "he"),
        ("arb", "ar"),
        ("nob", "nb"),
        ("no", "no"),
        ("yue", "yue"),  # no two-letter code: kept
        ("xx", "xx"),  # well formed, unknown to us: kept
        ("de-1996-x-own", "de"),
        (" es ", "es"),
        ("Volapük", "vo"),
    ],
)
def test_one_code_for_each_language(tag: str, code: str) -> None:
    assert language(tag) == code


@pytest.mark.parametrize("tag", [None, "und", "mul", "zxx", "x-klingon", "i-default"])
def test_no_single_language_is_undetermined(tag: str | None) -> None:
    assert language(tag) == "und"


@pytest.mark.parametrize(
    "tag", ["", "f", "x", "fi-", "fi FI", "12", "fi--FI", "fi-toolongsubtag", "suo mi", "фи", "e\u0301n"]
)
def test_nonsense_is_refused(tag: str) -> None:
    with raises("not-a-language"):
        language(tag)


def test_a_misspelt_name_is_answered_with_the_right_one() -> None:
    with raises("not-a-language", match=r"did you mean fi \(Finnish\)\?"):
        language("Finish")


def test_names() -> None:
    assert [language_name(tag) for tag in ("spa", "pt-BR", "yue", None)] == [
        "Spanish",
        "Portuguese",
        "yue",
        "undetermined",
    ]


def test_no_code_means_two_languages() -> None:
    rows = [line.split("\t") for line in listing("languages.tsv")]
    codes = [code for code, aliases, _ in rows for code in (code, *aliases.split())]
    assert len(codes) == len(set(codes))
    assert len({name for _, _, name in rows}) == len(rows) == 184
