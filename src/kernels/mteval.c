/* sacrebleu's tokenisers 13a, intl and zh: the rules of the NIST scripts mteval-v13a and -v14.

   Each is a chain of substitutions over the whole line, applied one after the other. Here a unit (a byte, or
   for intl a character) flows through all of them at once: a stage that looks back remembers whether the unit
   before it is still free, a stage that looks ahead delays one unit. Substitutions insert nothing but blanks, so tokens
   are stretches of the line, and a blank ends one.

     13a   " line " : blanks around ASCII punctuation; . and , cut off unless between digits; - after a digit
     zh     line    : blanks around the ranges below, then as 13a
     intl   line    : punctuation cut off unless between numbers; blanks around symbols */
#include <string.h>

#include "bits.h"
#include "tokenise.h"
#include "unicode.h"

enum { STOP = 1, NUMERAL = 2, DASH = 4, LONE = 8, GAP = 16 };

typedef struct {
    const unsigned char *at;
    unsigned length;
    int traits; /* STOP: . , or any punctuation; NUMERAL; DASH: a hyphen; LONE: a symbol; GAP: white space */
} Unit;

typedef struct {
    TokenList *list;
    const unsigned char *start, *end;          /* of the token that is not finished; no start: there is none */
    enum { TAKEN, FREE, FREE_NUMERAL } before; /* the unit before, for the stage that looks back */
    Unit held;                                 /* a STOP that waits for the unit after it */
    int after_numeral;
    int status; /* -1: no memory */
} Line;

static const Unit SPACE = {NULL, 1, GAP};

static inline void finish_token(Line *line)
{
    if (line->start == NULL)
        return;
    if (tokens_push(line->list, line->start, line->end) < 0)
        line->status = -1;
    line->start = NULL;
}

static inline void write_unit(Line *line, Unit unit)
{
    int apart = (unit.traits & LONE) || ((unit.traits & DASH) && line->after_numeral);
    if (apart || (unit.traits & GAP))
        finish_token(line);
    line->after_numeral = unit.traits & NUMERAL;
    if (unit.traits & GAP)
        return;
    if (line->start == NULL)
        line->start = unit.at;
    line->end = unit.at + unit.length;
    if (apart)
        finish_token(line);
}

/* (STOP)(not NUMERAL) → " 1 2" */
static inline void look_ahead(Line *line, Unit unit)
{
    if (line->held.length) {
        int apart = !(unit.traits & NUMERAL);
        if (apart)
            write_unit(line, SPACE);
        write_unit(line, line->held);
        if (apart)
            write_unit(line, SPACE);
        line->held.length = 0;
        write_unit(line, unit);
    } else if (unit.traits & STOP) {
        line->held = unit;
    } else {
        write_unit(line, unit);
    }
}

/* (not NUMERAL)(STOP) → "1 2 " */
static inline void look_back(Line *line, Unit unit)
{
    if ((unit.traits & STOP) && line->before == FREE) {
        look_ahead(line, SPACE);
        look_ahead(line, unit);
        look_ahead(line, SPACE);
        line->before = TAKEN;
    } else {
        look_ahead(line, unit);
        line->before = unit.traits & NUMERAL ? FREE_NUMERAL : FREE;
    }
}

static void finish(Line *line)
{
    if (line->held.length)
        write_unit(line, line->held);
    line->held.length = 0;
    finish_token(line);
}

/* Traits of bytes. CUT, with blanks around: { | } ~   [ \ ] ^ _ `   ! " # $ % &   ( ) * +   : ; < = > ? @   /
   The rule includes the blank itself, which changes nothing. WIDE: white space of several bytes may begin here. */
enum { CUT = 32, WIDE = 64 };

static const uint8_t byte_traits[256] = {
    ['{'] = CUT, ['|'] = CUT, ['}'] = CUT, ['~'] = CUT, ['['] = CUT, ['\\'] = CUT, [']'] = CUT,  ['^'] = CUT,
    ['_'] = CUT, ['`'] = CUT, ['!'] = CUT, ['"'] = CUT, ['#'] = CUT, ['$'] = CUT,  ['%'] = CUT,  ['&'] = CUT,
    ['('] = CUT, [')'] = CUT, ['*'] = CUT, ['+'] = CUT, [':'] = CUT, [';'] = CUT,  ['<'] = CUT,  ['='] = CUT,
    ['>'] = CUT, ['?'] = CUT, ['@'] = CUT, ['/'] = CUT, ['.'] = STOP, [','] = STOP, ['-'] = DASH, ['0'] = NUMERAL,
    ['1'] = NUMERAL, ['2'] = NUMERAL, ['3'] = NUMERAL, ['4'] = NUMERAL, ['5'] = NUMERAL, ['6'] = NUMERAL,
    ['7'] = NUMERAL, ['8'] = NUMERAL, ['9'] = NUMERAL, [' '] = GAP, [0x09] = GAP, [0x0a] = GAP, [0x0b] = GAP,
    [0x0c] = GAP, [0x0d] = GAP, [0x1c] = GAP, [0x1d] = GAP, [0x1e] = GAP, [0x1f] = GAP, [0xc2] = WIDE, [0xe1] = WIDE,
    [0xe2] = WIDE, [0xe3] = WIDE,
};

/* Letters of any kind are not of interest. */
static uint64_t signs_among(const unsigned char *at)
{
    uint64_t signs = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t eight = load_eight(at + i);
        uint64_t plain = ascii_letters(eight) | (not_ascii(eight) & ~begins_wide(eight) & ~equal_to(eight, 0xc2));
        signs |= gather(plain ^ TOPS) << i;
    }
    return signs;
}

static void feed_western(Line *line, const unsigned char *at, const unsigned char *end)
{
    Scanner scanner = {NULL, 0};
    while (at < end) {
        uint8_t traits = byte_traits[*at];
        Unit unit = {at, 1, traits};
        if (traits == 0 && line->held.length == 0) { /* most bytes: the same as look_back, for many of them at once */
            if (line->start == NULL)
                line->start = at;
            at = scan(&scanner, at + 1, end, signs_among);
            line->end = at;
            line->before = FREE;
            line->after_numeral = 0;
            continue;
        }
        if (traits == WIDE) {
            Char c = char_at(at, end);
            unit = (Unit){at, c.length, is_blank(c.point) ? GAP : 0};
        }
        if (traits == CUT)
            look_back(line, SPACE);
        look_back(line, unit);
        if (traits == CUT)
            look_back(line, SPACE);
        at += unit.length;
    }
}

/* The characters that sacrebleu treats as Chinese. Its list is meant to include the planes above the first, but
   writes them with four digits and so has U+2001–2A6D and U+2F81–2FA1 instead; equal values matter more. */
static int is_chinese(uint32_t c)
{
    static const uint16_t ranges[][2] = {
        {0x2001, 0x2a6d}, {0x2e80, 0x2fdf}, {0x2ff0, 0x303f}, {0x3100, 0x312f}, {0x31a0, 0x31bf}, {0x31c0, 0x31ef},
        {0x3200, 0x4db5}, {0x4e00, 0x9fbb}, {0xf900, 0xfa2d}, {0xfa30, 0xfa6a}, {0xfa70, 0xfad9}, {0xfe10, 0xfe1f},
        {0xfe30, 0xfe4f}, {0xff00, 0xffef},
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return 1;
    return 0;
}

static void feed_zh(Line *line, Text text)
{
    const unsigned char *end = text.bytes + text.length;
    for (const unsigned char *at = text.bytes; at < end;) {
        Char c = char_at(at, end);
        int chinese = is_chinese(c.point);
        if (chinese)
            look_back(line, SPACE);
        feed_western(line, at, at + c.length);
        if (chinese)
            look_back(line, SPACE);
        at += c.length;
    }
}

static void feed_intl(Line *line, Text text)
{
    const unsigned char *end = text.bytes + text.length;
    for (const unsigned char *at = text.bytes; at < end;) {
        Char c = char_at(at, end);
        Unit unit = {at, c.length, is_blank(c.point) ? GAP : 0};
        switch (char_kinds[c.point] & KIND_BITS) {
        case PUNCTUATION:
            unit.traits = STOP;
            break;
        case SYMBOL:
            unit.traits = LONE;
            break;
        case DIGIT:
        case NUMBER:
            unit.traits = NUMERAL;
        }
        look_back(line, unit);
        at += c.length;
    }
}

static void feed_13a(Line *line, Text text)
{
    look_back(line, SPACE);
    feed_western(line, text.bytes, text.bytes + text.length);
    look_back(line, SPACE);
}

/* str.replace, in place: `to` is never longer than `from`. */
static void replace_all(unsigned char *text, size_t *length, const char *from, const char *to)
{
    size_t width = strlen(from), written = 0;
    for (size_t i = 0; i < *length;) {
        if (*length - i >= width && memcmp(text + i, from, width) == 0) {
            memcpy(text + written, to, strlen(to));
            written += strlen(to);
            i += width;
        } else {
            text[written++] = text[i++];
        }
    }
    *length = written;
}

/* What 13a does to the line before tokenising: entities, line ends, and mteval's mark for skipped text. */
static void clean_13a(Text *text, TokenList *list)
{
    if (!memchr(text->bytes, '&', text->length) && !memchr(text->bytes, '\n', text->length) &&
        !memchr(text->bytes, '<', text->length))
        return;
    unsigned char *copy = list->copy.at;
    replace_all(copy, &text->length, "<skipped>", "");
    replace_all(copy, &text->length, "-\n", "");
    replace_all(copy, &text->length, "\n", " ");
    replace_all(copy, &text->length, "&quot;", "\"");
    replace_all(copy, &text->length, "&amp;", "&");
    replace_all(copy, &text->length, "&lt;", "<");
    replace_all(copy, &text->length, "&gt;", ">");
}

/* str.rstrip(), which sacrebleu applies to every line. */
static Text strip_end(Text text)
{
    while (text.length) {
        size_t start = text.length - 1;
        while (start && text.bytes[start] >= 0x80 && text.bytes[start] < 0xc0)
            start--;
        if (!is_blank(char_at(text.bytes + start, text.bytes + text.length).point))
            break;
        text.length = start;
    }
    return text;
}

static Text strip_start(Text text)
{
    while (text.length) {
        Char c = char_at(text.bytes, text.bytes + text.length);
        if (!is_blank(c.point))
            break;
        text.bytes += c.length;
        text.length -= c.length;
    }
    return text;
}

int split_mteval(int tokeniser, Text text, TokenList *list)
{
    text = strip_end(text);
    if (tokeniser == ZH)
        text = strip_start(text);
    if (tokeniser == MTEVAL_13A)
        clean_13a(&text, list);
    Line line = {.list = list, .before = TAKEN};
    if (tokeniser == INTL)
        feed_intl(&line, text);
    else if (tokeniser == ZH)
        feed_zh(&line, text);
    else
        feed_13a(&line, text);
    finish(&line);
    return line.status;
}
