#include "cli/play_view.h"

#include "base/progress.h"
#include "base/usage.h"
#include "engine/lines.h"

enum { PLIES_SHOWN = 8, TEXT_COLUMNS = 79 };

PlayView play_view_open(bool ascii, Color person) {
    PlayView view = {.is_terminal = stream_is_terminal(stdin) && stream_is_terminal(stdout)};
    const bool colored = view.is_terminal && terminal_wants_color() && !ascii;
    view.look = (BoardLook){.style = colored ? BOARD_COLORS : BOARD_LETTERS, .flipped = person == BLACK};
    return view;
}

void play_view_append_board(const PlayView *view, const PlayGame *game, TextBuffer *out) {
    BoardLook look = view->look;
    const Game *played = &game->played;
    look.last = played->move_count > 0 ? played->moves[played->move_count - 1] : MOVE_NONE;
    board_draw(out, &game->now, look);
}

static void append_clock(TextBuffer *out, const char *side, int64_t left) {
    const int tenths = left > 0 ? (int)((left + 99) / 100) : 0, seconds = tenths / 10;
    if (seconds >= 3600)
        buffer_append_format(out, "%s %d:%02d:%02d", side, seconds / 3600, seconds / 60 % 60, seconds % 60);
    else if (seconds >= 20)
        buffer_append_format(out, "%s %d:%02d", side, seconds / 60, seconds % 60);
    else
        buffer_append_format(out, "%s %d:%02d.%d", side, seconds / 60, seconds % 60, tenths % 10);
}

void play_view_append_clocks(const PlayGame *game, int64_t spent, TextBuffer *out) {
    if (!game->settings.has_clock) return;
    if (!play_game_goes_on(game)) spent = 0;
    append_clock(out, color_name(WHITE), game->clock[WHITE] - (game->now.side == WHITE ? spent : 0));
    append_clock(out, ", Black", game->clock[BLACK] - (game->now.side == BLACK ? spent : 0));
    buffer_append_char(out, '\n');
}

static void append_last_moves(const Game *played, TextBuffer *out) {
    const int first = int_max(played->move_count - PLIES_SHOWN, 0);
    TextBuffer line = {0};
    if (played->move_count > 0) {
        const Position pos = game_position(played, first);
        lines_append_moves(&line, &pos, &played->moves[first], played->move_count - first, SIZE_MAX);
    }
    buffer_append_char(&line, '\n');
    usage_write_text(buffer_string(&line), out);
    buffer_release(&line);
}

static int count_lines(const TextBuffer *text) {
    int lines = 0;
    for (size_t i = 0; i < text->length; i++) lines += text->data[i] == '\n';
    return lines;
}

bool play_view_show(PlayView *view, const PlayGame *game, int64_t spent, const TextBuffer *message,
                    const char *prompt) {
    TextBuffer text = {0};
    if (view->is_terminal) {
        buffer_append_string(&text, "\033[H\033[2J");
        play_view_append_board(view, game, &text);
        buffer_append_char(&text, '\n');
        append_last_moves(&game->played, &text);
        view->clock_row = count_lines(&text) + 1;
        play_view_append_clocks(game, spent, &text);
        buffer_append_char(&text, '\n');
    }
    buffer_append(&text, buffer_view(message));
    if (view->is_terminal && prompt != NULL) buffer_append_string(&text, prompt);
    view->size = terminal_size();
    /* What is longer than the window has moved the clocks out of their row. */
    if (!game->settings.has_clock || count_lines(&text) + 1 >= view->size.rows ||
        view->size.columns <= TEXT_COLUMNS)
        view->clock_row = 0;
    return buffer_print_raw(&text, stdout);
}

bool play_view_tick(const PlayView *view, const PlayGame *game, int64_t spent) {
    if (terminal_was_resized(view->size)) return false;
    if (view->clock_row == 0) return true;
    TextBuffer text = {0};
    buffer_append_format(&text, "\0337\033[%d;1H", view->clock_row);
    play_view_append_clocks(game, spent, &text);
    if (text.length > 0) text.length--; /* its line feed */
    buffer_append_string(&text, "\033[K\0338");
    buffer_print_raw(&text, stdout);
    return true;
}
