"""Scores of predictions as functions of counts, their intervals, comparisons and tables, and calibration."""
