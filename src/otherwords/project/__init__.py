"""A corpus project on disk: settings, ledger, tables, steps and recipes."""

from otherwords.project.project import Project, create_project, open_project

__all__ = ["Project", "create_project", "open_project"]
