/* Texts into tokens. A token is a stretch of the bytes of a text. */
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
    Block memory; /* of tokens */
    Block copy;   /* of the text */
} TokenList;

/* Behind the copy of a text there are as many bytes to read, all zero. */
#define PADDING 72

/* The tokens of a text; they lie in the copy of the text in the list. */
int tokenise(int tokeniser, Text text, TokenList *list);
void tokens_free(TokenList *list);

/* The rules of one file each. */
int split_blanks(Text text, TokenList *list);
int split_words(Text text, TokenList *list);                 /* of a padded text */
int split_mteval(int tokeniser, Text text, TokenList *list); /* of a padded text, which may be changed */

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
