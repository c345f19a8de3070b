"""Simulated annotators, who take the place of people where a method is shown, tested or planned.

They work through the API of the site as people do, so that reservations, rules, agreement and adjudication are those
of any other project. All their answers follow from a seed; the project is marked as simulated before they begin.
"""
