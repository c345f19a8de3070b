/* Characters of texts by class, and whether the letters of one text occur in those of another: what filters ask of every
   pair before they look at any text more closely. */
#define _GNU_SOURCE /* memmem, which takes linear time on any text */
#include <string.h>

#include "memory.h"
#include "padded.h"
#include "statistics.h"
#include "unicode.h"

/* Classes as the caller's table has them; those above LETTERS are letters of scripts that look alike. */
enum { OTHERS, BLANKS, DIGITS, DAMAGED, LETTERS };
enum { CHARACTERS_AT, BLANKS_AT, DIGITS_AT, DAMAGED_AT, LETTERS_AT, MIXED_AT, NUMBERS_PER_TEXT };

static void count_characters(Text text, const uint8_t *classes, int64_t *out)
{
    const unsigned char *at = text.bytes, *end = at + text.length;
    uint8_t before = OTHERS;
    memset(out, 0, NUMBERS_PER_TEXT * sizeof(int64_t));
    while (at < end) {
        Char c = char_at(at, end);
        uint8_t class = classes[c.point];
        out[CHARACTERS_AT]++;
        out[BLANKS_AT] += class == BLANKS;
        out[DIGITS_AT] += class == DIGITS;
        out[DAMAGED_AT] += class == DAMAGED;
        out[LETTERS_AT] += class >= LETTERS;
        out[MIXED_AT] += class != before && class > LETTERS && before > LETTERS;
        before = class;
        at += c.length;
    }
}

static int classes_open(Py_buffer *buffer, PyObject *table)
{
    if (PyObject_GetBuffer(table, buffer, PyBUF_SIMPLE) < 0)
        return -1;
    if (buffer->len == CODE_POINTS)
        return 0;
    PyErr_SetString(PyExc_ValueError, "a table of classes has a byte for every code point");
    PyBuffer_Release(buffer);
    return -1;
}

PyObject *character_counts(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *offsets, *bytes, *out, *table;
    if (!PyArg_ParseTuple(args, "OOOO", &offsets, &bytes, &out, &table))
        return NULL;
    Column column;
    Py_buffer numbers, classes;
    if (classes_open(&classes, table) < 0)
        return NULL;
    if (column_open(&column, offsets, bytes) < 0) {
        PyBuffer_Release(&classes);
        return NULL;
    }
    if (table_open(&numbers, out, column.count, NUMBERS_PER_TEXT * sizeof(int64_t)) < 0) {
        column_close(&column);
        PyBuffer_Release(&classes);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t row = 0; row < column.count; row++)
        count_characters(column_text(&column, row), classes.buf, (int64_t *)numbers.buf + row * NUMBERS_PER_TEXT);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&numbers);
    column_close(&column);
    PyBuffer_Release(&classes);
    Py_RETURN_NONE;
}

typedef struct {
    Block one, two;
    Folding folding;
} State;

/* The characters of a text that count, folded: how many, or CONTEXT if that cannot be done one by one. */
static int64_t fold(Text text, Folding folding, uint32_t *symbols)
{
    const unsigned char *at = text.bytes, *end = at + text.length;
    int64_t count = 0;
    while (at < end) {
        Char c = char_at(at, end);
        uint32_t symbol = folding[c.point];
        if (symbol == CONTEXT)
            return CONTEXT;
        symbols[count] = symbol;
        count += symbol != 0;
        at += c.length;
    }
    return count;
}

static int copy_row(void *memory, Text one, Text two, int64_t *out)
{
    State *state = memory;
    if (block_reserve(&state->one, one.length + 1, sizeof(uint32_t)) < 0 ||
        block_reserve(&state->two, two.length + 1, sizeof(uint32_t)) < 0)
        return -1;
    int64_t count1 = fold(one, state->folding, state->one.at), count2 = fold(two, state->folding, state->two.at);
    if (count1 == CONTEXT || count2 == CONTEXT) {
        *out = 1;
        return 0;
    }
    const Block *longer = count1 >= count2 ? &state->one : &state->two;
    const Block *shorter = count1 >= count2 ? &state->two : &state->one;
    size_t most = (size_t)(count1 >= count2 ? count1 : count2), least = (size_t)(count1 >= count2 ? count2 : count1);
    *out = memmem(longer->at, most * sizeof(uint32_t), shorter->at, least * sizeof(uint32_t)) != NULL;
    return 0;
}

PyObject *likely_copies(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *columns[4], *out, *table;
    if (!PyArg_ParseTuple(args, "OOOOOO", columns, columns + 1, columns + 2, columns + 3, &out, &table))
        return NULL;
    Py_buffer folding;
    Pairs pairs;
    if (folding_open(&folding, table) < 0)
        return NULL;
    if (pairs_open(&pairs, columns, out, 1) < 0) {
        PyBuffer_Release(&folding);
        return NULL;
    }
    State state = {.folding = folding.buf};
    PyObject *result = pairs_run(&pairs, copy_row, &state);
    block_free(&state.one);
    block_free(&state.two);
    PyBuffer_Release(&folding);
    return result;
}
