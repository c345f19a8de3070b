"""The kinds of steps, by name."""

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
