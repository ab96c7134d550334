#include "cli/games.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "chess/pgn.h"
#include "cli/stop_watch.h"
#include "cli/terminal.h"
#include "review/annotate.h"
#include "review/graph.h"
#include "review/report.h"

enum {
    BAR_WIDTH = 30,
    PIPE_WIDTH = 80 /* columns of a report that is not for a terminal */
};

/* One reading of the file. */
typedef struct Session {
    Reviewer *reviewer;
    const GamesTask *task;
    int number;    /* of the game, from 1 */
    int64_t start; /* of its review, microseconds */
    int faults;    /* games that could not be read */
} Session;

/* --- progress --- */

/* "game 1 [####----] move 12 of 80, 0:28 left" */
static bool show_progress(void *context, int done, int total) {
    const Session *session = context;
    FILE *out = session->task->progress;
    if (interrupt_requested()) return false;
    if (!terminal_is(out)) return true;
    const int filled = BAR_WIDTH * done / total;
    char bar[BAR_WIDTH + 1];
    for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < filled ? '#' : '-';
    bar[BAR_WIDTH] = '\0';
    fprintf(out, "\rgame %d [%s] move %d of %d", session->number, bar, done, total - 1);
    if (done > 0) {
        const int64_t left = (clock_microseconds() - session->start) / done * (total - done) / 1000000;
        fprintf(out, ", %d:%02d left", (int)(left / 60), (int)(left % 60));
    }
    fprintf(out, "\033[K");
    fflush(out);
    return true;
}

static void tell_done(const Session *session, const Review *review) {
    FILE *out = session->task->progress;
    fprintf(out, "%sgame %d: %d moves judged", terminal_is(out) ? "\r\033[K" : "", session->number,
            int_max(review->done, 0));
    if (review->done < review->moves) fprintf(out, " of %d", review->moves);
    fputc('\n', out);
}

static void stop(void *context) { reviewer_stop(((Session *)context)->reviewer); }

/* --- games --- */

static Status append_annotated(TextBuffer *out, const Game *game, const Review *review) {
    Game annotated = {0};
    Status status = annotate_game(game, review, &annotated);
    if (status_is_ok(&status)) pgn_write_game(&annotated, out);
    game_release(&annotated);
    return status;
}

static Status append_form(const Session *session, const Game *game, const Review *review, TextBuffer *out) {
    const GamesTask *task = session->task;
    const bool is_terminal = terminal_is(task->out);
    const ReportLook look = {.width = is_terminal ? terminal_width(task->out) - 1 : PIPE_WIDTH,
                             .ascii = task->ascii};
    switch (task->form) {
    case GAMES_ANNOTATED: return append_annotated(out, game, review);
    case GAMES_REPORT: report_append(out, game, review, look); break;
    case GAMES_JSON: report_append_json(out, game, review, session->number); break;
    }
    return status_ok();
}

static Status write_form(const Session *session, const Game *game, const Review *review) {
    TextBuffer text = {0};
    Status status = append_form(session, game, review, &text);
    if (text.failed) status = status_no_memory("game %d", session->number);
    if (status_is_ok(&status)) {
        fwrite(buffer_string(&text), 1, text.length, session->task->out);
        fflush(session->task->out);
    }
    buffer_release(&text);
    return status;
}

/* "game.svg", "game-2.svg", "game-3.svg" ... */
static Status write_svg(const Session *session, const Game *game, const Review *review) {
    static const char ENDING[] = ".svg";
    TextView stem = text_view(session->task->svg);
    TextBuffer path = {0}, picture = {0};
    if (stem.length >= sizeof ENDING) stem.length -= sizeof ENDING - 1;
    buffer_append(&path, stem);
    if (session->number > 1) buffer_append_format(&path, "-%d", session->number);
    buffer_append_string(&path, ENDING);
    graph_append_svg(&picture, game, review);
    Status status = path.failed || picture.failed
                        ? status_no_memory("the picture")
                        : file_write(buffer_string(&path), buffer_string(&picture), picture.length);
    buffer_release(&path);
    buffer_release(&picture);
    return status;
}

static Status review_one(Session *session, const Game *game) {
    Review review;
    session->start = clock_microseconds();
    Status status =
        reviewer_review(session->reviewer, game, &session->task->limits, show_progress, session, &review);
    if (!status_is_ok(&status)) return status;
    status = write_form(session, game, &review);
    if (status_is_ok(&status) && session->task->svg != NULL) status = write_svg(session, game, &review);
    if (status_is_ok(&status)) tell_done(session, &review);
    review_release(&review);
    return status;
}

static Status review_all(Session *session, TextView pgn) {
    const GamesTask *task = session->task;
    Status status = status_ok();
    int line = 1;
    bool found = true;
    while (found && status_is_ok(&status) && !ferror(task->out) && !interrupt_requested()) {
        Game game = {0};
        Status reading = pgn_read_game(&pgn, &line, &game, &found);
        if (!status_is_ok(&reading)) {
            fprintf(task->progress, "luft: %s\n", reading.reason);
            session->faults++;
        } else if (found) {
            session->number++;
            status = review_one(session, &game);
        }
        game_release(&game);
    }
    if (!status_is_ok(&status)) return status;
    if (interrupt_requested() && session->number == 0) return status_error("stopped before the first game");
    if (interrupt_requested())
        return status_error(
            "stopped in game %d: what was judged until then is written, games behind it are not",
            session->number);
    if (session->faults > 0)
        return status_error("%d of the %d games could not be read", session->faults,
                            session->number + session->faults);
    return session->number > 0 ? status : status_error("there is neither a position nor a game in it");
}

Status games_review(Reviewer *reviewer, TextView pgn, const GamesTask *task) {
    Session session = {.reviewer = reviewer, .task = task};
    StopWatch watch;
    Status status = stop_watch_begin(&watch, stop, &session);
    if (!status_is_ok(&status)) return status;
    status = review_all(&session, pgn);
    stop_watch_end(&watch);
    return status;
}
