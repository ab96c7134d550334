#include "lab/data/convert.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "chess/reader.h"
#include "lab/data/datatext.h"
#include "lab/data/foreign.h"
#include "lab/data/sorting.h"
#include "lab/kit/console.h"
#include "lab/kit/ownership.h"
#include "search/score.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    FORMAT_TEXT,
    FORMAT_PGN,
    FORMAT_FOREIGN, /* and the other ones of ForeignKind */
    FORMAT_PLAIN = FORMAT_FOREIGN + FOREIGN_PLAIN,
    FORMAT_BULLET = FORMAT_FOREIGN + FOREIGN_BULLET,
    FORMAT_AUTO = FORMAT_FOREIGN + FOREIGN_KINDS
};

static bool is_foreign(int format) { return format >= FORMAT_FOREIGN && format < FORMAT_AUTO; }

static ForeignKind foreign_kind(int format) { return (ForeignKind)(format - FORMAT_FOREIGN); }

/* --- export --- */

enum { FLUSH_BYTES = 1 << 20 };

typedef struct Export {
    const ConvertSettings *settings;
    bool to_file; /* or to standard output */
    NewFile file;
    TextBuffer text;
    uint64_t games, plies; /* that were read */
    ForeignExport foreign;
} Export;

static Status export_flush(Export *export) {
    Status status = status_ok();
    if (export->text.failed)
        status = status_no_memory("the games");
    else if (export->to_file)
        status = new_file_add(&export->file, export->text.data, export->text.length);
    else
        text_print(stdout, buffer_view(&export->text));
    buffer_clear(&export->text);
    return status;
}

/* Luft played the games of a network, unless it only gave its scores to those that had none: these keep a
 * seed of 0. */
static bool is_own(const RecordOrigin *origin) {
    return origin->net_hash != 0 && !(origin->flags & RECORD_RELABELLED && origin->seed == 0);
}

static Status take_export(void *context, const RecordBlock *block, RecordedGame *game) {
    Export *export = context;
    const ConvertSettings *settings = export->settings;
    Status status = status_ok();
    if (interrupt_requested()) return status_error("interrupted");
    export->games++;
    export->plies += (uint64_t)game->ply_count;
    if (settings->format == FORMAT_TEXT)
        datatext_append_line(game, &export->text);
    else if (settings->format == FORMAT_PGN)
        status = datatext_append_pgn(game, is_own(&block->origin), export->games, &export->text);
    else
        foreign_append(foreign_kind(settings->format), game, &export->foreign, &export->text);
    return status_is_ok(&status) && export->text.length > FLUSH_BYTES ? export_flush(export) : status;
}

/* Whoever trains on positions alone cannot find out which of them to skip: bulletformat has no moves. */
static void print_uses(const ForeignExport *foreign) {
    const uint64_t *uses = foreign->uses;
    const uint64_t checks = uses[PLY_IN_CHECK], noisy = uses[PLY_NOISY], decided = uses[PLY_DECIDED];
    if (foreign->usable_only)
        text_printf(stderr,
                    "left out as not usable: %s; %" PRIu64 " early, %" PRIu64 " in check, %" PRIu64
                    " noisy, %" PRIu64 " decided\n",
                    console_count(uses[PLY_EARLY] + checks + noisy + decided, "position").text,
                    uses[PLY_EARLY], checks, noisy, decided);
    else if (checks + noisy + decided > 0)
        text_printf(stderr,
                    "among them are %" PRIu64 " in check, %" PRIu64 " noisy (the best move captures or "
                    "promotes), %" PRIu64 " decided; --usable leaves them out\n",
                    checks, noisy, decided);
}

/* One line for everything that the format cannot hold. */
static void print_loss(const ForeignExport *loss) {
    if (loss->unscored + loss->moveless > 0)
        text_printf(stderr, "left out: %s without a score%s, %" PRIu64 " without a move\n",
                    console_count(loss->unscored, "position").text,
                    loss->unscored > 0 ? " (luft-lab data relabel scores games that others played)" : "",
                    loss->moveless);
    if (loss->empty > 0)
        text_printf(stderr, "left out: %s without a move or a score\n",
                    console_count(loss->empty, "game").text);
}

Status convert_export(const ConvertSettings *settings) {
    const WordList *files = &settings->files;
    const char *out = settings->out;
    Export export = {
        .settings = settings,
        .to_file = out != NULL && strcmp(out, "-") != 0,
        .file = {.handle = -1},
        .foreign = {.pawn = settings->pawn, .usable_only = settings->usable, .plies = settings->plies}};
    Interrupt interrupt;
    interrupt_begin(&interrupt);
    Status status = status_ok();
    if (settings->usable && settings->format != FORMAT_PLAIN && settings->format != FORMAT_BULLET)
        status =
            status_error("--usable chooses single positions, for plain and bulletformat; the other formats "
                         "hold whole games");
    if (status_is_ok(&status) && !export.to_file && is_foreign(settings->format) &&
        settings->format != FORMAT_PLAIN)
        status = status_error("this format is no text, and no terminal takes it: it needs --out FILE");
    if (status_is_ok(&status))
        status = ownership_check_inputs(out, (const char *const *)files->word, files->count);
    if (status_is_ok(&status) && export.to_file) status = ownership_check_new(out, settings->again);
    if (status_is_ok(&status) && export.to_file) status = new_file_begin(&export.file, out);
    if (status_is_ok(&status)) status = record_each_game(files, take_export, &export);
    if (status_is_ok(&status)) status = export_flush(&export);
    if (status_is_ok(&status) && export.to_file) status = ownership_make_room(out, settings->again);
    status = new_file_end(&export.file, status);
    interrupt_end(&interrupt);
    buffer_release(&export.text);
    if (status_is_ok(&status) && export.to_file)
        text_printf(stdout, "%s: from %s\n", out, console_games(export.games, export.plies).text);
    if (status_is_ok(&status)) print_loss(&export.foreign);
    if (status_is_ok(&status)) print_uses(&export.foreign);
    return status;
}

/* --- import --- */

typedef struct Import {
    const ConvertSettings *settings;
    int format;                      /* of the file that is read */
    uint64_t read_games, read_plies; /* of it */
    uint64_t read_scores;            /* positions of it that have one */
    RecordOutput output;
    RecordedGame *game;
    uint64_t undecided; /* games without a result */
    uint64_t empty;     /* games without a move and a score */
    uint64_t cut;       /* games that end before a fault */
    uint64_t skipped;   /* games with a fault before their first move */
    Status faults;      /* bad when something was lost */
} Import;

static uint64_t count_scores(const RecordedGame *game) {
    uint64_t count = game->last_score != RECORD_NO_SCORE;
    for (int i = 0; i < game->ply_count; i++) count += game->ply[i].score != RECORD_NO_SCORE;
    return count;
}

/* Writes the game that was taken, unless it has no result; `lost`: something of it could not be read. */
static Status add_game(Import *import, bool lost) {
    const RecordOrigin origin = {0};
    if (interrupt_requested()) return status_error("interrupted");
    import->cut += lost;
    import->read_games++;
    import->read_plies += (uint64_t)import->game->ply_count;
    import->read_scores += count_scores(import->game);
    return sorting_add(&import->output, &origin, import->game);
}

/* Takes the next game of PGN, or line of text; false at the end, and with a bad `*status`. */
static bool import_next(Import *import, Reader *reader, Status *status) {
    const bool pgn = import->format == FORMAT_PGN;
    /* Games before the next one that cannot be read are losses, too. */
    const int before = reader->problems.count[PROBLEM_LOSS] - reader->problems.skipped;
    Game read = {0};
    TextView line;
    *status = status_ok();
    if (!(pgn ? reader_next_game(reader, &read, status) : reader_next_line(reader, &line))) return false;
    const Status taken =
        pgn ? datatext_take_game(&read, import->game) : datatext_parse_line(line, import->game);
    game_release(&read);
    const bool undecided = import->game->result == UNDECIDED;
    if (!status_is_ok(&taken) && !(pgn && undecided)) reader_refuse(reader, taken.reason);
    const bool lost = reader->problems.count[PROBLEM_LOSS] - reader->problems.skipped > before;
    import->undecided += pgn && undecided;
    const bool skipped = !undecided && lost && recorded_is_empty(import->game);
    import->skipped += skipped;
    if (!undecided && !skipped) *status = add_game(import, lost);
    return status_is_ok(status);
}

/* Where in a foreign file its reader is: people look for lines, and for the number of a record. */
typedef struct Place {
    const char *begin, *at; /* of the file; lines are counted up to here */
    uint64_t line, number;  /* of the record that is read, from 1 */
} Place;

static void report_loss(const Import *import, Place *place, const char *at, const char *reason,
                        Problems *problems) {
    for (const char *end; (end = memchr(place->at, '\n', (size_t)(at - place->at))) != NULL;
         place->at = end + 1)
        place->line++;
    if (import->format == FORMAT_PLAIN)
        problems_add(problems, PROBLEM_LOSS, "line %" PRIu64 ": %s", place->line, reason);
    else
        problems_add(problems, PROBLEM_LOSS, "%s %" PRIu64 ", byte %lld: %s",
                     foreign_kind(import->format) == FOREIGN_VIRI ? "game" : "position", place->number,
                     (long long)(at - place->begin), reason);
}

/* Takes all games of a foreign file, reports its problems, and counts them. */
static Status import_bytes(Import *import, TextView bytes, Problems *problems) {
    const ConvertSettings *settings = import->settings;
    Place place = {bytes.data, bytes.data, 1, 0};
    Status status = status_ok(), fault = status_ok();
    for (const char *at = bytes.data;
         status_is_ok(&status) &&
         foreign_take(foreign_kind(import->format), &bytes, settings->pawn, import->game, &fault);
         at = bytes.data) {
        const bool lost = !status_is_ok(&fault);
        place.number++;
        if (lost) report_loss(import, &place, at, fault.reason, problems);
        const bool empty = recorded_is_empty(import->game);
        import->empty += empty && !lost;
        import->skipped += empty && lost;
        if (import->game->result != UNDECIDED && !empty) status = add_game(import, lost);
    }
    return status;
}

static Status import_foreign(Import *import, const char *path) {
    TextBuffer content = {0};
    Problems problems = {.origin = path};
    Interrupt interrupt;
    Status status = file_read(path, &content);
    interrupt_begin(&interrupt);
    if (status_is_ok(&status)) status = import_bytes(import, buffer_view(&content), &problems);
    interrupt_end(&interrupt);
    problems_finish(&problems);
    const int losses = problems.count[PROBLEM_LOSS];
    if (losses > 0 && !import->settings->skip_faults && status_is_ok(&import->faults))
        import->faults = status_error("%.120s: faults that cost positions or games: %d", path, losses);
    buffer_print(&problems.text, stderr);
    problems_release(&problems);
    buffer_release(&content);
    return status;
}

/* By the first line with something in it: "fen ...", or a start and a result before semicolons, else PGN. */
static int guess_format(TextView text) {
    TextView line = {0}, start, result;
    GameResult unused;
    while (text_next_line(&text, &line))
        if (!text_is_empty(text_trim(line)) && line.data[0] != '#') break;
    if (text_starts_with(line, "fen ")) return FORMAT_PLAIN;
    return text_split(&line, ';', &start) && text_split(&line, ';', &result) &&
                   game_result_parse(text_trim(result), &unused)
               ? FORMAT_TEXT
               : FORMAT_PGN;
}

static bool is_file_of_games(const char *path) {
    Status unused;
    RecordReader *reader = record_reader_open(path, &unused);
    RecordBlock block;
    const bool is = reader != NULL && record_reader_next_block(reader, &block, &unused);
    record_reader_close(reader);
    return is;
}

static Status import_text(Import *import, const char *path) {
    Reader reader;
    Interrupt interrupt;
    Status status = reader_open(&reader, path); /* perhaps what somebody types: it can be interrupted */
    if (status.kind == STATUS_ERROR && is_file_of_games(path))
        status =
            status_error("%.180s is a file of Luft's games already; luft-lab data merge joins those", path);
    else if (import->format == FORMAT_AUTO && status.kind == STATUS_ERROR &&
             strstr(status.reason, "of some program") != NULL)
        status = status_error("%.180s; bulletformat and viriformat must be said: --format", status.reason);
    if (import->format == FORMAT_AUTO) import->format = guess_format(reader.rest);
    if (status_is_ok(&status) && import->format == FORMAT_PLAIN) {
        reader_close(&reader);
        return import_foreign(import, path);
    }
    interrupt_begin(&interrupt);
    while (status_is_ok(&status) && import_next(import, &reader, &status)) {
    }
    interrupt_end(&interrupt);
    import->skipped += (uint64_t)reader.problems.skipped;
    const Status whole = reader_finish(&reader, import->settings->skip_faults, NULL);
    if (status_is_ok(&status) && status_is_ok(&import->faults)) import->faults = whole;
    buffer_print(&reader.problems.text, stderr);
    reader_close(&reader);
    return status;
}

/* What kind of file it was taken for, and what it had. */
static void print_file(const Import *import, const char *path) {
    static const char *const NAMES[] = {"lines of text", "PGN", "plain", "bulletformat", "viriformat"};
    text_printf(stdout, "%s: %s, %s; %s with a score\n", path, NAMES[import->format],
                console_games(import->read_games, import->read_plies).text,
                console_count(import->read_scores, "position").text);
}

Status convert_import(const ConvertSettings *settings) {
    Import import = {.settings = settings, .faults = status_ok()};
    const WordList *files = &settings->files;
    Status status = sorting_open(&import.output, settings->out, settings->again);
    import.game = memory_allocate(sizeof *import.game);
    if (import.game == NULL && status_is_ok(&status)) status = status_no_memory("the games");
    for (int i = 0; import.game != NULL && i < files->count && status_is_ok(&status); i++) {
        import.format = settings->format;
        import.read_games = import.read_plies = import.read_scores = 0;
        status = is_foreign(import.format) ? import_foreign(&import, files->word[i])
                                           : import_text(&import, files->word[i]);
        if (status_is_ok(&status)) print_file(&import, files->word[i]);
    }
    memory_release(import.game);
    if (status_is_ok(&status) && import.output.games == 0)
        status = status_is_ok(&import.faults) ? status_error("there is no game with a result to write")
                                              : import.faults;
    status = sorting_close(&import.output, status);
    if (status_is_ok(&status) && import.undecided + import.empty + import.cut + import.skipped > 0)
        text_printf(stdout,
                    "skipped: %s without a result, %" PRIu64 " without a move or a score, %" PRIu64
                    " with a fault before the first move; cut before a fault: "
                    "%" PRIu64 "\n",
                    console_count(import.undecided, "game").text, import.empty, import.skipped, import.cut);
    if (!status_is_ok(&status) || status_is_ok(&import.faults)) return status;
    return status_error("%.170s; what could be read is in %.60s", import.faults.reason, settings->out);
}
