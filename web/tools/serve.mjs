// Serves a folder to this machine only, for `make run-web` and the tests. Needs only Node.
//     node tools/serve.mjs FOLDER [--port N] [--prefix /luft/] [--isolated]
// --isolated sends the headers that allow a page shared memory. --prefix serves the folder under a path.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { pipeline } from "node:stream";
import { pathToFileURL } from "node:url";

const TYPES = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
    ".wasm": "application/wasm", ".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8",
};

/** The name of the file that an address asks for; undefined when the address is not valid. */
function nameOf(address, prefix) {
    try {
        const { pathname } = new URL(address, "http://localhost");
        return decodeURIComponent(pathname.startsWith(prefix) ? pathname.slice(prefix.length) : "\0");
    } catch {
        return undefined;
    }
}

/** Starts a server. Port 0 takes any free port. `onserved` is called with each file that is sent. */
export async function serve(folder, { port = 0, prefix = "/", isolated = false, onserved } = {}) {
    const root = path.resolve(folder);
    const server = http.createServer(async (request, response) => {
        const name = nameOf(request.url, prefix);
        if (name === undefined) return response.writeHead(400).end("bad address\n");
        const file = path.join(root, name.endsWith("/") || name === "" ? `${name}index.html` : name);
        const found = file.startsWith(root + path.sep) && !name.includes("\0") ? await stat(file).catch(() => undefined) : undefined;
        if (!found?.isFile()) return response.writeHead(404).end("not found\n");
        onserved?.(file);
        const headers = {
            "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream", "Content-Length": found.size,
            "Cache-Control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
        };
        if (isolated) Object.assign(headers, { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" });
        response.writeHead(200, headers);
        if (request.method === "HEAD") response.end();
        else pipeline(createReadStream(file), response, () => {}); // a file that vanishes ends the answer, not the server
    });
    await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
    return { url: `http://localhost:${server.address().port}${prefix}`, close: () => new Promise(done => { server.close(done); server.closeAllConnections(); }) };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    const words = process.argv.slice(2), option = name => words.includes(name) ? words[words.indexOf(name) + 1] : undefined;
    const { url } = await serve(words[0], { port: Number(option("--port") ?? 8080), prefix: option("--prefix") ?? "/", isolated: words.includes("--isolated") });
    console.log(`Luft is at ${url} (Ctrl+C ends it)`);
}
