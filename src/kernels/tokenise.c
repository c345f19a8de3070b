/* The plain tokenisers (blanks, characters) and the choice among all of them. */
#include "tokenise.h"

#include "unicode.h"

/* str.split(): runs of anything but white space. */
int split_blanks(Text text, TokenList *list)
{
    const unsigned char *at = text.bytes, *end = at + text.length, *start = NULL;
    while (at < end) {
        /* U+0085 and U+00A0 begin with C2, the other wide blanks with E1, E2 or E3 */
        int plain = *at < 0x80 || (*at > 0xc2 && *at < 0xe1) || *at > 0xe3;
        Char c = {*at, 1};
        if (!plain)
            c = char_at(at, end);
        if (plain && *at >= 0x80 ? 0 : is_blank(c.point)) {
            if (start != NULL && tokens_push(list, start, at) < 0)
                return -1;
            start = NULL;
        } else if (start == NULL) {
            start = at;
        }
        at += c.length;
    }
    return start == NULL ? 0 : tokens_push(list, start, end);
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
