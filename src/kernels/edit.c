/* Levenshtein distance of characters, 64 of them at a time (Myers 1999, "A fast bit-vector algorithm for approximate
   string matching based on dynamic programming", in the form of Hyyrö 2003). As in lcs.c, only one block of the first
   text is in memory at a time, with the differences from the previous block, so memory stays linear. */
#include <string.h>

#include "interning.h"
#include "statistics.h"
#include "unicode.h"

#define ASCII 128 /* these characters are their own symbols; others are numbered from here */

typedef struct {
    TypeTable types;
    Sequence one, two;
    Block positions;   /* per symbol: its positions in the block, as bits; all zero between blocks */
    Block differences; /* per character of the second text: to its left neighbour, in the row above the block */
} State;

static int read_characters(TypeTable *types, Text text, Sequence *sequence)
{
    if (sequence_reserve(sequence, text.length) < 0)
        return -1;
    const unsigned char *end = text.bytes + text.length;
    size_t count = 0;
    for (const unsigned char *at = text.bytes; at < end;) {
        Char found = char_at(at, end);
        Token token = {at, found.length};
        sequence->symbols[count++] = found.point < ASCII ? found.point : ASCII + find_type(types, token, careful_start(token))->number;
        at += found.length;
    }
    sequence->count = count;
    return 0;
}

static void run_block(const uint64_t *positions, int8_t *differences, const Sequence *two, unsigned last)
{
    uint64_t up = ~UINT64_C(0), down = 0;
    for (size_t i = 0; i < two->count; i++) {
        uint64_t equal = positions[two->symbols[i]];
        uint64_t above_up = differences[i] > 0, above_down = differences[i] < 0;
        uint64_t vertical = equal | down;
        equal |= above_down;
        uint64_t horizontal = (((equal & up) + up) ^ up) | equal;
        uint64_t rising = down | ~(horizontal | up), falling = up & horizontal;
        differences[i] = (int8_t)((int)(rising >> last & 1) - (int)(falling >> last & 1));
        rising = rising << 1 | above_up;
        falling = falling << 1 | above_down;
        up = falling | ~(vertical | rising);
        down = rising & vertical;
    }
}

static int64_t distance(uint64_t *positions, int8_t *differences, const Sequence *one, const Sequence *two)
{
    memset(differences, 1, two->count);
    for (size_t start = 0; start < one->count; start += 64) {
        size_t end = start + 64 < one->count ? start + 64 : one->count;
        for (size_t i = start; i < end; i++)
            positions[one->symbols[i]] |= UINT64_C(1) << (i - start);
        run_block(positions, differences, two, (unsigned)(end - start - 1));
        for (size_t i = start; i < end; i++)
            positions[one->symbols[i]] = 0;
    }
    int64_t found = (int64_t)one->count;
    for (size_t i = 0; i < two->count; i++)
        found += differences[i];
    return found;
}

static int edit_row(void *memory, Text one, Text two, int64_t *out)
{
    State *state = memory;
    if (types_begin(&state->types, one.length + two.length) < 0 ||
        read_characters(&state->types, one, &state->one) < 0 || read_characters(&state->types, two, &state->two) < 0)
        return -1;
    size_t symbols = ASCII + (size_t)state->types.count;
    if (block_reserve(&state->positions, symbols, sizeof(uint64_t)) < 0 ||
        block_reserve(&state->differences, state->two.count + 1, 1) < 0)
        return -1;
    memset(state->positions.at, 0, symbols * sizeof(uint64_t));
    out[0] = (int64_t)state->one.count;
    out[1] = (int64_t)state->two.count;
    out[2] = distance(state->positions.at, state->differences.at, &state->one, &state->two);
    return 0;
}

PyObject *edit_distance(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *columns[4], *out;
    if (!PyArg_ParseTuple(args, "OOOOO", columns, columns + 1, columns + 2, columns + 3, &out))
        return NULL;
    Pairs pairs;
    if (pairs_open(&pairs, columns, out, 3) < 0)
        return NULL;
    State state = {0};
    PyObject *result = pairs_run(&pairs, edit_row, &state);
    types_free(&state.types);
    sequence_free(&state.one);
    sequence_free(&state.two);
    block_free(&state.positions);
    block_free(&state.differences);
    return result;
}
