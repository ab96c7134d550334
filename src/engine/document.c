#include "engine/document.h"

#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/san.h"
#include "engine/chances.h"
#include "search/score.h"

#include <inttypes.h>
#include <stdarg.h>

const char *document_text(Document *document, const char *format, ...) {
    char *text = document->text[document->text_count++ % DOCUMENT_TEXTS];
    va_list arguments;
    va_start(arguments, format);
    text_format_arguments(text, DOCUMENT_TEXT, format, arguments);
    va_end(arguments);
    return text;
}

static bool is_json(const Document *document) { return document->form == DOCUMENT_JSON; }

/* --- text --- */

static const char *const COLORS[] = {[STYLE_STRONG] = "\033[1m",
                                     [STYLE_GOOD] = "\033[32m",
                                     [STYLE_BAD] = "\033[31m",
                                     [STYLE_QUIET] = "\033[2;37m",
                                     [STYLE_NAME] = "\033[36m"};

static void color(Document *document, Style style, bool begins) {
    if (document->form == DOCUMENT_COLORS && style != STYLE_NORMAL)
        buffer_append_string(document->out, begins ? COLORS[style] : "\033[0m");
}

static void pad(Document *document, int count) {
    for (int i = 0; i < count; i++) buffer_append_char(document->out, ' ');
    if (count > 0) document->column += (size_t)count;
}

static const char *prefix_of(const Document *document) {
    return document->prefix != NULL ? document->prefix : "";
}

void document_put(Document *document, Style style, int indent, const char *text) {
    if (is_json(document)) return;
    TextView rest = text_view(text);
    const size_t first = text_columns(text_next_word(&rest));
    if (document->column == 0) {
        buffer_append_string(document->out, prefix_of(document));
    } else if (document->column > (size_t)indent && document->column + 1 + first > document->width) {
        buffer_append_format(document->out, "\n%s%*s", prefix_of(document), indent, "");
        document->column = (size_t)indent;
    } else {
        pad(document, 1);
    }
    color(document, style, true);
    buffer_append_wrapped(document->out, text_view(text), &document->column, document->width,
                          prefix_of(document), (size_t)indent);
    color(document, style, false);
}

void document_cell(Document *document, Style style, int width, const char *format, ...) {
    if (is_json(document)) return;
    TextBuffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_append_arguments(&text, format, arguments);
    va_end(arguments);
    const int used = (int)text_columns(buffer_view(&text));
    if (document->column == 0) buffer_append_string(document->out, prefix_of(document));
    pad(document, width - used);
    color(document, style, true);
    buffer_append(document->out, buffer_view(&text));
    color(document, style, false);
    document->column += (size_t)used;
    pad(document, -width - used);
    document->out->failed |= text.failed;
    buffer_release(&text);
}

void document_row(Document *document) {
    if (is_json(document) || (document->column == 0 && document->prefix != NULL)) return;
    buffer_append_char(document->out, '\n');
    document->column = 0;
}

/* --- JSON --- */

/* What stands before a value: a comma and its name. False where no JSON is wanted. */
static bool begin_value(Document *document, const char *name) {
    if (!is_json(document)) return false;
    if (document->needs_comma) buffer_append_char(document->out, ',');
    document->needs_comma = true;
    if (name != NULL) {
        buffer_append_json(document->out, text_view(name));
        buffer_append_char(document->out, ':');
    }
    return true;
}

static void open(Document *document, const char *name, char bracket) {
    if (!begin_value(document, name)) return;
    buffer_append_char(document->out, bracket);
    document->needs_comma = false;
}

static void end(Document *document, char bracket) {
    if (!is_json(document)) return;
    buffer_append_char(document->out, bracket);
    document->needs_comma = true;
}

void document_object(Document *document, const char *name) { open(document, name, '{'); }
void document_object_end(Document *document) { end(document, '}'); }
void document_list(Document *document, const char *name) { open(document, name, '['); }
void document_list_end(Document *document) { end(document, ']'); }

void document_string(Document *document, const char *name, const char *text) {
    if (!begin_value(document, name)) return;
    if (text == NULL)
        buffer_append_string(document->out, "null");
    else
        buffer_append_json(document->out, text_view(text));
}

void document_int(Document *document, const char *name, int64_t value) {
    if (begin_value(document, name)) buffer_append_format(document->out, "%" PRId64, value);
}

void document_real(Document *document, const char *name, double value, int decimals) {
    if (begin_value(document, name)) buffer_append_format(document->out, "%.*f", decimals, value);
}

void document_bool(Document *document, const char *name, bool value) {
    if (begin_value(document, name)) buffer_append_string(document->out, value ? "true" : "false");
}

void document_phrase(Document *document, Style style, const char *text) {
    document_string(document, NULL, text);
    document_put(document, style, 0, text);
}

void document_sentence(Document *document, Style style, const char *text) {
    document_phrase(document, style, text);
    document_row(document);
}

/* --- chess --- */

void document_fen(Document *document, const Position *pos) {
    char fen[FEN_CAPACITY];
    fen_write(pos, fen);
    document_string(document, "fen", fen);
}

void document_move(Document *document, const char *name, const Position *pos, Move move) {
    char lan[LAN_CAPACITY], san[SAN_CAPACITY];
    if (move == MOVE_NONE) {
        document_string(document, name, NULL);
        return;
    }
    lan_write(pos, move, lan);
    san_write(pos, move, san);
    document_object(document, name);
    document_string(document, "uci", lan);
    document_string(document, "san", san);
    document_object_end(document);
}

void document_moves(Document *document, const char *name, const Position *root, const Move *moves,
                    int count) {
    Position pos = *root;
    document_list(document, name);
    for (int i = 0; i < count; i++) {
        Undo undo;
        document_move(document, NULL, &pos, moves[i]);
        position_make_move(&pos, moves[i], &undo);
    }
    document_list_end(document);
}

void document_score(Document *document, const char *name, int score) {
    document_object(document, name);
    if (score_is_mate(score))
        document_int(document, "mate", score_mate_moves(score));
    else
        document_int(document, "cp", score_to_centipawns(score));
    document_object_end(document);
}

void document_chances(Document *document, const Position *pos, int score) {
    const ChanceParts parts = chances_round(chances_of_search(pos, score), 1000);
    document_list(document, "wdl");
    document_int(document, NULL, parts.win);
    document_int(document, NULL, parts.draw);
    document_int(document, NULL, parts.loss);
    document_list_end(document);
}

void document_info(Document *document, const Position *root, const SearchInfo *info) {
    document_object(document, NULL);
    document_int(document, "schema", JSON_SCHEMA);
    document_fen(document, root);
    document_int(document, "depth", info->depth);
    document_int(document, "seldepth", info->selective_depth);
    document_int(document, "rank", info->multi_pv);
    document_score(document, "score", info->score);
    document_chances(document, root, info->score);
    document_int(document, "nodes", (int64_t)info->nodes);
    document_int(document, "time", info->time / 1000);
    document_int(document, "hashfull", info->hash_full);
    document_int(document, "tbhits", (int64_t)info->tb_hits);
    document_moves(document, "pv", root, info->pv, info->pv_length);
    document_object_end(document);
}
