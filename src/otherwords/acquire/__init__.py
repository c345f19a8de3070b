"""Candidate pairs: where they come from, and the scores by which they are filtered and sampled."""
