/* Characters of texts by class, and whether the letters of one text occur in those of another: what filters ask of every
   pair before they look at any text more closely. */
#define _GNU_SOURCE /* memmem, which takes linear time on any text */
#include <string.h>

#include "codes.h"
#include "memory.h"
#include "statistics.h"

/* Classes as the caller's table has them; those above LETTERS are letters of scripts that look alike. */
enum { OTHERS, BLANKS, DIGITS, DAMAGED, LETTERS };
enum { CHARACTERS_AT, BLANKS_AT, DIGITS_AT, DAMAGED_AT, LETTERS_AT, MIXED_AT, NUMBERS_PER_TEXT };

/* Counts in bytes, which fit as many characters, can be made sixteen at a time. */
#define PER_ROUND 255

static void count_round(const unsigned char *classes, size_t count, int64_t *out)
{
    uint8_t blanks = 0, digits = 0, damaged = 0, letters = 0, mixed = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t class = classes[i], before = classes[(Py_ssize_t)i - 1];
        blanks += class == BLANKS;
        digits += class == DIGITS;
        damaged += class == DAMAGED;
        letters += class >= LETTERS;
        mixed += (class != before) & (class > LETTERS) & (before > LETTERS);
    }
    out[BLANKS_AT] += blanks;
    out[DIGITS_AT] += digits;
    out[DAMAGED_AT] += damaged;
    out[LETTERS_AT] += letters;
    out[MIXED_AT] += mixed;
}

static int count_characters(Block *memory, Text text, const uint8_t *table, int64_t *out)
{
    if (block_reserve(memory, text.length + 1, 1) < 0)
        return -1;
    unsigned char *classes = (unsigned char *)memory->at + 1, *end = translate(table, text, classes);
    classes[-1] = OTHERS;
    memset(out, 0, NUMBERS_PER_TEXT * sizeof(int64_t));
    out[CHARACTERS_AT] = end - classes;
    for (; end - classes > PER_ROUND; classes += PER_ROUND)
        count_round(classes, PER_ROUND, out);
    count_round(classes, (size_t)(end - classes), out);
    return 0;
}

static int bytes_open(Py_buffer *buffer, PyObject *table)
{
    if (PyObject_GetBuffer(table, buffer, PyBUF_SIMPLE) < 0)
        return -1;
    if (buffer->len == CODE_POINTS)
        return 0;
    PyErr_SetString(PyExc_ValueError, "a table has a byte for every code point");
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
    if (bytes_open(&classes, table) < 0)
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
    Block memory = {NULL, 0};
    int status = 0;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t row = 0; row < column.count && status == 0; row++)
        status = count_characters(&memory, column_text(&column, row), classes.buf,
                                  (int64_t *)numbers.buf + row * NUMBERS_PER_TEXT);
    Py_END_ALLOW_THREADS
    block_free(&memory);
    PyBuffer_Release(&numbers);
    column_close(&column);
    PyBuffer_Release(&classes);
    if (status < 0)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* A folding of 8 bits: two characters may become the same, none that are alike become different. */
enum { DROPPED = 0, NOT_ALONE = 255 };

typedef struct {
    Block one, two;
    const uint8_t *folding;
} State;

/* The characters of a text that count, folded; NULL if that cannot be done one by one. */
static const unsigned char *fold(Block *memory, Text text, const uint8_t *folding, size_t *count)
{
    unsigned char *folded = memory->at, *end = translate(folding, text, folded), *kept = folded;
    if (memchr(folded, NOT_ALONE, (size_t)(end - folded)))
        return NULL;
    for (unsigned char *at = folded; at < end; at++) {
        *kept = *at;
        kept += *at != DROPPED;
    }
    *count = (size_t)(kept - folded);
    return folded;
}

/* Whether the first eight characters of the shorter occur in the longer with enough behind them. Most texts end here. */
static int begins_inside(const unsigned char *longer, const unsigned char *shorter, size_t places)
{
    uint64_t wanted, found;
    memcpy(&wanted, shorter, 8);
    for (size_t i = 0; i < places; i++) {
        memcpy(&found, longer + i, 8);
        if (found == wanted)
            return 1;
    }
    return 0;
}

static int is_inside(const unsigned char *longer, size_t most, const unsigned char *shorter, size_t least)
{
    if (least >= 8 && !begins_inside(longer, shorter, most - least + 1))
        return 0;
    return memmem(longer, most, shorter, least) != NULL;
}

static int copy_row(void *memory, Text one, Text two, int64_t *out)
{
    State *state = memory;
    if (block_reserve(&state->one, one.length + 1, 1) < 0 || block_reserve(&state->two, two.length + 1, 1) < 0)
        return -1;
    size_t count1, count2;
    const unsigned char *folded1 = fold(&state->one, one, state->folding, &count1);
    const unsigned char *folded2 = fold(&state->two, two, state->folding, &count2);
    if (folded1 == NULL || folded2 == NULL)
        *out = 1;
    else
        *out = count1 >= count2 ? is_inside(folded1, count1, folded2, count2)
                                : is_inside(folded2, count2, folded1, count1);
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
    if (bytes_open(&folding, table) < 0)
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
