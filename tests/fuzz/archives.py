"""Backups as folders and archives, with manifests that fit damaged files."""

from __future__ import annotations

import hashlib
import json
import tarfile
from pathlib import Path

from otherwords.project.exchange.row_lines import MANIFEST
from tests.fuzz.damage import Files


def update_manifest(folder: Path) -> None:
    """Correct sizes and checksums in the manifest of a folder, if it can be read."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        for name, entry in manifest["files"].items():
            content = (folder / name).read_bytes()
            entry |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            if "rows" in entry:
                entry["rows"] = content.count(b"\n")
        (folder / MANIFEST).write_text(json.dumps(manifest))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return


def pack(folder: Path) -> Path:
    """Pack a folder into an archive, with the manifest first."""
    archive = folder.with_suffix(".tar")
    names = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    with tarfile.open(archive, "w") as target:
        for name in sorted(names, key=lambda name: name != MANIFEST):
            target.add(folder / name, name)
    return archive


def unpack(archive: Path) -> Files:
    """The files of an archive by name."""
    with tarfile.open(archive) as members:
        return {f"backup/{member.name}": members.extractfile(member).read() for member in members}  # type: ignore[union-attr]
