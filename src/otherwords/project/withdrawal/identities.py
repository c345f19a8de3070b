"""Where the ledger holds the names of people, and how they are found and replaced there.

Annotators who withdraw are renamed with it, and so are the rows of an export that still name them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from unicodedata import category, normalize

import msgspec
from sqlalchemy import JSON, ColumnElement, Connection, String, Table, cast, select

from otherwords.project.ledger import schema
from otherwords.records import MODEL_PREFIX

_MENTION = re.compile(r"(?<!\w)@(\w(?:[\w.-]*\w)?)")


class Renaming:
    """Names and their replacements; ``others`` are names that may begin with one of them."""

    def __init__(self, names: Mapping[str, str], others: Iterable[str] = ()) -> None:
        self._names, known = dict(names), [name.casefold() for name in others]
        longest_first = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        self._part = re.compile(rf"(?<![^:])(?:{longest_first})(?![^:])")
        self._word = re.compile(rf"(?<![^\W_])(?:{longest_first})(?![^\W_])", re.IGNORECASE)
        telling = {name: new for name, new in names.items() if len(name) > 1 and not name.isdecimal()}
        self._telling = {name.casefold(): new for name, new in telling.items()}
        self._mentions: dict[re.Pattern[str], str] = {}
        for name, new in names.items():
            # A mention as the site reads it: of two names that match, the longer one is meant.
            spelled = {normalize(form, spelling) for form in ("NFC", "NFD") for spelling in (name, name.casefold())}
            longer = [other for other in known if other.startswith(name.casefold()) and len(other) > len(name)]
            ends = "|".join([r"\w", *(rf"{re.escape(other[len(name) :])}(?!\w)" for other in longer)])
            mention = rf"(?<!\w)@(?:{'|'.join(map(re.escape, sorted(spelled)))})(?!{ends})"
            self._mentions[re.compile(mention, re.IGNORECASE)] = new

    def changes(self, table: Table, row: Mapping[str, Any]) -> dict[str, object]:
        """The columns of a row that hold a name, with the name replaced."""
        renamed = {column: named.rename(self, row[column]) for column, named in NAMED[table].items()}
        return {column: value for column, value in renamed.items() if value != row[column]}

    def anywhere(self, value: Any) -> Any:
        """Replace names, also as parts of ids (``p1:anna``)."""
        if isinstance(value, str):
            return self._part.sub(lambda match: self._names[match[0]], value)
        if isinstance(value, dict):
            return {self.anywhere(key): self.anywhere(item) for key, item in value.items()}
        return [self.anywhere(item) for item in value] if isinstance(value, list | tuple) else value

    def under_keys(self, value: Any) -> Any:
        """The same without the keys, which are words of ours that may also be names."""
        return {key: self.anywhere(item) for key, item in value.items()} if isinstance(value, dict) else value

    def maker(self, meta: dict[str, object]) -> dict[str, object]:
        """In the metadata of a pair only its author is a name; the rest came with its source."""
        return meta | {"annotator": self.anywhere(meta["annotator"])} if "annotator" in meta else meta

    def in_name(self, name: str) -> str:
        """Replace names that are words of another name, such as that of a batch, in any case.

        A name of one sign or of digits says nothing there: ``round 2`` is not named after annotator 2.
        """
        return self._word.sub(lambda match: self._telling.get(match[0].casefold(), match[0]), name)

    def mentions(self, text: str) -> str:
        """Replace ``@name`` in a text, in any case."""
        for mention, new in self._mentions.items():
            text = mention.sub(partial(_unless_longer, new), text)
        return text


def _unless_longer(new: str, match: re.Match[str]) -> str:
    """A combining mark after the match continues the word; then it is the name of somebody else."""
    following = match.string[match.end() : match.end() + 1]
    return match[0] if following and category(following).startswith("M") else f"@{new}"


@dataclass(frozen=True, slots=True)
class NameColumn:
    """How a column holds names: a condition for rows that may hold one, the names in a value, the renamed value."""

    find: Callable[[ColumnElement[Any], str], ColumnElement[bool]]
    people: Callable[[Any], Iterable[str]]
    rename: Callable[[Renaming, Any], Any]


def _contains(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    spelled = msgspec.json.encode(name).decode()[1:-1] if isinstance(column.type, JSON) else name
    return cast(column, String).contains(spelled, autoescape=True)


def maker_of(meta: ColumnElement[Any]) -> ColumnElement[str | None]:
    """The annotator who made a pair by hand, as an SQL expression."""
    return meta["annotator"].as_string()  # type: ignore[no-any-return]


def _listed(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []


def _under(key: str, value: Any) -> list[str]:
    item = value.get(key) if isinstance(value, dict) else None
    return [item] if isinstance(item, str) else _listed(item)


NAME = NameColumn(_contains, lambda value: _listed([value]), Renaming.anywhere)
NAMES = NameColumn(_contains, _listed, Renaming.anywhere)
# Ids are too many to test every part of them for the name of somebody who withdrew.
ID = NameColumn(_contains, lambda value: [], Renaming.anywhere)
NOTES = NameColumn(_contains, partial(_under, "account"), Renaming.anywhere)
RULES = NameColumn(_contains, partial(_under, "people"), Renaming.under_keys)
MAKER = NameColumn(lambda column, name: maker_of(column) == name, partial(_under, "annotator"), Renaming.maker)
TEXT = NameColumn(
    lambda column, name: column.contains("@"),
    lambda text: [spelled for name in _MENTION.findall(text) for spelled in (name, name.casefold())],
    Renaming.mentions,
)

NAMED: dict[Table, dict[str, NameColumn]] = {
    schema.pairs: {"meta": MAKER},
    schema.judgements: {"id": ID, "annotator": NAME, "supersedes": ID, "meta": NOTES},
    schema.events: {"actor": NAME, "detail": NOTES},
    schema.guidelines: {"author": NAME},
    schema.remarks: {"author": NAME, "mentions": NAMES, "text": TEXT},
    schema.batches: {"author": NAME, "rules": RULES},
    schema.slots: {"maker": NAME, "assigned": NAME, "holder": NAME, "judgement": ID},
    schema.takers: {"annotator": NAME},
    schema.invitations: {"author": NAME},
    schema.left_out: {"author": NAME, "reason": TEXT},
    schema.introductions: {"author": NAME},
    schema.consents: {"annotator": NAME},
    schema.completion_codes: {"annotator": NAME},
}
# The columns with the names of everybody who ever had to do with a project.
PEOPLE: tuple[ColumnElement[Any], ...] = (
    schema.accounts.c.name,
    schema.invitations.c.account,
    schema.holds.c.holder,
    schema.past_holders.c.annotator,
    schema.platform_workers.c.account,
    schema.practice_answers.c.annotator,
    *(table.c[column] for table, columns in NAMED.items() for column, named in columns.items() if named is NAME),
    maker_of(schema.pairs.c.meta),
)


def all_people(connection: Connection) -> set[str]:
    """The names of everybody who ever had to do with a project; those of models are not names of people."""
    names: set[str] = set()
    for column in PEOPLE:
        names.update(filter(None, connection.execute(select(column).distinct()).scalars()))
    return {name for name in names if not name.startswith(MODEL_PREFIX)}


def people_in(table: Table, rows: Iterable[Mapping[str, Any]]) -> set[str]:
    """The names of people in some rows, as far as a column holds names."""
    columns = NAMED[table].items()
    return {name for row in rows for column, named in columns for name in named.people(row[column])}
