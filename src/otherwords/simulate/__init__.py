"""Simulated annotators, who take the place of people where a method is shown, tested or planned.

They work through the API of the site as people do, so that reservations, rules, agreement and adjudication are those
of any other project. All their answers follow from a seed; the project is marked as simulated before they begin.
"""

from otherwords.simulate.options import TASKS, SimulationOptions, parse_bias, parse_tasks
from otherwords.simulate.simulation import SimulationResult, simulate

__all__ = ["TASKS", "SimulationOptions", "SimulationResult", "parse_bias", "parse_tasks", "simulate"]
