"""A run that is killed, or stopped by Ctrl-C, keeps every finished answer, and its open calls stay counted."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from otherwords.models.asking import ask
from otherwords.models.cache import AnswerCache
from otherwords.models.edges import Item
from otherwords.models.endpoints.budget import SPENDING_FILE, Budget, Limits
from otherwords.models.endpoints.openai import build_generator
from tests.models.endpoints.hostile import MODEL, TOKENS_OUT, hostile_server, right_answer, tokens_in
from tests.processes import SECONDS, started

TEXTS = [f"text number {number}" for number in range(30)]
ANSWERED, AT_ONCE = 10, 4
CODE = """
import sys
from pathlib import Path
from otherwords.models.asking import ask
from otherwords.models.cache import AnswerCache
from otherwords.models.catalogue import generator
from otherwords.models.edges import Item

name, cache, *texts = sys.argv[1:]
edge = generator(name)
ask(edge, edge.generate, [Item(text, text) for text in texts], kind=str, cache=AnswerCache(Path(cache)))
"""


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_what_is_finished_is_kept(stop: signal.Signals, tmp_path: Path) -> None:
    cache = tmp_path / "answers.sqlite"
    with hostile_server(lambda text, before: "well" if text in TEXTS[:ANSWERED] else "hang") as server:
        name = f"{server.url}/v1#{MODEL}?at_once={AT_ONCE}&seconds=600"
        command = [sys.executable, "-c", CODE, f"openai:{name}", str(cache), *TEXTS]
        with started(command, stderr=subprocess.DEVNULL) as process:
            server.wait_for_hanging(AT_ONCE)  # so all that come before are finished
            process.send_signal(stop)
            assert process.wait(SECONDS) != 0
        edge = build_generator(name)
        budget = Budget(edge.service.account, Limits(), tmp_path / SPENDING_FILE)
        spent = sum(tokens_in(text) + TOKENS_OUT for text in TEXTS[:ANSWERED])
        open_calls = sum(edge.service.bound(text).units for text in TEXTS[ANSWERED : ANSWERED + AT_ONCE])
        assert budget.total().units == spent + open_calls

        server.behaviour = lambda text, before: "well"
        before = server.requests
        items = [Item(text, text) for text in TEXTS]
        result = ask(edge, edge.generate, items, kind=str, cache=AnswerCache(cache))
    assert (result.cached, server.requests - before) == (ANSWERED, len(TEXTS) - ANSWERED)
    assert result.values() == [right_answer(text) for text in TEXTS]
