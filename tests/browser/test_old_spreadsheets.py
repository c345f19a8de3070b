"""From a workbook with a column per annotator to the first decision, as the how-to says and no longer."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from otherwords.demo.build import copy_examples
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.records import Judgement
from tests.browser.conftest import Browser, bound, until
from tests.command_line import otherwords
from tests.conftest import ROOT
from tests.processes import SECONDS, next_line, started

PAGE = (ROOT / "docs" / "old-spreadsheets.md").read_text(encoding="utf-8")
FIRST = PAGE.partition("## From a sheet to the first decision")[2].partition("\n## ")[0]
COMMANDS = re.findall(r"^\$ (otherwords .+)$", FIRST, re.MULTILINE)
CLICKS = re.findall(r"^\d\. (.+)$", FIRST, re.MULTILINE)
LINK = re.compile(r"http://\S+/setup/\S+")


def test_it_takes_at_most_eight_commands_and_clicks() -> None:
    assert len(COMMANDS) + len(CLICKS) <= 8
    assert COMMANDS[-1] == "otherwords serve corpus"
    assert re.findall(r"\*(.+?)\*", " ".join(CLICKS)) == ["Set up", "Continue: Adjudicate", "Accept and next"]


def decisions(folder: Path) -> list[Judgement]:
    with open_project(folder) as project, project.ledger.reading() as connection:
        return list(read_records(connection, Judgement, schema.judgements.c.kind == "consensus"))


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_the_how_to_leads_to_a_decision(way: str, browser: Browser, tmp_path: Path) -> None:
    copy_examples(tmp_path / "examples")
    for line in COMMANDS[:-1]:
        done = otherwords(*shlex.split(line)[1:], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    serve = [sys.executable, "-m", "otherwords", *shlex.split(COMMANDS[-1])[1:], "--port", "0"]
    options = {"cwd": tmp_path, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with started(serve, **options) as served:
        next_line(served)
        assert served.stderr is not None
        link = LINK.search(served.stderr.readline())
        assert link is not None
        page = bound(browser.new_context()).new_page()
        page.goto(link[0])  # 1
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill("seven herons on a fence")
        page.get_by_label("The same again").fill("seven herons on a fence")
        if way == "mouse":
            page.get_by_role("button", name="Set up").click()  # 2
            page.get_by_role("link", name="Continue: Adjudicate").click()  # 3
            page.wait_for_selector("#work:not([hidden])")
            page.locator(".opinion").first.get_by_role("button").click()  # 4
            page.get_by_role("button", name="Accept and next").click()  # 5
        else:
            page.keyboard.press("Enter")
            page.get_by_role("link", name="Continue: Adjudicate").wait_for()
            page.keyboard.press("Enter")
            page.wait_for_selector("#work:not([hidden])")
            page.keyboard.press("a")
            page.keyboard.press("Enter")
        until(lambda: len(decisions(tmp_path / "corpus")) == 1)
        page.context.close()
        served.terminate()
        served.communicate(timeout=SECONDS)
    (decision,) = decisions(tmp_path / "corpus")
    assert (decision.annotator, decision.batch) == ("ada", "urteile")
    assert decision.value in ("yes", "no")
