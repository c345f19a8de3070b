"""The rules of a crowd (tests, gate, deployment), held against a batch before it is made, and what it begins with."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from otherwords.annotate.batches import Rules, Wanted
from otherwords.annotate.deployment import check_deployment, first_of_groups
from otherwords.annotate.gate import check_gate
from otherwords.annotate.hidden_tests import check_tests
from otherwords.annotate.scheme import Scheme
from otherwords.errors import Refused


def check_crowd(connection: Connection, rules: Rules, chosen: Sequence[Wanted], asked: int, scheme: Scheme) -> None:
    """Refuse what could not be worked with."""
    if scheme.unit != "pair" and (rules.tests is not None or rules.gate is not None or rules.deployment):
        raise Refused(f"the scheme {scheme.name!r} is not about pairs; tests, gates and more pairs are for these")
    check_tests(connection, rules, chosen, scheme)
    check_gate(rules, asked)
    check_deployment(rules, scheme)


def begun_with(connection: Connection, rules: Rules, chosen: list[Wanted]) -> list[Wanted]:
    """What of the chosen pairs a batch begins with: no test, and where more may follow the first of each group."""
    if rules.tests is not None:
        tests = set(rules.tests.pairs)
        chosen = [one for one in chosen if one.item not in tests]
    return first_of_groups(connection, chosen) if rules.deployment else chosen
