/* Longest common subsequence of tokens, 64 tokens at a time (Hyyrö 2004, "Bit-parallel LCS-length computation
   revisited"). Only one block of the first text is in memory at a time, with the carries of the previous block,
   so memory stays linear. */
#include <string.h>

#include "interning.h"
#include "statistics.h"

typedef struct {
    TokenPair tokens;
    Block positions; /* per type: its positions in the block, as bits; all zero between blocks */
    Block carries;   /* per token of the second text: the carry of the previous block */
} State;

static int zeros_in(uint64_t bits)
{
    int count = 0;
    for (uint64_t zeros = ~bits; zeros; zeros &= zeros - 1)
        count++;
    return count;
}

static int64_t run_block(const uint64_t *positions, uint8_t *carries, const Sequence *two)
{
    uint64_t row = ~UINT64_C(0);
    for (size_t i = 0; i < two->count; i++) {
        uint64_t matches = row & positions[two->symbols[i]];
        uint64_t sum = row + matches;
        uint8_t carry = sum < row;
        sum += carries[i];
        carry |= sum < carries[i];
        row = sum | (row & ~matches);
        carries[i] = carry;
    }
    return zeros_in(row);
}

static int subsequence_row(void *memory, Text one, Text two, int64_t *out)
{
    State *state = memory;
    if (token_pair_read(&state->tokens, one, two) < 0)
        return -1;
    const Sequence *first = &state->tokens.one, *second = &state->tokens.two;
    size_t types = state->tokens.types.count;
    if (block_reserve(&state->positions, types + 1, sizeof(uint64_t)) < 0 ||
        block_reserve(&state->carries, second->count + 1, 1) < 0)
        return -1;
    uint64_t *positions = state->positions.at;
    memset(positions, 0, types * sizeof(uint64_t));
    memset(state->carries.at, 0, second->count);
    int64_t length = 0;
    for (size_t start = 0; start < first->count; start += 64) {
        size_t end = start + 64 < first->count ? start + 64 : first->count;
        for (size_t i = start; i < end; i++)
            positions[first->symbols[i]] |= UINT64_C(1) << (i - start);
        length += run_block(positions, state->carries.at, second);
        for (size_t i = start; i < end; i++)
            positions[first->symbols[i]] = 0;
    }
    out[0] = (int64_t)first->count;
    out[1] = (int64_t)second->count;
    out[2] = length;
    return 0;
}

PyObject *common_subsequence(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *columns[4], *out;
    int tokeniser;
    if (!PyArg_ParseTuple(args, "OOOOOi", columns, columns + 1, columns + 2, columns + 3, &out, &tokeniser))
        return NULL;
    if (tokeniser < 0 || tokeniser >= TOKENISERS)
        return PyErr_Format(PyExc_ValueError, "tokeniser %d", tokeniser);
    Pairs pairs;
    if (pairs_open(&pairs, columns, out, 3) < 0)
        return NULL;
    State state = {.tokens.tokeniser = tokeniser};
    PyObject *result = pairs_run(&pairs, subsequence_row, &state);
    token_pair_free(&state.tokens);
    block_free(&state.positions);
    block_free(&state.carries);
    return result;
}
