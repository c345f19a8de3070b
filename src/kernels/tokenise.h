/* Texts into tokens. A token is a stretch of bytes: of the text, or of a rewritten copy in the list. */
#ifndef OTHERWORDS_TOKENISE_H
#define OTHERWORDS_TOKENISE_H

#include "memory.h"
#include "rows.h"

enum tokeniser { BLANK, WORDS, MTEVAL_13A, INTL, ZH, CHARACTERS, TOKENISERS };

typedef struct {
    const unsigned char *at;
    size_t length;
} Token;

typedef struct {
    Token *tokens;
    size_t count;
    Block memory;    /* of tokens */
    Block rewritten; /* the text as mteval's rules leave it */
    Block copy;      /* the text without entities */
} TokenList;

int tokenise(int tokeniser, Text text, TokenList *list);
void tokens_free(TokenList *list);

/* The rules of one file each. */
int split_blanks(Text text, TokenList *list);
int split_words(Text text, TokenList *list);
int split_mteval(int tokeniser, Text text, TokenList *list);

static inline int tokens_push(TokenList *list, const unsigned char *from, const unsigned char *to)
{
    if ((list->count + 1) * sizeof(Token) > list->memory.size) {
        if (block_reserve(&list->memory, list->count + 1, sizeof(Token)) < 0)
            return -1;
        list->tokens = list->memory.at;
    }
    list->tokens[list->count++] = (Token){from, (size_t)(to - from)};
    return 0;
}

#endif
