"""Rules of a batch, checked against its scheme and its pairs before the batch is created."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, select

from otherwords.annotate.batches.batch import FEWEST_EVERY, FIRST_OF_GROUP, MOST_EVERY, BatchItem, BatchRules, golds_of
from otherwords.annotate.batches.keep_rule import question_of
from otherwords.annotate.schemes.scheme import Question, Scheme
from otherwords.errors import LabelError, Refused
from otherwords.project.ledger import schema

MOST_WINDOW = 500
MOST_ADDED = 10_000
MOST_PRACTICE = 100
WHO_JUDGES = ("annotator", "curator", "admin")  # in any batch; workers are invited to one


def check_answer_rules(rules: BatchRules, asked: int, scheme: Scheme) -> None:
    """Refuse rules about answers that do not fit the scheme or the number of judgements."""
    if rules.second_sees:
        if asked != 2:
            raise Refused(f"a second annotator needs 2 judgements of each pair, not {asked}", code="not-two-judgements")
        if len(scheme.questions) != 1 or scheme.questions[0].several or scheme.questions[0].counted:
            message = f"the scheme {scheme.name!r} has no single answer that decides what a second annotator sees"
            raise Refused(message, code="no-single-answer")
        _check_known(scheme.questions[0], rules.second_sees)
    if rules.keep is not None:
        if asked < 2:
            raise Refused("a keep rule needs at least 2 judgements of each pair", code="too-few-judgements")
        for name, allowed in rules.keep.all_say.items():
            _check_known(question_of(scheme, name), allowed)
        for name in rules.keep.agree_on:
            question_of(scheme, name)


def _check_known(question: Question, answers: Iterable[str]) -> None:
    values = [value.value for value in question.values]
    for answer in answers:
        if answer not in values:
            raise Refused(f"{answer!r} is not one of the answers {', '.join(values)}", code="no-such-answer")


def check_crowd_rules(
    connection: Connection, rules: BatchRules, items: Sequence[BatchItem], asked: int, scheme: Scheme
) -> None:
    """Refuse tests, a gate or a deployment table that a batch of these pairs could not work with."""
    crowd_rules = (rules.tests, rules.practice, rules.gate)
    if scheme.unit != "pair" and (any(rule is not None for rule in crowd_rules) or rules.deployment):
        message = f"tests, practice, gates and deployment need a pair scheme, not {scheme.name!r}"
        raise Refused(message, code="not-about-pairs")
    if rules.practice is not None:
        _check_practice(connection, rules, items, scheme)
    if rules.tests is not None:
        _check_tests(connection, rules, items, scheme)
    if rules.gate is not None:
        _check_gate(rules, asked)
    if rules.deployment:
        _check_deployment(rules, scheme)


def _check_tests(connection: Connection, rules: BatchRules, items: Sequence[BatchItem], scheme: Scheme) -> None:
    tests = rules.tests
    assert tests is not None
    if not FEWEST_EVERY <= tests.every <= MOST_EVERY:
        rates = f"one pair in {FEWEST_EVERY} to {MOST_EVERY}"
        raise Refused(f"{rates} is a test, not one in {tests.every}", code="bad-test-rate")
    if rules.assigned:
        raise Refused("slots cannot be assigned in a batch with tests; let it be a pool", code="assigned-slots")
    if rules.second_sees:
        message = "in a batch with tests everybody gets all pairs; leave out what the second annotator sees"
        raise Refused(message, code="second-annotator-with-tests")
    if not tests.pairs:
        message = "a batch with tests needs test pairs: pairs that were imported with a gold label"
        raise Refused(message, code="no-test-pairs")
    if both := {item.item for item in items} & set(tests.pairs):
        raise Refused(f"{min(both)} is a test pair; leave it out of the batch itself", code="test-pair-in-batch")
    if len(set(tests.pairs)) < len(tests.pairs):
        raise Refused("a test pair is named twice; name each one once", code="duplicate-test-pair")
    _check_golds(connection, tests.pairs, scheme)


def _check_practice(connection: Connection, rules: BatchRules, items: Sequence[BatchItem], scheme: Scheme) -> None:
    practice, tests = rules.practice, set(rules.tests.pairs) if rules.tests is not None else set()
    assert practice is not None
    if not 0 < practice.share <= 1:
        raise Refused(
            f"a share from 0 to 1 of the practice pairs has to be right, not {practice.share}", code="bad-share"
        )
    if not 1 <= len(practice.pairs) <= MOST_PRACTICE or len(set(practice.pairs)) < len(practice.pairs):
        message = f"a practice round has 1 to {MOST_PRACTICE} pairs, each named once, not {len(practice.pairs):,}"
        raise Refused(f"{message}; name how many: --practice 10", "practice", code="bad-practice-size")
    if both := ({item.item for item in items} | tests) & set(practice.pairs):
        message = f"{min(both)} is a practice pair; leave it out of the batch itself and of its tests"
        raise Refused(message, code="practice-pair-in-batch")
    _check_golds(connection, practice.pairs, scheme)


def _check_golds(connection: Connection, pairs: Sequence[str], scheme: Scheme) -> None:
    """Refuse a pair without a known answer, or with one that the scheme does not have."""
    golds = golds_of(connection, pairs)
    for pair in pairs:
        if pair not in golds:
            raise Refused(f"{pair}: no pair of the project with a gold label", code="no-gold-label")
        try:
            scheme.normalise(golds[pair].label)
        except LabelError as problem:
            message = f"{pair}: its gold label is outside the scheme: {problem}; import its file again with --map"
            raise Refused(message, code="bad-gold-label") from None


def _check_gate(rules: BatchRules, asked: int) -> None:
    """Refuse a gate that nobody could pass or nobody could fail."""
    gate = rules.gate
    assert gate is not None
    if not 0 <= gate.accuracy < 1 or not -1 <= gate.kappa < 1:
        raise Refused("a gate has 0 ≤ accuracy < 1 and -1 ≤ kappa < 1", code="bad-gate-threshold")
    if not 1 <= gate.fewest_tests <= gate.window or not 1 <= gate.fewest_shared <= gate.window <= MOST_WINDOW:
        message = (
            f"a gate needs 1 ≤ fewest_tests ≤ window and 1 ≤ fewest_shared ≤ window ≤ {MOST_WINDOW}; these are "
            f"fewest_tests={gate.fewest_tests}, fewest_shared={gate.fewest_shared}, window={gate.window}"
        )
        raise Refused(message, code="bad-gate-window")
    if rules.tests is None and asked < 2:
        message = "a gate needs hidden tests, or at least 2 judgements of each pair, to have something to weigh"
        raise Refused(message, code="too-few-judgements")


def _check_deployment(rules: BatchRules, scheme: Scheme) -> None:
    """Refuse overlapping lines, or a scheme that does not say what a paraphrase is."""
    if not scheme.positive:
        raise Refused(f"the scheme {scheme.name!r} does not say which answers are paraphrases", code="no-positives")
    last = -1
    for line in sorted(rules.deployment, key=lambda line: line.fewest):
        if not last < line.fewest <= line.most <= FIRST_OF_GROUP or not 0 < line.more <= MOST_ADDED:
            message = f"{line.fewest} to {line.most}: the ranges of a table end at {FIRST_OF_GROUP} and do not overlap"
            raise Refused(message, code="bad-deployment-table")
        last = line.most


def judging_accounts(connection: Connection) -> set[str]:
    """The people with an account who may judge what no worker is invited to."""
    accounts = schema.accounts.c
    may_judge = (accounts.state == "active", accounts.role.in_(WHO_JUDGES))
    return set(connection.execute(select(accounts.name).where(*may_judge)).scalars())


def people_gap(connection: Connection, rules: BatchRules, asked: int) -> str | None:
    """A warning if more people are to judge each unit than may; None for a crowd, and where nobody has joined yet."""
    is_for_crowd = rules.tests is not None or rules.gate is not None
    found = 0 if is_for_crowd else len(judging_accounts(connection))
    if not 0 < found < asked:
        return None
    accounts = "1 account" if found == 1 else f"{found} accounts"
    return f"{asked} different people are to judge each, and only {accounts} may judge: invite more people"
