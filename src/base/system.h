/* What a program asks of the system before all else. */
#ifndef LUFT_BASE_SYSTEM_H
#define LUFT_BASE_SYSTEM_H

/* Windows: arguments and console in UTF-8, and line feeds that stay line feeds. Elsewhere nothing. To be
 * called once, first in `main`; the arguments then live as long as the program. */
void system_prepare(int *argc, char ***argv);

#endif
