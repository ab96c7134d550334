#include "chess/pgn.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

void pgn_game_release(PgnGame *game) {
    memory_release(game->tags);
    memory_release(game->moves);
    memory_release(game->notes);
    buffer_release(&game->text);
    *game = (PgnGame){0};
}

/* --- tags --- */

static PgnTag *find_tag(const PgnGame *game, const char *name) {
    for (int i = 0; i < game->tag_count; i++) {
        if (strcmp(game->tags[i].name, name) == 0) return &game->tags[i];
    }
    return NULL;
}

const char *pgn_tag(const PgnGame *game, const char *name) {
    const PgnTag *tag = find_tag(game, name);
    return tag == NULL ? NULL : tag->value;
}

static bool is_control(char c) { return (unsigned char)c < ' ' || c == 0x7F; }

static bool is_tag_name(TextView name) {
    for (size_t i = 0; i < name.length; i++) {
        if (!pgn_is_tag_name_character(name.data[i])) return false;
    }
    return name.length > 0 && name.length < sizeof((PgnTag *)0)->name;
}

Status pgn_set_tag(PgnGame *game, const char *name, const char *value) {
    if (!is_tag_name(text_view(name))) return status_error("'%.40s' is no name for a PGN tag", name);
    if (strlen(value) >= sizeof((PgnTag *)0)->value)
        return status_error("the value of PGN tag %s is too long", name);
    PgnTag *tag = find_tag(game, name);
    if (tag == NULL) {
        PgnTag *tags = memory_grow(game->tags, (size_t)game->tag_count, sizeof *tags);
        if (tags == NULL) return status_no_memory("a PGN tag");
        game->tags = tags;
        tag = &tags[game->tag_count++];
        text_copy(text_view(name), tag->name, sizeof tag->name);
    }
    const size_t length = text_copy(text_view(value), tag->value, sizeof tag->value);
    for (size_t i = 0; i < length; i++) {
        if (is_control(tag->value[i])) tag->value[i] = ' ';
    }
    return status_ok();
}

/* --- moves --- */

Status pgn_add_move(PgnGame *game, Move move, const char *comment) {
    Move *moves = memory_grow(game->moves, (size_t)game->move_count, sizeof *moves);
    if (moves == NULL) return status_no_memory("the moves of a game");
    game->moves = moves;
    game->moves[game->move_count++] = move;
    return comment == NULL ? status_ok() : pgn_add_comment(game, game->move_count, text_view(comment));
}

/* --- notes --- */

static Status add_note(PgnGame *game, PgnNote note) {
    assert(game->note_count == 0 || game->notes[game->note_count - 1].place <= note.place);
    PgnNote *notes = memory_grow(game->notes, (size_t)game->note_count, sizeof *notes);
    if (notes == NULL) return status_no_memory("the notes of a game");
    game->notes = notes;
    notes[game->note_count++] = note;
    return status_ok();
}

static char without_brace(char c) { return c == '{' ? '(' : c == '}' ? ')' : c; }

void pgn_append_clean(TextBuffer *out, TextView text, bool is_comment) {
    const size_t start = out->length;
    bool gap = false;
    for (size_t i = 0; i < text.length; i++) {
        const char c = text.data[i];
        if (c == ' ' || is_control(c)) {
            gap = true;
            continue;
        }
        if (gap && out->length > start) buffer_append_char(out, ' ');
        buffer_append_char(out, is_comment ? without_brace(c) : c);
        gap = false;
    }
}

/* A note of a text; an empty one is none. */
static Status add_text(PgnGame *game, PgnNote note, TextView text) {
    TextBuffer *out = &game->text;
    note.text = out->length;
    pgn_append_clean(out, text, note.kind == PGN_COMMENT);
    if (out->length > note.text) buffer_append_char(out, '\0');
    if (out->failed) return status_no_memory("the notes of a game");
    return out->length > note.text ? add_note(game, note) : status_ok();
}

Status pgn_add_comment(PgnGame *game, int place, TextView text) {
    return add_text(game, (PgnNote){.kind = PGN_COMMENT, .place = place}, text);
}

Status pgn_add_variation(PgnGame *game, int place, TextView text) {
    return add_text(game, (PgnNote){.kind = PGN_VARIATION, .place = place}, text);
}

Status pgn_add_nag(PgnGame *game, int place, int nag) {
    return add_note(game, (PgnNote){.kind = PGN_NAG, .place = place, .nag = nag});
}

/* The first note that stands at the place or behind it. */
static int find_note(const PgnGame *game, int place) {
    int low = 0, high = game->note_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (game->notes[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const PgnNote *pgn_notes(const PgnGame *game, int place, int *count) {
    const int first = find_note(game, place);
    int last = first;
    while (last < game->note_count && game->notes[last].place == place) last++;
    *count = last - first;
    return *count == 0 ? NULL : game->notes + first;
}

const char *pgn_note_text(const PgnGame *game, const PgnNote *note) {
    return buffer_string(&game->text) + note->text;
}

const char *pgn_comment(const PgnGame *game, int place) {
    int count;
    const PgnNote *notes = pgn_notes(game, place, &count);
    for (int i = 0; i < count; i++)
        if (notes[i].kind == PGN_COMMENT) return pgn_note_text(game, &notes[i]);
    return NULL;
}
