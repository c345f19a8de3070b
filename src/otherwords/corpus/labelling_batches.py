"""What the rules of batches say of a pair: one that a batch does not keep has no place in the corpus.

In go the judgements of a pair, out comes whether it is kept, or why not. The rule asks what people say on
their own; what a team decides later changes nothing (:mod:`otherwords.annotate.keeping`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import msgspec

from otherwords.annotate.batches import Batch
from otherwords.annotate.keeping import Kept, kept
from otherwords.annotate.scheme import Scheme


class Judged(Protocol):
    """A judgement: who asked for it, what kind it is, and its value as the ledger spells it."""

    @property
    def batch(self) -> str | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def value(self) -> str: ...


def kept_by(batches: Mapping[str | None, Batch], scheme: Scheme, judged: Iterable[Judged]) -> Kept:
    """Whether all batches that have such a rule keep a pair; one that does not is enough to drop it."""
    answers: dict[str | None, list[Any]] = {}
    for one in judged:
        of = batches.get(one.batch)
        if of is not None and of.rules.keep is not None and of.scheme == scheme.name and one.kind == "individual":
            answers.setdefault(one.batch, []).append(msgspec.json.decode(one.value))
    told = [_kept(batches[name], values, scheme) for name, values in answers.items()]
    return next((one for state in ("no", "open") for one in told if one.state == state), Kept("yes"))


def _kept(of: Batch, values: list[Any], scheme: Scheme) -> Kept:
    assert of.rules.keep is not None
    alone = len(values) == 1 and bool(of.rules.second_sees) and values[0] not in of.rules.second_sees
    return kept(values, of.rules.keep, scheme, complete=alone or len(values) >= of.asked)
