"""From predictions to tables: counts, then scores, then intervals and tests; calibration and thresholds."""
