"""The pages behind a link that lets somebody in once: to set up the project, to join it, to set a new password."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from otherwords.errors import NotFound, Refused
from otherwords.web.entering import HOME, enter
from otherwords.web.forms import Form, keep_ticket, refuse_foreign, ticket_of
from otherwords.web.invitations import Invitation, accept, invitation_of
from otherwords.web.names import checked_name
from otherwords.web.passwords import FEWEST_CHARACTERS, hashed
from otherwords.web.rendering import page
from otherwords.web.site import site_of
from otherwords.web.slowly import slowly

router = APIRouter()


@router.get("/setup/{secret}")
@router.get("/join/{secret}")
@router.get("/reset/{secret}")
def link_form(request: Request, secret: str) -> HTMLResponse:
    return _shown(request, secret, {})


@router.post("/setup/{secret}")
@router.post("/join/{secret}")
@router.post("/reset/{secret}")
async def use_link(request: Request, secret: str, form: Form) -> Response:
    """Use the link. Whether it can be used is asked before anything slow; where it can, a mistake can be mended."""
    invitation = await run_in_threadpool(_link, request, secret)
    password = form.get("password", "")
    try:
        refuse_foreign(request, form)
        if password != form.get("again", ""):
            raise Refused("the two passwords are not the same; type them again")
        name = invitation.account or checked_name(form.get("name", "").strip())
        kept = await slowly(lambda: hashed(password, name))
        to = HOME if invitation.batch is None else f"/classify/{quote(invitation.batch, safe='')}"
        return await run_in_threadpool(enter, request, lambda connection: accept(connection, secret, name, kept), to)
    except Refused as problem:
        return await run_in_threadpool(_shown, request, secret, form, problem)


def _link(request: Request, secret: str) -> Invitation:
    """What the link is for, if it can be used and is of the kind that its address says."""
    with site_of(request).ledger.reading() as connection:
        invitation = invitation_of(connection, secret)
    if not request.url.path.startswith(f"/{invitation.purpose}/"):
        raise NotFound("there is no such link; open it as it was given to you")
    return invitation


def _shown(request: Request, secret: str, form: dict[str, str], problem: Refused | None = None) -> HTMLResponse:
    """The form, with what was wrong with it; or why the link cannot be used any more."""
    invitation = _link(request, secret)
    ticket = ticket_of(request)
    response = page(
        request,
        "join.html",
        status=problem.status if problem else 200,
        invitation=invitation,
        ticket=ticket,
        name=form.get("name", ""),
        fewest=FEWEST_CHARACTERS,
        problem=problem,
    )
    keep_ticket(request, response, ticket)
    return response
