/* The user interface's side of UCI: starts an engine, sets its options, asks it for moves, and names its
 * faults. Useful alone for analysing single positions. One thread at a time may use a client. */
#ifndef LUFT_CLIENT_UCI_CLIENT_H
#define LUFT_CLIENT_UCI_CLIENT_H

#include "base/status.h"
#include "base/text.h"
#include "lab/client/engine_config.h"
#include "lab/client/uci_info.h"
#include "lab/kit/log_file.h"
#include "lab/kit/machine.h"

/* Called for an info line, `elapsed` microseconds after `go` was written. */
typedef void InfoListener(void *context, const UciInfo *info, int64_t elapsed);

/* One search: what to send, how long to wait, whom to inform. */
typedef struct SearchRequest {
    TextView position;  /* "position startpos moves e2e4": sent as it is, without line feed */
    TextView go;        /* "go wtime 1000 btime 1000" */
    int64_t time_limit; /* microseconds after which it is lost on time; 0: none, a silent engine stalls */
    const PlayLimits *limits; /* whose nodes and depth `go` has: without a time limit an engine that ignores
                               * them is stopped; NULL: none */
    void *context;
    InfoListener *info;      /* each scored info; NULL: not wanted */
    const atomic_bool *stop; /* when it becomes true, the search is stopped, and its answer is none too late;
                              * needs a time limit. NULL: never */
} SearchRequest;

enum { PV_CAPACITY = 4096, UCI_MOVE_CAPACITY = 8 };

typedef struct SearchReport {
    char best_move[UCI_MOVE_CAPACITY]; /* "" when none came */
    bool has_info;
    UciInfo info;  /* the last of `multipv 1` that is exact, else the last bound; its pv views `pv` */
    int64_t nodes; /* the most that any of its lines said */
    int depth;     /* the same */
    char pv[PV_CAPACITY];
    int64_t wall;         /* microseconds from before `go` was written to after `bestmove` was read */
    int64_t cpu;          /* processor time that the engine used in this time */
    int64_t engine_delay; /* microseconds its threads waited for a processor */
    int64_t runner_delay; /* microseconds this thread of ours waited for one */
    /* Known after a time loss only: */
    int64_t standstill; /* microseconds the machine stood still */
    int64_t stolen;     /* microseconds that its host withheld in this time, on all processors together */
    char detail[FAULT_DETAIL_CAPACITY]; /* one line about the fault; "" without */
} SearchReport;

typedef struct UciClient UciClient;

typedef struct UciClientOptions {
    const EngineConfig *config; /* must live as long as the client */
    const char *error_log;      /* where its standard error goes; NULL: nowhere; copied */
    const LogFile *log;         /* gets every line in both directions; NULL: none */
    int number;                 /* of this process among those of the same engine, for the log */
    const int *cpus;            /* pinned to these; must live as long as the client */
    int cpu_count;              /* 0: not pinned */
    bool chess960;              /* sets UCI_Chess960 */
    int64_t start_timeout;      /* milliseconds for `uciok` and each `readyok`; 0: 10,000 */
    const char *start_option;   /* the option that sets it, for the reason of a failure; NULL: none */
    int64_t stall_timeout;      /* milliseconds of silence in a search without a clock; 0: 60,000 */
    const atomic_bool *cancel;  /* see process.h */
    Heartbeat *heartbeat;       /* of the machine, must live as long as the client; NULL: not watched */
} UciClientOptions;

/* Starts the engine, shakes hands, sets its options, sends its first lines. The reason of a failure names the
 * engine and what is wrong: no such file, not an engine, an option that it does not have. */
Status uci_client_start(const UciClientOptions *options, UciClient **client);

/* Ends the process, if any, and starts it again. */
Status uci_client_restart(UciClient *client);

/* Sends quit, waits a moment, kills. NULL is fine. */
void uci_client_stop(UciClient *client);

/* A number that the engine offers, and a value for it. */
typedef struct UciNumber {
    const char *name;
    int value;
} UciNumber;

/* Sets numbers of a running engine, between searches; a restart forgets them. The reason of a failure names
 * the engine and what it did; it must then be restarted before further use. Or our own memory has run out. */
Status uci_client_set_numbers(UciClient *client, const UciNumber *numbers, int count);

/* ucinewgame and isready. On a fault `detail` says more. */
Fault uci_client_new_game(UciClient *client, char detail[FAULT_DETAIL_CAPACITY]);

/* Sends position and go, waits for bestmove; fails at once where the engine has moved twice before. After
 * FAULT_TIME, FAULT_TIME_MACHINE and FAULT_LIMIT the engine has been stopped and is ready again; after the
 * faults of fault_needs_restart it must be restarted before further use. The caller checks that moves are
 * legal. */
Fault uci_client_search(UciClient *client, const SearchRequest *request, SearchReport *report);

/* A search has taken more than `time_limit` microseconds: would it have been in time on an idle machine? Yes
 * when the machine stalled for as long as it was late, or when its threads waited that long for a processor.
 * Time withheld by the host counts as waiting, unless it is part of another figure. */
bool search_report_excuses(const SearchReport *report, int64_t time_limit);

/* Analyses one position by the limits' depth, nodes, move_time (those that are set). `listener` may be NULL.
 */
Fault uci_client_analyse(UciClient *client, const char *fen, const PlayLimits *limits, InfoListener *listener,
                         void *context, SearchReport *report);

/* What a Luft says of itself; blank where the engine is another one, or does not say it. */
enum { VERSION_CAPACITY = 40 };
typedef struct EngineVersion {
    char commit[VERSION_CAPACITY]; /* "e270cfd"; of a release its number */
    char net[VERSION_CAPACITY];    /* the name of its network, as "16" of "Luft 16" */
} EngineVersion;

/* Reads "Luft 0.2-dev-e270cfd" and "Luft 16". */
EngineVersion engine_version_read(const char *name, TextView network);

/* Asks an engine that is ready. */
EngineVersion uci_client_ask_version(UciClient *client);

/* Starts the engine to ask it, and ends it. */
EngineVersion uci_client_find_version(const EngineConfig *config);

TextView uci_client_options(const UciClient *client);        /* the lines "option name ..." that it sent */
const char *uci_client_engine_name(const UciClient *client); /* what it answered as `id name`, "" before */

#endif
