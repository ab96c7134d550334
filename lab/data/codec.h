/* How a game becomes a few bytes a move: each move is its place in a list of the legal moves, best guess
 * first; each score is its difference from the one before. Both are range coded with chances that adapt
 * within a block. */
#ifndef LUFT_DATA_CODEC_H
#define LUFT_DATA_CODEC_H
#include "lab/data/rangecoder.h"
#include "lab/data/recorded.h"

/* The learned chances. Each block of games starts from the initial ones. */
typedef struct RecordCodec RecordCodec;

RecordCodec *codec_create(void); /* for games without tags; NULL when there is no memory */
void codec_destroy(RecordCodec *codec);
/* Goes back to the initial chances. `described`: the games of the block have tags and a last score. */
void codec_reset(RecordCodec *codec, bool described);

/* Encodes the game; its moves must be legal. Afterwards it is as a reader will see it (scores rounded). */
void codec_encode(RecordCodec *codec, RangeCoder *coder, RecordedGame *game);

/* Decodes a game, whatever the bytes are: every move of the result is legal. Fails with the reason when they
 * cannot come from the encoder. */
Status codec_decode(RecordCodec *codec, RangeCoder *coder, RecordedGame *game);

#endif
