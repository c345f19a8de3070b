"""The commands of a crowd, on a project in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from otherwords.annotate.batches.batch import Gate, load_batch
from otherwords.annotate.crowd.introduction import agree_to
from otherwords.annotate.crowd.slot_handles import SlotHandles
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers
from otherwords.annotate.work.completion import completion_code
from otherwords.annotate.work.reservations import reserve
from otherwords.annotate.work.tasks import build_tasks
from otherwords.cli import cli
from otherwords.errors import OtherwordsError
from otherwords.project import create_project, open_project
from tests.web.crowds import ANSWERS, add_crowd

Run = Callable[..., Result]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    create_project(tmp_path / "corpus", "en", "binary-loose")
    return tmp_path / "corpus"


@pytest.fixture
def run(corpus: Path) -> Run:
    def command(*words: str) -> Result:
        return CliRunner().invoke(cli, list(words))

    return command


def error_code(result: Result) -> str:
    assert isinstance(result.exception, OtherwordsError), result.output
    return result.exception.code


def work(corpus: Path, name: str, answer: Callable[[str], str]) -> None:
    """Work through the batch without the site."""
    handles = SlotHandles(corpus)
    with open_project(corpus) as project, project.ledger.writing() as connection:
        harbour = load_batch(connection, "harbour")
        while taken := reserve(connection, harbour, name, 3, handles):
            for task in build_tasks(connection, harbour, taken, handles):
                value = answer(ANSWERS[task.text1 + task.text2])
                body = AnswerBody(key=f"{name}{task.slot}", slot=task.slot, value=value, seconds=3.0)
                save_answers(connection, [(name, body)], load_scheme, lambda *guideline: True, handles)


def test_status_in_words_and_as_json(corpus: Path, run: Run) -> None:
    add_crowd(corpus)
    for name in ("anna", "ben"):
        work(corpus, name, lambda right: right)
    work(corpus, "zoe", lambda right: "yes")
    shown = run("crowd", "status", str(corpus), "harbour", "--experts", "harbour", "--threshold", "2")
    assert shown.exit_code == 0, shown.output
    lines = [line.split() for line in shown.stdout.splitlines()]
    assert lines[1][:8] == ["anna", "8", "4", "100%", "–", "5", "3.0", "active"]  # chance explains five times yes
    assert "8 pairs have 24 votes" in shown.stdout
    assert "by the threshold 2: no 3, yes 5, none 0" in shown.stdout
    assert "against the experts, by majority: F1 1.000, precision 1.000, recall 1.000, on 8" in shown.stdout
    state = json.loads(run("crowd", "status", str(corpus), "harbour", "--json").stdout)
    assert state["labels"]["dawid_skene"] == {"no": 3, "yes": 5, "none": 0, "open": 0}
    assert [worker["name"] for worker in state["workers"]] == ["anna", "ben", "zoe"]


def test_a_gate_that_can_never_fire_says_so_when_it_is_made_and_later(corpus: Path, run: Run) -> None:
    add_crowd(corpus, gate=Gate(fewest_tests=2, fewest_shared=4))
    options = ("--where", "group=g", "--times", "2", "--scheme", "binary-loose")
    made = run("batch", "new", str(corpus), "late", *options, "--tests", "all", "--gate")
    assert made.exit_code == 0, made.output
    assert "never pause anybody for missed tests: it waits for 15" in made.stderr
    for command in (("batch", "show"), ("crowd", "status")):
        assert "it waits for 15" in run(*command, str(corpus), "late").stdout
        assert "it waits for" not in run(*command, str(corpus), "harbour").stdout


def test_decisions(corpus: Path, run: Run) -> None:
    add_crowd(corpus)
    work(corpus, "zoe", lambda right: "yes")
    subject = (str(corpus), "harbour", "zoe")
    steps = [
        (("pause", "--reason", "half a second each"), "paused"),
        (("keep",), "8 judgements kept"),
        (("void",), "8 judgements voided"),
        (("unvoid",), "8 judgements unvoided"),
        (("resume",), "resumed"),
    ]
    for (command, *others), outcome in steps:
        done = run("crowd", command, *subject, *others)
        assert (done.exit_code, done.stderr.strip()) == (0, f"zoe in harbour: {outcome}")
    assert error_code(run("crowd", "resume", *subject)) == "state-unchanged"


def test_links_and_more_pairs(corpus: Path, run: Run) -> None:
    add_crowd(corpus, asked=1, grows=True)
    invited = run("crowd", "invite", str(corpus), "harbour", "--uses", "50", "--address", "https://corpus.example/")
    assert invited.stdout.startswith("https://corpus.example/join/")
    assert "for 50 people, as workers of harbour; valid for 7 days" in invited.stderr
    assert "the link is for a site at" not in invited.stderr
    assumed = run("crowd", "invite", str(corpus), "harbour", "--platform", "prolific")
    assert "the link is for a site at http://127.0.0.1:8080; if people reach it" in assumed.stderr
    work(corpus, "zoe", lambda right: right)
    planned = run("crowd", "deploy", str(corpus), "harbour", "--dry-run")
    assert planned.stdout == "g: 3 of 5 are paraphrases; 3 more pairs\n"
    assert json.loads(run("crowd", "deploy", str(corpus), "harbour", "--json").stdout)[0]["added"] == 3
    assert run("crowd", "deploy", str(corpus), "harbour").stdout == ""


@pytest.mark.parametrize(
    ("options", "tests"),
    [
        (("--tests", "all"), 4),
        (("--tests", "FILE", "--every", "3", "--gate"), 2),
        (("--gate", "accuracy=0.9,window=30,fewest_shared=20", "--times", "3"), None),
    ],
)
def test_a_batch_for_a_crowd(
    corpus: Path, run: Run, tmp_path: Path, options: tuple[str, ...], tests: int | None
) -> None:
    add_crowd(corpus)
    (tmp_path / "ids.txt").write_text("g0\n g1 \n\n", encoding="utf-8")
    words = [str(tmp_path / "ids.txt") if word == "FILE" else word for word in options]
    created = run("batch", "new", str(corpus), "more", *words)
    assert created.exit_code == 0, created.output
    rules = json.loads(run("batch", "show", str(corpus), "more", "--json").stdout)["rules"]
    assert tests is None or len(rules["tests"]["pairs"]) == tests
    assert (rules["gate"] is not None) == ("--gate" in options)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--tests", "source=nowhere"), "no-test-pairs"),
        (("--tests", "nowhere.txt"), "file-unreadable"),
        (("--gate",), "too-few-judgements"),
        (("--gate", "speed=3"), "bad-gate-option"),
        (("--gate", "accuracy=high"), "not-a-number"),
    ],
)
def test_wrong_rules_of_a_crowd_are_refused(corpus: Path, run: Run, options: tuple[str, ...], code: str) -> None:
    add_crowd(corpus)
    assert error_code(run("batch", "new", str(corpus), "more", *options)) == code


def test_an_introduction_consents_and_codes(corpus: Path, run: Run, tmp_path: Path) -> None:
    add_crowd(corpus)
    batch = (str(corpus), "harbour")
    assert error_code(run("crowd", "introduction", *batch)) == "no-introduction"
    (tmp_path / "welcome.md").write_text("# Ferries\n\nThank you for coming.\n", encoding="utf-8")
    done = run("crowd", "introduce", *batch, str(tmp_path / "welcome.md"), "--code")
    assert done.stderr == "introduction of harbour, version 1: 32 characters\n"
    assert run("crowd", "introduction", *batch).stdout == "# Ferries\n\nThank you for coming.\n"
    assert json.loads(run("crowd", "introduction", *batch, "--json").stdout)["code_after"] == 0
    with open_project(corpus) as project, project.ledger.writing() as connection:
        agree_to(connection, "harbour", "anna", 1)
    work(corpus, "anna", lambda right: right)
    with open_project(corpus) as project, project.ledger.writing() as connection:
        code = completion_code(connection, "harbour", "anna", SlotHandles(corpus))
    [person] = json.loads(run("crowd", "consents", *batch, "--json").stdout)
    assert (person["worker"], person["version"], person["code"]) == ("anna", 1, code.code)
    assert code.code in run("crowd", "consents", *batch).stdout
    shown = run("crowd", "check-code", *batch, code.code.lower())
    assert shown.stdout == f"{code.code}: anna, {code.answers} answers; completed {code.time}\n"
    assert json.loads(run("crowd", "check-code", *batch, code.code, "--json").stdout)["worker"] == "anna"
    assert error_code(run("crowd", "check-code", *batch, "nonsense")) == "no-such-code"
    more = run("crowd", "introduce", *batch, str(tmp_path / "welcome.md"), "--code-after", "7", "--json")
    assert {"version": 2, "code_after": 7}.items() <= json.loads(more.stdout).items()
