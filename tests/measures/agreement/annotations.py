"""Annotations as hypothesis makes them up: two annotators, some pairs of texts of blank-separated letters."""

from __future__ import annotations

from hypothesis import strategies as st

from otherwords.measures.agreement.iapta import cut
from otherwords.records import Phenomenon

WORDS = 5
TEXT = " ".join("abcdef")
TOKENS = {f"p{number}": (cut(TEXT), cut(TEXT)) for number in range(4)}
TYPES = ("order", "semantic", "addition_deletion")
Marks = dict[str, list[Phenomenon]]
WORD_SETS = st.integers(1, 2**WORDS - 1)  # the bits are the words of a scope, which may be in several parts


def ranges(bits: int) -> list[tuple[int, int]]:
    return [(2 * number, 2 * number + 1) for number in range(WORDS) if bits >> number & 1]


@st.composite
def phenomena(draw: st.DrawFn) -> Phenomenon:
    """One that has a scope where its type has to have one."""
    type = draw(st.sampled_from(TYPES))
    one, two = draw(WORD_SETS), draw(WORD_SETS)
    if type == "addition_deletion":
        one, two = draw(st.sampled_from([(one, 0), (0, two)]))
    key1, key2 = draw(st.tuples(WORD_SETS, WORD_SETS) | st.just((0, 0)) | st.tuples(WORD_SETS, st.just(0)))
    projection = draw(st.sampled_from(["local", "global", None]))
    scopes = {"scope1": ranges(one), "scope2": ranges(two), "key1": ranges(key1), "key2": ranges(key2)}
    return Phenomenon(type=type, projection=projection, **scopes)


def annotations() -> st.SearchStrategy[Marks]:
    """What one annotator marked in some pairs, nothing in a few."""
    return st.fixed_dictionaries({name: st.lists(phenomena(), max_size=3) for name in ("p0", "p1", "p2")})


def one_to_one() -> st.SearchStrategy[Marks]:
    """At most one phenomenon of each type a pair, so that none has two counterparts."""
    return annotations().map(
        lambda marks: {name: list({one.type: one for one in listed}.values()) for name, listed in marks.items()}
    )
