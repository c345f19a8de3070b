"""Analyses of corpora: profiles, tables by range and label, findings of papers, and their figures."""
