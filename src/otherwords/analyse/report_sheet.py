"""All that one page of a report says, before it is laid out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otherwords.analyse.finding import Finding


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that everybody asks for first, and what it counts."""

    value: str
    what: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page: what it is about, what was found, and how."""

    title: str
    about: str  # one sentence under the title
    facts: Sequence[Fact]
    findings: Sequence[Finding]
    methods: Sequence[str]  # paragraphs
    date: str | None = None  # of the last judgement: a page made again tomorrow is the same page
    warnings: Sequence[str] = ()  # what nobody must overlook
    remarks: Sequence[str] = ()  # what a reader of the figures has to know
    lang: str | None = None  # of texts that do not say theirs
    corpora: int = 1  # figures of several stand side by side
