"""Whether a release is what it says: every file unchanged, every row what the pairs make it, no leaks.

With the project that it was made from, every pair is also traced back to the judgements that made its label.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath

from otherwords.annotate import schemes
from otherwords.annotate.labels.label_rule import NEGATIVE, POSITIVE, LabelRule
from otherwords.annotate.labels.views import view_rule
from otherwords.corpus.release.checks import leak_checks
from otherwords.corpus.release.metadata_files import CHECKSUMS, ReleaseFacts, files_of, read_facts
from otherwords.corpus.release.pairs import part_of, read_pairs
from otherwords.corpus.verify.configs import config_problems
from otherwords.corpus.verify.grown import grown_problems
from otherwords.corpus.verify.labels import label_problems
from otherwords.errors import DataError, LabelError, UsageError
from otherwords.project.file_digests import file_digest
from otherwords.records import Pair
from otherwords.sources.reading import DATA_FOLDER, PAIRS_FILE

UNREADABLE = "pairs"  # the check that fails where the pairs cannot be read
SHOWN = 20  # problems of a kind that are listed
LabelCounter = dict[str, Counter[str]]  # pairs by part and label
_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")
LARGEST_LIST = 16 * 2**20


@dataclass(slots=True)
class VerifyResult:
    """What was checked, and the problems."""

    folder: str
    version: str
    pairs: int = 0
    problems: dict[str, list[str]] = field(default_factory=dict)  # by what was checked, in that order
    more: dict[str, int] = field(default_factory=dict)  # the number of problems that are not listed

    @property
    def sound(self) -> bool:
        return not any(self.problems.values())

    def add(self, name: str, problems: Iterator[str]) -> None:
        """Add the problems of a check."""
        self.problems[name] = list(islice(problems, SHOWN))
        if rest := sum(1 for _ in problems):
            self.more[name] = rest


def verify(folder: str | Path, project: str | Path | None = None) -> VerifyResult:
    """Check everything; a file that cannot be read is one of the problems."""
    place, origin = Path(folder), Path(project) if project is not None else None
    facts, pairs, counts = read_facts(place), place / DATA_FOLDER / PAIRS_FILE, LabelCounter()
    result = _verify_files(place, facts, counts, origin)
    if UNREADABLE in result.problems:
        return result
    result.add("leaks", _leak_problems(pairs, counts, facts))
    if origin is not None:
        grown = facts.growth
        problems = label_problems(origin, pairs, facts) if grown is None else grown_problems(origin, pairs, grown)
        result.add("project", problems)
    return result


def problems_before_release(folder: Path, project: Path) -> list[str]:
    """The problems of a release that the project does not know yet; leaks were looked for before it was written."""
    facts = read_facts(folder)
    result = _verify_files(folder, facts, LabelCounter(), project)
    if facts.growth is not None:
        result.add("project", grown_problems(project, folder / DATA_FOLDER / PAIRS_FILE, facts.growth))
    return [problem for problems in result.problems.values() for problem in problems]


def _verify_files(folder: Path, facts: ReleaseFacts, counts: LabelCounter, project: Path | None) -> VerifyResult:
    """Check the files by themselves, and count the labels; the project may have the scheme."""
    result = VerifyResult(str(folder), facts.version)
    result.add("files", file_problems(folder))
    pairs = folder / DATA_FOLDER / PAIRS_FILE
    try:
        for pair in read_pairs(pairs):
            counts.setdefault(part_of(pair), Counter())[str(pair.label)] += 1
    except (OSError, ValueError, RecursionError) as problem:
        result.add(UNREADABLE, iter([f"{DATA_FOLDER}/{PAIRS_FILE}: cannot be read: {problem}"]))
        return result
    result.pairs = sum(labels.total() for labels in counts.values())
    result.add("counts", _count_problems(facts, counts))
    result.add("labels", _scheme_problems(facts, counts, project))
    result.add("configs", config_problems(folder, pairs, list(counts), facts))
    return result


def _count_problems(facts: ReleaseFacts, counts: LabelCounter) -> Iterator[str]:
    if facts.counts is None:
        yield "release.json does not say how many pairs there are"
        return
    for part in sorted({*facts.counts, *counts}):
        present, listed = dict(counts.get(part, {})), facts.counts.get(part) or {}
        if present != listed:
            labels = sorted(label for label in {*present, *listed} if present.get(label) != listed.get(label))
            differ = ", ".join(
                f"{label}: {listed.get(label, 0)} listed, {present.get(label, 0)} there" for label in labels
            )
            yield f"the counts of {part} in release.json are not those of the pairs ({differ})"


def _scheme_problems(facts: ReleaseFacts, counts: LabelCounter, project: Path | None) -> Iterator[str]:
    if facts.scheme is None:
        return
    try:
        scheme = schemes.load_scheme(facts.scheme, project)
        rule = view_rule(scheme, facts.view)
    except UsageError:
        return  # a scheme of the project, which is not at hand
    for label in sorted({label for labels in counts.values() for label in labels}):
        if not _is_label(rule, label):
            yield f"label {label!r} is outside the scheme {facts.scheme}"


def _is_label(rule: LabelRule, label: str) -> bool:
    """Whether a view has a label: a pole, a value of its projection, or an answer to its question."""
    if label in (POSITIVE, NEGATIVE) or rule.question is None:
        return True
    if rule.view.projection in rule.scheme.projections:
        return rule.positive(label) is not None
    try:
        return bool(rule.question.normalise(label) == label)
    except LabelError:
        return False


def _leak_problems(pairs: Path, counts: LabelCounter, facts: ReleaseFacts) -> Iterator[str]:
    """Leaks in spite of which the corpus was released are no problem; more of them are."""
    streams = {part: _pairs_in_part(pairs, part) for part in counts}
    check = leak_checks(streams, sum(labels.total() for labels in counts.values()))[0]
    accepted = sum(known.count for known in facts.checks if known.name == "leaks" and known.overruled)
    if check.count > accepted:
        yield f"{check.says}: {check.count:,}{' such as ' if check.examples else ''}{'; '.join(check.examples)}"


def _pairs_in_part(pairs: Path, part: str) -> Iterator[Pair]:
    return (pair for pair in read_pairs(pairs) if part_of(pair) == part)


def file_problems(folder: Path) -> Iterator[str]:
    """The problems of all files."""
    listed, present = read_checksums(folder), set(files_of(folder))
    for name, digest in listed.items():
        if name not in present:
            yield f"{name}: is missing"
        elif (folder / name).is_symlink():
            yield f"{name}: is a link, not a file"
        elif file_digest(folder / name) != digest:
            yield f"{name}: was changed"
    for name in sorted(present - listed.keys()):
        yield f"{name}: was added"


def read_checksums(folder: Path) -> dict[str, str]:
    """The checksum of each file by its path; a path that leads out of the release is refused."""
    path = folder / CHECKSUMS
    try:
        if path.stat().st_size > LARGEST_LIST:
            raise DataError("is larger than any list of checksums", path, code="not-checksums")
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), path, code="file-unreadable") from None
    except UnicodeDecodeError:
        raise DataError("is not a list of checksums", path, code="not-checksums") from None
    checksums: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise DataError("expected a SHA-256 and the name of a file", path, number, code="not-checksums")
        digest, text = match.groups()
        name = PurePosixPath(text)
        if name.is_absolute() or ".." in name.parts or "\\" in text or "\0" in text:
            raise DataError(f"{text!r} leads out of the release", path, number, code="path-outside")
        if not (folder / name).resolve().is_relative_to(folder.resolve()):
            raise DataError(f"{text!r} leads out of the release by a link", path, number, code="path-outside")
        checksums[str(name)] = digest
    return checksums
