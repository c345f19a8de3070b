"""A release on the Hugging Face Hub: large files first, then all of it as one commit, then a tag with its version.

Before the commit nothing can be seen. A large file that the Hub has already is not sent again, and a file that is in
the repository as it is in the release is not part of the commit; so whatever breaks off goes on when it is run again.
Files of an earlier version that this one lacks are deleted, in the folders that releases have.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

import msgspec

from otherwords.corpus.publish.client import ServiceClient, ServiceRefused, lines
from otherwords.corpus.publish.plan import PlannedCall, PublishPlan, PublishResult, ReleasedFile, SoundRelease
from otherwords.errors import DataError, UsageError

ADDRESS = "https://huggingface.co"
VARIABLE = "HF_TOKEN"
BRANCH = "main"
SAMPLE = 512  # bytes of a file by which the Hub decides how it is stored
FILES_AT_A_TIME = 256
OWN_FOLDERS = ("data/", "tsv/", "turku/", "p4p/", "figures/", "models/")
LARGEST = 5 * 10**9  # of a file that is sent in one piece
NOT_FOUND, CONFLICT = 404, 409
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_LFS = {"Accept": "application/vnd.git-lfs+json", "Content-Type": "application/vnd.git-lfs+json"}


class _Repository(msgspec.Struct, frozen=True):
    sha: str | None = None


class _Reference(msgspec.Struct, frozen=True):
    name: str


class _References(msgspec.Struct, frozen=True):
    tags: list[_Reference] = []


class _LargeFile(msgspec.Struct, frozen=True):
    oid: str


class _TreeEntry(msgspec.Struct, frozen=True):
    type: str
    path: str
    oid: str = ""
    lfs: _LargeFile | None = None


class _Mode(msgspec.Struct, frozen=True, rename="camel"):
    path: str
    upload_mode: str


class _Modes(msgspec.Struct, frozen=True):
    files: list[_Mode]


class _Action(msgspec.Struct, frozen=True):
    href: str
    header: dict[str, str] = {}


class _Object(msgspec.Struct, frozen=True):
    oid: str
    actions: dict[str, _Action] = {}
    error: dict[str, Any] | None = None


class _Batch(msgspec.Struct, frozen=True):
    objects: list[_Object]


def checked_name(name: str) -> str:
    """A repository ``OWNER/NAME``."""
    owner, slash, repository = name.partition("/")
    usable = slash and all(
        part.replace("-", "").replace("_", "").replace(".", "").isalnum() for part in (owner, repository)
    )
    if not usable or not name.isascii() or ".." in name:
        raise UsageError(f"--to hf:{name}: expected hf:OWNER/NAME, such as hf:harbour/paraphrases", code="bad-target")
    return name


def plan(release: SoundRelease, name: str, address: str) -> PublishPlan:
    """All files and calls."""
    api, total = f"{address}/api/datasets/{name}", sum(file.size for file in release.files)
    calls = [
        PlannedCall("GET", f"{api}/refs", "is this version there already?"),
        PlannedCall("POST", f"{address}/api/repos/create", "make the repository, if there is none"),
        PlannedCall("GET", f"{api}/tree/{BRANCH}?recursive=true", "which files are there already?"),
        PlannedCall("POST", f"{api}/preupload/{BRANCH}", "which files are large?"),
        PlannedCall("POST", f"{address}/datasets/{name}.git/info/lfs/objects/batch", "where do they go?"),
        PlannedCall("PUT", "(where the Hub says)", "each large file that it does not have", total),
        PlannedCall("POST", f"{api}/commit/{BRANCH}", "the release, as one commit"),
        PlannedCall("POST", f"{api}/tag/{BRANCH}", f"tag it {release.version}"),
    ]
    return PublishPlan(f"hf:{name}", release.version, release.files, calls)


def publish(release: SoundRelease, name: str, client: ServiceClient) -> PublishResult:
    """Send a release; this version is published by the tag, which comes last."""
    planned = plan(release, name, client.address)
    return _HubUpload(release, name, client, planned).run()


class _HubUpload:
    def __init__(self, release: SoundRelease, name: str, client: ServiceClient, planned: PublishPlan) -> None:
        self.release, self.name, self.client, self.plan = release, name, client, planned
        self.api = f"/api/datasets/{name}"
        self.found = f"{client.address}/datasets/{name}"

    def run(self) -> PublishResult:
        head = self._head()
        if self.release.version in self._tags():
            return PublishResult(self.plan, sent=True, address=self.found, again=True)
        present = self._present()
        changed = [file for file in self.release.files if not self._is_same(file, present.get(file.path))]
        paths = {file.path for file in self.release.files}
        gone = sorted(path for path in present if path not in paths and path.startswith(OWN_FOLDERS))
        uploaded: list[str] = []
        if changed or gone:
            large = self._large(changed)
            uploaded = self._upload([file for file in changed if file.path in large])
            self._commit(changed, large, gone, head)
        self.client.post(f"{self.api}/tag/{BRANCH}", {"tag": self.release.version}, msgspec.Raw)
        sent = [*uploaded, *(file.path for file in changed if file.path not in uploaded)] if changed else []
        return PublishResult(self.plan, sent=True, address=self.found, uploaded=sorted(sent), deleted=gone)

    def _head(self) -> str | None:
        """The latest commit; the repository is made where there is none."""
        try:
            return self.client.get(self.api, _Repository).sha
        except ServiceRefused as problem:
            if problem.status != NOT_FOUND:
                raise
        owner, _, repository = self.name.partition("/")
        content = {"type": "dataset", "name": repository, "organization": owner, "private": False}
        try:
            self.client.post("/api/repos/create", content, msgspec.Raw)
        except ServiceRefused as problem:
            if problem.status != CONFLICT:  # somebody has made it in between
                raise
        return self.client.get(self.api, _Repository).sha

    def _tags(self) -> set[str]:
        return {tag.name for tag in self.client.get(f"{self.api}/refs", _References).tags}

    def _present(self) -> dict[str, _TreeEntry]:
        try:
            entries = self.client.get(f"{self.api}/tree/{BRANCH}?recursive=true", list[_TreeEntry])
        except ServiceRefused as problem:
            if problem.status != NOT_FOUND:  # of a repository without any commit
                raise
            return {}
        return {entry.path: entry for entry in entries if entry.type == "file"}

    def _is_same(self, file: ReleasedFile, entry: _TreeEntry | None) -> bool:
        if entry is None:
            return False
        if entry.lfs is not None:
            return entry.lfs.oid == file.sha256
        content = (self.release.folder / file.path).read_bytes()
        return entry.oid == hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()

    def _large(self, files: Sequence[ReleasedFile]) -> set[str]:
        """The paths of the files that are not part of the commit itself."""
        large: set[str] = set()
        for start in range(0, len(files), FILES_AT_A_TIME):
            asked = []
            for file in files[start : start + FILES_AT_A_TIME]:
                with (self.release.folder / file.path).open("rb") as stream:
                    sample = base64.b64encode(stream.read(SAMPLE)).decode()
                asked.append({"path": file.path, "size": file.size, "sample": sample})
            modes = self.client.post(f"{self.api}/preupload/{BRANCH}", {"files": asked}, _Modes)
            large.update(mode.path for mode in modes.files if mode.upload_mode == "lfs")
        return large

    def _upload(self, files: Sequence[ReleasedFile]) -> list[str]:
        """Send the large files that the Hub does not have; their paths."""
        by_digest = {file.sha256: file for file in files}
        for file in files:
            if file.size > LARGEST:
                message = "is larger than 5 GB; split the corpus into parts"
                raise DataError(message, self.release.folder / file.path, code="file-too-large")
        if not files:
            return []
        content = {
            "operation": "upload",
            "transfers": ["basic"],
            "objects": [{"oid": file.sha256, "size": file.size} for file in by_digest.values()],
            "hash_algo": "sha256",
            "ref": {"name": BRANCH},
        }
        path = f"/datasets/{self.name}.git/info/lfs/objects/batch"
        batch = self.client.ask("POST", path, _Batch, msgspec.json.encode(content), _LFS)
        sent = []
        for target in batch.objects:
            file = by_digest[target.oid]
            if target.error is not None:
                message = f"the Hub does not take {file.path}: {target.error.get('message')}"
                raise DataError(message, code="publish-refused")
            if (upload := target.actions.get("upload")) is not None:
                self.client.send("PUT", upload.href, self.release.folder / file.path, upload.header)
                sent.append(file.path)
            if (verify := target.actions.get("verify")) is not None:
                size = msgspec.json.encode({"oid": file.sha256, "size": file.size})
                self.client.send("POST", verify.href, size, {**_LFS, **verify.header})
        return sent

    def _commit(self, files: Sequence[ReleasedFile], large: set[str], gone: Sequence[str], head: str | None) -> None:
        """All files at once. A commit of somebody else since ``head`` makes it fail."""
        headers = {"Content-Type": "application/x-ndjson"}
        body = lines(self._operations(files, large, gone, head))
        self.client.send("POST", f"{self.api}/commit/{quote(BRANCH)}", body, headers)

    def _operations(
        self, files: Sequence[ReleasedFile], large: set[str], gone: Sequence[str], head: str | None
    ) -> Iterator[dict[str, object]]:
        parent = {"parentCommit": head} if head else {}
        yield {"key": "header", "value": {"summary": f"Release {self.release.version}", "description": "", **parent}}
        for file in files:
            if file.path in large:
                value = {"path": file.path, "algo": "sha256", "oid": file.sha256, "size": file.size}
                yield {"key": "lfsFile", "value": value}
                continue
            content = base64.b64encode((self.release.folder / file.path).read_bytes()).decode()
            yield {"key": "file", "value": {"path": file.path, "content": content, "encoding": "base64"}}
        for path in gone:
            yield {"key": "deletedFile", "value": {"path": path}}
