/* What the module offers to Python; the types are in otherwords/_kernels.pyi. */
#ifndef OTHERWORDS_STATISTICS_H
#define OTHERWORDS_STATISTICS_H

#include "rows.h"

PyObject *clipped_tokens(PyObject *module, PyObject *args);
PyObject *distinct_tokens(PyObject *module, PyObject *args);
PyObject *token_counts(PyObject *module, PyObject *args);
PyObject *clipped_characters(PyObject *module, PyObject *args);

PyObject *common_subsequence(PyObject *module, PyObject *args);
PyObject *edit_distance(PyObject *module, PyObject *args);

PyObject *character_counts(PyObject *module, PyObject *args);
PyObject *likely_copies(PyObject *module, PyObject *args);

PyObject *cosine(PyObject *module, PyObject *args);
PyObject *tfidf(PyObject *module, PyObject *args);

PyObject *frequencies_new(PyObject *module, PyObject *args);
PyObject *frequencies_add(PyObject *module, PyObject *args);
PyObject *frequencies_join(PyObject *module, PyObject *args);
PyObject *frequencies_size(PyObject *module, PyObject *args);
PyObject *frequencies_digest(PyObject *module, PyObject *args);
PyObject *frequencies_read(PyObject *module, PyObject *args);
PyObject *frequencies_weigh(PyObject *module, PyObject *args);

PyObject *text_buffers(PyObject *module, PyObject *texts);

PyObject *tokens(PyObject *module, PyObject *args);
PyObject *token_spans(PyObject *module, PyObject *args);
PyObject *script_counts(PyObject *module, PyObject *args);

#endif
