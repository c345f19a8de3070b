/* Arrow string columns as the kernels see them: 64-bit offsets into bytes, one text per row. */
#ifndef OTHERWORDS_ROWS_H
#define OTHERWORDS_ROWS_H

#include <Python.h>
#include <stdint.h>

typedef struct {
    const unsigned char *bytes;
    size_t length;
} Text;

typedef struct {
    Py_buffer offset_buffer, byte_buffer;
    const int64_t *offsets;
    const unsigned char *bytes;
    Py_ssize_t count;
} Column;

/* Two columns of the same length and a table of int64 with `width` numbers per row. */
typedef struct {
    Column one, two;
    Py_buffer buffer;
    int64_t *out;
    Py_ssize_t width;
} Pairs;

/* The work of a kernel for one row; -1 when out of memory. */
typedef int (*PairKernel)(void *state, Text one, Text two, int64_t *out);

int column_open(Column *column, PyObject *offsets, PyObject *bytes);
void column_close(Column *column);
int table_open(Py_buffer *buffer, PyObject *out, Py_ssize_t rows, Py_ssize_t bytes_per_row);
int pairs_open(Pairs *pairs, PyObject *const columns[4], PyObject *out, Py_ssize_t width);
void pairs_close(Pairs *pairs);

/* Runs the kernel over every row with the GIL released, closes the pairs and returns None or an error. */
PyObject *pairs_run(Pairs *pairs, PairKernel kernel, void *state);

static inline Text column_text(const Column *column, Py_ssize_t row)
{
    Text text = {column->bytes + column->offsets[row],
                 (size_t)(column->offsets[row + 1] - column->offsets[row])};
    return text;
}

#endif
