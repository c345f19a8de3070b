"""Parameters of steps: a struct per kind of step, with types, bounds and defaults, decoded from recipes and options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import inspect

from otherwords.errors import RecipeError
from otherwords.registry import suggest
from otherwords.sources.rows.records import scalar_text

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Seed = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
AnyParameters = TypeVar("AnyParameters", bound="Parameters")


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """What may be chosen about a step. A kind of step has a subclass whose fields all have defaults."""

    def problem(self) -> str | None:
        """What is wrong with the values together, if anything; each by itself is right."""
        return None


class BandParameters(Parameters, frozen=True, kw_only=True):
    """A band of similarities; pairs outside it are left out."""

    low: Share = 0.0
    high: Share = 1.0

    def problem(self) -> str | None:
        return None if self.low <= self.high else f"a band from {self.low} to {self.high}: low is above high"


def parameters_of(step_kind: str, struct: type[AnyParameters], values: Mapping[str, Any]) -> AnyParameters:
    """The parameters of a kind of step, with the defaults for those not named; an unknown one is an error."""
    types = {field.name: field.type for field in inspect.type_info(struct).fields}  # type: ignore[attr-defined]
    known = {  # each type without None
        name: next(part for part in getattr(kind, "types", [kind]) if not isinstance(part, inspect.NoneType))
        for name, kind in types.items()
    }
    for name in values:
        if name not in known:
            message = f"{step_kind} has no parameter {name!r}{suggest(name, list(known))}"
            raise RecipeError(message, code="unknown-parameter")
    typed = {name: _typed(value, known[name]) for name, value in values.items()}
    try:
        parameters = msgspec.convert(typed, struct)
    except msgspec.ValidationError as problem:
        name = str(problem).partition("`$.")[2].rstrip("`").partition("[")[0].partition(".")[0]
        message = f"{step_kind}: {name} = {typed.get(name)!r}: expected {_in_words(known.get(name))}"
        raise RecipeError(message, code="bad-parameter") from None
    if wrong := parameters.problem():
        raise RecipeError(f"{step_kind}: {wrong}", code="bad-parameter")
    return parameters


def _typed(value: Any, expected: Any) -> Any:
    """A value as it is typed on a command line: a list as its parts between commas, a number where text is wanted."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    text = value if isinstance(value, str) else scalar_text(value)
    if isinstance(expected, inspect.VarTupleType):
        return [part.strip() for part in text.split(",") if part.strip()]
    return text if isinstance(expected, inspect.StrType) else value


def _in_words(expected: Any) -> str:
    """What is expected, for a person."""
    if isinstance(expected, inspect.LiteralType):
        return "one of " + ", ".join(map(str, expected.values))
    if isinstance(expected, inspect.IntType | inspect.FloatType):
        noun = "a whole number" if isinstance(expected, inspect.IntType) else "a number"
        if expected.ge is not None and expected.le is not None:
            return f"{noun} from {expected.ge:g} to {expected.le:g}"
        return noun if expected.ge is None else f"{noun} of at least {expected.ge:g}"
    words: dict[type, str] = {
        inspect.BoolType: "true or false",
        inspect.VarTupleType: "a list",
        inspect.DictType: "a table",
    }
    return next((word for kind, word in words.items() if isinstance(expected, kind)), "text")
