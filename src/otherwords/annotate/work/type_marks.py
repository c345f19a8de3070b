"""Marking phenomena in a pair: how its texts are tokenised, and checks of the judgements of types.

Tokens come from the server, so that everybody marks the same ones; the name of the tokeniser is kept with the
judgement, so that agreement is computed on the same tokens later. Offsets are code points.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, select

from otherwords.annotate.crowd.hidden_tests import BATCHES_WITH_TESTS
from otherwords.annotate.schemes.phenomena import check_scopes
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.annotate.visibility import require_pair
from otherwords.errors import NotFound, Refused, UsageError
from otherwords.project.ledger import schema
from otherwords.records import Judgement, Pair, Purpose, phenomena_in
from otherwords.text.packs import pack
from otherwords.text.tokenise import Span, locate_tokens, tokeniser

FALLBACK = "words"  # works for any language, and needs nothing to be installed
_TEXTS = select(schema.pairs.c.text1, schema.pairs.c.text2, schema.pairs.c.lang)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Where the tokens of a pair's texts are, according to a tokeniser."""

    tokeniser: str
    text1: list[Span]
    text2: list[Span]


def asks_types(scheme: Scheme) -> bool:
    """Whether a scheme asks for phenomena."""
    return any(question.kind == "types" for question in scheme.questions)


def may_pre_annotate(purpose: Purpose) -> bool:
    """Whether words may be marked beforehand: not where agreement is measured."""
    return purpose != "agreement"


def tokenise_pair(text1: str, text2: str, lang: str | None) -> Tokens:
    """The tokens of two texts in a language."""
    name = _tokeniser_for(lang)
    return Tokens(name, locate_tokens(text1, name), locate_tokens(text2, name))


def tokens_of_slot(connection: Connection, slot: int, annotator: str) -> Tokens:
    """The tokens of the pair that somebody holds or has judged."""
    slots = schema.slots
    own = (slots.c.seq == slot, slots.c.holder == annotator, slots.c.batch.not_in(BATCHES_WITH_TESTS))
    row = connection.execute(_TEXTS.join(slots, slots.c.item == schema.pairs.c.id).where(*own)).first()
    if row is None:
        raise NotFound("this pair is not reserved for you; load the next one", code="not-reserved")
    return tokenise_pair(row.text1, row.text2, row.lang)


def tokens_of_pair(connection: Connection, name: str) -> Tokens:
    """The tokens of a pair that somebody may look at."""
    require_pair(connection, name)
    row = connection.execute(_TEXTS.where(schema.pairs.c.id == name)).one()
    return tokenise_pair(row.text1, row.text2, row.lang)


def _tokeniser_for(lang: str | None) -> str:
    try:
        name = pack(lang).tokeniser
        tokeniser(name)
    except UsageError:  # no language at all, or one whose package is not installed
        return FALLBACK
    return name


def with_tokeniser(judgement: Judgement, pair: Pair | None) -> Judgement:
    """A judgement with the name of its tokeniser, if its marks fit the texts; one without marks is not changed."""
    phenomena = phenomena_in(judgement.value)
    if not phenomena:
        return judgement
    if pair is None:
        raise Refused("the pair with the marked words was removed", code="no-such-pair")
    check_scopes(phenomena, pair.text1, pair.text2)
    if not may_pre_annotate(judgement.purpose) and any(phenomenon.get("meta") for phenomenon in phenomena):
        raise Refused("to measure agreement, nothing is marked beforehand; mark it yourself", code="marked-beforehand")
    return msgspec.structs.replace(judgement, meta=judgement.meta | {"tokeniser": _tokeniser_for(pair.lang)})
