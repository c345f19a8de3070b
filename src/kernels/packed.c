/* Words of a pair in codes, and the sums over their n-grams. */
#include "packed.h"

#include <string.h>

#include "bits.h"

/* In shorter texts no n-gram occurs more often than 16 bits can count. */
#define LONGEST_PACKED 0x7fff /* bytes */
#define AHEAD 64              /* how far past the last code is read */
#define IN_ONE UINT32_C(1)
#define IN_TWO (UINT32_C(1) << 16)

void packed_free(Packed *packed)
{
    alphabet_free(&packed->alphabet);
    block_free(&packed->codes);
    block_free(&packed->ends);
    block_free(&packed->used);
    free(packed->words);
    free(packed->grams);
}

/* The codes of both texts; `middle` is the blank between them, `end` is behind the last one. */
static int read_codes(Packed *packed, Text one, Text two, size_t *middle, size_t *end)
{
    if (block_reserve(&packed->codes, one.length + two.length + 3 + AHEAD, 1) < 0)
        return -1;
    unsigned char *codes = packed->codes.at, *at = codes;
    *at++ = BLANK_CODE;
    int status = codes_write(&packed->alphabet, one, at, &at);
    if (status != READ)
        return status;
    *middle = (size_t)(at - codes);
    *at++ = BLANK_CODE;
    status = codes_write(&packed->alphabet, two, at, &at);
    if (status != READ)
        return status;
    *at++ = BLANK_CODE;
    *end = (size_t)(at - codes);
    memset(at, NO_CODE, AHEAD);
    return READ;
}

/* Which of 64 codes are blanks, as bits. */
static inline uint64_t blanks_among(const unsigned char *codes)
{
    uint64_t blanks = 0;
    for (int i = 0; i < 64; i += 8)
        blanks |= gather(equal_to(load_eight(codes + i), BLANK_CODE)) << i;
    return blanks;
}

/* Lists the places of all blanks. */
static size_t find_blanks(const unsigned char *codes, size_t end, uint32_t *places)
{
    size_t found = 0;
    for (size_t block = 0; block < end; block += 64)
        for (uint64_t blanks = blanks_among(codes + block); blanks; blanks &= blanks - 1)
            places[found++] = (uint32_t)block + lowest_bit(blanks);
    return found;
}

static int words_begin(Packed *packed, size_t most, unsigned *bits)
{
    size_t capacity = 64;
    for (*bits = 6; capacity < 2 * most; capacity *= 2)
        ++*bits;
    if (capacity > packed->word_capacity) {
        PackedWord *words = calloc(capacity, sizeof(PackedWord));
        if (words == NULL)
            return -1;
        free(packed->words);
        packed->words = words;
        packed->word_capacity = capacity;
        packed->stamp = 0;
    }
    if (++packed->stamp == 0) {
        memset(packed->words, 0, packed->word_capacity * sizeof(PackedWord));
        packed->stamp = 1;
    }
    return 0;
}

/* The place of a word in the table, which may be empty. Most words have at most 16 characters, which then tell all. */
static inline uint32_t find_word(const Packed *packed, PackedWord word, unsigned bits)
{
    const unsigned char *codes = packed->codes.at;
    uint64_t hash = word.low * UINT64_C(0x9e3779b97f4a7c15) + word.high * UINT64_C(0xc2b2ae3d27d4eb4f);
    for (uint32_t at = (uint32_t)(hash >> (64 - bits));; at = (at + 1) & ((UINT32_C(1) << bits) - 1)) {
        const PackedWord *known = packed->words + at;
        if (known->stamp != packed->stamp ||
            (known->low == word.low && known->high == word.high && known->length == word.length &&
             (word.length <= 16 || memcmp(codes + known->start + 16, codes + word.start + 16, word.length - 16) == 0)))
            return at;
    }
}

static inline PackedWord word_between(const unsigned char *codes, uint32_t blank, uint32_t next)
{
    static const unsigned char kept[32] = {[0] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                           0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    PackedWord word = {.start = blank + 1, .length = next - blank - 1};
    const unsigned char *mask = kept + 16 - (word.length < 16 ? word.length : 16);
    uint64_t low, high;
    memcpy(&word.low, codes + word.start, 8);
    memcpy(&word.high, codes + word.start + 8, 8);
    memcpy(&low, mask, 8);
    memcpy(&high, mask + 8, 8);
    word.low &= low;
    word.high &= high;
    return word;
}

/* The distinct words of both texts: how many, and their padded length in characters. */
static int read_words(Packed *packed, size_t middle, size_t end, size_t *distinct, size_t *characters)
{
    const unsigned char *codes = packed->codes.at;
    unsigned bits;
    if (block_reserve(&packed->ends, end + 1, sizeof(uint32_t)) < 0)
        return -1;
    const uint32_t *blanks = packed->ends.at;
    size_t found = find_blanks(codes, end, packed->ends.at);
    if (words_begin(packed, found, &bits) < 0 || block_reserve(&packed->used, found + 1, sizeof(uint32_t)) < 0)
        return -1;
    uint32_t *used = packed->used.at;
    *distinct = *characters = 0;
    for (size_t i = 1; i < found; i++) {
        PackedWord word = word_between(codes, blanks[i - 1], blanks[i]);
        if (word.length == 0)
            continue;
        uint32_t at = find_word(packed, word, bits);
        uint32_t side = word.start < middle ? IN_ONE : IN_TWO;
        if (packed->words[at].stamp == packed->stamp) {
            packed->words[at].added += side;
            continue;
        }
        word.stamp = packed->stamp;
        word.added = side;
        packed->words[at] = word;
        used[(*distinct)++] = at;
        *characters += word.length + 2;
    }
    return READ;
}

static int grams_begin_packed(Packed *packed, size_t grams, unsigned *bits)
{
    size_t capacity = 256;
    for (*bits = 8; capacity < 3 * grams; capacity *= 2)
        ++*bits;
    if (capacity <= packed->gram_capacity)
        return 0;
    free(packed->grams);
    packed->grams = calloc(capacity, sizeof(uint64_t));
    packed->gram_capacity = packed->grams == NULL ? 0 : capacity;
    return packed->grams == NULL ? -1 : 0;
}

/* What the n-grams of one word found in the table. */
typedef struct {
    uint64_t *grams;
    unsigned shift;
    uint32_t added;
    uint64_t first; /* sum of the counts in the first text that were there */
    uint64_t both;  /* the same, with those in the second, shifted by 16 bits, added */
} Counting;

/* Whether an n-gram is new is hard to predict, so there is no branch. */
static inline void add(Counting *counting, uint32_t key)
{
    for (uint32_t at = key * UINT32_C(0x9e3779b1) >> counting->shift;; at = (at + 1) & UINT32_MAX >> counting->shift) {
        uint64_t found = counting->grams[at], present = (uint64_t)(found == 0) - 1; /* all bits, or none if empty */
        OPAQUE(present);
        if (((found >> 32 ^ key) & present) == 0) {
            uint32_t counts = (uint32_t)found;
            counting->grams[at] = ((uint64_t)key << 32 | counts) + counting->added;
            counting->first += counts & 0xffff;
            counting->both += counts;
            return;
        }
    }
}

/* Adds the n-grams of a padded word; returns how many there are. */
static inline size_t add_word(Counting *counting, const unsigned char *codes, size_t count, Orders orders)
{
    uint32_t key = 0;
    size_t number = 0;
    for (size_t i = 0; i < count; i++) {
        key = key << 8 | codes[i];
        uint32_t most = i + 1 < orders.longest ? (uint32_t)i + 1 : orders.longest;
        for (uint32_t order = orders.shortest; order <= most; order++, number++)
            add(counting, key & (UINT32_MAX >> (32 - 8 * order)));
    }
    if (count >= orders.shortest)
        return number;
    add(counting, key);
    return 1;
}

/* The same for the usual orders, without asking at every character how many n-grams end there. */
static inline size_t add_word_2_to_4(Counting *counting, const unsigned char *codes, size_t count)
{
    uint32_t key = (uint32_t)codes[0] << 8 | codes[1];
    add(counting, key);
    key = key << 8 | codes[2];
    add(counting, key & 0xffff);
    add(counting, key);
    for (size_t i = 3; i < count; i++) {
        key = key << 8 | codes[i];
        add(counting, key & 0xffff);
        add(counting, key & 0xffffff);
        add(counting, key);
    }
    return 3 * count - 6;
}

/* Where an n-gram already occurs A times in the first text and B times in the second, and a word adds a and b, its part
   of the dot product grows by Ab + aB + ab: so one pass is enough, and sums of A and of B over a word. */
static Sums sum_words(const Packed *packed, size_t distinct, unsigned bits)
{
    Sums sums = {0, 0, 0};
    int usual = packed->orders.shortest == 2 && packed->orders.longest == 4;
    const uint32_t *used = packed->used.at;
    for (size_t i = 0; i < distinct; i++) {
        const PackedWord *word = packed->words + used[i];
        const unsigned char *codes = (const unsigned char *)packed->codes.at + word->start - 1;
        Counting counting = {packed->grams, 32 - bits, word->added, 0, 0};
        int64_t number = (int64_t)(usual ? add_word_2_to_4(&counting, codes, word->length + 2)
                                         : add_word(&counting, codes, word->length + 2, packed->orders));
        int64_t one = word->added & 0xffff, two = word->added >> 16;
        int64_t before1 = (int64_t)counting.first, before2 = (int64_t)(counting.both - counting.first) >> 16;
        sums.dot += before1 * two + one * before2 + number * one * two;
        sums.square1 += one * (2 * before1 + number * one);
        sums.square2 += two * (2 * before2 + number * two);
    }
    return sums;
}

int packed_sums(Packed *packed, Text one, Text two, Sums *sums)
{
    size_t middle, end, distinct, characters;
    unsigned bits;
    if (one.length > LONGEST_PACKED || two.length > LONGEST_PACKED)
        return NOT_PACKED;
    int status = packed->alphabet.codes == NULL ? NOT_PACKED : read_codes(packed, one, two, &middle, &end);
    if (status == NOT_PACKED) {
        if (alphabet_begin(&packed->alphabet) < 0)
            return -1;
        status = read_codes(packed, one, two, &middle, &end);
    }
    if (status != READ)
        return status;
    if (read_words(packed, middle, end, &distinct, &characters) < 0 ||
        grams_begin_packed(packed, characters * (packed->orders.longest - packed->orders.shortest + 1), &bits) < 0)
        return -1;
    *sums = sum_words(packed, distinct, bits);
    memset(packed->grams, 0, sizeof(uint64_t) << bits);
    return READ;
}
