/* luft-lab openings: makes an opening book with nothing but an engine. */
#include "lab/command.h"
#include "base/clock.h"
#include "lab/game/book_maker.h"
#include "lab/kit/console.h"
#include "lab/match/match_options.h"
#include "lab/kit/crew.h"
#include "lab/client/uci_client.h"

#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "Usage: luft-lab openings [--output BOOK.epd] [options]\n"
    "\n"
    "Makes an opening book: random legal moves from the initial position, kept when an engine judges that "
    "the game\n"
    "is still open. No two openings are the same, none repeats a position, none leaves the side to move in "
    "check.\n"
    "The same seed, engine and options give the same book.\n"
    "\n"
    "  --output FILE     where the book goes, as EPD, written when it is complete (default: standard "
    "output)\n"
    "  --count N         openings (default 1000)\n"
    "  --plies N[-M]     random moves of either side (default 8-9: both sides begin half of the games)\n"
    "  --window CP       a balanced opening scores at most so many centipawns for either side (default 60)\n"
    "  --margin CP       unbalanced instead: one side is better by CP, give or take the window. With CP "
    "where the\n"
    "                    engine wins about every second game (100 for Luft) draws are rare even between "
    "strong\n"
    "                    engines; each opening must then be played with both colours.\n"
    "  --chess960        from random Chess960 arrays, the same for both sides\n"
    "  --seed N          another seed, another book (default 1)\n"
    "  --engine PROGRAM  the judge (default ./luft)\n"
    "  --nodes N         nodes for each judgement (default 5000)\n"
    "  --concurrency N   engines at work (default 1)\n"
    "  --quiet           no progress bar\n"
    "\n"
    "Examples:\n"
    "  luft-lab openings --count 500 --seed 7 --output level.epd\n"
    "  luft-lab openings --count 500 --margin 100 --window 20 --output unbalanced.epd\n";

typedef struct OpeningArguments {
    BookRequest request;
    const char *engine, *output, *plies;
    int64_t nodes;
    bool help;
} OpeningArguments;

static Status parse_plies(const char *text, BookRequest *request) {
    const char *dash = strchr(text, '-');
    int64_t low, high;
    bool good = dash != NULL ? text_parse_int64((TextView){text, (size_t)(dash - text)}, &low) &&
                                   text_parse_int64(text_view(dash + 1), &high)
                             : text_parse_int64(text_view(text), &low);
    if (good && dash == NULL) high = low;
    if (!good || low < 0 || high < low || high > 100)
        return status_error("--plies '%s': a number up to 100, or two such as 8-9, expected", text);
    request->plies_low = (int)low;
    request->plies_high = (int)high;
    return status_ok();
}

static Status read_int(int argc, char **argv, int *index, int64_t low, int64_t high, int *out) {
    int64_t value = *out;
    Status status = option_integer(argc, argv, index, low, high, &value);
    *out = (int)value;
    return status;
}

static Status read_argument(OpeningArguments *arguments, int argc, char **argv, int *index) {
    BookRequest *request = &arguments->request;
    const char *word = argv[*index];
    if (option_is(word, "help") || strcmp(word, "-h") == 0) {
        arguments->help = true;
        return status_ok();
    }
    if (option_is(word, "output")) return option_value(argc, argv, index, &arguments->output);
    if (option_is(word, "engine")) return option_value(argc, argv, index, &arguments->engine);
    if (option_is(word, "count")) return read_int(argc, argv, index, 1, 10000000, &request->count);
    if (option_is(word, "window")) return read_int(argc, argv, index, 0, 10000, &request->window);
    if (option_is(word, "margin")) return read_int(argc, argv, index, 0, 10000, &request->margin);
    if (option_is(word, "nodes"))
        return option_integer(argc, argv, index, 1, INT64_C(1) << 40, &arguments->nodes);
    if (option_is(word, "concurrency"))
        return read_int(argc, argv, index, 1, CREW_THREADS_MAX, &request->concurrency);
    if (option_is(word, "seed")) {
        int64_t seed = 0;
        Status status = option_integer(argc, argv, index, 0, INT64_MAX, &seed);
        request->seed = (uint64_t)seed;
        return status;
    }
    if (option_is(word, "plies")) {
        Status status = option_value(argc, argv, index, &arguments->plies);
        return status_is_ok(&status) ? parse_plies(arguments->plies, request) : status;
    }
    if (option_is(word, "chess960"))
        request->chess960 = true;
    else if (option_is(word, "quiet"))
        request->quiet = true;
    else
        return status_error("unknown option '%s'", word);
    return status_ok();
}

/* A small table, where the engine has one: it is emptied for each position, which takes longer than the
 * search. */
static Status shrink_hash(EngineConfig *config) {
    UciClient *client = NULL;
    Status status = uci_client_start(&(UciClientOptions){.config = config}, &client);
    bool has_hash = status_is_ok(&status) && uci_client_has_option(client, "Hash");
    uci_client_stop(client);
    return has_hash ? engine_config_set_option(config, "Hash", "1") : status;
}

/* The judge's configuration, completed as -engine would be. */
static Status configure_engine(const OpeningArguments *arguments, EngineList *list) {
    Status status = engine_list_add(list, NULL);
    if (!status_is_ok(&status)) return status;
    EngineConfig *config = &list->engines[0];
    if (strlen(arguments->engine) >= sizeof config->command)
        return status_error("--engine: the path is too long");
    text_copy(text_view(arguments->engine), config->command, sizeof config->command);
    config->limits.nodes = (uint64_t)arguments->nodes;
    status = engine_list_finish(list);
    return status_is_ok(&status) ? shrink_hash(config) : status;
}

static int make_book(OpeningArguments *arguments) {
    EngineList list = {0};
    TextBuffer book = {0};
    int64_t tried = 0, start = clock_milliseconds();
    Status status = configure_engine(arguments, &list);
    if (status_is_ok(&status)) {
        arguments->request.engine = &list.engines[0];
        status = book_make(&arguments->request, &book, &tried);
    }
    if (status_is_ok(&status)) status = console_write_result(arguments->output, &book);
    if (status_is_ok(&status) && !arguments->request.quiet) {
        char duration[NUMBER_TEXT_CAPACITY];
        fprintf(stderr, "%d openings of %lld candidates in %s\n", arguments->request.count, (long long)tried,
                console_duration(clock_milliseconds() - start, duration));
    }
    buffer_release(&book);
    engine_list_release(&list);
    return status_is_ok(&status) ? COMMAND_OK : console_fail("openings", &status);
}

int command_openings(int argc, char **argv) {
    OpeningArguments arguments = {
        .request =
            {.concurrency = 1, .seed = 1, .count = 1000, .plies_low = 8, .plies_high = 9, .window = 60},
        .engine = "./luft",
        .nodes = 5000};
    Status status = status_ok();
    for (int i = 1; i < argc && status_is_ok(&status); i++)
        status = read_argument(&arguments, argc, argv, &i);
    if (!status_is_ok(&status)) return console_fail_usage("openings", &status);
    if (arguments.help) {
        fputs(HELP, stdout);
        return COMMAND_OK;
    }
    if (arguments.request.window >= arguments.request.margin && arguments.request.margin > 0) {
        status = status_error("--window %d must be below --margin %d, or level positions would fit too",
                              arguments.request.window, arguments.request.margin);
        return console_fail_usage("openings", &status);
    }
    return make_book(&arguments);
}
