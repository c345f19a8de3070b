"""Agreement: how far people who judged the same things said the same.

Every module takes plain arrays of codes or phenomena and returns :class:`~.figure.Figure` rows, so that a coefficient
always travels with what it was computed on.
"""
