#include "lab/study/session.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "chess/reader.h"
#include "chess/san.h"
#include "lab/kit/crew.h"
#include "lab/kit/ownership.h"
#include "lab/kit/plot.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum {
    STEP = 100,              /* milliseconds for an answer before we look for signals and other things */
    WORKERS_LOOK = 1000,     /* milliseconds */
    REPORTS_INTERVAL = 60000 /* milliseconds between two writings of the reports */
};

/* --- where it begins --- */

static Status write_start(const Position *first, const Move *moves, int count, StudyStart *start) {
    TextBuffer text = {0};
    char fen[FEN_CAPACITY];
    fen_write(first, fen);
    buffer_append_format(&text, "fen %s", fen);
    for (int i = 0; i < count; i++) {
        char move[LAN_CAPACITY];
        lan_write(first, moves[i], move);
        buffer_append_format(&text, "%s %s", i == 0 ? " moves" : "", move);
    }
    const bool fits = !text.failed && text.length < sizeof start->position / 2;
    text_copy(buffer_view(&text), start->position, sizeof start->position);
    buffer_release(&text);
    return fits ? status_ok() : status_error("the game is too long for a study");
}

static Status take_game(const StudySettings *settings, Reader *reader, StudyStart *start) {
    Status status = status_ok();
    bool found = false;
    for (int64_t number = 1; number <= settings->game && status_is_ok(&status); number++) {
        Game game = {0};
        found = reader_next_game(reader, &game, &status);
        if (found && number == settings->game) {
            const int plies =
                settings->ply < 0 || settings->ply > game.move_count ? game.move_count : (int)settings->ply;
            const Position first = game_position(&game, 0);
            if (settings->ply > game.move_count)
                status = status_error("--ply %" PRId64 ": the game has %d", settings->ply, game.move_count);
            start->root = game_position(&game, plies);
            if (status_is_ok(&status)) status = write_start(&first, game.moves, plies, start);
        }
        game_release(&game);
        if (!found) break;
    }
    if (status_is_ok(&status) && !found)
        status = status_error("%s has no game number %" PRId64, settings->pgn, settings->game);
    return status;
}

Status session_load_start(const StudySettings *settings, StudyStart *start) {
    if (settings->pgn == NULL) {
        const char *fen = settings->fen != NULL ? settings->fen : FEN_START;
        const Status status = fen_parse(&start->root, text_view(fen), settings->chess960);
        return status_is_ok(&status) ? write_start(&start->root, NULL, 0, start)
                                     : status_error("--fen: %s", status.reason);
    }
    Reader reader;
    Status status = reader_open(&reader, settings->pgn);
    if (status_is_ok(&status)) status = take_game(settings, &reader, start);
    if (reader.problems.text.length > 0) text_print(stderr, buffer_view(&reader.problems.text));
    reader_close(&reader);
    return status;
}

/* --- workers --- */

Status session_add_workers(Study *study, const StudySettings *settings) {
    char words[32], path[FILE_PATH_CAPACITY];
    Status status = status_ok();
    for (int i = 0; i < settings->workers.count && status_is_ok(&status); i++)
        status = study_add_place(study, settings->workers.word[i], false);
    text_format(path, sizeof path, "%s.workers", settings->name);
    if (settings->workers.count > 0 || settings->workers_file != NULL || file_size(path) >= 0) return status;
    text_format(words, sizeof words, "local:%d", crew_threads(0));
    return study_add_place(study, words, false);
}

void session_watch_workers(Study *study, const StudySettings *settings, WorkersFile *file) {
    struct stat facts;
    const int64_t now = clock_milliseconds();
    if (file->path[0] == '\0') {
        if (settings->workers_file != NULL)
            text_copy(text_view(settings->workers_file), file->path, sizeof file->path);
        else
            text_format(file->path, sizeof file->path, "%s.workers", settings->name);
    } else if (now - file->looked < WORKERS_LOOK) {
        return;
    }
    file->looked = now;
    if (stat(file->path, &facts) != 0) return;
    const int64_t stamp =
        (int64_t)facts.st_mtime * 1000003 + (int64_t)facts.st_size * 31 + (int64_t)facts.st_ino;
    if (stamp == file->stamp) return;
    file->stamp = stamp;
    study_read_places(study, file->path);
}

/* --- reports --- */

static Status write_report(const StudySettings *settings, const char *ending, const TextBuffer *text) {
    char path[FILE_PATH_CAPACITY];
    text_format(path, sizeof path, "%s.%s", settings->name, ending);
    return text->failed ? status_no_memory("a report") : file_write(path, text->data, text->length);
}

Status session_write_reports(const Study *study, const StudySettings *settings, Status *notice) {
    const char *kind = plot_kind(settings->plot);
    TextBuffer text = {0};
    *notice = status_ok();
    Status status = report_write_pgn(study, settings->name, &text);
    if (status_is_ok(&status)) status = write_report(settings, "pgn", &text);
    buffer_clear(&text);
    report_write_markdown(study, settings->name, &text);
    if (status_is_ok(&status)) status = write_report(settings, "md", &text);
    buffer_clear(&text);
    if (status_is_ok(&status) && kind != NULL && study->record.tasks > 1) {
        char path[FILE_PATH_CAPACITY];
        text_format(path, sizeof path, "%s.%s", settings->name, kind);
        report_write_plot(study, settings->name, kind, &text);
        *notice = plot_run(&text, path);
    }
    buffer_release(&text);
    return status;
}

/* --- a run --- */

/* Our own reports may be replaced, and nothing else. */
static Status check_outputs(const StudySettings *settings) {
    char path[FILE_PATH_CAPACITY];
    static const char EVENT[] = "[Event \"", TITLE[] = "# ";
    text_format(path, sizeof path, "%s.pgn", settings->name);
    Status status = ownership_check_inputs(path, &settings->pgn, 1);
    if (status_is_ok(&status)) status = ownership_check_kind(path, EVENT, sizeof EVENT - 1, "a game");
    text_format(path, sizeof path, "%s.md", settings->name);
    return status_is_ok(&status) ? ownership_check_kind(path, TITLE, sizeof TITLE - 1, "a report of a study")
                                 : status;
}

static Status work(Study *study, const StudySettings *settings, Screen *screen) {
    const int64_t start = clock_milliseconds(), end = start + (int64_t)(settings->time * 1000);
    int64_t written = start, tasks = study->record.tasks;
    WorkersFile file = {0};
    Status status = status_ok(), notice;
    while (status_is_ok(&status) && !interrupt_requested() && !study_is_over(study)) {
        const int64_t now = clock_milliseconds();
        if (settings->time > 0 && now >= end) break;
        session_watch_workers(study, settings, &file);
        status = study_step(study, STEP);
        screen_update(screen);
        if (status_is_ok(&status) && study_is_deserted(study))
            return status_error("no engine could be used: %s", study->failure);
        if (now - written < REPORTS_INTERVAL || tasks == study->record.tasks) continue;
        written = now;
        tasks = study->record.tasks;
        if (status_is_ok(&status)) status = session_write_reports(study, settings, &notice);
    }
    return status;
}

static Status run(Study *study, const StudySettings *settings, const StudyStart *start, Screen *screen) {
    const RecordPlan record = {.name = settings->name,
                               .store = settings->store,
                               .no_store = settings->no_store,
                               .again = settings->again,
                               .position = start->position};
    Status notice = status_ok(), status = study_open(study, &record, &start->root);
    if (status_is_ok(&status) && study->record.tasks > 0 && !settings->quiet) {
        TextBuffer text = {0};
        report_write_summary(study, &text);
        buffer_append_string(&text, ": carried on");
        screen_say(screen, buffer_string(&text));
        buffer_release(&text);
    }
    if (status_is_ok(&status) && !study_is_over(study)) status = session_add_workers(study, settings);
    if (status_is_ok(&status)) status = work(study, settings, screen);
    screen_end(screen);
    if (study->is_open && study->record.tasks > 0) {
        const Status reports = session_write_reports(study, settings, &notice);
        if (status_is_ok(&status)) status = reports;
    }
    if (!status_is_ok(&notice)) screen_say(screen, notice.reason);
    return status;
}

Status session_run(const StudySettings *settings) {
    StudyStart start = {0};
    Screen screen;
    Interrupt interrupt;
    char errors[FILE_PATH_CAPACITY];
    Study *study = memory_allocate(sizeof *study);
    if (study == NULL) return status_no_memory("a study");
    Status status = session_load_start(settings, &start);
    if (status_is_ok(&status)) status = check_outputs(settings);
    if (status_is_ok(&status)) {
        interrupt_begin(&interrupt);
        screen_begin(&screen, study, settings->name, settings->quiet);
        text_format(errors, sizeof errors, "%s.errors", settings->name);
        const StudyPlan plan = {.engine = &settings->engines.engines[0],
                                .errors = errors,
                                .nodes = settings->nodes,
                                .tasks = settings->tasks,
                                .any_engine = settings->any_engine,
                                .patience = settings->patience,
                                .say = screen_say,
                                .context = &screen};
        study_begin(study, &plan);
        study->pool.chess960 = start.root.chess960;
        status = run(study, settings, &start, &screen);
        TextBuffer text = {0};
        if (status_is_ok(&status)) {
            report_write_summary(study, &text);
            buffer_append_char(&text, '\n');
            buffer_print(&text, stdout);
        }
        study_end(study);
        interrupt_end(&interrupt);
    }
    memory_release(study);
    return status;
}
