"""Ask an edge about many texts: for N ids that go in, N answers come out, in the same order.

An answer is matched by its id, never by its place. What a backend leaves out, answers twice or answers for an id that
nobody asked about becomes a reason or is counted; how it is called, and what happens if a call fails or takes too long,
is in :mod:`otherwords.models.calls`. The same text is asked about once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import msgspec

from otherwords.engine import Progress
from otherwords.models.cache import AnswerCache
from otherwords.models.calls import BackendFailed, BackendStopped, Batch, Call, Calls
from otherwords.models.edges import Edge, Item, RemoteEdge, Reply

__all__ = ["DOUBLED", "DROPPED", "AskResult", "BackendFailed", "BackendStopped", "Check", "ask"]
Value = TypeVar("Value")
Check = Callable[[Item, Value], str | None]  # what is wrong with a value, if anything

DROPPED, DOUBLED = "the backend gave no answer", "the backend gave two different answers"


@dataclass(slots=True)
class AskResult(Generic[Value]):
    """The answers in the order of the items, and what happened on the way."""

    answers: list[Reply[Value]] = field(default_factory=list)
    cached: int = 0  # items whose answer was known before
    asked: int = 0  # texts that went to the backend
    unknown_ids: int = 0  # answers for ids that nobody asked about
    stopped: BackendStopped | None = None  # why the rest was not asked about; to be raised once the answers are safe

    @property
    def reasons(self) -> Counter[str]:
        """How many items have no value, by reason."""
        return Counter(answer.reason for answer in self.answers if answer.reason is not None)

    def values(self) -> list[Value | None]:
        """The values in the order of the items; None where there is a reason."""
        return [answer.value for answer in self.answers]


def ask(
    edge: Edge,
    call: Call[Value],
    items: Sequence[Item],
    *,
    kind: type[Value],
    check: Check[Value] = lambda item, value: None,
    cache: AnswerCache | None = None,
    seconds: float | None = None,
    progress: Progress = lambda done, total: None,
) -> AskResult[Value]:
    """The answers of an edge for these items; ``call`` is its method, ``kind`` the type of a value.

    Answers that pass ``check`` go into the cache as soon as their call is done, so that a killed run keeps them.
    Reasons are never cached. If the edge stops (``stopped``), the remaining items have its message as their reason.
    """
    result: AskResult[Value] = AskResult()
    texts = list(dict.fromkeys(item.text for item in items))
    known: dict[str, Reply[Value]] = {}
    if cache is not None:
        for text, value in cache.find(edge.signature, texts, kind).items():
            known[text] = Reply(text, value)
        result.cached = sum(item.text in known for item in items)
        if isinstance(edge, RemoteEdge):
            edge.keep_account(cache.path.parent)
    missing = [Item(str(number), text) for number, text in enumerate(texts) if text not in known]
    result.asked = len(missing)
    progress(len(texts) - len(missing), len(texts))

    def keep(batch: Batch, outcome: list[Reply[Value]] | BackendFailed) -> None:
        found: dict[str, Value] = {}
        for item, answer in zip(batch, _matched(batch, outcome, result), strict=True):
            reason = answer.reason if answer.value is None else check(item, answer.value)
            known[item.text] = Reply(item.id, None if reason else answer.value, reason)
            if reason is None and answer.value is not None:
                found[item.text] = answer.value
        if cache is not None:
            cache.store(edge.signature, found)

    calls = Calls(edge, call, _blocks(missing, max(1, edge.batch_size)), seconds)
    try:
        for batch, outcome in calls.finished():
            keep(batch, outcome)
            progress(len(known), len(texts))
    except BaseException:
        for batch, replies in calls.done_by_now():
            keep(batch, replies)
        raise
    result.stopped = calls.stopped
    result.answers = [msgspec.structs.replace(known[item.text], id=item.id) for item in items]
    return result


def _blocks(items: Sequence[Item], size: int) -> Iterator[Batch]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _matched(batch: Batch, outcome: list[Reply[Value]] | BackendFailed, result: AskResult[Value]) -> list[Reply[Value]]:
    """The answers by id: none is a reason, and so are two that differ."""
    if isinstance(outcome, BackendFailed):
        return [Reply(item.id, None, str(outcome)) for item in batch]
    by_id: dict[str, Reply[Value]] = {}
    wanted = {item.id for item in batch}
    for answer in outcome:
        if answer.id not in wanted:
            result.unknown_ids += 1
        elif answer.id in by_id and not _same(by_id[answer.id], answer):
            by_id[answer.id] = Reply(answer.id, None, DOUBLED)
        else:
            by_id.setdefault(answer.id, answer)
    return [_with_reason(by_id.get(item.id, Reply(item.id))) for item in batch]


def _same(first: Reply[Value], second: Reply[Value]) -> bool:
    return msgspec.msgpack.encode(first, enc_hook=_plain) == msgspec.msgpack.encode(second, enc_hook=_plain)


def _plain(value: object) -> object:
    return value.tolist() if hasattr(value, "tolist") else repr(value)


def _with_reason(answer: Reply[Value]) -> Reply[Value]:
    if answer.value is None and not answer.reason:
        return Reply(answer.id, None, DROPPED)
    return answer
