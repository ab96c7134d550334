/* How a game becomes a few bytes a move: each score is its difference from the one before, each move is one
 * of the legal ones. Both are range coded with chances that are learned within a block. */
#ifndef LUFT_DATA_CODEC_H
#define LUFT_DATA_CODEC_H
#include "lab/data/rangecoder.h"
#include "lab/data/recorded.h"

/* The learned chances. Each block of games starts from the initial ones. */
typedef struct RecordCodec RecordCodec;

RecordCodec *codec_create(void); /* for games without tags; NULL when there is no memory */
void codec_destroy(RecordCodec *codec);
/* What is special about the games of a block. */
enum {
    CODEC_DESCRIBED = 1, /* they have tags and a last score */
    CODEC_COARSE = 2,    /* scores of RECORD_SCALE_COARSE */
    CODEC_OLD = 4,       /* moves and results as older versions coded them */
    CODEC_SEEDED = 8,    /* what the seed gave them is left out, see seeded.h */
    CODEC_KEEN = 16      /* chances also depend on what a move attacks, and on the score itself */
};

/* Goes back to the initial chances. The seed is that of the run that played the games. */
void codec_reset(RecordCodec *codec, unsigned kind, uint64_t seed);

/* Encodes the game; its moves must be legal. Afterwards it is as a reader will see it (scores rounded). */
void codec_encode(RecordCodec *codec, RangeCoder *coder, RecordedGame *game);

/* Decodes a game, whatever the bytes are: every move of the result is legal. Fails with the reason when they
 * cannot come from the encoder. */
Status codec_decode(RecordCodec *codec, RangeCoder *coder, RecordedGame *game);

#endif
