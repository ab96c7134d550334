/* luft explain: why a move is worse than the best one. */
#include "base/file.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/pgn.h"
#include "chess/san.h"
#include "cli/command.h"
#include "cli/position_word.h"
#include "cli/technique_words.h"
#include "cli/terminal.h"
#include "engine/lines.h"
#include "explain/words.h"

#include <stdio.h>

enum {
    HASH = 32,          /* MiB */
    GLANCE_SHARE = 8,   /* a game is looked through with this part of the nodes a position */
    WIDTH_DEFAULT = 80, /* characters of a row */
    WORST_MAX = 20
};

typedef struct Settings {
    ArgumentList words;
    uint64_t nodes;
    int worst;
    bool json, svg;
    const char *without; /* names of techniques */
    bool techniques, all;
    TechniqueSet off; /* those */
    Position pos;     /* of a FEN and a move on the command line */
    Move move;
} Settings;

/* Splits "FEN MOVE" and reads both. */
static Status read_question(TextView text, Position *pos, Move *move) {
    text = text_trim(text);
    size_t length = text.length;
    while (length > 0 && text.data[length - 1] != ' ' && text.data[length - 1] != '\t') length--;
    const TextView fen = text_trim((TextView){text.data, length});
    const TextView word = {text.data + length, text.length - length};
    Status status = fen_parse(pos, fen, false);
    if (!status_is_ok(&status)) return status_error("%s; expected: a FEN, then a move", status.reason);
    Position whole;
    const Status no_move = fen_parse(&whole, text, false);
    if (status_is_ok(&no_move)) return status_error("there is no move; expected: a FEN, then a move");
    if (!movegen_has_legal(pos))
        return status_error("the game is over in this position: there is no legal move");
    return move_parse(pos, word, move);
}

static Status append_answer(TextBuffer *out, const Settings *settings, const Explanation *explanation) {
    const bool is_terminal = terminal_is(stdout);
    if (settings->svg) return words_append_svg(out, explanation);
    if (settings->json) {
        words_append_json(out, explanation);
        buffer_append_char(out, '\n');
    } else {
        words_append(out, explanation, is_terminal ? (size_t)terminal_width(stdout) : WIDTH_DEFAULT,
                     is_terminal && terminal_wants_color());
    }
    return status_ok();
}

static Status print_explanation(const Settings *settings, const Explanation *explanation) {
    TextBuffer text = {0};
    Status status = append_answer(&text, settings, explanation);
    if (text.failed) status = status_no_memory("the explanation");
    if (status_is_ok(&status)) fwrite(buffer_string(&text), 1, text.length, stdout);
    fflush(stdout);
    buffer_release(&text);
    return status;
}

/* The searches without the techniques that were asked for. */
static Status try_without(Explainer *explainer, const Settings *settings, Explanation *explanation) {
    TechniqueId wanted[TECHNIQUE_COUNT];
    int count = 0;
    Status status = status_ok();
    if (settings->techniques && !settings->all)
        count = without_touched(explanation->recording, explanation->move, wanted);
    for (int id = 0; id < TECHNIQUE_COUNT && (settings->all || !settings->techniques); id++) {
        const bool is_wanted = settings->all ? without_matters((TechniqueId)id)
                                             : (settings->off & technique_bit((TechniqueId)id)) != 0;
        if (is_wanted) wanted[count++] = (TechniqueId)id;
    }
    const bool tells = terminal_is(stderr);
    for (int i = 0; i < count && status_is_ok(&status); i++) {
        if (tells) fprintf(stderr, "\rsearching without technique %d of %d", i + 1, count);
        status = explainer_try_without(explainer, explanation, wanted[i]);
    }
    if (tells && count > 0) fprintf(stderr, "\r\033[K");
    return status;
}

static Status explain_one(Explainer *explainer, const Settings *settings, const Position *pos, Move move) {
    Explanation explanation;
    Status status = explainer_explain(explainer, pos, move, settings->nodes, &explanation);
    if (!status_is_ok(&status)) return status;
    status = try_without(explainer, settings, &explanation);
    if (status_is_ok(&status)) status = print_explanation(settings, &explanation);
    explanation_release(&explanation);
    return status;
}

/* --- files --- */

static Status explain_lines(Explainer *explainer, const Settings *settings, TextView lines) {
    Status status = status_ok();
    TextView line;
    int number = 0, faults = 0;
    while (status_is_ok(&status) && text_next_line(&lines, &line)) {
        Position pos;
        Move move = MOVE_NONE;
        number++;
        if (text_is_empty(text_trim(line))) continue;
        const Status reading = read_question(line, &pos, &move);
        if (!status_is_ok(&reading)) {
            fprintf(stderr, "luft: line %d: %s\n", number, reading.reason);
            faults++;
            continue;
        }
        if (!settings->json) printf("%.*s\n", (int)text_trim(line).length, text_trim(line).data);
        status = explain_one(explainer, settings, &pos, move);
        if (!settings->json) putchar('\n');
    }
    if (status_is_ok(&status) && faults > 0) return status_error("%d of the lines could not be read", faults);
    return status;
}

/* What each move of a game gave away of the expected score. */
static void find_losses(Explainer *explainer, const Settings *settings, const Game *game, double *losses) {
    Position pos = game->start;
    const bool tells = terminal_is(stderr);
    const uint64_t nodes = settings->nodes / GLANCE_SHARE + 1;
    double before = explainer_expected_score(explainer, &pos, nodes);
    for (int i = 0; i < game->move_count; i++) {
        Undo undo;
        position_make_move(&pos, game->moves[i], &undo);
        const double after = 1 - explainer_expected_score(explainer, &pos, nodes);
        losses[i] = before - after;
        before = 1 - after;
        if (tells) fprintf(stderr, "\rlooking through the game: %d of %d moves", i + 1, game->move_count);
    }
    if (tells) fprintf(stderr, "\r\033[K");
}

static Status explain_ply(Explainer *explainer, const Settings *settings, const Game *game, int ply) {
    Position pos = game->start;
    for (int i = 0; i < ply; i++) {
        Undo undo;
        position_make_move(&pos, game->moves[i], &undo);
    }
    if (!settings->json) {
        TextBuffer title = {0};
        lines_append_moves(&title, &pos, &game->moves[ply], 1, SIZE_MAX);
        printf("%s\n", buffer_string(&title));
        buffer_release(&title);
    }
    const Status status = explain_one(explainer, settings, &pos, game->moves[ply]);
    if (!settings->json) putchar('\n');
    return status;
}

/* The worst moves of a game, in the order in which they were played. */
static Status explain_game(Explainer *explainer, const Settings *settings, const Game *game) {
    double losses[1024];
    const int count = int_min(game->move_count, (int)(sizeof losses / sizeof losses[0]));
    Game head = *game;
    head.move_count = count;
    find_losses(explainer, settings, &head, losses);
    Status status = status_ok();
    for (int ply = 0; ply < count && status_is_ok(&status); ply++) {
        int worse = 0;
        for (int other = 0; other < count; other++)
            worse += losses[other] > losses[ply] || (losses[other] == losses[ply] && other < ply);
        if (worse < settings->worst && losses[ply] >= REASON_GOOD_LOSS)
            status = explain_ply(explainer, settings, game, ply);
    }
    return status;
}

static Status explain_games(Explainer *explainer, const Settings *settings, TextView pgn) {
    Status status = status_ok();
    int line = 1, games = 0, faults = 0;
    bool found = true;
    while (found && status_is_ok(&status)) {
        Game game = {0};
        const Status reading = pgn_read_game(&pgn, &line, &game, &found);
        if (!status_is_ok(&reading)) {
            fprintf(stderr, "luft: %s\n", reading.reason);
            faults++;
        } else if (found) {
            games++;
            status = explain_game(explainer, settings, &game);
        }
        game_release(&game);
    }
    if (!status_is_ok(&status)) return status;
    if (faults > 0) return status_error("%d of the %d games could not be read", faults, games + faults);
    return games > 0 ? status : status_error("there is neither a position nor a game in it");
}

static Status explain_file(Explainer *explainer, const Settings *settings, const char *path) {
    TextBuffer content = {0};
    Status status = file_read(path, &content);
    if (status_is_ok(&status)) {
        const TextView text = text_without_mark(buffer_view(&content));
        TextView rest = text, first = text_view("");
        while (text_is_empty(text_trim(first)) && text_next_line(&rest, &first)) {
        }
        Position pos;
        Move move = MOVE_NONE;
        const Status question = read_question(first, &pos, &move);
        status = status_is_ok(&question) ? explain_lines(explainer, settings, text)
                                         : explain_games(explainer, settings, text);
    }
    buffer_release(&content);
    return status;
}

static Status check(void *context) {
    Settings *settings = context;
    TextBuffer text = {0};
    Status named = technique_words_read(settings->without, &settings->off);
    if (!status_is_ok(&named)) return named;
    position_word_join(&settings->words, &text);
    Status status = position_word_is_fen(buffer_view(&text))
                        ? read_question(buffer_view(&text), &settings->pos, &settings->move)
                        : status_ok();
    if (settings->words.count > 1 && !position_word_is_fen(buffer_view(&text)))
        status = status_error("expected a FEN and a move, or one file");
    if (status_is_ok(&status) && settings->svg && (settings->json || settings->move == MOVE_NONE))
        status = status_error("--svg is the picture of one move: it wants a FEN and a move, and no --json");
    buffer_release(&text);
    return status;
}

static Status run(void *context) {
    const Settings *settings = context;
    Status status = status_ok();
    Explainer *explainer = explainer_create(NULL, HASH, &status);
    if (explainer == NULL) return status;
    status = settings->move != MOVE_NONE ? explain_one(explainer, settings, &settings->pos, settings->move)
                                         : explain_file(explainer, settings, settings->words.word[0]);
    explainer_destroy(explainer);
    return status;
}

int command_explain(int argc, char **argv) {
    Settings settings = {.nodes = EXPLAIN_NODES, .worst = 3};
    const Argument table[] = {
        argument_words(
            "WHAT", &settings.words, 1,
            "a FEN and a move (Nf3 or g1f3); or a file: of games (PGN), or with a FEN and a move a line; - "
            "for standard input"),
        option_count("nodes", "N", &settings.nodes, 100, 1e12,
                     "nodes for the best move, and as many for the move that is asked about"),
        option_int("worst", "N", &settings.worst, 1, WORST_MAX, "of a game, the N moves that lost most"),
        option_text("without", "TECHNIQUE,...", &settings.without,
                    "also what the search finds without each of them (docs/search.md has the names)"),
        option_flag("techniques", &settings.techniques,
                    "also what it finds without each technique that touched the move, eight at most"),
        option_flag("all", &settings.all, "also what it finds without each of all techniques"),
        option_flag("json", &settings.json, "one JSON object a move, for programs (docs/explain.md)"),
        option_flag("svg", &settings.svg, "a picture: the tree of the search of the move"),
    };
    const Syntax syntax = {
        "luft explain", "FEN MOVE | FILE [options]",
        "Says why a move is worse than the best one: the line that answers it, what it loses, why, and by "
        "which "
        "motif. Only what the board shows on that line is said. Where nothing can be shown, it says so.\n",
        "  luft explain \"2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17\" Qd4\n"
        "  luft explain \"2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17\" Qd4 --techniques\n"
        "  luft explain game.pgn\n",
        ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, check, run, &settings);
}
