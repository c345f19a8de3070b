/* Gives codes to characters, and translates texts. */
#include "codes.h"

#include <string.h>

#include "bits.h"

int alphabet_begin(Alphabet *alphabet)
{
    if (alphabet->codes == NULL && (alphabet->codes = calloc(CODE_POINTS, 1)) == NULL)
        return -1;
    const uint32_t *points = alphabet->points.at;
    for (size_t i = 0; i < alphabet->pointed; i++)
        alphabet->codes[points[i]] = NO_CODE;
    alphabet->pointed = 0;
    alphabet->symbols[BLANK_CODE] = ' ';
    alphabet->given = BLANK_CODE + 1;
    return 0;
}

void alphabet_free(Alphabet *alphabet)
{
    free(alphabet->codes);
    block_free(&alphabet->points);
}

/* Gives a code to a character. */
static int learn(Alphabet *alphabet, uint32_t point)
{
    uint32_t symbol = alphabet->folding[point];
    unsigned code = BLANK_CODE;
    if (symbol == CONTEXT)
        return NEEDS_CONTEXT;
    while (code < alphabet->given && alphabet->symbols[code] != symbol)
        code++;
    if (code == CODES)
        return NOT_PACKED;
    if (block_reserve(&alphabet->points, alphabet->pointed + 1, sizeof(uint32_t)) < 0)
        return -1;
    ((uint32_t *)alphabet->points.at)[alphabet->pointed++] = point;
    alphabet->symbols[code] = symbol;
    alphabet->given += code == alphabet->given;
    alphabet->codes[point] = (uint8_t)code;
    return READ;
}

static int learn_all(Alphabet *alphabet, Text text)
{
    const unsigned char *at = text.bytes, *end = at + text.length;
    int status = READ;
    while (at < end && status == READ) {
        Char c = char_at(at, end);
        if (alphabet->codes[c.point] == NO_CODE)
            status = learn(alphabet, c.point);
        at += c.length;
    }
    return status;
}

/* Eight bytes of characters of one or two bytes each, and the byte after them. There is no branch, as letters with and
   without marks alternate: what is written for the second byte of a character is overwritten by the next one. */
static inline unsigned char *translate_eight(const uint8_t *table, const unsigned char *at, unsigned char *out)
{
    for (int i = 0; i < 8; i++) {
        uint32_t first = at[i], two = (first & 0x1f) << 6 | (at[i + 1] & 0x3f);
        uint32_t is_two = (uint32_t)(first < 0xc0) - 1; /* all bits, or none */
        OPAQUE(is_two);
        *out = table[first ^ ((first ^ two) & is_two)];
        out += (first & 0xc0) != 0x80;
    }
    return out;
}

unsigned char *translate(const uint8_t *table, Text text, unsigned char *out)
{
    const unsigned char *at = text.bytes, *end = at + text.length;
    while (at < end) {
        uint64_t eight = end - at > 8 ? load_eight(at) : ~UINT64_C(0);
        if (not_ascii(eight) == 0) {
            for (int i = 0; i < 8; i++)
                out[i] = table[at[i]];
            out += 8;
            at += 8;
        } else if (begins_wide(eight) == 0) {
            out = translate_eight(table, at, out);
            at += 8;
        } else if ((*at & 0xc0) == 0x80) { /* the first byte of this character was among the eight before */
            at++;
        } else {
            Char c = char_at(at, end);
            *out++ = table[c.point];
            at += c.length;
        }
    }
    return out;
}

int codes_write(Alphabet *alphabet, Text text, unsigned char *codes, unsigned char **end)
{
    *end = translate(alphabet->codes, text, codes);
    if (memchr(codes, NO_CODE, (size_t)(*end - codes)) == NULL)
        return READ;
    int status = learn_all(alphabet, text);
    *end = translate(alphabet->codes, text, codes);
    return status;
}
