"""Ask an edge about many texts: for N ids that go in, N answers come out, in the same order.

An answer is matched by its id, never by its place. What a backend leaves out, answers twice or answers for an id that
nobody asked about becomes a reason or is counted; if a call fails or takes too long, it is repeated in halves, so that
one bad text costs its own answer and not those of its neighbours. The same text is asked about once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLong
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import msgspec

from otherwords.engine import Progress
from otherwords.errors import OtherwordsError
from otherwords.models.cache import AnswerCache
from otherwords.models.edges import Edge, Item, Reply

Value = TypeVar("Value")
Call = Callable[[Sequence[Item]], Iterable[Reply[Value]]]
Check = Callable[[Item, Value], str | None]  # what is wrong with a value, if anything

SECONDS_PER_CALL = 120.0
DROPPED, DOUBLED = "the backend gave no answer", "the backend gave two different answers"


class BackendFailed(OtherwordsError):
    """A backend that could not answer a call: it died, it answered nonsense, it cannot be reached."""


@dataclass(slots=True)
class AskResult(Generic[Value]):
    """The answers in the order of the items, and what happened on the way."""

    answers: list[Reply[Value]] = field(default_factory=list)
    cached: int = 0  # items whose answer was known before
    asked: int = 0  # texts that went to the backend
    unknown_ids: int = 0  # answers for ids that nobody asked about

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
    seconds: float = SECONDS_PER_CALL,
    progress: Progress = lambda done, total: None,
) -> AskResult[Value]:
    """The answers of an edge for these items; ``call`` is its method, ``kind`` the type of a value.

    Answers that pass ``check`` go into the cache as soon as their call is done, so that a killed run keeps them.
    Reasons are never cached.
    """
    result: AskResult[Value] = AskResult()
    texts = list(dict.fromkeys(item.text for item in items))
    known: dict[str, Reply[Value]] = {}
    if cache is not None:
        for text, value in cache.find(edge.signature, texts, kind).items():
            known[text] = Reply(text, value)
        result.cached = sum(item.text in known for item in items)
    missing = [text for text in texts if text not in known]
    result.asked = len(missing)
    progress(len(texts) - len(missing), len(texts))
    for block in _blocks(missing, max(1, edge.batch_size)):
        batch = [Item(str(number), text) for number, text in enumerate(block)]
        found: dict[str, Value] = {}
        for item, answer in zip(batch, _robust(edge, call, batch, seconds, result), strict=True):
            reason = answer.reason if answer.value is None else check(item, answer.value)
            known[item.text] = Reply(item.id, None if reason else answer.value, reason)
            if reason is None and answer.value is not None:
                found[item.text] = answer.value
        if cache is not None:
            cache.store(edge.signature, found)
        progress(len(known), len(texts))
    result.answers = [msgspec.structs.replace(known[item.text], id=item.id) for item in items]
    return result


def _blocks(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), size):
        yield texts[start : start + size]


def _robust(
    edge: Edge, call: Call[Value], batch: Sequence[Item], seconds: float, result: AskResult[Value]
) -> list[Reply[Value]]:
    """One answer per item. A call that fails is repeated in halves, down to single items."""
    try:
        answers = _called(edge, call, batch, seconds)
    except BackendFailed as problem:
        if len(batch) == 1:
            return [Reply(batch[0].id, None, str(problem))]
        half = len(batch) // 2
        return [
            *_robust(edge, call, batch[:half], seconds, result),
            *_robust(edge, call, batch[half:], seconds, result),
        ]
    return _matched(batch, answers, result)


def _called(edge: Edge, call: Call[Value], batch: Sequence[Item], seconds: float) -> list[Reply[Value]]:
    """What the backend answers in the time that it has; one that hangs is closed and starts anew."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(lambda: list(call(batch))).result(seconds)
    except TooLong:
        edge.close()
        raise BackendFailed(f"no answer within {seconds:g} seconds", code="backend-timeout") from None
    except BackendFailed:
        edge.close()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _matched(batch: Sequence[Item], replies: Sequence[Reply[Value]], result: AskResult[Value]) -> list[Reply[Value]]:
    """The answers by id: none is a reason, and so are two that differ."""
    by_id: dict[str, Reply[Value]] = {}
    wanted = {item.id for item in batch}
    for answer in replies:
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
