"""Backups that tests take apart and put together again."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path

Members = dict[str, bytes]


def unpack(path: Path) -> Members:
    with tarfile.open(path) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar}  # type: ignore[union-attr]


def pack(members: Members, path: Path) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path


def with_file(members: Members, name: str, content: bytes) -> Members:
    """The archive with another file, which the manifest lists."""
    manifest = json.loads(members["MANIFEST.json"])
    manifest["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    if name.endswith(".jsonl"):
        manifest["files"][name]["rows"] = content.count(b"\n")
    return {**members, "MANIFEST.json": json.dumps(manifest).encode(), name: content}
