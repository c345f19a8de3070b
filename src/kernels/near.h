/* The search for near copies; the types are in otherwords/_kernels.pyi. */
#ifndef OTHERWORDS_NEAR_H
#define OTHERWORDS_NEAR_H

#include <Python.h>

PyObject *near_index(PyObject *module, PyObject *args);
PyObject *near_candidates(PyObject *module, PyObject *args);

#endif
