"""Introductions: nobody gets a pair before they agreed to the newest one, and each consent is on record."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, select

from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.crowd.introduction import (
    agree_to,
    count_consents,
    introduction_of,
    needs_consent,
    newest_introduction,
    publish_introduction,
)
from otherwords.annotate.crowd.slot_handles import SlotHandles
from otherwords.annotate.work.completion import batches_with_code, check_code, completion_code, participants, spell
from otherwords.annotate.work.reservations import reserve
from otherwords.project.ledger import schema
from tests.annotate.crowd_batch import crowd_batch, gold_of, work
from tests.errors import raises

TEXT = "# Ferries\n\nYou compare sentences about ferries."


def publish(connection: Connection, text: str = TEXT, code_after: int | None = None, after: int | None = None) -> int:
    return publish_introduction(connection, "crowd", text, code_after, "carl", after).version


def test_a_batch_without_an_introduction_asks_for_nothing(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 5)
    assert newest_introduction(connection, "crowd") is None
    assert not needs_consent(connection, "crowd", "wim")
    assert reserve(connection, "crowd", "wim", 1, handles)
    assert participants(connection, "crowd") == []
    with raises("no-introduction"):
        completion_code(connection, "crowd", "wim", handles)


def test_nobody_gets_a_pair_before_they_agree(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 5)
    version = publish(connection)
    with raises("consent-needed"):
        reserve(connection, "crowd", "wim", 1, handles)
    assert needs_consent(connection, "crowd", "wim")
    consent = agree_to(connection, "crowd", "wim", version)
    assert agree_to(connection, "crowd", "wim", version) == consent  # the first time stays
    assert len(connection.execute(select(schema.consents)).all()) == 1
    assert reserve(connection, "crowd", "wim", 1, handles)
    with raises("consent-needed"):
        reserve(connection, "crowd", "zoe", 1, handles)


def test_a_new_version_is_put_to_everybody_again(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 5)
    agree_to(connection, "crowd", "wim", publish(connection))
    assert publish(connection, f"{TEXT}\n") == 1  # the same text is no new version
    assert publish(connection, code_after=10) == 2  # what one gets for it belongs to what one agrees to
    with raises("consent-needed"):
        reserve(connection, "crowd", "wim", 1, handles)
    agree_to(connection, "crowd", "wim", 1)  # of a page that was open
    with raises("consent-needed"):
        reserve(connection, "crowd", "wim", 1, handles)
    agree_to(connection, "crowd", "wim", 2)
    assert reserve(connection, "crowd", "wim", 1, handles)
    assert count_consents(connection, "crowd") == {1: 1, 2: 1}
    assert introduction_of(connection, "crowd", 1).text == TEXT
    assert [(person.worker, person.version) for person in participants(connection, "crowd")] == [("wim", 1), ("wim", 2)]


def test_what_cannot_be_published_or_agreed_to(connection: Connection) -> None:
    crowd_batch(connection, 5)
    with raises("empty-text"):
        publish(connection, "  \n")
    with raises("control-character"):
        publish(connection, "bell \a")
    with raises("invalid-number"):
        publish(connection, code_after=-1)
    with raises("no-such-batch"):
        publish_introduction(connection, "nowhere", TEXT, None, None)
    publish(connection)
    with raises("newer-version"):
        publish(connection, "Mine.", after=0)
    with raises("no-such-version"):
        agree_to(connection, "crowd", "wim", 2)


def test_a_code_is_given_when_nothing_is_left(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 5)
    agree_to(connection, "crowd", "wim", publish(connection, code_after=0))
    with raises("not-finished"):
        completion_code(connection, "crowd", "wim", handles)
    work(connection, handles, "wim", lambda taken: gold_of(taken.item) or "4", most=3)
    with raises("not-finished"):
        completion_code(connection, "crowd", "wim", handles)
    done = 3 + len(work(connection, handles, "wim", lambda taken: gold_of(taken.item) or "4"))
    code = completion_code(connection, "crowd", "wim", handles)
    assert code.answers == done
    assert completion_code(connection, "crowd", "wim", handles) == code
    [person] = participants(connection, "crowd")
    assert (person.worker, person.code, person.completed) == ("wim", code.code, code.time)
    assert batches_with_code(connection, "wim") == ["crowd"]
    assert batches_with_code(connection, "zoe") == []


def test_a_code_is_given_after_so_many_answers(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 10)
    agree_to(connection, "crowd", "wim", publish(connection, code_after=4))
    work(connection, handles, "wim", lambda taken: gold_of(taken.item) or "4", most=3)
    with raises("not-finished", "4 answers; you have given 3"):
        completion_code(connection, "crowd", "wim", handles)
    work(connection, handles, "wim", lambda taken: gold_of(taken.item) or "4", most=1)
    assert completion_code(connection, "crowd", "wim", handles).answers == 4


def test_whoever_is_paused_gets_no_code(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 10)
    agree_to(connection, "crowd", "wim", publish(connection, code_after=1))
    work(connection, handles, "wim", lambda taken: "4", most=1)
    connection.execute(schema.takers.update().values(state="paused"))
    with raises("worker-paused"):
        completion_code(connection, "crowd", "wim", handles)


def test_a_batch_may_have_no_codes(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 5)
    agree_to(connection, "crowd", "wim", publish(connection))
    work(connection, handles, "wim", lambda taken: gold_of(taken.item) or "4")
    with raises("no-completion-code"):
        completion_code(connection, "crowd", "wim", handles)
    assert batches_with_code(connection, "wim") == []


def test_a_code_is_found_however_it_is_typed(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 5)
    agree_to(connection, "crowd", "wim", publish(connection, code_after=1))
    work(connection, handles, "wim", lambda taken: gold_of(taken.item) or "4", most=2)
    code = completion_code(connection, "crowd", "wim", handles).code
    work(connection, handles, "wim", lambda taken: gold_of(taken.item) or "4", most=1)
    for typed in (code, code.lower(), code.replace("-", ""), f" {code} ", code.replace("0", "O").replace("1", "l")):
        checked = check_code(connection, "crowd", typed)
        assert (checked.worker, checked.answers, checked.state) == ("wim", 3, "active")
    for wrong in ("", "7KQ2M-X9T4B", code[:-1]):
        with raises("no-such-code"):
            check_code(connection, "crowd", wrong)


@pytest.mark.parametrize(("typed", "stored"), [("7kq2m x9t4b", "7KQ2M-X9T4B"), ("OIL", "011"), ("", "")])
def test_spelling(typed: str, stored: str) -> None:
    assert spell(typed) == stored


def test_codes_do_not_repeat_and_have_one_shape(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 5, asked=50)
    version, codes = publish(connection, code_after=1), set()
    for number in range(20):
        agree_to(connection, "crowd", f"w{number}", version)
        work(connection, handles, f"w{number}", lambda taken: gold_of(taken.item) or "4", most=1)
        codes.add(completion_code(connection, "crowd", f"w{number}", handles).code)
    assert len(codes) == 20
    assert all(spell(code) == code and len(code) == 11 for code in codes)


def test_the_state_of_the_batch_is_untouched(connection: Connection) -> None:
    before = crowd_batch(connection, 5)
    publish(connection)
    assert load_batch(connection, "crowd") == before
