/* Opens and checks the arguments from Python, so that the kernels can trust them; makes columns of Python's strings. */
#include "rows.h"

#include <string.h>

#include "statistics.h"

/* Positions within a text are kept in 32 bits. */
#define LONGEST_TEXT 0x20000000

static int check_offsets(const Column *column)
{
    int64_t previous = column->offsets[0];
    int sound = previous >= 0 && column->offsets[column->count] <= column->byte_buffer.len;
    for (Py_ssize_t row = 1; row <= column->count; row++) {
        int64_t offset = column->offsets[row];
        sound &= offset >= previous && offset - previous <= LONGEST_TEXT;
        previous = offset;
    }
    if (!sound)
        PyErr_SetString(PyExc_ValueError, "offsets must rise, stay within the bytes and cut texts of at most 512 MiB");
    return sound ? 0 : -1;
}

int column_open(Column *column, PyObject *offsets, PyObject *bytes)
{
    if (PyObject_GetBuffer(offsets, &column->offset_buffer, PyBUF_SIMPLE) < 0)
        return -1;
    if (PyObject_GetBuffer(bytes, &column->byte_buffer, PyBUF_SIMPLE) < 0) {
        PyBuffer_Release(&column->offset_buffer);
        return -1;
    }
    column->offsets = column->offset_buffer.buf;
    column->bytes = column->byte_buffer.buf;
    column->count = column->offset_buffer.len / (Py_ssize_t)sizeof(int64_t) - 1;
    if (column->count < 0)
        PyErr_SetString(PyExc_ValueError, "a column needs at least one offset");
    if (column->count < 0 || check_offsets(column) < 0) {
        column_close(column);
        return -1;
    }
    return 0;
}

void column_close(Column *column)
{
    PyBuffer_Release(&column->byte_buffer);
    PyBuffer_Release(&column->offset_buffer);
}

int table_open(Py_buffer *buffer, PyObject *out, Py_ssize_t rows, Py_ssize_t bytes_per_row)
{
    if (PyObject_GetBuffer(out, buffer, PyBUF_WRITABLE) < 0)
        return -1;
    if (buffer->len != rows * bytes_per_row) {
        PyErr_Format(PyExc_ValueError, "the table for the results has %zd bytes, %zd are needed", buffer->len,
                     rows * bytes_per_row);
        PyBuffer_Release(buffer);
        return -1;
    }
    return 0;
}

int pairs_open(Pairs *pairs, PyObject *const columns[4], PyObject *out, Py_ssize_t width)
{
    if (column_open(&pairs->one, columns[0], columns[1]) < 0)
        return -1;
    if (column_open(&pairs->two, columns[2], columns[3]) < 0) {
        column_close(&pairs->one);
        return -1;
    }
    if (pairs->one.count != pairs->two.count)
        PyErr_Format(PyExc_ValueError, "columns of %zd and %zd rows", pairs->one.count, pairs->two.count);
    if (pairs->one.count != pairs->two.count ||
        table_open(&pairs->buffer, out, pairs->one.count, width * (Py_ssize_t)sizeof(int64_t)) < 0) {
        column_close(&pairs->one);
        column_close(&pairs->two);
        return -1;
    }
    pairs->out = pairs->buffer.buf;
    pairs->width = width;
    return 0;
}

void pairs_close(Pairs *pairs)
{
    PyBuffer_Release(&pairs->buffer);
    column_close(&pairs->two);
    column_close(&pairs->one);
}

PyObject *pairs_run(Pairs *pairs, PairKernel kernel, void *state)
{
    int status = 0;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t row = 0; row < pairs->one.count && status == 0; row++)
        status = kernel(state, column_text(&pairs->one, row), column_text(&pairs->two, row),
                        pairs->out + row * pairs->width);
    Py_END_ALLOW_THREADS
    pairs_close(pairs);
    if (status < 0)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* Python keeps the bytes of a string that it was asked for, so that asking twice costs little. */
static const char *string_bytes(PyObject *texts, Py_ssize_t row, Py_ssize_t *length)
{
    PyObject *text = PyList_GetItem(texts, row);
    if (text != NULL && !PyUnicode_Check(text))
        PyErr_Format(PyExc_TypeError, "text %zd is not a string", row);
    return text == NULL || !PyUnicode_Check(text) ? NULL : PyUnicode_AsUTF8AndSize(text, length);
}

PyObject *text_buffers(PyObject *module, PyObject *texts)
{
    (void)module;
    Py_ssize_t count = PyList_Size(texts), length;
    PyObject *offsets = count < 0 ? NULL : PyBytes_FromStringAndSize(NULL, (count + 1) * (Py_ssize_t)sizeof(int64_t));
    if (offsets == NULL)
        return NULL;
    int64_t *ends = (int64_t *)PyBytes_AsString(offsets);
    ends[0] = 0;
    for (Py_ssize_t row = 0; row < count; row++) {
        if (string_bytes(texts, row, &length) == NULL) {
            Py_DECREF(offsets);
            return NULL;
        }
        ends[row + 1] = ends[row] + length;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)ends[count]);
    for (Py_ssize_t row = 0; bytes != NULL && row < count; row++) {
        const char *text = string_bytes(texts, row, &length);
        memcpy(PyBytes_AsString(bytes) + ends[row], text, (size_t)length);
    }
    PyObject *both = bytes == NULL ? NULL : PyTuple_Pack(2, offsets, bytes);
    Py_XDECREF(bytes);
    Py_DECREF(offsets);
    return both;
}
