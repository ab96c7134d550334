/* Settings. A Field is one row that describes one member of a struct: its name, its value when nobody sets
 * it, its range and what it means. Whatever reads, prints or compares settings walks over a table of such
 * rows: the command line, files of settings, the help and the man page (base/usage.h), fingerprints, tables
 * of results.
 *
 *     #define FIELD_STRUCT Perft
 *     static const Field FIELDS[] = {{FIELD_WHOLE("depth", "N", depth, 1, 30, "6", "plies to count")},
 *                                    {FIELD_FLAG("divide", divide, "the count of each first move")},
 *                                    {FIELD_WORDS("FEN", fen, 0, "the position")},
 *                                    {0}};
 *
 * Command lines:
 *     -name value   --name value   -name=value   --name=value     the same, for every option
 *     --flag        --flag=no
 *     -each tc=8+0.08 option.Hash=16      an option with key=value words, as fastchess has them; a key that
 * is a flag needs no value
 *     --                                  all that follow are words
 *
 * Files of settings: a line is "name = value", # begins a comment.
 * Whole numbers may end in k, M or G (thousands, millions, thousand millions), durations in ms, s, m or h.
 * Texts are not copied: they point into argv, into the file's text or to a constant. Pure; any thread may
 * call on its own data. */
#ifndef LUFT_BASE_FIELD_H
#define LUFT_BASE_FIELD_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum FieldKind {
    FIELD_KIND_END,      /* the row after the last */
    FIELD_KIND_HEADING,  /* lines of the help; `help` is the text */
    FIELD_KIND_FLAG,     /* bool */
    FIELD_KIND_INT,      /* whole numbers: int, */
    FIELD_KIND_INT64,    /* int64_t, */
    FIELD_KIND_UINT64,   /* uint64_t */
    FIELD_KIND_REAL,     /* double */
    FIELD_KIND_SECONDS,  /* double */
    FIELD_KIND_TEXT,     /* const char * */
    FIELD_KIND_CHOICE,   /* int or an enum: which of the words in `placeholder`, from 0 */
    FIELD_KIND_WORDS,    /* WordList: all further words that are no option */
    FIELD_KIND_TAKEN,    /* words with a '=', given to `take` */
    FIELD_KIND_KEYS,     /* words key=value for the rows of `fields` */
    FIELD_KIND_ACCEPTED, /* nothing: for what other programs need, and here is so anyway */
    FIELD_KIND_ANSWERED, /* never accepted: `help` says what to write instead */
    FIELD_KIND_GROUP     /* all rows of `fields` */
} FieldKind;

enum {
    FIELD_WORD = 1,      /* no option but a word of the command line */
    FIELD_OPTIONAL = 2,  /* a word that may be missing, or a text whose value may be: then it is "" */
    FIELD_EACH = 4,      /* may have a value for each element of the series that its group is in */
    FIELD_RESULT = 8,    /* the result depends on it, or on all rows of the group: part of the fingerprint */
    FIELD_INVERTED = 16, /* see FIELD_NO */
    FIELD_REQUIRED = 32, /* a text that the command line must give */
    FIELD_BARE = 64      /* the value of the first key may stand without its name: -pgnout games.pgn */
};

/* Words that are no options, in order; they point into argv, which is rearranged for it. */
typedef struct WordList {
    char **word;
    int count;
} WordList;

/* Takes the option itself (`word` NULL), then each of its words. */
typedef Status FieldTake(void *member, const char *word);

typedef struct Field {
    const char *name;        /* without dashes; of a word: as the help shows it */
    const char *placeholder; /* for the value: "N"; of a choice its words: "epd pgn", "level/equal other" */
    const char *help;        /* what it is, without the default */
    const char *standard;    /* the value when nobody sets it, as text; NULL: what the struct has already */
    FieldKind kind;
    unsigned flags;
    size_t offset; /* of the member; of a group or keys: of the struct that `fields` describe */
    double low, high;
    int length;    /* of a series: "1,2,3"; the last value counts for all further. 0: no series */
    size_t stride; /* of a series: bytes from one member to the next */
    FieldTake *take;
    const struct Field *fields; /* of a group or keys; of a choice, or NULL: words with an answer */
} Field;

#define FIELD_UNLIMITED 9e18 /* an upper limit that is not printed */

/* --- What stands in the braces of a row. The compiler checks the type of the member. --- */

/* clang-format off */
#define FIELD_MEMBER(member) (((FIELD_STRUCT *)0)->member)
#define FIELD_IS_FLAG(member)   _Generic(FIELD_MEMBER(member), bool: FIELD_KIND_FLAG)
#define FIELD_IS_WHOLE(member)  _Generic(FIELD_MEMBER(member), int: FIELD_KIND_INT, int64_t: FIELD_KIND_INT64, \
                                         uint64_t: FIELD_KIND_UINT64)
#define FIELD_IS_REAL(member)   _Generic(FIELD_MEMBER(member), double: FIELD_KIND_REAL)
#define FIELD_IS_TIME(member)   _Generic(FIELD_MEMBER(member), double: FIELD_KIND_SECONDS)
#define FIELD_IS_TEXT(member)   _Generic(FIELD_MEMBER(member), const char *: FIELD_KIND_TEXT)
#define FIELD_IS_CHOICE(member) _Generic(FIELD_MEMBER(member), int: FIELD_KIND_CHOICE, unsigned: FIELD_KIND_CHOICE)
#define FIELD_IS_WORDS(member)  _Generic(FIELD_MEMBER(member), WordList: FIELD_KIND_WORDS)

#define FIELD_ROW(kind_, name_, placeholder_, member, standard_, help_)                                      \
    .kind = kind_, .name = name_, .placeholder = placeholder_, .offset = offsetof(FIELD_STRUCT, member),     \
    .standard = standard_, .help = help_
#define FIELD_RANGE(low_, high_) .low = low_, .high = high_

#define FIELD_HEADING(text) .kind = FIELD_KIND_HEADING, .help = text
#define FIELD_FLAG(name, member, help) FIELD_ROW(FIELD_IS_FLAG(member), name, NULL, member, NULL, help)
/* A flag that makes its member false: --no-check. */
#define FIELD_NO(name, member, help)                                                                         \
    FIELD_ROW(FIELD_IS_FLAG(member), name, NULL, member, "no", help), .flags = FIELD_INVERTED
#define FIELD_WHOLE(name, placeholder, member, low, high, standard, help)                                    \
    FIELD_ROW(FIELD_IS_WHOLE(member), name, placeholder, member, standard, help), FIELD_RANGE(low, high)
#define FIELD_REAL(name, placeholder, member, low, high, standard, help)                                     \
    FIELD_ROW(FIELD_IS_REAL(member), name, placeholder, member, standard, help), FIELD_RANGE(low, high)
#define FIELD_SECONDS(name, member, low, high, standard, help)                                               \
    FIELD_ROW(FIELD_IS_TIME(member), name, "S", member, standard, help), FIELD_RANGE(low, high)
#define FIELD_TEXT(name, placeholder, member, standard, help)                                                \
    FIELD_ROW(FIELD_IS_TEXT(member), name, placeholder, member, standard, help)
#define FIELD_CHOICE(name, words, member, standard, help)                                                    \
    FIELD_ROW(FIELD_IS_CHOICE(member), name, words, member, standard, help)
/* All further words, `least` at least. */
#define FIELD_WORDS(name, member, least, help)                                                               \
    FIELD_ROW(FIELD_IS_WORDS(member), name, name, member, NULL, help), .low = least,                         \
    .flags = FIELD_WORD | ((least) == 0 ? FIELD_OPTIONAL : 0)
#define FIELD_TAKEN(name, placeholder, member, take_, help)                                                  \
    FIELD_ROW(FIELD_KIND_TAKEN, name, placeholder, member, NULL, help), .take = take_
#define FIELD_KEYS(name, member, table, help)                                                                \
    FIELD_ROW(FIELD_KIND_KEYS, name, "", member, NULL, help), .fields = table
#define FIELD_GROUP(member, table)                                                                           \
    .kind = FIELD_KIND_GROUP, .offset = offsetof(FIELD_STRUCT, member), .fields = table
/* Options and keys that only other programs have: the help does not show them. One is accepted with all words that
 * follow it, the other refused with an answer. */
#define FIELD_ACCEPTED(name_) .kind = FIELD_KIND_ACCEPTED, .name = name_, .help = ""
#define FIELD_ANSWERED(name_, answer) .kind = FIELD_KIND_ANSWERED, .name = name_, .help = answer
/* Answered only where another value is wanted than the one that holds anyway: "false", say. */
#define FIELD_ANSWERED_UNLESS(name_, holds, answer) FIELD_ANSWERED(name_, answer), .standard = holds
/* All options of another command, to which the man page refers. */
#define FIELD_OPTIONS_OF(command, member, table)                                                             \
    FIELD_GROUP(member, table), .help = "And all options of " command "."
/* A column of a table of results. */
#define FIELD_COLUMN(name, member)                                                                           \
    FIELD_ROW(_Generic(FIELD_MEMBER(member), bool: FIELD_KIND_FLAG, int: FIELD_KIND_INT, int64_t: FIELD_KIND_INT64, \
                       uint64_t: FIELD_KIND_UINT64, double: FIELD_KIND_REAL), name, NULL, member, NULL, NULL)
/* clang-format on */

/* Of the fields in a group of series only those have a name that may differ from one element to the next.
 * These are the flags that a row of `group` needs, where `group` itself stands among rows that need `needed`.
 */
static inline unsigned field_needed_in(const Field *group, unsigned needed) {
    return group->length > 0 ? FIELD_EACH : needed;
}

/* --- Walks over a table. `base` is the struct that the table describes. --- */

/* Gives each member that has a standard value this value. */
void fields_reset(const Field *fields, void *base);

/* Whether a word asks for help: --help, -h or help. */
bool fields_ask_for_help(const char *word);

/* Reads argv[1] and on. Where the line asks for help (--help, -h, or "help" alone), `*help` becomes true and
 * nothing is read. */
Status fields_read_arguments(const Field *fields, void *base, int argc, char **argv, bool *help);

/* Sets one row's member; the reason begins with its name. */
Status field_set(const Field *field, void *base, const char *value);

/* Reads lines of settings. The text is cut into pieces in place and must outlive the struct. The reason names
 * the line. */
Status fields_read_settings(const Field *fields, void *base, TextBuffer *text);

/* Appends "name=value" and a line feed for each row with FIELD_RESULT: equal for two structs if and only if
 * these members are. */
void fields_append_results(const Field *fields, const void *base, TextBuffer *out);

/* Appends the same rows as options of a command line, " --nodes 200", but for those that are as in
 * `standard`, a struct that fields_reset has filled. Texts have no quote in them. */
void fields_append_options(const Field *fields, const void *base, const void *standard, TextBuffer *out);

/* Tables of results: the names of all columns, or the values of a struct, with a tab before each but the
 * first and no line feed. Numbers have nine digits, so one that is read back is written as before; NaN is
 * "-". */
void fields_append_names(const Field *fields, TextBuffer *out);
void fields_append_row(const Field *fields, const void *base, TextBuffer *out);
/* Reads such values; false when one is missing or is no value of its column. */
bool fields_read_row(const Field *fields, void *base, TextView line);

#endif
