"""How long the tests wait. None may fail because the machine is slow or busy: where nothing is measured, only a hang is too long."""

import os

HANG = 1800  # seconds; on an idle machine no program under test takes a tenth of it


def within(seconds):
    """How long an answer may take: `seconds` where LUFT_LATENCY says that the machine is idle (make check-speed)."""
    return seconds if os.environ.get("LUFT_LATENCY") else HANG
