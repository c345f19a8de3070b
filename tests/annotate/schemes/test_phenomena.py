"""Phenomena have one canonical form, and what a type does not allow is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.schemes.phenomena import TagSet, check_scopes, normalise, tag_set
from otherwords.annotate.schemes.reading import parse_scheme
from tests.errors import raises

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
    return tag_set(load_scheme(name).question("types").types)


def test_the_shipped_tag_set_is_that_of_the_paper() -> None:
    entries = load_scheme("vila").question("types").types
    assert len(entries) == 24
    assert len({entry["class"] for entry in entries}) == 5
    assert len({entry["subclass"] for entry in entries if "subclass" in entry}) == 4
    types = vila().types
    with_keys = {tag for tag, entry in types.items() if entry.keys}
    assert with_keys == {entry["tag"] for entry in entries if entry["class"] == "Structure"}
    extremes = {"identical", "entailment", "non_paraphrases"}
    assert {tag for tag, entry in types.items() if entry.projection} == set(types) - with_keys - extremes
    assert [tag for tag, entry in types.items() if entry.one_sided] == ["addition_deletion"]
    assert all(entry["help"] for entry in entries)


def test_the_simplified_tag_set_has_no_projection_keys_or_overlap() -> None:
    types = vila("vila-simplified").types
    assert not any(entry.projection or entry.keys or entry.overlap for entry in types.values())
    assert set(vila().types) - set(types) == {"addition_deletion", "non_paraphrases"}


def test_ranges_are_sorted_and_joined_and_phenomena_are_in_the_order_of_the_text() -> None:
    later = {"type": "clause", "scope1": [[9, 12], [5, 6], [6, 8]], "scope2": [[3, 5], [1, 4]], "key1": [[10, 11]]}
    phenomena = normalise(TAGS, [later, WORD | {"key1": [], "key2": [], "meta": {}}])
    assert phenomena == [
        WORD,
        {"type": "clause", "scope1": [[5, 8], [9, 12]], "scope2": [[1, 5]], "key1": [[10, 11]]},
    ]


RANGES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 9)).map(lambda numbers: [numbers[0], sum(numbers)]),
    min_size=1,
    max_size=5,
)


@given(st.lists(st.tuples(RANGES, RANGES), min_size=1, max_size=6))
def test_the_canonical_form_covers_the_same_words_and_is_idempotent(scopes: list[tuple[Any, Any]]) -> None:
    tags = tag_set([{"tag": f"t{place}"} for place in range(len(scopes))])  # so that nothing is there twice
    marked = [
        {"type": f"t{place}", "scope1": scope1, "scope2": scope2} for place, (scope1, scope2) in enumerate(scopes)
    ]
    phenomena = normalise(tags, marked)
    assert normalise(tags, list(reversed(phenomena))) == phenomena

    def covered(listed: list[Any]) -> list[set[int]]:
        return sorted(
            ({place for start, end in each["scope1"] for place in range(start, end)} for each in listed), key=sorted
        )

    assert covered(marked) == covered(phenomena)
    assert all(
        later[0] > earlier[1]
        for each in phenomena
        for earlier, later in zip(each["scope1"], each["scope1"][1:], strict=False)
    )


@pytest.mark.parametrize(
    ("marked", "code", "fact"),
    [
        (None, "no-phenomena", ""),
        ([], "no-phenomena", ""),
        ("word", "no-phenomena", ""),
        ([WORD] * 201, "too-many-phenomena", "200"),
        ([["word"]], "not-a-phenomenon", ""),
        ([WORD | {"weight": 2}], "not-a-phenomenon", ""),
        ([WORD | {"type": "wrd"}], "no-such-type", "'wrd'; did you mean"),
        ([WORD | {"type": None}], "no-such-type", ""),
        ([WORD | {"type": ["word"]}], "no-such-type", ""),
        ([WORD | {"scope1": []}], "one-scope", "first"),
        ([WORD | {"scope2": None}], "one-scope", "second"),
        ([WORD | {"scope1": [], "scope2": []}], "no-scope", ""),
        ([WORD | {"scope1": [[3, 3]]}], "empty-range", ""),
        ([WORD | {"scope1": [[5, 3]]}], "empty-range", ""),
        ([WORD | {"scope1": [[-1, 3]]}], "empty-range", ""),
        ([WORD | {"scope1": [[0, 3.0]]}], "bad-range", ""),
        ([WORD | {"scope1": [[False, True]]}], "bad-range", ""),
        ([WORD | {"scope1": [[0, 3, 5]]}], "bad-range", ""),
        ([WORD | {"scope1": [3]}], "bad-range", ""),
        ([WORD | {"scope1": "0-3"}], "bad-ranges", ""),
        ([WORD | {"scope1": [[0, 3]] * 101}], "bad-ranges", ""),
        ([WORD | {"projection": None}], "missing-projection", ""),
        ([WORD | {"projection": "LOCAL"}], "missing-projection", ""),
        ([CLAUSE | {"projection": "local"}], "projection-not-allowed", ""),
        ([WORD | {"key1": [[0, 2]]}], "keys-not-allowed", ""),
        ([CLAUSE | {"key1": [[8, 11]]}], "key-outside-scope", ""),
        ([CLAUSE | {"scope1": [[0, 4], [6, 9]], "key1": [[3, 7]]}], "key-outside-scope", ""),
        ([{"type": "more", "scope1": [[0, 2]], "scope2": [[0, 2]]}], "two-scopes", ""),
        ([WORD | {"meta": {"pre": True}}], "bad-meta", ""),
        ([CLAUSE | {"type": "same", "meta": {"pre": 1, "by": "me"}}], "bad-meta", ""),
        ([WORD, WORD | {"projection": "global"}], "duplicate-phenomenon", ""),
        ([ALONE, CLAUSE | {"scope1": [[22, 40]]}], "overlapping-phenomena", ""),
        ([ALONE, {"type": "more", "scope2": [[30, 33]]}], "overlapping-phenomena", ""),
    ],
)
def test_marks_that_a_type_does_not_allow_are_refused(marked: Any, code: str, fact: str) -> None:
    with raises(code, match=fact):
        normalise(TAGS, marked)


def test_types_that_may_overlap() -> None:
    assert len(normalise(TAGS, [WORD, CLAUSE, ALONE, {"type": "more", "scope2": [[31, 33]]}])) == 4
    (phenomenon,) = normalise(TAGS, [CLAUSE | {"type": "same", "meta": {"pre": True}}])
    assert phenomenon["meta"] == {"pre": True}


@pytest.mark.parametrize(
    ("entries", "code", "fact"),
    [
        ([], "no-types", ""),
        ([{"name": "no tag"}], "bad-tag", ""),
        ([{"tag": "a"}, {"tag": "a"}], "duplicate-type", ""),
        ([{"tag": "a", "color": "red"}], "unknown-setting", "'color'"),
        ([{"tag": "a", "colour": "pink"}], "bad-setting", "colour"),
        ([{"tag": "a", "keys": "yes"}], "bad-setting", "keys"),
        ([{"tag": "a", "help": 3}], "bad-setting", "help"),
        ([{"tag": "a", "projection": True}], "bad-setting", "projection"),
    ],
)
def test_unfit_tag_sets_are_refused(entries: list[dict[str, Any]], code: str, fact: str) -> None:
    with raises(code, match=fact):
        tag_set(entries)


OWN = {"name": "own", "title": "Which?", "kind": "types", "types": [{"tag": "a"}, {"tag": "b", "keys": True}]}
TWO = [{"name": name, "kind": "types", "types": [{"tag": "a"}]} for name in ("one", "two")]
KEYED = [{"name": "yes", "values": [{"value": "y", "key": "p", "name": "y"}, {"value": "n", "key": "n", "name": "n"}]}]


def test_a_custom_tag_set() -> None:
    own = parse_scheme(OWN)
    marked = [{"type": "b", "scope1": [[3, 5]], "scope2": [[0, 2]], "key1": [[3, 4]]}]
    assert own.normalise(marked) == marked
    assert own.parts(marked) == {"b"}


@pytest.mark.parametrize(
    ("changes", "code", "fact"),
    [
        ({"types": [{"tag": "a", "kees": True}]}, "unknown-setting", "'kees'"),
        ({"unit": "group"}, "types-not-on-pairs", ""),
        ({"kind": "choice"}, "types-without-kind", ""),
        ({"kind": None, "types": None, "questions": TWO}, "several-types-questions", ""),
        ({"kind": None, "types": None, "questions": KEYED + TWO[:1]}, "editor-key", ""),
    ],
)
def test_unfit_schemes_of_types_are_refused(changes: dict[str, Any], code: str, fact: str) -> None:
    with raises(code, match=fact):
        parse_scheme({name: value for name, value in (OWN | changes).items() if value is not None})


def test_scopes_beyond_the_text_are_refused() -> None:
    phenomena = normalise(TAGS, [WORD])
    check_scopes(phenomena, "abc", "👍 abcd")
    with raises("scope-beyond-text", match="text 2 has 5"):
        check_scopes(phenomena, "abc", "abcde")
