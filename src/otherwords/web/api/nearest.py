"""The nearest sentences of one that is typed, in the corpus or in a mined pool; curators make candidates of them.

Curators may search everywhere. Annotators may search the corpus if the settings of the project say so, and see neither
pools nor sentences of pairs that they still have to judge: a similarity is what a model says of two texts.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from sqlalchemy import Connection, func, select

from otherwords.annotate.browse.nearest import CorpusSentence, visible_sentences
from otherwords.annotate.found_candidates import (
    AddedCandidate,
    PoolPlace,
    add_candidate,
    candidate_id,
    known_candidates,
)
from otherwords.engine import Progress
from otherwords.errors import Conflict, NotAllowed, NotFound
from otherwords.mining.mine import POOL
from otherwords.mining.pool.folder import MANIFEST
from otherwords.mining.search import (
    LONGEST,
    FoundSentence,
    PoolSearch,
    check_sentence,
    open_search,
    query_vector,
)
from otherwords.project import Project
from otherwords.project.corpus_vectors import CorpusSearch, NearText, corpus_encoder, is_current, open_corpus
from otherwords.project.ledger import schema
from otherwords.project.mined_pools import mined_pools
from otherwords.project.withdrawal.erase_rows import text_digest, withdrawn
from otherwords.web.accounts.auth import Annotator, Curator, Requester
from otherwords.web.fields import Body, storable
from otherwords.web.searches import Opening
from otherwords.web.site import Site, site_of

router = APIRouter(tags=["nearest"])
CORPUS = "corpus"
A_PAGE, MOST_FOUND = 20, 200
SPARE = 4  # texts are looked for beyond those that are shown: some are in several pairs, some may not be seen
Sentence = Annotated[str, AfterValidator(storable)]


class NearestQuery(BaseModel):
    """What to look for, where, and from which place on."""

    model_config = ConfigDict(extra="forbid")
    text: Sentence = Field("", description=f"A sentence of at most {LONGEST:,} characters")
    where: Sentence = Field(CORPUS, description="corpus, or the name of a mined pool")
    after: int = Field(0, ge=0, le=MOST_FOUND, description="The place after which to go on")
    most: int = Field(A_PAGE, ge=1, le=MOST_FOUND)


@dataclass(frozen=True, slots=True)
class NearestRow:
    """A sentence, how near it is, and where it is from: a pair of the corpus, or a place in the files of a pool."""

    rank: int
    similarity: float
    text: str
    source: str | None = None
    group: str | None = None
    lang: str | None = None
    pair: str | None = None
    others: int = 0  # further pairs that have it
    row: int | None = None  # in the pool
    place: str | None = None
    copies: int | None = None
    candidate: str | None = None  # the pair that it is with the sentence, if a curator has made it one
    same: bool = False  # it is the sentence itself


@dataclass(frozen=True, slots=True)
class NearestReply:
    """What was found; while the encoder is being loaded or the corpus encoded, how far that is."""

    text: str
    where: str
    loading: bool = False
    done: int = 0
    total: int | None = None
    encoder: str | None = None
    rows: list[NearestRow] = field(default_factory=list)
    next: int | None = None


@dataclass(frozen=True, slots=True)
class OpenedPool:
    """A pool that is open, and what was withdrawn and written when it was opened."""

    search: PoolSearch
    stamp: tuple[int, int | None]


class CandidateBody(Body):
    """A sentence and one of its nearest; ``row`` is the row of a pool."""

    text: Sentence
    neighbour: Sentence
    where: Sentence = CORPUS
    row: int | None = Field(None, ge=0, le=2**40)


def may_search(viewer: Requester, site: Site) -> bool:
    """Whether somebody may look for the nearest sentences."""
    return viewer.may("curator") or (viewer.may("annotator") and site.project.config.nearest_role == "annotator")


def searcher(request: Request, viewer: Annotator) -> Requester:
    """A dependency: who searches, if they may."""
    if not may_search(viewer, site_of(request)):
        reason = f"this is for the role curator; yours is {viewer.role}"
        raise NotAllowed(reason, code="insufficient-role")
    return viewer


Searcher = Annotated[Requester, Depends(searcher)]


@router.get(
    "/nearest",
    summary="The sentences that are nearest to one",
    responses={202: {"model": NearestReply, "description": "Not ready yet"}},
)
def nearest(
    request: Request, response: Response, viewer: Searcher, query: Annotated[NearestQuery, Query()]
) -> NearestReply:
    """While the search is being made ready, ``loading`` is true and the status 202: ask again."""
    reply = find_nearest(site_of(request), viewer, query)
    if reply.loading:
        response.status_code = 202
        response.headers["retry-after"] = "1"
    return reply


@router.post("/nearest/candidates", summary="Make a candidate of a sentence and one of its nearest", status_code=201)
def add(request: Request, viewer: Curator, body: CandidateBody) -> AddedCandidate:
    """It is added once; a pair with the same two texts that is there already is named instead."""
    return make_candidate(site_of(request), viewer, body)


def find_nearest(site: Site, viewer: Requester, query: NearestQuery) -> NearestReply:
    """A page of the nearest sentences, as far as somebody may see them."""
    text = check_sentence(query.text)
    if not text:
        return NearestReply("", query.where)
    opening = _opening(site, viewer, query.where)
    if (search := opening.result) is None:
        return NearestReply(text, query.where, loading=True, done=opening.done, total=opening.total)
    site.searches.count(viewer.name)
    end = min(query.after + query.most, MOST_FOUND)
    if isinstance(search, OpenedPool):
        encoder, sentences = search.search.encoder, search.search.nearest(text, end + 1)
        select_rows = partial(_pool_rows, found=sentences)
    else:
        encoder, near = search.encoder, search.nearest(text, SPARE * (end + 1))
        select_rows = partial(_corpus_rows, viewer=viewer, found=near)
    with site.ledger.reading() as connection:  # only now: a search takes as long as many requests
        rows = select_rows(connection, text)
        shown = _with_candidates(connection, text, rows[query.after : end])
    following = end if len(rows) > end and end < MOST_FOUND else None
    return NearestReply(text, query.where, encoder=encoder.signature.partition("|")[0], rows=shown, next=following)


def make_candidate(site: Site, viewer: Requester, body: CandidateBody) -> AddedCandidate:
    """Add two sentences to the candidates; the neighbour is where it was found, or it is refused."""
    sentence = check_sentence(body.text)
    opening = _opening(site, viewer, body.where)
    if (search := opening.result) is None:
        raise Conflict("the search is being made ready; try again in a moment", code="search-loading")
    place = None
    if isinstance(search, OpenedPool):
        place = _place(search.search, body)
        search = search.search
    product = query_vector(search.encoder, sentence) @ query_vector(search.encoder, body.neighbour)
    add_it = partial(
        add_candidate,
        sentence=sentence,
        neighbour=body.neighbour,
        cosine=float(product),
        lang=site.project.config.lang,
        author=viewer.name,
        place=place,
    )
    return site.writer.do(lambda connection: add_it(connection))


def _opening(site: Site, viewer: Requester, where: str) -> Opening[Any]:
    """The search in the corpus or in a pool, which may still be being opened."""
    project = site.project
    if where == CORPUS:

        def open_it(progress: Progress) -> CorpusSearch:
            encoder = site.searches.encoder(CORPUS, lambda: corpus_encoder(project))
            return open_corpus(project, encoder, progress)

        return site.searches.get(CORPUS, open_it, partial(is_current, project))
    if not viewer.may("curator"):
        raise NotAllowed("pools are for curators; search in the corpus", code="pool-for-curators")
    folder = mined_pools(project).get(where)
    if folder is None:
        raise NotFound(f"there is no mined pool {where!r}; choose another one", code="no-such-pool")
    stamp = _stamp(project, folder)

    def open_pool(progress: Progress) -> OpenedPool:
        return OpenedPool(open_search(folder), stamp)

    return site.searches.get(f"pool {where}", open_pool, lambda opened: opened.stamp == stamp)


def _stamp(project: Project, folder: Path) -> tuple[int, int | None]:
    """What changes when something is withdrawn or the pool is made again."""
    with project.ledger.reading() as connection:
        erased = connection.execute(select(func.max(schema.tombstones.c.seq))).scalar()
    manifest = folder / POOL / MANIFEST
    return erased or 0, manifest.stat().st_mtime_ns if manifest.is_file() else None


def _pool_rows(connection: Connection, text: str, found: list[FoundSentence]) -> list[NearestRow]:
    """The nearest of a pool, without those of withdrawn documents."""
    keys_of = {sentence: _withdrawal_keys(sentence) for sentence in found}
    gone = withdrawn(connection, {key for keys in keys_of.values() for key in keys})
    kept = [sentence for sentence, keys in keys_of.items() if gone.keys().isdisjoint(keys)]
    return [_pool_row(text, *ranked) for ranked in enumerate(kept, 1)]


def _corpus_rows(connection: Connection, text: str, viewer: Requester, found: list[NearText]) -> list[NearestRow]:
    visible = visible_sentences(connection, viewer, found)
    return [_corpus_row(text, *ranked) for ranked in enumerate(visible, 1)]


def _withdrawal_keys(sentence: FoundSentence) -> list[tuple[str, str]]:
    return [("text", text_digest(sentence.text)), *([("document", sentence.name)] if sentence.name else [])]


def _pool_row(text: str, rank: int, found: FoundSentence) -> NearestRow:
    return NearestRow(
        rank=rank,
        similarity=_rounded(found.cosine),
        text=found.text,
        source=found.source,
        group=found.group,
        row=found.row,
        place=_file_and_line(found),
        copies=found.copies,
        same=found.text == text,
    )


def _file_and_line(found: FoundSentence) -> str:
    """The place without the folders of whoever mined it."""
    return Path(found.place).name


def _corpus_row(text: str, rank: int, found: CorpusSentence) -> NearestRow:
    about = {name: getattr(found, name) for name in ("source", "group", "lang", "pair", "others")}
    return NearestRow(rank, _rounded(found.cosine), found.text, **about, same=" ".join(found.text.split()) == text)


def _rounded(cosine: float) -> float:
    return round(min(1.0, cosine), 4)


def _with_candidates(connection: Connection, text: str, rows: list[NearestRow]) -> list[NearestRow]:
    ids = {row.rank: candidate_id(text, row.text) for row in rows}
    known = known_candidates(connection, set(ids.values()))
    return [replace(row, candidate=ids[row.rank]) if ids[row.rank] in known else row for row in rows]


def _place(search: PoolSearch, body: CandidateBody) -> PoolPlace:
    """Where in the pool the neighbour is."""
    row = body.row
    found = search.sentence(row, 0.0) if row is not None and row < search.pool.rows else None
    if found is None or found.text != body.neighbour:
        raise NotFound("this sentence is not in the pool any more; search again", code="no-such-sentence")
    return PoolPlace(body.where, _file_and_line(found), found.source, found.name)
