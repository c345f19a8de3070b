"""Recompute every number of a paper that its released data allow, beside the printed one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from otherwords import __version__
from otherwords.analyse.reproduce.item import Paper
from otherwords.analyse.reproduce.materials import FoundFile, look_into
from otherwords.analyse.reproduce.verdict import SIGNS, Result, Verdict, decide
from otherwords.errors import DataError
from otherwords.registry import Registry

PAPERS: Registry[Paper] = Registry(
    "paper",
    {
        "turku": "otherwords.analyse.reproduce.turku:PAPER",
        "suzuki": "otherwords.analyse.reproduce.suzuki:PAPER",
        "multipit": "otherwords.analyse.reproduce.multipit:PAPER",
        "vila": "otherwords.analyse.reproduce.vila:PAPER",
        "rupaws": "otherwords.analyse.reproduce.rupaws:PAPER",
    },
    group="otherwords.papers",
)
MOST_NAMED = 3  # files that an error names


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A paper beside its data: the files, what is missing, and every item with its verdict."""

    paper: Paper
    data: str  # the name of the file or folder
    files: list[FoundFile]
    results: list[Result]

    @property
    def used(self) -> list[FoundFile]:
        """The files in which numbers of the paper are looked for."""
        return [file for file in self.files if file.role is not None]

    @property
    def missing(self) -> list[str]:
        """What the paper's numbers also come from, and is not here."""
        here = {file.role for file in self.used}
        return [role.about for role in self.paper.roles if role.name not in here]

    def counts(self) -> dict[Verdict, int]:
        """The number of items by verdict."""
        found = Counter(result.verdict for result in self.results)
        return {verdict: found[verdict] for verdict in SIGNS if found[verdict]}

    def as_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "paper": self.paper.name,
            "title": self.paper.title,
            "version": __version__,
            "data": self.data,
            "files": [
                {"file": file.name, "role": file.role, "about": file.about, "rows": file.rows, "sha256": file.sha256}
                for file in self.files
            ],
            "missing": self.missing,
            "counts": self.counts(),
            "items": [result.as_dict() for result in self.results],
        }


def reproduce(name: str, data: str | Path, *, synonyms: str | None = None) -> Reproduction:
    """Compare a paper with the released data in a folder or a file."""
    paper = PAPERS.get(name)
    folder = Path(data)
    materials = look_into(folder, paper, synonyms)
    results = [decide(item, item.compute(materials) if item.compute else None) for item in paper.items]
    if all(result.value is None for result in results):
        wanted = "; ".join(role.about for role in paper.roles)
        seen = "; ".join(f"{file.name}: {file.about}" for file in materials.files[:MOST_NAMED]) or "no files"
        more = len(materials.files) - MOST_NAMED
        found = f"{seen}; and {more:,} more" if more > 0 else seen
        message = f"holds nothing of this paper; looked for {wanted}. Found {found}"
        raise DataError(message, folder, code="nothing-of-paper")
    return Reproduction(paper, folder.resolve().name, materials.files, results)
