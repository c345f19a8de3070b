/* A hash of the bytes of a token. */
#ifndef OTHERWORDS_TOKEN_HASH_H
#define OTHERWORDS_TOKEN_HASH_H

#include <string.h>

#include "tokenise.h"

/* Eight bytes at a time, folded by multiplication; the last ones overlap, so nothing is read past the end. */
static inline uint32_t token_hash(Token token)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = token.length * factor, word = 0;
    if (token.length >= 8) {
        for (size_t i = 0; i + 8 < token.length; i += 8) {
            memcpy(&word, token.at + i, 8);
            hash = (hash ^ word) * factor;
            hash ^= hash >> 32;
        }
        memcpy(&word, token.at + token.length - 8, 8);
    } else if (token.length >= 4) {
        uint32_t first, last;
        memcpy(&first, token.at, 4);
        memcpy(&last, token.at + token.length - 4, 4);
        word = (uint64_t)first << 32 | last;
    } else if (token.length) {
        word = (uint64_t)token.at[0] << 16 | (uint64_t)token.at[token.length / 2] << 8 | token.at[token.length - 1];
    }
    hash = (hash ^ word) * factor;
    return (uint32_t)(hash >> 32);
}

#endif
