#include "mcp/arguments.h"

#include "base/nearest.h"
#include "mcp/json.h"

#include <string.h>

/* --- the schema --- */

static const char *type_of(const Field *field) {
    switch (field->kind) {
    case FIELD_KIND_TEXT:
    case FIELD_KIND_CHOICE: return "string";
    case FIELD_KIND_FLAG: return "boolean";
    default: return "integer";
    }
}

static void write_standard(Document *document, const Field *field) {
    int64_t number;
    if (field->standard == NULL) return;
    if (field->kind == FIELD_KIND_INT || field->kind == FIELD_KIND_UINT64) {
        if (text_parse_int64(text_view(field->standard), &number)) document_int(document, "default", number);
    } else {
        document_string(document, "default", field->standard);
    }
}

static void write_range(Document *document, const Field *field) {
    TextView rest = text_view(field->placeholder), word;
    if (field->kind == FIELD_KIND_CHOICE) {
        document_list(document, "enum");
        while (!text_is_empty(word = text_next_word(&rest)))
            document_string(document, NULL, document_text(document, "%.*s", (int)word.length, word.data));
        document_list_end(document);
    } else if (field->kind == FIELD_KIND_INT || field->kind == FIELD_KIND_UINT64) {
        document_int(document, "minimum", (int64_t)field->low);
        document_int(document, "maximum", (int64_t)field->high);
    }
}

void arguments_write_schema(Document *document, const char *name, const Field *fields) {
    document_object(document, name);
    document_string(document, "type", "object");
    document_object(document, "properties");
    for (const Field *field = fields; field->kind != FIELD_KIND_END; field++) {
        document_object(document, field->name);
        document_string(document, "type", type_of(field));
        document_string(document, "description", field->help);
        write_range(document, field);
        write_standard(document, field);
        document_object_end(document);
    }
    document_object_end(document);
    document_list(document, "required");
    for (const Field *field = fields; field->kind != FIELD_KIND_END; field++)
        if ((field->flags & FIELD_REQUIRED) != 0) document_string(document, NULL, field->name);
    document_list_end(document);
    document_bool(document, "additionalProperties", false);
    document_object_end(document);
}

/* --- reading --- */

/* The value as a text of C, behind those that are there. */
static const char *copy_text(TextView value, char **texts) {
    TextBuffer text = {0};
    char *copy = *texts;
    if (json_kind(value) == JSON_STRING)
        json_append_text(value, &text);
    else
        buffer_append(&text, value);
    if (text.failed) copy = NULL;
    if (copy != NULL) *texts += text_copy(buffer_view(&text), copy, text.length + 1) + 1;
    buffer_release(&text);
    return copy;
}

static Status read_argument(const Field *fields, void *base, TextView name, TextView value, char **texts) {
    const char *wanted = copy_text(name, texts);
    if (wanted == NULL) return status_no_memory("the arguments");
    Nearest nearest = nearest_to(text_view(wanted));
    const Field *field = fields;
    for (; field->kind != FIELD_KIND_END && strcmp(field->name, wanted) != 0; field++)
        nearest_consider(&nearest, field->name);
    if (field->kind == FIELD_KIND_END)
        return nearest.name == NULL
                   ? status_error("unknown argument '%.40s'", wanted)
                   : status_error("unknown argument '%.40s'; did you mean %s?", wanted, nearest.name);
    if (json_kind(value) == JSON_NULL) return status_ok(); /* as if it were not there */
    const char *text = copy_text(value, texts);
    if (text == NULL) return status_no_memory("the arguments");
    if (field->kind == FIELD_KIND_TEXT && json_kind(value) != JSON_STRING)
        return status_error("%s must be a string, not %.40s", field->name, text);
    return field_set(field, base, text);
}

Status arguments_read(const Field *fields, void *base, const char *object, char *texts) {
    TextView rest = text_view(object), name, value;
    Status status = status_ok();
    fields_reset(fields, base);
    while (object != NULL && status_is_ok(&status) && json_next(&rest, &name, &value))
        status = read_argument(fields, base, name, value, &texts);
    for (const Field *field = fields; field->kind != FIELD_KIND_END && status_is_ok(&status); field++) {
        const char *const *text = (const void *)((const char *)base + field->offset);
        if ((field->flags & FIELD_REQUIRED) != 0 && *text == NULL)
            status = status_error("the argument %s is missing: %s", field->name, field->help);
    }
    return status;
}
