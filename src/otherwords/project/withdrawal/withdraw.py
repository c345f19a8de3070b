"""Withdrawal of consent: erase the words of a document or a pair, or the name of an annotator.

A tombstone stays. A pair that should not be in the corpus, such as one with an e-mail address, is erased the same way.

The ledger changes in one transaction. Then mined pools with its words and the search index are deleted, datasets are
blanked and the database is rewritten, so that its files do not keep what was erased either; after an interruption,
withdrawing again does the rest.
Imported files, and backups and exports made earlier, are outside the project and not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection, select

from otherwords.errors import ProjectError, UsageError
from otherwords.project import search
from otherwords.project.answer_cache import forget_answers
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import counted_rows
from otherwords.project.mined_pools import erase_in_pools
from otherwords.project.project import Project, now
from otherwords.project.withdrawal.erase_outputs import erase_in_outputs, grown_with
from otherwords.project.withdrawal.erase_rows import erase_documents, erase_pairs
from otherwords.project.withdrawal.identities import PEOPLE
from otherwords.project.withdrawal.pseudonyms import Pseudonyms, erase_annotator

Noun = Literal["document", "pair", "annotator"]
_WITH_ARTICLE: dict[Noun, str] = {"document": "a document", "pair": "a pair", "annotator": "an annotator"}
OUTSIDE = (
    "backups and exports made earlier, and the files that were imported, are not changed: delete them or make them anew"
)


@dataclass(frozen=True, slots=True)
class WithdrawResult:
    """What a withdrawal erased, and the releases that contained it."""

    noun: Noun
    erased: dict[str, int] = field(default_factory=dict)
    releases: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The result in sentences."""
        counts = ", ".join(counted_rows(self.erased))
        what = "name" if self.noun == "annotator" else "text"
        yield f"the {what} is erased: {counts}" if counts else "nothing was left to erase"
        if self.releases and self.noun == "annotator":
            yield f"releases of pairs they judged: {', '.join(self.releases)}; they hold a pseudonym or nothing"
        elif self.releases:
            held = ", ".join(self.releases)
            yield f"releases that held it: {held}; their copies in the project are deleted; release again without it"
        yield OUTSIDE


def withdraw(project: Project, name: str, reason: str | None = None, noun: Noun | None = None) -> WithdrawResult:
    """Erase the text of a document or a pair, or the name of an annotator; the caller holds the project's lock."""
    chosen = noun or find_noun(project, name)
    judgements = schema.judgements
    with project.ledger.erasing() as connection:
        ids: set[str] = set()
        texts: set[str] = set()
        if chosen != "annotator":
            texts = _texts(connection, chosen, name)
            erase = erase_documents if chosen == "document" else erase_pairs
            counts, pairs = erase(connection, [name], now(), reason)
            releases = releases_with(connection, pairs)
            ids = {name, *pairs}
        else:
            own = select(judgements.c.pair).where(judgements.c.annotator == name, judgements.c.unit == "pair")
            releases = releases_with(connection, connection.execute(own.distinct()).scalars().all())
            counts = erase_annotator(connection, name, now(), reason)
        answers = forget_answers(project, texts)  # first: only the texts lead to them
    counts |= {"answers of models": answers} if answers else {}
    pools = erase_in_pools(project, ids, texts - {""}) if ids else 0
    counts |= {"mined pools": pools} if pools else {}
    grown = [str(folder.relative_to(project.folder)) for folder in grown_with(project, ids)]
    return WithdrawResult(chosen, counts | erase_in_files(project, ids, releases), [*releases, *grown])


def _texts(connection: Connection, noun: Noun, name: str) -> set[str]:
    """The words that are about to be erased."""
    pairs, documents = schema.pairs, schema.documents
    about = (pairs.c.doc1 == name) | (pairs.c.doc2 == name) if noun == "document" else pairs.c.id == name
    texts = {text for row in connection.execute(select(pairs.c.text1, pairs.c.text2).where(about)) for text in row}
    if noun == "document":
        texts |= set(connection.execute(select(documents.c.text).where(documents.c.id == name)).scalars())
    return texts


def erase_in_files(project: Project, ids: set[str], releases: list[str]) -> dict[str, int]:
    """Erase in the project's files what was erased in the ledger; the numbers of rows and folders."""
    counts = erase_in_outputs(project, ids, releases) if ids else {}
    search.delete_index(project)
    project.ledger.scrub()
    return counts


def erase_withdrawn(project: Project) -> None:
    """Erase in datasets, which may come from another project, what was withdrawn before."""
    tombstones, pairs = schema.tombstones, schema.pairs
    named = select(tombstones.c.target).where(tombstones.c.noun.in_(("document", "pair")))
    blank = select(pairs.c.id).where(pairs.c.text1 == "", pairs.c.text2 == "")
    with project.ledger.reading() as connection:
        ids = {*connection.execute(named).scalars(), *connection.execute(blank).scalars()}
    if ids:
        erase_in_outputs(project, ids, [])


def find_noun(project: Project, name: str) -> Noun:
    """Whether a name is that of a document, a pair or an annotator, also of one who withdrew before."""
    places: dict[Noun, Sequence[Any]] = {"document": [schema.documents.c.id], "pair": [schema.pairs.c.id]}
    places["annotator"] = PEOPLE
    with project.ledger.reading() as connection:
        nouns = [
            noun
            for noun, columns in places.items()
            if any(connection.execute(select(column).where(column == name).limit(1)).first() for column in columns)
        ]
        if not nouns and Pseudonyms(connection).find(name):
            return "annotator"
    if not nouns:
        message = f"{project.folder}: no document, no pair and no annotator is called {name!r}"
        raise ProjectError(message, code="no-such-name")
    if len(nouns) > 1:
        meanings, flags = " and ".join(_WITH_ARTICLE[noun] for noun in nouns), " or --noun ".join(nouns)
        raise UsageError(f"{name!r} is {meanings}; say which: --noun {flags}", code="ambiguous-name")
    return nouns[0]


def releases_with(connection: Connection, pairs: Iterable[str]) -> list[str]:
    """The versions that contain one of these pairs."""
    released = schema.released_pairs
    versions = connection.execute(select(schema.releases.c.version).order_by(schema.releases.c.time)).scalars().all()
    wanted, in_version = set(pairs), select(released.c.pair)
    return [
        version
        for version in versions
        if not wanted.isdisjoint(connection.execute(in_version.where(released.c.version == version)).scalars())
    ]
