"""What the demo builds: for each corpus, the commands that somebody would type.

The first project is small and ready in seconds; it is open while the others are built. To show another corpus or
recipe, add it here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

EXAMPLES = "examples"  # the folder with the example texts
RELEASE = "1.0"
ROLES = {"ada": "admin", "carl": "curator", "anna": "annotator"}  # the accounts of the projects with people
SAMPLE_LICENCE = "CC0-1.0"
NETWORKS = {  # by recipe: what needs torch, and minutes
    "turku": {"four-heads.model": "four-heads", "encoder.base": "minilm"},
    "multipit": {"bilstm.model": "bilstm", "transformer.model": "transformer"},
}
WITHOUT_NETWORKS = {recipe: dict.fromkeys(settings, "none") for recipe, settings in NETWORKS.items()}
# The paper's regions are for millions of sentences and a large classifier.
SMALL_POOL = {
    "strata.per_stratum": "8",
    "negatives.region": "similarity < 0.3",
    "positives.region": "similarity > 0.6",
}
# A round trip, which needs no training; where it is not installed, nothing is written and nobody is asked.
QUICK_WRITING = {
    "generator.base": "none",
    "write.systems": "apertium:en-es>apertium:es-en",
    "measure.metrics": "bleu,self-bleu,pinc,copies",
}
SETTINGS = {"release.licence": "CC-BY-4.0", "release.anyway": '["duplicates"]'}


@dataclass(frozen=True, slots=True)
class DemoCommand:
    """A command, without the name of the program. With ``password``, that of a person goes to its standard input."""

    arguments: tuple[str, ...]
    password: str | None = None


@dataclass(frozen=True, slots=True)
class DemoRecipe:
    """A recipe run to its release; where it waits for people, simulated annotators do what waits."""

    project: str
    recipe: str
    settings: Mapping[str, str]
    simulation: tuple[str, ...] = ()  # options of the simulation


DemoStage = DemoCommand | DemoRecipe


@dataclass(frozen=True, slots=True)
class DemoCorpus:
    """Something that the demo builds: a folder, what is in it, and the stages that lead there."""

    name: str
    title: str
    stages: tuple[DemoStage, ...]
    after: tuple[str, ...] = ()  # what has to be built before


def command(*arguments: str) -> DemoCommand:
    return DemoCommand(arguments)


def people(project: str) -> Iterable[DemoCommand]:
    """The accounts with which somebody may open a project."""
    for name, role in ROLES.items():
        yield DemoCommand(("user", "add", project, name, "--role", role, "--password-stdin"), password=name)


def texts(project: str, folder: str) -> Iterable[DemoCommand]:
    """The texts of one folder into a project; without feeds of HTML, for which a package may be missing."""
    for kind, *places in (
        ("subtitles", "subtitles"),
        ("news", *(["news/courier.jsonl", "news/gazette.jsonl"] if folder == "sources" else ["news"])),
        ("forum", "forum/messages.jsonl"),
        ("groups", "translations"),
    ):
        paths = [f"{EXAMPLES}/{folder}/{place}" for place in places]
        yield command("import", project, kind, *paths, "--licence", SAMPLE_LICENCE, "--wait")


def turku(language: str, lang: str, folder: str, **band: str) -> DemoCorpus:
    """Texts through the method of the Turku Paraphrase Corpus (Kanerva et al. 2023)."""
    name, title = language.lower(), f"A corpus by the method of Kanerva et al. 2023, in {language}"
    settings = {"subtitles.minutes": "3", "subtitles-again.minutes": "3"} | WITHOUT_NETWORKS["turku"]
    settings |= SETTINGS | {f"{step}.low": low for step, low in band.items()}
    new = command("new", name, "--lang", lang, "--scheme", "turku")
    return DemoCorpus(name, title, (new, *texts(name, folder), DemoRecipe(name, "turku", settings)))


def english() -> DemoCorpus:
    """The same with a pool of sentences, in which more paraphrases are looked for."""
    corpus = turku("English", "en", "sources")
    new, *rest, recipe = corpus.stages
    assert isinstance(recipe, DemoRecipe)
    pool = [f"{EXAMPLES}/sources/sentences/harbour.txt", f"{EXAMPLES}/sources/sentences/retold.txt"]
    imported = command("import", "english", "sentences", *pool, "--licence", SAMPLE_LICENCE, "--wait")
    tiles = ("mine", "tiles", "english", "--confidence", "cosine", "--simulated", "--plot", "english/tiles.svg")
    stages = (new, *rest, imported, replace(recipe, settings={**recipe.settings, **SMALL_POOL}), command(*tiles))
    return DemoCorpus(corpus.name, corpus.title, (*stages, *people("english")))


def with_networks(corpus: DemoCorpus) -> DemoCorpus:
    """The same, and then the steps of its recipe that train neural networks, and a report with them."""
    more = []
    for stage in corpus.stages:
        if isinstance(stage, DemoRecipe):
            turned_on = [f"--set={address}={model}" for address, model in NETWORKS[stage.recipe].items()]
            more.append(command("run", stage.project, "--recipe", stage.recipe, *turned_on, "--wait"))
    return replace(corpus, stages=(*corpus.stages, *more))


TOUR = DemoCorpus(
    "tour",
    "Something to try at once: texts to extract from, pairs to judge, disagreements to decide",
    (
        command("new", "tour", "--lang", "en", "--scheme", "turku"),
        command("import", "tour", "pairs", f"{EXAMPLES}/pairs.jsonl", "--licence", SAMPLE_LICENCE, "--wait"),
        *texts("tour", "sources"),
        *(command("align", "tour", method, "--wait") for method in ("subtitles", "news", "forum", "groups")),
        command("batch", "new", "tour", "twice", "--sample", "30", "--times", "2", "--purpose", "agreement"),
        command("simulate", "tour", "--batch", "twice", "--task", "judge", "--wait"),
        command("batch", "new", "tour", "try-it", "--sample", "20", "--not-in", "twice"),
        *people("tour"),
    ),
)
LANGUAGES = (
    turku("Finnish", "fi", "fi"),
    turku("Russian", "ru", "ru"),
    turku("Spanish", "es", "es", articles="0.6", headings="0.6"),
    turku("Japanese", "ja", "ja", articles="0.15", headings="0.15", forum="0.15"),
    turku("Arabic", "ar", "ar"),
)
ENGLISH = english()
POSTS = DemoCorpus(
    "posts",
    "Posts around trends and addresses, judged by a crowd, by the method of Dou et al. 2022",
    (
        command("new", "posts", "--lang", "en", "--scheme", "binary-loose"),
        *(
            command(
                "import", "posts", "posts", f"{EXAMPLES}/sources/posts/{file}", "--licence", SAMPLE_LICENCE, "--wait"
            )
            for file in ("posts.jsonl", "weeks.jsonl")
        ),
        command("import", "posts", "pairs", f"{EXAMPLES}/crowd/posts.jsonl", "--licence", SAMPLE_LICENCE, "--wait"),
        DemoRecipe("posts", "multipit", SETTINGS | QUICK_WRITING | WITHOUT_NETWORKS["multipit"], ("--people", "8")),
        *people("posts"),
    ),
)
TYPES = DemoCorpus(
    "types",
    "Paraphrase types by the method of Vila et al. 2014",
    (
        command("new", "types", "--lang", "en", "--scheme", "vila"),
        command("import", "types", "pairs", f"{EXAMPLES}/pairs.jsonl", "--licence", SAMPLE_LICENCE, "--wait"),
        DemoRecipe(
            "types",
            "vila",
            {"training.sample": "10", "agreement.sample": "25", "closing.sample": "25", "rest.leave": "25"} | SETTINGS,
        ),
        *people("types"),
    ),
)
BY_CHANCE = ("--similarity", "0")  # where the words of the texts say nothing about the truth
SMALL_SETTINGS = SETTINGS | {"split.parts": "60/20/20"}  # so that a test has more than ten pairs
READY_MADE = ("apertium", "by-portuguese")  # what two routes made elsewhere: no translator is needed


def ready_made(step: str, folder: str, lines: str) -> dict[str, str]:
    """The settings by which a step takes translations from files; paths begin in the folder of the project."""
    place = f"../{EXAMPLES}/{folder}"
    return {
        f"{step}.lines": f"../{EXAMPLES}/{lines}",
        f"{step}.lang": "es",
        f"{step}.outputs": ",".join(f"{place}/{name}.es.txt" for name in READY_MADE),
        f"{step}.back_outputs": ",".join(f"{place}/{name}.back.txt" for name in READY_MADE),
    }


def spanish_sentences(project: str, source: str) -> DemoCommand:
    """Spanish sentences into a project, many of which differ in a word or two."""
    options = ("--lang", "es", "--set", f"source={source}", "--licence", SAMPLE_LICENCE, "--wait")
    return command("import", project, "sentences", f"{EXAMPLES}/es/sentences/puerto.txt", *options)


HARBOUR = "sources/sentences/harbour.txt"
TRANSLATED = DemoCorpus(
    "translated",
    "A balanced corpus from two translation systems, by the method of Suzuki et al. 2017",
    (
        command("new", "translated", "--lang", "es", "--scheme", "suzuki"),
        command(
            *("import", "translated", "sentences", f"{EXAMPLES}/{HARBOUR}"),
            *("--lang", "en", "--licence", SAMPLE_LICENCE, "--wait"),
        ),
        spanish_sentences("translated", "monolingual"),
        DemoRecipe(
            "translated",
            "suzuki",
            ready_made("translations", "sources/outputs", HARBOUR) | {"translations.per_range": "14"} | SMALL_SETTINGS,
            BY_CHANCE,
        ),
        *people("translated"),
    ),
)
CARRIED_OVER = DemoCorpus(
    "carried-over",
    "Pairs that share their words, carried over from English by the method of Martynov et al. 2022",
    (
        command("new", "carried-over", "--lang", "es", "--scheme", "rupaws"),
        command(
            *("import", "carried-over", "pairs", f"{EXAMPLES}/shared-words/pairs.jsonl"),
            *("--licence", SAMPLE_LICENCE, "--wait"),
        ),
        spanish_sentences("carried-over", "sentences"),
        DemoRecipe(
            "carried-over",
            "rupaws",
            ready_made("carry-over", "shared-words", "shared-words/sentences.txt") | SMALL_SETTINGS,
            BY_CHANCE,
        ),
        *people("carried-over"),
    ),
)
SIDE_BY_SIDE = tuple(corpus.name for corpus in (ENGLISH, *LANGUAGES))
COMPARED = DemoCorpus(
    "compared",
    "All six languages side by side",
    (command("compare", *SIDE_BY_SIDE, "--out", "compared"),),
    after=SIDE_BY_SIDE,
)
PLAN = (TOUR, ENGLISH, POSTS, *LANGUAGES, TYPES, TRANSLATED, CARRIED_OVER, COMPARED)
FULL_PLAN = tuple(with_networks(corpus) if corpus in (ENGLISH, POSTS) else corpus for corpus in PLAN)
