"""Every kind of step is said in plain words."""

from __future__ import annotations

from otherwords.steps.catalogue import KIND_WORDS, STEP_KINDS, TASK_WORDS, words_of
from otherwords.steps.people import TASKS


def test_every_kind_and_every_task_has_words() -> None:
    assert set(KIND_WORDS) == set(STEP_KINDS.names())
    assert set(TASK_WORDS) == set(TASKS)
    assert words_of("people", "triage") == TASK_WORDS["triage"]
    assert words_of("of-a-plug-in") == "of-a-plug-in"
