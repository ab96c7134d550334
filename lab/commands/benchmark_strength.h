/* luft-lab benchmark strength: how strong an engine is against Stockfish held back, as Markdown made for
 * pasting into a pull request. argv[0] is the report's name. Returns the exit status of its command. */
#ifndef LUFT_COMMANDS_BENCHMARK_STRENGTH_H
#define LUFT_COMMANDS_BENCHMARK_STRENGTH_H

int benchmark_strength(int argc, char **argv);

#endif
