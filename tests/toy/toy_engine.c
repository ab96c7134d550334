/* A test double for engines. It plays a legal move immediately, always the same one in a position, and can
 * imitate the faults of real engines. UCI options:
 *
 *   Fault       the fault (see FAULTS)        Fault Move   the number of its move in a game, from 1
 *   Fault Game  the game, 0: every game       Seed         another seed chooses other moves
 *   Work        milliseconds of processor time for each move
 *   Delay       milliseconds of waiting for each move
 *
 * Arguments, for faults before options are set: slow-start=MS, exit-at-start, silent, not-an-engine,
 * refuse-options, stderr=TEXT. */
#include "base/clock.h"
#include "base/rng.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum ToyFault {
    TOY_NONE,
    TOY_CRASH,
    TOY_EXIT,
    TOY_HANG,
    TOY_TIME,
    TOY_ILLEGAL,
    TOY_NO_MOVE,
    TOY_BAD_PV,
    TOY_LONG_PV,
    TOY_FLOOD,
    TOY_LONG_LINE,
    TOY_MID_LINE,
    TOY_CLOSE,
    TOY_DEAF,
    TOY_CRASH_NEW_GAME,
    TOY_TWO_MOVES,
    TOY_BINARY,
    TOY_LIMIT,
    TOY_FAULTS
} ToyFault;

static const char *const FAULTS[TOY_FAULTS] = {
    "none",  "crash",     "exit",     "hang",  "time", "illegal",        "no-move",   "bad-pv", "long-pv",
    "flood", "long-line", "mid-line", "close", "deaf", "crash-new-game", "two-moves", "binary", "limit"};

typedef struct Toy {
    Position pos;
    bool chess960, refuse;
    ToyFault fault;
    int64_t fault_move, fault_game, seed, work, delay;
    int64_t game, move; /* counted from 1 */
} Toy;

static const int VALUES[] = {100, 300, 310, 500, 900, 0, 0};

static int balance(const Position *pos) {
    int sum = 0;
    for (int type = PAWN; type < KING; type++)
        sum += VALUES[type] * (bits_count(position_pieces(pos, pos->side, (PieceType)type)) -
                               bits_count(position_pieces(pos, color_other(pos->side), (PieceType)type)));
    return sum;
}

/* Chooses a mate, otherwise the capture of most material; ties by a hash of position and seed. */
static Move choose(const Toy *toy, int *score) {
    Move moves[MAX_MOVES], best = MOVE_NONE;
    int64_t best_worth = INT64_MIN;
    const int count = movegen_legal(&toy->pos, moves);
    for (int i = 0; i < count; i++) {
        Position after = toy->pos;
        Undo undo;
        position_make_move(&after, moves[i], &undo);
        const GameEnd end = game_end(&after);
        const int material = end == CHECKMATE ? 20000 : end == GAME_GOES_ON ? -balance(&after) : 0;
        Rng rng = rng_stream(toy->pos.state.key ^ (uint64_t)toy->seed, moves[i]);
        const int64_t worth = (int64_t)material * 1000 + (int64_t)rng_below(&rng, 1000);
        if (worth <= best_worth) continue;
        best_worth = worth;
        best = moves[i];
        *score = material;
    }
    return best;
}

static void say(const char *line) {
    puts(line);
    fflush(stdout);
}

static _Noreturn void hang(void) {
    for (;;) pause();
}

static void flood(void) {
    for (;;) puts("info depth 1 seldepth 1 score cp 0 nodes 1 nps 1 time 1 pv e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
}

/* Searches far beyond every limit, up to `stop`. */
static void wait_for_stop(void) {
    TextBuffer line = {0};
    say("info depth 30 seldepth 40 score cp 0 nodes 2000000");
    while (buffer_read_line(&line, SIZE_MAX, stdin) && !text_equals(text_trim(buffer_view(&line)), "stop"))
        continue;
    buffer_release(&line);
}

/* Faults after which the engine does not return to play. */
static void misbehave(const Toy *toy, int64_t clock) {
    switch (toy->fault) {
    case TOY_CRASH: abort();
    case TOY_EXIT: exit(3);
    case TOY_HANG: hang();
    case TOY_FLOOD: flood(); break;
    case TOY_LONG_LINE:
        for (;;) fputs("info string and so on ", stdout);
    case TOY_MID_LINE:
        fputs("bestmo", stdout);
        fflush(stdout);
        exit(0);
    case TOY_CLOSE: fclose(stdout); hang();
    case TOY_LIMIT: wait_for_stop(); break;
    case TOY_TIME: clock_sleep_milliseconds(clock + 1000); break; /* later than a busy machine excuses */
    default: break;
    }
}

static void spend(int64_t milliseconds) {
    const int64_t end = clock_cpu_microseconds() + milliseconds * 1000;
    while (milliseconds > 0 && clock_cpu_microseconds() < end) continue;
}

/* A quiet knight move if there is one, because it can be reversed. */
static Move knight_move(const Position *pos) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        const bool knight = piece_type(position_piece_on(pos, move_from(moves[i]))) == KNIGHT;
        if (knight && !position_is_noisy(pos, moves[i])) return moves[i];
    }
    return MOVE_NONE;
}

/* Prints a PV in which knights move out and back until the position has occurred three times, and a ply more.
 */
static void print_long_pv(const Toy *toy, Move best) {
    enum { TO_REPEAT = 9 };
    Position pos = toy->pos;
    Undo undo;
    Move out[2];
    char text[LAN_CAPACITY];
    lan_write(&pos, best, text);
    printf("info depth 2 score cp 0 nodes 1 pv %s", text);
    position_make_move(&pos, best, &undo);
    for (int i = 0; i < TO_REPEAT; i++) {
        Move *first = &out[i % 2];
        const Move move =
            i % 4 < 2 ? *first = knight_move(&pos) : move_make(move_to(*first), move_from(*first));
        lan_write(&pos, move, text);
        printf(" %s", text);
        position_make_move(&pos, move, &undo);
    }
    puts("");
}

/* All bytes but line feeds, and what would move the cursor and set the title of a terminal. */
static void print_binary(void) {
    for (int line = 0; line < 3; line++) {
        fputs(line == 2 ? "bestmove " : "info string ", stdout);
        for (int byte = 0; byte < 256; byte++)
            if (byte != '\n') putchar(byte);
        puts("\033[2J\033]0;owned\007");
    }
    fflush(stdout);
}

static void print_search(const Toy *toy, Move best, int score, bool now) {
    char text[LAN_CAPACITY];
    lan_write(&toy->pos, best, text);
    printf("info depth 1 seldepth 1 score cp %d nodes 20 nps 20000 time 1 pv %s\n", score, text);
    if (now && toy->fault == TOY_BAD_PV)
        printf("info depth 2 score cp %d nodes 40 pv %s e1e8\n", score, text);
    if (now && toy->fault == TOY_LONG_PV) print_long_pv(toy, best);
    if (now && toy->fault == TOY_TWO_MOVES) printf("bestmove %s\n", text);
    if (now && toy->fault == TOY_BINARY)
        print_binary();
    else if (now && toy->fault == TOY_ILLEGAL)
        say("bestmove a1h7");
    else if (now && toy->fault == TOY_NO_MOVE)
        say("bestmove (none)");
    else {
        printf("bestmove %s\n", text);
        fflush(stdout);
    }
}

static void go(Toy *toy, TextView rest) {
    int64_t clock = 0, value;
    const char *own = toy->pos.side == WHITE ? "wtime" : "btime";
    TextView word;
    while (!text_is_empty(word = text_next_word(&rest)))
        if ((text_equals(word, own) || text_equals(word, "movetime")) &&
            text_parse_int64(text_next_word(&rest), &value))
            clock = value;
    toy->move++;
    const bool now = toy->move == toy->fault_move && (toy->fault_game == 0 || toy->fault_game == toy->game);
    int score = 0;
    const Move best = choose(toy, &score);
    spend(toy->work);
    if (toy->delay > 0) clock_sleep_milliseconds(toy->delay);
    if (now) misbehave(toy, clock);
    print_search(toy, best, score, now);
    if (now && toy->fault == TOY_DEAF) {
        fclose(stdin);
        hang();
    }
}

static void set_position(Toy *toy, TextView rest) {
    TextView word = text_next_word(&rest), fen = text_view(FEN_START);
    if (text_equals(word, "fen")) {
        fen = (TextView){rest.data, 0};
        while (!text_is_empty(word = text_next_word(&rest)) && !text_equals(word, "moves"))
            fen.length = (size_t)(word.data + word.length - fen.data);
        fen = text_trim(fen);
    } else {
        text_next_word(&rest); /* moves */
    }
    Status status = fen_parse(&toy->pos, fen, toy->chess960);
    if (status_is_ok(&status)) status = lan_play(&toy->pos, rest, NULL);
    if (!status_is_ok(&status)) {
        fprintf(stderr, "toy: %s\n", status.reason);
        exit(1);
    }
}

static void set_option(Toy *toy, TextView rest) {
    if (toy->refuse) say("info string error: this engine takes no options");
    text_next_word(&rest); /* name */
    TextView name = rest, word, value = text_view("");
    name.length = 0;
    while (!text_is_empty(word = text_next_word(&rest)) && !text_equals(word, "value"))
        name.length = (size_t)(word.data + word.length - name.data);
    name = text_trim(name);
    value = text_trim(rest);
    if (text_equals_ignore_case(name, "Fault")) {
        for (int i = 0; i < TOY_FAULTS; i++)
            if (text_equals(value, FAULTS[i])) toy->fault = (ToyFault)i;
    } else if (text_equals_ignore_case(name, "Fault Move")) {
        text_parse_int64(value, &toy->fault_move);
    } else if (text_equals_ignore_case(name, "Fault Game")) {
        text_parse_int64(value, &toy->fault_game);
    } else if (text_equals_ignore_case(name, "Seed")) {
        text_parse_int64(value, &toy->seed);
    } else if (text_equals_ignore_case(name, "Work")) {
        text_parse_int64(value, &toy->work);
    } else if (text_equals_ignore_case(name, "Delay")) {
        text_parse_int64(value, &toy->delay);
    } else if (text_equals_ignore_case(name, "UCI_Chess960")) {
        toy->chess960 = text_equals(value, "true");
    }
}

static void introduce(void) {
    puts("id name Toy\nid author the Luft authors");
    fputs("option name Fault type combo default none", stdout);
    for (int i = 0; i < TOY_FAULTS; i++) printf(" var %s", FAULTS[i]);
    puts("\noption name Fault Move type spin default 5 min 1 max 1000\n"
         "option name Fault Game type spin default 0 min 0 max 1000000\n"
         "option name Seed type spin default 0 min 0 max 1000000\n"
         "option name Work type spin default 0 min 0 max 60000\n"
         "option name Delay type spin default 0 min 0 max 60000\n"
         "option name Hash type spin default 1 min 1 max 1024\n"
         "option name Threads type spin default 1 min 1 max 64\n"
         "option name Clear Hash type button\n"
         "option name UCI_Chess960 type check default false\n"
         "uciok");
    fflush(stdout);
}

static void begin_game(Toy *toy) {
    toy->game++;
    toy->move = 0;
    const bool now = toy->fault_game == 0 || toy->fault_game == toy->game;
    if (now && toy->fault == TOY_CRASH_NEW_GAME) abort();
}

static bool obey(Toy *toy, TextView line) {
    TextView rest = line, word = text_next_word(&rest);
    if (text_equals(word, "quit")) return false;
    if (text_equals(word, "uci")) introduce();
    if (text_equals(word, "isready")) say("readyok");
    if (text_equals(word, "setoption")) set_option(toy, rest);
    if (text_equals(word, "ucinewgame")) begin_game(toy);
    if (text_equals(word, "position")) set_position(toy, rest);
    if (text_equals(word, "go")) go(toy, rest);
    return true;
}

static void read_argument(Toy *toy, const char *argument) {
    int64_t milliseconds;
    if (strncmp(argument, "slow-start=", 11) == 0 &&
        text_parse_int64(text_view(argument + 11), &milliseconds))
        clock_sleep_milliseconds(milliseconds);
    if (strncmp(argument, "stderr=", 7) == 0) fprintf(stderr, "%s\n", argument + 7);
    if (strcmp(argument, "exit-at-start") == 0) exit(4);
    if (strcmp(argument, "silent") == 0) hang();
    if (strcmp(argument, "refuse-options") == 0) toy->refuse = true;
    if (strcmp(argument, "not-an-engine") == 0) {
        say("usage: toy FILE...");
        exit(2);
    }
}

int main(int argc, char **argv) {
    chess_init();
    static Toy toy = {.fault_move = 5};
    Status status = fen_parse(&toy.pos, text_view(FEN_START), false);
    if (!status_is_ok(&status)) return 1;
    for (int i = 1; i < argc; i++) read_argument(&toy, argv[i]);
    TextBuffer line = {0};
    while (buffer_read_line(&line, SIZE_MAX, stdin) && obey(&toy, buffer_view(&line))) continue;
    buffer_release(&line);
    return 0;
}
