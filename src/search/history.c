#include "search/history.h"

#include <string.h>

void history_clear(Histories *histories) { memset(histories, 0, sizeof *histories); }
