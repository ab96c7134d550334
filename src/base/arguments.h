/* Command lines. One table says which options and words a command takes. It reads and checks them, names the
 * nearest when one is unknown, and makes the help (base/usage.h).
 *
 *     -name value   --name value   -name=value   --name=value     the same, for every option
 *     --flag        --flag=no
 *     -each tc=8+0.08 option.Hash=16      an option with key=value words, as fastchess has them
 *     --                                  all that follows are words
 *
 * Whole numbers may end in k, M or G (thousands, millions, thousand millions), durations in ms, s, m or h.
 * Files of settings have the same table: a line is "name = value", # begins a comment.
 * A target keeps its value when it is not named. Texts are not copied: they point into argv or into the
 * file's text. Pure; any thread may call on its own data. */
#ifndef LUFT_BASE_ARGUMENTS_H
#define LUFT_BASE_ARGUMENTS_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ArgumentKind {
    ARGUMENT_HEADING, /* lines of the help; `help` is the text */
    ARGUMENT_FLAG,    /* bool */
    ARGUMENT_INT,     /* int, int64_t, uint64_t, double within [low, high]; */
    ARGUMENT_WHOLE,   /* what is outside (or not a number) when the help is printed has no default */
    ARGUMENT_COUNT,
    ARGUMENT_REAL,
    ARGUMENT_SECONDS, /* double */
    ARGUMENT_TEXT,    /* const char *; NULL: no default */
    ARGUMENT_CHOICE,  /* int: which of the words in `placeholder`, from 0 */
    ARGUMENT_LIST,    /* ArgumentList: all further words that are no option */
    ARGUMENT_WORDS,   /* words with a '=', given to a function */
    ARGUMENT_KEYS,    /* words key=value, read by a table of their own */
    ARGUMENT_TABLE    /* the rows of another table */
} ArgumentKind;

/* Words that are no options, in order; they point into argv, which is rearranged for it. */
typedef struct ArgumentList {
    char **word;
    int count;
} ArgumentList;

/* Takes the option itself (`word` NULL), then each of its words. */
typedef Status ArgumentWord(void *context, const char *word);

typedef struct Argument {
    ArgumentKind kind;
    const char *name;        /* without dashes; of a word: as the help shows it */
    const char *placeholder; /* for the value: "N"; of a choice its words: "epd pgn", "level/equal other" */
    const char *help;        /* what it is, without the default */
    void *target;
    double low, high;
    bool is_word, is_optional; /* no option but a word */
    int length;                /* of a series: 1,2,3; the last value counts for all further. 0: no series */
    size_t stride;             /* of a series: bytes from one target to the next */
    ArgumentWord *take;
    const struct Argument *table;
    size_t count;
} Argument;

/* A table as two members of an initialiser or two arguments. */
#define ARGUMENTS(table) (table), sizeof(table) / sizeof *(table)

#define ARGUMENT_UNLIMITED 9e18 /* a range that the help need not tell */

/* --- Rows. The types of their targets are checked by the compiler. --- */

static inline Argument argument_heading(const char *text) {
    return (Argument){.kind = ARGUMENT_HEADING, .help = text};
}
static inline Argument option_flag(const char *name, bool *target, const char *help) {
    return (Argument){.kind = ARGUMENT_FLAG, .name = name, .target = target, .help = help};
}
static inline Argument option_int(const char *name, const char *placeholder, int *target, int low, int high,
                                  const char *help) {
    return (Argument){ARGUMENT_INT, name, placeholder, help, target, low, high, .length = 0};
}
static inline Argument option_whole(const char *name, const char *placeholder, int64_t *target, double low,
                                    double high, const char *help) {
    return (Argument){ARGUMENT_WHOLE, name, placeholder, help, target, low, high, .length = 0};
}
static inline Argument option_count(const char *name, const char *placeholder, uint64_t *target, double low,
                                    double high, const char *help) {
    return (Argument){ARGUMENT_COUNT, name, placeholder, help, target, low, high, .length = 0};
}
static inline Argument option_real(const char *name, const char *placeholder, double *target, double low,
                                   double high, const char *help) {
    return (Argument){ARGUMENT_REAL, name, placeholder, help, target, low, high, .length = 0};
}
static inline Argument option_seconds(const char *name, double *target, double low, double high,
                                      const char *help) {
    return (Argument){ARGUMENT_SECONDS, name, "S", help, target, low, high, .length = 0};
}
static inline Argument option_text(const char *name, const char *placeholder, const char **target,
                                   const char *help) {
    return (Argument){ARGUMENT_TEXT, name, placeholder, help, target, .length = 0};
}
static inline Argument option_choice(const char *name, const char *words, int *target, const char *help) {
    return (Argument){ARGUMENT_CHOICE, name, words, help, target, .length = 0};
}
static inline Argument option_words(const char *name, const char *placeholder, ArgumentWord *take,
                                    void *context, const char *help) {
    return (Argument){ARGUMENT_WORDS, name, placeholder, help, context, .take = take};
}
static inline Argument option_keys(const char *name, const Argument *table, size_t count, const char *help) {
    return (Argument){ARGUMENT_KEYS, name, "", help, .table = table, .count = count};
}
static inline Argument options_of(const Argument *table, size_t count) {
    return (Argument){.kind = ARGUMENT_TABLE, .table = table, .count = count};
}

/* A word that is needed, or that may be missing: one of the rows above, with a placeholder for its name. */
static inline Argument argument_word(Argument option) {
    option.is_word = true;
    return option;
}
static inline Argument argument_optional(Argument option) {
    option.is_word = option.is_optional = true;
    return option;
}
/* All further words, `low` at least. */
static inline Argument argument_words(const char *name, ArgumentList *target, int low, const char *help) {
    return (Argument){ARGUMENT_LIST, name, name, help, target, low, .is_word = true, .is_optional = low == 0};
}
/* The row's numbers, separated by commas, for `length` targets `stride` bytes apart. */
static inline Argument argument_series(Argument option, int length, size_t stride) {
    option.length = length;
    option.stride = stride;
    return option;
}

/* Whether a word asks for help: --help, -h or help. */
bool arguments_asks_for_help(const char *word);

/* Reads argv[1] and on. Where the line asks for help (--help, -h, or "help" alone), `*help` becomes true and
 * nothing is read. */
Status arguments_read(const Argument *table, size_t count, int argc, char **argv, bool *help);

/* Reads lines of settings. The text is cut into pieces in place and must outlive the targets. The reason
 * names the line. */
Status arguments_read_settings(const Argument *table, size_t count, TextBuffer *text);

#endif
