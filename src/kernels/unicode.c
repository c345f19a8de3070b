/* Expands the generated ranges into a table, and looks up scripts. */
#include "unicode.h"

#include <string.h>

#include "unicode_tables.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

uint8_t char_kinds[CODE_POINTS];

void unicode_load(void)
{
    for (size_t i = 0; i < LENGTH(kind_ranges); i++) {
        uint32_t first = kind_ranges[i] >> 8;
        uint32_t next = i + 1 < LENGTH(kind_ranges) ? kind_ranges[i + 1] >> 8 : CODE_POINTS;
        memset(char_kinds + first, (int)(kind_ranges[i] & 0xff), next - first);
    }
}

const char *unicode_version(void)
{
    return UNICODE_VERSION;
}

int script_count(void)
{
    return (int)LENGTH(script_names);
}

const char *script_name(int script)
{
    return script_names[script];
}

int script_of(uint32_t point)
{
    size_t low = 0, high = LENGTH(script_ranges);
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (script_ranges[middle] >> 8 <= point)
            low = middle;
        else
            high = middle;
    }
    return (int)(script_ranges[low] & 0xff);
}
