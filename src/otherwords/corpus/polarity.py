"""Whether a label says that two texts are paraphrases, in corpora that each have labels of their own.

In go all labels of a corpus, since one alone does not tell: a 1 says yes beside a 0 and no beside a 4. Out comes a
function from a label to True, False or None, which is "it does not say". Where one pole alone is known and other
labels are not, none of them says anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from otherwords.labels import is_valid, parse

Polarity = Callable[[str | None], bool | None]
YES = frozenset({"1", "true", "yes", "y", "positive", "paraphrase", "paraphrases", "equivalent"})
NO = frozenset(
    {"0", "false", "no", "n", "negative", "non-paraphrase", "not paraphrase", "not_paraphrase", "not equivalent"}
)
PARAPHRASER = frozenset({"-1", "0", "1"})  # no paraphrase, a loose one, a precise one


def polarity(labels: Collection[str]) -> Polarity:
    """How the labels of a corpus are to be read; one that fits no known way says nothing."""
    known = {label for label in labels if label}
    if "-1" in known and known <= PARAPHRASER:
        return lambda label: None if label is None else label != "-1"
    if known - {"1"} and all(is_valid(label) for label in known):
        return _turku
    said = {_plain(label) for label in known}
    if None in said and len(said) == 2:  # of "sí" and "no" only one is known: the share of it would be that of none
        return lambda label: None
    return _plain


def _turku(label: str | None) -> bool | None:
    return parse(label).positive if label is not None and is_valid(label) else None


def _plain(label: str | None) -> bool | None:
    word = label.strip().lower() if label else ""
    return True if word in YES else False if word in NO else None
