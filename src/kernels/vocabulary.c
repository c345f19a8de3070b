/* Vocabularies: growing, joining the work of several threads, weights, a digest. */
#include "vocabulary.h"

int vocabulary_init(Vocabulary *vocabulary)
{
    *vocabulary = (Vocabulary){0};
    return vocabulary_reserve(vocabulary, 1);
}

void vocabulary_free(Vocabulary *vocabulary)
{
    free(vocabulary->slots);
    block_free(&vocabulary->terms);
}

static int rehash(Vocabulary *vocabulary, size_t capacity, unsigned bits)
{
    Vocabulary grown = *vocabulary;
    grown.slots = calloc(capacity, sizeof(Entry));
    grown.capacity = capacity;
    grown.shift = 64 - bits;
    if (grown.slots == NULL)
        return -1;
    for (size_t i = 0; i < vocabulary->capacity; i++)
        if (vocabulary->slots[i].number)
            *vocabulary_find(&grown, vocabulary->slots[i].key) = vocabulary->slots[i];
    free(vocabulary->slots);
    *vocabulary = grown;
    return 0;
}

/* Makes room for `more` n-grams with half of the table empty. */
int vocabulary_reserve(Vocabulary *vocabulary, size_t more)
{
    size_t wanted = (size_t)vocabulary->count + more;
    if (wanted > MOST_TERMS || block_reserve(&vocabulary->terms, wanted + 1, sizeof(Term)) < 0)
        return -1;
    if (2 * wanted <= vocabulary->capacity)
        return 0;
    size_t capacity = 4096;
    unsigned bits = 12;
    while (2 * wanted > capacity) {
        capacity *= 2;
        bits++;
    }
    return rehash(vocabulary, capacity, bits);
}

/* The keys in the order of their numbers, so that the prefix of an n-gram comes before it. */
static uint64_t *keys_by_number(const Vocabulary *vocabulary)
{
    uint64_t *keys = malloc(((size_t)vocabulary->count + 1) * sizeof(uint64_t));
    for (size_t i = 0; keys != NULL && i < vocabulary->capacity; i++)
        keys[vocabulary->slots[i].number] = vocabulary->slots[i].key; /* empty places all go to number 0 */
    return keys;
}

static inline int stands_on_number(uint32_t prefix)
{
    return prefix >= CODE_POINTS && prefix != ROOT;
}

int vocabulary_merge(Vocabulary *into, const Vocabulary *from, uint32_t *numbers)
{
    uint64_t *keys = keys_by_number(from);
    int status = -1;
    if (keys != NULL && UINT32_MAX - into->documents >= from->documents)
        status = vocabulary_reserve(into, from->count);
    for (uint32_t i = 1; status == 0 && i <= from->count; i++) {
        uint32_t prefix = (uint32_t)(keys[i] >> 32);
        if (stands_on_number(prefix))
            prefix = prefix_of(numbers[prefix - CODE_POINTS]);
        numbers[i] = vocabulary_number(into, (uint64_t)prefix << 32 | (uint32_t)keys[i]);
        term_of(into, numbers[i])->seen.frequency += term_of(from, i)->seen.frequency;
    }
    if (status == 0)
        into->documents += from->documents;
    free(keys);
    return status;
}

void vocabulary_weigh(Vocabulary *vocabulary, const double *weights)
{
    for (uint32_t i = 1; i <= vocabulary->count; i++)
        term_of(vocabulary, i)->weight = weights[i - 1];
    vocabulary->weighed = 1;
}

static inline uint64_t mix(uint64_t one, uint64_t other)
{
    uint64_t mixed = (one ^ (other + UINT64_C(0x9e3779b97f4a7c15) + (one << 6))) * UINT64_C(0xd6e8feb86659fd93);
    return mixed ^ mixed >> 32;
}

/* A number that depends on the n-grams and their frequencies, not on the order in which they were counted. */
int vocabulary_digest(const Vocabulary *vocabulary, uint64_t *digest)
{
    uint64_t *keys = keys_by_number(vocabulary);
    uint64_t *spelling = malloc(((size_t)vocabulary->count + 1) * sizeof(uint64_t));
    *digest = vocabulary->documents;
    for (uint32_t i = 1; keys != NULL && spelling != NULL && i <= vocabulary->count; i++) {
        uint32_t prefix = (uint32_t)(keys[i] >> 32), frequency = term_of(vocabulary, i)->seen.frequency;
        spelling[i] = mix(stands_on_number(prefix) ? spelling[prefix - CODE_POINTS] : prefix, (uint32_t)keys[i]);
        if (frequency)
            *digest += mix(spelling[i], frequency);
    }
    int status = keys != NULL && spelling != NULL ? 0 : -1;
    free(keys);
    free(spelling);
    return status;
}
