"""A browser without scripts: it keeps cookies, reads the forms of a page and sends them as they stand there."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import httpx2 as httpx
from fastapi import FastAPI
from starlette.testclient import TestClient

PAGE = {"accept": "text/html"}


@dataclass
class HtmlForm:
    """A form: where it goes, what is filled in already, and its buttons that have a name."""

    id: str
    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Forms(HTMLParser):
    """All forms of a page, with the buttons outside of them that belong to one."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[HtmlForm] = []
        self._open: HtmlForm | None = None
        self._select: str | None = None
        self._option: bool | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "form":
            self._open = HtmlForm(
                attributes.get("id") or "", attributes.get("method") or "get", attributes.get("action") or ""
            )
            self.forms.append(self._open)
        elif tag == "button" and attributes.get("name"):
            owner = next((form for form in self.forms if form.id and form.id == attributes.get("form")), self._open)
            assert owner
            owner.buttons.append((attributes["name"] or "", attributes.get("value") or ""))
        elif self._open is not None:
            self._field(self._open, tag, attributes)

    def _field(self, form: HtmlForm, tag: str, attributes: dict[str, str | None]) -> None:
        name = attributes.get("name") or ""
        if tag == "input" and name and (attributes.get("type") != "checkbox" or "checked" in attributes):
            form.fields[name] = attributes.get("value") or ("on" if attributes.get("type") == "checkbox" else "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            self._option = "selected" in attributes or self._select not in form.fields
            if self._option:
                form.fields[self._select] = attributes.get("value") or ""
                self._option = "value" not in attributes

    def handle_data(self, data: str) -> None:
        if self._option and self._open and self._select and data.strip():
            self._open.fields[self._select] = data.strip()
            self._option = None

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = self._option = None


class Window:
    """A browser window of its own on a site that runs."""

    def __init__(self, app: FastAPI, base_url: str = "http://testserver") -> None:
        self.client = TestClient(app, base_url=base_url, follow_redirects=False)
        self.cookie: str = app.state.site.cookie
        self.page: httpx.Response

    def open(self, path: str, **options: Any) -> httpx.Response:
        """Load a page, wherever it leads to."""
        self.page = self.client.get(path, headers=PAGE, **options)
        while self.page.is_redirect:
            self.page = self.client.get(self.page.headers["location"], headers=PAGE)
        return self.page

    def form(self, action: str, **about: str) -> HtmlForm:
        """The one form of the page that goes there, and in which the fields are as said."""
        matching = [
            form
            for form in _Forms(self.page.text).forms
            if form.action == action and about.items() <= form.fields.items()
        ]
        assert len(matching) == 1, f"{len(matching)} forms to {action} on {self.page.url}"
        return matching[0]

    def send(self, form: HtmlForm, button: tuple[str, str] | None = None, **filled: str) -> httpx.Response:
        """Fill in a form and press a button of it; the answer, before going anywhere."""
        assert button is None or button in form.buttons
        fields = form.fields | filled | (dict([button]) if button else {})
        self.page = self.client.post(form.action, data=fields, headers=PAGE)
        return self.page

    @property
    def session(self) -> str | None:
        return self.client.cookies.get(self.cookie)
