/* Packing, counting and summing of n-grams. */
#include "packed.h"

#define FIRST_SURROGATE 0xd800

static int grow(Packed *packed, size_t capacity)
{
    PackedGram *slots = calloc(capacity, sizeof(PackedGram));
    if (slots == NULL)
        return -1;
    free(packed->slots);
    packed->slots = slots;
    packed->capacity = capacity;
    return 0;
}

int packed_begin(Packed *packed, size_t characters, Orders orders)
{
    size_t grams = characters * (orders.longest - orders.shortest + 1), capacity = 256;
    unsigned bits = 8;
    while (2 * capacity < 3 * grams) {
        capacity *= 2;
        bits++;
    }
    if (bits > 31 || (capacity > packed->capacity && grow(packed, capacity) < 0) ||
        block_reserve(&packed->place_memory, grams + 1, sizeof(uint32_t)) < 0)
        return -1;
    packed->most = grams;
    packed->mask = (uint32_t)(capacity - 1);
    packed->shift = 64 - bits;
    packed->places = packed->place_memory.at;
    packed->listed = 0;
    packed->rares = 0;
    packed->orders = orders;
    return 0;
}

void packed_free(Packed *packed)
{
    free(packed->slots);
    block_free(&packed->place_memory);
    block_free(&packed->code_memory);
}

/* The code that a rare character has borrowed; 0 when none is left. */
static uint16_t borrowed(Packed *packed, uint32_t point)
{
    unsigned i = 0;
    while (i < packed->rares && packed->rare[i] != point)
        i++;
    if (i == RARE)
        return 0;
    if (i == packed->rares)
        packed->rare[packed->rares++] = point;
    return (uint16_t)(FIRST_SURROGATE + i);
}

/* The word in 16-bit codes, with its blanks. */
static int pack(Packed *packed, Token word, size_t *count)
{
    const unsigned char *at = word.at, *end = at + word.length;
    if (block_reserve(&packed->code_memory, word.length + 2, sizeof(uint16_t)) < 0)
        return -1;
    uint16_t *codes = packed->code_memory.at;
    size_t written = 0;
    codes[written++] = ' ';
    while (at < end) {
        Char c = char_at(at, end);
        uint32_t symbol = packed->folding[c.point];
        at += c.length;
        if (symbol == CONTEXT)
            return NEEDS_CONTEXT;
        if ((symbol == 0 || symbol > UINT16_MAX) && (symbol = borrowed(packed, symbol)) == 0)
            return NOT_PACKED;
        codes[written++] = (uint16_t)symbol;
    }
    codes[written++] = ' ';
    *count = written;
    return READ;
}

/* Whether an n-gram is new is hard to predict, so there is no branch. */
static inline void add(Packed *packed, uint64_t key, uint64_t added)
{
    for (uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> packed->shift);; at = (at + 1) & packed->mask) {
        PackedGram *gram = packed->slots + at;
        uint64_t found = gram->key, present = (uint64_t)(found == 0) - 1; /* all bits, or none if the place is empty */
        OPAQUE(present);
        if (((found ^ key) & present) == 0) {
            gram->key = key;
            gram->counts += added;
            packed->places[packed->listed] = at;
            packed->listed += present + 1;
            return;
        }
    }
}

int packed_word(Packed *memory, Token word, uint64_t added)
{
    size_t count;
    int status = pack(memory, word, &count);
    if (status != READ)
        return status;
    Packed packed = *memory; /* the loop keeps what it needs of it in registers */
    const uint16_t *codes = packed.code_memory.at;
    uint32_t shortest = packed.orders.shortest, longest = packed.orders.longest;
    uint64_t key = 0;
    if (count * (longest - shortest + 1) > packed.most - packed.listed)
        return NOT_PACKED; /* more characters than were announced: the bytes are not UTF-8 */
    for (size_t i = 0; i < count; i++) {
        key = key << 16 | codes[i];
        uint32_t most = i + 1 < longest ? (uint32_t)i + 1 : longest;
        for (uint32_t order = shortest; order <= most; order++)
            add(&packed, key & (UINT64_MAX >> (64 - 16 * order)), added);
    }
    if (count < shortest)
        add(&packed, key, added);
    memory->listed = packed.listed;
    return READ;
}

Sums packed_sums(Packed *packed)
{
    Sums sums = {0, 0, 0};
    for (size_t i = 0; i < packed->listed; i++) {
        PackedGram *gram = packed->slots + packed->places[i];
        int64_t one = first_count(gram->counts), two = second_count(gram->counts);
        *gram = (PackedGram){0, 0};
        sums.dot += one * two;
        sums.square1 += one * one;
        sums.square2 += two * two;
    }
    packed->listed = 0;
    return sums;
}
