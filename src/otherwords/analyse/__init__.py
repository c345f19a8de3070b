"""What a corpus looks like: profiles, tables by range and label, and their figures."""
