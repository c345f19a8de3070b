/* Padded words as sequences, and the arguments from Python. */
#include "padded.h"

int padded_word(Sequence *sequence, Text word, Folding folding)
{
    uint32_t *symbols = sequence->symbols;
    size_t start = sequence->count, count = start;
    const unsigned char *at = word.bytes, *end = at + word.length;
    symbols[count++] = ' ';
    while (at < end) {
        Char c = char_at(at, end);
        uint32_t symbol = folding[c.point];
        if (symbol == CONTEXT)
            return NEEDS_CONTEXT;
        symbols[count++] = symbol;
        at += c.length;
    }
    symbols[count++] = ' ';
    for (size_t i = start; i < count; i++)
        sequence->room[i] = (uint32_t)(count - i);
    sequence->count = count;
    return READ;
}

int orders_check(int shortest, int longest)
{
    if (shortest >= 1 && shortest <= longest)
        return 0;
    PyErr_Format(PyExc_ValueError, "n-grams of %d to %d characters", shortest, longest);
    return -1;
}

int folding_open(Py_buffer *buffer, PyObject *table)
{
    if (PyObject_GetBuffer(table, buffer, PyBUF_SIMPLE) < 0)
        return -1;
    if (buffer->len == CODE_POINTS * (Py_ssize_t)sizeof(uint32_t))
        return 0;
    PyErr_SetString(PyExc_ValueError, "a folding has 32 bits for every code point");
    PyBuffer_Release(buffer);
    return -1;
}
