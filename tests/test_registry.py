"""Parts are found by name, imported on first use, and registered for a while."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from otherwords import registry
from otherwords.errors import MissingExtra
from otherwords.registry import Registry, suggest
from tests.errors import raises


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> Registry[object]:
    def points(group: str) -> list[EntryPoint]:
        return [EntryPoint("tau", "math:tau", group)] if group == "otherwords.numbers" else []

    monkeypatch.setattr(registry, "entry_points", points)
    return Registry("number", {"pi": "math:pi", "broken": "no_such_module:thing"}, group="otherwords.numbers")


def test_parts_are_found_by_name_ours_and_others(numbers: Registry[object]) -> None:
    assert numbers.names() == ["pi", "broken", "tau"]
    assert round(numbers.get("pi"), 2) == 3.14  # type: ignore[call-overload]
    assert round(numbers.get("tau"), 2) == 6.28  # type: ignore[call-overload]
    assert "tau" in numbers
    assert "rho" not in numbers


def test_nothing_is_imported_before_it_is_asked_for(numbers: Registry[object]) -> None:
    assert "broken" in numbers
    with pytest.raises(ModuleNotFoundError):
        numbers.get("broken")


def test_an_unknown_name_suggests_the_nearest(numbers: Registry[object]) -> None:
    with raises("unknown-number", match=r"'tao'; did you mean tau\?"):
        numbers.get("tao")
    with raises("unknown-number", match="known: pi, broken, tau"):
        numbers.get("zzzzzz")


def test_a_part_is_registered_for_a_while(numbers: Registry[object]) -> None:
    with numbers.register("rho", 1.5), numbers.register("pi", 3):
        assert (numbers.get("rho"), numbers.get("pi")) == (1.5, 3)
        assert numbers.names() == ["pi", "broken", "rho", "tau"]
    assert "rho" not in numbers
    assert round(numbers.get("pi"), 2) == 3.14  # type: ignore[call-overload]


def test_a_missing_extra_names_the_install_line() -> None:
    problem = MissingExtra("ja", "the tokeniser ja-mecab")
    assert "pip install 'otherwords[ja]'" in str(problem)
    assert problem.exit_code == 2


def test_a_message_does_not_list_hundreds_of_words() -> None:
    assert suggest("zzz", [f"column {number}" for number in range(300)]).endswith("column 9 and 290 more")
