/* Every language has every row, with the placeholders of the English one. */
#include "record/language.h"

#include "engine/lines.h"
#include "engine/verdict.h"
#include "explain/explanation.h"
#include "test_support.h"

#include <string.h>

/* Whether `other` has each placeholder of `text`, regardless of form and choice of words. */
static bool has_same(const char *text, const char *other) {
    for (const char *at = strchr(text, '{'); at != NULL; at = strchr(at + 1, '{')) {
        const size_t length = strcspn(at + 1, ".:}");
        bool found = false;
        for (const char *in = strchr(other, '{'); in != NULL && !found; in = strchr(in + 1, '{'))
            found = strcspn(in + 1, ".:}") == length && strncasecmp(in + 1, at + 1, length) == 0;
        if (!found) return false;
    }
    return true;
}

static void assert_complete(const char *what, const char *const *rows, const char *const *english,
                            int count) {
    for (int i = 0; i < count; i++) {
        if (english[i] == NULL) continue;
        if (rows[i] == NULL) fail_msg("%s: '%s' is missing", what, english[i]);
        if (!has_same(english[i], rows[i]) || !has_same(rows[i], english[i]))
            fail_msg("%s: '%s' has other placeholders than '%s'", what, rows[i], english[i]);
    }
}

static void list_untranslated(const char *const *rows, const char *const *english, int count,
                              TextBuffer *missing) {
    for (int i = 0; i < count; i++)
        if (english[i] != NULL && strcmp(rows[i], english[i]) == 0)
            buffer_append_format(missing, "\n  %s", english[i]);
}

/* Where a translation has no words of a technique, the English ones stand. */
static void every_technique_is_translated(void **state) {
    (void)state;
    const Language *english = language_row(0), *language;
    for (int i = 1; (language = language_row(i)) != NULL; i++) {
        TextBuffer missing = {0};
        list_untranslated(language->summaries, english->summaries, TECHNIQUE_COUNT, &missing);
        list_untranslated(language->sentences, english->sentences, ACT_COUNT, &missing);
        list_untranslated(language->parts, english->parts, OPERAND_COUNT, &missing);
        if (missing.length > 0) fail_msg("%s has no words for:%s", language->code, buffer_string(&missing));
        buffer_release(&missing);
    }
}

static void every_language_is_complete(void **state) {
    (void)state;
    const Language *english = language_row(0), *language;
    int count = 0;
    for (; (language = language_row(count)) != NULL; count++) {
        assert_complete(language->code, language->words, english->words, WORDS_COUNT);
        assert_complete(language->code, language->sentences, english->sentences, ACT_COUNT);
        assert_complete(language->code, language->parts, english->parts, OPERAND_COUNT);
        assert_complete(language->code, language->summaries, english->summaries, TECHNIQUE_COUNT);
        assert_complete(language->code, language->pieces[0], english->pieces[0],
                        PIECE_TYPE_COUNT * FORM_COUNT);
        assert_int_equal(strlen(language->words[WORDS_piece_letters]), PIECE_TYPE_COUNT);
        assert_non_null(strstr(LANGUAGE_CODES, language->code));
    }
    assert_int_equal(count, 2);
}

/* Of verdicts, reasons, causes, motifs, pieces and how games end. */
static void every_name_is_translated(void **state) {
    (void)state;
    static const char *const OTHERS[] = {"phase",   "cause",      "motif",  "piece",
                                         "opening", "middlegame", "endgame"};
    TextBuffer unused = {0};
    const Document english = {.out = &unused, .language = language_row(0)},
                   german = {.out = &unused, .language = language_row(1)};
    const char *names[128];
    int count = 0;
    for (VerdictKind kind = VERDICT_INACCURACY; kind < VERDICT_KINDS; kind++)
        names[count++] = verdict_name(kind);
    for (Reason reason = 0; reason <= REASON_BEST; reason++) names[count++] = reason_name(reason);
    for (CauseKind cause = 0; cause <= CAUSE_BLOCKED_FLIGHT; cause++) names[count++] = cause_name(cause);
    for (MotifKind motif = 0; motif < MOTIF_KINDS; motif++) names[count++] = motif_name(motif);
    for (PieceType type = PAWN; type <= KING; type++) names[count++] = piece_type_name(type);
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) names[count++] = OTHERS[i];
    static const char *const ENDS[] = {"4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1", "4K3/4q3/4k3/8/8/8/8/8 w - - 0 1",
                                       "k7/2Q5/2K5/8/8/8/8/8 b - - 0 1", "4k3/8/8/8/8/8/8/4KR2 w - - 100 90",
                                       "4k3/8/8/8/8/8/8/4K3 w - - 0 1"};
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++) {
        const Position pos = test_position(ENDS[i]);
        names[count++] = lines_game_end(&pos);
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(language_name(&german, names[i]), names[i]) == 0)
            fail_msg("'%s' is not translated", names[i]);
    }
    assert_string_equal(language_name(&english, "fork"), "fork");
    assert_string_equal(language_name(&english, "harms"), "worse than to pass");
}

static void a_language_has_a_code(void **state) {
    (void)state;
    const Language *language;
    assert_ok(language_find(NULL, &language));
    assert_string_equal(language->code, "en");
    assert_ok(language_find("de", &language));
    assert_string_equal(language->code, "de");
    const Status status = language_find("xx", &language);
    assert_string_equal(status.reason, "there is no language 'xx', only en de");
}

static const char *fill(const void *context, TextView name, TextView form, int64_t *number) {
    Document *const *document = context;
    *number = 2;
    if (text_equals(name, "count")) return "2";
    return text_equals(name, "prey") ? language_piece(*document, KNIGHT, E5, form) : NULL;
}

static void assert_filled(int row, const char *sentence, const char *expected) {
    TextBuffer unused = {0};
    Document *document = &(Document){.out = &unused, .language = language_row(row)};
    assert_string_equal(language_fill(document, sentence, fill, &document), expected);
}

static void placeholders_are_filled_in(void **state) {
    (void)state;
    assert_filled(0, "{Prey} and {count} {count:pawn|pawns}", "The knight on e5 and 2 pawns");
    assert_filled(1, "{prey.object}, {prey.dative}, {prey.genitive}",
                  "den Springer auf e5, dem Springer auf e5, des Springers auf e5");
    assert_filled(0, "{nothing}", "?");
}

static void moves_have_the_letters_of_the_language(void **state) {
    (void)state;
    const Position pos = test_position("2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17");
    const Move line[] = {move_make(D2, D4), move_make(E5, F3)};
    TextBuffer unused = {0};
    Document document = {.out = &unused, .language = language_row(1)};
    assert_string_equal(language_line(&document, &pos, line, 2, SIZE_MAX), "17. Dd4 Sf3+");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_language_is_complete),
        cmocka_unit_test(every_technique_is_translated),
        cmocka_unit_test(every_name_is_translated),
        cmocka_unit_test(a_language_has_a_code),
        cmocka_unit_test(placeholders_are_filled_in),
        cmocka_unit_test(moves_have_the_letters_of_the_language),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
