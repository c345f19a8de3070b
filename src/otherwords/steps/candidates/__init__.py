"""Steps that make candidate pairs: texts of the ledger through the acquire room, and the chosen pairs back into it."""
