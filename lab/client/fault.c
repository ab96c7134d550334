#include "lab/client/fault.h"

const char *fault_name(Fault fault) {
    switch (fault) {
    case FAULT_NONE: return "none";
    case FAULT_CRASH: return "crash";
    case FAULT_DISCONNECT: return "disconnect";
    case FAULT_STALL: return "stall";
    case FAULT_TIME: return "time loss";
    case FAULT_TIME_MACHINE: return "time loss (machine)";
    case FAULT_ILLEGAL_MOVE: return "illegal move";
    case FAULT_FLOOD: return "flood";
    case FAULT_ILLEGAL_PV: return "illegal PV";
    case FAULT_LONG_PV: return "PV past the end";
    case FAULT_CANCELLED: return "cancelled";
    case FAULT_MEMORY: return "no memory";
    case FAULT_COUNT: break;
    }
    return "unknown";
}

bool fault_needs_restart(Fault fault) {
    return fault == FAULT_CRASH || fault == FAULT_DISCONNECT || fault == FAULT_STALL ||
           fault == FAULT_FLOOD || fault == FAULT_CANCELLED;
}
