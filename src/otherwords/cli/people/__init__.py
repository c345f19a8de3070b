"""Commands for and about people: the site, accounts, batches, the crowd, schemes and guidelines."""
