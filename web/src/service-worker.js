// Keeps one version of the page whole, so that it works offline. A new version is fetched beside the old one and waits
// until the page, which says so, is told to take it. Nothing is ever reloaded unasked.

const VERSION = "__VERSION__";
const FILES = __FILES__;
const CACHE = `luft-${VERSION}`;

/** As in src/engine/files.ts: of the engine's two builds only the one that this browser runs. */
const SIMD_PROBE = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);
const other = WebAssembly.validate(SIMD_PROBE) ? /luft-plain[^/]*\.wasm$/ : /luft-(?!plain)[^/]*\.wasm$/;

self.addEventListener("install", event => {
    const wanted = ["./", ...FILES.filter(name => !other.test(name))];
    // Past the browser's own cache, which may still hold files of the version before.
    const requests = wanted.map(name => new Request(name, { cache: name.startsWith("assets/") ? "default" : "reload" }));
    event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(requests)));
});

self.addEventListener("activate", event => {
    event.waitUntil((async () => {
        for (const name of await caches.keys())
            if (name.startsWith("luft-") && name !== CACHE) await caches.delete(name);
        await self.clients.claim();
    })());
});

self.addEventListener("message", event => {
    if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", event => {
    const { request } = event;
    if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
    event.respondWith((async () => {
        const cache = await caches.open(CACHE);
        const kept = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
        return kept ?? fetch(request);
    })());
});
