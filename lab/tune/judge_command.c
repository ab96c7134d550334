/* luft-lab judge: which engine chooses the better moves? */
#include "lab/command.h"
#include "base/memory.h"
#include "lab/match/console.h"
#include "lab/match/match_options.h"
#include "lab/match/parallel.h"
#include "lab/tune/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "Usage: luft-lab judge GAMES.pgn -engine cmd=PROGRAM ... -engine cmd=PROGRAM ... [options]\n"
    "\n"
    "Lets engines go through stretches of games, six positions each, and has the moves that they choose "
    "judged\n"
    "by a long search. Prints, as Markdown, what the moves of each are worth, in thousandths of a game, "
    "beside\n"
    "those of the first. In the same time this sees several times finer than games in fixed nodes do; what "
    "a\n"
    "change does to speed, or to a whole game, it does not see: luft-lab sprt has the last word.\n"
    "\n"
    "  -engine cmd=...   an engine with its options; -each says what all have in common\n"
    "                    (default nodes=10000 option.Hash=16)\n"
    "  -judge-nodes N    nodes of a judgement (default 150000), made once for each move, by\n"
    "  -referee cmd=...  the one who judges (default: the first engine)\n"
    "  -stretches N      at most, one of a game (default 1000)\n"
    "  -journal FILE     the judgements, for the next time (default judgements.journal)\n"
    "  -seed N           which games, and where in them (default 1)\n"
    "  -concurrency N    stretches at once (default 1)\n"
    "  -output FILE      the table goes there instead of standard output\n"
    "  -quiet            no progress bar\n"
    "\n"
    "Example: games of the engine itself, then what late move reductions and twice the nodes are worth\n"
    "  luft-lab match -engine cmd=./luft name=a -engine cmd=./luft name=b -each tc=0.5+0.005 -rounds 500 \\\n"
    "    -concurrency 2 -openings file=books/standard.epd order=random -pgnout games.pgn\n"
    "  luft-lab judge games.pgn -concurrency 2 -engine cmd=build/lab/luft name=full \\\n"
    "    -engine cmd=build/lab/luft name=without \"option.Use late_move_reductions=false\" \\\n"
    "    -engine cmd=build/lab/luft name=twice nodes=20000\n";

typedef struct JudgeArguments {
    EngineList engines, referee;
    JudgeSettings settings;
    const char *output;
    int64_t judge_nodes, concurrency;
    bool quiet, help;
} JudgeArguments;

/* What became of a stretch in the hands of one engine. */
typedef struct Outcome {
    bool valid; /* it came through without a fault */
    double worth;
    Move moves[JUDGE_POSITIONS];
} Outcome;

typedef struct Trial {
    const JudgeArguments *arguments;
    Judge *judge;
    int seats;          /* of a worker: each engine, then the referee */
    UciClient **client; /* [worker * seats + seat] */
    Outcome *outcome;   /* [engine * stretches + stretch] */
} Trial;

/* ---- the trial ---- */

static const EngineConfig *config_of(const Trial *trial, int seat) {
    const JudgeArguments *arguments = trial->arguments;
    if (seat < arguments->engines.count) return &arguments->engines.engines[seat];
    return arguments->referee.count > 0 ? &arguments->referee.engines[0] : &arguments->engines.engines[0];
}

/* All engines through one stretch. An engine that fails is started again. */
static Status try_stretch(void *context, int worker, int64_t index) {
    Trial *trial = context;
    UciClient **client = trial->client + worker * trial->seats;
    int referee = trial->seats - 1;
    for (int seat = 0; seat < referee; seat++) {
        const EngineConfig *config = config_of(trial, seat);
        JudgeSeats seats = {client[seat], client[referee], config->limits.nodes};
        JudgePassage passage;
        Status status = judge_pass(trial->judge, index, &seats, &passage);
        if (!status_is_ok(&status)) return status;
        Outcome *outcome = &trial->outcome[seat * judge_stretches(trial->judge) + index];
        outcome->valid = passage.fault == FAULT_NONE;
        outcome->worth = passage.worth;
        memcpy(outcome->moves, passage.moves, sizeof outcome->moves);
        if (outcome->valid) continue;
        int guilty = passage.by_referee ? referee : seat;
        fprintf(stderr, "stretch %lld of %s left out: %s by %s: %s\n", (long long)index + 1, config->name,
                fault_name(passage.fault), guilty == referee ? "the referee" : "itself", passage.detail);
        status = uci_client_restart(client[guilty]);
        if (!status_is_ok(&status)) return status;
    }
    return status_ok();
}

static Status start_clients(Trial *trial) {
    for (int i = 0; i < trial->arguments->concurrency * trial->seats; i++) {
        UciClientOptions options = {.config = config_of(trial, i % trial->seats)};
        Status status = uci_client_start(&options, &trial->client[i]);
        if (!status_is_ok(&status)) return status;
    }
    return status_ok();
}

/* ---- the table ---- */

/* One engine beside the first, over the stretches that both came through. */
typedef struct Comparison {
    int64_t stretches, same_moves;
    double worth, difference, error; /* thousandths of a game a move; half the width of the 95 % interval */
} Comparison;

static Comparison compare(const Trial *trial, int engine) {
    int64_t count = judge_stretches(trial->judge);
    const Outcome *first = trial->outcome, *other = trial->outcome + engine * count;
    const double unit = 1000.0 / JUDGE_POSITIONS;
    Comparison comparison = {0};
    double sum = 0, squares = 0, worth = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!first[i].valid || !other[i].valid) continue;
        double difference = unit * (other[i].worth - first[i].worth);
        comparison.stretches++;
        sum += difference;
        squares += difference * difference;
        worth += unit * other[i].worth;
        for (int k = 0; k < JUDGE_POSITIONS; k++)
            comparison.same_moves += first[i].moves[k] == other[i].moves[k];
    }
    double n = (double)comparison.stretches;
    if (n < 2) return comparison;
    comparison.worth = worth / n;
    comparison.difference = sum / n;
    comparison.error = 1.96 * sqrt(fmax(squares - sum * sum / n, 0) / (n - 1) / n);
    return comparison;
}

static Status print_table(const Trial *trial) {
    static const char *const HEADS[] = {"engine", "limit",      "worth of a move", "to the first",
                                        "error",  "same moves", "stretches"};
    const EngineList *list = &trial->arguments->engines;
    MarkdownTable table = markdown_table_begin("llrrrrr");
    for (int i = 0; i < table.columns; i++) markdown_table_cell(&table, "%s", HEADS[i]);
    for (int engine = 0; engine < list->count; engine++) {
        Comparison comparison = compare(trial, engine);
        char limit[128];
        play_limits_describe(&list->engines[engine].limits, limit, (int)sizeof limit);
        markdown_table_cell(&table, "%s", list->engines[engine].name);
        markdown_table_cell(&table, "%s", limit);
        markdown_table_cell(&table, "%.1f", comparison.worth);
        markdown_table_cell(&table, engine > 0 ? "%+.2f" : "-", comparison.difference);
        markdown_table_cell(&table, engine > 0 ? "%.2f" : "-", comparison.error);
        double moves = (double)comparison.stretches * JUDGE_POSITIONS;
        markdown_table_cell(&table, "%.0f %%", moves > 0 ? 100 * (double)comparison.same_moves / moves : 0);
        markdown_table_cell(&table, "%lld", (long long)comparison.stretches);
    }
    TextBuffer out = {0};
    markdown_table_write(&table, &out);
    buffer_append_format(&out,
                         "\nThousandths of a game for each move, judged with %lld nodes. Error: 95 %%.\n",
                         (long long)trial->arguments->judge_nodes);
    Status status = console_write_result(trial->arguments->output, &out);
    buffer_release(&out);
    return status;
}

/* ---- the command ---- */

static Status open_judge(Trial *trial) {
    const EngineConfig *referee = config_of(trial, trial->seats - 1);
    JudgeSettings settings = trial->arguments->settings;
    TextBuffer words = {0};
    judge_describe_referee(referee, uci_client_engine_name(trial->client[trial->seats - 1]), &words);
    settings.referee = buffer_string(&words);
    settings.nodes = (uint64_t)trial->arguments->judge_nodes;
    Status status = judge_open(&settings, &trial->judge);
    buffer_release(&words);
    if (!status_is_ok(&status)) return status;
    size_t outcomes = (size_t)trial->arguments->engines.count * (size_t)judge_stretches(trial->judge);
    trial->outcome = memory_allocate(outcomes * sizeof *trial->outcome);
    return trial->outcome != NULL ? status : status_error("out of memory");
}

static Status run_trial(const JudgeArguments *arguments) {
    Trial trial = {.arguments = arguments, .seats = arguments->engines.count + 1};
    int clients = (int)arguments->concurrency * trial.seats;
    trial.client = memory_allocate((size_t)clients * sizeof *trial.client);
    Status status = trial.client != NULL ? start_clients(&trial) : status_error("out of memory");
    if (status_is_ok(&status)) status = open_judge(&trial);
    if (status_is_ok(&status)) {
        int64_t count = judge_stretches(trial.judge);
        Progress progress = progress_begin("stretches", count, arguments->quiet);
        status = parallel_run((int)arguments->concurrency, count, try_stretch, &trial, &progress, 0);
        progress_end(&progress);
    }
    if (status_is_ok(&status)) status = print_table(&trial);
    for (int i = 0; trial.client != NULL && i < clients; i++) uci_client_stop(trial.client[i]);
    judge_close(trial.judge);
    memory_release(trial.client);
    memory_release(trial.outcome);
    return status;
}

/* Engines, the referee among them; `*taken` when the word was one of these. */
static Status read_engine(JudgeArguments *arguments, int argc, char **argv, int *index, bool *taken) {
    if (!option_is(argv[*index], "referee"))
        return engine_list_read(&arguments->engines, argc, argv, index, taken);
    char word[] = "-engine", **at = &argv[*index], *kept = *at;
    *at = word; /* what follows reads like an engine */
    Status status = engine_list_read(&arguments->referee, argc, argv, index, taken);
    *at = kept;
    return status;
}

static Status read_argument(JudgeArguments *arguments, int argc, char **argv, int *index) {
    const char *word = argv[*index];
    bool taken = false;
    Status status = read_engine(arguments, argc, argv, index, &taken);
    if (!status_is_ok(&status)) return status;
    if (taken) {
        --*index; /* it stands behind its words already */
        return status;
    }
    if (option_is(word, "judge-nodes"))
        return option_integer(argc, argv, index, 1, INT64_C(1) << 40, &arguments->judge_nodes);
    if (option_is(word, "stretches"))
        return option_integer(argc, argv, index, 2, JUDGE_STRETCHES_MAX, &arguments->settings.stretches);
    if (option_is(word, "concurrency"))
        return option_integer(argc, argv, index, 1, PARALLEL_WORKERS_MAX, &arguments->concurrency);
    if (option_is(word, "journal")) return option_value(argc, argv, index, &arguments->settings.journal);
    if (option_is(word, "output")) return option_value(argc, argv, index, &arguments->output);
    if (option_is(word, "seed")) {
        int64_t seed = 0;
        status = option_integer(argc, argv, index, 0, INT64_MAX, &seed);
        arguments->settings.seed = (uint64_t)seed;
        return status;
    }
    if (option_is(word, "help") || strcmp(word, "-h") == 0)
        arguments->help = true;
    else if (option_is(word, "quiet"))
        arguments->quiet = true;
    else if (word[0] == '-')
        return status_error("unknown option '%s'", word);
    else if (arguments->settings.games != NULL)
        return status_error("one file of games: '%s' and '%s'", arguments->settings.games, word);
    else
        arguments->settings.games = word;
    return status;
}

static Status check_limits(const EngineConfig *config, const char *name) {
    const PlayLimits *limits = &config->limits;
    if (limits->has_clock || limits->move_time > 0 || limits->depth > 0)
        return status_error("%s: moves are judged in fixed nodes; say nodes=", name);
    return status_ok();
}

/* What was not said, and what cannot be. */
static Status complete(JudgeArguments *arguments) {
    EngineList *list = &arguments->engines;
    if (arguments->settings.games == NULL) return status_error("which games?");
    if (list->count < 2) return status_error("two engines at least, to be compared");
    if (arguments->referee.count > 1) return status_error("one referee");
    Status status = list->each != NULL ? check_limits(list->each, "-each") : status_ok();
    for (int i = 0; i < list->count && status_is_ok(&status); i++) {
        EngineConfig *config = &list->engines[i];
        bool said = list->each != NULL && list->each->limits.nodes > 0;
        if (config->limits.nodes == 0 && !said) config->limits.nodes = 10000;
        said = list->each != NULL && engine_config_option(list->each, "Hash") != NULL;
        if (engine_config_option(config, "Hash") == NULL && !said)
            status = engine_config_set_option(config, "Hash", "16");
    }
    if (status_is_ok(&status) && arguments->referee.count > 0) {
        arguments->referee.engines[0].limits.nodes = (uint64_t)arguments->judge_nodes;
        status = engine_list_finish(&arguments->referee);
    }
    if (status_is_ok(&status)) status = engine_list_finish(list);
    for (int i = 0; i < list->count && status_is_ok(&status); i++)
        status = check_limits(&list->engines[i], list->engines[i].name);
    return status;
}

int command_judge(int argc, char **argv) {
    JudgeArguments arguments = {.settings = {.journal = "judgements.journal", .stretches = 1000, .seed = 1},
                                .judge_nodes = 150000,
                                .concurrency = 1};
    Status status = status_ok();
    for (int i = 1; i < argc && status_is_ok(&status); i++)
        status = read_argument(&arguments, argc, argv, &i);
    if (status_is_ok(&status) && !arguments.help) status = complete(&arguments);
    int result = COMMAND_OK;
    if (!status_is_ok(&status)) {
        result = console_fail_usage("judge", &status);
    } else if (arguments.help) {
        fputs(HELP, stdout);
    } else {
        status = run_trial(&arguments);
        if (!status_is_ok(&status)) result = console_fail("judge", &status);
    }
    engine_list_release(&arguments.engines);
    engine_list_release(&arguments.referee);
    return result;
}
