/* What the page's lessons need besides include/luft.h: lessons with their numbers, and matches against the
 * engine without a technique. A module of its own, built with LAB=1, which is loaded when they are opened.
 * Functions that can fail return NULL, or the reason; texts are valid until the next call. */
#include "base/memory.h"
#include "chess/reader.h"
#include "engine/document.h"
#include "explain/explain.h"
#include "include/luft.h"
#include "lab/selfplay/live_match.h"
#include "learn/lesson_view.h"

#include <math.h>

typedef struct Lessons {
    Network *network;
    LiveMatch *match;
    Status status;
    TextBuffer text;
} Lessons;

LUFT_API Lessons *luft_lessons_create(void);
LUFT_API const char *luft_lessons_read(Lessons *lessons, const char *text, const char **json);
LUFT_API const char *luft_lessons_begin_match(Lessons *lessons, const char *technique, int nodes);
LUFT_API const char *luft_lessons_play_pair(Lessons *lessons, const char *opening, const char **json);

static const char *reason(Lessons *lessons, Status status) {
    if (status_is_ok(&status) && lessons->text.failed) status = status_no_memory("the answer");
    lessons->status = status;
    return status_is_ok(&status) ? NULL : lessons->status.reason;
}

static Document begin_answer(Lessons *lessons) {
    buffer_clear(&lessons->text);
    return (Document){
        .out = &lessons->text, .form = DOCUMENT_JSON, .language = language_row(0), .detailed = true};
}

/* After the network was provided and an engine was made. NULL: no memory. */
Lessons *luft_lessons_create(void) {
    Lessons *lessons = memory_allocate(sizeof *lessons);
    if (lessons == NULL) return NULL;
    lessons->network = network_open_embedded(&lessons->status);
    if (lessons->network != NULL) return lessons;
    memory_release(lessons);
    return NULL;
}

/* Runs the searches of a lesson (docs/learn.md has its format and that of the JSON). */
const char *luft_lessons_read(Lessons *lessons, const char *text, const char **json) {
    Lesson *lesson = memory_allocate(sizeof *lesson);
    Facts *facts = NULL;
    Explainer *explainer = NULL;
    Status status = status_no_memory("the lesson");
    if (lesson != NULL) status = lesson_read(text_view(text), lesson);
    if (status_is_ok(&status)) explainer = explainer_create(lessons->network, EXPLAIN_HASH, &status);
    if (status_is_ok(&status)) facts = facts_find(lesson, explainer_searcher(explainer), &status);
    Document document = begin_answer(lessons);
    if (status_is_ok(&status)) status = lesson_write(&document, lesson, facts, NULL);
    facts_release(facts);
    explainer_destroy(explainer);
    memory_release(lesson);
    *json = buffer_string(&lessons->text);
    return reason(lessons, status);
}

/* All techniques against all but one, `nodes` a move. */
const char *luft_lessons_begin_match(Lessons *lessons, const char *technique, int nodes) {
    if (nodes < 1) return reason(lessons, status_error("a match needs one node a move at least"));
    Status status;
    live_match_destroy(lessons->match);
    lessons->match = live_match_create(lessons->network, text_view(technique), (uint64_t)nodes, &status);
    return reason(lessons, status);
}

/* What is not finite is null. */
static void write_number(Document *document, const char *name, double value) {
    if (isfinite(value))
        document_real(document, name, value, 2);
    else
        document_string(document, name, NULL);
}

static void write_match(Document *document, const LiveMatch *match) {
    static const char *const VERDICTS[] = {"continues", "not stronger", "stronger"};
    const SprtTest test = {.elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.05, .model = ELO_NORMALIZED};
    const PairCounts *pairs = live_match_pairs(match);
    const GameCounts *games = live_match_games(match);
    const EloEstimate estimate = stats_estimate_pairs(pairs);
    const double llr = stats_llr_pairs(&test, pairs);
    document_object(document, NULL);
    document_int(document, "wins", games->wins);
    document_int(document, "draws", games->draws);
    document_int(document, "losses", games->losses);
    document_list(document, "pairs");
    for (int i = 0; i < PAIR_OUTCOMES; i++) document_int(document, NULL, pairs->count[i]);
    document_list_end(document);
    write_number(document, "elo", estimate.elo);
    write_number(document, "error", estimate.elo_error);
    write_number(document, "llr", llr);
    write_number(document, "lower", stats_sprt_lower(&test));
    write_number(document, "upper", stats_sprt_upper(&test));
    document_string(document, "verdict", VERDICTS[stats_sprt_verdict(&test, llr)]);
    document_object_end(document);
}

/* Two games from an opening (FEN or EPD), and the state of the match after them. */
const char *luft_lessons_play_pair(Lessons *lessons, const char *opening, const char **json) {
    Position start;
    Status warning, status = status_ok();
    TextView rest = text_view(opening);
    Document document = begin_answer(lessons);
    if (lessons->match == NULL) status = status_error("no match was begun");
    if (status_is_ok(&status)) status = reader_take_position(&start, &rest, false, &warning);
    if (status_is_ok(&status)) {
        live_match_play_pair(lessons->match, &start);
        write_match(&document, lessons->match);
    }
    *json = buffer_string(&lessons->text);
    return reason(lessons, status);
}
