"""The texts of language models of words: how they are split, and a user's own text, sentence by sentence.

A text is split by a tokeniser, in the case that it has or in lower case. A user's own text is a text file, or the
``text`` of JSON Lines, also with .gz.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from otherwords.errors import DataError
from otherwords.models.edges import well_formed
from otherwords.text.tokenise import Tokeniser, tokeniser

Case = Literal["mixed", "lc"]


@dataclass(frozen=True, slots=True)
class WordSplitter:
    """From a text to its words."""

    tokeniser: Tokeniser
    case: Case = "mixed"

    @property
    def signature(self) -> str:
        return f"tok:{self.tokeniser.signature}|case:{self.case}"

    def words(self, text: str) -> list[str]:
        """The words. Lone surrogates, which no language model knows, become question marks."""
        plain = well_formed(text)
        return self.tokeniser.tokens(plain.lower() if self.case == "lc" else plain)


def word_splitter(name: str, case: Case) -> WordSplitter:
    """The splitter with a tokeniser of that name."""
    return WordSplitter(tokeniser(name), case)


class TextLine(msgspec.Struct):
    """A line of a JSON Lines file; other fields do not matter."""

    text: str


def own_sentences(path: Path) -> Iterator[str]:
    """The sentences of a file, as a stream."""
    number = 0
    as_json = ".jsonl" in path.suffixes
    decoder = msgspec.json.Decoder(TextLine)
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            for line in stream:
                number += 1
                if line.strip():
                    yield decoder.decode(line).text if as_json else line.decode("utf-8")
    except FileNotFoundError:
        raise DataError("there is no such file", path, code="model-missing") from None
    except UnicodeDecodeError:
        raise DataError("is not UTF-8", path, number, code="bad-training-text") from None
    except msgspec.DecodeError as problem:
        raise DataError(f"no JSON object with a text: {problem}", path, number, code="bad-training-text") from None
    except (OSError, EOFError, zlib.error) as problem:
        raise DataError(f"cannot be read: {problem}", path, code="bad-training-text") from None
