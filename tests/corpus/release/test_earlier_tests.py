"""What an earlier version tests with is not trained on; the card counts what is shared."""

from __future__ import annotations

from otherwords.analyse.card.build import card
from otherwords.corpus.release.build import check_release, release
from otherwords.corpus.release.earlier_tests import earlier_tests
from otherwords.corpus.verify.verify import problems_before_release
from otherwords.project import Project
from tests.corpus.released_corpus import add, fill, judgement, pair, release_options, released, rows
from tests.errors import raises


def test_a_copy_of_an_earlier_test_is_refused(project: Project) -> None:
    fill(project)
    released(project)
    with project.ledger.reading() as connection:
        tests = earlier_tests(connection)
        assert earlier_tests(connection, "1.0") == {}
    assert list(tests) == ["1.0"]
    tested = tests["1.0"][0]
    # A pair of a training group with the words of a test.
    parts = {row.pair: row.part for row in rows(project, "released_pairs")}
    group = next(pair(number).group for number in range(40) if parts.get(f"p{number:02}") == "train")
    add(project, pair(60, text1=tested.text2.upper(), text2=f"{tested.text1}!", group=group), judgement("p60", "4"))
    checks, _ = check_release(project, release_options(version="1.1"))
    [check] = [check for check in checks if check.name == "earlier-tests"]
    assert (check.count, check.examples, check.refuses) == (1, ["p60"], True)
    with raises("not-released"):
        released(project, version="1.1", anyway=("leaks",))
    options = release_options(version="1.1", anyway=("leaks", "earlier-tests"))
    folder = release(project, options, card, problems_before_release).folder
    readme = (folder / "README.md").read_text("utf-8")
    assert "| version | new test pairs | same group | same address | same sentence | similar sentence |" in readme
    assert f"| 1.0 | {len(tests['1.0'])} | 0 | 0 | 1 | 0 |" in readme
