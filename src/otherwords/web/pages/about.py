"""Who made the corpus: for curators, a form for ``[about]`` in the settings of the project."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.errors import ProjectError, Refused
from otherwords.project.about import MOST_CHARACTERS, About, checked_about, read_about
from otherwords.web.accounts.auth import Curator, Requester
from otherwords.web.api.about import change_about, version_of
from otherwords.web.forms import CuratorSends, Form
from otherwords.web.rendering import page
from otherwords.web.site import site_of

router = APIRouter()
LABELS = {
    "title": "Title",
    "description": "Description: what is in it, and why it was made",
    "authors": "Authors, one a line: name; ORCID; affiliation",
    "contact": "Contact: an e-mail or web address",
    "funding": "Funding",
    "citation": "What to cite, if there is a paper",
    "texts.variety": "Language: dialects, and whether texts were translated",
    "texts.speakers": "Who wrote the texts",
    "texts.situation": "When, where and for whom they were written",
    "texts.genre": "Genre and topics",
    "annotators.background": "Annotators: age, first language, training",
    "annotators.pay": "How annotators were paid",
}
SHORT = ("title", "contact")  # fields of one line


@router.get("/about")
def show(request: Request, viewer: Curator) -> HTMLResponse:
    about = read_about(site_of(request).project.folder)
    return _render(request, viewer, _as_form(about) | {"after": version_of(about)})


@router.post("/about")
def save(request: Request, viewer: CuratorSends, form: Form) -> Response:
    try:
        change_about(site_of(request), checked_about(_from_form(form)), viewer.name, form.get("after", ""))
    except (Refused, ProjectError) as problem:
        return _render(request, viewer, form, problem)
    return RedirectResponse("/about", 303)


def _as_form(about: About) -> dict[str, str]:
    """The texts of all fields; an author is a line."""
    authors = (f"{author.name}; {author.orcid}; {author.affiliation}".rstrip("; ") for author in about.authors)
    return about.plain_entries | {"authors": "\n".join(authors)}


def _from_form(form: dict[str, str]) -> dict[str, object]:
    """The fields as the settings have them."""
    content: dict[str, object] = {}
    nested: dict[str, dict[str, str]] = {}
    for name in LABELS:
        text = form.get(name, "").replace("\r\n", "\n")
        part, _, entry = name.partition(".")
        if entry:
            nested.setdefault(part, {})[entry] = text
        elif name == "authors":
            lines = (line.split(";", 2) for line in text.split("\n") if line.strip())
            fields = ("name", "orcid", "affiliation")
            content[name] = [dict(zip(fields, map(str.strip, parts), strict=False)) for parts in lines]
        else:
            content[name] = text
    return content | nested


def _render(
    request: Request, viewer: Requester, form: dict[str, str], problem: Refused | ProjectError | None = None
) -> HTMLResponse:
    fields = [(name, label, form.get(name, ""), name in SHORT) for name, label in LABELS.items()]
    after = form.get("after", "")
    return page(request, "about.html", viewer, problem=problem, fields=fields, after=after, most=MOST_CHARACTERS)
