/* luft-lab judge: how good were the moves of these games, and which engine chooses the better ones? */
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/kit/crew.h"
#include "lab/kit/ownership.h"
#include "lab/tune/judge.h"
#include "lab/tune/played.h"

static const char ABOUT[] =
    "Without engines: Luft judges the moves of the games as they were played, and prints for each player accuracy, "
    "loss by phase, faults with error bars, and the worst moves.\n"
    "With two engines or more: lets them search stretches of games, six positions each; a long search judges the moves that they choose. "
    "Prints, as Markdown, what the moves of each engine are worth, in thousandths of a game, next to those of the "
    "first. "
    "It does not see what a change does to speed or to a whole game: luft-lab sprt decides.\n";
static const char EXAMPLES[] =
    "  games that were played\n"
    "  luft-lab judge club.pgn -concurrency 2\n"
    "  games of the engine itself, then what late move reductions and twice the\n"
    "  nodes are worth\n"
    "  luft-lab match -engine cmd=./luft name=a -engine cmd=./luft name=b \\\n"
    "      -each tc=0.5+0.005 -rounds 500 -concurrency 2 \\\n"
    "      -openings file=books/standard.epd order=random -pgnout games.pgn\n"
    "  luft-lab judge games.pgn -concurrency 2 \\\n"
    "      -engine cmd=build/lab/luft name=full \\\n"
    "      -engine cmd=build/lab/luft name=without \"option.Use late_move_reductions=false\" \\\n"
    "      -engine cmd=build/lab/luft name=twice nodes=20000\n";

typedef struct JudgeArguments {
    JudgeComparison comparison;
    const char *player;
    const char *output;
    bool again;
} JudgeArguments;

/* The moves of the games as they were played. */
static Status judge_played(const JudgeArguments *arguments, TextBuffer *table) {
    const JudgeComparison *comparison = &arguments->comparison;
    const PlayedSettings settings = {.games = comparison->judge.games,
                                     .player = arguments->player,
                                     .journal = comparison->judge.journal,
                                     .nodes = comparison->judge.nodes,
                                     .concurrency = comparison->concurrency,
                                     .skip_faults = comparison->judge.skip_faults,
                                     .quiet = comparison->quiet};
    return played_judge(&settings, table);
}

static Status set_journal_aside(const char *path) {
    static const char START[] = "luft-lab judge";
    const Status status = ownership_check_kind(path, START, sizeof START - 1, "a journal of luft-lab judge");
    return status_is_ok(&status) ? ownership_set_aside(path) : status;
}

static Status run(void *context) {
    const JudgeArguments *arguments = context;
    const JudgeSettings *judge = &arguments->comparison.judge;
    const char *const inputs[] = {judge->games, judge->journal};
    Status status = ownership_check_inputs(arguments->output, inputs, 2);
    if (status_is_ok(&status)) status = ownership_check_inputs(judge->journal, inputs, 1);
    if (status_is_ok(&status) && arguments->again) status = set_journal_aside(judge->journal);
    TextBuffer table = {0};
    if (status_is_ok(&status) && arguments->comparison.engines.count == 0)
        status = judge_played(arguments, &table);
    else if (status_is_ok(&status))
        status = judge_compare(&arguments->comparison, &table);
    if (status_is_ok(&status)) status = console_write_result(arguments->output, &table);
    buffer_release(&table);
    return status;
}

static Status check_limits(const EngineConfig *config, const char *name) {
    const PlayLimits *limits = &config->limits;
    if (limits->has_clock || limits->move_time > 0 || limits->depth > 0)
        return status_error("%s: moves are judged in fixed nodes; say nodes=", name);
    return status_ok();
}

/* What was not said of an engine, neither of itself nor of all (`each` may be NULL). */
static Status complete_engine(EngineConfig *config, const EngineConfig *each) {
    if (config->limits.nodes == 0 && (each == NULL || each->limits.nodes == 0)) config->limits.nodes = 10000;
    if (engine_config_option(config, "Hash") != NULL ||
        (each != NULL && engine_config_option(each, "Hash") != NULL))
        return status_ok();
    return engine_config_set_option(config, "Hash", "16");
}

static Status complete_referee(JudgeArguments *arguments) {
    EngineList *list = &arguments->comparison.referee;
    if (list->count == 0) return status_ok();
    if (list->count > 1) return status_error("one referee");
    if (list->engines[0].limits.nodes > 0) return status_error("-referee: its nodes are -judge-nodes");
    Status status = check_limits(&list->engines[0], "-referee");
    if (status_is_ok(&status)) status = complete_engine(&list->engines[0], NULL);
    if (status_is_ok(&status)) status = engine_list_finish(list);
    return status;
}

/* What was not said, and what cannot be. */
static Status complete(void *context) {
    JudgeArguments *arguments = context;
    EngineList *list = &arguments->comparison.engines;
    const char **journal = &arguments->comparison.judge.journal;
    if (*journal == NULL) *journal = list->count > 0 ? "judgements.journal" : "judged-games.journal";
    if (list->count == 1)
        return status_error("two engines at least, to be compared; none: the moves as played");
    if (list->count > 0 && arguments->player != NULL)
        return status_error("--player is for games as they were played, without engines");
    if (list->count == 0 && (list->each != NULL || arguments->comparison.referee.count > 0))
        return status_error("without engines Luft itself judges the games: neither -each nor -referee");
    Status status = list->each != NULL ? check_limits(list->each, "-each") : status_ok();
    for (int i = 0; i < list->count && status_is_ok(&status); i++)
        status = complete_engine(&list->engines[i], list->each);
    if (status_is_ok(&status)) status = complete_referee(arguments);
    if (status_is_ok(&status)) status = engine_list_finish(list);
    for (int i = 0; i < list->count && status_is_ok(&status); i++)
        status = check_limits(&list->engines[i], list->engines[i].name);
    return status;
}

#define FIELD_STRUCT JudgeArguments
static const Field FIELDS[] = {
    {FIELD_TEXT("GAMES.pgn", NULL, comparison.judge.games, NULL,
                "the games to be judged; for a comparison some hundred games of the engine itself"),
     .flags = FIELD_WORD},
    {FIELD_TEXT("player", "NAME", player, NULL,
                "judge this player alone, and only its games (without engines)")},
    {ENGINE_FIELD("engine", comparison.engines, "an engine with its options; two or more, or none")},
    {ENGINE_EACH_FIELD(comparison.engines,
                       "what all engines have in common (default nodes=10000 option.Hash=16)")},
    {ENGINE_FIELD("referee", comparison.referee,
                  "the engine that judges, to which -each does not apply (default: the first "
                  "engine)")},
    {FIELD_WHOLE("judge-nodes", "N", comparison.judge.nodes, JUDGE_NODES_MIN, 1e12, "150k",
                 "nodes of a judgement, which is made once for each move")},
    {FIELD_WHOLE("stretches", "N", comparison.judge.stretches, 2, JUDGE_STRETCHES_MAX, "1000",
                 "stretches at most, one for each game")},
    {FIELD_TEXT("journal", "FILE", comparison.judge.journal, NULL,
                "file that keeps the judgements for the next run, one for each referee (default: "
                "judgements.journal; without engines judged-games.journal)")},
    {FIELD_FLAG("again", again, "judge again, and keep the old journal as FILE.old")},
    {SKIP_FAULTS_FIELD(comparison.judge.skip_faults)},
    {FIELD_WHOLE("seed", "N", comparison.judge.seed, 0, FIELD_UNLIMITED, "1",
                 "of the choice of games and of the places in them")},
    {FIELD_WHOLE("concurrency", "N", comparison.concurrency, 1, CREW_THREADS_MAX, "1",
                 "stretches or games at once")},
    {FIELD_TEXT("output", "FILE", output, NULL, "write the table to FILE instead of standard output")},
    {FIELD_FLAG("quiet", comparison.quiet, "print no progress bar")},
    {0}};

int command_judge(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab judge",
                                  .usage =
                                      "GAMES.pgn [-engine cmd=PROGRAM... -engine cmd=PROGRAM...] [options]",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = complete,
                                  .run = run};
    JudgeArguments arguments = {0};
    const int result = commands_run(&SYNTAX, argc, argv, &arguments);
    engine_list_release(&arguments.comparison.engines);
    engine_list_release(&arguments.comparison.referee);
    return result;
}
