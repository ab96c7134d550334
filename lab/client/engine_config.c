#include "lab/client/engine_config.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "lab/kit/line_journal.h"
#include "lab/kit/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

enum {
    MARGIN_UNSET = -1,
    MOVE_TIME_MARGIN = 50 * 1000 /* microseconds: with a time for each move an engine cannot keep a reserve */
};

/* Copies a value, or refuses it: half a path is useless. */
static Status copy_whole(TextView value, char *out, size_t capacity, const char *what) {
    if (value.length >= capacity) return status_error("%s is longer than %zu characters", what, capacity - 1);
    text_copy(value, out, capacity);
    return status_ok();
}

/* Seconds with a fraction to microseconds. */
static bool parse_seconds(TextView text, double limit, int64_t *microseconds) {
    double seconds;
    if (!text_parse_double(text, &seconds) || seconds < 0 || seconds > limit) return false;
    *microseconds = (int64_t)(seconds * 1e6 + 0.5);
    return true;
}

static bool parse_clock(TextView text, PlayLimits *limits) {
    enum { LONGEST = 1000000 };
    TextView rest = text, front, base;
    int64_t moves = 0, minutes = 0;
    if (!text_split(&rest, '/', &front))
        rest = text;
    else if (!text_parse_int64(front, &moves) || moves < 1 || moves > LONGEST)
        return false;
    if (text_split(&rest, '+', &base) && !parse_seconds(rest, LONGEST, &limits->increment)) return false;
    rest = base;
    if (!text_split(&rest, ':', &front))
        rest = base;
    else if (!text_parse_int64(front, &minutes) || minutes < 0 || minutes > LONGEST)
        return false;
    if (!parse_seconds(rest, LONGEST, &limits->base)) return false;
    limits->base += minutes * 60 * 1000000;
    limits->moves = (int)moves;
    return limits->has_clock = limits->base > 0 || limits->increment > 0;
}

Status play_limits_parse_clock(PlayLimits *limits, TextView text) {
    PlayLimits parsed = *limits;
    parsed.has_clock = false;
    parsed.base = parsed.increment = parsed.moves = 0;
    const bool is_none = text_equals(text, "inf") || text_equals(text, "infinite");
    if (!is_none && !parse_clock(text, &parsed))
        return status_error("'%.*s' is no time control: [moves/]seconds[+increment], or inf",
                            (int)text.length, text.data == NULL ? "" : text.data);
    *limits = parsed;
    return status_ok();
}

Status play_limits_read_tc(PlayLimits *limits, const char *tc) {
    if (tc == NULL) return status_ok();
    Status status = play_limits_parse_clock(limits, text_view(tc));
    if (!status_is_ok(&status)) return status_error("--tc: %s", status.reason);
    return limits->has_clock ? status : status_error("--tc inf is no limit");
}

void play_limits_describe(const PlayLimits *limits, char *out, int capacity) {
    size_t room = (size_t)capacity, used = 0;
    out[0] = '\0';
    if (limits->has_clock) {
        if (limits->moves > 0) used += text_format(out + used, room - used, "%d/", limits->moves);
        used += text_format(out + used, room - used, "%.10g", (double)limits->base / 1e6);
        if (limits->increment > 0)
            used += text_format(out + used, room - used, "+%.10g", (double)limits->increment / 1e6);
    }
    if (limits->move_time > 0)
        used += text_format(out + used, room - used, "%s%.10g/move", used > 0 ? " " : "",
                            (double)limits->move_time / 1e6);
    if (limits->nodes > 0)
        used += text_format(out + used, room - used, "%snodes=%" PRIu64, used > 0 ? " " : "", limits->nodes);
    if (limits->depth > 0)
        text_format(out + used, room - used, "%sdepth=%d", used > 0 ? " " : "", limits->depth);
}

size_t play_limits_write_go(const PlayLimits *limits, char *out, size_t capacity) {
    size_t length = text_format(out, capacity, "%s", "");
    if (limits->depth > 0) length += text_format(out, capacity, " depth %d", limits->depth);
    if (limits->nodes > 0)
        length += text_format(out + length, capacity - length, " nodes %" PRIu64, limits->nodes);
    if (limits->move_time > 0) /* 0 would be no limit */
        length += text_format(out + length, capacity - length, " movetime %" PRId64,
                              limits->move_time < 1000 ? 1 : limits->move_time / 1000);
    return length;
}

static int find_option(const EngineConfig *config, TextView name) {
    for (int i = 0; i < config->option_count; i++)
        if (strncasecmp(config->options[i].name, name.data, name.length) == 0 &&
            config->options[i].name[name.length] == '\0')
            return i;
    return -1;
}

static Status set_option(EngineConfig *config, TextView name, TextView value) {
    if (text_is_empty(name)) return status_error("an option needs a name: option.NAME=VALUE");
    EngineOption fresh;
    Status status = copy_whole(name, fresh.name, sizeof fresh.name, "the name of an option");
    if (status_is_ok(&status))
        status = copy_whole(value, fresh.value, sizeof fresh.value, "the value of an option");
    if (!status_is_ok(&status)) return status;
    int index = find_option(config, name);
    if (index < 0) {
        if (config->option_count == ENGINE_OPTIONS_MAX)
            return status_error("more than %d options for one engine", ENGINE_OPTIONS_MAX);
        index = config->option_count++;
    }
    config->options[index] = fresh;
    return status_ok();
}

Status engine_config_set_option(EngineConfig *config, const char *name, const char *value) {
    return set_option(config, text_view(name), text_view(value));
}

Status engine_config_read_option(EngineConfig *config, const char *name_value) {
    TextView value = text_view(name_value), name;
    if (!text_split(&value, '=', &name)) return status_error("'%s' should be NAME=VALUE", name_value);
    return set_option(config, name, value);
}

const char *engine_config_option(const EngineConfig *config, const char *name) {
    const int index = find_option(config, text_view(name));
    return index < 0 ? NULL : config->options[index].value;
}

static Status add_argument(EngineConfig *config, TextView word) {
    if (config->argument_count == ENGINE_ARGUMENTS_MAX)
        return status_error("more than %d arguments for one engine", ENGINE_ARGUMENTS_MAX);
    return copy_whole(word, config->arguments[config->argument_count++], ENGINE_ARGUMENT_CAPACITY,
                      "an argument");
}

static Status add_arguments(EngineConfig *config, TextView words) {
    Status status = status_ok();
    TextView word;
    while (status_is_ok(&status) && !text_is_empty(word = text_next_word(&words)))
        status = add_argument(config, word);
    return status;
}

static bool parse_switch(TextView value, bool *on) {
    if (text_equals(value, "on") || text_equals(value, "true")) return *on = true;
    if (text_equals(value, "off") || text_equals(value, "false") || text_equals(value, "auto")) {
        *on = false;
        return true;
    }
    return false;
}

/* As --nodes: 5k, 1.5M. */
static bool parse_nodes(TextView text, PlayLimits *limits) {
#define FIELD_STRUCT PlayLimits
    static const Field NODES = {FIELD_WHOLE("nodes", "N", nodes, 1, 1e15, NULL, "")};
#undef FIELD_STRUCT
    char number[32];
    if (text.length >= sizeof number) return false;
    text_copy(text, number, sizeof number);
    const Status status = field_set(&NODES, limits, number);
    return status_is_ok(&status);
}

static Status apply_limit(PlayLimits *limits, TextView key, TextView value) {
    int64_t number;
    bool good = false;
    if (text_equals(key, "tc")) return play_limits_parse_clock(limits, value);
    if (text_equals(key, "st")) {
        good = parse_seconds(value, 1e6, &limits->move_time) && limits->move_time > 0;
    } else if (text_equals(key, "nodes")) {
        const bool is_none = text_equals(value, "inf") || text_equals(value, "0");
        good = is_none || parse_nodes(value, limits);
        if (is_none) limits->nodes = 0;
    } else if (text_equals(key, "depth") || text_equals(key, "plies")) {
        good = text_parse_int64(value, &number) && number > 0 && number <= 1000;
        if (good) limits->depth = (int)number;
    } else { /* timemargin */
        good = text_parse_int64(value, &number) && number >= 0 && number <= 10000000;
        if (good) limits->margin = number * 1000;
    }
    return good ? status_ok()
                : status_error("%.*s cannot be '%.*s'", (int)key.length, key.data, (int)value.length,
                               value.data);
}

const Field ENGINE_FOREIGN_KEYS[] = {
    {FIELD_ANSWERED("trust", "the rules decide here, and engines claim nothing")},
    {FIELD_ANSWERED("ponder",
                    "engines do not think on the opponent's time here: it would be in no clock, and take "
                    "a second processor for each game")},
    {FIELD_ANSWERED("book", "-openings file=BOOK gives both engines their opening")},
    {FIELD_ANSWERED("bookdepth", "-openings file=BOOK plies=N")},
    {FIELD_ANSWERED("stderr", "-log FOLDER keeps what engines write to standard error")},
    {FIELD_ANSWERED("conf", "cmd=PROGRAM names the engine")},
    {FIELD_ACCEPTED("whitepov")},
    {0}};

static const Field *find_foreign(TextView key) {
    const Field *row = ENGINE_FOREIGN_KEYS;
    while (row->kind == FIELD_KIND_ANSWERED && !text_equals(key, row->name)) row++;
    return row->kind == FIELD_KIND_ANSWERED ? row : NULL;
}

/* Lines for the engine; "\\n" stands between two. */
static Status set_first_lines(EngineConfig *config, TextView value) {
    char *const lines = config->first_lines;
    const Status status = copy_whole(value, lines, sizeof config->first_lines, "initstr");
    for (char *at = lines; status_is_ok(&status) && (at = strstr(at, "\\n")) != NULL; at++) {
        *at = '\n';
        memmove(at + 1, at + 2, strlen(at + 2) + 1);
    }
    return status;
}

static Status refuse_key(TextView key) {
    static const char *const KEYS[] = {"cmd",        "name",    "dir",   "arg",    "args",
                                       "tc",         "st",      "depth", "nodes",  "plies",
                                       "timemargin", "restart", "proto", "initstr"};
    char shown[40];
    Nearest nearest = nearest_to(key);
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) nearest_consider(&nearest, KEYS[i]);
    text_copy_printable(key, shown, sizeof shown);
    if (nearest.name == NULL)
        return status_error("no engine setting is called '%s'; an option of the engine is option.NAME=VALUE",
                            shown);
    return status_error("no engine setting is called '%s'; did you mean %s=?", shown, nearest.name);
}

Status engine_config_apply(EngineConfig *config, TextView key_value) {
    TextView value = key_value, key;
    const bool has_value = text_split(&value, '=', &key);
    if (!has_value) key = key_value;
    const Field *foreign = find_foreign(key);
    if (foreign != NULL) return status_error("%s: %s", foreign->name, foreign->help);
    if (text_equals(key, "whitepov")) {
        config->white_view = true;
        return !has_value || parse_switch(value, &config->white_view)
                   ? status_ok()
                   : status_error("whitepov cannot be '%.*s'", (int)value.length, value.data);
    }
    if (!has_value) return status_error("'%.*s' should be key=value", (int)key_value.length, key_value.data);
    if (text_starts_with(key, "option.")) {
        TextView name = {key.data + 7, key.length - 7};
        return set_option(config, name, value);
    }
    if (text_equals(key, "cmd")) return copy_whole(value, config->command, sizeof config->command, "cmd");
    if (text_equals(key, "name")) return copy_whole(value, config->name, sizeof config->name, "name");
    if (text_equals(key, "dir")) return copy_whole(value, config->folder, sizeof config->folder, "dir");
    if (text_equals(key, "arg")) return add_argument(config, value);
    if (text_equals(key, "args")) return add_arguments(config, value);
    if (text_equals(key, "initstr")) return set_first_lines(config, value);
    config->said_none |= text_equals(key, "tc") || text_equals(key, "nodes");
    config->said_restart |= text_equals(key, "restart");
    if (text_equals(key, "tc") || text_equals(key, "st") || text_equals(key, "nodes") ||
        text_equals(key, "depth") || text_equals(key, "plies") || text_equals(key, "timemargin"))
        return apply_limit(&config->limits, key, value);
    if (text_equals(key, "restart"))
        return parse_switch(value, &config->restart)
                   ? status_ok()
                   : status_error("restart cannot be '%.*s': on or off", (int)value.length, value.data);
    if (text_equals(key, "proto"))
        return text_equals(value, "uci") ? status_ok()
                                         : status_error("the only protocol spoken is proto=uci");
    return refuse_key(key);
}

Status engine_list_add(EngineList *list) {
    EngineConfig *engines = memory_grow(list->engines, (size_t)list->count, sizeof *engines);
    if (engines == NULL) return status_no_memory("another engine");
    list->engines = engines;
    EngineConfig *fresh = &list->engines[list->count++];
    memset(fresh, 0, sizeof *fresh);
    fresh->limits.margin = MARGIN_UNSET;
    return status_ok();
}

Status engine_list_take(void *member, const char *word) {
    EngineList *list = member;
    if (word == NULL) return engine_list_add(list);
    if (text_starts_with(text_view(word), "cmd=") && list->engines[list->count - 1].command[0] != '\0')
        return status_error("cmd= a second time: each engine has an -engine of its own");
    return engine_config_apply(&list->engines[list->count - 1], text_view(word));
}

Status engine_list_take_each(void *member, const char *word) {
    EngineList *list = member;
    if (list->each == NULL) {
        list->each = memory_allocate(sizeof *list->each);
        if (list->each == NULL) return status_no_memory("the settings of each engine");
        list->each->limits.margin = MARGIN_UNSET;
    }
    return word == NULL ? status_ok() : engine_config_apply(list->each, text_view(word));
}

EngineConfig *engine_list_add_program(EngineList *list, const char *program, const PlayLimits *limits,
                                      int hash, Status *status) {
    *status = engine_list_add(list);
    if (!status_is_ok(status)) return NULL;
    EngineConfig *config = &list->engines[list->count - 1];
    config->limits = *limits;
    config->limits.margin = MARGIN_UNSET;
    *status =
        copy_whole(text_view(program), config->command, sizeof config->command, "the path of an engine");
    char text[16];
    text_format(text, sizeof text, "%d", hash);
    if (status_is_ok(status) && hash > 0) *status = engine_config_set_option(config, "Hash", text);
    return status_is_ok(status) ? config : NULL;
}

/* -each fills the gaps: an engine's own words come first. */
static Status inherit(EngineConfig *config, const EngineConfig *each) {
    PlayLimits *own = &config->limits;
    const PlayLimits *common = &each->limits;
    if (config->command[0] == '\0') memcpy(config->command, each->command, sizeof config->command);
    if (config->folder[0] == '\0') memcpy(config->folder, each->folder, sizeof config->folder);
    if (config->argument_count == 0) {
        config->argument_count = each->argument_count;
        memcpy(config->arguments, each->arguments, sizeof config->arguments);
    }
    if (config->first_lines[0] == '\0')
        memcpy(config->first_lines, each->first_lines, sizeof config->first_lines);
    if (!config->said_restart) config->restart = each->restart;
    config->white_view |= each->white_view;
    const int64_t margin = own->margin == MARGIN_UNSET ? common->margin : own->margin;
    /* An engine's own limit replaces all the common ones: tc for one engine and st for it by -each would be
     * neither. */
    if (!config->said_none && own->move_time == 0 && own->depth == 0 && own->nodes == 0) *own = *common;
    own->margin = margin;
    Status status = status_ok();
    for (int i = 0; i < each->option_count && status_is_ok(&status); i++)
        if (engine_config_option(config, each->options[i].name) == NULL)
            status = engine_config_set_option(config, each->options[i].name, each->options[i].value);
    return status;
}

static bool name_is_taken(const EngineList *list, int index) {
    for (int i = 0; i < index; i++)
        if (strcmp(list->engines[i].name, list->engines[index].name) == 0) return true;
    return false;
}

static void choose_name(EngineList *list, int index) {
    EngineConfig *config = &list->engines[index];
    if (config->name[0] == '\0') {
        const char *slash = strrchr(config->command, '/');
        text_copy(text_view(slash == NULL ? config->command : slash + 1), config->name, sizeof config->name);
    }
    char base[ENGINE_NAME_CAPACITY];
    memcpy(base, config->name, sizeof base);
    for (int number = 2; name_is_taken(list, index); number++)
        text_format(config->name, sizeof config->name, "%.48s-%d", base, number);
}

static Status check_config(EngineConfig *config, int number) {
    PlayLimits *limits = &config->limits;
    if (config->command[0] == '\0') return status_error("engine %d has no command: say cmd=PROGRAM", number);
    if (!limits->has_clock && limits->move_time == 0 && limits->depth == 0 && limits->nodes == 0)
        return status_error("engine %d (%s) has no limit: say tc=, st=, depth= or nodes=", number,
                            config->command);
    if (limits->has_clock && limits->move_time > 0)
        return status_error("engine %d (%s) has both tc= and st=: one of them", number, config->command);
    if (limits->margin == MARGIN_UNSET) limits->margin = limits->has_clock ? 0 : MOVE_TIME_MARGIN;
    return status_ok();
}

Status engine_list_finish(EngineList *list) {
    Status status = status_ok();
    for (int i = 0; i < list->count && status_is_ok(&status); i++) {
        if (list->each != NULL) status = inherit(&list->engines[i], list->each);
        if (status_is_ok(&status)) status = check_config(&list->engines[i], i + 1);
        if (status_is_ok(&status)) choose_name(list, i);
    }
    return status;
}

void engine_list_release(EngineList *list) {
    memory_release(list->engines);
    memory_release(list->each);
    *list = (EngineList){0};
}

/* --- identity --- */

enum { PATH_CAPACITY = PROCESS_PATH_CAPACITY };
_Static_assert(PATH_CAPACITY >= 2 * ENGINE_PATH_CAPACITY, "a folder and a path in it");

/* As seen from the engine's folder. */
static void find_file(const char *folder, const char *path, char out[PATH_CAPACITY]) {
    const bool inside = path[0] != '/' && folder[0] != '\0';
    text_format(out, PATH_CAPACITY, "%s%s%s", inside ? folder : "", inside ? "/" : "", path);
}

/* Where execvp finds the program, started in the engine's folder. */
static bool find_program(const EngineConfig *engine, char out[PATH_CAPACITY]) {
    const char *command = engine->command;
    if (strchr(command, '/') != NULL) {
        find_file(engine->folder, command, out);
        return true;
    }
    return process_find_program(command, out);
}

void identity_append_program(const EngineConfig *engine, TextBuffer *lines) {
    char path[PATH_CAPACITY];
    if (find_program(engine, path))
        line_journal_describe_file(path, lines);
    else
        buffer_append_format(lines, "not found: %s\n", engine->command);
}

void identity_append_file(const char *folder, const char *path, TextBuffer *lines) {
    char found[PATH_CAPACITY];
    find_file(folder, path, found);
    if (file_size(found) > 0) line_journal_describe_file(found, lines);
}

void identity_append_networks(const EngineConfig *engine, TextBuffer *lines) {
    static const char *const NETWORKS[] = {"EvalFile", "EvalFileSmall", "WeightsFile"};
    for (size_t i = 0; i < sizeof NETWORKS / sizeof NETWORKS[0]; i++) {
        const char *path = engine_config_option(engine, NETWORKS[i]);
        if (path != NULL) identity_append_file(engine->folder, path, lines);
    }
}

uint64_t identity_stamp(const EngineConfig *engine) {
    char path[PATH_CAPACITY];
    struct stat facts;
    if (!find_program(engine, path) || stat(path, &facts) != 0) return 0;
    char words[120];
    text_format(words, sizeof words, "%lld %lld %lld %lld %ld", (long long)facts.st_dev,
                (long long)facts.st_ino, (long long)facts.st_size, (long long)facts.st_mtim.tv_sec,
                facts.st_mtim.tv_nsec);
    return text_hash(text_view(words));
}

static bool has_same_words(const EngineConfig *a, const EngineConfig *b) {
    char limits[2][80];
    play_limits_describe(&a->limits, limits[0], sizeof limits[0]);
    play_limits_describe(&b->limits, limits[1], sizeof limits[1]);
    bool same = a->argument_count == b->argument_count && a->option_count == b->option_count &&
                strcmp(limits[0], limits[1]) == 0 && strcmp(a->first_lines, b->first_lines) == 0;
    for (int i = 0; i < a->argument_count && same; i++) same = strcmp(a->arguments[i], b->arguments[i]) == 0;
    for (int i = 0; i < a->option_count && same; i++) {
        const char *value = engine_config_option(b, a->options[i].name);
        same = value != NULL && strcmp(value, a->options[i].value) == 0;
    }
    return same;
}

bool identity_is_same(const EngineConfig *a, const EngineConfig *b) {
    char path[2][PATH_CAPACITY];
    if (!has_same_words(a, b) || identity_stamp(a) == 0 || !find_program(a, path[0]) ||
        !find_program(b, path[1]))
        return false;
    TextBuffer lines[2] = {{0}, {0}};
    TextView content[2];
    for (int i = 0; i < 2; i++) {
        line_journal_describe_file(path[i], &lines[i]);
        TextView line = buffer_view(&lines[i]);
        text_split(&line, ':', &content[i]);
    }
    const bool same = content[0].length == content[1].length &&
                      memcmp(content[0].data, content[1].data, content[0].length) == 0;
    for (int i = 0; i < 2; i++) buffer_release(&lines[i]);
    return same;
}
