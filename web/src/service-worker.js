// Caches one complete version of the page for offline use. A new version is fetched into its own cache and becomes active
// only when the user chooses to update. The page never reloads on its own.

const VERSION = "__VERSION__";
const FILES = __FILES__;
// Other pages of this origin have caches, too; another copy of this page has another scope.
const OWN = `luft ${self.registration.scope} `;
const CACHE = OWN + VERSION;

/** As in bindings/wasm/async.mjs: of the two engine builds, cache only the one that this browser runs. */
const SIMD_PROBE = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);
/** Fetched when it is first used, and kept from then on. */
const onDemand = /\/lessons-[^/]*\.wasm$/;
const other = WebAssembly.validate(SIMD_PROBE) ? /luft-plain[^/]*\.wasm$/ : /luft-(?!plain)[^/]*\.wasm$/;

self.addEventListener("install", event => {
    const wanted = ["./", ...FILES.filter(name => !other.test(name) && !onDemand.test(name))];
    // "reload" bypasses the browser's HTTP cache, which may still hold files of the previous version.
    const requests = wanted.map(name => new Request(name, { cache: name.startsWith("assets/") ? "default" : "reload" }));
    event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(requests)));
});

self.addEventListener("activate", event => {
    event.waitUntil((async () => {
        for (const name of await caches.keys())
            if (name.startsWith(OWN) && name !== CACHE) await caches.delete(name);
        await self.clients.claim();
    })());
});

self.addEventListener("message", event => {
    if (event.data === "take over") self.skipWaiting();
});

/** Where the page fetches what another app has shared. */
const SHARED = new URL("shared", self.registration.scope).href;

async function keepShared(request) {
    const form = await request.formData(), files = form.getAll("file").filter(file => file.size > 0);
    const text = ["text", "url"].map(name => form.get(name)).filter(given => given).join("\n\n") || form.get("title");
    const shared = files.length > 1 ? new Blob(files.flatMap(file => [file, "\n\n"])) : files[0] ?? text;
    await (await caches.open(CACHE)).put(SHARED, new Response(shared));
    return Response.redirect(`./?shared=${files.length > 0 ? "file" : "text"}`, 303);
}

async function takeShared() {
    const cache = await caches.open(CACHE), shared = await cache.match(SHARED);
    await cache.delete(SHARED);
    return shared ?? new Response("", { status: 404 });
}

self.addEventListener("fetch", event => {
    const { request } = event;
    if (request.method === "POST" && request.url === self.registration.scope) return event.respondWith(keepShared(request));
    if (request.url === SHARED) return event.respondWith(takeShared());
    if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
    event.respondWith((async () => {
        const cache = await caches.open(CACHE);
        const cached = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
        if (cached) return cached;
        const response = await fetch(request);
        if (response.ok && onDemand.test(new URL(request.url).pathname)) await cache.put(request, response.clone());
        return response;
    })());
});
