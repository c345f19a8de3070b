/* Whole documents as sparse vectors, and their products; the types are in otherwords/_kernels.pyi. */
#ifndef OTHERWORDS_DOCUMENTS_H
#define OTHERWORDS_DOCUMENTS_H

#include <Python.h>

PyObject *gram_table(PyObject *module, PyObject *args);
PyObject *document_grams(PyObject *module, PyObject *args);
PyObject *shared_products(PyObject *module, PyObject *args);
PyObject *pair_products(PyObject *module, PyObject *args);

#endif
