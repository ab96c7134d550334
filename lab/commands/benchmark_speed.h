/* luft-lab benchmark speed: how fast an engine is, next to an earlier one, as Markdown made for pasting into
 * a pull request. argv[0] is the report's name. Returns the exit status of its command. */
#ifndef LUFT_COMMANDS_BENCHMARK_SPEED_H
#define LUFT_COMMANDS_BENCHMARK_SPEED_H

int benchmark_speed(int argc, char **argv);

#endif
