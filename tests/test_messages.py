"""Errors have codes, and a person has read what they say."""

from __future__ import annotations

import re

from tests.messages import GOLDEN, PAGE, as_page, as_text, messages

CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+){0,5}")


def test_every_error_has_a_code() -> None:
    without = [f"{message.place}: {message.text}" for message in messages() if message.code is None]
    assert not without


def test_codes_are_short_words_with_hyphens() -> None:
    odd = {message.code for message in messages() if message.code != "…" and not CODE.fullmatch(message.code or "")}
    assert not odd


def test_the_golden_file_has_all_messages() -> None:
    assert GOLDEN.read_text(encoding="utf-8") == as_text(), "read the changed messages aloud, then: make messages"


def test_the_guide_has_all_codes() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == as_page(), "make messages"
    assert "](troubleshooting.md#" in page
