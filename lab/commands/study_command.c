/* luft-lab study: one position, many engines, and a tree that lasts. */
#include "lab/command.h"
#include "lab/kit/plot.h"
#include "lab/study/session.h"
#include "lab/study/uci_face.h"

static const char ABOUT[] =
    "Studies a position with engines on this and other computers, for as long as you like. "
    "Each task is a short search of one position; what they find makes a tree, which grows where the game is decided. "
    "Computers may join, leave and fail. "
    "Ctrl-C ends it, and the same command carries on; --again starts over.\n"
    "Writes NAME.study (the tree), NAME.store (what was found, for luft store), NAME.pgn, NAME.md and a picture. "
    "Workers in the file NAME.workers, a line each, may be added and removed while it runs.\n"
    "With --uci it is itself an engine, for any chess program.\n";
static const char EXAMPLES[] =
    "  luft-lab study najdorf --pgn game.pgn --ply 18 \\\n"
    "      --worker local:2 --worker ssh:pc2:8 --worker ssh:anna@pc3:4:/opt/luft\n"
    "  another engine, with its options\n"
    "  luft-lab study endgame --fen \"8/8/1p6/p1p2k2/P1P5/1P3K2/8/8 w - - 0 1\" \\\n"
    "      -engine cmd=stockfish option.Hash=256 --worker local:2\n";

/* An engine here is next to us, one elsewhere is in PATH. */
static Status complete(void *context) {
    StudySettings *settings = context;
    StudyWords *workers = &settings->workers;
    Status status = status_ok();
    if (workers->last != NULL) workers->word[workers->count++] = workers->last;
    if (settings->fen != NULL && settings->pgn != NULL) return status_error("--fen or --pgn, not both");
    if (settings->engines.count > 1) return status_error("one engine: scores of several do not compare");
    if (settings->engines.count == 0)
        (void)engine_list_add_program(&settings->engines, "luft", &(PlayLimits){0}, 0, &status);
    if (status_is_ok(&status) && settings->engines.count == 1) {
        PlayLimits *limits = &settings->engines.engines[0].limits;
        if (limits->has_clock || limits->move_time > 0 || limits->depth > 0)
            return status_error("tasks are searches of --nodes; the engine needs no limit");
        if (limits->nodes > 0) settings->nodes = limits->nodes;
        limits->nodes = settings->nodes;
        status = engine_list_finish(&settings->engines);
    }
    return status;
}

static Status take_worker(void *member, const char *word) {
    StudyWords *words = member;
    if (word != NULL) {
        words->last = word;
        return status_ok();
    }
    if (words->last == NULL) return status_ok();
    if (words->count >= STUDY_PLACES_MAX - 1) return status_error("at most %d", STUDY_PLACES_MAX - 1);
    words->word[words->count++] = words->last;
    words->last = NULL;
    return status_ok();
}

static Status run(void *context) {
    const StudySettings *settings = context;
    return settings->uci ? uci_face_run(settings) : session_run(settings);
}

#define FIELD_STRUCT StudyWords
static const Field WORKER_WORDS[] = {{FIELD_TEXT("at", "WHERE", last, NULL, "where")}, {0}};
#undef FIELD_STRUCT

#define FIELD_STRUCT StudySettings
static const Field FIELDS[] = {
    {FIELD_TEXT("NAME", NULL, name, NULL, "of the study and its files"), .flags = FIELD_WORD},
    {FIELD_TEXT("fen", "FEN", fen, NULL, "the position (default: the initial position)")},
    {FIELD_TEXT("pgn", "FILE", pgn, NULL, "a game, with whose last position the study begins")},
    {FIELD_WHOLE("game", "N", game, 1, 1e9, "1", "which game of the file")},
    {FIELD_WHOLE("ply", "N", ply, -1, 10000, "-1", "begin after N plies of the game; -1: after the last")},
    {FIELD_TAKEN("worker", "WHERE:N", workers, take_worker,
                 "N engines: local:N here, ssh:HOST:N on another computer; :PROGRAM after it names another "
                 "program there. May be given several times (default: local, one for each processor)"),
     .fields = WORKER_WORDS, .flags = FIELD_BARE},
    {FIELD_TEXT(
        "workers", "FILE", workers_file, NULL,
        "a file with such words, a line each, which is read again when it changes (default: NAME.workers, "
        "if there is one)")},
    {ENGINE_FIELD("engine", engines, "the engine on all computers, with its options (default cmd=luft)")},
    {FIELD_WHOLE("nodes", "N", nodes, 1, 1e12, "10M", "nodes of a task: 5 to 60 seconds are good")},
    {FIELD_WHOLE("tasks", "N", tasks, 0, 1e12, "0",
                 "end after N tasks, those of earlier runs included; 0: no end")},
    {FIELD_SECONDS("time", time, 0, 1e9, "0", "end this run after so long; 0: no end")},
    {FIELD_SECONDS("patience", patience, 1, 1e6, "120",
                   "for the first task of an engine; later ones may take ten times its average")},
    {FIELD_FLAG("any-engine", any_engine,
                "mix the scores of different engines, networks and versions, which otherwise are left out")},
    {FIELD_TEXT("store", "FILE", store, NULL, "the store (default NAME.store)")},
    {FIELD_FLAG("no-store", no_store, "keep no store")},
    {FIELD_FLAG("chess960", chess960, "read castling rights as Chess960's")},
    {FIELD_FLAG("uci", uci, "be an engine: read UCI on standard input; NAME begins the names of the files")},
    {FIELD_FLAG("again", again, "start over, and keep the old files as .old")},
    {FIELD_CHOICE("plot", PLOT_KINDS, plot, "svg",
                  "format of the picture, which gnuplot draws where it is installed")},
    {FIELD_FLAG("quiet", quiet, "print nothing while it runs")},
    {0}};

int command_study(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab study",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = complete,
                                  .run = run};
    StudySettings settings = {0};
    const int result = commands_run(&SYNTAX, argc, argv, &settings);
    engine_list_release(&settings.engines);
    return result;
}
