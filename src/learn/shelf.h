/* The lessons inside this program. A page has none: it hands over their texts. */
#ifndef LUFT_LEARN_SHELF_H
#define LUFT_LEARN_SHELF_H

#include "base/text.h"

/* Name and text of lesson `index`, from 0; false after the last. */
bool shelf_lesson(int index, const char **name, TextView *text);

#endif
