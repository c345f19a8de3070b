from __future__ import annotations

import pytest

from otherwords.errors import UsageError
from otherwords.text.languages import language, language_name


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
    with pytest.raises(UsageError, match="is not a language tag"):
        language(tag)


def test_a_misspelt_name_is_answered_with_the_right_one() -> None:
    with pytest.raises(UsageError, match=r"'Finish' is not a language tag; did you mean fi \(Finnish\)\?"):
        language("Finish")


def test_names() -> None:
    assert [language_name(tag) for tag in ("spa", "pt-BR", "yue", None)] == [
        "Spanish",
        "Portuguese",
        "yue",
        "undetermined",
    ]


def test_no_code_means_two_languages() -> None:
    from otherwords.text.languages import _table

    codes = [code for code, aliases, _ in _table() for code in (code, *aliases)]
    assert len(codes) == len(set(codes))
    assert len({name for _, _, name in _table()}) == len(_table()) == 184
