"""Whether a project has as many people as a batch asks for."""

from __future__ import annotations

from sqlalchemy import Connection, select

from otherwords.annotate.batches.batch import BatchRules
from otherwords.project.ledger import schema

WHO_JUDGES = ("annotator", "curator", "admin")  # in any batch; workers are invited to one


def judging_accounts(connection: Connection) -> set[str]:
    """The people with an account who may judge what no worker is invited to."""
    accounts = schema.accounts.c
    may_judge = (accounts.state == "active", accounts.role.in_(WHO_JUDGES))
    return set(connection.execute(select(accounts.name).where(*may_judge)).scalars())


def people_gap(connection: Connection, rules: BatchRules, asked: int) -> str | None:
    """A warning if more people are to judge each unit than may; None for a crowd, and where nobody has joined yet."""
    is_for_crowd = rules.tests is not None or rules.gate is not None
    found = 0 if is_for_crowd else len(judging_accounts(connection))
    if not 0 < found < asked:
        return None
    accounts = "1 account" if found == 1 else f"{found} accounts"
    return f"{asked} different people are to judge each, and only {accounts} may judge: invite more people"
