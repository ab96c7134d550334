"""Hostile file names: ones that a shell, gnuplot, a terminal or a table could misread, and names of things that are not files."""

import contextlib
import os
import socket
import stat
import threading
import time

from jobs import jobs_for, make_base, reference
from trial import demand, quote

MINIMUM = 200
NAMES = [b"'", b'"', b"it's", b'a "b" c', b"a\nb", b"a\tb", b"|touch PWNED", b"< touch PWNED; cat", b"; touch PWNED", b"$(touch PWNED)",
         b"`touch PWNED`", b"-", b"--", b"-rf", b"--help", b"-n", b"a=b", b"%s%n%d", b"a b", b" a", b"a ", b"\xff\xfe", b"\xc3\x28",
         "♞é".encode(), "名前".encode(), b"a" * 200, b"a" * 255, b"a" * 256, b"./" * 500 + b"x", b"d/" * 2500 + b"x", b"...", b"..",
         b".", b"", b"~", b"*", b"?", b"#x", b"a#b", b"a;b", b"a,b", b"a:b", b"\\", b"a\\b", b"\x1b[31mred", b"\x07",
         b"nul\x01", b"1", b"0", b"none", b"<b>x</b>", b"x'; system('touch PWNED'); '", b'x"; system("touch PWNED"); "',
         b"nowhere/x", b"@fifo", b"@folder", b"@locked", b"@dangling", b"@loop", b"@socket", b"@null", b"@full"]
# No name leads out of the trial's folder: run as root, a defect could overwrite other files, such as /dev/null.


def kinds(world):
    found = {}
    for job in jobs_for(world.programs):
        for name in file_words(job):
            found[f"{job.name}-{name}"] = lambda trial, job=job, name=name: rename(trial, job, name)
    found["plot"] = plot
    return found


def file_words(job):
    """The names of files and folders in the words of a job."""
    return sorted({part for word in job.arguments for part in [word.removeprefix("file=")]
                   if "." in part and part[-1].isalpha() and " " not in part and "{" not in part or
                   part in ("plan", "climb", "fens", "tuned", "ablated", "gold")} - {"random:8:1"})


def rename(trial, job, name):
    """Runs the job with a hostile name for one of its files. It works or fails with a reason, and never runs a command."""
    reference(trial.world, job)
    trial.take(make_base(trial.world), *job.inputs)
    hostile = trial.random.choice(NAMES)
    content = trial.read(name) if trial.path(name).is_file() else None
    hostile = place(trial, hostile, content)
    words = [hostile if word == name else word.replace(f"file={name}", "file=") .encode() + hostile if word == f"file={name}"
             else word.encode() for word in job.command(trial.programs)]
    before = {path: path.read_bytes() for path in trial.folder.iterdir() if path.is_file()}
    result = trial.run(words)
    demand(not trial.path("PWNED").exists(), f"a command was run by the name {hostile!r}")
    demand(b"\x1b" not in result.err and b"\x07" not in result.err, f"control characters reach the terminal: {quote(result.err)}")
    kept = [path for path, data in before.items() if path.name in job.inputs and path.name not in job.saves
            and (not path.exists() or path.read_bytes() != data)]
    demand(not kept, f"{kept} changed")


def place(trial, name, content):
    """Creates what the name describes; returns the real name."""
    folder = trial.folder
    path = os.path.join(os.fsencode(folder), b"x")
    if name == b"@fifo":
        os.mkfifo(path)
        threading.Thread(target=feed, args=[path, content], daemon=True).start()
        return b"x"
    if name == b"@folder":
        os.mkdir(path)
        return b"x"
    if name == b"@locked":
        os.mkdir(path, 0)
        return b"x/y"
    if name in (b"@null", b"@full"):
        return device(path, 3 if name == b"@null" else 7)
    if name == b"@dangling":
        os.symlink("nothing/here", path)
        return b"x"
    if name == b"@loop":
        os.symlink("x", path)
        return b"x"
    if name == b"@socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path)
        return b"x"
    target = os.path.join(os.fsencode(folder), name)
    if content is not None and not name.startswith(b"/") and not os.path.exists(target) and len(name) < 256:
        try:
            with open(target, "wb") as file:
                file.write(content)
        except OSError:
            pass   # the system refuses the name
    return name


def device(path, minor):
    """A new device file if run as root; for other users the system's, which they cannot replace."""
    if os.geteuid() != 0:
        return b"/dev/null" if minor == 3 else b"/dev/full"
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        with open(path, "r+b", buffering=0):
            return b"x"
    except OSError:
        return b"nowhere/device"   # a file system without devices


def feed(path, content):
    """Serves a pipe: every reader gets the content and its end; without content, reads what is written."""
    while os.path.exists(path):
        with contextlib.suppress(OSError):
            if content is None:
                with open(path, "rb", buffering=0) as pipe:
                    while pipe.read(65536):
                        pass
            else:
                with open(path, "wb", buffering=0) as pipe:
                    pipe.write(content)
                wait_for_end(path)


def wait_for_end(path):
    """Waits until nobody reads the pipe. Opening it earlier would send the content to the same reader again."""
    while True:
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:   # no reader, or no pipe
            return
        time.sleep(0.01)


def plot(trial):
    """gnuplot must treat hostile names as names only."""
    trial.take(make_base(trial.world), "a.games")
    out, log, drawn = (trial.random.choice([name for name in NAMES if b"/" not in name and name[:1] not in (b"", b"@", b"-")])
                       for _ in range(3))
    words = ["train", "--width", "8", "--epochs", "1", "--share", "1", "--quiet", "--threads", "1"]
    trial.run([trial.programs.lab, *words, b"--out=" + out, b"--log=" + log, b"--plot=" + drawn + b".svg", "a.games"])
    demand(not trial.path("PWNED").exists(), f"a command was run by one of {(out, log, drawn)}")
