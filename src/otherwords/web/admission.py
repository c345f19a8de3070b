"""Who was invited to one batch works on that one: workers of a crowd do not see what else a project asks for."""

from __future__ import annotations

from otherwords.errors import NotAllowed
from otherwords.web.roles import Account

BATCHES = "batches"  # among the settings of an account


def may_work_on(account: Account, batch: str) -> bool:
    """Whether a batch is among those that somebody was invited to; who has another role by now may work on all."""
    only = account.settings.get(BATCHES) if account.role == "worker" else None
    return only is None or batch in only


def refuse_other_batches(account: Account, batch: str) -> None:
    """Refuse somebody who was invited to another batch."""
    if not may_work_on(account, batch):
        raise NotAllowed(f"the batch {batch!r} is not the one that you were invited to; ask a curator")
