/* The formats of other trainers (lab/data/foreign.h): any bytes are faults, or games of legal moves that can
 * be written and are read again as they were. Whatever is changed in a file, the games before the change
 * stay. The first byte of an input is the format, the others are the file. */
#include "base/bytes.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "fuzz.h"
#include "lab/data/foreign.h"
#include "search/score.h"
#include "vary.h"

const int FUZZ_SHORT_RUN = 600;

enum { CHANGES_FULL = 25, GAMES_MAX = 64, PLIES_MAX = 16 };

void fuzz_begin(void) { chess_init(); }

/* --- reading --- */

/* What was read of a file: of each game where it ends and a hash, of the faults of the first GAMES_MAX too.
 */
typedef struct Reading {
    size_t end[GAMES_MAX];
    uint64_t hash[GAMES_MAX];
    int count;
    int sound; /* games without a fault */
} Reading;

static uint64_t hash_game(const RecordedGame *game, const Status *fault) {
    const int facts[] = {game->ply_count, (int)game->result, game->last_score, status_is_ok(fault)};
    const uint64_t hash = bytes_hash_more(recorded_hash(game), facts, sizeof facts);
    return bytes_hash_more(hash, game->ply, (size_t)game->ply_count * sizeof *game->ply);
}

static void check_moves(const RecordedGame *game) {
    Position pos = game->start;
    FUZZ_CHECK(game->ply_count >= 0 && game->ply_count <= RECORD_PLIES_MAX);
    FUZZ_CHECK(position_is_consistent(&pos));
    FUZZ_CHECK(record_round_score(game->last_score) == game->last_score);
    for (int i = 0; i < game->ply_count; i++) {
        Undo undo;
        FUZZ_CHECK(movegen_is_legal(&pos, game->ply[i].move));
        FUZZ_CHECK(record_round_score(game->ply[i].score) == game->ply[i].score);
        position_make_move(&pos, game->ply[i].move, &undo);
    }
}

/* A result alone cannot be written, and in plain no position without a move. */
static void check_again(ForeignKind format, const RecordedGame *game) {
    static RecordedGame again;
    TextBuffer out = {0};
    ForeignExport export = {0};
    Status fault = status_ok();
    if (recorded_is_empty(game) || (format == FOREIGN_PLAIN && game->ply_count == 0)) return;
    foreign_append(format, game, &export, &out);
    FUZZ_CHECK(!out.failed);
    TextView rest = buffer_view(&out);
    FUZZ_CHECK(foreign_take(format, &rest, 0, &again, &fault) && rest.length == 0);
    FUZZ_CHECK(status_is_ok(&fault) && hash_game(&again, &fault) == hash_game(game, &fault));
    buffer_release(&out);
}

static void read_file(ForeignKind format, TextView file, Reading *reading) {
    static RecordedGame game;
    /* A copy of the exact size, so that the sanitizer detects reads past its end. */
    char *const exact = malloc(file.length > 0 ? file.length : 1);
    FUZZ_CHECK(exact != NULL);
    if (file.length > 0) memcpy(exact, file.data, file.length);
    TextView rest = {exact, file.length};
    Status fault = status_ok();
    reading->count = reading->sound = 0;
    for (size_t left = rest.length; foreign_take(format, &rest, 0, &game, &fault); left = rest.length) {
        FUZZ_CHECK(rest.length < left);
        check_moves(&game);
        const bool is_sound = status_is_ok(&fault) && game.result != UNDECIDED;
        if (is_sound) check_again(format, &game);
        reading->sound += is_sound;
        if (reading->count == GAMES_MAX) continue;
        reading->end[reading->count] = file.length - rest.length;
        reading->hash[reading->count++] = hash_game(&game, &fault);
    }
    free(exact);
}

/* --- changes --- */

static void change(ForeignKind format, TextView file, Rng *rng, TextBuffer *out) {
    if (format == FOREIGN_PLAIN && vary_chance(rng, 40))
        vary_lines(file, rng, out);
    else
        vary_bytes(file, rng, out);
}

/* A game of plain goes on while the next position follows from it, so it stays where that one stays, too. */
static void check_change(ForeignKind format, TextView file, const Reading *before, Rng *rng) {
    static Reading after;
    TextBuffer changed = {0};
    const int ahead = format == FOREIGN_PLAIN ? 1 : 0;
    size_t same = 0;
    change(format, file, rng, &changed);
    while (same < file.length && same < changed.length && file.data[same] == changed.data[same]) same++;
    read_file(format, buffer_view(&changed), &after);
    for (int i = 0; i + ahead < before->count && before->end[i + ahead] < same; i++)
        FUZZ_CHECK(i < after.count && after.hash[i] == before->hash[i]);
    buffer_release(&changed);
}

/* LUFT_TEST_FULL=1: 5,000 changed files of each format that are made from the short run. */
bool fuzz_input(const uint8_t *data, size_t size) {
    static Reading reading;
    if (size == 0) return false;
    const ForeignKind format = data[0] % FOREIGN_KINDS;
    const TextView file = {(const char *)data + 1, size - 1};
    const int changes = getenv("LUFT_TEST_FULL") != NULL ? CHANGES_FULL : 1;
    Rng rng = rng_seed(bytes_hash(data, size));
    read_file(format, file, &reading);
    const int sound = reading.sound;
    for (int i = 0; i < changes; i++) check_change(format, file, &reading, &rng);
    return sound > 0;
}

/* --- files of our own --- */

static void append_game(ForeignKind format, Rng *rng, TextBuffer *out) {
    static RecordedGame game;
    ForeignExport export = {0};
    Position pos = vary_start(rng);
    if (vary_chance(rng, 50)) vary_play(&pos, rng, (int)rng_below(rng, 150), NULL);
    recorded_start_position(&game, &pos);
    for (int plies = (int)rng_below(rng, PLIES_MAX); plies > 0; plies--) {
        Move move;
        const int score = (int)rng_below(rng, 4000) - 2000;
        if (vary_play(&pos, rng, 1, &move) == 0) break;
        FUZZ_CHECK(recorded_add(&game, move, vary_chance(rng, 10) ? RECORD_NO_SCORE : score));
    }
    if (game.ply_count == 0) game.last_score = (int16_t)record_round_score((int)rng_below(rng, 400));
    game.result = (GameResult)(BLACK_WINS + rng_below(rng, 3));
    foreign_append(format, &game, &export, out);
}

void fuzz_vary(TextView input, Rng *rng, TextBuffer *out) {
    const bool is_new = input.length < 2 || vary_chance(rng, 40);
    const uint8_t format = is_new ? (uint8_t)rng_below(rng, FOREIGN_KINDS) : (uint8_t)input.data[0];
    buffer_append_char(out, (char)format);
    if (is_new)
        for (int games = 1 + (int)rng_below(rng, 3); games > 0; games--)
            append_game(format % FOREIGN_KINDS, rng, out);
    else
        change(format % FOREIGN_KINDS, (TextView){input.data + 1, input.length - 1}, rng, out);
}
