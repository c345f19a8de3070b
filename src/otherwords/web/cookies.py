"""The names of a site's cookies. Browsers share cookies among all ports of a host, so every project has its own names.

Servers of one project agree on the name: it follows from when the project was created and from its database. A copy
that was restored beside its original has another database, and so another name.
"""

from __future__ import annotations

from sqlalchemy import make_url

from otherwords.digests import digest_hex
from otherwords.project import Project


def session_cookie(project: Project) -> str:
    """The cookie with the session of somebody who is logged in."""
    database = make_url(project.config.ledger_url(project.folder.resolve())).database or ""
    return f"otherwords-{digest_hex(project.config.created, database, size=6)}"


def ticket_cookie(session: str) -> str:
    """The cookie with the ticket of a form that is sent before anybody is logged in, by that of the session."""
    return f"{session}-form"
