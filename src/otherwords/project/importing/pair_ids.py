"""Ids of imported pairs that are unique in the project, and the pairs that imported judgements are about.

The id that a corpus gives a pair is kept. Where the project has another pair of that id, and where the id is only the
number of a line, it gets a digest of the texts: ``9249@1f0c2a77``. Judgements of the same corpus follow their pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

import msgspec
from sqlalchemy import select

from otherwords.digests import digest_hex
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.project import Project
from otherwords.records import Judgement, Pair, Record
from otherwords.sources.source import Source

MOST_REMEMBERED = 200_000  # ids of a file; what comes later is compared with the ledger alone


def check_own_ids(pairs: Iterable[Pair], source: Source) -> Iterator[Pair]:
    """Pairs of one of our own formats: a second pair with the id of another is rejected with its line.

    Ids made of line numbers get a digest.
    """
    seen: dict[str, tuple[bytes, int | None]] = {}
    for pair in pairs:
        if pair.id.startswith(f"{source.stem}:"):
            yield msgspec.structs.replace(pair, id=_with_digest(pair.id, _text_digest(pair.text1, pair.text2)))
            continue
        content = blake2b(msgspec.json.encode(pair), digest_size=8).digest()
        line = source.account.place and source.account.place[1]
        first, earlier = seen.get(pair.id, (content, line))
        if len(seen) < MOST_REMEMBERED:
            seen.setdefault(pair.id, (content, line))
        if first == content:
            yield pair
        else:
            there = f"on line {earlier}" if earlier else "in the file"
            source.reject_last(pair.id, f"the id {pair.id} is {there} already", msgspec.to_builtins(pair))


def rename_clashing(project: Project, pairs: Iterable[Pair], source: Source) -> Iterator[Pair]:
    """Pairs of a corpus in the format of others, each with the id that it has in the project."""
    original: dict[str | None, str] = {}
    seen: dict[str, str] = {}
    for block in in_blocks(pairs):
        here = _digests_here(project, {pair.id for pair in block})
        for pair in block:
            digest = _text_digest(pair.text1, pair.text2)
            is_line = pair.id.startswith(f"{source.stem}:")
            clashes = here.get(pair.id) not in (None, digest) or seen.get(pair.id, digest) != digest
            if len(seen) < MOST_REMEMBERED and not is_line:
                seen.setdefault(pair.id, digest)
            name = _with_digest(pair.id, digest) if is_line or clashes else pair.id
            if pair.rewrite_of is None:
                original = {pair.id: name}
            yield msgspec.structs.replace(pair, id=name, rewrite_of=original.get(pair.rewrite_of, pair.rewrite_of))


def pair_digests(records: Iterable[Record]) -> dict[str, list[str]]:
    """The digests of the texts of all pairs of a corpus, by the ids that it gives them."""
    digests: dict[str, list[str]] = {}
    for pair in records:
        if isinstance(pair, Pair):
            digests.setdefault(pair.id, []).append(_text_digest(pair.text1, pair.text2))
    return digests


def judged_pairs(
    project: Project,
    judgements: Sequence[Judgement],
    digests: Mapping[str, list[str]] | None,
    *,
    by_texts: bool = False,
) -> list[str | None]:
    """The id that the pair of each judgement has in the project; None if it is not there.

    ``digests`` are those of the corpus that the judgements are from; without them, ids mean what they say, unless a
    judgement comes with the texts of its pair and ``by_texts`` says that these decide.
    """
    possible = [
        _possible_digests(judgement, digests or {})
        if digests is not None or (by_texts and "text1" in judgement.meta)
        else [None]
        for judgement in judgements
    ]
    ids = {judgement.pair for judgement in judgements}
    ids |= {
        _with_digest(judgement.pair, digest)
        for judgement, values in zip(judgements, possible, strict=True)
        for digest in values
        if digest is not None
    }
    here = _digests_here(project, ids)
    return [
        next((name for digest in values for name in _names_here(judgement.pair, digest, here)), None)
        for judgement, values in zip(judgements, possible, strict=True)
    ]


def _possible_digests(judgement: Judgement, digests: Mapping[str, list[str]]) -> Sequence[str | None]:
    """The digests of the pairs that a judgement may be about: one, unless a corpus uses an id twice."""
    text1, text2 = judgement.meta.get("text1"), judgement.meta.get("text2")
    if isinstance(text1, str) and isinstance(text2, str):
        return [_text_digest(text1, text2)]
    return digests.get(judgement.pair, [])


def _names_here(id: str, digest: str | None, here: Mapping[str, str | None]) -> Iterator[str]:
    """The names in the project of a pair with this id and digest."""
    if digest is not None and (name := _with_digest(id, digest)) in here:
        yield name
    if id in here and (digest is None or here[id] in (None, digest)):
        yield id


def _digests_here(project: Project, ids: Iterable[str]) -> dict[str, str | None]:
    """The digests of pairs in the project by id; None for one that was withdrawn, whose texts nobody knows."""
    pairs = schema.pairs
    digests: dict[str, str | None] = {}
    with project.ledger.reading() as connection:
        for block in in_blocks(sorted(ids)):
            for id, text1, text2 in connection.execute(
                select(pairs.c.id, pairs.c.text1, pairs.c.text2).where(pairs.c.id.in_(block))
            ):
                digests[id] = _text_digest(text1, text2) if text1 or text2 else None
    return digests


def _text_digest(text1: str, text2: str) -> str:
    return digest_hex(text1, text2, size=4)


def _with_digest(id: str, digest: str) -> str:
    return f"{id}@{digest}"
