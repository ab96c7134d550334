#include "lab/rate/anchors.h"

#include "base/nearest.h"

#include <string.h>

Status anchors_take(void *member, const char *word) {
    Anchors *anchors = member;
    if (word == NULL) return status_ok();
    if (anchors->count == ANCHORS_MAX) return status_error("at most %d anchors", ANCHORS_MAX);
    anchors->text[anchors->count++] = word;
    return status_ok();
}

static Status refuse(TextView name, const RatingPlayer *players, int count) {
    Nearest nearest = nearest_to(name);
    for (int i = 0; i < count; i++) nearest_consider(&nearest, players[i].name);
    const bool has_one = nearest.name != NULL;
    return status_error("--anchor: no player is called '%.*s'%s%.80s%s",
                        (int)(name.length < 80 ? name.length : 80), name.data,
                        has_one ? "; did you mean '" : "", has_one ? nearest.name : "", has_one ? "'?" : "");
}

static Status fix(const char *text, RatingPlayer *players, int count) {
    const char *sign = strrchr(text, '=');
    double elo = 0;
    if (sign == NULL || !text_parse_double(text_view(sign + 1), &elo))
        return status_error("--anchor: '%.80s' is not NAME=ELO", text);
    const TextView name = {text, (size_t)(sign - text)};
    for (int i = 0; i < count; i++) {
        if (!text_equals(name, players[i].name)) continue;
        players[i].is_fixed = true;
        players[i].rating = elo;
        return status_ok();
    }
    return refuse(name, players, count);
}

Status anchors_fix(const Anchors *anchors, RatingPlayer *players, int count) {
    Status status = status_ok();
    for (int i = 0; i < anchors->count && status_is_ok(&status); i++)
        status = fix(anchors->text[i], players, count);
    return status;
}
