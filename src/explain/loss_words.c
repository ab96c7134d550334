#include "explain/loss_words.h"

#include "record/language.h"

/* "a rook, two pawns", from the dearest down; "" where there are none. */
static const char *pieces_text(Document *document, const int count[PIECE_TYPE_COUNT]) {
    const char *list = "";
    int left = 0;
    for (int type = PAWN; type < KING; type++) left += count[type] > 0;
    for (int type = QUEEN; type >= PAWN; type--)
        if (count[type] > 0)
            list = language_join(document, list, language_count(document, (PieceType)type, count[type]),
                                 --left == 0);
    return list;
}

static const char *exchanged(Document *document, const char *lost, const char *gained) {
    if (gained[0] == '\0') return lost;
    return language_words(document, WORDS_lost_for,
                          FILL(FILL_TEXT("lost", lost), FILL_TEXT("gained", gained)));
}

const char *loss_words_write_pieces(Document *document, const LineLoss *loss) {
    return exchanged(document, pieces_text(document, loss->lost), pieces_text(document, loss->gained));
}

const char *loss_words_write(Document *document, const LineLoss *loss) {
    enum { QUEEN_GAIN = 8 }; /* points that a promotion to a queen adds */
    const char *const *words = document->language->words;
    LineLoss simple = loss_simplified(*loss);
    const bool is_exchange = loss_is_exchange(&simple), queens = simple.lost_by_promotion >= QUEEN_GAIN;
    if (loss_is_promotion(&simple)) return words[queens ? WORDS_new_queen : WORDS_new_piece];
    if (is_exchange) simple.gained[KNIGHT] = simple.gained[BISHOP] = 0;
    const char *gained = pieces_text(document, simple.gained), *lost = pieces_text(document, simple.lost);
    if (is_exchange) lost = words[gained[0] == '\0' ? WORDS_exchange : WORDS_the_exchange];
    lost = exchanged(document, lost, gained);
    return queens ? language_words(document, WORDS_and_new_queen, FILL(FILL_TEXT("gain", lost))) : lost;
}
