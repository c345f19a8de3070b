"""A simulation: all work that waits for people in a project is done, in the order in which it would reach them.

The project is marked as simulated first, which is refused if people have judged in it. A simulation can be stopped at
any time: the judgements so far are in the ledger, and a later one continues.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import uvicorn
from sqlalchemy import Connection, func, select

from otherwords.acquire.localise import METHOD as LOCALISED
from otherwords.annotate.adjudication.case_queue import CaseView
from otherwords.annotate.batches.batch import Batch, load_batch, load_batches
from otherwords.annotate.crowd.introduction import Introduction, newest_introduction
from otherwords.annotate.labels.label_rule import label_rules
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.annotate.work.tasks import Task
from otherwords.annotate.work.type_marks import asks_types
from otherwords.errors import ProjectError
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.project.simulated import mark_simulated
from otherwords.simulate.documents import extract, pick_seeds, triage
from otherwords.simulate.opinions import opinion
from otherwords.simulate.options import TASKS, SimulationOptions, check_bias
from otherwords.simulate.team import Progress, Team, work_days
from otherwords.simulate.truth import truth
from otherwords.simulate.visible_texts import look
from otherwords.steps.people import count_left
from otherwords.web.accounts.accounts import account_of, add_account, credentials_of
from otherwords.web.accounts.passwords import hash_password, new_secret
from otherwords.web.accounts.roles import SCOPES_OF_ROLE, may
from otherwords.web.accounts.tokens import make_token, revoke, tokens_of
from otherwords.web.app import make_app
from otherwords.web.client import Client, Refusal
from otherwords.web.site import DEFAULT_SCHEME

Begin = Callable[[str, int], None]  # a task, and how much of it waits
HOST = "127.0.0.1"
STARTING = 0.01  # seconds between looks at a site that is starting

JUDGED_PER_DAY = 5
PRACTICE_ROUNDS = 5  # after which somebody who does not pass gives up
MARKING = 6.0  # marking types takes this many times as long as a judgement
FORBIDDEN = 403

PREFIX = "sim-"
CURATOR = f"{PREFIX}carl"
NAMES = ("anna", "ben", "dora", "emil", "fina", "gus", "hanna", "ivo", "jana", "kai", "lena", "max", "nora", "otto")
TOKEN = "simulation"  # noqa: S105 - the name of the token
DAYS = 1.0  # a token that is left behind expires after this time


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What the simulated annotators did, and what still waits for people."""

    people: list[str]
    done: dict[str, int]
    left: dict[str, int]


def simulate(
    project: Project,
    options: SimulationOptions | None = None,
    *,
    begin: Begin = lambda task, waiting: None,
    progress: Progress = lambda task, done: None,
) -> SimulationResult:
    """Do what waits for people in a project, as far as the options allow."""
    options = options or SimulationOptions()
    # A password that nobody knows; its hash is slow, so it is made outside the transaction.
    people, password = annotator_names(options.people), hash_password(new_secret(), TOKEN)
    with project.ledger.writing() as connection:
        for name in options.batches:
            load_batch(connection, name)
        names = {known.scheme for known in load_batches(connection)} | {project.config.scheme or DEFAULT_SCHEME}
        check_bias(options.bias, [load_scheme(name, project.folder) for name in sorted(names)])
        mark_simulated(connection)
        tokens = add_people(connection, people, password)
        last_seq = connection.execute(select(func.max(schema.judgements.c.seq))).scalar() or 0
        golds = _known_labels(connection)
    with contextlib.ExitStack() as stack:
        stack.callback(_revoke_tokens, project)
        address = stack.enter_context(_serve(project.folder))
        clients = {name: stack.enter_context(Client(address, token)) for name, token in tokens.items()}
        curator = clients.pop(CURATOR)
        loader = partial(load_scheme, project=project.folder)
        team = Team(clients, curator, options, loader, last_seq, Counter(), progress, golds)
        for task in options.tasks:
            begin(task, _waiting(project, task, options))
            _do(team, project, task)
    return SimulationResult(people, dict(team.counts), {task: _waiting(project, task, options) for task in TASKS})


def _known_labels(connection: Connection) -> dict[tuple[str, str], str]:
    """The labels that are known beforehand, by the texts of a pair, which is all that annotators see of it.

    They are gold labels and, of pairs that were carried over from another language, the labels of their originals.
    """
    pairs, originals = schema.pairs.c, schema.pairs.alias()
    rows = connection.execute(select(pairs.text1, pairs.text2, pairs.gold).where(pairs.gold.is_not(None), PRESENT))
    golds = {(text1, text2): gold["label"] for text1, text2, gold in rows if gold}
    original = pairs.meta["made"]["original"].as_string() == originals.c.id
    carried = select(pairs.text1, pairs.text2, originals.c.label).join(originals, original)
    carried_over = (pairs.method == LOCALISED, originals.c.label.is_not(None), PRESENT)
    return {(text1, text2): label for text1, text2, label in connection.execute(carried.where(*carried_over))} | golds


def _do(team: Team, project: Project, task: str) -> None:
    if task == "triage":
        triage(team)
    elif task == "extract":
        extract(team)
    elif task == "seed":
        pick_seeds(team)
    else:
        for chosen in _batches(project, team.options):
            if task == "judge" and chosen.state == "open":
                with project.ledger.reading() as connection:
                    introduction = newest_introduction(connection, chosen.id)
                if introduction is not None:
                    agree(team, introduction)
                if chosen.rules.practice is not None:
                    practise(team, chosen)
                judge(team, chosen)
            elif task == "adjudicate" and is_adjudicated(project, chosen):
                adjudicate(team, chosen)


def is_adjudicated(project: Project, batch: Batch) -> bool:
    """Whether a team decides about the disagreements of a batch; in a crowd, votes do."""
    main = next(iter(label_rules(load_scheme(batch.scheme, project.folder)).values())).view
    return batch.asked > 1 and not (main.rule == "votes" and batch.asked >= (main.expected or 0))


def _waiting(project: Project, task: str, options: SimulationOptions) -> int:
    """How much of a task waits for people."""
    batches = _batches(project, options)
    names = [chosen.id for chosen in batches if task != "adjudicate" or is_adjudicated(project, chosen)]
    with project.ledger.reading() as connection:
        return count_left(connection, project, task, names)


def _batches(project: Project, options: SimulationOptions) -> list[Batch]:
    with project.ledger.reading() as connection:
        return [known for known in load_batches(connection) if not options.batches or known.id in options.batches]


def _revoke_tokens(project: Project) -> None:
    """Revoke all tokens of simulated annotators."""
    tokens = schema.tokens
    simulated = tokens.c.account.startswith(PREFIX, autoescape=True)
    owners = select(tokens.c.account).where(tokens.c.name == TOKEN, simulated)
    with project.ledger.writing() as connection:
        for name in connection.execute(owners).scalars().all():
            revoke(connection, account_of(connection, name), TOKEN, None)


@contextlib.contextmanager
def _serve(folder: Path) -> Iterator[str]:
    """Serve a project in this process, on a free port; its address. Requests under way are finished before the end."""
    with socket.create_server((HOST, 0)) as sock:
        config = uvicorn.Config(make_app(folder), log_level="warning", access_log=False, server_header=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([sock],), name="site", daemon=True)
        thread.start()
        try:
            while not server.started:
                if not thread.is_alive():
                    message = f"{folder}: its site does not start; try: otherwords serve {folder}"
                    raise ProjectError(message, code="site-not-started")
                time.sleep(STARTING)
            yield f"http://{HOST}:{sock.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def agree(team: Team, introduction: Introduction) -> None:
    """Agree to the introduction of a batch, without which nobody gets anything of it."""
    for name, client in team.annotators.items():
        try:
            client.agree(introduction.batch, introduction.version, key=team.key("agree", name, introduction.batch))
        except Refusal as problem:
            if problem.status != FORBIDDEN:  # the batch is for others
                raise


def practise(team: Team, batch: Batch) -> None:
    """Go through the practice round of a batch, and again while it is not passed, as often as people have patience.

    Whoever has not passed by then gets nothing of the batch; others judge it.
    """
    scheme = team.load_scheme(batch.scheme)
    for name, client in team.annotators.items():
        try:
            for _ in range(PRACTICE_ROUNDS):
                reply = client.practice(batch.id)
                if reply.state.passed:
                    break
                number = reply.state.round + reply.state.is_over
                for pair in reply.pairs:
                    gold = team.golds.get((pair.text1, pair.text2))
                    seen = look(pair.text1, pair.text2, pair.lang, gold=gold)
                    answer = opinion(scheme, seen, team.options, name, batch.id, "practice", number)
                    client.practise(batch.id, pair.pair, answer.value)
        except Refusal as problem:
            if problem.status != FORBIDDEN:  # the batch is for others
                raise


def judge(team: Team, batch: Batch) -> None:
    """Judge everything that is open in a batch and that these annotators may judge; then talk about what is unsure."""
    scheme = team.load_scheme(batch.scheme)
    doubts: list[Doubt] = []

    def turn(name: str, most: int) -> int:
        before = team.counts["judge"]
        try:
            for task in team.annotators[name].take(batch.id, most):
                note = _judge_task(team, name, batch, scheme, task)
                if note and task.pair is not None:
                    doubts.append(Doubt(name, task.pair, note))
        except Refusal as problem:
            if problem.status != FORBIDDEN:  # the batch is for others, or its gate has closed
                raise
        return team.counts["judge"] - before

    work_days(team, JUDGED_PER_DAY, turn, "judge", batch.id)
    if batch.purpose == "agreement" and batch.unit == "pair":
        _discuss(team, batch, doubts)


class Doubt(NamedTuple):
    """Who was unsure about which pair, and why."""

    annotator: str
    pair: str
    note: str


def _discuss(team: Team, batch: Batch, doubts: Sequence[Doubt]) -> None:
    """Say in the discussion of a pair what one was unsure about; one that is not open yet stays closed."""
    for doubt in doubts:
        key = team.key("discuss", doubt.annotator, batch.id, doubt.pair)
        try:
            team.annotators[doubt.annotator].say(doubt.pair, doubt.note, key=key)
        except Refusal as problem:
            if problem.status != FORBIDDEN:
                raise


def _judge_task(team: Team, name: str, batch: Batch, scheme: Scheme, task: Task) -> str | None:
    """Judge one unit; the note that came with the answer."""
    seen = team.look(task)
    answer = opinion(scheme, seen, team.options, name, batch.id)
    spent = team.seconds(_effort(scheme), "judge", name, batch.id, seen.text1, seen.text2)
    key = team.key("judge", name, batch.id, task.slot)
    others = {"unsure": answer.unsure, "note": answer.note, "rewrites": list(answer.rewrites)}
    sent = {field: value for field, value in others.items() if value}  # empty fields are left out
    team.annotators[name].judge(task.slot, answer.value, key=key, seconds=spent, **sent)
    team.count("judge")
    return answer.note


def adjudicate(team: Team, batch: Batch) -> None:
    """Decide all pairs of a batch on which annotators disagree."""
    scheme = team.load_scheme(batch.scheme)
    while (cases := team.curator.disagreements(batch.id).cases) and (most := team.remaining(len(cases))):
        for case in cases[:most]:
            _decide(team, batch, scheme, case)


def _decide(team: Team, batch: Batch, scheme: Scheme, case: CaseView) -> None:
    """Adopt an answer that is true; if there is none, give it."""
    true = truth(scheme, team.look(case), team.options)
    judgements = sorted(judgement["id"] for judgement in case.opinions)
    adopted = min((judgement["id"] for judgement in case.opinions if judgement["value"] == true), default=None)
    spent = team.seconds(2 * _effort(scheme), "adjudicate", batch.id, case.pair)
    key = team.key("adjudicate", batch.id, case.pair)
    team.curator.decide(batch.id, case.pair, true, judgements, key=key, adopted=adopted, seconds=spent)
    team.count("adjudicate")


def _effort(scheme: Scheme) -> float:
    return MARKING if asks_types(scheme) else 1.0


def annotator_names(count: int) -> list[str]:
    """The names of ``count`` annotators, always the same."""
    first = list(NAMES[:count])
    return [PREFIX + name for name in first + [f"p{number}" for number in range(len(first) + 1, count + 1)]]


def add_people(connection: Connection, annotators: Sequence[str], password: str) -> dict[str, str]:
    """Create the accounts that do not exist yet; the tokens of all of them by name, including the curator's."""
    roles = dict.fromkeys(annotators, "annotator") | {CURATOR: "curator"}
    for name, role in roles.items():
        if credentials_of(connection, name) is None:
            add_account(connection, name, role, password, None)
    tokens = {}
    for name, role in roles.items():
        account = account_of(connection, name)
        if not may(account, role):
            message = f"the account {account.name} is {account.state} and {account.role}, and is needed as {role}"
            raise ProjectError(f"{message}; change it with: otherwords user", code="account-unusable")
        if TOKEN in {token.name for token in tokens_of(connection, account)}:
            revoke(connection, account, TOKEN, None)
        tokens[name] = make_token(connection, account, TOKEN, SCOPES_OF_ROLE[role], None, DAYS)
    return tokens
