/* The two reports of luft-lab benchmark, Markdown made for pasting into a pull request. argv[0] is the
 * report's name. Each returns what its command shall return. */
#ifndef LUFT_MATCH_BENCHMARK_H
#define LUFT_MATCH_BENCHMARK_H

int benchmark_speed(int argc, char **argv);
int benchmark_strength(int argc, char **argv);

#endif
