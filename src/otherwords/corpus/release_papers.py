"""The papers of a release: its citation, its licence, what it was made from and by, and the checksums of all files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from otherwords import __version__
from otherwords.corpus.release_licences import ADDRESSES
from otherwords.corpus.released import Check, Config, Released
from otherwords.errors import DataError

CITATION, LICENCE, FACTS, CHECKSUMS = "CITATION.cff", "LICENSE", "release.json", "checksums.sha256"
FORMAT = 1  # of release.json


def papers(released: Released) -> dict[str, bytes]:
    """The files that say what the release is, by name."""
    return {
        CITATION: citation(released).encode(),
        LICENCE: licence_notice(released).encode(),
        FACTS: as_json(facts(released)),
    }


def citation(released: Released) -> str:
    """How the corpus is to be cited, for people and for the sites that read such a file."""
    fields = {
        "cff-version": "1.2.0",
        "message": "If you use this corpus, please cite it as below.",
        "type": "dataset",
        "title": f"{released.name}: a paraphrase corpus",
        "version": released.version,
        "date-released": released.date,
        **({"license": released.licence} if released.licence in ADDRESSES else {}),
    }
    lines = [f"{name}: {_quoted(value)}\n" for name, value in fields.items()]
    return "".join(lines) + f"authors:\n  - name: {_quoted(f'The makers of {released.name}')}\n"


def licence_notice(released: Released) -> str:
    """Which licence it is and where its text stands."""
    address = ADDRESSES.get(released.licence)
    where = f"Its text: {address}\n" if address else ""
    return (
        f"{released.name} {released.version}\n\n"
        f"SPDX-License-Identifier: {released.licence}\n\n"
        f"This corpus is released under {released.licence}.\n{where}"
    )


def facts(released: Released) -> dict[str, Any]:
    """All that the release was made from, and what came of it, for programs."""
    plain = ("name", "version", "licence", "lang", "scheme", "date", "counts", "left_out", "rewrites", "judgements")
    told: dict[str, Any] = {name: getattr(released, name) for name in plain}
    told |= {"format": FORMAT, "made_with": f"otherwords {__version__}", "pairs": released.pairs}
    told |= {name: getattr(released, name) for name in ("annotators", "parameters", "simulated", "signatures")}
    told["checks"] = [msgspec.to_builtins(check) for check in released.checks]
    told["configs"] = [msgspec.to_builtins(config) for config in released.configs]
    told["ledger"] = ledger_digest(released.folder)
    return told


def ledger_digest(folder: Path) -> str:
    """One digest of the state of the ledger that the release shows: its pairs, labels, parts and judgements."""
    digest = hashlib.sha256()
    for name in ("data/pairs.jsonl", "judgements.jsonl"):
        digest.update(digest_of_file(folder / name).encode())
    return digest.hexdigest()


def as_json(value: Any) -> bytes:
    """JSON for people: sorted, indented, with a line break at the end."""
    return msgspec.json.format(msgspec.json.encode(value, order="sorted"), indent=2) + b"\n"


class _Parameters(msgspec.Struct):
    view: str | None = None


class _Facts(msgspec.Struct):
    """What is read of ``release.json`` again, as far as it is there."""

    counts: dict[str, dict[str, int]] | None = None
    checks: list[Check] = []
    configs: list[Config] = []
    parameters: _Parameters | None = None
    scheme: str | None = None
    simulated: bool = False


def read_facts(folder: Path) -> dict[str, Any]:
    """What ``release.json`` says."""
    path = folder / FACTS
    try:
        told = msgspec.json.decode(path.read_bytes())
    except OSError as problem:
        raise DataError(f"not a release: {problem.strerror}", path) from None
    except (ValueError, RecursionError) as problem:
        raise DataError(f"cannot be read: {problem}", path) from None
    if not isinstance(told, dict) or not isinstance(told.get("version"), str):
        raise DataError("is not the description of a release: it has no version", path)
    if told.get("format") != FORMAT:
        raise DataError(f"is of format {told.get('format')!r}; this version of otherwords knows {FORMAT}", path)
    try:
        msgspec.convert(told, _Facts)
    except msgspec.ValidationError as problem:
        raise DataError(f"is not the description of a release: {problem}", path) from None
    return told


def write_checksums(folder: Path) -> str:
    """The checksums of all files, as ``sha256sum -c`` reads them; the digest of that list."""
    lines = [f"{digest_of_file(folder / name)}  {name}\n" for name in files_of(folder)]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")
    return digest_of_file(folder / CHECKSUMS)


def files_of(folder: Path) -> Iterator[str]:
    """All files of a release but the checksums, by their path in it."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    return iter(sorted(name for name in names if name != CHECKSUMS))


def digest_of_file(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _quoted(text: str) -> str:
    """JSON's strings are YAML's."""
    return msgspec.json.encode(text).decode()
