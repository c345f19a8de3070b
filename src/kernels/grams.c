/* Memory of n-gram tables and sequences. */
#include "grams.h"

#include <string.h>

static int grow(GramTable *table, size_t capacity)
{
    Gram *slots = calloc(capacity, sizeof(Gram));
    if (slots == NULL)
        return -1;
    free(table->slots);
    table->slots = slots;
    table->capacity = capacity;
    table->used = 0;
    table->stamp = 0;
    return 0;
}

/* Keys without a stamp are stale for every stamp, so cleared places are empty. */
static void wipe(GramTable *table)
{
    memset(table->slots, 0, table->used * sizeof(Gram));
    table->used = 0;
    table->stamp = 0;
}

/* The table stays at least half empty. */
int grams_begin(GramTable *table, size_t windows, unsigned key_bits)
{
    size_t capacity = 64;
    unsigned bits = 6;
    while (capacity < 2 * windows) {
        capacity *= 2;
        bits++;
    }
    if (bits > PLACE_BITS || (capacity > table->capacity && grow(table, capacity) < 0))
        return -1;
    uint64_t one = UINT64_C(1) << key_bits;
    if (table->key_bits != key_bits || table->stamp + one < table->stamp)
        wipe(table);
    table->key_bits = key_bits;
    table->stamp += one;
    table->used = capacity > table->used ? capacity : table->used;
    table->mask = (uint32_t)(capacity - 1);
    table->shift = 64 - bits;
    return 0;
}

void grams_free(GramTable *table)
{
    free(table->slots);
}

int sequence_reserve(Sequence *sequence, size_t symbols)
{
    if (block_reserve(&sequence->memory, symbols + 1, 4 * sizeof(uint32_t)) < 0)
        return -1;
    size_t width = sequence->memory.size / (4 * sizeof(uint32_t));
    sequence->symbols = sequence->memory.at;
    sequence->room = sequence->symbols + width;
    sequence->start = sequence->room + width;
    sequence->gram = sequence->start + width;
    return 0;
}

void sequence_free(Sequence *sequence)
{
    block_free(&sequence->memory);
}

void sequence_begin(Sequence *sequence)
{
    sequence->windows = sequence->count;
    for (size_t i = 0; i < sequence->count; i++) {
        sequence->start[i] = (uint32_t)i;
        sequence->gram[i] = 0;
    }
}

void sequence_whole(Sequence *sequence)
{
    for (size_t i = 0; i < sequence->count; i++)
        sequence->room[i] = (uint32_t)(sequence->count - i);
    sequence_begin(sequence);
}
