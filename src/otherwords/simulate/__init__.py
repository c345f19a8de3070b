"""Made-up annotators, who stand in for people where a method is shown, tested or planned.

They work through the API of the site as people do, so that reservations, rules, agreement and adjudication are those
of any other project. Whatever they say follows from a seed; the project is marked as simulated before they begin.
"""

from otherwords.simulate.simulation import Simulated, simulate
from otherwords.simulate.wishes import TASKS, Wishes, parse_bias, parse_tasks

__all__ = ["TASKS", "Simulated", "Wishes", "parse_bias", "parse_tasks", "simulate"]
