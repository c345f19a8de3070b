"""Phenomena: one canonical form, and a sentence for whatever a type does not allow."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.annotate.phenomena import TagSet, check_scopes, normalise, tag_set
from otherwords.annotate.schemes import parse, scheme
from otherwords.errors import LabelError

TAGS = tag_set(
    [
        {"tag": "word", "name": "word", "class": "Words", "colour": "blue", "projection": "required"},
        {"tag": "clause", "keys": True},
        {"tag": "more", "one_sided": True},
        {"tag": "same", "identical": True},
        {"tag": "alone", "overlap": False},
    ]
)
WORD = {"type": "word", "scope1": [[0, 3]], "scope2": [[4, 6]], "projection": "local"}
CLAUSE = {"type": "clause", "scope1": [[0, 9]], "scope2": [[0, 9]]}
ALONE = {"type": "alone", "scope1": [[20, 24]], "scope2": [[30, 31]]}


def vila(name: str = "vila") -> TagSet:
    return tag_set(scheme(name).question("types").types)


def test_the_shipped_tag_set_is_the_paper_s() -> None:
    told = scheme("vila").question("types").types
    assert len(told) == 24
    assert len({one["class"] for one in told}) == 5
    assert len({one["subclass"] for one in told if "subclass" in one}) == 4
    types = vila().types
    with_keys = {tag for tag, one in types.items() if one.keys}
    assert with_keys == {one["tag"] for one in told if one["class"] == "Structure"}
    extremes = {"identical", "entailment", "non_paraphrases"}
    assert {tag for tag, one in types.items() if one.projection} == set(types) - with_keys - extremes
    assert [tag for tag, one in types.items() if one.one_sided] == ["addition_deletion"]
    assert all(one["help"] for one in told)


def test_the_simplified_one_has_neither_projection_nor_keys_nor_overlap() -> None:
    types = vila("vila-simplified").types
    assert not any(one.projection or one.keys or one.overlap for one in types.values())
    assert set(vila().types) - set(types) == {"addition_deletion", "non_paraphrases"}


def test_ranges_are_sorted_and_joined_and_phenomena_are_in_the_order_of_the_text() -> None:
    later = {"type": "clause", "scope1": [[9, 12], [5, 6], [6, 8]], "scope2": [[3, 5], [1, 4]], "key1": [[10, 11]]}
    made = normalise(TAGS, [later, WORD | {"key1": [], "key2": [], "meta": {}}])
    assert made == [
        WORD,
        {"type": "clause", "scope1": [[5, 8], [9, 12]], "scope2": [[1, 5]], "key1": [[10, 11]]},
    ]


RANGES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 9)).map(lambda told: [told[0], sum(told)]), min_size=1, max_size=5
)


@given(st.lists(st.tuples(RANGES, RANGES), min_size=1, max_size=6))
def test_the_canonical_form_covers_the_same_and_is_its_own(scopes: list[tuple[Any, Any]]) -> None:
    tags = tag_set([{"tag": f"t{place}"} for place in range(len(scopes))])  # so that nothing is there twice
    told = [{"type": f"t{place}", "scope1": one, "scope2": two} for place, (one, two) in enumerate(scopes)]
    made = normalise(tags, told)
    assert normalise(tags, list(reversed(made))) == made

    def covered(listed: list[Any]) -> list[set[int]]:
        return sorted(
            ({place for start, end in one["scope1"] for place in range(start, end)} for one in listed), key=sorted
        )

    assert covered(told) == covered(made)
    assert all(two[0] > one[1] for each in made for one, two in zip(each["scope1"], each["scope1"][1:], strict=False))


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (None, "at least one phenomenon"),
        ([], "at least one phenomenon"),
        ("word", "at least one phenomenon"),
        ([WORD] * 201, "at most 200 phenomena"),
        ([["word"]], "a phenomenon has a type"),
        ([WORD | {"weight": 2}], "a phenomenon has a type"),
        ([WORD | {"type": "wrd"}], "there is no type 'wrd'; did you mean"),
        ([WORD | {"type": None}], "there is no type None"),
        ([WORD | {"type": ["word"]}], "there is no type"),
        ([WORD | {"scope1": []}], "in the first text as well"),
        ([WORD | {"scope2": None}], "in the second text as well"),
        ([WORD | {"scope1": [], "scope2": []}], "mark the words"),
        ([WORD | {"scope1": [[3, 3]]}], "in which there is nothing"),
        ([WORD | {"scope1": [[5, 3]]}], "in which there is nothing"),
        ([WORD | {"scope1": [[-1, 3]]}], "in which there is nothing"),
        ([WORD | {"scope1": [[0, 3.0]]}], "no range of characters"),
        ([WORD | {"scope1": [[False, True]]}], "no range of characters"),
        ([WORD | {"scope1": [[0, 3, 5]]}], "no range of characters"),
        ([WORD | {"scope1": [3]}], "no range of characters"),
        ([WORD | {"scope1": "0-3"}], "is a list of at most"),
        ([WORD | {"scope1": [[0, 3]] * 101}], "is a list of at most"),
        ([WORD | {"projection": None}], "local or global"),
        ([WORD | {"projection": "LOCAL"}], "local or global"),
        ([CLAUSE | {"projection": "local"}], "has no projection"),
        ([WORD | {"key1": [[0, 2]]}], "has no key elements"),
        ([CLAUSE | {"key1": [[8, 11]]}], "within its scope"),
        ([CLAUSE | {"scope1": [[0, 4], [6, 9]], "key1": [[3, 7]]}], "within its scope"),
        ([{"type": "more", "scope1": [[0, 2]], "scope2": [[0, 2]]}], "in one of the texts only"),
        ([WORD | {"meta": {"pre": True}}], "nothing else"),
        ([CLAUSE | {"type": "same", "meta": {"pre": 1, "by": "me"}}], "nothing else"),
        ([WORD, WORD | {"projection": "global"}], "marked twice"),
        ([ALONE, CLAUSE | {"scope1": [[22, 40]]}], "share words"),
        ([ALONE, {"type": "more", "scope2": [[30, 33]]}], "share words"),
    ],
)
def test_what_a_type_does_not_allow(told: Any, reason: str) -> None:
    with pytest.raises(LabelError, match=reason):
        normalise(TAGS, told)


def test_what_may_overlap_does() -> None:
    assert len(normalise(TAGS, [WORD, CLAUSE, ALONE, {"type": "more", "scope2": [[31, 33]]}])) == 4
    (one,) = normalise(TAGS, [CLAUSE | {"type": "same", "meta": {"pre": True}}])
    assert one["meta"] == {"pre": True}


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ([], "at least one"),
        ([{"name": "no tag"}], "needs a tag"),
        ([{"tag": "a"}, {"tag": "a"}], "twice"),
        ([{"tag": "a", "color": "red"}], "unknown setting 'color'"),
        ([{"tag": "a", "colour": "pink"}], "colour is one of"),
        ([{"tag": "a", "keys": "yes"}], "true or false"),
        ([{"tag": "a", "help": 3}], "has to be a text"),
        ([{"tag": "a", "projection": True}], "projection is"),
    ],
)
def test_tag_sets_that_cannot_be_used(told: list[dict[str, Any]], reason: str) -> None:
    with pytest.raises(LabelError, match=reason):
        tag_set(told)


OWN = {"name": "own", "title": "Which?", "kind": "types", "types": [{"tag": "a"}, {"tag": "b", "keys": True}]}
TWO = [{"name": name, "kind": "types", "types": [{"tag": "a"}]} for name in ("one", "two")]
KEYED = [{"name": "yes", "values": [{"value": "y", "key": "p", "name": "y"}, {"value": "n", "key": "n", "name": "n"}]}]


def test_somebody_s_own_tag_set() -> None:
    own = parse(OWN)
    told = [{"type": "b", "scope1": [[3, 5]], "scope2": [[0, 2]], "key1": [[3, 4]]}]
    assert own.normalise(told) == told
    assert own.parts(told) == {"b"}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"types": [{"tag": "a", "kees": True}]}, "unknown setting 'kees'"),
        ({"unit": "group"}, "types are marked in pairs"),
        ({"kind": "choice"}, "types go with kind"),
        ({"kind": None, "types": None, "questions": TWO}, "no more"),
        ({"kind": None, "types": None, "questions": KEYED + TWO[:1]}, "taken by the editor"),
    ],
)
def test_schemes_of_types_that_cannot_be_worked_with(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(LabelError, match=reason):
        parse({name: value for name, value in (OWN | changes).items() if value is not None})


def test_scopes_end_where_the_text_ends() -> None:
    made = normalise(TAGS, [WORD])
    check_scopes(made, "abc", "👍 abcd")
    with pytest.raises(LabelError, match="beyond the text; text 2 has 5 characters"):
        check_scopes(made, "abc", "abcde")
