/* Reads a text as a sequence of padded words. */
#include "padded.h"

static void close_word(Sequence *sequence, size_t start)
{
    sequence->symbols[sequence->count++] = ' ';
    for (size_t i = start; i < sequence->count; i++)
        sequence->room[i] = (uint32_t)(sequence->count - i);
}

int padded_words(Sequence *sequence, Text text, Folding folding)
{
    /* at worst every second byte is a word of one character, padded to three */
    if (sequence_reserve(sequence, 2 * text.length + 2) < 0)
        return -1;
    sequence->count = 0;
    size_t start = 0;
    int inside = 0;
    const unsigned char *at = text.bytes, *end = at + text.length;
    while (at < end) {
        Char c = char_at(at, end);
        uint32_t symbol = folding[c.point];
        at += c.length;
        if (symbol == CONTEXT)
            return NEEDS_CONTEXT;
        if (symbol == ' ') {
            if (inside)
                close_word(sequence, start);
            inside = 0;
            continue;
        }
        if (!inside) {
            start = sequence->count;
            sequence->symbols[sequence->count++] = ' ';
            inside = 1;
        }
        sequence->symbols[sequence->count++] = symbol;
    }
    if (inside)
        close_word(sequence, start);
    sequence_begin(sequence);
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
