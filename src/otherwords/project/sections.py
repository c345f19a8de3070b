"""Parts of ``otherwords.toml`` that only some projects have, each decoded into a record of its own, and their secrets.

A secret is never in the file itself: it is in an environment variable, or in a file that only its owner may read.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TypeVar

import msgspec

from otherwords.errors import ProjectError
from otherwords.project.config import CONFIG_FILE
from otherwords.project.permissions import OTHERS
from otherwords.registry import suggest
from otherwords.sources.io.toml import parse_toml

S = TypeVar("S", bound="SettingsSection")
MOST_BYTES = 10_000  # of a secret


class SettingsSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the settings that may have a secret."""

    secret_variable: str = ""  # the environment variable with the secret …
    secret_file: str = ""  # … or the file, seen from the folder of the project


def read_section(folder: Path, name: str, struct: type[S]) -> S | None:
    """The settings under ``[name]``; None if a project has none."""
    path = folder / CONFIG_FILE
    try:
        section = parse_toml(path.read_text(encoding="utf-8")).get(name)
    except (OSError, ValueError) as problem:
        raise ProjectError(f"{path}: cannot be read: {problem}", code="settings-unreadable") from None
    if section is None:
        return None
    known = struct.__struct_fields__
    for key in section if isinstance(section, dict) else ():
        if key not in known:
            message = f"{path}: [{name}] has no {key!r}{suggest(key, list(known))}"
            raise ProjectError(message, code="unknown-setting")
    try:
        return msgspec.convert(section, struct)
    except msgspec.ValidationError as problem:
        what = str(problem).replace("`", "").replace(" - at $.", ": ")
        raise ProjectError(f"{path}: [{name}]: {what[:1].lower()}{what[1:]}", code="bad-setting") from None


def read_secret(folder: Path, name: str, section: SettingsSection) -> str:
    """The secret of a section; empty if it names none."""
    where = f"{folder / CONFIG_FILE}: [{name}]"
    if section.secret_variable and section.secret_file:
        raise ProjectError(f"{where}: name secret_variable or secret_file, not both", code="bad-setting")
    if section.secret_variable:
        secret = os.environ.get(section.secret_variable, "")
        if not secret:
            message = f"{where}: the environment variable {section.secret_variable} is not set"
            raise ProjectError(message, code="variable-not-set")
        return secret
    return _secret_in_file(folder / section.secret_file, where) if section.secret_file else ""


def _secret_in_file(path: Path, where: str) -> str:
    try:
        if stat.S_IMODE(path.stat().st_mode) & OTHERS:
            message = f"{where}: others may read {path}; close it with: chmod 600 {path}"
            raise ProjectError(message, code="secret-open-to-others")
        secret = path.read_text(encoding="utf-8").strip()
    except OSError as problem:
        raise ProjectError(f"{where}: {path}: {problem.strerror or problem}", code="file-unreadable") from None
    except UnicodeDecodeError:
        secret = ""
    if not secret or len(secret) > MOST_BYTES:
        raise ProjectError(f"{where}: {path} holds no secret: one line of text is expected", code="bad-secret")
    return secret
