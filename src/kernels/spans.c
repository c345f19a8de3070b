/* Tokens, their offsets and the scripts of a single text. */
#include "statistics.h"
#include "tokenise.h"
#include "unicode.h"

static int read_text(PyObject *args, Text *text, int *tokeniser)
{
    PyObject *string;
    if (!PyArg_ParseTuple(args, "Ui", &string, tokeniser))
        return -1;
    if (*tokeniser < 0 || *tokeniser >= TOKENISERS) {
        PyErr_Format(PyExc_ValueError, "no tokeniser %d", *tokeniser);
        return -1;
    }
    Py_ssize_t length;
    text->bytes = (const unsigned char *)PyUnicode_AsUTF8AndSize(string, &length);
    text->length = (size_t)length;
    return text->bytes == NULL ? -1 : 0;
}

PyObject *tokens(PyObject *module, PyObject *args)
{
    (void)module;
    Text text;
    int tokeniser;
    if (read_text(args, &text, &tokeniser) < 0)
        return NULL;
    TokenList list = {0};
    PyObject *found = NULL;
    if (tokenise(tokeniser, text, &list) < 0)
        PyErr_NoMemory();
    else
        found = PyList_New((Py_ssize_t)list.count);
    for (size_t i = 0; found != NULL && i < list.count; i++) {
        Token token = list.tokens[i];
        PyObject *string = PyUnicode_DecodeUTF8((const char *)token.at, (Py_ssize_t)token.length, "replace");
        if (string == NULL || PyList_SetItem(found, (Py_ssize_t)i, string) < 0)
            Py_CLEAR(found);
    }
    tokens_free(&list);
    return found;
}

/* The number of characters between two places. */
static Py_ssize_t characters(const unsigned char *from, const unsigned char *to)
{
    Py_ssize_t count = 0;
    for (; from < to; from++)
        count += (*from & 0xc0) != 0x80;
    return count;
}

PyObject *token_spans(PyObject *module, PyObject *args)
{
    (void)module;
    Text text;
    int tokeniser;
    if (read_text(args, &text, &tokeniser) < 0)
        return NULL;
    if (tokeniser != BLANK && tokeniser != WORDS && tokeniser != CHARACTERS) {
        PyErr_SetString(PyExc_ValueError, "this tokeniser rewrites the text: its tokens have no place in it");
        return NULL;
    }
    TokenList list = {0};
    PyObject *found = NULL;
    if (tokenise(tokeniser, text, &list) < 0)
        PyErr_NoMemory();
    else
        found = PyList_New((Py_ssize_t)list.count);
    const unsigned char *at = list.copy.at;
    Py_ssize_t position = 0;
    for (size_t i = 0; found != NULL && i < list.count; i++) {
        Token token = list.tokens[i];
        position += characters(at, token.at);
        Py_ssize_t end = position + characters(token.at, token.at + token.length);
        PyObject *span = Py_BuildValue("(nn)", position, end);
        if (span == NULL || PyList_SetItem(found, (Py_ssize_t)i, span) < 0)
            Py_CLEAR(found);
        position = end;
        at = token.at + token.length;
    }
    tokens_free(&list);
    return found;
}

PyObject *script_counts(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *string;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(args, "U", &string))
        return NULL;
    const unsigned char *at = (const unsigned char *)PyUnicode_AsUTF8AndSize(string, &length);
    if (at == NULL)
        return NULL;
    Py_ssize_t counts[256] = {0};
    for (const unsigned char *end = at + length; at < end;) {
        Char c = char_at(at, end);
        counts[script_of(c.point)]++;
        at += c.length;
    }
    PyObject *found = PyDict_New();
    for (int script = 0; found != NULL && script < script_count(); script++) {
        if (counts[script] == 0)
            continue;
        PyObject *count = PyLong_FromSsize_t(counts[script]);
        if (count == NULL || PyDict_SetItemString(found, script_name(script), count) < 0)
            Py_CLEAR(found);
        Py_XDECREF(count);
    }
    return found;
}
