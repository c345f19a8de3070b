"""Whether a label says that two texts are paraphrases, in corpora with labels of their own.

A label alone does not tell: a 1 says yes beside a 0 and no beside a 4. So all labels of a corpus are read together.
Where one pole is known and other labels are not, none of them says anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from otherwords.labels import is_label, parse_label

Polarity = Callable[[str | None], bool | None]  # None: the label does not say
YES = frozenset({"1", "true", "yes", "y", "positive", "paraphrase", "paraphrases", "equivalent"})
NO = frozenset(
    {"0", "false", "no", "n", "negative", "non-paraphrase", "not paraphrase", "not_paraphrase", "not equivalent"}
)
PARAPHRASER = frozenset({"-1", "0", "1"})  # no paraphrase, a loose one, a precise one


def polarity(labels: Collection[str]) -> Polarity:
    """How to read the labels of a corpus; a label that fits no known set says nothing."""
    known = {label for label in labels if label}
    if "-1" in known and known <= PARAPHRASER:
        return lambda label: None if label is None else label != "-1"
    if known - {"1"} and all(is_label(label) for label in known):
        return lambda label: parse_label(label).positive if label is not None and is_label(label) else None
    poles = {_plain(label) for label in known}
    if None in poles and len(poles) == 2:  # of "sí" and "no" only one is known: the share of the other would be 0
        return lambda label: None
    return _plain


def _plain(label: str | None) -> bool | None:
    word = label.strip().lower() if label else ""
    return True if word in YES else False if word in NO else None
