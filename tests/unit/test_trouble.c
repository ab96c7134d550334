/* Pieces in trouble: which, and why, on boards made for it. */
#include "overview/trouble.h"

#include "test_support.h"

static const struct {
    Color side;
    const char *fen, *found; /* "kind square others" of each, in their order */
} BOARDS[] = {
    /* attacked, and nothing guards it; the same with the turn; guarded */
    {BLACK, "6k1/8/8/4n3/8/8/8/4RK2 b - - 0 1", "hanging e5"},
    {BLACK, "6k1/8/8/4n3/8/8/8/4RK2 w - - 0 1", "hanging e5"},
    {WHITE, "6k1/8/8/4n3/8/8/8/4RK2 w - - 0 1", ""},
    {BLACK, "6k1/6p1/5p2/4n3/8/8/8/4RK2 w - - 0 1", ""},
    /* guarded by too little: a pawn attacks the knight */
    {BLACK, "6k1/6p1/5p2/4n3/3P4/8/8/5K2 w - - 0 1", "not guarded enough e5"},
    /* a pinned attacker attacks nothing */
    {BLACK, "4r1k1/8/8/8/4N3/2n5/8/4K3 w - - 0 1", ""},
    /* the bishop has no square that is safe */
    {WHITE, "6k1/8/p7/1p6/2p5/1B6/PPP5/6K1 w - - 0 1", "trapped b3 lost"},
    /* an absolute pin, along which the rook could still move, and one with no square off the line */
    {BLACK, "4k3/4r3/8/8/8/8/8/4QK2 b - - 0 1", "pinned e7 e1"},
    {BLACK, "4k3/3nbn2/8/8/8/8/8/4RK2 b - - 0 1", "pinned e7 e1"},
    /* relative: the queen behind is dearer; with a check the knight could leave */
    {BLACK, "3qk3/8/5n2/6B1/8/8/8/5K2 b - - 0 1", "relative pin f6 g5 d8"},
    /* the rook guards both knights; it does so from either square */
    {BLACK, "6k1/3n4/8/8/n2r4/7B/8/R3K3 w - - 0 1", "overloaded d4 d7 a4"},
    {BLACK, "7k/8/8/8/n2r2n1/8/8/R3K1R1 w - - 0 1", ""},
    /* nobody can pass in check */
    {BLACK, "4k3/8/8/4n3/8/8/8/r3K3 w - - 0 1", ""},
    {WHITE, "4k3/8/8/4n3/8/8/3Q4/r3K3 w - - 0 1", ""},
};

static void append(TextBuffer *text, const Trouble *trouble) {
    char name[4] = "";
    if (text->length > 0) buffer_append_string(text, ", ");
    *square_write(trouble->square, name) = '\0';
    buffer_append_format(text, "%s %s", trouble_name(trouble->kind), name);
    for (int i = 0; i < 2; i++)
        if (trouble->other[i] != NO_SQUARE) {
            *square_write(trouble->other[i], name) = '\0';
            buffer_append_format(text, " %s", name);
        }
    if (trouble->is_lost) buffer_append_string(text, " lost");
}

static void troubles_are_found(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof BOARDS / sizeof BOARDS[0]; i++) {
        const Position pos = test_position(BOARDS[i].fen);
        Trouble found[TROUBLES_MAX];
        TextBuffer text = {0};
        const int count = trouble_find(&pos, BOARDS[i].side, found);
        for (int j = 0; j < count; j++) append(&text, &found[j]);
        if (strcmp(buffer_string(&text), BOARDS[i].found) != 0)
            fail_msg("%s: '%s', not '%s'", BOARDS[i].fen, buffer_string(&text), BOARDS[i].found);
        buffer_release(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(troubles_are_found)};
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
