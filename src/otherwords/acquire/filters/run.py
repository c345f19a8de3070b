"""Pairs through rules: those that all rules keep, those that one rejects with its reason, and counts of both.

Blocks are judged on all cores while the next are being read. A pair that is kept is written as it was.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import msgspec

from otherwords.acquire.filters.proposal import ThresholdProposal, Values
from otherwords.acquire.filters.selected import BlockDecisions, SelectedRules
from otherwords.acquire.filters.tally import FilterCounts, Tally
from otherwords.engine import Engine
from otherwords.errors import DataError, UsageError
from otherwords.records import Pair
from otherwords.sources.blocks.block import PairBlock, Rows
from otherwords.sources.blocks.reading import read_pair_blocks, write_pair_blocks
from otherwords.sources.io.files import same_file
from otherwords.sources.reading import (
    RecordReader,
    WithProgress,
    format_for,
    open_records,
    without_progress,
    write_records,
)

VERDICT = "filter"  # the field of meta in which a rejected pair has its rule, its reason and the value


@dataclass(frozen=True, slots=True)
class FilterResult:
    """What was counted and, where asked for, the thresholds that the values suggest."""

    counts: FilterCounts
    proposals: list[ThresholdProposal] = field(default_factory=list)
    reading: RecordReader | None = None


def judged_blocks(
    blocks: Iterable[PairBlock], rules: SelectedRules, jobs: int | None = None
) -> Iterator[tuple[PairBlock, BlockDecisions]]:
    """The blocks in their order, each with what the rules say of it; a model is asked by one thread."""
    tasks = ((block, rules.parts(block)) for block in blocks)
    yield from Engine(1 if rules.uses_model else jobs).map(lambda task: (task[0], rules.decide(*task)), tasks)


def filter_file(
    path: str | Path,
    specs: Sequence[str],
    *,
    out: str | Path | None = None,
    rejected: str | Path | None = None,
    to: str | None = None,
    examples: int = 0,
    propose: float | None = None,
    lang: str | None = None,
    tokeniser: str | None = None,
    jobs: int | None = None,
    watch: WithProgress = without_progress,
    **options: Any,
) -> FilterResult:
    """Filter a corpus into a new file; without one, the pairs are only counted.

    ``rejected`` is a file for the pairs that were rejected, ``propose`` the share of pairs that a threshold may cut off
    at either end.
    """
    target = format_for(out, to) if out is not None else None
    if rejected is not None:
        format_for(rejected)
        if same_file(rejected, out) or same_file(rejected, path):
            raise UsageError(f"--rejected {rejected} is also read or written; name another file", code="same-file")
    rules = SelectedRules(specs, lang, tokeniser)
    tally, values = Tally(rules, examples), Values(rules) if propose is not None else None
    with contextlib.ExitStack() as stack:
        corpus = stack.enter_context(open_records(path, lang=lang, **options))
        spool = stack.enter_context(tempfile.TemporaryFile()) if rejected is not None else None
        blocks = watch(read_pair_blocks(corpus, target), corpus, "filtering")
        kept = _kept(judged_blocks(blocks, rules, jobs), tally, values, spool)
        if out is None:
            for _ in kept:
                pass
            _write_rejected(spool, rejected)
        else:
            write_pair_blocks(_complete(kept, tally, spool, rejected, str(path)), out, to)
        proposals = values.proposals(propose) if values is not None and propose is not None else []
        return FilterResult(tally.counts(), proposals, corpus)


def _kept(
    judged: Iterable[tuple[PairBlock, BlockDecisions]], tally: Tally, values: Values | None, spool: IO[bytes] | None
) -> Iterator[PairBlock]:
    """What is kept of each block; the rest is counted and, if there is a spool, written to it."""
    encoder = msgspec.json.Encoder()
    for block, decisions in judged:
        if values is not None:
            values.add(decisions)
        kept, rejected = tally.add(block, decisions)
        if spool is not None and len(rejected):
            spool.write(encoder.encode_lines(rejected_pairs(block, decisions, rejected, tally.rules)))
        if len(kept):
            yield block if len(kept) == len(block) else block.take(kept)


def _complete(
    kept: Iterable[PairBlock], tally: Tally, spool: IO[bytes] | None, rejected: str | Path | None, name: str
) -> Iterator[PairBlock]:
    """The same blocks; at the end the rejected pairs are written, and keeping nothing is an error."""
    yield from kept
    refuse_empty(tally.counts(), name)
    _write_rejected(spool, rejected)


def refuse_empty(counts: FilterCounts, name: str) -> None:
    """An error if no pair is left."""
    if not counts.kept:
        noun = "the only pair" if counts.pairs == 1 else f"all {counts.pairs:,} pairs"
        raise DataError(f"{name}: the rules reject {noun}: {counts.in_words()}", code="nothing-kept")


def rejected_pairs(block: PairBlock, decisions: BlockDecisions, rows: Rows, rules: SelectedRules) -> list[Pair]:
    """Rejected pairs with their rule, its reason and the value that it rests on in ``meta``."""
    first, marked = decisions.first, []
    for row, pair in zip(rows.tolist(), block.take(rows).pairs(), strict=True):
        rule = int(first[row])
        verdict: dict[str, object] = {
            "rule": rules.specs[rule],
            "reason": rules.reason(rule, int(decisions.verdicts[rule, row])),
        }
        values = decisions.values.get(rules.specs[rule])
        if values is not None:
            verdict["value"] = float(values[row])
        marked.append(msgspec.structs.replace(pair, meta={**pair.meta, VERDICT: verdict}))
    return marked


def _write_rejected(spool: IO[bytes] | None, rejected: str | Path | None) -> None:
    if spool is None or rejected is None:
        return
    spool.seek(0)
    decoder = msgspec.json.Decoder(Pair)
    write_records((decoder.decode(line) for line in spool), rejected)
