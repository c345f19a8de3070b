"""Candidates from groups of posts as a step, which is run again when judgements have come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby

from sqlalchemy import func, select

from otherwords.acquire.candidates import MADE, candidate
from otherwords.acquire.posts import (
    NO_SEED,
    SKIPPED,
    TOO_FEW,
    TOO_FEW_FOR_A_SEED,
    RankedSentence,
    SentencePair,
    first_pairs,
    more_pairs,
    more_wanted,
    seed_pairs,
)
from otherwords.annotate.documents.post_groups import MIN_SENTENCES
from otherwords.annotate.documents.seeds import SKIP, picked_seeds
from otherwords.corpus.labels.step import label_step
from otherwords.errors import DataError
from otherwords.project.document_pairs import documents_of
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import (
    Cost,
    Input,
    Step,
    StepContext,
    StepCounts,
    StepFacts,
    StepKind,
    StepResult,
    make_step,
)
from otherwords.project.pipeline.parameters import Parameters, Seed
from otherwords.project.pipeline.plan import last_run
from otherwords.project.project import Project
from otherwords.records import Document, Pair
from otherwords.steps.align import POSTS, PostParameters
from otherwords.steps.candidates.pool import TEXTS_OF_PAIRS, candidates_result, pair_table

METHOD = "posts"
FIRST, MORE, SEEDED = "first", "more", "seed"
WAITING = "the first round is not judged yet"
TOO_FEW_PARAPHRASES = "too few paraphrases in the first round for more pairs"
JUDGED = ("labelled", "tied", "left out")  # states of a label that wait for nobody
_COLUMNS = ["group", "document", "start", "end", "text", "rank", "kept"]


class PostPairParameters(Parameters, frozen=True, kw_only=True):
    """``posts`` is the name of the step that grouped the posts; ``simulated`` judgements count or not."""

    posts: str = "posts"
    seed: Seed = 0
    simulated: bool = False


def _posts_step(project: Project, parameters: PostPairParameters) -> Step:
    """The alignment of posts as it was last run."""
    with project.ledger.reading() as connection:
        row = last_run(connection, parameters.posts, "done")
    if row is None or row["kind"] != POSTS.name:
        message = f"no alignment of posts called {parameters.posts}; run it first: otherwords align PROJECT posts"
        raise DataError(message, project.folder, code="no-post-groups")
    return make_step(POSTS, parameters.posts, **row["parameters"])


def _facts(project: Project, parameters: PostPairParameters) -> StepFacts:
    """How many judgements there are. The labels are no part of the key: they change with every pair that is added."""
    seq = schema.judgements.c.seq
    with project.ledger.reading() as connection:
        count, last = connection.execute(select(func.count(seq), func.max(seq))).one()
    return StepFacts(depends_on={"judgements": [count, last or 0]})


def _run(context: StepContext[PostPairParameters]) -> StepResult:
    step = _posts_step(context.project, context.parameters)
    assert isinstance(step.parameters, PostParameters)
    documents = {document.id: document for document in documents_of(context.project, step.parameters.source)}
    groups = dict(_groups(context.inputs["posts"]))
    reasons: Counter[str] = Counter()
    pairs: dict[str, Pair] = {}
    if step.parameters.by == "url":
        with context.project.ledger.reading() as connection:
            seeds = picked_seeds(connection)
        for group, sentences in groups.items():
            chosen = seeds.get(group)
            if not isinstance(chosen, dict):
                waits = TOO_FEW_FOR_A_SEED if len(sentences) < MIN_SENTENCES else NO_SEED
                reasons[SKIPPED if chosen == SKIP else waits] += 1
                continue
            place = (str(chosen["document"]), int(chosen["start"]), int(chosen["end"]))
            _add(pairs, documents, group, SEEDED, seed_pairs(sentences, place), context.parameters.seed)
    else:
        positive = _positive(context.inputs["labels"])
        for group, sentences in groups.items():
            seed = context.parameters.seed
            first = _add(pairs, documents, group, FIRST, first_pairs(group, sentences, seed), seed)
            if not first:
                reasons[TOO_FEW] += 1
            elif any(positive.get(name) is None for name in first):
                reasons[WAITING] += 1
            elif wanted := more_wanted(sum(positive[name] is True for name in first)):
                _add(pairs, documents, group, MORE, more_pairs(group, sentences, wanted, seed), seed)
            else:
                reasons[TOO_FEW_PARAPHRASES] += 1
    chosen_pairs = list(pairs.values())
    rounds = Counter(pair.meta[MADE]["round"] for pair in chosen_pairs)
    table = pair_table(chosen_pairs, [], {"round": [pair.meta[MADE]["round"] for pair in chosen_pairs]})
    counts: StepCounts = {"groups": len(groups), "rounds": dict(rounds), "dropped": dict(reasons)}
    return candidates_result(context, len(documents), chosen_pairs, table, counts)


def _groups(posts: Dataset) -> Iterator[tuple[str, list[RankedSentence]]]:
    """The sentences of each group that may be paired, by rank."""
    rows = (row for batch in posts.batches(_COLUMNS) for row in batch.to_pylist())
    usable = (row for row in rows if row["kept"] and row["group"] is not None and row["text"])
    for group, members in groupby(usable, key=lambda row: row["group"]):
        sentences = [
            RankedSentence(row["document"], row["start"], row["end"], row["text"], row["rank"]) for row in members
        ]
        yield group, sorted(sentences, key=lambda sentence: sentence.rank)


def _positive(labels: Dataset) -> dict[str, bool | None]:
    """Whether each pair that has been judged is a paraphrase, which a tie is not; None where nobody knows yet."""
    columns = ["id", "state", "positive"]
    return {
        name: bool(positive) if state in JUDGED else None
        for batch in labels.batches(columns)
        for name, state, positive in zip(*(batch.column(column).to_pylist() for column in columns), strict=True)
    }


def _add(
    pairs: dict[str, Pair],
    documents: Mapping[str, Document],
    group: str,
    round: str,
    chosen: list[SentencePair],
    seed: int,
) -> list[str]:
    """Add pairs that are not there yet, in either order; the ids of all of them."""
    ids = []
    for first, second in chosen:
        made = {"round": round, "ranks": [first.rank, second.rank], "group": group, "seed": seed}
        posts = documents[first.document], documents[second.document]
        pair = candidate(METHOD, *posts, texts=(first.text, second.text), made=made, group=group)
        swapped = candidate(METHOD, *reversed(posts), texts=(second.text, first.text))
        ids.append(pair.id)
        if swapped.id not in pairs:
            pairs.setdefault(pair.id, pair)
    return ids


POST_PAIRS = StepKind(
    name="acquire-posts",
    version=1,
    parameters=PostPairParameters,
    run=_run,
    facts=_facts,
    inputs={
        "posts": Input(_posts_step),
        "labels": Input(lambda project, chosen: label_step(project, simulated=chosen.simulated), in_key=False),
    },
    cost=Cost(rows_per_second=5000.0, disk_bytes_per_row=500.0),
    derived=TEXTS_OF_PAIRS,
)
