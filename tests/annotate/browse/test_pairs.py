"""The pages of a corpus: every filter, every viewer, and the same rows whatever the size of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, event, insert, select, update

from otherwords import labels
from otherwords.annotate.browse import paging as pair_pages
from otherwords.annotate.browse import pairs as browsing
from otherwords.annotate.browse.filter import NO_FILTER, Filter, parse_filter
from otherwords.annotate.browse.pairs import PairRow, load_pair, pair_page, row_cells
from otherwords.annotate.discussion.threads import settle
from otherwords.annotate.labels.pair_labels import PairLabel, labels_of_pairs
from otherwords.annotate.work.reservations import reserve
from otherwords.project import Project, create_project, open_project, search
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair, Passage
from tests.annotate.browsed import ADMIN, ANNA, BEN, CURATOR, ORIGIN, PAIRS, WORKER, Person, put, put_pairs
from tests.errors import raises

SHOWN = [pair.id for pair in PAIRS if pair.id not in ("removed", "withdrawn")]


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        put(connection)
    search.update_index(project)
    with project.ledger.writing() as connection:
        yield connection


def ids(connection: Connection, project: Project, viewer: Person = CURATOR, **params: str) -> list[str]:
    rows, after = pair_page(connection, project, parse_filter(params), viewer)
    assert after is None
    return [row.id for row in rows]


FILTERS: list[tuple[dict[str, str], list[str]]] = [
    ({}, SHOWN),
    ({"query": "harbour"}, ["agreed", "open"]),
    ({"query": "harbour port quiet"}, ["open"]),
    ({"query": "gone"}, []),
    ({"query": "we"}, ["foreign"]),
    ({"query": "port we"}, []),
    ({"query": "harbour", "label": "4>s"}, ["agreed"]),
    ({"label": "4>s"}, ["agreed"]),
    ({"label": "4s>"}, ["agreed"]),
    ({"label": "4", "projection": "base"}, ["agreed", "settled", "rewritten"]),
    ({"label": "4<", "projection": "arrows"}, ["settled"]),
    ({"label": "4<"}, []),
    ({"label": "2"}, []),
    ({"label": "3"}, ["imported"]),
    ({"label": "x"}, ["changed"]),
    ({"label": "1"}, []),
    ({"label": "positive", "projection": "binary"}, ["agreed", "settled", "imported", "rewritten"]),
    ({"label": "negative", "projection": "binary"}, []),
    ({"source": "news"}, ["agreed", "open", "changed"]),
    ({"source": "nowhere"}, []),
    ({"group": "sea"}, ["settled", "taken-back"]),
    ({"group": "sea", "source": "news"}, []),
    ({"lang": "en"}, ["agreed", "open"]),
    ({"method": "rewrite"}, ["rewritten"]),
    ({"type": "syn"}, ["typed"]),
    ({"type": "sy"}, []),
    ({"type": "SYN"}, []),
    ({"type": "scope1"}, []),
    ({"type": 'odd "kind" 50%_'}, ["typed"]),
    ({"type": "%"}, []),
    ({"measure": "bleu"}, ["typed", "bare"]),
    ({"measure": "bleu", "low": "0.6"}, ["bare"]),
    ({"measure": "bleu", "low": "0.5", "high": "0.5"}, ["typed"]),
    ({"measure": "chrf:2", "high": "0.3"}, ["typed"]),
    ({"measure": "pinc"}, []),
    ({"measure": "' OR 1=1 --"}, []),
    ({"annotator": "anna"}, ["agreed", "open", "settled", "changed", "typed"]),
    ({"annotator": "cleo"}, []),
    ({"batch": "double"}, ["open", "bare"]),
    ({"batch": "old"}, ["agreed"]),
    ({"has": "judgement"}, ["agreed", "open", "settled", "changed", "typed", "rewritten"]),
    ({"has": "none"}, ["taken-back", "imported", "bare", "foreign", "placed"]),
    ({"has": "note"}, ["agreed"]),
    ({"has": "unsure"}, ["open"]),
    ({"has": "rewrite"}, ["settled"]),
    ({"has": "discussion"}, ["open"]),
]


def test_every_filter(connection: Connection, project: Project) -> None:
    for params, expected in FILTERS:
        assert ids(connection, project, **params) == expected, params
        assert ids(connection, project, ADMIN, **params) == expected, params


def test_the_answer_to_a_hidden_test_is_no_judgement_of_the_pair(connection: Connection, project: Project) -> None:
    answer = Judgement(id="test", pair="bare", value="4", annotator="wim", scheme="turku", purpose="gold")
    connection.execute(insert(schema.judgements).values(**row_of(answer)))
    assert "bare" not in ids(connection, project, has="judgement")
    assert "bare" in ids(connection, project, has="none")


def test_the_label_of_a_pair(connection: Connection) -> None:
    standings = labels_of_pairs(connection, [pair.id for pair in PAIRS], "turku")
    assert {
        name: (pair_label.label, pair_label.labels, pair_label.open, pair_label.judgements)
        for name, pair_label in standings.items()
    } == {
        "agreed": ("4>s", ("4>s",), False, 2),
        "open": (None, ("3", "4"), True, 2),
        "settled": ("4<i", ("2", "4<"), False, 3),
        "taken-back": (None, (), False, 0),
        "imported": ("3", (), False, 0),
        "changed": ("x", ("x",), False, 1),
        "typed": (None, (), False, 2),
        "bare": (None, (), False, 0),
        "foreign": ("yes", (), False, 0),
        "rewritten": ("4", ("4",), False, 1),
        "placed": (None, (), False, 0),
        "removed": ("4", (), False, 0),
        "withdrawn": ("4", (), False, 0),
    }
    assert labels_of_pairs(connection, ["typed"])["typed"].label == "true", (
        "without a scheme every plain answer is a label"
    )
    assert labels_of_pairs(connection, ["typed"])["typed"].types == {"syn", 'odd "kind" 50%_'}
    assert labels_of_pairs(connection, ["nothing"]) == {}
    assert labels_of_pairs(connection, []) == {}


def test_votes_do_not_open_pairs_with_an_imported_label(connection: Connection) -> None:
    votes = [Judgement(id=f"v{number}", pair="imported", value=number < 3, kind="vote") for number in range(5)]
    connection.execute(insert(schema.judgements), [row_of(vote) for vote in votes])
    assert labels_of_pairs(connection, ["imported"])["imported"] == PairLabel("3", (), False, 5, source="import")


def test_the_last_consensus_counts(connection: Connection) -> None:
    later = Judgement(id="later", pair="settled", value="3", kind="consensus", scheme="turku")
    connection.execute(insert(schema.judgements).values(**row_of(later)))
    assert labels_of_pairs(connection, ["settled"], "turku")["settled"].label == "3"


def test_a_row_has_the_pair_its_label_and_counts(connection: Connection, project: Project) -> None:
    settle(connection, "cora", "pair", "open", "resolve", "k3")
    rows = {row.id: row for row in pair_page(connection, project, NO_FILTER, CURATOR)[0]}
    assert rows["open"] == PairRow(
        seq=2,
        id="open",
        text1="The harbour was quiet.",
        text2="Nobody was at the port.",
        lang="en",
        source="news",
        labels=("3", "4"),
        open=True,
        judgements=2,
        rewrites=0,
        remarks=2,
        scores={},
    )
    assert rows["settled"].rewrites == 1
    assert (rows["typed"].types, rows["typed"].scores) == (('odd "kind" 50%_', "syn"), {"bleu": 0.5, "chrf:2": 0.25})


def test_a_rewrite_that_was_taken_back_does_not_count(connection: Connection, project: Project) -> None:
    connection.execute(update(schema.pairs).where(schema.pairs.c.id == "rewritten").values(state="removed"))
    assert ids(connection, project, has="rewrite") == []
    assert (
        next(row for row in pair_page(connection, project, NO_FILTER, CURATOR)[0] if row.id == "settled").rewrites == 0
    )


def test_an_annotator_does_not_see_judgements_of_others_too_early(connection: Connection, project: Project) -> None:
    rows = {row.id: row for row in pair_page(connection, project, NO_FILTER, ANNA)[0]}
    assert list(rows) == SHOWN
    assert {name for name, row in rows.items() if not row.hidden} == {"agreed", "settled", "changed", "typed"}
    assert rows["agreed"].label == "4>s"
    hidden_row = rows["open"]  # a double batch asks for it
    assert (hidden_row.label, hidden_row.labels, hidden_row.open) == (None, (), False)
    assert (hidden_row.judgements, hidden_row.remarks) == (None, None)
    rewrite = rows["rewritten"]
    assert (rewrite.method, rewrite.rewrite_of, rewrite.scores, rewrite.text1) == (None, None, None, "The lamp burns.")


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"label": "4", "projection": "base"}, ["agreed", "settled"]),
        ({"label": "3"}, []),
        ({"method": "rewrite"}, []),
        ({"method": "extract"}, ["changed"]),
        ({"type": "syn"}, ["typed"]),
        ({"batch": "double"}, []),
        ({"measure": "bleu"}, ["typed"]),
        ({"has": "judgement"}, ["agreed", "settled", "changed", "typed"]),
        ({"has": "none"}, []),
        ({"has": "discussion"}, []),
        ({"has": "unsure"}, []),
        ({"source": "news"}, ["agreed", "open", "changed"]),
        ({"query": "harbour"}, ["agreed", "open"]),
        ({"query": "harbour", "has": "judgement"}, ["agreed"]),
    ],
)
def test_no_filter_finds_a_hidden_pair(
    connection: Connection, project: Project, params: dict[str, str], expected: list[str]
) -> None:
    assert ids(connection, project, ANNA, **params) == expected


def test_a_curator_does_not_see_pairs_that_they_have_to_judge(connection: Connection, project: Project) -> None:
    assert {slot.item for slot in reserve(connection, "double", "cora", 2)} == {"open", "bare"}
    rows = {row.id: row for row in pair_page(connection, project, NO_FILTER, CURATOR)[0]}
    assert {name for name, row in rows.items() if row.hidden} == {"open", "bare"}
    assert ids(connection, project, has="discussion") == []


@pytest.mark.parametrize("role", ["worker", "nobody", ""])
def test_workers_may_not_browse(connection: Connection, project: Project, role: str) -> None:
    viewer = Person(WORKER.name, role)
    with raises("not-a-browser"):
        pair_page(connection, project, NO_FILTER, viewer)
    with raises("not-a-browser"):
        load_pair(connection, project, "agreed", viewer)


def test_only_curators_ask_for_an_annotator(connection: Connection, project: Project) -> None:
    with raises("names-for-curators"):
        pair_page(connection, project, Filter(annotator="anna"), ANNA)


@pytest.mark.parametrize(("after", "most"), [(-1, 50), (2**63, 50), (None, 0), (None, -1), (None, 1001)])
def test_impossible_pages_are_refused(connection: Connection, project: Project, after: int | None, most: int) -> None:
    with raises("bad-page-size" if after is None else "bad-pair-number"):
        pair_page(connection, project, NO_FILTER, CURATOR, after, most)


def test_the_details_of_a_pair(connection: Connection, project: Project) -> None:
    whole = load_pair(connection, project, "settled", CURATOR)
    assert (whole.row.label, whole.import_id, whole.step, whole.original) == ("4<i", "i1", None, None)
    assert [row.id for row in whole.rewrites] == ["rewritten"]
    back = load_pair(connection, project, "rewritten", CURATOR)
    assert back.original is not None
    assert (back.original.id, back.original.label, back.rewrites) == ("settled", "4<i", ())
    placed = load_pair(connection, project, "placed", CURATOR)
    assert placed.passages == (Passage(id="d1", start=0, end=7), Passage(id="d2", start=3, end=10))
    assert whole.passages == (None, None)


def test_the_details_of_a_hidden_pair(connection: Connection, project: Project) -> None:
    whole = load_pair(connection, project, "rewritten", ANNA)
    assert whole.row.hidden
    assert (whole.original, whole.import_id) == (None, None)
    seen = load_pair(connection, project, "settled", ANNA)
    assert [(row.id, row.hidden, row.label) for row in seen.rewrites] == [("rewritten", True, None)]
    assert load_pair(connection, project, "placed", ANNA).passages[0] is not None


def test_the_documents_of_a_pair_are_hidden_where_its_batch_says_so(connection: Connection, project: Project) -> None:
    in_place = {"doc1": "d1", "start1": 0, "end1": 3}
    connection.execute(update(schema.pairs).where(schema.pairs.c.id == "bare").values(**in_place))
    assert load_pair(connection, project, "bare", BEN).passages[0] is not None
    reserve(connection, "double", "ben", 2)
    assert load_pair(connection, project, "bare", BEN).passages == (None, None)


@pytest.mark.parametrize("name", ["nothing", "", "removed", "withdrawn", "' OR 1=1"])
def test_an_unknown_pair_is_not_found(connection: Connection, project: Project, name: str) -> None:
    with raises("no-such-pair"):
        load_pair(connection, project, name, CURATOR)


def test_the_cells_of_a_row(connection: Connection, project: Project) -> None:
    rows = {row.id: row_cells(row) for row in pair_page(connection, project, NO_FILTER, CURATOR)[0]}
    assert (rows["taken-back"]["text1"], rows["taken-back"]["text2"]) == (
        "'=1+1 is what he wrote.",
        "'@home he wrote it.",
    )
    names = [
        "seq",
        "id",
        "text1",
        "text2",
        "lang",
        "source",
        "group",
        "method",
        "rewrite_of",
        "label",
        "labels",
        "open",
    ]
    names += ["hidden", "judgements", "rewrites", "remarks", "types", "scores", "left_out"]
    assert all(list(row) == names for row in rows.values())
    assert (rows["open"]["labels"], rows["open"]["open"], rows["open"]["label"]) == ("3 4", "true", "")
    assert rows["typed"]["scores"] == '{"bleu":0.5,"chrf:2":0.25}'
    hidden = row_cells(next(row for row in pair_page(connection, project, NO_FILTER, ANNA)[0] if row.hidden))
    assert (hidden["judgements"], hidden["scores"]) == ("", "")


def test_a_page_reads_a_bounded_number_of_rows(
    connection: Connection, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_pairs(connection, *(Pair(id=f"q{number}", text1="a", text2="b") for number in range(30)))
    put_pairs(connection, Pair(id="last", text1="c", text2="d", label="1"))
    monkeypatch.setattr(pair_pages, "MAX_ROWS_READ", 10)
    monkeypatch.setattr(pair_pages, "ROWS_A_BLOCK", 4)
    ids: list[str] = []
    after: int | None = None
    stops = []
    while True:
        rows, after = pair_page(connection, project, Filter(label="1"), CURATOR, after, 2)
        ids += [row.id for row in rows]
        if after is None:
            break
        stops.append(after)
    assert ids == ["last"]
    assert len(stops) >= 3
    assert stops == sorted(set(stops))


def test_a_full_last_page_says_that_it_is_the_last(connection: Connection, project: Project) -> None:
    rows, after = pair_page(connection, project, NO_FILTER, CURATOR, None, len(SHOWN))
    assert (len(rows), after) == (len(SHOWN), None)
    rows, after = pair_page(connection, project, NO_FILTER, CURATOR, None, len(SHOWN) - 1)
    assert (len(rows), after) == (len(SHOWN) - 1, rows[-1].seq)


def test_a_page_never_counts_or_skips(connection: Connection, project: Project) -> None:
    statements: list[tuple[str, Any]] = []

    def listen(connection: Any, cursor: Any, statement: str, parameters: Any, *others: Any) -> None:
        statements.append((statement.upper(), parameters))

    event.listen(connection, "before_cursor_execute", listen)
    pair_page(connection, project, parse_filter({"label": "4", "query": "harbour"}), ANNA, 1, 5)
    pair_page(connection, project, NO_FILTER, CURATOR, 1, 5)
    event.remove(connection, "before_cursor_execute", listen)
    assert statements
    for statement, parameters in statements:
        assert " OFFSET " not in statement or parameters[-1] == 0, "SQLite has every limit with one"
        assert "COUNT(" not in statement or "GROUP BY" in statement, "but for what is on the page"


def everything(connection: Connection, project: Project, wanted: Filter, viewer: Person, most: int) -> list[PairRow]:
    rows: list[PairRow] = []
    after: int | None = None
    while True:
        more, after = pair_page(connection, project, wanted, viewer, after, most)
        assert len(more) <= most
        rows += more
        if after is None:
            return rows


LABELS = [None, "1", "2", "3", "4", "4>", "4<s", "x"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Connection, Project]]:
    """Pairs and judgements without any order in them, the same every time."""
    folder = tmp_path_factory.mktemp("pages") / "corpus"
    create_project(folder, "en", "turku")
    with open_project(folder) as project:
        with project.ledger.writing() as connection:
            for number in range(40):
                chosen = (number * 37 + number // 3) % 64
                name, label = f"p{number}", LABELS[chosen % 8] if number % 5 == 0 else None
                texts = {"text1": f"word{chosen} harbour", "text2": "port" if chosen % 2 else "quay"}
                pair = Pair(id=name, **texts, label=label, source=f"s{chosen % 3}", scores={"bleu": chosen / 64})
                state = "removed" if chosen % 11 == 0 else None
                connection.execute(insert(schema.pairs).values(**row_of(pair, **ORIGIN, state=state)))
                for turn, who in enumerate(("anna", "ben")[: chosen % 3]):
                    value = LABELS[(chosen // (turn + 1)) % 8]
                    judgement = Judgement(id=f"{name}-{who}", pair=name, value=value, annotator=who, scheme="turku")
                    connection.execute(insert(schema.judgements).values(**row_of(judgement)))
        search.update_index(project)
        with project.ledger.reading() as connection:
            yield connection, project


ADDRESSES = st.fixed_dictionaries(
    {},
    optional={
        "query": st.sampled_from(["harbour", "port", "word1", "u", "qu 1", "nothing at all"]),
        "label": st.sampled_from(["1", "2", "3", "4", "4>", "4<s"]),
        "projection": st.sampled_from(["full", "arrows", "base", "binary"]),
        "source": st.sampled_from(["s0", "s1", "s9"]),
        "has": st.sampled_from(["judgement", "none"]),
        "measure": st.just("bleu"),
    },
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(params=ADDRESSES, most=st.integers(1, 45), bound=st.integers(1, 50), viewer=st.sampled_from([CURATOR, ANNA]))
def test_pages_of_any_size_hold_the_same_rows(
    corpus: tuple[Connection, Project], params: dict[str, str], most: int, bound: int, viewer: Person
) -> None:
    connection, project = corpus
    wanted = parse_filter(params)
    whole = everything(connection, project, wanted, viewer, 1000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pair_pages, "MAX_ROWS_READ", bound)
        patch.setattr(pair_pages, "ROWS_A_BLOCK", max(1, bound // 3))
        patch.setattr(search, "MAX_ROWS_READ", bound)
        assert everything(connection, project, wanted, viewer, most) == whole
    assert [row.id for row in whole] == expected(connection, wanted, viewer)


def expected(connection: Connection, wanted: Filter, viewer: Person) -> list[str]:
    """What fits, by looking at everything."""
    answers: dict[str, dict[str, Any]] = {}
    for row in connection.execute(select(schema.judgements)).mappings():
        if row["value"] is not None:
            answers.setdefault(row["pair"], {})[row["annotator"]] = row["value"]
    expected = []
    for pair in connection.execute(select(schema.pairs).order_by(schema.pairs.c.seq)).mappings():
        judged = answers.get(pair["id"], {})
        values = set(judged.values())
        label = values.pop() if len(values) == 1 else None if values else pair["label"]
        texts = (pair["text1"], pair["text2"])
        fits = [
            pair["state"] is None,
            all(any(word in text for text in texts) for word in (wanted.query or "").split()),
            wanted.label is None
            or (label is not None and labels.parse_label(label).project(wanted.projection) == wanted.label),
            wanted.source in (None, pair["source"]),
            wanted.has is None or (wanted.has == "judgement") == bool(judged),
            viewer is CURATOR or not wanted.beyond_the_texts or viewer.name in judged,
        ]
        if all(fits):
            expected.append(pair["id"])
    return expected


def test_browsing_asks_once_which_pairs_are_hidden(
    connection: Connection, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[Any, ...]] = []

    def hidden(connection: Connection, viewer: str, role: str, items: list[str]) -> set[str]:
        calls.append((viewer, role, *items))
        return {"agreed"}

    monkeypatch.setattr(browsing, "hidden_items", hidden)
    rows, _ = pair_page(connection, project, NO_FILTER, BEN, None, 2)
    assert calls == [("ben", "annotator", "agreed", "open", "settled")]
    assert [(row.id, row.hidden) for row in rows] == [("agreed", True), ("open", False)]
