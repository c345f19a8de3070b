"""Coming in through a page: the session that the browser had ends, and it gets a new one with a secret of its own.

So a session that somebody else put into the browser before the login is never the one after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fastapi import Request
from sqlalchemy import Connection
from starlette.responses import RedirectResponse

from otherwords.web.forms import drop_ticket
from otherwords.web.roles import Account
from otherwords.web.sessions import close_session, open_session
from otherwords.web.site import site_of
from otherwords.web.viewer import COOKIE, keep_session

HOME = "/"
_LOCAL = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]*")  # a browser leaves out what cannot be seen, and turns \ into /


def enter(request: Request, become: Callable[[Connection], Account], to: str = HOME) -> RedirectResponse:
    """Log somebody in as whom they have shown to be, and send them on."""
    before = request.cookies.get(COOKIE)

    def work(connection: Connection) -> str:
        account = become(connection)
        if before:
            close_session(connection, before)
        return open_session(connection, account)[0]

    secret = site_of(request).writer.do(work)
    response = RedirectResponse(to, 303)
    keep_session(request, response, secret)
    drop_ticket(response)
    return response


def local(path: str) -> str:
    """A path of this site, or the start page where it is none."""
    return path if _LOCAL.fullmatch(path) else HOME


def address_of(request: Request) -> str:
    """Where a request comes from; a proxy on this machine is believed about it by the server."""
    return request.client.host if request.client else ""
