/* What a program asks of the system. */
#ifndef LUFT_BASE_SYSTEM_H
#define LUFT_BASE_SYSTEM_H

/* Windows: arguments and console in UTF-8, and line feeds that stay line feeds. Elsewhere nothing. To be
 * called once, first in `main`; the arguments then live as long as the program. */
void system_prepare(int *argc, char ***argv);

/* How many processors this process may use, at least 1. */
int system_processors(void);

#endif
