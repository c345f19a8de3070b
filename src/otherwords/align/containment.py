"""Whether one message is merely a part of another (Kanerva et al. 2023, §3.3).

The paper filters out "candidates where the shorter message is merely a subset of the longer one"
without saying how. Here a message is contained if its text, without regard to case and white space,
stands in the longer one, or if at least 95 % of its runs of five tokens do: a message that was copied
and then completed in the middle.
"""

from __future__ import annotations

from otherwords.text.ngrams import token_ngrams
from otherwords.text.normalise import normalise
from otherwords.text.tokenise import tokeniser

TOKENS = 5  # a run of so many is hardly ever written twice by chance
SHARE = 95  # per cent


def same_form(text: str) -> str:
    """The text without what makes no difference here: case, white space, the form of quotes."""
    return normalise(text, straight_quotes=True).casefold()


def contained(text1: str, text2: str) -> bool:
    """Whether the shorter of two texts is a part of the longer. An empty text is a part of any."""
    shorter, longer = sorted((same_form(text1), same_form(text2)), key=len)
    return shorter in longer or _mostly_in(shorter, longer)


def _mostly_in(shorter: str, longer: str) -> bool:
    cut = tokeniser("words").tokens
    runs = list(token_ngrams(cut(shorter), TOKENS))
    others = set(token_ngrams(cut(longer), TOKENS))
    return bool(runs) and 100 * sum(run in others for run in runs) >= SHARE * len(runs)
