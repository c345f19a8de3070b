/* Looks up words, and lists the n-grams of new ones. */
#include "word_cache.h"

#include "token_hash.h"

#define MOST_WORDS (1u << 17)
#define MOST_GRAMS (1u << 22)

static void empty(WordCache *cache)
{
    if (cache->index != NULL)
        memset(cache->index, 0, cache->capacity * sizeof(Place));
    cache->learnt = cache->spelled = cache->listed = 0;
    cache->mark = 0;
}

void cache_begin(WordCache *cache)
{
    if (cache->learnt >= MOST_WORDS || cache->listed >= MOST_GRAMS || cache->mark == UINT32_MAX)
        empty(cache);
    cache->mark++;
    cache->item_count = cache->gram_count = 0;
}

WordCache *cache_borrow(Vocabulary *vocabulary, Folding folding, Orders orders)
{
    WordCache *cache = vocabulary->idle;
    if (cache == NULL)
        cache = calloc(1, sizeof(WordCache));
    else
        vocabulary->idle = cache->next;
    if (cache == NULL)
        return NULL;
    if (cache->folding != folding || cache->orders.shortest != orders.shortest ||
        cache->orders.longest != orders.longest)
        empty(cache);
    cache->vocabulary = vocabulary;
    cache->folding = folding;
    cache->orders = orders;
    return cache;
}

void cache_return(Vocabulary *vocabulary, WordCache *cache)
{
    cache->next = vocabulary->idle;
    vocabulary->idle = cache;
}

void caches_adopt(Vocabulary *into, Vocabulary *from, const uint32_t *numbers)
{
    while (from->idle != NULL) {
        WordCache *cache = from->idle;
        from->idle = cache->next;
        uint32_t *listed = cache->numbers.at;
        for (size_t i = 0; i < cache->listed; i++)
            listed[i] = numbers[listed[i]];
        cache_return(into, cache);
    }
}

void caches_free(Vocabulary *vocabulary)
{
    while (vocabulary->idle != NULL) {
        WordCache *cache = vocabulary->idle;
        vocabulary->idle = cache->next;
        free(cache->index);
        block_free(&cache->words);
        block_free(&cache->spellings);
        block_free(&cache->numbers);
        sequence_free(&cache->sequence);
        tokens_free(&cache->tokens);
        block_free(&cache->hashes);
        block_free(&cache->items);
        free(cache);
    }
}

static inline int is_spelled(const WordCache *cache, const Word *word, Token token)
{
    const unsigned char *spelling = word->length <= SHORT_WORD
                                        ? word->spelling.bytes
                                        : (const unsigned char *)cache->spellings.at + word->spelling.at;
    return word->length == token.length && same_bytes(spelling, token.at, token.length);
}

/* The place of a hash in the index from `at` on, or an empty one. */
static inline Place *next_place(const WordCache *cache, uint32_t hash, size_t at)
{
    for (;; at++) {
        Place *place = cache->index + (at & (cache->capacity - 1));
        if (place->word == 0 || place->hash == hash)
            return place;
    }
}

static inline Word *word_at(const WordCache *cache, const Place *place)
{
    return (Word *)cache->words.at + place->word - 1;
}

/* The word, if it is known. */
static Word *find(const WordCache *cache, Token token, uint32_t hash)
{
    const Place *place = next_place(cache, hash, hash);
    while (place->word && !is_spelled(cache, word_at(cache, place), token))
        place = next_place(cache, hash, (size_t)(place - cache->index) + 1);
    return place->word ? word_at(cache, place) : NULL;
}

static int grow(WordCache *cache)
{
    size_t capacity = cache->capacity ? 2 * cache->capacity : 4096;
    Place *index = calloc(capacity, sizeof(Place));
    if (index == NULL)
        return -1;
    for (size_t i = 0; i < cache->capacity; i++) {
        size_t at = cache->index[i].hash;
        while (index[at & (capacity - 1)].word)
            at++;
        if (cache->index[i].word)
            index[at & (capacity - 1)] = cache->index[i];
    }
    free(cache->index);
    cache->index = index;
    cache->capacity = capacity;
    return 0;
}

static inline void list_gram(WordCache *cache, uint32_t number)
{
    ((uint32_t *)cache->numbers.at)[cache->listed++] = number;
}

/* The number of an n-gram; 0 for one that a weighted vocabulary does not have. */
static inline uint32_t number_of(WordCache *cache, uint64_t key)
{
    return cache->vocabulary->weighed ? vocabulary_find(cache->vocabulary, key)->number
                                      : vocabulary_number(cache->vocabulary, key);
}

static void list_characters(WordCache *cache)
{
    Sequence *sequence = &cache->sequence;
    for (size_t window = 0; window < sequence->windows; window++) {
        uint32_t symbol = sequence->symbols[window];
        uint32_t number = cache->orders.shortest > 1 ? 0 : number_of(cache, (uint64_t)ROOT << 32 | symbol);
        if (number)
            list_gram(cache, number);
        sequence->gram[window] = symbol;
    }
    sequence->windows--; /* no longer n-gram begins with the blank at the end */
}

static inline uint64_t key_of(const Sequence *sequence, size_t window, uint32_t order)
{
    return (uint64_t)sequence->gram[window] << 32 | sequence->symbols[sequence->start[window] + order - 1];
}

static void list_order(WordCache *cache, uint32_t order)
{
    Sequence *sequence = &cache->sequence;
    size_t kept = 0, windows = sequence->windows;
    for (size_t window = 0; window < windows; window++)
        PREFETCH(cache->vocabulary->slots + entry_place(cache->vocabulary, key_of(sequence, window, order)));
    for (size_t window = 0; window < windows; window++) {
        uint32_t number = number_of(cache, key_of(sequence, window, order));
        if (number == 0)
            continue; /* then the vocabulary has no n-gram that begins with it either */
        if (is_counted(sequence, window, order, cache->orders))
            list_gram(cache, number);
        kept = keep_window(sequence, kept, window, order, prefix_of(number));
    }
    sequence->windows = kept;
}

static int list_grams(WordCache *cache)
{
    size_t most = cache->sequence.windows * cache->orders.longest;
    if (block_reserve(&cache->numbers, cache->listed + most, sizeof(uint32_t)) < 0 ||
        (!cache->vocabulary->weighed && vocabulary_reserve(cache->vocabulary, most) < 0))
        return -1;
    list_characters(cache);
    for (uint32_t order = 2; order <= cache->orders.longest && cache->sequence.windows; order++)
        list_order(cache, order);
    return 0;
}

static int spell(WordCache *cache, Word *word, Token token)
{
    if (token.length <= SHORT_WORD) {
        memcpy(word->spelling.bytes, token.at, token.length);
        return 0;
    }
    if (block_reserve(&cache->spellings, cache->spelled + token.length, 1) < 0)
        return -1;
    memcpy((unsigned char *)cache->spellings.at + cache->spelled, token.at, token.length);
    word->spelling.at = cache->spelled;
    cache->spelled += token.length;
    return 0;
}

/* A word that is not in the cache yet. */
static int learn(WordCache *cache, Token token, uint32_t hash)
{
    Text text = {token.at, token.length};
    Word word = {.length = token.length, .grams = cache->listed};
    cache->sequence.count = 0;
    if (sequence_reserve(&cache->sequence, token.length + 2) < 0)
        return -1;
    int status = padded_word(&cache->sequence, text, cache->folding);
    if (status != READ)
        return status;
    sequence_begin(&cache->sequence);
    if (list_grams(cache) < 0 || spell(cache, &word, token) < 0 ||
        block_reserve(&cache->words, cache->learnt + 1, sizeof(Word)) < 0 ||
        (2 * cache->learnt >= cache->capacity && grow(cache) < 0))
        return -1;
    word.count = (uint32_t)(cache->listed - word.grams);
    ((Word *)cache->words.at)[cache->learnt++] = word;
    size_t at = hash;
    while (cache->index[at & (cache->capacity - 1)].word)
        at++;
    cache->index[at & (cache->capacity - 1)] = (Place){hash, (uint32_t)cache->learnt};
    return READ;
}

/* Hashes first, then looks up the hashes and only then the words, so that memory is fetched in the meantime. */
static int hash_words(WordCache *cache)
{
    size_t count = cache->tokens.count;
    if (block_reserve(&cache->hashes, count + 1, sizeof(uint32_t)) < 0)
        return -1;
    uint32_t *hashes = cache->hashes.at;
    for (size_t i = 0; i < count; i++) {
        hashes[i] = token_hash(cache->tokens.tokens[i]);
        PREFETCH(cache->index + (hashes[i] & (cache->capacity - 1)));
    }
    for (size_t i = 0; i < count; i++) {
        const Place *place = next_place(cache, hashes[i], hashes[i]);
        if (place->word)
            PREFETCH(word_at(cache, place));
    }
    return 0;
}

/* The word as one of the current row. */
static void use(WordCache *cache, Word *word, uint64_t side)
{
    Item *items = cache->items.at;
    if (word->mark == cache->mark) {
        items[word->item].added += side;
        return;
    }
    word->mark = cache->mark;
    word->item = (uint32_t)cache->item_count;
    items[cache->item_count++] = (Item){word->grams, word->count, side};
    cache->gram_count += word->count;
    for (uint32_t i = 0; i < word->count; i += 16)
        PREFETCH((const uint32_t *)cache->numbers.at + word->grams + i);
}

int cache_read(WordCache *cache, Text text, uint64_t side)
{
    cache->tokens.count = 0;
    if (cache->capacity == 0 && grow(cache) < 0)
        return -1;
    if (split_blanks(text, &cache->tokens) < 0 || hash_words(cache) < 0 ||
        block_reserve(&cache->items, cache->item_count + cache->tokens.count + 1, sizeof(Item)) < 0)
        return -1;
    for (size_t i = 0; i < cache->tokens.count; i++) {
        Token token = cache->tokens.tokens[i];
        uint32_t hash = ((uint32_t *)cache->hashes.at)[i];
        Word *word = find(cache, token, hash);
        if (word == NULL) {
            int status = learn(cache, token, hash);
            if (status != READ)
                return status;
            word = (Word *)cache->words.at + cache->learnt - 1;
        }
        use(cache, word, side);
    }
    return READ;
}
