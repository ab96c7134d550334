#include "chess/pgn.h"

#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/pgn_scan.h"
#include "chess/san.h"

#include <string.h>

typedef struct PgnReader {
    PgnScan at;
    Game *game;
    Problems *problems;
    Position pos; /* after the moves read so far */
    int fen_line, variant_line;
    int other_tags; /* that are kept: neither of the roster nor of the start */
    bool is_text;   /* what was found is no game */
    /* The letters for pieces: */
    int alphabet;
    bool is_alphabet_known;
    int limit; /* of plies: from there on the alphabets differ in which the game may be written */
    /* Where the moves begin: */
    PgnScan moves;
    int head_notes;
    size_t head_text;
} PgnReader;

/* --- notes --- */

static void report_open(PgnReader *reader, int line, const char *what, const char *end) {
    problems_add(reader->problems, PROBLEM_LOSS, "line %d: the %s that begins here has no closing %s", line,
                 what, end);
}

/* In English letters as the moves of the game. Without a move in front of it a variation is no program's
 * business: a comment says the same. */
static Status keep_variation(PgnReader *reader, int place) {
    TextBuffer text = {0}, english = {0};
    const int line = reader->at.line;
    const bool is_comment = place == 0 || place == AFTER_RESULT;
    if (is_comment) buffer_append_char(&english, '(');
    if (!pgn_scan_variation(&reader->at, &text)) report_open(reader, line, "variation", "parenthesis");
    plain_translate(reader->alphabet, buffer_view(&text), &english);
    if (is_comment) buffer_append_char(&english, ')');
    Status status = text.failed || english.failed ? status_no_memory("a variation")
                    : is_comment ? game_add_comment(reader->game, place, buffer_view(&english))
                                 : game_add_variation(reader->game, place, buffer_view(&english));
    buffer_release(&text);
    buffer_release(&english);
    return status;
}

static Status keep_comment(PgnReader *reader, int place) {
    TextView text;
    const int line = reader->at.line;
    if (!pgn_scan_comment(&reader->at, &text)) report_open(reader, line, "comment", "brace");
    return game_add_comment(reader->game, place, text);
}

static Status keep_nag(PgnReader *reader, int place) {
    char room[PGN_WORD_CAPACITY];
    TextView word = pgn_scan_word(&reader->at, room);
    int64_t nag;
    word = (TextView){word.data + 1, word.length - 1};
    if (!text_parse_int64(word, &nag) || nag < 0 || nag > NAG_MAX) return status_ok();
    return game_add_nag(reader->game, place, (int)nag);
}

static Status keep_note(PgnReader *reader, int place) {
    switch (pgn_scan_peek(&reader->at)) {
    case '$': return keep_nag(reader, place);
    case '(': return keep_variation(reader, place);
    default: return keep_comment(reader, place);
    }
}

/* --- signs --- */

/* Keeps what is written at the move before: known signs as NAGs, others as a comment. */
static Status keep_signs(PgnReader *reader, TextView signs) {
    enum { SIGNS_MAX = 3 };
    int nags[SIGNS_MAX], count = 0;
    Status status = status_ok();
    const int place = reader->game->move_count;
    for (TextView rest = signs; rest.length > 0;) {
        int nag;
        const size_t length = plain_last_sign(rest, color_other(reader->pos.side) == BLACK, &nag);
        const bool is_second_verdict = nag > 0 && count > 0 && (nag < 10) == (nags[count - 1] < 10);
        if (length == 0 || count == SIGNS_MAX || is_second_verdict)
            return game_add_comment(reader->game, place, signs);
        if (nag > 0) nags[count++] = nag;
        rest.length -= length;
    }
    while (count > 0 && status_is_ok(&status)) status = game_add_nag(reader->game, place, nags[--count]);
    return status;
}

/* --- tags --- */

enum { OTHER_TAGS_MAX = 256, BRACKET_MAX = 256 };

static Status keep_tag(PgnReader *reader, const GameTag *tag, int line) {
    if (text_equals_ignore_case(text_view(tag->name), "FEN")) reader->fen_line = line;
    if (text_equals_ignore_case(text_view(tag->name), "Variant")) reader->variant_line = line;
    const bool is_other = !game_is_roster_tag(tag->name) && !game_is_start_tag(tag->name) &&
                          !text_equals_ignore_case(text_view(tag->name), "Variant") &&
                          game_tag(reader->game, tag->name) == NULL;
    if (!is_other || reader->other_tags < OTHER_TAGS_MAX) {
        reader->other_tags += is_other;
        return game_set_tag(reader->game, tag->name, tag->value);
    }
    problems_add(reader->problems, PROBLEM_WARNING, "line %d: the tag %s is skipped: there are %d already",
                 line, tag->name, OTHER_TAGS_MAX);
    return status_ok();
}

/* Tags until the moves begin. One that cannot be read costs itself. A second Event after an empty line
 * belongs to the next game: this one has no moves. */
static Status read_tags(PgnReader *reader, bool *moves_follow) {
    Status status = status_ok();
    PgnScan *at = &reader->at;
    *moves_follow = true;
    for (bool is_head = true; status_is_ok(&status);) {
        GameTag tag;
        TextView broken;
        const bool empty_line = pgn_scan_skip_blanks(at);
        const int line = at->line;
        if (is_head && (pgn_scan_peek(at) == '{' || pgn_scan_peek(at) == ';')) {
            status = keep_comment(reader, 0); /* some files say something before the tags */
            continue;
        }
        *moves_follow = is_head || !empty_line || !text_starts_with(at->rest, "[Event ");
        if (!*moves_follow) return status;
        if (pgn_scan_tag(at, &tag)) {
            status = keep_tag(reader, &tag, line);
        } else if (pgn_scan_broken_tag(at, &broken)) {
            char shown[64];
            TextView first_line = broken;
            text_next_line(&broken, &first_line);
            text_copy_printable(text_trim(first_line), shown, sizeof shown);
            problems_add(reader->problems, PROBLEM_WARNING,
                         "line %d: '%s' is skipped: expected [Name \"value\"]", line, shown);
        } else {
            return status;
        }
        is_head = false;
    }
    return status;
}

/* --- where the game starts --- */

typedef enum Variant { VARIANT_STANDARD, VARIANT_CHESS960, VARIANT_OTHER, VARIANT_UNKNOWN } Variant;

static bool contains_any(const char *text, const char *const *parts) {
    for (; *parts != NULL; parts++)
        if (strstr(text, *parts) != NULL) return true;
    return false;
}

static bool equals_any(const char *text, const char *const *names) {
    while (*names != NULL && strcmp(text, *names) != 0) names++;
    return *names != NULL;
}

/* What the name means, whose letters and digits alone count. */
static Variant variant_of_name(const char *name) {
    static const char *const chess960[] = {"960", "fischer", "frc", "freestyle", "wildfr", NULL};
    static const char *const others[] = {
        "house",  "anti",  "suicide", "giveaway", "losers", "atomic",   "check", "hill",
        "racing", "horde", "shogi",   "xiangqi",  "makruk", "janggi",   "capa",  "seira",
        "gothic", "grand", "player",  "extinct",  "dark",   "fog",      "krieg", "duck",
        "losing", "spell", "torpedo", "place",    "knight", "shatranj", NULL};
    static const char *const standard[] = {
        "",          "standard", "normal", "chess", "standardchess", "fromposition",
        "classical", "blitz",    "bullet", "rapid", "ultrabullet",   "correspondence",
        NULL};
    char bare[TAG_VALUE_CAPACITY];
    size_t length = 0;
    for (; *name != '\0'; name++) {
        const char c = char_to_lower(*name);
        if ((c >= 'a' && c <= 'z') || char_is_digit(c)) bare[length++] = c;
    }
    bare[length] = '\0';
    if (contains_any(bare, chess960)) return VARIANT_CHESS960;
    if (contains_any(bare, others)) return VARIANT_OTHER;
    return equals_any(bare, standard) ? VARIANT_STANDARD : VARIANT_UNKNOWN;
}

/* False, with the reason reported, when the game cannot be read. */
static bool set_up_start(PgnReader *reader) {
    Game *game = reader->game;
    const char *variant = game_tag(game, "Variant"), *fen = game_tag(game, "FEN");
    const Variant kind = variant_of_name(variant == NULL ? "" : variant);
    Status warning = status_ok();
    if (kind == VARIANT_OTHER) {
        problems_add(reader->problems, PROBLEM_LOSS,
                     "line %d: the game is skipped: the variant '%s' is not chess as we play it",
                     reader->variant_line, variant);
        reader->problems->skipped++;
        return false;
    }
    if (kind == VARIANT_UNKNOWN)
        problems_add(reader->problems, PROBLEM_WARNING,
                     "line %d: the variant '%s' is unknown: the game is read as chess", reader->variant_line,
                     variant);
    TextView text = text_trim(text_view(fen));
    const bool is_initial = text.length == 0 || text_equals(text, "?") || text_equals(text, "-") ||
                            text_equals_ignore_case(text, "startpos");
    if (is_initial) text = text_view(FEN_START);
    const Status status = fen_take(&game->start, &text, kind == VARIANT_CHESS960, &warning);
    reader->problems->skipped += !status_is_ok(&status);
    if (!status_is_ok(&status))
        problems_add(reader->problems, PROBLEM_LOSS, "line %d: the game is skipped: %s", reader->fen_line,
                     status.reason);
    else if (!status_is_ok(&warning))
        problems_add(reader->problems, PROBLEM_WARNING, "line %d: %s", reader->fen_line, warning.reason);
    reader->pos = game->start;
    return status_is_ok(&status);
}

/* --- moves --- */

static TextView skip_move_number(TextView word) {
    enum { DIGITS_MAX = 3 };
    size_t digits = 0;
    while (digits < word.length && char_is_digit(word.data[digits])) digits++;
    size_t end = digits;
    while (end < word.length && (word.data[end] == '.' || word.data[end] == ':')) end++;
    /* "12" alone is a number too, but the 0 of 0-0 and the 1 of 1-0 are none, and 5254 is a move by post. */
    if (end == digits && (end < word.length || digits > DIGITS_MAX)) return word;
    return (TextView){word.data + end, word.length - end};
}

/* What stands for a move that is missing on the score sheet. */
static bool is_null_move(TextView word) {
    static const char *const WORDS[] = {"--", "Z0", "@@@@", "null", "pass", "0000"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (text_equals_ignore_case(word, WORDS[i])) return true;
    return false;
}

/* Takes a move off the front of a word. */
static Status take_move(const Position *pos, int alphabet, TextView *word, Move *move) {
    char english[PGN_WORD_CAPACITY];
    if (alphabet == ALPHABET_ENGLISH) return san_take(pos, word, move);
    if (!plain_in_english(alphabet, *word, english, sizeof english)) return status_error("unreadable move");
    TextView rest = text_view(english);
    const Status status = san_take(pos, &rest, move);
    if (!status_is_ok(&status)) return status;
    /* What follows the move is as long as before. */
    *word = (TextView){word->data + word->length - rest.length, rest.length};
    return status;
}

/* Reads the moves of the game in another alphabet as far as it can. `*fits`: no letter in them is foreign to
 * it. */
static Status try_alphabet(const PgnReader *reader, int alphabet, Game *trial, bool *fits) {
    char room[PGN_WORD_CAPACITY], english[PGN_WORD_CAPACITY];
    PgnScan at = reader->moves;
    Position pos = reader->game->start;
    Status status = status_ok();
    GameResult result;
    bool reads = true;
    *fits = true;
    while (*fits && status_is_ok(&status)) {
        TextView word = pgn_scan_next_word(&at, room);
        if (word.length == 0 || game_result_parse(word, &result)) break;
        word = skip_move_number(word);
        *fits = !pgn_word_has_square(word) || plain_in_english(alphabet, word, english, sizeof english);
        if (!reads || is_null_move(word) || plain_is_sign(word)) continue;
        Move move;
        Undo undo;
        const Status reading = take_move(&pos, alphabet, &word, &move);
        reads = status_is_ok(&reading);
        if (!reads) continue;
        status = game_add_move(trial, move, NULL);
        position_make_move(&pos, move, &undo);
    }
    return status;
}

/* After English has failed: chooses the alphabet in which the game can be read furthest. A game in which
 * every letter is English is English. */
static Status choose_alphabet(PgnReader *reader) {
    Game best = {0};
    Status status = status_ok();
    int most = reader->game->move_count;
    bool is_english = false;
    reader->is_alphabet_known = true;
    for (int alphabet = 0; alphabet < plain_alphabets() && !is_english && status_is_ok(&status); alphabet++) {
        Game trial = {0};
        bool fits;
        status = try_alphabet(reader, alphabet, &trial, &fits);
        is_english = fits && alphabet == ALPHABET_ENGLISH;
        if (fits && trial.move_count > most) {
            const Game swap = best;
            best = trial;
            trial = swap;
            most = best.move_count;
            reader->alphabet = alphabet;
            reader->limit = most;
        } else if (fits && best.move_count > 0 && trial.move_count == most) {
            int same = 0;
            while (same < reader->limit && trial.moves[same] == best.moves[same]) same++;
            reader->limit = same;
        }
        game_release(&trial);
    }
    if (reader->limit == most) reader->limit = INT_MAX; /* they agree */
    game_release(&best);
    return status;
}

/* Back to the first word after the tags. */
static void begin_again(PgnReader *reader) {
    Game *game = reader->game;
    reader->at = reader->moves;
    reader->pos = game->start;
    game->move_count = 0;
    game->note_count = reader->head_notes;
    game->text.length = reader->head_text;
}

/* The result at the end counts, but what the Result tag says counts more than an asterisk. */
static void end_by(PgnReader *reader, int line, GameResult result) {
    const GameResult tagged = reader->game->result;
    if (result != UNDECIDED) reader->game->result = result;
    if (tagged != UNDECIDED && result != tagged)
        problems_add(reader->problems, PROBLEM_WARNING,
                     "line %d: the moves end with %s, but the Result tag says %s: %s counts", line,
                     game_result_text(result), game_result_text(tagged),
                     game_result_text(reader->game->result));
}

/* Goes on to the end of the game and keeps what is written up to there as a comment. `*over`: there is a
 * result. Without one, number 1 at the start of a line begins the next game. */
static Status keep_rest(PgnReader *reader, const PgnScan *from, int place, bool *over) {
    TextView rest = from->rest;
    char room[PGN_WORD_CAPACITY];
    *over = false;
    while (!*over) {
        GameResult result;
        pgn_scan_skip_blanks(&reader->at);
        rest.length = (size_t)(reader->at.rest.data - rest.data);
        *over = rest.length > 0 && pgn_scan_at_first_number(&reader->at);
        if (*over) break;
        const int line = reader->at.line;
        const TextView word = pgn_scan_next_word(&reader->at, room);
        if (word.length == 0) break;
        *over = game_result_parse(word, &result);
        if (*over && place != AFTER_RESULT) end_by(reader, line, result);
    }
    if (!*over) rest.length = (size_t)(reader->at.rest.data - rest.data);
    TextBuffer text = {0};
    buffer_append_string(&text, "Not read: ");
    buffer_append(&text, rest);
    const Status status = text.failed ? status_no_memory("the rest of a game")
                                      : game_add_comment(reader->game, place, buffer_view(&text));
    buffer_release(&text);
    return status;
}

/* What is wrong with a word where a move should be. A text that has no tags and begins with a word that is no
 * move is no game. */
static Status refuse_word(PgnReader *reader, const PgnScan *from, const char *reason, bool is_move,
                          bool *over) {
    const Game *game = reader->game;
    reader->is_text = !is_move && game->tag_count == 0 && game->move_count == 0;
    problems_add(reader->problems, reader->is_text ? PROBLEM_WARNING : PROBLEM_LOSS, "line %d, move %d%s %s",
                 from->line, reader->pos.fullmove, reader->pos.side == WHITE ? "." : "...", reason);
    return keep_rest(reader, from, game->move_count, over);
}

/* Why the move cannot be made, and which may be meant; `status` where that needs a language. */
static Status explain_fault(const PgnReader *reader, TextView word, const Status *status) {
    Move move;
    const bool is_move = text_starts_with(text_view(status->reason), "illegal") ||
                         text_starts_with(text_view(status->reason), "ambiguous");
    if (!is_move || reader->alphabet != ALPHABET_ENGLISH) return *status;
    const Status why = move_parse(&reader->pos, word, &move);
    return status_is_ok(&why) ? *status : why;
}

static Status read_move(PgnReader *reader, const PgnScan *from, TextView word, bool *over) {
    Undo undo;
    Move move = MOVE_NONE;
    TextView signs = word;
    const int alphabet = reader->alphabet;
    Status status = is_null_move(word)
                        ? status_error("'%.20s' passes the turn: what follows is not read", word.data)
                    : reader->game->move_count == reader->limit
                        ? status_error("it is unclear in which language '%.20s' names a piece", word.data)
                        : take_move(&reader->pos, reader->alphabet, &signs, &move);
    if (!status_is_ok(&status)) {
        const Status reason = explain_fault(reader, word, &status);
        status = reader->is_alphabet_known ? status_ok() : choose_alphabet(reader);
        if (!status_is_ok(&status)) return status;
        if (reader->alphabet == alphabet)
            return refuse_word(reader, from, reason.reason, pgn_word_has_square(word), over);
        begin_again(reader);
        return status;
    }
    status = game_add_move(reader->game, move, NULL);
    if (!status_is_ok(&status)) return status;
    position_make_move(&reader->pos, move, &undo);
    return keep_signs(reader, signs);
}

/* What stands in other brackets than PGN has, [%clk 0:01:00], is a comment up to its end on the same line.
 * Without that, or with moves in them, the brackets are strays. */
static Status keep_bracket(PgnReader *reader) {
    TextView text = reader->at.rest;
    const char end = text.data[0] == '[' ? ']' : '>';
    size_t length = 1;
    while (length < text.length && length < BRACKET_MAX && text.data[length] != '\n' &&
           text.data[length - 1] != end)
        length++;
    text.length = length;
    const bool is_comment =
        text.data[length - 1] == end && (text_starts_with(text, "[%") || !pgn_word_has_square(text));
    if (!is_comment) text.length = 1;
    for (size_t i = 0; i < text.length; i++) pgn_scan_take(&reader->at);
    return is_comment ? game_add_comment(reader->game, reader->game->move_count, text) : status_ok();
}

/* A clock or a score outside a comment: "0:05", "+0.3/12". */
static bool is_clock_or_score(TextView word) {
    bool has_digit = false, has_sign = false;
    if (skip_move_number(word).length == 0 || text_starts_with(word, "0-0")) return false;
    for (size_t i = 0; i < word.length; i++) {
        has_digit |= char_is_digit(word.data[i]);
        has_sign |= strchr(".:/+%", word.data[i]) != NULL;
        if (!char_is_digit(word.data[i]) && strchr(".:/+-%#", word.data[i]) == NULL) return false;
    }
    return has_digit && has_sign;
}

/* An N alone says that the move is new, unless it may be a move that was torn: "N f3". */
static bool is_novelty(const PgnScan *at, TextView word) {
    char room[PGN_WORD_CAPACITY];
    PgnScan next = *at;
    if (!text_equals(word, "N")) return false;
    pgn_scan_skip_blanks(&next);
    if (pgn_scan_at_end(&next)) return false;
    if (pgn_scan_at_note(&next)) return true;
    const TextView after = pgn_scan_word(&next, room);
    return skip_move_number(after).length < after.length;
}

static Status read_word(PgnReader *reader, bool *over) {
    char room[PGN_WORD_CAPACITY];
    GameResult result;
    const PgnScan from = reader->at;
    if (pgn_scan_peek(&from) == '[' || pgn_scan_peek(&from) == '<') return keep_bracket(reader);
    TextView word = pgn_scan_word(&reader->at, room);
    if (word.length > 0 && strchr(")}]>\"", word.data[0]) != NULL) return status_ok(); /* a stray sign */
    *over = game_result_parse(word, &result);
    if (*over) {
        end_by(reader, from.line, result);
        return status_ok();
    }
    if (is_null_move(word)) return read_move(reader, &from, word, over);
    if (is_clock_or_score(word)) return game_add_comment(reader->game, reader->game->move_count, word);
    word = skip_move_number(word);
    return plain_is_sign(word) || is_novelty(&reader->at, word) ? keep_signs(reader, word)
                                                                : read_move(reader, &from, word, over);
}

/* Whether a word that follows a result begins another game: it is number 1, or comes after an empty line and
 * is no number. */
static bool begins_game(const PgnScan *at, bool empty_line) {
    char room[PGN_WORD_CAPACITY];
    PgnScan next = *at;
    GameResult result;
    const TextView word = pgn_scan_word(&next, room);
    if (game_result_parse(word, &result)) return false;
    const TextView move = skip_move_number(word);
    if (move.length == word.length) return empty_line;
    return word.data[0] == '1' && !(word.length > 1 && char_is_digit(word.data[1]));
}

/* Notes after the result. After an empty line they may be the next game's: they are this one's if nothing
 * else follows. */
static Status read_notes_after_result(PgnReader *reader, bool *empty_line) {
    Game *game = reader->game;
    Status status = status_ok();
    *empty_line = pgn_scan_skip_blanks(&reader->at);
    while (pgn_scan_at_note(&reader->at) && !*empty_line && status_is_ok(&status)) {
        status = keep_note(reader, AFTER_RESULT);
        *empty_line = pgn_scan_skip_blanks(&reader->at);
    }
    if (!status_is_ok(&status)) return status;
    const PgnScan gap = reader->at;
    const int note_count = game->note_count;
    const size_t length = game->text.length;
    while (pgn_scan_at_note(&reader->at) && status_is_ok(&status)) {
        status = keep_note(reader, AFTER_RESULT);
        pgn_scan_skip_blanks(&reader->at);
    }
    if (status_is_ok(&status) && pgn_scan_at_end(&reader->at)) return status;
    reader->at = gap;
    game->note_count = note_count;
    game->text.length = length;
    return status;
}

/* After a result there may be notes, the same result again, and words that belong to no game. */
static Status read_after_result(PgnReader *reader) {
    char room[PGN_WORD_CAPACITY];
    bool empty_line;
    Status status = read_notes_after_result(reader, &empty_line);
    while (status_is_ok(&status) && !pgn_scan_at_end_of_moves(&reader->at) &&
           !pgn_scan_at_note(&reader->at) && !begins_game(&reader->at, empty_line)) {
        const PgnScan from = reader->at;
        GameResult result;
        const TextView word = pgn_scan_word(&reader->at, room);
        if (!game_result_parse(word, &result) && !plain_is_sign(word)) {
            bool over;
            problems_add(reader->problems, PROBLEM_LOSS,
                         "line %d: '%s' and what follows it after the result is not read", from.line, room);
            status = keep_rest(reader, &from, AFTER_RESULT, &over);
        }
        if (status_is_ok(&status)) status = read_notes_after_result(reader, &empty_line);
    }
    return status;
}

/* Whether another game begins here without a tag, and without a result of this one: with White's number 1,
 * after an empty line or where White is not to move or the move is not legal. */
static bool at_another_game(const PgnReader *reader, bool empty_line) {
    char room[PGN_WORD_CAPACITY];
    PgnScan next = reader->at;
    if (reader->pos.fullmove == reader->game->start.fullmove || !pgn_scan_at_first_number(&next))
        return false;
    TextView word = skip_move_number(pgn_scan_word(&next, room));
    if (word.length == 0) word = pgn_scan_next_word(&next, room);
    Move move;
    const Status status = take_move(&reader->pos, reader->alphabet, &word, &move);
    if (status_is_ok(&status) && !empty_line && reader->pos.side == WHITE) return false;
    problems_add(reader->problems, PROBLEM_WARNING,
                 "line %d: another game begins here; the one before has no result", reader->at.line);
    return true;
}

/* Moves until the result, the next game or the end. */
static Status read_moves(PgnReader *reader) {
    Status status = status_ok();
    bool over = false;
    reader->moves = reader->at;
    reader->head_notes = reader->game->note_count;
    reader->head_text = reader->game->text.length;
    while (!over && status_is_ok(&status)) {
        const bool empty_line = pgn_scan_skip_blanks(&reader->at);
        if (pgn_scan_at_end_of_moves(&reader->at) || at_another_game(reader, empty_line)) return status;
        status = pgn_scan_at_note(&reader->at) ? keep_note(reader, reader->game->move_count)
                                               : read_word(reader, &over);
    }
    return status_is_ok(&status) ? read_after_result(reader) : status;
}

/* `*is_game`: it was one that can be read. */
static Status read_game(PgnReader *reader, bool *is_game) {
    bool moves_follow;
    Game *game = reader->game;
    game_release(game);
    reader->is_text = reader->is_alphabet_known = false;
    reader->alphabet = ALPHABET_ENGLISH;
    reader->limit = INT_MAX;
    reader->other_tags = 0;
    Status status = read_tags(reader, &moves_follow);
    if (!status_is_ok(&status)) return status;
    (void)game_result_parse(text_view(game_tag(game, "Result")),
                            &game->result); /* the moves may end it otherwise */
    *is_game = set_up_start(reader);
    if (moves_follow && *is_game) status = read_moves(reader);
    if (moves_follow && !*is_game) {
        const PgnScan from = reader->at;
        status = keep_rest(reader, &from, 0, &moves_follow);
    }
    *is_game = *is_game && !reader->is_text;
    return status;
}

Status pgn_read_game(TextView *rest, int *line, Game *game, bool *found, Problems *problems) {
    PgnReader reader = {.at = pgn_scan_begin(*rest, *line), .game = game, .problems = problems};
    Status status = status_ok();
    *found = false;
    while (!*found && status_is_ok(&status)) {
        pgn_scan_skip_blanks(&reader.at);
        if (pgn_scan_at_end(&reader.at)) break;
        status = read_game(&reader, found);
    }
    if (!*found) game_release(game);
    *rest = reader.at.rest;
    *line = reader.at.line;
    return status;
}

Status pgn_read_variation(const Position *start, TextView text, Game *game, Problems *problems) {
    PgnReader reader = {
        .at = pgn_scan_begin(text, 1), .game = game, .problems = problems, .pos = *start, .limit = INT_MAX};
    game_release(game);
    game->start = *start;
    return read_moves(&reader);
}
