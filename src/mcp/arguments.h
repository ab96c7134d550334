/* The arguments of a tool: rows of settings (base/field.h), which make its schema and read what a client
 * sends. Pure. */
#ifndef LUFT_MCP_ARGUMENTS_H
#define LUFT_MCP_ARGUMENTS_H

#include "base/field.h"
#include "engine/document.h"

/* Writes the JSON Schema of an object with these members. */
void arguments_write_schema(Document *document, const char *name, const Field *fields);

/* Sets the standard values, then those of an object that json_check has passed (NULL: there is none). The
 * texts are copied into `texts`, which has room for text_view(object).length + 1 bytes and must outlive them.
 * Refuses unknown names, values outside their range, and an object without what is required. */
Status arguments_read(const Field *fields, void *base, const char *object, char *texts);

#endif
