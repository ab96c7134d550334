#include "engine/genfens.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/rng.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "search/pool.h"

enum {
    BARE_PLIES = 8, /* random plies from the initial position, or one more, so that both sides come to move */
    BOOK_PLIES = 4, /* fewer from a book, whose lines differ already */
    CHECK_NODES = 1000,
    PLAYABLE_SCORE = 300, /* internal units: beyond it the game is as good as decided */
    MAX_FAILURES = 10000  /* tries in a row before a book is called unusable */
};

typedef struct Book {
    TextBuffer text;
    TextView *lines;
    size_t count;
} Book;

typedef struct Generator {
    Book book;
    SearchPool *pool;
    bool chess960; /* start from an array at random */
    Rng rng;
    int score; /* of the latest line that the pool reported */
} Generator;

Status genfens_parse(TextView words, GenfensRequest *request) {
    *request = (GenfensRequest){0};
    uint64_t number;
    if (!text_parse_uint64(text_next_word(&words), &number) || number < 1 || number > GENFENS_MAX)
        return status_error("genfens needs a number of positions from 1 to %d", GENFENS_MAX);
    request->count = (int)number;
    for (TextView word = text_next_word(&words); word.length > 0; word = text_next_word(&words)) {
        if (text_equals(word, "seed")) {
            if (!text_parse_uint64(text_next_word(&words), &request->seed))
                return status_error("genfens: the seed must be a whole number");
        } else if (text_equals(word, "book")) {
            TextView path = text_next_word(&words);
            if (path.length == 0 || path.length >= sizeof request->book)
                return status_error("genfens: 'book' needs a path or None");
            if (!text_equals_ignore_case(path, "none")) text_copy(path, request->book, sizeof request->book);
        }
    }
    return status_ok();
}

static void book_close(Book *book) {
    memory_release(book->lines);
    buffer_release(&book->text);
}

static Status book_open(Book *book, const char *path) {
    /* Reading anything else could wait forever, or take the engine's own input. */
    if (!file_is_plain(path)) return status_error("the book %s is missing or no plain file", path);
    Status status = file_read(path, &book->text);
    if (!status_is_ok(&status)) return status;
    TextView rest = text_without_mark(buffer_view(&book->text)), line;
    while (text_next_line(&rest, &line)) {
        line = text_trim(line);
        if (text_is_empty(line) || line.data[0] == '#') continue;
        TextView *lines = memory_grow(book->lines, book->count, sizeof *lines);
        if (lines == NULL) return status_no_memory("%.200s", path);
        book->lines = lines;
        book->lines[book->count++] = line;
    }
    return book->count > 0 ? status_ok() : status_error("the book %s has no positions", path);
}

static bool play_random_moves(Position *pos, Rng *rng, int plies) {
    for (int ply = 0; ply < plies; ply++) {
        Move moves[MAX_MOVES];
        Undo undo;
        const int count = movegen_legal(pos, moves);
        if (count == 0) return false;
        position_make_move(pos, moves[rng_below(rng, (uint64_t)count)], &undo);
    }
    return game_end(pos) == GAME_GOES_ON;
}

static void note_score(void *context, const SearchInfo *info) { ((Generator *)context)->score = info->score; }

static bool is_playable(Generator *generator, const Position *pos) {
    pool_clear(generator->pool); /* so that no position depends on those before it */
    pool_start(generator->pool, pos, &(SearchLimits){.nodes = CHECK_NODES, .multi_pv = 1});
    pool_wait(generator->pool);
    return generator->score >= -PLAYABLE_SCORE && generator->score <= PLAYABLE_SCORE;
}

static Status make_position(Generator *generator, Position *pos) {
    const Book *book = &generator->book;
    const int plies = (book->count > 0 ? BOOK_PLIES : BARE_PLIES) + (int)rng_below(&generator->rng, 2);
    char start[FEN_CAPACITY];
    text_copy(text_view(FEN_START), start, sizeof start);
    if (generator->chess960) {
        const int array = (int)rng_below(&generator->rng, FEN_CHESS960_ARRAYS);
        fen_chess960_start(array, array, start);
    }
    TextView line = text_view(start);
    if (book->count > 0) line = book->lines[rng_below(&generator->rng, book->count)];
    Status status = fen_take(pos, &line, generator->chess960, NULL);
    if (!status_is_ok(&status)) return status;
    if (!play_random_moves(pos, &generator->rng, plies) || !is_playable(generator, pos))
        return status_error("no playable position was found; is the book one of finished games?");
    return status_ok();
}

static bool may_go_on(const GenfensWatcher *watcher) {
    return watcher->go_on == NULL || watcher->go_on(watcher->context);
}

Status genfens_run(const GenfensRequest *request, const GenfensWatcher *watcher) {
    Generator generator = {.rng = rng_seed(request->seed)};
    Status status = status_ok();
    if (request->book[0] != '\0') status = book_open(&generator.book, request->book);
    if (status_is_ok(&status)) {
        SearchListener listener = {.context = &generator, .info = note_score};
        generator.pool = pool_create(&listener, 1, NULL, &status);
    }
    int made = 0, failures = 0;
    while (generator.pool != NULL && made < request->count && failures < MAX_FAILURES) {
        Position pos;
        char fen[FEN_CAPACITY];
        if (!may_go_on(watcher)) {
            status = status_error("genfens was stopped");
            break;
        }
        status = make_position(&generator, &pos);
        failures = status_is_ok(&status) ? 0 : failures + 1;
        if (failures > 0) continue;
        fen_write(&pos, fen);
        if (!watcher->report(watcher->context, fen)) {
            status = status_error("genfens was stopped");
            break;
        }
        made++;
    }
    if (generator.pool != NULL) pool_destroy(generator.pool);
    book_close(&generator.book);
    return made == request->count ? status_ok() : status;
}

Status genfens_position(uint64_t seed, uint64_t index, bool chess960, char fen[FEN_CAPACITY]) {
    Generator generator = {.chess960 = chess960, .rng = rng_stream(seed, index)};
    const SearchListener listener = {.context = &generator, .info = note_score};
    Status status;
    generator.pool = pool_create(&listener, 1, NULL, &status);
    if (generator.pool == NULL) return status;
    Position pos;
    do status = make_position(&generator, &pos);
    while (!status_is_ok(&status));
    fen_write(&pos, fen);
    pool_destroy(generator.pool);
    return status;
}
