"""``[about]`` in ``otherwords.toml``: who made the corpus, and what its readers should know.

The card, the data statement, the report and the citation of a release are written from it. It is edited in the file, or
on the site, which rewrites this part of the file and leaves all others as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from otherwords.errors import ProjectError, Refused
from otherwords.project.config import CONFIG_FILE
from otherwords.sources.io.files import atomic_write
from otherwords.sources.io.toml import parse_toml

F = TypeVar("F", bound=msgspec.Struct)
MOST_CHARACTERS = 10_000  # of an entry
MOST_AUTHORS = 200
ORCID_ADDRESS = "https://orcid.org/"
SECTION = """\
[about]
# Who made the corpus and what its readers should know: for the card, the data statement, the report and the citation.
# The page About of the site changes this, too. A release lists what is empty.
title = {title}
description = {description}
contact = {contact}  # an e-mail or web address
funding = {funding}
citation = {citation}  # what to cite, if there is a paper

# Authors, each with a name ("Ada Byron" or "Byron, Ada") and, if there is one, an orcid and an affiliation.
{authors}
[about.texts]
variety = {texts.variety}  # dialects; whether texts were translated
speakers = {texts.speakers}  # who wrote the texts
situation = {texts.situation}  # when, where and for whom
genre = {texts.genre}  # and topics

[about.annotators]
background = {annotators.background}  # age, first language, training
pay = {annotators.pay}
"""
AUTHOR = "[[about.authors]]\nname = {name}\norcid = {orcid}\naffiliation = {affiliation}\n"
NO_AUTHOR = '# [[about.authors]]\n# name = ""\n# orcid = ""\n# affiliation = ""\n'
_HEADER = re.compile(r"[ \t]*\[")
_ABOUT_HEADER = re.compile(r"[ \t]*\[\[?[ \t]*about[ \t]*[].]")
_EMAIL = re.compile(r"[^@\s<>,;]+@[^@\s<>,;]+\.[^@\s<>,;.]+")
_ORCID = re.compile(r"\d{15}[\dX]", re.ASCII)


class CorpusAuthor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who made the corpus."""

    name: str
    orcid: str = ""
    affiliation: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """Given names and family name; the family name is before a comma, or otherwise the last word."""
        if "," in self.name:
            family, _, given = self.name.partition(",")
        else:
            given, _, family = self.name.rpartition(" ")
        return given.strip(), family.strip()

    @property
    def full_name(self) -> str:
        """The name as it is read."""
        return " ".join(filter(None, self.names))


class TextFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known about the texts, by headings B, C, E and F of a data statement (Bender & Friedman 2018)."""

    variety: str = ""
    speakers: str = ""
    situation: str = ""
    genre: str = ""


class AnnotatorFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known about the people who judged."""

    background: str = ""
    pay: str = ""


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who made a corpus, and what its readers should know; whatever is not known is empty."""

    title: str = ""
    description: str = ""
    contact: str = ""
    funding: str = ""
    citation: str = ""
    authors: tuple[CorpusAuthor, ...] = ()
    texts: TextFacts = TextFacts()
    annotators: AnnotatorFacts = AnnotatorFacts()

    @property
    def plain_entries(self) -> dict[str, str]:
        """The entries that are texts, by name: ``title``, ``annotators.pay``."""
        return {name: value for name, value in _entries(self) if isinstance(value, str)}

    @property
    def empty(self) -> list[str]:
        """The names of the entries that are empty."""
        return [name for name, value in _entries(self) if not value]

    def changes(self, before: About) -> list[str]:
        """The names of the entries that are others than before."""
        return [name for (name, new), (_, old) in zip(_entries(self), _entries(before), strict=True) if new != old]

    def completed(self, other: About) -> About:
        """The same with the entries of another one where its own are empty."""
        return _completed(self, other)


def _completed(facts: F, others: F) -> F:
    values = []
    for name in facts.__struct_fields__:
        own, other = getattr(facts, name), getattr(others, name)
        values.append(_completed(own, other) if isinstance(own, msgspec.Struct) else own or other)
    return type(facts)(*values)


def _entries(about: msgspec.Struct, prefix: str = "") -> Iterator[tuple[str, object]]:
    for name in about.__struct_fields__:
        value = getattr(about, name)
        if isinstance(value, msgspec.Struct):
            yield from _entries(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def checked_about(content: object) -> About:
    """What a file or a form says, with its types, ORCIDs and contact checked, and without blanks around texts."""
    try:
        about = msgspec.convert(content, About)
    except msgspec.ValidationError as problem:
        raise Refused(str(problem), code="bad-about") from None
    for name, text in about.plain_entries.items():
        _check_text(name, text)
    if len(about.authors) > MOST_AUTHORS:
        message = f"there are at most {MOST_AUTHORS} authors, not {len(about.authors):,}"
        raise Refused(message, "authors", code="too-many-authors")
    contact = about.contact.strip()
    if contact and not _EMAIL.fullmatch(contact) and not _is_address(contact):
        message = f"{contact!r} is neither an e-mail address nor a web address (https://…)"
        raise Refused(message, "contact", code="bad-contact")
    plain = {name: text.strip() for name, text in about.plain_entries.items() if "." not in name}
    return About(
        **plain | {"title": " ".join(about.title.split())},
        authors=tuple(map(_checked_author, about.authors)),
        texts=_stripped(about.texts),
        annotators=_stripped(about.annotators),
    )


def _stripped(facts: F) -> F:
    return type(facts)(*(getattr(facts, name).strip() for name in facts.__struct_fields__))


def _check_text(name: str, text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        message = f"{name} has {len(text):,} characters, and at most {MOST_CHARACTERS:,} fit"
        raise Refused(message, name, code="entry-too-long")
    if not text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable():
        raise Refused(f"{name} has a control character; leave it out", name, code="control-character")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"[\s<>\"]", text)


def _checked_author(author: CorpusAuthor) -> CorpusAuthor:
    for field in author.__struct_fields__:
        _check_text(f"authors: {field}", getattr(author, field))
    name, affiliation = " ".join(author.name.split()), " ".join(author.affiliation.split())
    if not name.strip(" ,"):
        raise Refused("an author has a name", "authors", code="author-without-name")
    digits = author.orcid.strip().removeprefix(ORCID_ADDRESS).replace("-", "").upper()
    if digits and not _is_orcid(digits):
        message = f"{author.orcid!r} is not the ORCID of anybody: a digit is wrong (expected 0000-0002-1825-0097)"
        raise Refused(message, "authors", code="bad-orcid")
    return CorpusAuthor(name, "-".join(re.findall("....", digits)), affiliation)


def _is_orcid(digits: str) -> bool:
    """Whether the check digit is right (ISO 7064, MOD 11-2)."""
    if not _ORCID.fullmatch(digits):
        return False
    total = 0
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    return digits[-1] == "0123456789X"[(12 - total % 11) % 11]


def read_about(folder: Path) -> About:
    """What the settings in a folder say about the corpus."""
    path = folder / CONFIG_FILE
    try:
        return checked_about(parse_toml(path.read_text(encoding="utf-8")).get("about", {}))
    except Refused as problem:
        raise ProjectError(f"{path}: [about]: {problem}", code=problem.code) from None
    except (OSError, ValueError) as problem:
        raise ProjectError(f"{path}: cannot be read: {problem}", code="settings-unreadable") from None


def write_about(folder: Path, about: About) -> None:
    """Change what the settings in a folder say about the corpus, and nothing else."""
    path = folder / CONFIG_FILE
    settings = with_about(path.read_text(encoding="utf-8"), about)
    with atomic_write(path) as stream:
        stream.write(settings.encode())


def with_about(text: str, about: About) -> str:
    """The text of a settings file with another ``[about]``; comments in the old one are lost, all others stay."""
    blocks: list[list[str]] = [[]]  # a header and what follows; comments and blank lines belong to what comes after
    waiting: list[str] = []
    for line in text.rstrip("\n").split("\n"):
        if not line.strip() or line.lstrip().startswith("#"):
            waiting.append(line)
            continue
        if _HEADER.match(line):
            blocks.append([])
        blocks[-1] += [*waiting, line]
        waiting = []
    blocks[-1] += waiting
    is_about = [any(map(_ABOUT_HEADER.match, block)) for block in blocks]
    place = is_about.index(True) if True in is_about else len(blocks)
    blocks.insert(place, ["", *_as_toml(about).rstrip("\n").split("\n")])
    is_about.insert(place, False)
    lines = [line for block, old in zip(blocks, is_about, strict=True) if not old for line in block]
    settings = "\n".join(lines).strip("\n") + "\n"
    _check_unchanged(text, settings, about)
    return settings


def _as_toml(about: About) -> str:
    """The section as it is written into the file; JSON's escapes are valid in TOML."""

    def quoted(facts: msgspec.Struct) -> dict[str, str]:
        texts = ((name, getattr(facts, name)) for name in facts.__struct_fields__)
        return {name: json.dumps(value, ensure_ascii=False) for name, value in texts if isinstance(value, str)}

    authors = "\n".join(AUTHOR.format(**quoted(author)) for author in about.authors) or NO_AUTHOR
    texts, annotators = (type(facts)(**quoted(facts)) for facts in (about.texts, about.annotators))
    return SECTION.format(**quoted(about), authors=authors, texts=texts, annotators=annotators)


def _check_unchanged(before: str, after: str, about: About) -> None:
    """Refuse a file in which this section cannot be separated from the others, such as one with ``about = {…}``."""
    try:
        old = parse_toml(before)
    except ValueError as problem:
        raise ProjectError(f"{CONFIG_FILE}: cannot be read: {problem}", code="settings-unreadable") from None
    old.pop("about", None)
    try:
        new = parse_toml(after)
        unchanged = checked_about(new.pop("about", {})) == about and new == old
    except ValueError:
        unchanged = False
    if not unchanged:
        message = f"{CONFIG_FILE}: what is said about the corpus has to be in a section of its own, [about]; edit it"
        raise ProjectError(message, code="misplaced-about")
