"""The pool: sentences of any number of files, each text once, with what it stands for and where it is from."""
