"""A batch as somebody asks for it: one record and one decoder for the command line, the API, the form and recipes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, inspect
from sqlalchemy import Connection, select

from otherwords.annotate import schemes
from otherwords.annotate.batch_plans.create import MOST_SEED, BatchPlan, choose_items, resolve_scheme_name
from otherwords.annotate.batch_plans.qa_round import choose_qa, plan_qa
from otherwords.annotate.batch_plans.selection import Order, shuffle
from otherwords.annotate.batch_plans.worth import RANDOM_SHARE, Ranking
from otherwords.annotate.batches import batch as batches
from otherwords.annotate.batches.batch import BatchItem, BatchRules, Gate, HiddenTests, KeepRule, Practice
from otherwords.annotate.browse.filter import parse_filter
from otherwords.annotate.crowd.deployment import TABLE
from otherwords.errors import DataError, Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.project.left_out import NOT_LEFT_OUT
from otherwords.project.project import Project
from otherwords.registry import suggest

MOST_PAIRS = 10**9
ALL, SOURCE = "all", "source="  # test pairs: every one with a gold label, or those of a source
USUAL_GATE = "usual"
_WHOLE = ("window", "fewest_tests", "fewest_shared")
_pairs = schema.pairs
Names = tuple[str, ...]
BatchPurpose = Literal["production", "training", "agreement", "check", "qa"]  # gold is for hidden tests alone


class BatchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which pairs, how often, by whom, and by which rules."""

    name: str
    # which pairs
    filter: dict[str, str] = msgspec.field(default_factory=dict)  # as on the browse page
    pairs: Names = ()  # only these, by their ids
    not_in: Names = ()  # batches whose pairs are left out
    sample: Annotated[int, Meta(ge=1, le=MOST_PAIRS)] | None = None
    seed: Annotated[int, Meta(ge=0, le=MOST_SEED)] = 0
    order: Order = "arrival"
    random_share: Annotated[float, Meta(ge=0, le=1)] = RANDOM_SHARE  # drawn at random, where the order goes by worth
    models: Names = ()  # that say what pairs are worth: folders of trained classifiers
    also_decided: bool = False  # a sample may have pairs that are decided or doubly judged
    check_label: str = ""  # a quality round: all pairs of a label …
    check_flag: str = ""  # … or of a flag, those judged first coming first
    # who judges them, and how
    scheme: str | None = None  # None: the project's own
    times: Annotated[int, Meta(ge=1, le=batches.MOST_PER_ITEM)] = 1
    purpose: BatchPurpose = "production"
    people: Names = ()
    assigned: bool = False
    context: bool = True
    own: bool = True
    again: bool = True  # people may judge what they have judged before, for whatever purpose
    undo: bool = True
    # which pairs are kept
    second_sees: Names = ()
    keep: dict[str, Names] = msgspec.field(default_factory=dict)
    agree_on: Names = ()
    # a crowd
    tests: str | None = None  # ``all`` pairs with a gold label, ``source=NAME``, or a file of ids
    every: Annotated[int, Meta(ge=batches.FEWEST_EVERY, le=batches.MOST_EVERY)] = 5
    gate: str | None = None  # ``usual``, or with some changes: accuracy=0.8,kappa=0.3
    grows: bool = False
    practice: str | None = None  # ``all``, ``source=NAME``, a file of ids, or how many of the pairs with a gold label
    practice_share: Annotated[float, Meta(gt=0, le=1)] = 0.8  # that has to be right

    @property
    def is_quality_round(self) -> bool:
        return bool(self.check_label or self.check_flag)

    def plan(self, connection: Connection, project: Project) -> BatchPlan:
        """The plan of the batch, with the test pairs that there are by now."""
        if self.is_quality_round:
            return plan_qa(self.name, self.scheme, list(self.people))
        fields = [*("pairs", "sample", "seed", "order", "not_in", "scheme", "purpose", "also_decided")]
        fields += ["random_share", "models"]
        same = {name: getattr(self, name) for name in fields}
        wanted, rules = parse_filter(self.filter), self._rules(connection)
        return BatchPlan(name=self.name, **same, wanted=wanted, asked=self.times, rules=rules)

    def items(
        self, connection: Connection, project: Project, plan: BatchPlan, rank: Ranking | None = None
    ) -> list[BatchItem]:
        """The pairs of the batch, or the groups or document pairs if that is what its scheme is about."""
        if not self.is_quality_round:
            return choose_items(connection, project, plan, rank)
        scheme = schemes.load_scheme(resolve_scheme_name(project, self.scheme), project.folder)
        return choose_qa(connection, project, scheme, self.check_label, self.check_flag)

    def _practice_pairs(self, connection: Connection) -> list[str]:
        """The pairs to practise with: those that are named, or so many of those with a gold label, by the seed."""
        assert self.practice is not None
        if not _is_number(self.practice):
            return _test_pairs(connection, self.practice)
        pairs, number = _test_pairs(connection, ALL), int(self.practice)
        if not 1 <= number <= len(pairs):
            message = f"practice: {number:,} pairs are asked for, and {len(pairs):,} have a gold label"
            raise Refused(message, "practice", code="too-few-gold-pairs")
        chosen = set(shuffle(pairs, self.seed, "practice")[:number])
        return [pair for pair in pairs if pair in chosen]

    def _rules(self, connection: Connection) -> BatchRules:
        keep = {question: list(answers) for question, answers in self.keep.items()}
        practice = self._practice_pairs(connection) if self.practice is not None else []
        pairs = _test_pairs(connection, self.tests, practice) if self.tests is not None else None
        tests = HiddenTests(pairs=pairs, every=self.every) if pairs is not None else None
        same = {name: getattr(self, name) for name in ("assigned", "context", "own", "again", "undo")}
        return BatchRules(
            **same,
            people=list(self.people),
            second_sees=list(self.second_sees),
            keep=KeepRule(all_say=keep, agree_on=list(self.agree_on)) if keep or self.agree_on else None,
            tests=tests,
            practice=Practice(pairs=practice, share=self.practice_share) if self.practice is not None else None,
            gate=_parse_gate(self.gate) if self.gate else None,
            deployment=TABLE if self.grows else [],
        )


def _test_pairs(connection: Connection, tests: str, without: Sequence[str] = ()) -> list[str]:
    """Test pairs: ``all`` that have a gold label, those of a ``source=NAME``, or those of a file.

    ``without`` are pairs of which people learn the answers before; a file that names one is refused later.
    """
    if tests != ALL and not tests.startswith(SOURCE):
        return read_pair_ids(Path(tests))
    of_source = [] if tests == ALL else [_pairs.c.source == tests.removeprefix(SOURCE)]
    fits = (PRESENT, NOT_LEFT_OUT, *of_source)
    rows = connection.execute(select(_pairs.c.id, _pairs.c.gold).where(*fits).order_by(_pairs.c.seq))
    pairs = [row.id for row in rows if row.gold and row.id not in without]
    if not pairs:
        message = 'no pair there has a gold label; import pairs with "gold": {"label": …, "explanation": …}'
        raise Refused(message, code="no-test-pairs")
    return pairs


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def read_pair_ids(path: Path) -> list[str]:
    """Ids of pairs from a file, one per line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), path, code="file-unreadable") from None
    except UnicodeDecodeError:
        raise DataError("is not UTF-8 text with one id of a pair per line", path, code="not-utf8") from None
    return [line.strip() for line in lines if line.strip()]


def _parse_gate(text: str) -> Gate:
    """A gate: ``usual``, or with some fields set, ``accuracy=0.8,kappa=0.3``."""
    if text == USUAL_GATE:
        return Gate()
    fields: dict[str, float | int] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        name = name.strip()
        if not equals or name not in Gate.__struct_fields__:
            known = ", ".join(Gate.__struct_fields__)
            raise Refused(f"gate: {part!r}: expected one of {known}, such as accuracy=0.8", code="bad-gate-option")
        try:
            fields[name] = int(value) if name in _WHOLE else float(value)
        except ValueError:
            raise Refused(f"gate: {name}: {value!r} is not a number", code="not-a-number") from None
    return msgspec.structs.replace(Gate(), **fields)


def refuse_paths(batch: BatchRequest) -> None:
    """Refuse tests by a file and models by their folder, where whoever asks is not on this machine."""
    if batch.models:
        message = "models are in folders of the server; make the batch on its command line: otherwords batch new --with"
        raise Refused(message, "models", code="models-on-the-server")
    if batch.tests is not None and batch.tests != ALL and not batch.tests.startswith(SOURCE):
        message = f"tests: {batch.tests!r}: expected all, or source= and the name of a source"
        raise Refused(message, "tests", code="bad-tests-option")
    practice = batch.practice
    if practice is not None and practice != ALL and not practice.startswith(SOURCE) and not _is_number(practice):
        message = f"practice: {practice!r}: expected all, source= and the name of a source, or a number of pairs"
        raise Refused(message, "practice", code="bad-practice-option")


def decode_request(values: Mapping[str, Any]) -> BatchRequest:
    """A request out of values as people type them: numbers as text, lists as their parts between commas."""
    known = {field.name: field.type for field in inspect.type_info(BatchRequest).fields}  # type: ignore[attr-defined]
    for name in values:
        if name not in known:
            raise Refused(f"a batch has no {name!r}{suggest(name, list(known))}", name, code="unknown-batch-option")
    typed: dict[str, object] = {}
    for name, value in values.items():
        if isinstance(known[name], inspect.VarTupleType) and isinstance(value, str):
            typed[name] = _names(value)
        elif name == "keep" and not isinstance(value, Mapping):
            typed[name] = _answers([value] if isinstance(value, str) else value)
        else:
            typed[name] = value
    try:
        return msgspec.convert(typed, BatchRequest, strict=False)
    except msgspec.ValidationError as problem:
        name = str(problem).partition("`$.")[2].rstrip("`").partition("[")[0].partition(".")[0]
        what = str(problem).partition(" - at")[0].replace("`", "")
        message = f"{name}: {typed.get(name)!r}: {what[:1].lower()}{what[1:]}"
        raise Refused(message, name, code="bad-batch-option") from None


def _names(text: str) -> Names:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _answers(texts: list[str]) -> dict[str, Names]:
    """``QUESTION=ANSWER,…`` as the answers that keep a pair, by question; several stand between semicolons."""
    keep: dict[str, Names] = {}
    for text in (part for whole in texts for part in whole.split(";") if part.strip()):
        question, equals, answers = text.partition("=")
        if not equals or not question.strip() or not _names(answers):
            message = f"keep: {text.strip()!r}: expected QUESTION=ANSWER, such as well_formed=yes"
            raise Refused(message, "keep", code="bad-keep-rule")
        keep[question.strip()] = _names(answers)
    return keep
