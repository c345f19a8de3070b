/* UTF-8 and what kind of character a code point is, from fixed tables (unicode_tables.h). */
#ifndef OTHERWORDS_UNICODE_H
#define OTHERWORDS_UNICODE_H

#include <stdint.h>

#define CODE_POINTS 0x110000

enum kind { OTHER, LETTER, MARK, DIGIT, NUMBER, PUNCTUATION, SYMBOL, SEPARATOR, KIND_BITS = 7, CONTINUOUS = 8 };

typedef struct {
    uint32_t point;
    unsigned length; /* in bytes */
} Char;

/* One byte per code point, filled once when the module is loaded: a kind, and the flag CONTINUOUS. */
extern uint8_t char_kinds[CODE_POINTS];

void unicode_load(void);
const char *unicode_version(void);
int script_count(void);
const char *script_name(int script);
int script_of(uint32_t point);

/* The character at `at`, which lies before `end`. Arrow has checked the bytes; a truncated
   sequence nevertheless becomes U+FFFD and nothing is read past the end. */
static inline Char char_at(const unsigned char *at, const unsigned char *end)
{
    static const uint8_t lengths[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
    Char found = {at[0], 1};
    if (at[0] < 0x80)
        return found;
    found.length = lengths[at[0] >> 4];
    if ((unsigned long)(end - at) < found.length || found.length == 1) {
        found.point = 0xfffd;
        found.length = 1;
        return found;
    }
    if (found.length == 2)
        found.point = (at[0] & 0x1fu) << 6 | (at[1] & 0x3fu);
    else if (found.length == 3)
        found.point = (at[0] & 0x0fu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
    else
        found.point = (at[0] & 0x07u) << 18 | (at[1] & 0x3fu) << 12 | (at[2] & 0x3fu) << 6 | (at[3] & 0x3fu);
    if (found.point >= CODE_POINTS)
        found.point = 0xfffd;
    return found;
}

static inline int is_blank_ascii(unsigned char byte)
{
    return byte == ' ' || (byte >= 0x09 && byte <= 0x0d) || (byte >= 0x1c && byte <= 0x1f);
}

/* White space as defined by str.isspace() and str.split(). */
static inline int is_blank(uint32_t point)
{
    if (point < 0x80)
        return is_blank_ascii((unsigned char)point);
    return point == 0x85 || point == 0xa0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200a) ||
           point == 0x2028 || point == 0x2029 || point == 0x202f || point == 0x205f || point == 0x3000;
}

#endif
