"""The kinds of steps, by name, and what each does in plain words, for people who do not read recipes."""

from __future__ import annotations

from typing import Any

from otherwords.project.pipeline.kind import StepKind
from otherwords.registry import Registry

STEP_KINDS: Registry[StepKind[Any]] = Registry(
    "kind of step",
    {
        "import": "otherwords.steps.import_files:IMPORT",
        "need": "otherwords.steps.import_files:NEED",
        "align-subtitles": "otherwords.steps.align:SUBTITLES",
        "align-news": "otherwords.steps.align:NEWS",
        "align-headings": "otherwords.steps.align:HEADINGS",
        "align-forum": "otherwords.steps.align:FORUM",
        "align-groups": "otherwords.steps.align:GROUPS",
        "align-posts": "otherwords.steps.align:POSTS",
        "acquire-translate": "otherwords.steps.candidates.translate:TRANSLATE",
        "acquire-swap": "otherwords.steps.candidates.swap:SWAP",
        "acquire-localise": "otherwords.steps.candidates.localise:LOCALISE",
        "acquire-posts": "otherwords.steps.candidates.posts:POST_PAIRS",
        "cluster-sample": "otherwords.steps.candidates.clusters:CLUSTER_SAMPLE",
        "references": "otherwords.steps.candidates.clusters:REFERENCE_SETS",
        "acquire-near": "otherwords.steps.candidates.near:NEAR",
        "acquire-random": "otherwords.steps.candidates.near:RANDOM",
        "fill-ranges": "otherwords.steps.candidates.fill:FILL",
        "filter": "otherwords.steps.candidates.selection:FILTER",
        "sample": "otherwords.steps.candidates.selection:SAMPLE",
        "generate": "otherwords.steps.generation:GENERATE",
        "mine": "otherwords.steps.mining:MINE",
        "mine-sample": "otherwords.steps.mining:MINE_SAMPLE",
        "mine-rank": "otherwords.steps.retrieval:MINE_RANK",
        "harvest": "otherwords.steps.mining:HARVEST",
        "batch": "otherwords.steps.batches:BATCH",
        "check-rewrites": "otherwords.steps.batches:CHECK_REWRITES",
        "check-machine": "otherwords.steps.batches:CHECK_MACHINE",
        "keep-agreed": "otherwords.steps.batches:KEEP_AGREED",
        "people": "otherwords.steps.people:PEOPLE",
        "label": "otherwords.corpus.labels.step:LABEL",
        "split": "otherwords.corpus.splits.step:SPLIT",
        "train-classifier": "otherwords.steps.learn:TRAIN",
        "train-encoder": "otherwords.steps.retrieval:TRAIN_ENCODER",
        "report": "otherwords.steps.report_and_release:REPORT",
        "release": "otherwords.steps.report_and_release:RELEASE",
        "grow": "otherwords.steps.growing:GROW",
    },
    group="otherwords.step_kinds",
)
KIND_WORDS = {
    "import": "Brings files into the project",
    "need": "Checks that there is something to begin with",
    "align-subtitles": "Pairs two versions of one film",
    "align-news": "Pairs articles on the same event",
    "align-headings": "Pairs headings of articles on the same event",
    "align-forum": "Pairs threads that begin with the same question",
    "align-groups": "Pairs translations or answers of one group",
    "align-posts": "Groups posts on the same topic",
    "acquire-translate": "Makes candidates of what two translation systems give",
    "acquire-swap": "Makes candidates by exchanging words",
    "acquire-localise": "Carries pairs over into another language",
    "acquire-posts": "Makes candidates of posts of one group",
    "acquire-near": "Makes candidates of sentences that share many words",
    "acquire-random": "Makes candidates of sentences at random",
    "cluster-sample": "Draws clusters of texts for people",
    "references": "Makes sets of references out of clusters",
    "fill-ranges": "Fills ranges that have too few candidates",
    "filter": "Rejects candidates by rules, each with a reason",
    "sample": "Draws the same number of candidates from each range",
    "generate": "Has systems write paraphrases",
    "mine": "Finds neighbours among sentences",
    "mine-sample": "Draws neighbours for people, the same number by similarity",
    "mine-rank": "Measures at which rank known pairs are found",
    "harvest": "Takes the neighbours that a judged sample says are safe",
    "batch": "Makes a batch for people",
    "check-rewrites": "Makes a batch of rewrites to check",
    "check-machine": "Makes a batch of machine-made pairs to check",
    "keep-agreed": "Keeps the pairs on which people agree",
    "people": "People work",
    "label": "Decides the label of every pair",
    "split": "Divides the corpus into train, dev and test",
    "train-classifier": "Trains a model that recognises paraphrases",
    "train-encoder": "Trains an encoder that finds paraphrases",
    "report": "Writes the report",
    "release": "Makes a release",
    "grow": "Makes the next version of a set that grows",
}
TASK_WORDS = {
    "triage": "People say which documents are worth reading",
    "extract": "People extract paraphrases from documents",
    "seed": "People choose the seeds of groups of posts",
    "judge": "People judge pairs",
    "adjudicate": "The team decides about disagreements",
}


def words_of(kind: str, task: object = None) -> str:
    """What a step of a kind does; a kind of a plug-in is called by its name."""
    return TASK_WORDS.get(str(task), KIND_WORDS[kind]) if kind in KIND_WORDS else kind
