"""Candidates by way of endpoints: limits, what was spent, and what a user sees when nothing is left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import otherwords
from tests.conftest import EXAMPLES
from tests.models.endpoints.hostile import KEY, MODEL, hostile_server, right_answer

POOL = EXAMPLES / "sources/sentences/harbour.txt"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("DEEPL_API_KEY", KEY)
    assert otherwords("new", "corpus", "--lang", "en", cwd=tmp_path).returncode == 0
    assert otherwords("import", "corpus", "sentences", POOL, cwd=tmp_path).returncode == 0
    return tmp_path


def test_a_run_that_ends_with_its_budget_goes_on_with_a_higher_one(folder: Path) -> None:
    with hostile_server() as server, hostile_server() as second:
        server.translate = lambda text: text.strip("«»") if text[:1] == "«" else right_answer(text)
        second.translate = lambda text: text.removeprefix("pues ") if text[:5] == "pues " else f"pues {text}"

        def acquire(requests: int, *more: str) -> tuple[int, str]:
            name = f"{server.url}/v1#{MODEL}?languages=en-es&requests={requests}"
            systems = f"systems=openai:{name},deepl:{second.url}#en-es"
            done = otherwords("acquire", "corpus", "translate", "--set", systems, *more, cwd=folder)
            assert KEY not in done.stdout + done.stderr
            return done.returncode, done.stderr

        code, message = acquire(25)
        assert code == 1
        assert "requests: 25 of 25 spent" in message
        assert "[budget-used-up]" in message
        assert (server.requests, second.requests) == (25, 0)

        spent = json.loads(otherwords("status", "corpus", "--json", cwd=folder).stdout)["spending"]
        assert [(row["endpoint"], row["requests"], row["unit"]) for row in spent] == [
            (f"openai:{server.url}/v1#{MODEL}", 25, "tokens")
        ]
        assert "25 requests" in otherwords("status", "corpus", cwd=folder).stdout

        code, message = acquire(1000)
        assert code == 0, message
        assert (server.requests, second.requests) == (200, 200)
        code, message = acquire(1000, "--set", "per_range=3")
        assert code == 0, message
        assert (server.requests, second.requests) == (200, 200)


def test_without_a_key_nothing_is_sent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    name = "openai:https://models.example/v1#parrot?languages=en-es"
    done = otherwords("acquire", "corpus", "translate", "--set", f"systems={name},{name}&seed=2", cwd=folder)
    assert done.returncode == 2
    assert "set the environment variable OPENAI_API_KEY" in done.stderr
    assert "[no-api-key]" in done.stderr
