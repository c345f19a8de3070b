/* The module otherwords._kernels: statistics of text pairs over Arrow buffers, and neighbours of vectors, with the
   GIL released. */
#include "documents.h"
#include "near.h"
#include "nearest.h"
#include "statistics.h"
#include "tokenise.h"
#include "unicode.h"

static PyMethodDef methods[] = {
    {"clipped_tokens", clipped_tokens, METH_VARARGS, "n-grams of tokens per order: of each text, matched and clipped"},
    {"distinct_tokens", distinct_tokens, METH_VARARGS, "distinct n-grams of tokens per order: of each text, of both"},
    {"token_counts", token_counts, METH_VARARGS, "how many tokens each text has"},
    {"clipped_characters", clipped_characters, METH_VARARGS, "as clipped_tokens, on characters other than blanks"},
    {"cosine", cosine, METH_VARARGS, "character n-grams within words: dot product, squared norms, needs context"},
    {"tfidf", tfidf, METH_VARARGS, "as cosine, with the weights of a vocabulary"},
    {"frequencies_new", frequencies_new, METH_NOARGS, "an empty vocabulary"},
    {"frequencies_add", frequencies_add, METH_VARARGS, "count documents into a vocabulary; which need context"},
    {"frequencies_join", frequencies_join, METH_VARARGS, "add the second vocabulary to the first"},
    {"frequencies_size", frequencies_size, METH_VARARGS, "how many n-grams and documents"},
    {"frequencies_digest", frequencies_digest, METH_VARARGS, "a number for n-grams and frequencies"},
    {"frequencies_read", frequencies_read, METH_VARARGS, "document frequencies, in order of appearance"},
    {"frequencies_weigh", frequencies_weigh, METH_VARARGS, "weights in place of the frequencies"},
    {"common_subsequence", common_subsequence, METH_VARARGS, "tokens of each text, longest common subsequence"},
    {"edit_distance", edit_distance, METH_VARARGS, "characters of each text, Levenshtein distance"},
    {"gram_table", gram_table, METH_VARARGS, "a hash of the spelling of every n-gram, and its weight"},
    {"document_grams", document_grams, METH_VARARGS, "the n-grams of documents by rank, with their counts"},
    {"shared_products", shared_products, METH_VARARGS, "adds the products of all pairs of two batches"},
    {"pair_products", pair_products, METH_VARARGS, "products of chosen pairs, in double precision"},
    {"near_index", near_index, METH_VARARGS, "pairs by the rarest trigrams of their texts"},
    {"near_candidates", near_candidates, METH_VARARGS, "the pairs of an index and of a block that may be similar"},
    {"character_counts", character_counts, METH_VARARGS, "how many characters of each class each text has"},
    {"likely_copies", likely_copies, METH_VARARGS, "whether the letters of one text occur in those of the other"},
    {"text_buffers", text_buffers, METH_O, "the offsets and bytes of a column of texts"},
    {"join_rows", join_rows, METH_VARARGS, "the nearest of all rows of one side among those of the other"},
    {"join_cells", join_cells, METH_VARARGS, "in each cell the rows that probe it with the rows in it"},
    {"refine_lists", refine_lists, METH_VARARGS, "neighbours of neighbours"},
    {"snapshot_lists", snapshot_lists, METH_VARARGS, "the neighbours in lists, marked where they are old"},
    {"offer_keys", offer_keys, METH_VARARGS, "put keys into lists"},
    {"probing_rows", probing_rows, METH_VARARGS, "the rows that probe each cell"},
    {"instructions", instructions, METH_VARARGS, "which instructions the search for neighbours uses"},
    {"halves_open", halves_open, METH_VARARGS, "rows of half-precision numbers in shards"},
    {"halves_squares", halves_squares, METH_VARARGS, "the sum of squares of each row"},
    {"halves_products", halves_products, METH_VARARGS, "the product of each row with a query"},
    {"halves_quantise", halves_quantise, METH_VARARGS, "rows in whole steps of 8 or 16 bits"},
    {"halves_read_ahead", halves_read_ahead, METH_VARARGS, "pages of rows that are read next"},
    {"halves_rescore", halves_rescore, METH_VARARGS, "scores of neighbours from 16 bits"},
    {"tokens", tokens, METH_VARARGS, "the tokens of one text"},
    {"token_spans", token_spans, METH_VARARGS, "where the tokens of one text are, in code points, end exclusive"},
    {"script_counts", script_counts, METH_VARARGS, "how many characters of each script a text has"},
    {NULL, NULL, 0, NULL},
};

static int add_constants(PyObject *module)
{
    return PyModule_AddIntConstant(module, "BLANK", BLANK) | PyModule_AddIntConstant(module, "WORDS", WORDS) |
           PyModule_AddIntConstant(module, "MTEVAL_13A", MTEVAL_13A) | PyModule_AddIntConstant(module, "INTL", INTL) |
           PyModule_AddIntConstant(module, "ZH", ZH) | PyModule_AddIntConstant(module, "CHARACTERS", CHARACTERS) |
           PyModule_AddStringConstant(module, "UNICODE_VERSION", unicode_version());
}

static int load(PyObject *module)
{
    unicode_load();
    halves_load();
    return add_constants(module) < 0 ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, load}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "otherwords._kernels",
    .m_doc = "Statistics of text pairs over Arrow buffers.",
    .m_size = 0,
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__kernels(void)
{
    return PyModuleDef_Init(&definition);
}
