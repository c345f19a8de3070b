/* Tokens of one pair as small numbers, so that n-grams of tokens are n-grams of numbers. */
#ifndef OTHERWORDS_INTERNING_H
#define OTHERWORDS_INTERNING_H

#include <stdint.h>

#include "grams.h"
#include "token_hash.h"

typedef struct {
    TokenStart start;
    const unsigned char *at;
    uint32_t length, stamp;
    uint32_t number; /* 0, 1, 2 … in order of appearance */
    uint32_t seen;   /* 1: in the first text, 2: in the second */
} Type;

typedef struct {
    Type *slots;
    size_t capacity;
    uint32_t mask, stamp;
    uint32_t count;
} TypeTable;

int types_begin(TypeTable *table, size_t tokens);
void types_free(TypeTable *table);

/* The type of a token with these first bytes, added if it is new (`seen` is then 0). */
static inline Type *find_type(TypeTable *table, Token token, TokenStart start)
{
    uint64_t hash = (start.low + token.length) * UINT64_C(0x9e3779b97f4a7c15) + start.high * UINT64_C(0xc2b2ae3d27d4eb4f);
    for (uint32_t at = (uint32_t)(hash >> 32) & table->mask;; at = (at + 1) & table->mask) {
        Type *type = table->slots + at;
        if (type->stamp != table->stamp) {
            *type = (Type){start, token.at, (uint32_t)token.length, table->stamp, table->count++, 0};
            return type;
        }
        if (type->start.low == start.low && type->start.high == start.high && type->length == token.length &&
            (token.length <= TOKEN_START ||
             memcmp(type->at + TOKEN_START, token.at + TOKEN_START, token.length - TOKEN_START) == 0))
            return type;
    }
}

/* The type of a token that has TOKEN_START readable bytes, as those of a list have. */
static inline Type *type_of(TypeTable *table, Token token)
{
    return find_type(table, token, token_start(token));
}

/* Two texts as tokens, and as sequences of the numbers of their types. */
typedef struct {
    int tokeniser;
    TokenList one_tokens, two_tokens;
    TypeTable types;
    Sequence one, two;
} TokenPair;

/* The number of types of the first text, of the second, of both. */
int token_sets(TokenPair *pair, Text one, Text two, int64_t *out);

/* The symbols of both sequences. */
int token_pair_read(TokenPair *pair, Text one, Text two);
void token_pair_free(TokenPair *pair);

#endif
