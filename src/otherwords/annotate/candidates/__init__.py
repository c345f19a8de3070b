"""The candidates of a project, pairs that nobody has judged: filtering and sampling them."""
