from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords import labels
from otherwords.errors import LabelError
from otherwords.labels import Label, all_labels, is_label, parse_label
from tests.errors import raises

anything = st.sampled_from(all_labels())


@pytest.mark.parametrize(
    ("spelled", "canonical"),
    [("4si>", "4>is"), ("4is", "4is"), ("4s<", "4<s"), ("4i", "4i"), ("3", "3"), ("x", "x"), (" 4> ", "4>")],
)
def test_flags_may_come_in_any_order(spelled: str, canonical: str) -> None:
    assert str(parse_label(spelled)) == canonical


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        ("3s", "misplaced-flag"),
        ("x>", "misplaced-flag"),
        ("4<>", "contradictory-flags"),
        ("5", "unknown-label"),
        ("4q", "unknown-flag"),
        ("4ss", "repeated-flag"),
        ("", "empty-label"),
        ("  ", "empty-label"),
        ("X", "unknown-label"),
    ],
)
def test_a_wrong_label_is_refused_with_its_reason(spelling: str, code: str) -> None:
    assert not is_label(spelling)
    with raises(code):
        parse_label(spelling)


def test_the_scheme_has_sixteen_labels() -> None:
    spelled = [str(label) for label in all_labels()]
    assert len(set(spelled)) == len(spelled) == 16
    assert spelled[:4] == ["1", "2", "3", "4"]
    assert spelled[-1] == "x"
    assert "4>is" in spelled


@pytest.mark.parametrize(
    ("spelled", "full", "arrows", "base", "binary"),
    [
        ("4<is", "4<is", "4<", "4", "positive"),
        ("4s", "4s", "4", "4", "positive"),
        ("3", "3", "3", "3", "positive"),
        ("2", "2", "2", "2", "negative"),
        ("1", "1", "1", "1", "negative"),
        ("x", "x", "x", "x", None),
    ],
)
def test_projections(spelled: str, full: str, arrows: str, base: str, binary: str | None) -> None:
    label = parse_label(spelled)
    assert [label.project(name) for name in labels.PROJECTIONS] == [full, arrows, base, binary]


def test_an_unknown_projection_is_refused() -> None:
    with raises("unknown-projection"):
        parse_label("4").project("half")  # type: ignore[arg-type]


def test_labels_are_compared_under_a_projection() -> None:
    assert parse_label("4>s").agrees(parse_label("4>"), "arrows") is True
    assert parse_label("4>s").agrees(parse_label("4>")) is False
    assert parse_label("4").agrees(parse_label("3"), "binary") is True
    assert parse_label("x").agrees(parse_label("3"), "base") is False
    assert parse_label("x").agrees(parse_label("3"), "binary") is None


def test_a_label_cannot_be_built_wrong() -> None:
    with raises("unknown-flag"):
        Label("4", "^")
    with raises("unknown-label"):
        Label("44")


@given(anything)
def test_mirror_twice_is_identity(label: Label) -> None:
    assert label.mirror().mirror() == label
    assert (label.mirror() == label) == (label.arrow == "")
    assert label.mirror().positive == label.positive


@given(anything)
def test_spelling_and_parsing_are_inverse(label: Label) -> None:
    assert parse_label(str(label)) == label
    assert hash(parse_label(str(label))) == hash(label)
    assert repr(label) == f"Label('{label}')"


@given(anything, st.randoms())
def test_any_order_of_flags_is_the_same_label(label: Label, random: object) -> None:
    flags = list(str(label)[1:])
    random.shuffle(flags)  # type: ignore[attr-defined]
    assert parse_label(label.base + "".join(flags)) == label


@given(st.text(max_size=6))
def test_any_text_is_a_label_or_a_label_error(text: str) -> None:
    if is_label(text):
        assert parse_label(text) in all_labels()
    else:
        with pytest.raises(LabelError):
            parse_label(text)
