/* The tokeniser `words`, for any language, by fixed Unicode tables.

   A word is a run of letters, marks, numbers and _; an apostrophe, hyphen, middle dot or colon stays inside
   it between letters or numbers, a full stop or comma between digits. In scripts written without blanks every
   character is a token. Everything else is a token of its own, with its marks; emoji sequences stay whole.
   White space, control and format characters separate and are dropped. */
#include "bits.h"
#include "tokenise.h"
#include "unicode.h"

enum {
    SOFT_HYPHEN = 0xad,
    MIDDLE_DOT = 0xb7,
    ZWNJ = 0x200c,
    ZWJ = 0x200d,
    HYPHEN = 0x2010,
    RIGHT_QUOTE = 0x2019,
    FIRST_REGIONAL = 0x1f1e6,
    LAST_REGIONAL = 0x1f1ff,
    FIRST_SKIN_TONE = 0x1f3fb,
    LAST_SKIN_TONE = 0x1f3ff,
};

/* The next character with its kind; at the end a separator of no length. */
typedef struct {
    uint32_t point;
    unsigned length;
    int kind; /* with the flag CONTINUOUS */
} Next;

static inline Next look(const unsigned char *at, const unsigned char *end)
{
    if (at >= end)
        return (Next){0, 0, SEPARATOR};
    Char c = char_at(at, end);
    return (Next){c.point, c.length, char_kinds[c.point]};
}

static inline int is_solid(int kind) /* a letter or number of a script with blanks */
{
    return kind == LETTER || kind == DIGIT || kind == NUMBER;
}

static inline int is_invisible_joiner(uint32_t point)
{
    return point == ZWNJ || point == ZWJ || point == SOFT_HYPHEN;
}

static inline int is_inner(uint32_t point)
{
    return point == '\'' || point == '-' || point == ':' || point == RIGHT_QUOTE || point == HYPHEN ||
           point == MIDDLE_DOT;
}

static const unsigned char *skip_marks(const unsigned char *at, const unsigned char *end)
{
    Next next = look(at, end);
    while (next.kind == MARK) {
        at += next.length;
        next = look(at, end);
    }
    return at;
}

/* Skips joiners and marks that are followed by more of the word; NULL when the word ends. */
static const unsigned char *skip_joiners(const unsigned char *at, const unsigned char *end)
{
    Next next = look(at, end);
    while (is_invisible_joiner(next.point) || next.kind == MARK) {
        at += next.length;
        next = look(at, end);
    }
    return is_solid(next.kind) || next.point == '_' ? at : NULL;
}

/* What does not continue a run of letters of one or two bytes each. The second bytes of others do, but are never
   looked at. */
static uint64_t breaks_among(const unsigned char *at)
{
    uint64_t breaks = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t eight = load_eight(at + i);
        if (not_ascii(eight) == 0) {
            breaks |= gather(ascii_letters(eight) ^ TOPS) << i;
            continue;
        }
        for (int j = i; j < i + 8; j++) {
            uint32_t first = at[j], two = (first & 0x1f) << 6 | (at[j + 1] & 0x3f);
            uint32_t is_two = (uint32_t)(first < 0xc0) - 1; /* all bits, or none */
            OPAQUE(is_two);
            uint32_t kind = char_kinds[first ^ ((first ^ two) & is_two)];
            breaks |= (uint64_t)(((kind != LETTER) & ((first & 0xc0) != 0x80)) | (first >= 0xe0)) << j;
        }
    }
    return breaks;
}

static const unsigned char *word_end(const unsigned char *at, const unsigned char *end, Scanner *scanner)
{
    int after_solid = 0, after_digit = 0;
    for (;;) {
        const unsigned char *letters_end = scan(scanner, at, end, breaks_among);
        if (letters_end > at) {
            after_solid = 1;
            after_digit = 0;
            at = letters_end;
        }
        Next next = look(at, end);
        if (is_solid(next.kind)) {
            after_solid = 1;
            after_digit = next.kind == DIGIT;
        } else if (next.kind == MARK) {
            after_digit = 0;
        } else if (next.point == '_') {
            after_solid = after_digit = 0;
        } else if (is_invisible_joiner(next.point)) {
            const unsigned char *inside = skip_joiners(at, end);
            if (inside == NULL)
                return at;
            at = inside;
            after_digit = 0;
            continue;
        } else if ((is_inner(next.point) && after_solid) ||
                   ((next.point == '.' || next.point == ',') && after_digit)) {
            int behind = look(at + next.length, end).kind;
            if (is_inner(next.point) ? !is_solid(behind) : behind != DIGIT)
                return at;
        } else {
            return at;
        }
        at += next.length;
    }
}

/* A symbol with its marks and skin tone, a pair of regional indicators, a sequence joined by ZWJ. */
static const unsigned char *symbol_end(const unsigned char *at, const unsigned char *end)
{
    Next next = look(at, end);
    int regional = next.point >= FIRST_REGIONAL && next.point <= LAST_REGIONAL;
    at += next.length;
    next = look(at, end);
    if (regional && next.point >= FIRST_REGIONAL && next.point <= LAST_REGIONAL)
        at += next.length;
    for (;;) {
        at = skip_marks(at, end);
        next = look(at, end);
        if (next.point >= FIRST_SKIN_TONE && next.point <= LAST_SKIN_TONE) {
            at += next.length;
        } else if (next.point == ZWJ && look(at + next.length, end).kind == SYMBOL) {
            at += next.length;
            at += look(at, end).length;
        } else {
            return at;
        }
    }
}

int split_words(Text text, TokenList *list)
{
    const unsigned char *at = text.bytes, *end = at + text.length;
    Scanner scanner = {NULL, 0};
    while (at < end) {
        const unsigned char *start = at;
        Next next = look(at, end);
        if (next.kind == SEPARATOR) {
            at += next.length;
            continue;
        }
        if (is_solid(next.kind) || next.kind == MARK || next.point == '_')
            at = word_end(at, end, &scanner);
        else if (next.kind == SYMBOL)
            at = symbol_end(at, end);
        else
            at = skip_marks(at + next.length, end);
        if (tokens_push(list, start, at) < 0)
            return -1;
    }
    return 0;
}
