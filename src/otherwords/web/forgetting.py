"""What the ledger of accounts lets go of when its time is over; a server does this now and then."""

from __future__ import annotations

from time import time

from sqlalchemy import Connection, delete

from otherwords.project import schema
from otherwords.web.attempts import FORGOTTEN_AFTER

LINKS_KEPT = 30 * 86_400.0  # so that somebody who opens an old link still learns that it has run out


def forget_expired(connection: Connection) -> dict[str, int]:
    """Delete ended sessions, counts of failed logins and old links; how many of each."""
    keep = {schema.sessions: 0.0, schema.attempts: FORGOTTEN_AFTER, schema.invitations: LINKS_KEPT}
    moment = time()
    return {
        table.name: connection.execute(delete(table).where(table.c.until <= moment - seconds)).rowcount
        for table, seconds in keep.items()
    }
