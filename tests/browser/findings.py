"""A project with models, a mined pool and a harvest, whose people are simulated, for the pages that show these."""

from __future__ import annotations

from pathlib import Path

from otherwords.project import create_project, open_project
from otherwords.project.importing.import_file import import_file
from tests.conftest import EXAMPLES
from tests.steps.test_mining import RECIPE
from tests.web.people import seat
from tests.web.test_models_and_mining import fill

ABOUT = "# Mine the pool, have a sample judged, harvest what is safe, and train on it.\n"
SECOND = """
[[step]]
name = "words"
do = "train-classifier"
model = "bow"
after = ["classifier"]
"""


def put_findings(folder: Path) -> None:
    """Make the project: example pairs with their labels, and all that a recipe makes of the example pool."""
    create_project(folder, "en", "turku")
    recipe = folder / "recipe.toml"
    recipe.write_text(ABOUT + RECIPE.replace('"majority"', '"overlap"') + SECOND, encoding="utf-8")
    with open_project(folder) as project:
        seat(project)
        import_file(project, "pairs", EXAMPLES / "pairs.jsonl", licence="CC0-1.0")
        fill(project, recipe)
