"""How language models of words split a text: by a tokeniser, in the case that it has or in lower case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from otherwords.models.well_formed import well_formed
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
