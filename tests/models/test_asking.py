"""N in, N out, by id, whatever the backend does."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.models.answer_checks import failed_translation
from otherwords.models.asking import DOUBLED, DROPPED, AskResult, BackendStopped, ask
from otherwords.models.cache import AnswerCache
from otherwords.models.edges import Item
from tests.models.misbehaving import BEHAVIOURS, Misbehaving, RemoteMisbehaving, right_answer
from tests.processes import join_all

TEXTS = [f"this is sentence number {number}" for number in range(10)]


def translated(backend: Misbehaving, texts: list[str], **options: object) -> AskResult[str]:
    items = [Item(f"s{number}", text) for number, text in enumerate(texts)]
    return ask(backend, backend.translate, items, kind=str, check=failed_translation, **options)  # type: ignore[arg-type]


@given(
    texts=st.lists(st.sampled_from(TEXTS), max_size=12),
    behaviours=st.lists(st.sampled_from(BEHAVIOURS), max_size=8),
    batch_size=st.integers(1, 5),
    at_once=st.integers(1, 4),
)
def test_no_row_is_lost_or_shifted(texts: list[str], behaviours: list[str], batch_size: int, at_once: int) -> None:
    result = translated(RemoteMisbehaving(behaviours, batch_size, at_once=at_once), texts)
    assert [answer.id for answer in result.answers] == [f"s{number}" for number in range(len(texts))]
    for text, answer in zip(texts, result.answers, strict=True):
        assert (answer.value is None) != (answer.reason is None)
        assert answer.value in (None, right_answer(text))
    assert sum(result.reasons.values()) + sum(value is not None for value in result.values()) == len(texts)


@given(texts=st.lists(st.text(min_size=1, max_size=20), max_size=20), sizes=st.tuples(*[st.integers(1, 7)] * 2))
def test_the_batch_size_changes_nothing(texts: list[str], sizes: tuple[int, int]) -> None:
    first, second = (translated(Misbehaving(batch_size=size), texts).answers for size in sizes)
    assert first == second


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("drop", DROPPED),
        ("nothing", DROPPED),
        ("two", DOUBLED),
        ("empty", "the answer is empty"),
        ("echo", "the answer is the source itself"),
        ("repeat", "the answer repeats itself"),
        ("refuse", "too hard"),
    ],
)
def test_what_went_wrong_is_said(behaviour: str, reason: str) -> None:
    result = translated(Misbehaving([behaviour]), TEXTS[:3])
    assert result.answers[0].reason == reason


def test_one_bad_text_costs_only_its_own_answer() -> None:
    result = translated(Misbehaving(batch_size=8, poison=TEXTS[5]), TEXTS)
    assert [answer.id for answer in result.answers if answer.value is None] == ["s5"]
    assert result.reasons == {"the process ended": 1}


def test_a_backend_that_hangs_is_closed_and_asked_again() -> None:
    backend = Misbehaving(["hang"], batch_size=2)
    try:
        result = translated(backend, TEXTS[:2], seconds=0.2)
    finally:
        backend.released.set()
    assert result.values() == [right_answer(text) for text in TEXTS[:2]]
    assert backend.closed == 1


def test_several_calls_at_a_time_and_no_more() -> None:
    backend = RemoteMisbehaving(batch_size=1, at_once=3, meets=3)
    result = translated(backend, TEXTS[:9])
    assert result.values() == [right_answer(text) for text in TEXTS[:9]]
    assert backend.most == 3


def test_calls_that_hang_are_given_up_together_and_asked_again() -> None:
    backend = RemoteMisbehaving(["hang", "well", "hang"], batch_size=2, at_once=3)
    try:
        result = translated(backend, TEXTS, seconds=0.5)
    finally:
        backend.released.set()
    assert result.values() == [right_answer(text) for text in TEXTS]


def test_a_backend_that_stops_is_not_asked_again() -> None:
    backend = Misbehaving(["well", "stop"], batch_size=2)
    result = translated(backend, TEXTS)
    assert len(backend.calls) == 2
    assert result.values() == [*(right_answer(text) for text in TEXTS[:2]), *[None] * 8]
    assert isinstance(result.stopped, BackendStopped)
    assert result.reasons == {"the budget is used up": 8}


def test_calls_under_way_when_a_backend_stops_keep_their_answers() -> None:
    backend = RemoteMisbehaving(["well", "stop", "well"], batch_size=1, at_once=3, meets=3)
    result = translated(backend, TEXTS)
    values = sum(value is not None for value in result.values())
    assert values == len(backend.calls) - 1 >= 2
    assert result.reasons == {"the budget is used up": len(TEXTS) - values}


def test_a_backend_that_answers_without_end() -> None:
    backend = Misbehaving(["endless"], batch_size=4)
    result = translated(backend, TEXTS[:4])
    assert result.values()[0] == right_answer(TEXTS[0])
    assert result.reasons == {DROPPED: 3}


def test_a_mistake_in_a_backend_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        translated(Misbehaving(["mistake"]), TEXTS)


def test_answers_for_unknown_ids_are_counted() -> None:
    result = translated(Misbehaving(["unknown"]), TEXTS[:2])
    assert (result.unknown_ids, result.reasons) == (1, {})


def test_a_second_run_asks_nothing_and_failures_are_asked_again(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    first = translated(Misbehaving(["drop"]), TEXTS[:4], cache=cache)
    assert first.reasons == {DROPPED: 1}
    backend = Misbehaving()
    second = translated(backend, TEXTS[:4], cache=cache)
    assert (backend.calls, second.cached, second.asked) == ([[TEXTS[0]]], 3, 1)
    third = translated(backend, TEXTS[:4], cache=cache)
    assert len(backend.calls) == 1
    assert third.values() == [right_answer(text) for text in TEXTS[:4]]


def test_a_killed_run_keeps_every_finished_call(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")

    def stop(done: int, total: int | None) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        translated(Misbehaving(batch_size=2), TEXTS, cache=cache, progress=stop)
    cache.close()
    backend = Misbehaving()
    result = translated(backend, TEXTS, cache=AnswerCache(tmp_path / "answers.sqlite"))
    assert (result.cached, result.asked) == (4, 6)


def test_a_stopped_run_keeps_calls_that_are_done_but_not_looked_at(tmp_path: Path) -> None:
    backend = RemoteMisbehaving(batch_size=1, at_once=4, meets=4)
    cache = AnswerCache(tmp_path / "answers.sqlite")

    def stop(done: int, total: int | None) -> None:
        if done:
            join_all(thread for thread in threading.enumerate() if thread.name.endswith(backend.name))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        translated(backend, TEXTS[:8], cache=cache, progress=stop)
    assert translated(Misbehaving(), TEXTS[:8], cache=cache).cached == 4


def test_the_same_text_is_asked_about_once() -> None:
    backend = Misbehaving()
    result = translated(backend, [TEXTS[0], TEXTS[1], TEXTS[0]])
    assert backend.calls == [TEXTS[:2]]
    assert result.answers[0].value == result.answers[2].value
    assert [answer.id for answer in result.answers] == ["s0", "s1", "s2"]


def test_an_edge_says_how_long_a_call_may_take() -> None:
    backend = Misbehaving(["hang"], batch_size=2)
    backend.seconds_per_call = 0.2  # type: ignore[attr-defined]
    try:
        result = translated(backend, TEXTS[:2])
    finally:
        backend.released.set()
    assert (backend.closed, result.reasons) == (1, {})
