/* luft-lab openings: makes an opening book with nothing but an engine. */
#include "base/clock.h"
#include "base/progress.h"
#include "lab/client/uci_client.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/kit/crew.h"
#include "lab/match/book_maker.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char ABOUT[] =
    "Makes an opening book: random legal moves from the initial position, kept when "
    "an engine judges that the game is still open. "
    "No two openings are the same, none repeats a position, none has the side to move "
    "in check. "
    "The same seed, engine and options give the same book.\n"
    "\n"
    "With --margin one side is better by CP, give or take the window. "
    "With a CP at which the engine wins about every second game (100 for Luft) draws "
    "are rare even between strong engines. "
    "Then each opening must be played with both colours.\n";
static const char EXAMPLES[] =
    "  luft-lab openings --count 500 --seed 7 --output level.epd\n"
    "  luft-lab openings --count 500 --margin 100 --window 20 --output unbalanced.epd\n";

typedef struct OpeningArguments {
    BookRequest request;
    const char *engine, *output, *plies;
    uint64_t nodes;
} OpeningArguments;

static Status parse_plies(const char *text, BookRequest *request) {
    TextView first, second = text_view(text);
    int64_t low, high;
    if (!text_split(&second, '-', &first)) second = first;
    const bool good = text_parse_int64(first, &low) && text_parse_int64(second, &high);
    if (!good || low < 0 || high < low || high > 100)
        return status_error("--plies must be a number up to 100, or two such as 8-9, not '%s'", text);
    request->plies_low = (int)low;
    request->plies_high = (int)high;
    return status_ok();
}

static Status check(void *context) {
    OpeningArguments *arguments = context;
    BookRequest *request = &arguments->request;
    if (request->window >= request->margin && request->margin > 0)
        return status_error("--window %d must be below --margin %d, or level positions would fit too",
                            request->window, request->margin);
    return parse_plies(arguments->plies, request);
}

/* A small table, where the engine has one: it is emptied for each position, which takes longer than the
 * search. */
static Status shrink_hash(EngineConfig *config) {
    UciClient *client = NULL;
    Status status = uci_client_start(&(UciClientOptions){.config = config}, &client);
    const bool has_hash = status_is_ok(&status) && uci_option_exists(uci_client_options(client), "Hash");
    uci_client_stop(client);
    return has_hash ? engine_config_set_option(config, "Hash", "1") : status;
}

/* The judge's configuration, completed as -engine would be. */
static Status configure_engine(const OpeningArguments *arguments, EngineList *list) {
    const PlayLimits limits = {.nodes = arguments->nodes};
    Status status;
    EngineConfig *config = engine_list_add_program(list, arguments->engine, &limits, 0, &status);
    if (status_is_ok(&status)) status = engine_list_finish(list);
    return status_is_ok(&status) ? shrink_hash(config) : status;
}

static Status make_book(void *context) {
    OpeningArguments *arguments = context;
    EngineList list = {0};
    TextBuffer book = {0};
    int64_t tried = 0, start = clock_milliseconds();
    Status status = configure_engine(arguments, &list);
    if (status_is_ok(&status)) {
        arguments->request.engines = &list;
        status = book_make(&arguments->request, &book, &tried);
    }
    if (status_is_ok(&status)) status = console_write_result(arguments->output, &book);
    if (status_is_ok(&status) && !arguments->request.quiet) {
        char duration[NUMBER_TEXT_CAPACITY];
        text_printf(stderr, "%d openings of %" PRId64 " candidates in %s\n", arguments->request.count, tried,
                    duration_write(clock_milliseconds() - start, duration));
    }
    buffer_release(&book);
    engine_list_release(&list);
    return status;
}

#define FIELD_STRUCT OpeningArguments
static const Field FIELDS[] = {
    {FIELD_TEXT("output", "FILE", output, NULL, "the book to write, as EPD (default: standard output)")},
    {FIELD_WHOLE("count", "N", request.count, 1, 10000000, "1000", "number of openings")},
    {FIELD_TEXT("plies", "N[-M]", plies, "8-9",
                "random plies of both sides together; with 8-9 each side begins half of the games")},
    {FIELD_WHOLE("window", "CP", request.window, 0, 10000, "60",
                 "a level opening scores at most CP centipawns for either side")},
    {FIELD_WHOLE("margin", "CP", request.margin, 0, 10000, "0",
                 "make unbalanced openings: one side is better by CP")},
    {FIELD_FLAG("chess960", request.chess960, "begin with random Chess960 arrays, the same for both sides")},
    {FIELD_WHOLE("seed", "N", request.seed, 0, FIELD_UNLIMITED, "1", "another seed makes another book")},
    {FIELD_TEXT("engine", "PROGRAM", engine, "./luft", "the engine that judges")},
    {FIELD_WHOLE("nodes", "N", nodes, 1, 1e12, "5000", "nodes of each judgement")},
    {FIELD_WHOLE("concurrency", "N", request.concurrency, 1, CREW_THREADS_MAX, "1", "engines at once")},
    {FIELD_FLAG("quiet", request.quiet, "print no progress bar")},
    {0}};

int command_openings(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab openings",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = check,
                                  .run = make_book};
    OpeningArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}
