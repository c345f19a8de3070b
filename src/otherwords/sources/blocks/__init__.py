"""Many pairs at once, from a file to a file, for work that needs their texts alone: scores, filters."""
