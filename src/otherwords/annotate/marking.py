"""Marking phenomena in a pair: how its texts are cut into tokens, and what a judgement of types has to fit.

Tokens come from the server, so that everybody marks the same ones; which tokeniser cut them is kept with the judgement,
so that agreement is counted on them later. Offsets are code points.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, select

from otherwords.annotate.hidden_tests import WITH_TESTS
from otherwords.annotate.opening import refuse_absent
from otherwords.annotate.phenomena import check_scopes
from otherwords.annotate.scheme import Scheme
from otherwords.errors import NotFound, Refused, UsageError
from otherwords.measures.agreement.iapta_values import phenomena_in
from otherwords.project import schema
from otherwords.records import Judgement, Pair, Purpose
from otherwords.text.token_places import Span, token_places, tokeniser_of
from otherwords.text.tokenise import tokeniser

EVERYWHERE = "words"  # cuts any language, and needs nothing to be installed


@dataclass(frozen=True, slots=True)
class Tokens:
    """Where the tokens of a pair's texts lie, and the tokeniser that says so."""

    tokeniser: str
    text1: list[Span]
    text2: list[Span]


def asks_types(scheme: Scheme) -> bool:
    """Whether a scheme asks for phenomena."""
    return any(question.kind == "types" for question in scheme.questions)


def may_pre_annotate(purpose: Purpose) -> bool:
    """Whether words may be marked beforehand: not where it is measured how far people agree."""
    return purpose != "agreement"


def tokens(text1: str, text2: str, lang: str | None) -> Tokens:
    """The tokens of two texts of a language."""
    name = _tokeniser_for(lang)
    return Tokens(name, token_places(text1, name), token_places(text2, name))


def tokens_of_slot(connection: Connection, slot: int, annotator: str) -> Tokens:
    """The tokens of the pair that somebody holds or has judged."""
    held, pair = schema.slots, schema.pairs
    mine = (held.c.seq == slot, held.c.holder == annotator, held.c.batch.not_in(WITH_TESTS))
    texts = select(pair.c.text1, pair.c.text2, pair.c.lang).join(held, held.c.item == pair.c.id).where(*mine)
    found = connection.execute(texts).first()
    if found is None:
        raise NotFound("this pair is not reserved for you; load the next one")
    return tokens(found.text1, found.text2, found.lang)


def tokens_of_pair(connection: Connection, name: str) -> Tokens:
    """The tokens of a pair that somebody may look at."""
    refuse_absent(connection, name)
    pair = schema.pairs
    found = connection.execute(select(pair.c.text1, pair.c.text2, pair.c.lang).where(pair.c.id == name)).one()
    return tokens(found.text1, found.text2, found.lang)


def _tokeniser_for(lang: str | None) -> str:
    try:
        name = tokeniser_of(lang)
        tokeniser(name)
    except UsageError:  # no language at all, or one whose package is not installed
        return EVERYWHERE
    return name


def marked(made: Judgement, pair: Pair | None) -> Judgement:
    """A judgement with the tokeniser it was made by, if what it marks fits the texts; one without marks as it is."""
    phenomena = phenomena_in(made.value)
    if not phenomena:
        return made
    if pair is None:
        raise Refused("the pair is gone, with the words that were marked in it")
    check_scopes(phenomena, pair.text1, pair.text2)
    if not may_pre_annotate(made.purpose) and any(one.get("meta") for one in phenomena):
        raise Refused("in a batch that measures agreement nothing is marked beforehand; mark it yourself")
    return msgspec.structs.replace(made, meta=made.meta | {"tokeniser": _tokeniser_for(pair.lang)})
