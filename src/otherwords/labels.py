"""The label algebra of the Turku scheme (Kanerva et al. 2023, §5): a base of 1–4 or x, and flags on 4 only.

Everything that the rest of the package asks of such labels is here: parsing and validation, the canonical
spelling, the mirror image when the two texts are swapped, the projections that agreement is measured on,
and comparison under a projection.

    >>> parse("4si>")
    Label('4>is')
    >>> parse("4>is").mirror().project("arrows")
    '4<'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from otherwords.errors import LabelError

Projection = Literal["full", "arrows", "base", "binary"]
PROJECTIONS: tuple[Projection, ...] = get_args(Projection)

BASES = ("1", "2", "3", "4", "x")
ARROWS = ("<", ">")
POSITIVE_FROM = 3  # binary: 3 and up are paraphrases

_MIRRORED = {"<": ">", ">": "<", "": ""}


@dataclass(frozen=True, slots=True, repr=False)
class Label:
    """One label. ``str(label)`` is its canonical spelling: base, arrow, i, s."""

    base: str
    arrow: str = ""
    i: bool = False
    s: bool = False

    def __post_init__(self) -> None:
        if self.base not in BASES:
            raise LabelError(f"label {self.base!r} is not one of {' '.join(BASES)}", code="unknown-label")
        if self.arrow and self.arrow not in ARROWS:
            raise LabelError(f"arrow {self.arrow!r} is not < or >", code="unknown-flag")
        if self.base != "4" and (self.arrow or self.i or self.s):
            message = f"label {str(self)!r}: flags (< > i s) go with 4 only, not with {self.base}"
            raise LabelError(message, code="misplaced-flag")

    def __str__(self) -> str:
        return self.base + self.arrow + "i" * self.i + "s" * self.s

    def __repr__(self) -> str:
        return f"Label({str(self)!r})"

    def mirror(self) -> Label:
        """The label of the same pair with its two texts swapped."""
        return Label(self.base, _MIRRORED[self.arrow], self.i, self.s)

    @property
    def positive(self) -> bool | None:
        """Whether the pair counts as a paraphrase; a skipped pair (x) has no answer."""
        return None if self.base == "x" else int(self.base) >= POSITIVE_FROM

    def project(self, projection: Projection) -> str | None:
        """The label as one of the four projections spells it; None where it has no value there."""
        match projection:
            case "full":
                return str(self)
            case "arrows":
                return self.base + self.arrow
            case "base":
                return self.base
            case "binary":
                return {True: "positive", False: "negative", None: None}[self.positive]
        raise LabelError(f"projection {projection!r} is not one of {', '.join(PROJECTIONS)}", code="unknown-projection")

    def agrees(self, other: Label, projection: Projection = "full") -> bool | None:
        """Whether two labels are the same under a projection; None if either has no value there."""
        ours, theirs = self.project(projection), other.project(projection)
        return None if ours is None or theirs is None else ours == theirs


@lru_cache(1000)  # there are some twenty labels, and millions of pairs that have them
def parse_label(text: str) -> Label:
    """Read a label, with its flags in any order; a LabelError says what is wrong with it."""
    spelling = text.strip()
    if not spelling:
        raise LabelError("the label is empty", code="empty-label")
    base, flags = spelling[0], spelling[1:]
    if base not in BASES:
        raise LabelError(f"label {text!r}: {base!r} is not one of {' '.join(BASES)}", code="unknown-label")
    for flag in flags:
        if flag not in "<>is":
            raise LabelError(f"label {text!r}: unknown flag {flag!r}; the flags are < > i s", code="unknown-flag")
        if flags.count(flag) > 1:
            raise LabelError(f"label {text!r}: flag {flag!r} is given twice", code="repeated-flag")
    if "<" in flags and ">" in flags:
        raise LabelError(f"label {text!r}: < and > exclude each other", code="contradictory-flags")
    arrow = "".join(flag for flag in flags if flag in ARROWS)
    return Label(base, arrow, i="i" in flags, s="s" in flags)


def is_label(text: str) -> bool:
    """Whether a string is a label of the scheme."""
    try:
        parse_label(text)
    except LabelError:
        return False
    return True


def all_labels() -> list[Label]:
    """Every label of the scheme, worst to best and plain before flagged; x last."""
    flagged = [Label("4", arrow, i, s) for arrow in ("", *ARROWS) for i in (False, True) for s in (False, True)]
    return [Label("1"), Label("2"), Label("3"), *flagged, Label("x")]
