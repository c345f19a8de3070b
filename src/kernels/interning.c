/* Token → type → number. */
#include "interning.h"

#include <string.h>

int types_begin(TypeTable *table, size_t tokens)
{
    size_t capacity = 64;
    while (capacity < 2 * tokens)
        capacity *= 2;
    if (capacity > UINT32_MAX / 2)
        return -1;
    if (capacity > table->capacity) {
        Type *slots = calloc(capacity, sizeof(Type));
        if (slots == NULL)
            return -1;
        free(table->slots);
        table->slots = slots;
        table->capacity = capacity;
        table->stamp = 0;
    }
    if (++table->stamp == 0) {
        memset(table->slots, 0, table->capacity * sizeof(Type));
        table->stamp = 1;
    }
    table->mask = (uint32_t)(capacity - 1);
    table->count = 0;
    return 0;
}

void types_free(TypeTable *table)
{
    free(table->slots);
}

static int number_tokens(TypeTable *types, const TokenList *tokens, Sequence *sequence)
{
    if (sequence_reserve(sequence, tokens->count) < 0)
        return -1;
    for (size_t i = 0; i < tokens->count; i++)
        sequence->symbols[i] = type_of(types, tokens->tokens[i])->number;
    sequence->count = tokens->count;
    return 0;
}

static int cut(TokenPair *pair, Text one, Text two)
{
    if (tokenise(pair->tokeniser, one, &pair->one_tokens) < 0 ||
        tokenise(pair->tokeniser, two, &pair->two_tokens) < 0)
        return -1;
    return types_begin(&pair->types, pair->one_tokens.count + pair->two_tokens.count);
}

int token_sets(TokenPair *pair, Text one, Text two, int64_t *out)
{
    if (cut(pair, one, two) < 0)
        return -1;
    int64_t shared = 0, of_two = 0;
    for (size_t i = 0; i < pair->one_tokens.count; i++)
        type_of(&pair->types, pair->one_tokens.tokens[i])->seen = 1;
    out[0] = pair->types.count;
    for (size_t i = 0; i < pair->two_tokens.count; i++) {
        Type *type = type_of(&pair->types, pair->two_tokens.tokens[i]);
        of_two += !(type->seen & 2);
        shared += type->seen == 1;
        type->seen |= 2;
    }
    out[1] = of_two;
    out[2] = shared;
    return 0;
}

int token_pair_read(TokenPair *pair, Text one, Text two)
{
    if (cut(pair, one, two) < 0 ||
        number_tokens(&pair->types, &pair->one_tokens, &pair->one) < 0 ||
        number_tokens(&pair->types, &pair->two_tokens, &pair->two) < 0)
        return -1;
    return 0;
}

void token_pair_free(TokenPair *pair)
{
    tokens_free(&pair->one_tokens);
    tokens_free(&pair->two_tokens);
    types_free(&pair->types);
    sequence_free(&pair->one);
    sequence_free(&pair->two);
}
