/* The plain tokenisers (blanks, characters) and the choice among all of them. */
#include "tokenise.h"

#include <string.h>

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

/* The next place that may be blank. Eight bytes are tested at once where the compiler and the byte order allow:
   for bytes under 0x21, equal to 0xC2, and from 0xE0 up; the lowest byte found is exact. */
static inline const unsigned char *next_candidate(const unsigned char *at, const unsigned char *end)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = 0x80 * ones;
    while (end - at >= 8) {
        uint64_t eight, other;
        memcpy(&eight, at, 8);
        other = eight ^ 0xc2 * ones;
        uint64_t found = (((eight - 0x21 * ones) & ~eight) | ((other - ones) & ~other) |
                          (eight & eight << 1 & eight << 2)) & tops;
        if (found)
            return at + __builtin_ctzll(found) / 8;
        at += 8;
    }
#endif
    while (at < end && !may_be_blank[*at])
        at++;
    return at;
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
        const unsigned char *start = at++;
        /* within a character no byte looks like the beginning of a blank */
        while ((at = next_candidate(at, end)) < end && !blank_length(at, end))
            at++;
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
    if (block_reserve(&list->copy, text.length + PADDING, 1) < 0)
        return -1;
    memcpy(list->copy.at, text.bytes, text.length);
    memset((unsigned char *)list->copy.at + text.length, 0, PADDING);
    text.bytes = list->copy.at;
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
    block_free(&list->copy);
}
