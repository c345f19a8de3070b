/* Tokens of one pair as small numbers, so that n-grams of tokens are n-grams of numbers. */
#ifndef OTHERWORDS_INTERNING_H
#define OTHERWORDS_INTERNING_H

#include <stdint.h>

#include "grams.h"
#include "token_hash.h"

typedef struct {
    const unsigned char *at;
    size_t length;
    uint32_t hash, stamp;
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

/* The type of a token, added if it is new (`seen` is then 0). */
static inline Type *type_of(TypeTable *table, Token token)
{
    uint32_t hash = token_hash(token);
    for (uint32_t at = hash & table->mask;; at = (at + 1) & table->mask) {
        Type *type = table->slots + at;
        if (type->stamp != table->stamp) {
            *type = (Type){token.at, token.length, hash, table->stamp, table->count++, 0};
            return type;
        }
        if (type->hash == hash && type->length == token.length && same_bytes(type->at, token.at, token.length))
            return type;
    }
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

int token_pair_read(TokenPair *pair, Text one, Text two);
void token_pair_free(TokenPair *pair);

#endif
