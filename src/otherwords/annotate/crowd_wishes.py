"""The rules of a crowd as people write them: which pairs are tests, what the gate asks for, whether more may follow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection

from otherwords.annotate.batches import Gate, HiddenTests, Rules
from otherwords.annotate.deployment import TABLE
from otherwords.annotate.hidden_tests import pairs_with_gold
from otherwords.errors import DataError, Refused

ALL = "all"
SOURCE = "source="
USUAL = "usual"
_WHOLE = ("window", "fewest_tests", "fewest_shared")


def crowded(
    connection: Connection, rules: Rules, tests: str | None, every: int, gate: str | None, *, grows: bool
) -> Rules:
    """The rules of a batch with those of a crowd, where any is wished for."""
    told: dict[str, Any] = {"gate": gate_of(gate) if gate else None, "deployment": TABLE if grows else []}
    if tests:
        told["tests"] = HiddenTests(pairs=gold_pairs(connection, tests), every=every)
    return msgspec.structs.replace(rules, **told)


def gold_pairs(connection: Connection, told: str) -> list[str]:
    """Test pairs: ``all`` that have a gold label, or those of a ``source=NAME``."""
    if told != ALL and not told.startswith(SOURCE):
        raise Refused(f"tests: {told!r}: expected all, or source= and the name of a source")
    pairs = pairs_with_gold(connection, None if told == ALL else told.removeprefix(SOURCE))
    if not pairs:
        raise Refused('no pair there has a gold label; import pairs with "gold": {"label": …, "explanation": …}')
    return pairs


def listed_pairs(path: Path) -> list[str]:
    """Test pairs by the ids in a file, one a line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), path) from None
    except UnicodeDecodeError:
        raise DataError("is not text in UTF-8; it has the ids of test pairs, one a line", path) from None
    return [line.strip() for line in lines if line.strip()]


def gate_of(told: str) -> Gate:
    """A gate: ``usual``, or some of it said otherwise, ``accuracy=0.8,kappa=0.3``."""
    if told == USUAL:
        return Gate()
    wishes: dict[str, float | int] = {}
    for one in told.split(","):
        name, equals, value = one.partition("=")
        name = name.strip()
        if not equals or name not in Gate.__struct_fields__:
            raise Refused(f"gate: {one!r}: expected one of {', '.join(Gate.__struct_fields__)}, such as accuracy=0.8")
        try:
            wishes[name] = int(value) if name in _WHOLE else float(value)
        except ValueError:
            raise Refused(f"gate: {name}: {value!r} is not a number") from None
    return msgspec.structs.replace(Gate(), **wishes)
