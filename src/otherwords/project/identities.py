"""Where the names of people stand in the ledger, and how each is found and replaced there.

A row goes in, with names and what replaces them; the columns that change come out. Annotators who withdraw are
renamed with it, and so is what an export brings of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from unicodedata import category, normalize

import msgspec
from sqlalchemy import JSON, ColumnElement, String, Table, cast

from otherwords.project import schema

_MENTION = re.compile(r"(?<!\w)@(\w(?:[\w.-]*\w)?)")


class Renaming:
    """Names, and what each is to be replaced by; ``others`` are who may be called by a longer one."""

    def __init__(self, names: Mapping[str, str], others: Iterable[str] = ()) -> None:
        self._names, known = dict(names), [name.casefold() for name in others]
        longest_first = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        self._part = re.compile(rf"(?<![^:])(?:{longest_first})(?![^:])")
        self._mentions = {_mention_of(name, known): new for name, new in names.items()}

    def changes(self, table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
        """The columns of a row in which a name stands, without it."""
        after = {column: way.rename(self, row[column]) for column, way in NAMED[table].items()}
        return {column: value for column, value in after.items() if value != row[column]}

    def anywhere(self, value: Any) -> Any:
        """Replace what is a name, also as a part of an id that formats make of names (``p1:anna``)."""
        if isinstance(value, str):
            return self._part.sub(lambda found: self._names[found[0]], value)
        if isinstance(value, dict):
            return {self.anywhere(key): self.anywhere(one) for key, one in value.items()}
        return [self.anywhere(one) for one in value] if isinstance(value, list | tuple) else value

    def under_keys(self, value: Any) -> Any:
        """The same where the keys are words of ours, which somebody may be called by."""
        return {key: self.anywhere(one) for key, one in value.items()} if isinstance(value, dict) else value

    def maker(self, meta: dict[str, Any]) -> dict[str, Any]:
        """Of what is noted about a pair only who made it is a name: the rest came with its source."""
        return meta | {"annotator": self.anywhere(meta["annotator"])} if "annotator" in meta else meta

    def mentions(self, text: str) -> str:
        """Replace ``@name`` in a text, in capitals or not."""
        for mention, new in self._mentions.items():
            text = mention.sub(partial(_unless_longer, new), text)
        return text


def _mention_of(name: str, others: Iterable[str]) -> re.Pattern[str]:
    """What calls somebody, as the site reads it: of two names that fit it is the longer one."""
    spelled = {normalize(form, one) for form in ("NFC", "NFD") for one in (name, name.casefold())}
    longer = [re.escape(one[len(name) :]) for one in others if one.startswith(name.casefold()) and len(one) > len(name)]
    ends = "|".join([r"\w", *(rf"{rest}(?!\w)" for rest in longer)])
    return re.compile(rf"(?<!\w)@(?:{'|'.join(map(re.escape, sorted(spelled)))})(?!{ends})", re.IGNORECASE)


def _unless_longer(new: str, found: re.Match[str]) -> str:
    """Letters with marks go on where a word seems to end; then it is the name of somebody else."""
    following = found.string[found.end() : found.end() + 1]
    return found[0] if following and category(following).startswith("M") else f"@{new}"


@dataclass(frozen=True, slots=True)
class Way:
    """How names stand in a column: rows that may hold one, the names in a value, the value without some."""

    find: Callable[[ColumnElement[Any], str], ColumnElement[bool]]
    people: Callable[[Any], Iterable[str]]
    rename: Callable[[Renaming, Any], Any]


def _contains(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    spelled = msgspec.json.encode(name).decode()[1:-1] if isinstance(column.type, JSON) else name
    return cast(column, String).contains(spelled, autoescape=True)


def _has_a_mention(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    return column.contains("@")


def maker_of(meta: ColumnElement[Any]) -> ColumnElement[str | None]:
    """Who made a pair by hand, as the ledger is asked for it."""
    return meta["annotator"].as_string()  # type: ignore[no-any-return]


def _is_maker(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    return maker_of(column) == name


def _nobody(value: Any) -> list[str]:
    """Ids are too many to ask of each part whether it is the name of somebody who withdrew."""
    return []


def _listed(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list | tuple) else []


def _under(key: str, value: Any) -> list[str]:
    found = value.get(key) if isinstance(value, dict) else None
    return [found] if isinstance(found, str) else _listed(found)


def _mentioned(text: str) -> list[str]:
    return [spelled for name in _MENTION.findall(text) for spelled in (name, name.casefold())]


NAME = Way(_contains, lambda value: _listed([value]), Renaming.anywhere)
NAMES = Way(_contains, _listed, Renaming.anywhere)
ID = Way(_contains, _nobody, Renaming.anywhere)
NOTES = Way(_contains, partial(_under, "account"), Renaming.anywhere)
RULES = Way(_contains, partial(_under, "people"), Renaming.under_keys)
MAKER = Way(_is_maker, partial(_under, "annotator"), Renaming.maker)
TEXT = Way(_has_a_mention, _mentioned, Renaming.mentions)

NAMED: dict[Table, dict[str, Way]] = {
    schema.pairs: {"meta": MAKER},
    schema.judgements: {"id": ID, "annotator": NAME, "supersedes": ID, "meta": NOTES},
    schema.events: {"actor": NAME, "detail": NOTES},
    schema.guidelines: {"author": NAME},
    schema.remarks: {"author": NAME, "mentions": NAMES, "text": TEXT},
    schema.batches: {"author": NAME, "rules": RULES},
    schema.slots: {"maker": NAME, "assigned": NAME, "holder": NAME, "judgement": ID},
    schema.takers: {"annotator": NAME},
    schema.invitations: {"author": NAME},
}
# Where whoever ever had to do with a project stands.
PEOPLE: tuple[ColumnElement[Any], ...] = (
    schema.accounts.c.name,
    schema.invitations.c.account,
    schema.holds.c.holder,
    *(table.c[column] for table, ways in NAMED.items() for column, way in ways.items() if way is NAME),
    maker_of(schema.pairs.c.meta),
)


def people_in(table: Table, rows: Iterable[Mapping[str, Any]]) -> set[str]:
    """The names of people that some rows hold, as far as a column says that it is one."""
    ways = NAMED[table].items()
    return {name for row in rows for column, way in ways for name in way.people(row[column])}
