"""Antonyms and co-hyponyms of a WordNet database: a small one written here, and the real one where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.text.contrasts import read_contrasts
from tests.errors import raises

REAL = Path("/usr/share/wordnet")
NOUNS = """\
  1 A licence
00000001 05 n 01 drink 0 000 | a liquid
00000002 05 n 02 tea 0 char 0 001 @ 00000001 n 0000 | leaves in water
00000003 05 n 01 coffee 0 001 @ 00000001 n 0000 | beans in water
"""
ADJECTIVES = """\
00000004 00 a 01 hot 0 001 ! 00000005 a 0101 | not cold
00000005 00 a 01 cold(p) 0 001 ! 00000004 a 0101 | not hot
00000006 00 s 01 icy 0 001 & 00000005 a 0000 | very cold
"""


def test_antonyms_and_words_of_one_hypernym(tmp_path: Path) -> None:
    (tmp_path / "data.noun").write_text(NOUNS)
    (tmp_path / "data.adj").write_text(ADJECTIVES)
    contrasts = read_contrasts(tmp_path)
    assert contrasts.contrasting("hot", "ADJ") == {"cold"}
    assert contrasts.contrasting("cold", "ADJ") == {"hot"}
    assert contrasts.contrasting("Tea", "NOUN") == {"coffee"}  # and not char, which is tea
    assert contrasts.contrasting("coffee", "NOUN") == {"tea", "char"}
    assert contrasts.contrasting("coffee", "VERB") == set()


def test_what_is_no_wordnet_is_refused(tmp_path: Path) -> None:
    with raises("not-a-wordnet"):
        read_contrasts(tmp_path)
    (tmp_path / "data.noun").write_text("00000001 05 n two words\n")
    with raises("not-a-synset"):
        read_contrasts(tmp_path)


@pytest.mark.skipif(not REAL.is_dir(), reason="WordNet is not installed")
def test_the_real_wordnet() -> None:
    contrasts = read_contrasts(REAL)
    assert "cold" in contrasts.contrasting("hot", "ADJ")
    assert "fall" in contrasts.contrasting("rise", "VERB")
    assert {"coffee", "milk"} & contrasts.contrasting("tea", "NOUN")
