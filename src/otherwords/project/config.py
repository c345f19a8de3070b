"""``otherwords.toml``: what a project is, in a file that a person can read and change."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherwords.errors import ProjectError
from otherwords.sources.toml import parse_toml

NAME = "otherwords.toml"
FORMAT = 1  # of the folder; a newer one is refused, an older one brought up to date when opened
DEFAULT_LEDGER = "sqlite:///ledger.db"
_URL_LINE = re.compile(r"""^url[ \t]*=[ \t]*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*(?:#.*)?$""", re.MULTILINE)
_USER_AND_PASSWORD = re.compile(r"://[^/:]*:")
TEMPLATE = """\
# A corpus project of otherwords. Change what you like; `otherwords status` says what follows from it.

[project]
name = {name}
lang = {lang}
scheme = {scheme}
created = {created}
format = {format}

[ledger]
# SQLite beside this file, or one PostgreSQL database: postgresql+psycopg://user@host/name
# ${{NAME}} stands for an environment variable, so that a password need not be written here.
url = {url}
"""


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one project."""

    name: str
    lang: str
    scheme: str | None
    created: str
    url: str

    def write(self, folder: Path) -> None:
        values = {"name": self.name, "lang": self.lang, "scheme": self.scheme or "", "created": self.created}
        text = TEMPLATE.format(
            **{key: _quoted(value) for key, value in values.items()}, format=FORMAT, url=_quoted(self.url)
        )
        (folder / NAME).write_text(text, encoding="utf-8")

    def ledger_url(self, folder: Path) -> str:
        """The URL with environment variables filled in and SQLite's path made absolute."""
        url = os.path.expandvars(self.url)
        if unset := re.search(r"\$\{?(\w+)\}?", url):
            raise ProjectError(f"{folder / NAME}: the environment variable {unset[1]} of the ledger's url is not set")
        path = url.removeprefix("sqlite:///")
        return f"sqlite:///{folder / path}" if path != url and not Path(path).is_absolute() else url


def _quoted(value: str) -> str:
    """A TOML string; JSON's escapes are TOML's."""
    import json

    return json.dumps(value, ensure_ascii=False)


def with_ledger(text: str, url: str) -> str:
    """A project's settings for another ledger, all else as it is written; no password of the old URL is left."""
    quoted = f"url = {_quoted(url)}"
    lines = _URL_LINE.sub(lambda found: quoted, text).split("\n")
    told = "\n".join(line for line in lines if not _tells_a_password(line))
    ledger = _parsed(told).get("ledger", {})
    if not ledger:
        return f"{told.rstrip()}\n\n[ledger]\n{quoted}\n"
    if not isinstance(ledger, dict) or ledger.get("url") != url:
        raise ProjectError(f'{NAME}: the ledger\'s url has to be a line of its own under [ledger]: url = "…"')
    return told


def _tells_a_password(line: str) -> bool:
    """Whether a remark holds a URL with a password. One pattern for it all takes minutes on odd lines."""
    before_signs = (part for word in line.split() for part in word.split("@")[:-1])
    return line.lstrip(" \t").startswith("#") and any(map(_USER_AND_PASSWORD.search, before_signs))


def _parsed(text: str) -> dict[str, Any]:
    try:
        return parse_toml(text)
    except ValueError as problem:
        raise ProjectError(f"{NAME}: cannot be read: {problem}") from None


def read_config(folder: Path) -> Config:
    """The settings in a folder; what is missing or wrong is said with the file's name."""
    path = folder / NAME
    if not folder.is_dir():
        raise ProjectError(f"{folder}: no such project; make one with: otherwords new {folder} --lang en")
    if not path.is_file():
        raise ProjectError(f"{folder}: not a project (it has no {NAME}); make one with: otherwords new DIR --lang en")
    try:
        told = parse_toml(path.read_text(encoding="utf-8"))
        project = told["project"]
        newest = int(project.get("format", 1))
        config = Config(
            name=str(project["name"]),
            lang=str(project["lang"]),
            scheme=str(project["scheme"]) or None if "scheme" in project else None,
            created=str(project.get("created", "")),
            url=str(told.get("ledger", {}).get("url", DEFAULT_LEDGER)),
        )
    except KeyError as missing:
        raise ProjectError(f"{path}: {missing.args[0]!r} is missing") from None
    except (AttributeError, TypeError, ValueError, OverflowError) as problem:
        raise ProjectError(f"{path}: cannot be read: {problem}") from None
    if newest > FORMAT:
        raise ProjectError(
            f"{folder}: made by a newer version of otherwords (folder format {newest}, this version knows {FORMAT}); "
            "upgrade otherwords to open it"
        )
    return config
