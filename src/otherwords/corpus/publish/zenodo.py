"""A release on Zenodo: a draft with an archive of all files, which is published when it is complete.

Zenodo knows no folders, so the files are in one archive, which has the same bytes every time; the README and the
checksums are beside it. A file that the draft has already, by its MD5, is not sent again, and one that it should not
have is deleted; only a draft that has exactly these files is published. A published record gets a new version.
"""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from collections.abc import Sequence
from html import escape
from pathlib import Path

import msgspec

from otherwords.corpus.publish.client import ServiceClient
from otherwords.corpus.publish.plan import PlannedCall, PublishPlan, PublishResult, SoundRelease
from otherwords.corpus.release.metadata_files import CHECKSUMS
from otherwords.errors import DataError, UsageError

ADDRESS = "https://zenodo.org"
VARIABLE = "ZENODO_TOKEN"
NEW = "new"
BESIDE = ("README.md", CHECKSUMS)  # the archive
DEPOSITS = "/api/deposit/depositions"
MOMENT = (1980, 1, 1, 0, 0, 0)  # of all files of the archive
BYTES_AT_ONCE = 2**20
_JSON = {"Content-Type": "application/json"}


class _Links(msgspec.Struct, frozen=True):
    bucket: str = ""
    latest_draft: str = ""


class _DepositFile(msgspec.Struct, frozen=True):
    id: str
    filename: str
    checksum: str = ""


class _DepositMetadata(msgspec.Struct, frozen=True):
    version: str = ""


class _Deposit(msgspec.Struct, frozen=True):
    id: int
    submitted: bool = False
    links: _Links = _Links()
    files: list[_DepositFile] = []
    metadata: _DepositMetadata = _DepositMetadata()


class _Stored(msgspec.Struct, frozen=True):
    checksum: str = ""


def checked_name(name: str) -> str:
    """The number of a deposit or record, or ``new``."""
    if name != NEW and not (name.isascii() and name.isdigit()):
        message = f"--to zenodo:{name}: expected the number of a deposit or record, or zenodo:{NEW}"
        raise UsageError(message, code="bad-target")
    return name


def plan(release: SoundRelease, name: str, address: str) -> PublishPlan:
    """All files and calls."""
    deposit, total = f"{address}{DEPOSITS}/{name}", sum(file.size for file in release.files)
    first = (
        PlannedCall("POST", f"{address}{DEPOSITS}", "make a draft")
        if name == NEW
        else PlannedCall("GET", deposit, "is it a draft? which files has it?")
    )
    version = (
        [] if name == NEW else [PlannedCall("POST", f"{deposit}/actions/newversion", "if it was published before")]
    )
    uploads = [
        PlannedCall("PUT", f"(bucket of the draft)/{archive_name(release)}", "all files in an archive", total),
        *(PlannedCall("PUT", f"(bucket of the draft)/{file}", "to read it on the page") for file in BESIDE),
    ]
    last = [
        PlannedCall("PUT", f"{address}{DEPOSITS}/DRAFT", "title, authors, licence, version"),
        PlannedCall("GET", f"{address}{DEPOSITS}/DRAFT", "has it exactly these files?"),
        PlannedCall("POST", f"{address}{DEPOSITS}/DRAFT/actions/publish", "publish it, which cannot be undone"),
    ]
    return PublishPlan(
        f"zenodo:{name}", release.version, release.files, [first, *(version if name != NEW else ()), *uploads, *last]
    )


def archive_name(release: SoundRelease) -> str:
    return f"{release.name}-{release.version}.zip"


def publish(release: SoundRelease, name: str, client: ServiceClient) -> PublishResult:
    """Fill a draft and publish it."""
    planned = plan(release, name, client.address)
    deposit = _find_draft(release, name, client)
    if deposit.submitted:
        return PublishResult(planned, sent=True, address=_page(client, deposit), again=True)
    try:
        uploaded, deleted = _fill(release, client, deposit)
        client.post(f"{DEPOSITS}/{deposit.id}/actions/publish", None, msgspec.Raw)
    except DataError as problem:
        message = f"{problem}; nothing is published: go on with --to zenodo:{deposit.id if name == NEW else name}"
        raise DataError(message, code=problem.code) from None
    return PublishResult(planned, sent=True, address=_page(client, deposit), uploaded=uploaded, deleted=deleted)


def _fill(release: SoundRelease, client: ServiceClient, deposit: _Deposit) -> tuple[list[str], list[str]]:
    """Make a draft have exactly the files and metadata of a release; the names of files that were sent and deleted."""
    with tempfile.TemporaryDirectory(prefix="otherwords-") as folder:
        archive = Path(folder) / archive_name(release)
        write_archive(release, archive)
        files = {archive.name: archive} | {name: release.folder / name for name in BESIDE}
        digests = {name: _md5(path) for name, path in files.items()}
        wrong = [file for file in deposit.files if not _is_same(file, digests)]
        for file in wrong:
            client.send("DELETE", f"{DEPOSITS}/{deposit.id}/files/{file.id}")
        present = {file.filename for file in deposit.files if file not in wrong}
        sent = [name for name in files if name not in present]
        for name in sent:
            _upload(client, deposit, files[name], digests[name])
    metadata = {"metadata": _metadata(release)}
    client.ask("PUT", f"{DEPOSITS}/{deposit.id}", msgspec.Raw, msgspec.json.encode(metadata), _JSON)
    _refuse_incomplete(client.get(f"{DEPOSITS}/{deposit.id}", _Deposit), digests)
    return sent, sorted(file.filename for file in wrong if file.filename not in files)


def _find_draft(release: SoundRelease, name: str, client: ServiceClient) -> _Deposit:
    """The draft to fill; of a record that was published with this version, the record itself."""
    if name == NEW:
        return client.post(DEPOSITS, {}, _Deposit)
    deposit = client.get(f"{DEPOSITS}/{name}", _Deposit)
    if not deposit.submitted or deposit.metadata.version == release.version:
        return deposit
    if not deposit.links.latest_draft:
        deposit = client.post(f"{DEPOSITS}/{name}/actions/newversion", None, _Deposit)
    return client.get(deposit.links.latest_draft, _Deposit)


def write_archive(release: SoundRelease, path: Path) -> None:
    """All files of a release as a zip archive without the times of this machine."""
    folder = f"{release.name}-{release.version}"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in release.files:
            entry = zipfile.ZipInfo(f"{folder}/{file.path}", MOMENT)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            entry.file_size = file.size
            with (release.folder / file.path).open("rb") as source, archive.open(entry, "w") as target:
                while block := source.read(BYTES_AT_ONCE):
                    target.write(block)


def _upload(client: ServiceClient, deposit: _Deposit, path: Path, digest: str) -> None:
    headers = {"Content-Type": "application/octet-stream"}
    stored = client.ask("PUT", f"{deposit.links.bucket}/{path.name}", _Stored, path, headers)
    if stored.checksum.removeprefix("md5:") != digest:
        message = f"{path.name}: Zenodo has stored other bytes; run the same command again"
        raise DataError(message, code="publish-failed")


def _is_same(file: _DepositFile, digests: dict[str, str]) -> bool:
    return digests.get(file.filename) == file.checksum.removeprefix("md5:")


def _refuse_incomplete(deposit: _Deposit, digests: dict[str, str]) -> None:
    names = sorted(file.filename for file in deposit.files)
    if names != sorted(digests) or not all(_is_same(file, digests) for file in deposit.files):
        message = f"deposit {deposit.id} does not have exactly the files of the release; it stays a draft"
        raise DataError(f"{message}: run the same command again", code="publish-incomplete")


def _metadata(release: SoundRelease) -> dict[str, object]:
    about = release.about
    creators: Sequence[dict[str, str]] = [
        {"name": ", ".join(part for part in reversed(author.names) if part)}
        | ({"orcid": author.orcid} if author.orcid else {})
        | ({"affiliation": author.affiliation} if author.affiliation else {})
        for author in about.authors
    ]
    title = about.title or f"{release.name}: a paraphrase corpus"
    return {
        "upload_type": "dataset",
        "title": title,
        "description": f"<p>{escape(about.description or title)}</p>",
        "creators": creators or [{"name": f"The makers of {release.name}"}],
        "version": release.version,
        "publication_date": release.date,
        "license": release.licence.lower(),
        "access_right": "open",
    }


def _md5(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _page(client: ServiceClient, deposit: _Deposit) -> str:
    return f"{client.address}/records/{deposit.id}"
