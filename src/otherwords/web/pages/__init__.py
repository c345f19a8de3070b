"""The pages that people see: one module for each."""

from otherwords.web.pages import account, classify, extract, links, login, people, people_log, seeds, triage

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
)
PUBLIC = ()
