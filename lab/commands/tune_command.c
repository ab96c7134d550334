/* luft-lab tune: better values for the numbers of the search, found by playing (SPSA). */
#include "base/file.h"
#include "base/memory.h"
#include "lab/client/identity.h"
#include "lab/client/uci_client.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/kit/plot.h"
#include "lab/tune/numbers.h"
#include "lab/tune/tuner.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char ABOUT[] = "Looks for better values of the search's numbers by SPSA: two players, whose "
                            "numbers are moved up and down at random, "
                            "play a pair of games, and each number goes a little to the winner's side. The "
                            "engine must be built with LAB=1, which "
                            "has an option for each number of params.def; without names, all are tuned. The "
                            "same command carries on after an "
                            "interruption. Games end when both players hold them decided (six pawns, four "
                            "moves) or drawn (from move 40).\n"
                            "\n"
                            "With --moves nothing is played out: both players go through stretches of games "
                            "that are there, six positions each, "
                            "and their moves are judged by a long search of the unchanged engine. That takes "
                            "no whole games, and says nothing of "
                            "what only they show (docs/lab.md).\n"
                            "\n"
                            "In the folder: tune.md (where the numbers stand), tune.params (the same as "
                            "lines of params.def), tune.csv and "
                            "tune.svg (how they came there), renewed every minute, the drawing at the end; "
                            "with --moves the judgements too, in "
                            "judgements.journal.\n"
                            "\n"
                            "The step of a number in params.def is its c_end: how far it is moved at the end "
                            "of the schedule (times --spread). A "
                            "number that params.def does not know gets a twentieth of its range. Numbers "
                            "whose name begins with time_ do nothing in "
                            "fixed nodes and are skipped there. What comes out is a guess: test it with "
                            "luft-lab sprt before you believe it.\n";
static const char EXAMPLES[] = "  the margins of futility, two pairs at once\n"
                               "  luft-lab tune futility_base futility_margin --nodes 5000 \\\n"
                               "      --iterations 20000 --concurrency 2\n"
                               "  all numbers, by their moves in games played for it\n"
                               "  luft-lab match -engine cmd=./luft name=a -engine cmd=./luft name=b \\\n"
                               "      -each tc=0.5+0.005 -rounds 1000 -concurrency 2 \\\n"
                               "      -openings file=books/standard.epd order=random -pgnout games.pgn\n"
                               "  luft-lab tune --moves games.pgn --iterations 30000 --concurrency 2\n";

/* NAME=VALUE for both players. */
typedef struct OptionWords {
    const char *word[ENGINE_OPTIONS_MAX];
    int count;
} OptionWords;

typedef struct TuneArguments {
    const char *engine, *book, *folder, *results;
    const char *moves; /* NULL: games */
    int64_t stretches;
    uint64_t judge_nodes;
    WordList names;
    OptionWords options;
    uint64_t nodes; /* 0: not in fixed nodes */
    const char *tc; /* NULL: not on the clock */
    int hash, concurrency, plot;
    SpsaSettings spsa;
    bool openbench, quiet;
} TuneArguments;

typedef struct Tune {
    TuneArguments arguments;
    EngineList list; /* the engine alone */
    char engine_name[ENGINE_NAME_CAPACITY];
    TuneNumbers numbers;
    OpeningBook *book;
    TextBuffer referee; /* what it is known by */
    Judge *judge;
    Tuning tuning;
    TuneJournal journal;
    char journal_path[1024], judgements_path[1024], log_path[1024];
    bool stopped;
} Tune;

/* --- the engine --- */

static Status configure_engine(Tune *tune) {
    const TuneArguments *arguments = &tune->arguments;
    Status status = engine_list_add(&tune->list, NULL);
    if (!status_is_ok(&status)) return status;
    EngineConfig *config = &tune->list.engines[0];
    char text[ENGINE_OPTION_NAME_CAPACITY + ENGINE_OPTION_VALUE_CAPACITY + 16];
    text_format(text, sizeof text, "cmd=%s", arguments->engine);
    status = engine_config_apply(config, text_view(text));
    if (status_is_ok(&status) && arguments->tc != NULL) {
        status = play_limits_parse_clock(&config->limits, text_view(arguments->tc));
        if (status_is_ok(&status) && !config->limits.has_clock) status = status_error("inf is no limit");
        if (!status_is_ok(&status)) return status_error("--tc: %s", status.reason);
    }
    config->limits.nodes = arguments->nodes;
    text_format(text, sizeof text, "option.Hash=%d", arguments->hash);
    if (status_is_ok(&status)) status = engine_config_apply(config, text_view(text));
    for (int i = 0; i < arguments->options.count && status_is_ok(&status); i++) {
        text_format(text, sizeof text, "option.%s", arguments->options.word[i]);
        status = engine_config_apply(config, text_view(text));
        if (!status_is_ok(&status))
            status = status_error("--option '%s': %s", arguments->options.word[i], status.reason);
    }
    return status_is_ok(&status) ? engine_list_finish(&tune->list) : status;
}

/* Starts the engine once: what is wrong with it, its options or the names is known before a game is played.
 */
static Status find_numbers(Tune *tune) {
    const TuneArguments *arguments = &tune->arguments;
    UciClient *client = NULL;
    Status status = uci_client_start(&(UciClientOptions){.config = &tune->list.engines[0]}, &client);
    if (!status_is_ok(&status)) return status;
    text_copy(text_view(uci_client_engine_name(client)), tune->engine_name, sizeof tune->engine_name);
    status = numbers_find(client, &tune->list.engines[0], arguments->names.word, arguments->names.count,
                          &tune->numbers);
    if (status_is_ok(&status) && arguments->moves != NULL)
        status = judge_know_referee(client, arguments->judge_nodes, &tune->referee);
    uci_client_stop(client);
    return status;
}

/* --- results --- */

typedef void Writer(const Tuning *tuning, TextBuffer *out);

static Status write_file(const Tune *tune, const Tuning *tuning, const char *name, Writer *write) {
    char path[1024];
    TextBuffer text = {0};
    text_format(path, sizeof path, "%.900s/%s", tune->arguments.folder, name);
    write(tuning, &text);
    Status status = console_write_result(path, &text);
    buffer_release(&text);
    return status;
}

static Status write_results(void *context, const Tuning *tuning) {
    static const struct {
        const char *name;
        Writer *write;
    } FILES[] = {{"tune.md", tuning_write_markdown},
                 {"tune.csv", tuning_write_csv},
                 {"tune.params", tuning_write_params}};
    const Tune *tune = context;
    Status status = status_ok();
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0] && status_is_ok(&status); i++)
        status = write_file(tune, tuning, FILES[i].name, FILES[i].write);
    return status;
}

static Status draw_plot(const Tune *tune) {
    const TuneArguments *arguments = &tune->arguments;
    const char *kind = plot_kind(arguments->plot);
    if (kind == NULL) return status_ok();
    char script[1024], image[1024];
    TextBuffer text = {0};
    text_format(script, sizeof script, "%.900s/tune.gp", arguments->folder);
    text_format(image, sizeof image, "%.900s/tune.%s", arguments->folder, kind);
    tuning_write_plot(&tune->tuning, kind, image, &text);
    Status status = plot_draw("tune", script, &text);
    buffer_release(&text);
    return status;
}

/* --- the command --- */

/* How the games are played: in lines for the journal, in one for the table. */
static void describe_games(Tune *tune, TextBuffer *lines) {
    const TuneArguments *arguments = &tune->arguments;
    const EngineConfig *config = &tune->list.engines[0];
    TextBuffer options = {0};
    char limits[80];
    play_limits_describe(&config->limits, limits, sizeof limits);
    char identity[IDENTITY_CAPACITY];
    bool is_known = identity_of(config, identity);
    buffer_append_format(lines, "engine: %s\nname: %s, %s\nlimit: %s\n", config->command, tune->engine_name,
                         identity, limits);
    for (int i = 0; i < config->option_count; i++) {
        const EngineOption *option = &config->options[i];
        buffer_append_format(lines, "option: %s=%s", option->name, option->value);
        is_known = identity_append_option(config, option, lines) && is_known;
        buffer_append_char(lines, '\n');
        buffer_append_format(&options, ", %s=%s", option->name, option->value);
    }
    char source[128];
    if (arguments->moves == NULL) {
        buffer_append_format(lines, "openings: %s", arguments->book);
        is_known = identity_append_file("", arguments->book, lines) && is_known;
        buffer_append_char(lines, '\n');
        text_format(source, sizeof source, "openings from %.80s", arguments->book);
    } else {
        judge_describe(tune->judge, lines);
        text_format(source, sizeof source, "%lld stretches of %.60s, moves judged with %lld nodes",
                    (long long)judge_stretches(tune->judge), arguments->moves,
                    (long long)arguments->judge_nodes);
    }
    text_format(tune->tuning.conditions, sizeof tune->tuning.conditions, "%s%.90s, %s.", limits,
                buffer_string(&options), source);
    lines->failed = lines->failed || options.failed || !is_known;
    buffer_release(&options);
}

static void tell_of_folder(void) { fprintf(stderr, "Another --folder begins from the start.\n"); }

static Status prepare_judge(Tune *tune) {
    const TuneArguments *arguments = &tune->arguments;
    tune->tuning.unit = "stretches";
    if (file_size(arguments->moves) < 0) return status_error("cannot read %.200s", arguments->moves);
    Status status = file_make_folder(arguments->folder);
    if (!status_is_ok(&status)) return status;
    text_format(tune->judgements_path, sizeof tune->judgements_path, "%.900s/judgements.journal",
                arguments->folder);
    JudgeSettings settings = {.games = arguments->moves,
                              .journal = tune->judgements_path,
                              .referee = buffer_string(&tune->referee),
                              .stretches = arguments->stretches,
                              .nodes = arguments->judge_nodes,
                              .seed = arguments->spsa.seed};
    status = judge_open(&settings, &tune->judge);
    if (!status_is_ok(&status)) tell_of_folder();
    return status;
}

static Status prepare(Tune *tune) {
    const TuneArguments *arguments = &tune->arguments;
    Status status = configure_engine(tune);
    if (status_is_ok(&status)) status = find_numbers(tune);
    if (!status_is_ok(&status)) return status;
    status = tuning_begin(&tune->tuning, &arguments->spsa, tune->numbers.param, tune->numbers.count);
    if (!status_is_ok(&status) || arguments->openbench) return status;
    if (arguments->moves != NULL) return prepare_judge(tune);
    OpeningOptions openings = {
        .path = arguments->book, .order = OPENINGS_RANDOM, .seed = arguments->spsa.seed};
    status = openings_load(&openings, &tune->book);
    return status_is_ok(&status) ? file_make_folder(arguments->folder) : status;
}

static Status open_journal(Tune *tune) {
    const char *folder = tune->arguments.folder;
    TextBuffer conditions = {0};
    text_format(tune->journal_path, sizeof tune->journal_path, "%.900s/tune.journal", folder);
    text_format(tune->log_path, sizeof tune->log_path, "%.900s/engines.log", folder);
    describe_games(tune, &conditions);
    Status status = conditions.failed ? status_no_memory("the journal's conditions")
                                      : tune_journal_open(&tune->journal, tune->journal_path,
                                                          buffer_string(&conditions), &tune->tuning);
    buffer_release(&conditions);
    if (!status_is_ok(&status)) tell_of_folder();
    return status;
}

static Status play(Tune *tune) {
    const Spsa *spsa = &tune->tuning.spsa;
    if (spsa->finished == spsa->settings.pairs) return status_ok();
    TunerSettings settings = {.engine = &tune->list.engines[0],
                              .book = tune->book,
                              .judge = tune->judge,
                              .concurrency = tune->arguments.concurrency,
                              .error_log = tune->log_path,
                              .quiet = tune->arguments.quiet,
                              .save = write_results,
                              .context = tune};
    Status status = tuner_run(&settings, &tune->tuning, &tune->journal, &tune->stopped);
    if (file_size(tune->log_path) == 0) unlink(tune->log_path);
    return status;
}

static Status print_result(const Tune *tune, Writer *write) {
    TextBuffer text = {0};
    write(&tune->tuning, &text);
    Status status = console_write_result(NULL, &text);
    buffer_release(&text);
    return status;
}

static Status run_tuning(Tune *tune) {
    Status status = prepare(tune);
    if (!status_is_ok(&status)) return status;
    if (tune->arguments.openbench) {
        status = print_result(tune, tuning_write_openbench);
        if (isatty(STDOUT_FILENO) == 1) putchar('\n'); /* for the prompt that follows */
        return status;
    }
    status = open_journal(tune);
    if (!status_is_ok(&status)) return status;
    const int64_t before = tune->tuning.spsa.finished;
    status = play(tune);
    /* Also after a failure: what was played counts. */
    Status written = write_results(tune, &tune->tuning);
    if (status_is_ok(&written)) written = draw_plot(tune);
    if (status_is_ok(&status)) status = written;
    if (status_is_ok(&status)) status = print_result(tune, tuning_write_markdown);
    if (status_is_ok(&status) && !tune->stopped && tune->tuning.spsa.finished > before &&
        tune->arguments.results != NULL)
        status = tuning_append_rows(&tune->tuning, tune->arguments.results);
    if (tune->stopped) fprintf(stderr, "Interrupted; the same command carries on.\n");
    return status;
}

static void release(Tune *tune) {
    tune_journal_close(&tune->journal);
    tuning_release(&tune->tuning);
    judge_close(tune->judge);
    buffer_release(&tune->referee);
    openings_release(tune->book);
    engine_list_release(&tune->list);
    memory_release(tune);
}

static Status run(void *context) {
    Tune *tune = memory_allocate(sizeof *tune);
    if (tune == NULL) return status_no_memory("the tuning");
    tune->arguments = *(const TuneArguments *)context;
    tune->journal.lines.file.handle = -1;
    Status status = run_tuning(tune);
    release(tune);
    return status;
}

static Status take_option(void *member, const char *word) {
    OptionWords *options = member;
    if (word == NULL) return status_ok();
    if (options->count == ENGINE_OPTIONS_MAX) return status_error("more than %d", ENGINE_OPTIONS_MAX);
    options->word[options->count++] = word;
    return status_ok();
}

static Status check(void *context) {
    TuneArguments *arguments = context;
    const char *moves = arguments->moves;
    if (arguments->names.count > SPSA_PARAMS_MAX)
        return status_error("more than %d numbers", SPSA_PARAMS_MAX);
    if (arguments->nodes > 0 && arguments->tc != NULL)
        return status_error("--nodes and --tc: one of them; a number cannot be tuned for both at once");
    if (moves != NULL && (arguments->tc != NULL || arguments->openbench))
        return status_error("--moves and %s: moves are judged in fixed nodes, here",
                            arguments->tc != NULL ? "--tc" : "--openbench");
    if (moves == NULL && (arguments->stretches > 0 || arguments->judge_nodes > 0))
        return status_error("--stretches and --judge-nodes are for --moves");
    if (arguments->stretches == 0) arguments->stretches = JUDGE_STRETCHES_MAX;
    if (arguments->judge_nodes == 0) arguments->judge_nodes = 150000;
    bool neither = arguments->nodes == 0 && arguments->tc == NULL;
    if (neither && arguments->openbench)
        arguments->tc = "5+0.05"; /* where OpenBench plays: time is managed there */
    else if (neither)
        arguments->nodes = moves != NULL ? 10000 : 5000;
    if (arguments->spsa.spread == 0) arguments->spsa.spread = moves != NULL ? 3 : 1;
    if (arguments->spsa.rate == 0) arguments->spsa.rate = moves != NULL ? 0.005 : 0.002;
    return status_ok();
}

#define FIELD_STRUCT TuneArguments
static const Field FIELDS[] = {
    {FIELD_WORDS("NUMBER", names, 0, "as src/search/params.def names them")},
    {FIELD_HEADING("Players:")},
    {FIELD_TEXT("engine", "PROGRAM", engine, "build/lab/luft",
                "a LAB=1 build: make LAB=1 EXE=build/lab/luft")},
    {FIELD_WHOLE("nodes", "N", nodes, 1, 1e12, NULL,
                 "play with N nodes a move (default 5000; 10000 with --moves), or")},
    {FIELD_TEXT("tc", "TC", tc, NULL, "play on the clock, 5+0.05 for instance")},
    {FIELD_TAKEN("option", "NAME=VALUE", options, take_option,
                 "for both players: EvalFile=new.nnue; may be repeated")},
    {FIELD_WHOLE("hash", "MB", hash, 1, 1 << 20, "16", "of each player")},
    {FIELD_TEXT("book", "FILE", book, "books/standard.epd", "openings, at random by the seed")},
    {FIELD_HEADING("Moves judged instead of games:")},
    {FIELD_TEXT("moves", "GAMES.pgn", moves, NULL,
                "judge moves, of these games of the engine itself: some thousands")},
    {FIELD_WHOLE("stretches", "N", stretches, 1, JUDGE_STRETCHES_MAX, NULL,
                 "at most N, one of a game (default: of every game)")},
    {FIELD_WHOLE("judge-nodes", "N", judge_nodes, JUDGE_NODES_MIN, 1e12, NULL,
                 "nodes of a judgement (default 150000)")},
    {FIELD_HEADING("The schedule (lab/tune/spsa.h):")},
    {FIELD_WHOLE("iterations", "N", spsa.pairs, 1, SPSA_PAIRS_MAX, "10k",
                 "pairs of games, or stretches, in all; the schedule depends on it")},
    {FIELD_WHOLE("pairs-per-step", "N", spsa.pairs_per_step, 1, SPSA_PAIRS_MAX, "1",
                 "pairs between two random moves of the numbers")},
    {FIELD_REAL("learning-rate", "X", spsa.rate, 1e-9, 1, NULL,
                "r_end, the rate of learning at the end (default 0.002; 0.005 with --moves)")},
    {FIELD_REAL("alpha", "X", spsa.alpha, 0, 2, "0.602", "how the rate falls")},
    {FIELD_REAL("gamma", "X", spsa.gamma, 0, 2, "0.101", "how the moves fall")},
    {FIELD_REAL("A", "X", spsa.stability, 0, 100, "0.1",
                "delay of the rate's fall, as a share of the iterations")},
    {FIELD_REAL("spread", "X", spsa.spread, 1e-3, 100, NULL,
                "c_end in steps of params.def (default 1; 3 with --moves, where more is felt)")},
    {FIELD_WHOLE("seed", "N", spsa.seed, 0, FIELD_UNLIMITED, "1", "of all that is random")},
    {FIELD_HEADING("The run:")},
    {FIELD_WHOLE("concurrency", "N", concurrency, 1, TUNER_CONCURRENCY_MAX, "1", "pairs at once")},
    {FIELD_TEXT("folder", "DIR", folder, "tune", "where results and journal go")},
    {FIELD_TEXT("results", "FILE", results, NULL,
                "at the end append the numbers: rows of results/tunes.tsv")},
    {FIELD_CHOICE("plot", PLOT_KINDS, plot, "svg", "drawn at the end by gnuplot where it is installed")},
    {FIELD_FLAG("quiet", quiet, "no progress")},
    {FIELD_FLAG("openbench", openbench, "only print what OpenBench needs to tune the same")},
    {0}};
#undef FIELD_STRUCT

int command_tune(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab tune",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = check,
                                  .run = run};
    TuneArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}
