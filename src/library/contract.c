#include "library/contract.h"

#include "base/system.h"

#include <stddef.h>

#define CALL(name, kind) kind,
static const CallKind KINDS[] = {
#include "library/calls.def"
};

static const char CLOSED[] = "the engine is closed";
static const char CHILD[] = "the engine belongs to the process that made it, before a fork";
static const char OWN_CALLBACK[] = "a callback of the engine cannot make this call";
static const char OTHER_CALL[] = "another call is running";
static const char SEARCH[] = "a search is running";

/* clang-format off */
static const char *const ANSWERS[CALL_KINDS][ACTIVITIES] = {
    /*               IDLE    SEARCHING SLICING BUSY        REPORTS       FORKED NOWHERE */
    [QUESTION]   = { NULL,   NULL,     NULL,   OTHER_CALL, NULL,         CHILD, CLOSED },
    [CHANGE]     = { NULL,   SEARCH,   SEARCH, OTHER_CALL, OWN_CALLBACK, CHILD, CLOSED },
    [SLICE]      = { NULL,   SEARCH,   NULL,   OTHER_CALL, OWN_CALLBACK, CHILD, CLOSED },
    [WAIT]       = { NULL,   NULL,     NULL,   OTHER_CALL, OWN_CALLBACK, CHILD, CLOSED },
    [STEER]      = { NULL,   NULL,     NULL,   NULL,       NULL,         CHILD, CLOSED },
    [END]        = { NULL,   NULL,     NULL,   OTHER_CALL, OWN_CALLBACK, CHILD, NULL   },
};
/* clang-format on */

/* Whose callback this thread is in. Without threads a callback is inside another call anyway. */
static _Thread_local const Contract *reporting;

void contract_init(Contract *contract) {
    *contract = (Contract){.process = system_process()};
    mutex_init(&contract->mutex);
}

void contract_destroy(Contract *contract) { mutex_destroy(&contract->mutex); }

CallKind contract_kind(Call call) { return KINDS[call]; }

const char *contract_answer(CallKind kind, Activity activity) { return ANSWERS[kind][activity]; }

static bool awaits(CallKind kind) { return kind == SLICE || kind == WAIT; }

/* What the engine is doing, as a call of this kind sees it: questions and waiting do not mind each other, and
 * a search that goes on refuses a change whoever waits for it. */
static Activity activity_for(const Contract *contract, CallKind kind) {
    if (contract->is_changed || (contract->is_asked && kind == QUESTION)) return BUSY;
    if (kind == QUESTION || (kind == CHANGE && contract->activity != IDLE)) return contract->activity;
    if (reporting == contract) return REPORTS;
    if (contract->is_awaited || (contract->is_asked && !awaits(kind))) return BUSY;
    return contract->activity;
}

/* Whether a call of this kind is in progress; NULL for one that is at any time. */
static bool *progress_of(Contract *contract, CallKind kind) {
    if (kind == STEER) return NULL;
    if (kind == QUESTION) return &contract->is_asked;
    return awaits(kind) ? &contract->is_awaited : &contract->is_changed;
}

const char *contract_enter(Contract *contract, Call call) {
    const CallKind kind = KINDS[call];
    if (contract->process != system_process()) return ANSWERS[kind][FORKED];
    mutex_lock(&contract->mutex);
    const char *refusal = ANSWERS[kind][activity_for(contract, kind)];
    bool *progress = progress_of(contract, kind);
    if (refusal != NULL)
        contract->fault = refusal;
    else if (progress != NULL)
        *progress = true;
    mutex_unlock(&contract->mutex);
    return refusal;
}

const char *contract_leave(Contract *contract, Call call, const char *fault) {
    const CallKind kind = KINDS[call];
    mutex_lock(&contract->mutex);
    bool *progress = progress_of(contract, kind);
    if (progress != NULL) {
        *progress = false;
        contract->fault = fault;
    }
    mutex_unlock(&contract->mutex);
    return fault;
}

const char *contract_fault(Contract *contract) {
    if (contract->process != system_process()) return CHILD;
    mutex_lock(&contract->mutex);
    const char *fault = contract->fault;
    mutex_unlock(&contract->mutex);
    return fault;
}

void contract_search(Contract *contract, Activity activity) {
    mutex_lock(&contract->mutex);
    contract->activity = activity;
    contract->is_changed = false;
    contract->is_awaited = true;
    mutex_unlock(&contract->mutex);
}

void contract_found(Contract *contract) {
    mutex_lock(&contract->mutex);
    contract->activity = IDLE;
    mutex_unlock(&contract->mutex);
}

void contract_report(const Contract *contract) { reporting = THREADS_EXIST ? contract : NULL; }
