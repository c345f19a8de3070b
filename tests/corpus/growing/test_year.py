"""A year of monthly versions: what any test has is in no training part, and nothing else is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.growing_year import RELEASE_EVERY, SimulatedYear, YearOptions, add_pairs, judge

from otherwords.corpus.growing.grow import FOR_PEOPLE, GrowOptions, grow
from otherwords.corpus.growing.select import ALIKE, COPY, NOT_IDENTIFIED, SHARED
from otherwords.corpus.growing.version import GrownVersion
from otherwords.corpus.release.earlier_tests import earlier_tests
from otherwords.corpus.verify.verify import problems_before_release, verify
from otherwords.project import Project, create_project, open_project
from otherwords.records import Pair
from tests.corpus.growing.brute_force import Row, leaks, part, rows_of
from tests.corpus.released_corpus import released

MONTHS = 12


def identify(pairs: list[Pair]) -> list[bool]:
    """A model that takes nine pairs of ten."""
    return [not pair.id.endswith("7") for pair in pairs]


def is_judged_later(pair: Pair) -> bool:
    """Two pairs of each group; none that is planted, since a release only counts single sentences of earlier tests."""
    return "p" in pair.id and pair.id[-1] in "0156"


class Year:
    """What was released and grown in each month, and what was there to choose from."""

    def __init__(self, project: Project) -> None:
        self.project, self.releases, self.versions = project, dict[int, Path](), dict[int, GrownVersion]()
        self.candidates: dict[int, list[Pair]] = {}
        simulated, tests = SimulatedYear(YearOptions(candidates=48, judged=40)), list[Pair]()
        for month in range(1, MONTHS + 1):
            if month % RELEASE_EVERY == 1:
                judged = list(simulated.judged(month))
                add_pairs(project, judged)
                # People judge two pairs of each group of the month before: the set may have the others.
                judged += [pair for pair in self.candidates.get(month - 1, []) if is_judged_later(pair)]
                judge(project, judged)
                day = f"2026-{month:02}-01"
                self.releases[month] = released(project, version=f"1.{month}", date=day, parts="60/10/30").folder
                with project.ledger.reading() as connection:
                    tests = [pair for pairs in earlier_tests(connection).values() for pair in pairs]
            self.candidates[month] = list(simulated.candidates(month, tests))
            add_pairs(project, self.candidates[month])
            options = GrowOptions(f"2026-{month:02}", "CC-BY-SA-4.0", "simulated", date=f"2026-{month:02}-02")
            self.versions[month] = grow(project, options, identify, problems_before_release)

    def tests(self, month: int) -> list[Row]:
        """The tests of all releases so far."""
        return [row for when, folder in self.releases.items() if when <= month for row in part(rows_of(folder), "test")]

    def judged(self, month: int) -> list[str]:
        """What people have judged by then among the candidates."""
        months = [when - 1 for when in self.releases if 1 < when <= month]
        return [pair.id for when in months for pair in self.candidates[when] if is_judged_later(pair)]


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Year:
    folder = tmp_path_factory.mktemp("year") / "corpus"
    create_project(folder, "en", "turku")
    with open_project(folder) as project:
        return Year(project)


def test_no_training_part_has_anything_of_a_test(year: Year) -> None:
    for month, version in year.versions.items():
        rows = rows_of(version.folder)
        assert {row["meta"]["part"] for row in rows} == {"train"}
        assert leaks(rows, year.tests(month)) == []
    for month, folder in year.releases.items():
        training = [row for row in rows_of(folder) if row["meta"]["part"] != "test"]
        assert leaks(training, year.tests(month)) == []


def test_nothing_else_is_dropped(year: Year) -> None:
    kept: list[Row] = []
    for month, version in year.versions.items():
        new = year.candidates[month]
        kept += [
            {"id": pair.id, "text1": pair.text1, "text2": pair.text2, "group": pair.group}
            for pair, taken in zip(new, identify(new), strict=True)
            if taken
        ]
        out = {*leaks(kept, year.tests(month)), *year.judged(month)}
        kept = [row for row in kept if row["id"] not in out]
        assert [row["id"] for row in rows_of(version.folder)] == [row["id"] for row in kept]
        assert not {ALIKE, COPY} & version.dropped.keys()


def test_what_was_dropped_is_counted(year: Year) -> None:
    seen = {reason for version in year.versions.values() for reason in version.dropped}
    assert {NOT_IDENTIFIED, FOR_PEOPLE, *SHARED.values()} <= seen
    for month, version in year.versions.items():
        earlier = year.versions[month - 1].pairs if month > 1 else 0
        assert version.pairs == earlier + version.came - version.went
    # The tests of the fifth and the ninth month have groups by which the set had grown: they went with these months.
    for month in (5, 9):
        before, later = rows_of(year.versions[month - 1].folder), set(year.judged(month))
        overlapping = set(leaks(before, year.tests(month)))
        assert overlapping - later  # some that nobody has judged
        assert year.versions[month].went == len(overlapping | (later & {row["id"] for row in before}))
    assert all(version.went == 0 for month, version in year.versions.items() if month % RELEASE_EVERY != 1)


def test_a_version_says_what_it_is(year: Year) -> None:
    version = year.versions[9]
    card = (version.folder / "README.md").read_text("utf-8")
    for release in ("1.1", "1.5", "1.9"):
        row = next(line for line in card.splitlines() if line.startswith(f"| {release} |"))
        assert row.endswith("| 0 |")
    assert "It grows from 2026-08." in card
    changes = (version.folder / "CHANGES.md").read_text("utf-8")
    assert f"Since 2026-08 (2026-08-02), {version.came} pairs came, {version.went} went" in changes


def test_versions_are_verified_also_against_later_tests(year: Year) -> None:
    last = year.versions[12]
    assert verify(last.folder).sound
    assert verify(last.folder, year.project.folder).sound
    before = verify(year.versions[8].folder, year.project.folder)  # the test of 1.9 came after it
    assert not before.sound
    assert any("share something with the test of 1.9" in problem for problem in before.problems["project"])
