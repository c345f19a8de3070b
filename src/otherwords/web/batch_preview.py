"""What a batch would be if it were made now: how many pairs fit, how many are drawn, which come first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otherwords.annotate.batch_plans.create import resolve_scheme_name, unit_of_scheme
from otherwords.annotate.batch_plans.request import BatchRequest, refuse_paths
from otherwords.annotate.batch_plans.selection import Preview, preview_named, preview_selection, select_units
from otherwords.annotate.batches.rule_checks import people_gap
from otherwords.annotate.crowd.gate import gate_gaps
from otherwords.records import Purpose
from otherwords.web.accounts.auth import Requester
from otherwords.web.pair_index import require_index
from otherwords.web.site import Site

SECONDS = 1.0  # that counting may take


@dataclass(frozen=True, slots=True)
class BatchPreview:
    """The units that fit, how many of them are drawn, how often each is judged, and the hidden tests among them.

    ``gate_gaps`` is what the gate of the batch would find never or seldom, ``people_gap`` that it asks for more people
    than there are.
    """

    fitting: Preview
    drawn: int | None  # None: all that fit
    times: int
    purpose: Purpose
    tests: int = 0
    practice: int = 0
    gate_gaps: Sequence[str] = ()
    people_gap: str | None = None

    @property
    def judgements(self) -> int:
        """How many judgements the batch would ask for."""
        return self.times * (self.fitting.pairs if self.drawn is None else self.drawn)


def preview_batch(site: Site, viewer: Requester, batch: BatchRequest) -> BatchPreview:
    """What a request would make; it may be without a name yet."""
    refuse_paths(batch)
    project = site.project
    with site.ledger.reading() as connection:
        plan = batch.plan(connection, project)
        short = people_gap(connection, plan.rules, plan.asked)
    if plan.wanted.query is not None:
        require_index(site)
    tests = plan.rules.tests.pairs if plan.rules.tests else []
    scheme, unit = resolve_scheme_name(project, plan.scheme), unit_of_scheme(project, plan.scheme)
    unsettled_in = scheme if plan.sample is not None and not plan.also_decided else None
    with site.ledger.reading() as connection:
        if batch.is_quality_round:
            about = f"quality round {scheme} {batch.check_label} {batch.check_flag}"
            items = site.cached(about, lambda connection: batch.items(connection, project, plan))
            fitting = preview_named(connection, viewer, [item.item for item in items])
        elif unit == "pair":
            fitting = preview_selection(
                connection, project, plan.wanted, viewer, plan.not_in, SECONDS, unsettled_in, plan.rules.known_pairs
            )
        else:
            units = select_units(connection, unit, plan.wanted, not_in=plan.not_in, unsettled_in=unsettled_in)
            fitting = Preview(len(units), True, [])
    drawn = plan.sample if plan.sample is None or not fitting.complete else min(plan.sample, fitting.pairs)
    size = fitting.pairs if drawn is None else drawn
    is_known = size > 0 and (fitting.complete or drawn is not None)
    gaps = gate_gaps(plan.rules, size, plan.asked) if is_known else []
    practice = len(plan.rules.practice.pairs) if plan.rules.practice else 0
    return BatchPreview(fitting, drawn, plan.asked, plan.purpose, len(tests), practice, gaps, short)
