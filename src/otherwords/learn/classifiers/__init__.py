"""The rungs of the ladder: each trains on examples, saves itself into a folder and loads from there."""
