"""The pages that people see: one module for each."""

from otherwords.web.pages import (
    account,
    browse,
    classify,
    discussions,
    extract,
    links,
    login,
    pair,
    people,
    people_log,
    public,
    seeds,
    triage,
)

ROUTERS = (
    login.router,
    links.router,
    account.router,
    people.router,
    people_log.router,
    classify.router,
    triage.router,
    seeds.router,
    extract.router,
    browse.router,
    pair.router,
    discussions.router,
)
PUBLIC = (public.router,)
