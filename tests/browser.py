"""Opens a page in a headless browser and returns what it posts to /result. Standard library only."""

import functools
import http.server
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def find():
    """The path of a browser, or None."""
    return next((path for path in map(shutil.which, BROWSERS) if path), None)


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript",
                      ".wasm": "application/wasm"}

    def do_POST(self):
        self.server.result = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.send_response(204)
        self.end_headers()
        self.server.arrived.set()

    def log_message(self, *arguments):
        pass


def result_of(folder, page, timeout):
    """Serves `folder`, opens `page` (with its parameters) and waits; "" if nothing is posted in time."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    server.result, server.arrived = "", threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [find(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}",
                   f"http://127.0.0.1:{server.server_port}/{page}"]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True, env=dict(os.environ, HOME=profile))
        try:
            server.arrived.wait(timeout)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            server.shutdown()
            server.server_close()
    return server.result


def gather(target, *files):
    """Copies files to a new folder, to be served."""
    target.mkdir(parents=True)
    for path in files:
        shutil.copy(path, target / pathlib.Path(path).name)
    return target
