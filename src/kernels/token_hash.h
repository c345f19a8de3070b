/* Hash and equality of the bytes of tokens, most of which are short. */
#ifndef OTHERWORDS_TOKEN_HASH_H
#define OTHERWORDS_TOKEN_HASH_H

#include <string.h>

#include "tokenise.h"

/* A token of at most eight bytes as one number; the same for tokens of the same length and bytes only. */
static inline uint64_t short_token(const unsigned char *at, size_t length)
{
    uint64_t word = 0;
    if (length == 8) {
        memcpy(&word, at, 8);
    } else if (length >= 4) {
        uint32_t first, last;
        memcpy(&first, at, 4);
        memcpy(&last, at + length - 4, 4);
        word = (uint64_t)first << 32 | last;
    } else if (length) {
        word = (uint64_t)at[0] << 16 | (uint64_t)at[length / 2] << 8 | at[length - 1];
    }
    return word;
}

/* Eight bytes at a time, folded by multiplication; the last ones overlap, so nothing is read past the end. */
static inline uint32_t token_hash(Token token)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = token.length * factor, word = 0;
    if (token.length > 8) {
        for (size_t i = 0; i + 8 < token.length; i += 8) {
            memcpy(&word, token.at + i, 8);
            hash = (hash ^ word) * factor;
            hash ^= hash >> 32;
        }
        memcpy(&word, token.at + token.length - 8, 8);
    } else {
        word = short_token(token.at, token.length);
    }
    hash = (hash ^ word) * factor;
    return (uint32_t)(hash >> 32);
}

/* The first bytes of a token, as numbers; zero behind its end. Most tokens have no more. */
#define TOKEN_START 16

typedef struct {
    uint64_t low, high;
} TokenStart;

/* For a token with as many readable bytes: its length is hard to predict, so there is no branch. */
static inline TokenStart token_start(Token token)
{
    static const unsigned char kept[2 * TOKEN_START] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const unsigned char *mask = kept + TOKEN_START - (token.length < TOKEN_START ? token.length : TOKEN_START);
    TokenStart start, kept_bits;
    memcpy(&start, token.at, TOKEN_START);
    memcpy(&kept_bits, mask, TOKEN_START);
    return (TokenStart){start.low & kept_bits.low, start.high & kept_bits.high};
}

/* For any token. */
static inline TokenStart careful_start(Token token)
{
    TokenStart start = {0, 0};
    memcpy(&start, token.at, token.length < TOKEN_START ? token.length : TOKEN_START);
    return start;
}

static inline int same_bytes(const unsigned char *one, const unsigned char *two, size_t length)
{
    if (length <= 8)
        return short_token(one, length) == short_token(two, length);
    return short_token(one, 8) == short_token(two, 8) && memcmp(one + 8, two + 8, length - 8) == 0;
}

#endif
