/* Arrays of numbers from Python, opened and measured, so that the kernels can trust them. */
#ifndef OTHERWORDS_ARRAYS_H
#define OTHERWORDS_ARRAYS_H

#include <Python.h>

#define MOST_ARRAYS 10

/* Arrays from Python, with elements of one width each. */
typedef struct {
    Py_buffer buffers[MOST_ARRAYS];
    int opened;
} Arrays;

static inline void arrays_close(Arrays *arrays)
{
    while (arrays->opened)
        PyBuffer_Release(&arrays->buffers[--arrays->opened]);
}

/* `written` is the number of arrays, from the first on, that results go into. */
static inline int arrays_open(Arrays *arrays, PyObject *args, const size_t *widths, int count, int written)
{
    arrays->opened = 0;
    if (PyTuple_Size(args) != count) {
        PyErr_Format(PyExc_TypeError, "%d arrays are needed", count);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        Py_buffer *buffer = &arrays->buffers[i];
        if (PyObject_GetBuffer(PyTuple_GetItem(args, i), buffer, i < written ? PyBUF_WRITABLE : PyBUF_SIMPLE) < 0) {
            arrays_close(arrays);
            return -1;
        }
        arrays->opened++;
        if (buffer->len % (Py_ssize_t)widths[i] != 0) {
            PyErr_Format(PyExc_ValueError, "array %d has elements of %zu bytes", i, widths[i]);
            arrays_close(arrays);
            return -1;
        }
    }
    return 0;
}

static inline size_t array_length(const Arrays *arrays, int i, size_t width)
{
    return (size_t)arrays->buffers[i].len / width;
}

static inline PyObject *refuse(Arrays *arrays, const char *why)
{
    arrays_close(arrays);
    PyErr_SetString(PyExc_ValueError, why);
    return NULL;
}

#endif
