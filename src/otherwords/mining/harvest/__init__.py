"""Strata, regions and precision of a harvest: which mined pairs are safe to take, and how sure that is."""
