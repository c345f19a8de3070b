"""The metadata of a release: citation, licence, a description for programs, and the checksums of all files.

The front matter of its README is the YAML by which the Hub and ``load_dataset`` find its files. ``load_dataset`` caches
a folder under its name and a digest of these lines. So they contain a digest of the files: two corpora whose folders
have the same name are never mistaken for each other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
import yaml

from otherwords import __version__
from otherwords.corpus.release.croissant import CROISSANT, croissant
from otherwords.corpus.release.hub_configs import DEFAULT, data_file
from otherwords.corpus.release.model import Check, GrowthFacts, HubConfig, ReleaseModel
from otherwords.errors import DataError
from otherwords.licences.compatibility import address_of
from otherwords.project.about import ORCID_ADDRESS, About, CorpusAuthor
from otherwords.project.alignments import AlignmentCounts
from otherwords.project.file_digests import file_digest
from otherwords.sources.reading import DATA_FOLDER, JUDGEMENTS_FILE, PAIRS_FILE, RELEASE_FILE

PLEASE_CITE = "If you use this corpus, please cite it as below."


def citation_facts(release: ReleaseModel) -> dict[str, object]:
    """The content of ``CITATION.cff``; a corpus without known authors is by its makers."""
    about, makers = release.about, f"The makers of {release.name}"
    facts: dict[str, object] = {
        "cff-version": "1.2.0",
        "message": f"If you use this corpus, please cite: {about.citation}" if about.citation else PLEASE_CITE,
        "type": "dataset",
        "title": about.title or f"{release.name}: a paraphrase corpus",
        "version": release.version,
        "date-released": release.date,
    }
    if release.licence:
        facts["license"] = release.licence
    facts["authors"] = [_person(author) for author in about.authors] or [{"name": makers}]
    if about.contact:
        kind = "website" if "://" in about.contact else "email"
        facts["contact"] = [{"name": makers, kind: about.contact}]
    return facts | ({"abstract": about.description} if about.description else {})


def _person(author: CorpusAuthor) -> dict[str, str]:
    given, family = author.names
    orcid = f"{ORCID_ADDRESS}{author.orcid}" if author.orcid else ""
    fields = {"family-names": family, "given-names": given, "orcid": orcid, "affiliation": author.affiliation}
    return {name: value for name, value in fields.items() if value}


def reference(release: ReleaseModel) -> str:
    """The release as a line of a bibliography."""
    about = release.about
    authors = ", ".join(author.full_name for author in about.authors)
    title = about.title or f"{release.name}: a paraphrase corpus"
    return f"{f'{authors}: ' if authors else ''}{title}. Version {release.version}, {release.date[:4]}."


CITATION, LICENCE, CHECKSUMS = "CITATION.cff", "LICENSE", "checksums.sha256"
FORMAT = 1  # of release.json
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "1M<n<10M"
TASKS = ("text-classification", "sentence-similarity", "text-generation")
_PLAIN_FACTS = (
    *("name", "version", "licence", "lang", "scheme", "date", "counts", "left_out", "rewrites", "judgements"),
    *("pairs", "annotators", "parameters", "simulated", "signatures", "checks", "configs", "about", "alignments"),
    "earlier_tests",
)


def front_matter(release: ReleaseModel) -> str:
    """The header of the README, with the lines that delimit it."""
    files: list[dict[str, object]] = []
    columns: list[dict[str, object]] = []
    for config in release.configs:
        default = {"default": True} if config.name == DEFAULT else {}
        paths = [{"split": split, "path": data_file(config.name, split)} for split in config.splits]
        files.append({"config_name": config.name, **default, "data_files": paths})
        size = sum(config.sizes.values())
        splits = [
            {"name": split, "num_bytes": config.sizes.get(split, 0), "num_examples": rows}
            for split, rows in config.splits.items()
        ]
        columns.append(
            {
                "config_name": config.name,
                "features": [{"name": name, "dtype": dtype} for name, dtype in config.features.items()],
                "splits": splits,
                "download_size": size,
                "dataset_size": size,
                "description": f"sha256 {config.sha256}",
            }
        )
    header: dict[str, object] = {
        "pretty_name": f"{release.about.title or release.name} {release.version}",
        "license": release.licence.lower(),
        "language": [release.lang],
        "task_categories": list(TASKS),
        "tags": ["paraphrase"],
        "size_categories": [next((name for limit, name in SIZES if release.pairs < limit), LARGEST)],
        "configs": files,
        "dataset_info": columns,
    }
    return f"---\n{_as_yaml(header)}---\n"


def _as_yaml(value: dict[str, object]) -> str:
    """YAML with the keys in their order and every line whole."""
    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=10**6)
    return text


def metadata_files(release: ReleaseModel) -> dict[str, bytes]:
    """The files that describe the release, by name: how to cite it (in the Citation File Format), licence, facts."""
    where = f"Its text: {address_of(release.licence)}\n" if release.licence else ""
    licence = (
        f"{release.name} {release.version}\n\n"
        f"SPDX-License-Identifier: {release.licence}\n\n"
        f"This corpus is released under {release.licence}.\n{where}"
    )
    facts = _as_json(release_facts(release), "sorted")
    files = {CITATION: _as_yaml(citation_facts(release)).encode(), LICENCE: licence.encode(), RELEASE_FILE: facts}
    return files | {CROISSANT: _as_json(croissant(release, reference(release)))}


def _as_json(value: object, order: Literal["sorted"] | None = None) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value, order=order), indent=2) + b"\n"


def release_facts(release: ReleaseModel) -> dict[str, object]:
    """The content of ``release.json``: what the release was made from, and what it contains."""
    described = {name: msgspec.to_builtins(getattr(release, name)) for name in _PLAIN_FACTS}
    # A digest of the state of the ledger that the release shows: its pairs, labels, parts and judgements.
    shown = (release.folder / DATA_FOLDER / PAIRS_FILE, release.folder / JUDGEMENTS_FILE)
    digest = hashlib.sha256("".join(map(file_digest, shown)).encode()).hexdigest()
    return described | {"format": FORMAT, "made_with": f"otherwords {__version__}", "ledger": digest}


class _ReleaseParameters(msgspec.Struct):
    view: str | None = None
    growth: GrowthFacts | None = None


class ReleaseFacts(msgspec.Struct):
    """What is read back from ``release.json``."""

    version: str
    name: str | None = None
    licence: str | None = None
    date: str | None = None
    counts: dict[str, dict[str, int]] | None = None
    left_out: dict[str, int] = {}
    checks: list[Check] = []
    configs: list[HubConfig] = []
    parameters: _ReleaseParameters | None = None
    scheme: str | None = None
    simulated: bool = False
    about: About = About()
    alignments: list[AlignmentCounts] = []

    @property
    def view(self) -> str | None:
        """The view whose labels were released; None: the main one."""
        return self.parameters.view if self.parameters else None

    @property
    def growth(self) -> GrowthFacts | None:
        """How it was made, if it is a version of a growing set."""
        return self.parameters.growth if self.parameters else None


def read_facts(folder: Path) -> ReleaseFacts:
    """Read ``release.json``."""
    path = folder / RELEASE_FILE
    try:
        content = msgspec.json.decode(path.read_bytes())
    except OSError as problem:
        raise DataError(f"not a release: {problem.strerror}", path, code="not-a-release") from None
    except (ValueError, RecursionError) as problem:
        raise DataError(f"cannot be read: {problem}", path, code="file-unreadable") from None
    if not isinstance(content, dict) or not isinstance(content.get("version"), str):
        raise DataError("is not the description of a release: it has no version", path, code="not-a-release")
    if content.get("format") != FORMAT:
        message = f"is of format {content.get('format')!r}; this version of otherwords knows {FORMAT}"
        raise DataError(message, path, code="unknown-format")
    try:
        return msgspec.convert(content, ReleaseFacts)
    except msgspec.ValidationError as problem:
        raise DataError(f"is not the description of a release: {problem}", path, code="not-a-release") from None


def write_checksums(folder: Path) -> str:
    """Write the checksums of all files, for ``sha256sum -c``; the digest of that list."""
    lines = [f"{file_digest(folder / name)}  {name}\n" for name in files_of(folder)]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")
    return file_digest(folder / CHECKSUMS)


def files_of(folder: Path) -> Iterator[str]:
    """The paths of all files of a release except the checksums."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    return iter(sorted(name for name in names if name != CHECKSUMS))
