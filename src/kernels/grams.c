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
    table->stamp = 0;
    return 0;
}

/* An empty table that stays at least half empty with that many n-grams in it. */
int grams_begin(GramTable *table, size_t windows)
{
    size_t capacity = 64;
    unsigned bits = 6;
    while (capacity < 2 * windows) {
        capacity *= 2;
        bits++;
    }
    if (bits > 31 || (capacity > table->capacity && grow(table, capacity) < 0))
        return -1;
    if (++table->stamp == 0) {
        memset(table->slots, 0, table->capacity * sizeof(Gram));
        table->stamp = 1;
    }
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
