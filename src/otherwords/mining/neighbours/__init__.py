"""The nearest neighbours of every row of a matrix of vectors, the recall of the search, and the pairs that follow."""
