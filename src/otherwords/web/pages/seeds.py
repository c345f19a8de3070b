"""The page on which the seed sentence of a group of posts is chosen, one group at a time."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from otherwords.annotate import seeds
from otherwords.annotate.guidelines import as_html, current, reference
from otherwords.annotate.post_groups import FEWEST, url_groups
from otherwords.web.rendering import for_script, page
from otherwords.web.site import site_of
from otherwords.web.viewer import Annotator

router = APIRouter()
AHEAD = 3  # groups that the page has before they are needed


@router.get("/seeds")
def choose(request: Request, viewer: Annotator) -> HTMLResponse:
    site = site_of(request)
    held = site.writer.do(lambda connection: seeds.next_groups(connection, site.project, viewer.name, AHEAD))
    with site.ledger.reading() as connection:
        guideline = current(connection, seeds.SCHEME)
        aligned = url_groups(connection, site.project) is not None
    return page(
        request,
        "seeds.html",
        viewer,
        guideline=as_html(guideline.text),
        edition=reference(guideline),
        aligned=aligned,
        paraphrases=FEWEST - 1,
        told=for_script({"ahead": [asdict(one) for one in held]}),
    )
