"""``otherwords.toml``: the settings of a project, in a file that a person can read and edit."""

from __future__ import annotations

import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from otherwords.errors import ProjectError
from otherwords.project.permissions import write_private
from otherwords.sources.io.toml import parse_toml

CONFIG_FILE = "otherwords.toml"
FORMAT = 1  # of the folder; a newer one is refused, an older one is upgraded when opened
DEFAULT_LEDGER = "sqlite:///ledger.db"
NEAREST_ROLES = ("curator", "annotator")
_URL_LINE = re.compile(r"""^url[ \t]*=[ \t]*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*(?:#.*)?$""", re.MULTILINE)
_NO_SCHEME_LINE = re.compile(r"""^scheme[ \t]*=[ \t]*(?:""|'')[ \t]*(?:#.*)?$""", re.MULTILINE)
_PROJECT_LINE = re.compile(r"^\[project\][ \t]*(?:#.*)?$", re.MULTILINE)
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
class ProjectConfig:
    """The settings of a project."""

    name: str
    lang: str
    scheme: str | None
    created: str
    url: str
    nearest_role: str = NEAREST_ROLES[0]  # the least that may look for the nearest sentences
    nearest_encoder: str | None = None

    def write(self, folder: Path) -> None:
        quoted = {name: _quoted(value or "") for name, value in asdict(self).items()}
        write_private(folder / CONFIG_FILE, TEMPLATE.format(**quoted, format=FORMAT))

    def ledger_url(self, folder: Path) -> str:
        """The URL with environment variables filled in and SQLite's path made absolute."""
        url = os.path.expandvars(self.url)
        if unset := re.search(r"\$\{?(\w+)\}?", url):
            message = f"{folder / CONFIG_FILE}: the environment variable {unset[1]} of the ledger's url is not set"
            raise ProjectError(message, code="variable-not-set")
        path = url.removeprefix("sqlite:///")
        return f"sqlite:///{folder / path}" if path != url and not Path(path).is_absolute() else url


def _quoted(value: str) -> str:
    """A TOML string; JSON's escapes are valid in TOML."""
    import json

    return json.dumps(value, ensure_ascii=False)


def with_ledger_url(text: str, url: str) -> str:
    """The text of a settings file with another ledger URL; comments that hold a password are dropped."""
    quoted = f"url = {_quoted(url)}"
    lines: list[str] = []
    for line in _URL_LINE.sub(lambda match: quoted, text).split("\n"):
        # A single pattern for a URL with a password would take minutes on odd lines.
        before_signs = (part for word in line.split() for part in word.split("@")[:-1])
        if not line.lstrip(" \t").startswith("#") or not any(map(_USER_AND_PASSWORD.search, before_signs)):
            lines.append(line)
    settings = "\n".join(lines)
    try:
        ledger = parse_toml(settings).get("ledger", {})
    except ValueError as problem:
        raise ProjectError(f"{CONFIG_FILE}: cannot be read: {problem}", code="settings-unreadable") from None
    if not ledger:
        return f"{settings.rstrip()}\n\n[ledger]\n{quoted}\n"
    if not isinstance(ledger, dict) or ledger.get("url") != url:
        message = f'{CONFIG_FILE}: the ledger\'s url has to be a line of its own under [ledger]: url = "…"'
        raise ProjectError(message, code="misplaced-ledger-url")
    return settings


def with_scheme(text: str, scheme: str) -> str:
    """The text of a settings file that names no scheme, with one; everything else stays as it is."""
    line = f"scheme = {_quoted(scheme)}"
    settings = _NO_SCHEME_LINE.sub(lambda match: line, text, count=1)
    if settings == text:
        settings = _PROJECT_LINE.sub(lambda match: f"{match[0]}\n{line}", text, count=1)
    try:
        before, after = parse_toml(text), parse_toml(settings)
    except ValueError as problem:
        raise ProjectError(f"{CONFIG_FILE}: cannot be read: {problem}", code="settings-unreadable") from None
    if after != before | {"project": before["project"] | {"scheme": scheme}}:
        message = f"{CONFIG_FILE}: the scheme has to be a line of its own under [project]: {line}"
        raise ProjectError(message, code="misplaced-scheme")
    return settings


def read_config(folder: Path) -> ProjectConfig:
    """The settings in a folder."""
    path = folder / CONFIG_FILE
    if not folder.is_dir():
        message = f"{folder}: no such project; make one with: otherwords new {folder} --lang en"
        raise ProjectError(message, code="no-such-project")
    if not path.is_file():
        message = f"{folder}: not a project (it has no {CONFIG_FILE}); make one with: otherwords new DIR --lang en"
        raise ProjectError(message, code="not-a-project")
    try:
        settings = parse_toml(path.read_text(encoding="utf-8"))
        project = settings["project"]
        version = int(project.get("format", 1))
        config = ProjectConfig(
            name=str(project["name"]),
            lang=str(project["lang"]),
            scheme=str(project["scheme"]) or None if "scheme" in project else None,
            created=str(project.get("created", "")),
            url=str(settings.get("ledger", {}).get("url", DEFAULT_LEDGER)),
            nearest_role=str(settings.get("nearest", {}).get("role", NEAREST_ROLES[0])),
            nearest_encoder=str(settings.get("nearest", {}).get("encoder", "")) or None,
        )
    except KeyError as missing:
        raise ProjectError(f"{path}: {missing.args[0]!r} is missing", code="missing-setting") from None
    except (AttributeError, TypeError, ValueError, OverflowError) as problem:
        raise ProjectError(f"{path}: cannot be read: {problem}", code="settings-unreadable") from None
    if config.nearest_role not in NEAREST_ROLES:
        message = f"{path}: [nearest]: role is {config.nearest_role!r}; choose {' or '.join(NEAREST_ROLES)}"
        raise ProjectError(message, code="bad-setting")
    if version > FORMAT:
        raise ProjectError(
            f"{folder}: made by a newer version of otherwords (folder format {version}, this version knows {FORMAT}); "
            "upgrade otherwords to open it",
            code="newer-version",
        )
    return config
