"""Names of annotators in imported judgements: people of different corpora who are called the same are not one person.

The name that a corpus gives somebody is kept. Where the project has judgements by somebody of that name who has no
account and has judged pairs of other corpora only, nothing says that it is the same person; then the name of the file
is added: ``1@P4P``. Sheets about the same pairs mean the same people, and so do all versions of a file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import Connection, and_, func, or_, select

from otherwords.digests import digest_hex
from otherwords.project.importing.earlier_imports import brought_by
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.withdrawal.pseudonyms import account_names

Corpora = Mapping[str, Collection[str]]  # by annotator: the imports that brought the pairs that they judged
NO_IMPORT = ""  # for pairs that were made in the project, and for other units
_judgements, _pairs, _imports = schema.judgements, schema.pairs, schema.imports


def names_without_account(connection: Connection) -> set[str]:
    """The names of everybody who judged something and has no account."""
    names = connection.execute(select(_judgements.c.annotator).distinct()).scalars()
    return {name for name in names if name is not None}.difference(account_names(connection))


def imports_of_pairs(connection: Connection, ids: Iterable[str]) -> dict[str, str]:
    """The import that brought each of these pairs."""
    found: dict[str, str] = {}
    for block in in_blocks(ids):
        rows = connection.execute(select(_pairs.c.id, _pairs.c.import_id).where(_pairs.c.id.in_(block)))
        found |= {pair: import_id or NO_IMPORT for pair, import_id in rows}
    return found


def separate_names(connection: Connection, judged: Corpora, import_id: str, file: str) -> dict[str, str]:
    """New names for annotators of an import whose names other people without an account have here.

    ``judged`` has the names to look at, ``file`` is the name of the file.
    """
    label = re.sub(r"[^\w.-]+", "-", file)
    same_file = _imports_of_file(connection, import_id)
    possible = {
        name: (name, f"{name}@{label}", f"{name}@{label}-{digest_hex(*sorted(corpora), size=4)}")
        for name, corpora in judged.items()
    }
    others = _corpora_of_others(connection, {spelled for names in possible.values() for spelled in names}, same_file)
    accounts = set(account_names(connection))
    chosen = {}
    for name, spellings in possible.items():
        free = (
            spelled
            for spelled in spellings
            if spelled in accounts or spelled not in others or not others[spelled].isdisjoint(judged[name])
        )
        chosen[name] = next(free, spellings[-1])
    return {name: new for name, new in chosen.items() if new != name}


def _imports_of_file(connection: Connection, import_id: str) -> list[str]:
    """The imports of the same file, or of another version of it at the same path."""
    own = connection.execute(select(_imports.c.path, _imports.c.sha256).where(_imports.c.id == import_id)).one()
    same = or_(_imports.c.path == own.path, _imports.c.sha256 == own.sha256)
    return list(connection.execute(select(_imports.c.id).where(same)).scalars())


def _corpora_of_others(connection: Connection, names: Iterable[str], imports: Collection[str]) -> dict[str, set[str]]:
    """For names that judgements of other imports have, the imports that brought the pairs of these judgements."""
    judged_pair = and_(_pairs.c.id == _judgements.c.pair, _judgements.c.unit == "pair")
    of_others = or_(_judgements.c.meta["import"].as_string().is_(None), ~brought_by(_judgements, imports))
    columns = (_judgements.c.annotator, func.coalesce(_pairs.c.import_id, NO_IMPORT))
    query = select(*columns).distinct().join_from(_judgements, _pairs, judged_pair, isouter=True).where(of_others)
    found: dict[str, set[str]] = {}
    for block in in_blocks(sorted(names)):
        for name, corpus in connection.execute(query.where(_judgements.c.annotator.in_(block))):
            found.setdefault(name, set()).add(corpus)
    return found
