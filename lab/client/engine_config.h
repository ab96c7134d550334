/* How an engine is started and what it may spend: the words after `-engine` and `-each`. Plain data,
 * copyable; large, so keep it off the stack. */
#ifndef LUFT_CLIENT_ENGINE_CONFIG_H
#define LUFT_CLIENT_ENGINE_CONFIG_H

#include "base/field.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ENGINE_NAME_CAPACITY = 64,
    ENGINE_PATH_CAPACITY = 512,
    ENGINE_ARGUMENTS_MAX = 16,
    ENGINE_ARGUMENT_CAPACITY = 256,
    ENGINE_OPTIONS_MAX = 128,
    ENGINE_OPTION_NAME_CAPACITY = 64,
    ENGINE_OPTION_VALUE_CAPACITY = 512
};

/* What an engine may spend on its moves. Several limits can apply at once; with only depth or nodes there is
 * no clock. */
typedef struct PlayLimits {
    bool has_clock;
    int64_t base;      /* microseconds on the clock at the start */
    int64_t increment; /* microseconds gained with each move */
    int moves;         /* moves in each control, after which `base` is added again; 0: the whole game */
    int64_t move_time; /* microseconds for each move; 0: no such limit */
    int depth;         /* plies; 0: no limit */
    uint64_t nodes;    /* 0: no limit */
    int64_t margin;    /* microseconds by which a clock may be overdrawn */
} PlayLimits;

typedef struct EngineOption {
    char name[ENGINE_OPTION_NAME_CAPACITY];
    char value[ENGINE_OPTION_VALUE_CAPACITY];
} EngineOption;

typedef struct EngineConfig {
    char name[ENGINE_NAME_CAPACITY];
    char command[ENGINE_PATH_CAPACITY];
    char folder[ENGINE_PATH_CAPACITY]; /* "" : ours */
    int argument_count;
    char arguments[ENGINE_ARGUMENTS_MAX][ENGINE_ARGUMENT_CAPACITY];
    int option_count;
    EngineOption options[ENGINE_OPTIONS_MAX];
    char first_lines[ENGINE_OPTION_VALUE_CAPACITY]; /* sent as they are after the options; "": none */
    PlayLimits limits;
    bool restart;      /* a new process for every game */
    bool white_view;   /* its scores are White's, not the mover's */
    bool said_none;    /* tc= or nodes= was said, perhaps as inf */
    bool said_restart; /* so was restart= */
} EngineConfig;

/* The engines named on a command line. Start from {0}; free with engine_list_release. */
typedef struct EngineList {
    EngineConfig *engines;
    int count;
    EngineConfig *each; /* the words of -each; applied by engine_list_finish; NULL before the first -each */
} EngineList;

/* Adds an engine that is configured by a program, and by its Hash in MB unless that is 0. NULL with the
 * reason. */
EngineConfig *engine_list_add_program(EngineList *list, const char *program, const PlayLimits *limits,
                                      int hash, Status *status);

/* Reads one `key=value`: cmd, name, dir, arg, args, option.NAME, tc, st, nodes, depth (or plies), timemargin,
 * restart, proto, whitepov, initstr. Keys that only other runners have are refused with what to write
 * instead. */
Status engine_config_apply(EngineConfig *config, TextView key_value);

/* Sets or replaces a UCI option; the second form reads NAME=VALUE. */
Status engine_config_set_option(EngineConfig *config, const char *name, const char *value);
Status engine_config_read_option(EngineConfig *config, const char *name_value);

/* The value; NULL when not set. Ignores case. */
const char *engine_config_option(const EngineConfig *config, const char *name);

/* [moves/]base[+increment] in seconds, base also as minutes:seconds, or "inf". */
Status play_limits_parse_clock(PlayLimits *limits, TextView text);

/* The same for an option --tc, where "inf" is refused and NULL means no clock. */
Status play_limits_read_tc(PlayLimits *limits, const char *tc);

/* "8+0.08", "40/60+0.1", "nodes=1000": as people write it, for tables and tags. */
void play_limits_describe(const PlayLimits *limits, char *out, int capacity);

/* Writes the limits but the clock as the end of a `go`: " depth 9 nodes 1000 movetime 250", what is set.
 * Returns the length. */
size_t play_limits_write_go(const PlayLimits *limits, char *out, size_t capacity);

/* For rows of a table: an option whose words add an engine to the list, and the one whose words apply to all
 * engines of the list. */
FieldTake engine_list_take, engine_list_take_each;
extern const Field ENGINE_FOREIGN_KEYS[]; /* which cutechess-cli writes without a value */
#define ENGINE_FIELD(name, member, help) \
    FIELD_TAKEN(name, "cmd=PROGRAM...", member, engine_list_take, help), .fields = ENGINE_FOREIGN_KEYS
#define ENGINE_EACH_FIELD(member, help) \
    FIELD_TAKEN("each", "KEY=VALUE...", member, engine_list_take_each, help), .fields = ENGINE_FOREIGN_KEYS

/* Adds an empty one. */
Status engine_list_add(EngineList *list);

/* Call after the last argument. Gives each engine the words of -each that it did not set itself, and a unique
 * name (from the command when none was given). Each needs a command and a limit. */
Status engine_list_finish(EngineList *list);
void engine_list_release(EngineList *list);

/* --- Identity: what journals know engines by, in lines of line_journal_describe_file. The content of a file
 * counts, not its time. --- */

/* Appends the line of the program. Of a script, only the script counts, not what it starts. */
void identity_append_program(const EngineConfig *engine, TextBuffer *lines);

/* Appends the line of `path`, relative to `folder` ("": ours), if it is a file that is not empty. */
void identity_append_file(const char *folder, const char *path, TextBuffer *lines);

/* The same for the options that name a network. Files of other options may be written by the engine itself.
 */
void identity_append_networks(const EngineConfig *engine, TextBuffer *lines);

/* Another number when the file of the program was changed or replaced; 0 when there is none. Reads no
 * content.
 */
uint64_t identity_stamp(const EngineConfig *engine);

/* Whether two names stand for one engine: a program of the same content, with the same arguments, options and
 * limits. */
bool identity_is_same(const EngineConfig *a, const EngineConfig *b);

#endif
