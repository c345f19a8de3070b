"""The pages that people see: one module for each."""

from otherwords.web.pages import classify, extract, seeds, triage

ROUTERS = (classify.router, triage.router, seeds.router, extract.router)
PUBLIC = ()
