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
        said = dict(attrs)
        if tag == "form":
            self._open = HtmlForm(said.get("id") or "", said.get("method") or "get", said.get("action") or "")
            self.forms.append(self._open)
        elif tag == "button" and said.get("name"):
            owner = next((one for one in self.forms if one.id and one.id == said.get("form")), self._open)
            assert owner
            owner.buttons.append((said["name"] or "", said.get("value") or ""))
        elif self._open is not None:
            self._field(self._open, tag, said)

    def _field(self, form: HtmlForm, tag: str, said: dict[str, str | None]) -> None:
        name = said.get("name") or ""
        if tag == "input" and name and (said.get("type") != "checkbox" or "checked" in said):
            form.fields[name] = said.get("value") or ("on" if said.get("type") == "checkbox" else "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            self._option = "selected" in said or self._select not in form.fields
            if self._option:
                form.fields[self._select] = said.get("value") or ""
                self._option = "value" not in said

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
        self.page: httpx.Response

    def open(self, path: str, **others: Any) -> httpx.Response:
        """Load a page, wherever it leads to."""
        self.page = self.client.get(path, headers=PAGE, **others)
        while self.page.is_redirect:
            self.page = self.client.get(self.page.headers["location"], headers=PAGE)
        return self.page

    def form(self, action: str, **about: str) -> HtmlForm:
        """The one form of the page that goes there, and in which the fields are as said."""
        found = [
            one for one in _Forms(self.page.text).forms if one.action == action and about.items() <= one.fields.items()
        ]
        assert len(found) == 1, f"{len(found)} forms to {action} on {self.page.url}"
        return found[0]

    def send(self, form: HtmlForm, button: tuple[str, str] | None = None, **filled: str) -> httpx.Response:
        """Fill in a form and press a button of it; the answer, before going anywhere."""
        assert button is None or button in form.buttons
        fields = form.fields | filled | (dict([button]) if button else {})
        self.page = self.client.post(form.action, data=fields, headers=PAGE)
        return self.page

    @property
    def session(self) -> str | None:
        return self.client.cookies.get("otherwords")
