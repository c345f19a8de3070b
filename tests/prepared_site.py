"""Imported by the process that sites are forked from: it prepares once what every site does for its first pages."""

from __future__ import annotations

import gc

from otherwords.web.app import make_app
from otherwords.web.site import HERE, templates

for _public in (False, True):
    for _route in make_app(HERE, public=_public).routes:
        _route.matches({"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": []})
for _name in templates().list_templates(extensions=["html"]):
    templates().get_template(_name)
gc.freeze()
