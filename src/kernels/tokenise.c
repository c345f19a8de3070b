/* The plain tokenisers (blanks, characters) and the choice among all of them. */
#include "tokenise.h"

#include "unicode.h"

/* Bytes that are a blank or may begin one: ASCII, U+0085 and U+00A0 (C2), the wider blanks (E1, E2, E3). */
static const uint8_t may_be_blank[256] = {
    [0x09] = 1, [0x0a] = 1, [0x0b] = 1, [0x0c] = 1, [0x0d] = 1, [0x1c] = 1, [0x1d] = 1,
    [0x1e] = 1, [0x1f] = 1, [0x20] = 1, [0xc2] = 1, [0xe1] = 1, [0xe2] = 1, [0xe3] = 1,
};

/* The length of the blank at `at`, or 0. */
static inline unsigned blank_length(const unsigned char *at, const unsigned char *end)
{
    if (!may_be_blank[*at])
        return 0;
    Char c = char_at(at, end);
    return is_blank(c.point) ? c.length : 0;
}

/* str.split(): runs of anything but white space. */
int split_blanks(Text text, TokenList *list)
{
    const unsigned char *at = text.bytes, *end = at + text.length;
    for (;;) {
        unsigned blank;
        while (at < end && (blank = blank_length(at, end)))
            at += blank;
        if (at == end)
            return 0;
        const unsigned char *start = at;
        while (at < end && !blank_length(at, end))
            at++; /* within a character no byte looks like the beginning of a blank */
        if (tokens_push(list, start, at) < 0)
            return -1;
    }
}

static int split_characters(Text text, TokenList *list)
{
    const unsigned char *at = text.bytes, *end = at + text.length;
    while (at < end) {
        Char c = char_at(at, end);
        if (!is_blank(c.point) && tokens_push(list, at, at + c.length) < 0)
            return -1;
        at += c.length;
    }
    return 0;
}

int tokenise(int tokeniser, Text text, TokenList *list)
{
    list->count = 0;
    switch (tokeniser) {
    case WORDS:
        return split_words(text, list);
    case CHARACTERS:
        return split_characters(text, list);
    case MTEVAL_13A:
    case INTL:
    case ZH:
        return split_mteval(tokeniser, text, list);
    default:
        return split_blanks(text, list);
    }
}

void tokens_free(TokenList *list)
{
    block_free(&list->memory);
    block_free(&list->rewritten);
    block_free(&list->copy);
}
