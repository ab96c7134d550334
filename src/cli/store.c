/* luft store: what to do with a store, the file in which analysis lasts. Each action has its own options. */
#include "base/file.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "cli/command.h"
#include "cli/evaluations.h"
#include "cli/source.h"
#include "engine/lines.h"
#include "store/book.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    PATIENCE = 10000, /* milliseconds for another program that writes */
    BATCH = 10000     /* rows that are written at once */
};

typedef struct StoreArguments {
    const char *path;
    WordList words;
    EvaluationFormat format;
    const char *out, *engine, *before, *net;
    int depth;
    int64_t keep;
    bool only_exact;
} StoreArguments;

/* --- dates --- */

enum { DAY = 86400, DATE_CAPACITY = 24 };

static bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int days_of_month(int year, int month) {
    static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return DAYS[month - 1] + (month == 2 && is_leap(year));
}

static void write_date(int64_t date, char out[DATE_CAPACITY]) {
    enum { YEARS_MAX = 9999 };
    int year = 1970, month = 1;
    int64_t days = date / DAY;
    while (year < YEARS_MAX && days >= 365 + is_leap(year)) days -= 365 + is_leap(year++);
    while (month < 12 && days >= days_of_month(year, month)) days -= days_of_month(year, month++);
    text_format(out, DATE_CAPACITY, "%04d-%02d-%02d", year, month, (int)(days < 31 ? days : 30) + 1);
}

static Status read_date(const char *text, int64_t *date) {
    const Status refusal = status_error("--before needs a date like 2026-01-31, not '%.40s'", text);
    TextView rest = text_view(text), part[3];
    int64_t number[3], days = 0;
    for (int i = 0; i < 3; i++) {
        text_split(&rest, '-', &part[i]);
        if (!text_parse_int64(part[i], &number[i])) return refusal;
    }
    if (rest.length > 0 || number[0] < 1970 || number[0] > 9999 || number[1] < 1 || number[1] > 12)
        return refusal;
    const int year = (int)number[0], month = (int)number[1];
    if (number[2] < 1 || number[2] > days_of_month(year, month)) return refusal;
    for (int i = 1970; i < year; i++) days += 365 + is_leap(i);
    for (int i = 1; i < month; i++) days += days_of_month(year, i);
    *date = (days + number[2] - 1) * DAY;
    return status_ok();
}

/* --- show --- */

enum { SOURCES_SHOWN = 20 };

typedef struct Summary {
    int64_t rows, exact, damaged;
    int deepest;
    int64_t first, last; /* dates; 0: none */
    int source_count;    /* one too many: there are more */
    RowSource source[SOURCES_SHOWN + 1];
    int64_t rows_of[SOURCES_SHOWN + 1];
    Status fault; /* the first */
} Summary;

static void count_source(Summary *summary, const RowSource *source) {
    int i = 0;
    while (i < summary->source_count && row_source_id(&summary->source[i]) != row_source_id(source)) i++;
    if (i > SOURCES_SHOWN) i = SOURCES_SHOWN; /* the last one stands for all others */
    if (i == summary->source_count) summary->source[summary->source_count++] = *source;
    summary->rows_of[i]++;
}

static Status summarise(void *context, const Row *row, const Status *fault) {
    Summary *summary = context;
    if (fault != NULL) {
        if (summary->damaged++ == 0) summary->fault = *fault;
        return status_ok();
    }
    summary->rows++;
    summary->exact += row->bound == BOUND_EXACT;
    if (row->depth > summary->deepest) summary->deepest = row->depth;
    if (row->date > 0 && (summary->first == 0 || row->date < summary->first)) summary->first = row->date;
    if (row->date > summary->last) summary->last = row->date;
    count_source(summary, &row->source);
    return status_ok();
}

static void append_source(const RowSource *source, TextBuffer *out) {
    const char *const texts[] = {source->engine, source->version};
    for (int i = 0; i < 2; i++) {
        if (texts[i][0] == '\0') continue;
        if (i > 0) buffer_append_char(out, ' ');
        buffer_append_foreign(out, text_view(texts[i]));
    }
    if (source->engine[0] == '\0' && source->version[0] == '\0') buffer_append_string(out, "unknown engine");
    if (source->net[0] == '\0') return;
    buffer_append_string(out, ", net ");
    buffer_append_foreign(out, text_view(source->net));
}

static void append_summary(const Summary *summary, const char *path, TextBuffer *out) {
    char first[DATE_CAPACITY], last[DATE_CAPACITY];
    buffer_append_foreign(out, text_view(path));
    buffer_append_format(out,
                         ": %" PRId64 " rows, %" PRId64 " of them with an exact score, deepest %d plies\n",
                         summary->rows, summary->exact, summary->deepest);
    if (summary->last > 0) {
        write_date(summary->first, first);
        write_date(summary->last, last);
        buffer_append_format(out, "from %s to %s\n", first, last);
    }
    for (int i = 0; i < summary->source_count; i++) {
        buffer_append_format(out, "%10" PRId64 "  ", summary->rows_of[i]);
        if (i < SOURCES_SHOWN)
            append_source(&summary->source[i], out);
        else
            buffer_append_string(out, "of other sources");
        buffer_append_char(out, '\n');
    }
}

static void append_row(const Row *row, const Position *pos, TextBuffer *out) {
    static const char *const BOUNDS[] = {"", "<= ", ">= ", ""};
    enum { LINE_WIDTH = 100 };
    /* A bound is one for the side to move, and the score is shown as White sees it. */
    const Bound bound = pos->side == WHITE || row->bound == BOUND_EXACT ? row->bound
                        : row->bound == BOUND_LOWER                     ? BOUND_UPPER
                                                                        : BOUND_LOWER;
    char date[DATE_CAPACITY];
    if (row_has_score(row)) {
        buffer_append_format(out, "depth %d, score %s", row->depth, BOUNDS[bound]);
        lines_append_score(out, row->score, pos->side);
    } else {
        buffer_append_string(out, row->move_count > 0 ? "a move without a score" : "no score");
    }
    if (row->nodes > 0) buffer_append_format(out, ", %" PRIu64 " nodes", row->nodes);
    if (row->multi_pv > 1) buffer_append_format(out, ", one of %d lines", row->multi_pv);
    if (row->date > 0) {
        write_date(row->date, date);
        buffer_append_format(out, ", %s", date);
    }
    buffer_append_string(out, ", ");
    append_source(&row->source, out);
    buffer_append_char(out, '\n');
    if (row->move_count == 0) return;
    buffer_append_string(out, "    ");
    lines_append_moves(out, pos, row->line, row->move_count, LINE_WIDTH);
    buffer_append_char(out, '\n');
}

typedef struct Shown {
    const Position *pos;
    TextBuffer *out;
    int rows;
} Shown;

static Status show_row(void *context, const Row *row, const Status *fault) {
    Shown *shown = context;
    if (fault == NULL) {
        append_row(row, shown->pos, shown->out);
        shown->rows++;
    }
    return status_ok();
}

/* The position's rows, then those of the positions after each move. */
static Status show_position(Store *store, const Position *pos, TextBuffer *out) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    Shown shown = {pos, out, 0};
    Status status = store_each(store, pos, show_row, &shown);
    int known = shown.rows;
    for (int i = 0; i < count && status_is_ok(&status); i++) {
        Position after = *pos;
        TextBuffer text = {0};
        char san[SAN_CAPACITY];
        Undo undo;
        san_write(pos, moves[i], san);
        position_make_move(&after, moves[i], &undo);
        shown = (Shown){&after, &text, 0};
        status = store_each(store, &after, show_row, &shown);
        known += shown.rows;
        if (shown.rows > 0) buffer_append_format(out, "after %s\n", san);
        buffer_append(out, buffer_view(&text));
        out->failed |= text.failed;
        buffer_release(&text);
    }
    if (status_is_ok(&status) && known == 0)
        buffer_append_string(out, "the store knows neither this position nor those after its moves\n");
    return status;
}

static Status print(TextBuffer *out, Status status) {
    if (status_is_ok(&status) && out->failed) status = status_no_memory("the answer");
    if (status_is_ok(&status)) buffer_print(out, stdout);
    buffer_release(out);
    return status;
}

static Status refuse_damage(const Summary *summary, const char *path) {
    if (summary->damaged == 0) return status_ok();
    return status_error("%.100s: %" PRId64
                        " rows are damaged (%s); luft store merge NEW FILE saves the others",
                        path, summary->damaged, summary->fault.reason);
}

static Status run_show(void *context) {
    const StoreArguments *arguments = context;
    Position pos;
    TextBuffer out = {0};
    Summary summary = {0};
    Status status = status_ok();
    if (arguments->words.count > 0) status = source_read_fen(&arguments->words, &pos);
    if (!status_is_ok(&status)) return status;
    Store *store = store_open(arguments->path, STORE_READ, PATIENCE, &status);
    if (store == NULL) return status;
    if (arguments->words.count > 0) {
        status = show_position(store, &pos, &out);
    } else {
        status = store_each(store, NULL, summarise, &summary);
        append_summary(&summary, arguments->path, &out);
    }
    store_close(store);
    status = print(&out, status);
    return status_is_ok(&status) ? refuse_damage(&summary, arguments->path) : status;
}

/* --- verify --- */

static Status run_verify(void *context) {
    const StoreArguments *arguments = context;
    TextBuffer out = {0};
    Summary summary = {0};
    Status status;
    Store *store = store_open(arguments->path, STORE_READ, PATIENCE, &status);
    if (store == NULL) return status;
    status = store_check_file(store);
    if (status_is_ok(&status)) status = store_each(store, NULL, summarise, &summary);
    store_close(store);
    if (status_is_ok(&status)) status = refuse_damage(&summary, arguments->path);
    append_summary(&summary, arguments->path, &out);
    buffer_append_string(&out, "the file is whole, every row is sound\n");
    return print(&out, status);
}

/* --- merge, import --- */

/* Rows that go into a store, some thousand at once. */
typedef struct Intake {
    Store *store;
    int64_t rows, changed, damaged;
    int pending;
} Intake;

static Status put_row(void *context, const Row *row) {
    Intake *intake = context;
    bool changed = false;
    Status status = status_ok();
    if (intake->pending == BATCH) {
        status = store_end(intake->store, status_ok());
        intake->pending = 0;
        if (status_is_ok(&status)) status = store_begin(intake->store);
        if (!status_is_ok(&status)) return status;
    }
    status = store_put(intake->store, row, &changed);
    intake->pending++;
    intake->rows++;
    intake->changed += changed;
    return status;
}

static Status put_sound_row(void *context, const Row *row, const Status *fault) {
    Intake *intake = context;
    if (fault == NULL) return put_row(context, row);
    intake->damaged++;
    return status_ok();
}

static Status report_intake(const Intake *intake, const char *path) {
    text_printf(stdout, "%s: %" PRId64 " rows, %" PRId64 " new or better\n", path, intake->rows,
                intake->changed);
    if (intake->damaged == 0) return status_ok();
    return status_error("%.150s: %" PRId64 " rows are damaged and were skipped", path, intake->damaged);
}

static Status merge_file(Store *target, const char *target_path, const char *path) {
    Intake intake = {.store = target};
    Status status;
    if (file_is_same(target_path, path)) return status_error("'%s' cannot be merged into itself", path);
    Store *source = store_open(path, STORE_READ, PATIENCE, &status);
    if (source == NULL) return status;
    status = store_begin(target);
    if (status_is_ok(&status)) status = store_end(target, store_each(source, NULL, put_sound_row, &intake));
    store_close(source);
    return status_is_ok(&status) ? report_intake(&intake, path) : status;
}

static Status import_file(const StoreArguments *arguments, const char *path, Intake *intake) {
    const bool is_book = arguments->format == EVALUATION_POLYGLOT ||
                         (arguments->format == EVALUATION_AUTO && book_is_named(path));
    const char *engine = arguments->engine != NULL ? arguments->engine : is_book ? "book" : "unknown";
    if (is_book) return book_read(path, engine, intake->store, put_row, intake);
    return evaluations_read(path, arguments->format, engine, put_row, intake);
}

/* Calls one of the two for each file, to its end also when rows of one are faulty; returns the first failure.
 */
static Status run_intake(const StoreArguments *arguments, bool are_stores) {
    Status status;
    Store *store = store_open(arguments->path, STORE_WRITE, PATIENCE, &status);
    for (int i = 0; store != NULL && i < arguments->words.count && status_is_ok(&status); i++) {
        const char *path = arguments->words.word[i];
        Intake intake = {.store = store};
        if (are_stores) {
            status = merge_file(store, arguments->path, path);
            continue;
        }
        status = store_begin(store);
        if (!status_is_ok(&status)) break;
        const Status whole = import_file(arguments, path, &intake);
        status = store_end(store, status_ok()); /* faults of the file cost only themselves */
        if (status_is_ok(&status)) status = report_intake(&intake, path);
        if (status_is_ok(&status)) status = whole;
    }
    store_close(store);
    return status;
}

static Status run_merge(void *context) { return run_intake(context, true); }
static Status run_import(void *context) { return run_intake(context, false); }

/* --- export --- */

typedef struct Outlet {
    EvaluationFormat format;
    NewFile *file; /* NULL: standard output */
    TextBuffer text;
    int64_t damaged;
} Outlet;

/* Writes the text, and empties it. */
static Status write_text(Outlet *outlet) {
    Status status = status_ok();
    if (outlet->file != NULL) status = new_file_add(outlet->file, outlet->text.data, outlet->text.length);
    if (outlet->file == NULL && outlet->text.length > 0) buffer_print(&outlet->text, stdout);
    buffer_clear(&outlet->text);
    return ferror(stdout) ? status_error("standard output cannot be written") : status;
}

static Status write_row(void *context, const Row *row, const Status *fault) {
    Outlet *outlet = context;
    outlet->damaged += fault != NULL;
    if (fault != NULL) return status_ok();
    evaluations_append(row, outlet->format, &outlet->text);
    return outlet->text.failed ? status_no_memory("a row") : write_text(outlet);
}

static Status write_book(Store *store, Outlet *outlet) {
    const Status status = book_write(store, &outlet->text, &outlet->damaged);
    return status_is_ok(&status) ? write_text(outlet) : status;
}

static Status check_export(void *context) {
    const StoreArguments *arguments = context;
    const bool is_book = (EvaluationFormat)(arguments->format + 1) == EVALUATION_POLYGLOT;
    return is_book && arguments->out == NULL ? status_error("a book is not text: it needs --out FILE")
                                             : status_ok();
}

static Status run_export(void *context) {
    const StoreArguments *arguments = context;
    NewFile file;
    Status status;
    Store *store = store_open(arguments->path, STORE_READ, PATIENCE, &status);
    if (store == NULL) return status;
    Outlet outlet = {.format = (EvaluationFormat)(arguments->format + 1)};
    if (arguments->out != NULL) {
        outlet.file = &file;
        status = new_file_begin(&file, arguments->out);
    }
    if (status_is_ok(&status))
        status = outlet.format == EVALUATION_POLYGLOT ? write_book(store, &outlet)
                                                      : store_each(store, NULL, write_row, &outlet);
    if (outlet.file != NULL) status = new_file_end(&file, status);
    buffer_release(&outlet.text);
    store_close(store);
    if (status_is_ok(&status) && outlet.damaged > 0)
        status = status_error("%.150s: %" PRId64 " rows are damaged and were skipped", arguments->path,
                              outlet.damaged);
    return status;
}

/* --- prune --- */

static Status check_prune(void *context) {
    const StoreArguments *arguments = context;
    int64_t date;
    if (arguments->before != NULL) return read_date(arguments->before, &date);
    if (arguments->depth > 0 || arguments->net != NULL || arguments->keep >= 0 || arguments->only_exact)
        return status_ok();
    return status_error("needs a condition: --depth, --before, --net, --keep or --exact");
}

static Status run_prune(void *context) {
    const StoreArguments *arguments = context;
    StorePrune prune = {.depth = arguments->depth,
                        .net = arguments->net,
                        .keep = arguments->keep,
                        .only_exact = arguments->only_exact};
    int64_t removed = 0;
    Status status;
    if (file_size(arguments->path) < 0) return status_error("there is no file '%s'", arguments->path);
    Store *store = store_open(arguments->path, STORE_WRITE, PATIENCE, &status);
    if (store == NULL) return status;
    if (arguments->before != NULL) status = read_date(arguments->before, &prune.date);
    if (status_is_ok(&status)) status = store_begin(store);
    if (status_is_ok(&status)) status = store_end(store, store_prune(store, &prune, &removed));
    if (status_is_ok(&status)) status = store_compact(store);
    store_close(store);
    if (status_is_ok(&status))
        text_printf(stdout, "%s: %" PRId64 " rows removed\n", arguments->path, removed);
    return status;
}

/* --- what the command line may say --- */

#define STORE_WORD(help) \
    { FIELD_TEXT("STORE", NULL, path, NULL, help), .flags = FIELD_WORD }

#define FIELD_STRUCT StoreArguments
static const Field SHOW_FIELDS[] = {
    STORE_WORD("the file"),
    {FIELD_WORDS("FEN", words, 0, "a position, in quotes or not (default: what is in the file)")},
    {0}};

static const Field VERIFY_FIELDS[] = {STORE_WORD("the file"), {0}};

static const Field MERGE_FIELDS[] = {
    STORE_WORD("the file that gets the rows; it is made where there is none"),
    {FIELD_WORDS("FILE", words, 1, "a store whose rows are added")},
    {0}};

static const Field IMPORT_FIELDS[] = {
    STORE_WORD("the file that gets the rows; it is made where there is none"),
    {FIELD_WORDS("FILE", words, 1, "a file of evaluations; - is standard input")},
    {FIELD_CHOICE("format", EVALUATION_FORMATS, format, "auto", "of the files: as they look, or as said")},
    {FIELD_TEXT("engine", "NAME", engine, NULL,
                "who evaluated, where the file does not say it (default: unknown, or book)")},
    {0}};

static const Field EXPORT_FIELDS[] = {
    STORE_WORD("the file"),
    {FIELD_TEXT("out", "FILE", out, NULL, "the file to write (default: standard output)")},
    {FIELD_CHOICE(
        "format", EVALUATION_WRITE_FORMATS, format, "epd",
        "a line for each position, JSON as Lichess publishes it, a game for each position, or an opening book")},
    {0}};

static const Field PRUNE_FIELDS[] = {
    STORE_WORD("the file"),
    {FIELD_WHOLE("depth", "N", depth, 1, ROW_DEPTH_MAX, NULL, "remove what is shallower than N plies")},
    {FIELD_TEXT("before", "DATE", before, NULL, "remove what is older: 2026-01-31")},
    {FIELD_TEXT("net", "HASH", net, NULL, "remove what does not come from this network, as show prints it")},
    {FIELD_WHOLE("keep", "N", keep, 0, FIELD_UNLIMITED, NULL, "remove all but the N deepest rows")},
    {FIELD_FLAG("exact", only_exact, "remove scores that are only bounds")},
    {0}};

static const Command ACTIONS[] = {
    {"show", "what is in a store, or what it knows of a position",
     .syntax =
         {.command = "luft store show",
          .about = "Prints how many rows a store has, from when and from whom. With a position, prints what "
                   "the store knows of it, and of the positions after its moves. Scores are as White sees "
                   "them.\n",
          .examples =
              "  luft store show my.store\n"
              "  luft store show my.store \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\"\n",
          .fields = SHOW_FIELDS,
          .run = run_show}},
    {"merge", "the rows of other stores into a store",
     .syntax = {.command = "luft store merge",
                .about =
                    "Adds the rows of other stores. Of two rows with the same position and source the deeper "
                    "one stays, so the order does not matter, and to merge again changes nothing.\n",
                .examples = "  luft store merge all.store pc1.store pc2.store\n",
                .fields = MERGE_FIELDS,
                .run = run_merge}},
    {"export", "exact scores as EPD, JSON lines, PGN or a book",
     .syntax =
         {.command = "luft store export",
          .about = "Writes each row with an exact score, in the order of the positions. A book in the format "
                   "of Polyglot has the best move of each position with the weight 1000, and those less "
                   "than half a pawn worse with smaller ones.\n",
          .examples = "  luft store export my.store --out my.epd\n"
                      "  luft store export my.store --out my.bin --format polyglot\n",
          .fields = EXPORT_FIELDS,
          .check = check_export,
          .run = run_export}},
    {"import", "evaluations of other programs",
     .syntax =
         {.command = "luft store import",
          .about =
              "Adds evaluations: EPD with ce or dm, JSON lines as Lichess publishes them, games with "
              "[%eval] in their comments. They are shown and order moves; no search takes them for its "
              "own. A book in the format of Polyglot (FILE.bin) has moves, but no scores. Its positions are "
              "found from the start position and from those that the store knows.\n",
          .examples = "  luft store import my.store analysis.epd games.pgn book.bin\n"
                      "  zstdcat evals.jsonl.zst | luft store import my.store - --format json\n",
          .fields = IMPORT_FIELDS,
          .run = run_import}},
    {"prune", "remove rows",
     .syntax = {.command = "luft store prune",
                .about = "Removes the rows that any of the conditions names, and gives their space back.\n",
                .examples = "  luft store prune my.store --depth 12\n  luft store prune my.store --keep 1M\n",
                .fields = PRUNE_FIELDS,
                .check = check_prune,
                .run = run_prune}},
    {"verify", "check the file and every row",
     .syntax = {.command = "luft store verify",
                .about =
                    "Reads all of a store: the structure of the file, and for each row its checksum, its "
                    "position and its moves. Exits with status 1 when something is damaged.\n",
                .fields = VERIFY_FIELDS,
                .run = run_verify}},
};
#undef FIELD_STRUCT

int command_store(int argc, char **argv) {
    StoreArguments arguments = {.keep = -1};
    const CommandList list = {"luft store", "Usage: luft store ACTION [options] STORE ...\n\n", NULL,
                              COMMANDS(ACTIONS), &arguments};
    return commands_dispatch(&list, argc, argv);
}
