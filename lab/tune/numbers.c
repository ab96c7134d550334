#include "lab/tune/numbers.h"

#include "search/params.h"

#include <string.h>

static const ParamRow *find_row(const char *name) {
    int count;
    const ParamRow *rows = params_rows(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

/* Without a clock there is no time to manage. */
static bool is_idle(const EngineConfig *config, const char *name) {
    return config->limits.nodes > 0 && strncmp(name, "time_", 5) == 0;
}

static void add(TuneNumbers *numbers, const char *name, UciSpin spin) {
    const ParamRow *row = find_row(name);
    SpsaParam *param = &numbers->param[numbers->count++];
    *param = (SpsaParam){.start = spin.initial, .low = spin.low, .high = spin.high};
    text_copy(text_view(name), param->name, sizeof param->name);
    param->step = row != NULL ? row->step : ((double)spin.high - spin.low) / 20;
}

static Status add_named(const UciClient *client, const EngineConfig *config, const char *name,
                        TuneNumbers *numbers) {
    UciSpin spin;
    if (strlen(name) >= SPSA_NAME_CAPACITY || !uci_client_spin(client, name, &spin))
        return status_error("%.80s has no number '%.40s': was it built with make LAB=1 EXE=%.80s? src/search/"
                            "params.def lists the names",
                            config->command, name, config->command);
    for (int i = 0; i < numbers->count; i++)
        if (strcmp(numbers->param[i].name, name) == 0) return status_error("'%s' is named twice", name);
    if (engine_config_option(config, name) != NULL)
        return status_error("'%s' is set by an option: it cannot be tuned as well", name);
    if (is_idle(config, name))
        return status_error("'%s' does nothing in fixed nodes: play on the clock, --tc 5+0.05", name);
    add(numbers, name, spin);
    return status_ok();
}

static Status add_all(const UciClient *client, const EngineConfig *config, TuneNumbers *numbers) {
    int count;
    const ParamRow *rows = params_rows(&count);
    for (int i = 0; i < count && numbers->count < SPSA_PARAMS_MAX; i++) {
        UciSpin spin;
        bool fixed = is_idle(config, rows[i].name) || engine_config_option(config, rows[i].name) != NULL;
        if (!fixed && uci_client_spin(client, rows[i].name, &spin)) add(numbers, rows[i].name, spin);
    }
    if (numbers->count > 0) return status_ok();
    return status_error("%s has none of the numbers of params.def: build it with make LAB=1 EXE=%s",
                        config->command, config->command);
}

Status numbers_find(const UciClient *client, const EngineConfig *config, char *const *names, int name_count,
                    TuneNumbers *numbers) {
    if (name_count == 0) return add_all(client, config, numbers);
    Status status = status_ok();
    for (int i = 0; i < name_count && status_is_ok(&status); i++)
        status = add_named(client, config, names[i], numbers);
    return status;
}
