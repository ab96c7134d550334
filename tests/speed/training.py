#!/usr/bin/env python3
"""Compares training with one thread and with two, on the machine as it is and next to busy processes.

    training.py [--rounds 5] [--busy 2] [--epochs 12] [--width 128] [--other OTHER/luft-lab] [LAB]     (default: ./luft-lab)

Makes games once. Then all trainings run by turns, so that a change of the machine's load meets all of them. Prints the median of
the seconds and the ratio of the medians to that of the first row. All networks of one program must be the same, byte for byte.
"""

import argparse
import itertools
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

BUSY = [sys.executable, "-c", "while True: pass"]


def run(*arguments):
    result = subprocess.run(list(map(str, arguments)), capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}\n{result.stdout}{result.stderr}")


def train(lab, threads, busy, options, folder):
    """Seconds, and the network."""
    out = folder / "net.nnue"
    others = [subprocess.Popen(BUSY) for _ in range(busy)]
    try:
        start = time.monotonic()
        run(lab, "train", "--out", out, "--threads", threads, "--epochs", options.epochs, "--width", options.width, "--quiet",
            folder / "games")
        seconds = time.monotonic() - start
    finally:
        for other in others:
            other.kill()
            other.wait()
    network = out.read_bytes()
    for path in folder.glob("net.nnue*"):
        path.unlink()
    return seconds, network


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lab", nargs="?", default="./luft-lab")
    parser.add_argument("--other")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--busy", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--width", type=int, default=128)
    options = parser.parse_args()
    labs = [lab for lab in (options.lab, options.other) if lab]
    rows = list(itertools.product(labs, (0, options.busy), (1, 2)))
    times, networks = {row: [] for row in rows}, {lab: set() for lab in labs}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(options.lab, "datagen", "--net", "random:32:1", "--nodes", 100, "--first-generation", "--plies", "300k", "--quiet",
            "--out", folder / "games")
        for _ in range(options.rounds):
            for row in rows:
                lab, busy, threads = row
                seconds, network = train(lab, threads, busy, options, folder)
                times[row].append(seconds)
                networks[lab].add(network)
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the end; median of {options.rounds} in seconds, least, ratio")
    first = statistics.median(times[rows[0]])
    for row in rows:
        lab, busy, threads = row
        median = statistics.median(times[row])
        print(f"{lab}  {busy} busy  --threads {threads}  {median:6.2f}  {min(times[row]):6.2f}  {median / first:5.2f}")
    for lab in labs:
        print(f"{lab}: {'one network' if len(networks[lab]) == 1 else 'NETWORKS DIFFER'}")


if __name__ == "__main__":
    main()
