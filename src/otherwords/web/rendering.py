"""A page from a template and what it shows. Text of the corpus is escaped by the template, always."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from otherwords.errors import LedgerError
from otherwords.project.simulated import is_simulated
from otherwords.web.site import Site, site_of
from otherwords.web.viewer import Viewer


def page(
    request: Request,
    template: str,
    viewer: Viewer | None = None,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **shown: Any,
) -> HTMLResponse:
    """The page of a template."""
    site = site_of(request)
    told = {
        "project": site.project.config.name,
        "lang": site.project.config.lang,
        "public": site.public,
        "simulated": _simulated(site),
        "viewer": viewer,
        "csrf": viewer.csrf if viewer else "",
        "path": request.url.path,
    }
    html = site.templates.get_template(template).render(**told, **shown)
    return HTMLResponse(html, status, headers)


def _simulated(site: Site) -> bool:
    """Whether made-up annotators judge here; not known where the ledger is silent, and the page says that anyway."""

    def asked() -> bool:
        with site.ledger.reading() as connection:
            return is_simulated(connection)

    try:
        return site.remembered.get("simulated", asked)
    except LedgerError:
        return False


def for_script(value: Any) -> Markup:
    """JSON that may stand inside a ``<script type="application/json">``: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False)
    return Markup(text.translate(_ESCAPED))  # noqa: S704 - all that has a meaning in HTML is escaped


_ESCAPED = {ord(one): f"\\u{ord(one):04x}" for one in "&<>\u2028\u2029"}
