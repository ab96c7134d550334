// Loading the page: on any server, with each build of the engine, offline, and with failures.

import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DIST, GAME, depthOf, fen, lines, load, type, waitForLine, withoutServiceWorker } from "./harness.mjs";

const build = page => page.locator("#engine-ready");

/** Limits the module's memory to `pages` of 64 KiB, like a browser that refuses more. */
function limitMemory(wasm, pages) {
    const leb = number => number < 128 ? [number] : [(number & 127) | 128, ...leb(number >> 7)];
    const read = at => { let value = 0, shift = 0, byte; do { byte = wasm[at++]; value |= (byte & 127) << shift; shift += 7; } while (byte > 127); return [value, at]; };
    for (let at = 8; at < wasm.length;) {
        const [size, body] = read(at + 1);
        if (wasm[at] === 5) {
            const [least] = read(body + 2);
            const section = [1, 1, ...leb(least), ...leb(pages)];
            return Buffer.concat([wasm.subarray(0, at), Buffer.from([5, ...leb(section.length), ...section]), wasm.subarray(body + size)]);
        }
        at = body + size;
    }
    throw new Error("no memory section");
}

export const loading = {
    "a server without special headers": async stage => {
        const page = await stage.open();
        await waitForLine(page, 8);
        assert.match(await build(page).innerText(), /^SIMD, suspends$/);
        assert.equal(await page.evaluate(() => crossOriginIsolated), false);
    },
    "a server with the headers for cross-origin isolation": async stage => {
        const page = await stage.open({ server: await stage.serve({ isolated: true }) });
        await waitForLine(page, 8);
        assert.equal(await page.evaluate(() => crossOriginIsolated), true);
        assert.match(await build(page).innerText(), /isolated/);
    },
    "a server without HTTPS: the page works and copies": async stage => {
        const { url } = await stage.serve(), context = await stage.context(), far = "http://luft.test/";
        await context.route(`${far}**`, async route =>
            route.fulfill({ response: await route.fetch({ url: url + route.request().url().slice(far.length) }) }));
        const page = await context.newPage();
        stage.watch(page, far);
        await page.goto(far);
        assert.equal(await page.evaluate(() => isSecureContext), false);
        await waitForLine(page, 4);
        await load(page, GAME);
        await page.locator("section.list").getByText("Nf3#").waitFor();
        await page.getByRole("button", { name: "Share" }).click();
        await page.locator("#share-fen + button").click();
        await page.getByText("Copied.").waitFor();
        const shared = await page.locator("#share-fen").inputValue();
        await page.keyboard.press("Escape");
        await page.locator("#open-button").click();
        await page.locator("#open-text").press("Control+V");
        assert.equal(await page.locator("#open-text").inputValue(), shared);
        await context.unrouteAll({ behavior: "ignoreErrors" }); // a file of the page may still be loading
    },
    "the server answers bad addresses, and serves its folder only": async stage => {
        const folder = await mkdtemp(path.join(tmpdir(), "luft-page-"));
        try {
            for (const name of ["dist", "dist-private"]) await mkdir(path.join(folder, name));
            for (const name of ["dist/x", "dist-private/x"]) await writeFile(path.join(folder, name), name);
            const { url } = await stage.serve({}, path.join(folder, "dist"));
            for (const [address, wanted] of [["%", 400], ["%ff", 400], ["//", 400], ["..%2fdist-private/x", 404],
                                             ["%2e%2e/dist-private/x", 404], ["x%00", 404], ["x", 200]])
                assert.equal((await fetch(url + address)).status, wanted, address);
        } finally {
            await rm(folder, { recursive: true });
        }
    },
    "a server that serves the page under a path": async stage => {
        const page = await stage.open({ server: await stage.serve({ prefix: "/chess/luft/" }) });
        await waitForLine(page, 8);
    },
    "without SIMD": async stage => {
        const page = await stage.open({ at: "?simd=no" });
        await waitForLine(page, 6);
        assert.match(await build(page).innerText(), /without SIMD/);
    },
    "without suspending: the search runs in slices": async stage => {
        const page = await stage.open({ at: "?suspend=no" });
        await waitForLine(page, 8);
        assert.match(await build(page).innerText(), /in slices/);
        await type(page, "e4");
        await waitForLine(page, 6);
    },
    "without WebAssembly a message appears and the board still works": async stage => {
        const context = await stage.context();
        await context.addInitScript(() => { delete globalThis.WebAssembly; });
        const page = await stage.open({ context });
        await page.getByText("This browser has no WebAssembly").first().waitFor();
        await type(page, "e4");
        assert.match(await fen(page), / b KQkq/);
        await load(page, "1. d4 d5 2. c4"); // its reader is the engine's
        await page.locator("#open-reason").getByText("no game can be opened").waitFor();
    },
    "when memory is refused, half of it is used and reported": async stage => {
        const context = await stage.context();
        await context.route("**/*.wasm", async route => {
            const response = await route.fetch();
            await route.fulfill({ response, body: limitMemory(await response.body(), 640) });
        });
        const page = await stage.open({ context, at: "?hash=64" });
        await page.getByText(/refused to give the engine 64 MB of memory\. The engine uses (32|16|8) MB/).waitFor();
        await waitForLine(page, 6);
    },
    "an engine that hangs is restarted and keeps the position": async stage => {
        const page = await stage.open();
        await type(page, "e4");
        await waitForLine(page, 6);
        const [worker] = page.workers();
        void worker.evaluate(() => { for (;;); }).catch(() => {});
        await page.getByText("was restarted").waitFor();
        await waitForLine(page, 6);
        assert.match(await lines(page).first().innerText(), /1…/);
    },
    "offline after the first visit, then updated to a new version": async stage => {
        const folder = await mkdtemp(path.join(tmpdir(), "luft-page-"));
        try {
            await cp(DIST, folder, { recursive: true });
            const server = await stage.serve({}, folder), context = await stage.context();
            const page = await stage.open({ server, context });
            await page.getByText("works offline").waitFor();
            await context.setOffline(true);
            await page.reload();
            await waitForLine(page, 8);
            await context.setOffline(false);
            await newVersion(folder);
            const others = [`luft ${server.url}beta/ 1`, "luft-of-somebody-else"];
            await page.evaluate(names => Promise.all(names.map(name => caches.open(name))), others);
            await page.reload();
            await page.getByText("new version").waitFor();
            assert.equal(await isNewer(page), false);
            await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Update" }).click()]);
            assert.equal(await isNewer(page), true);
            await waitForLine(page, 6);
            const kept = await page.evaluate(() => caches.keys());
            assert.equal(kept.length, 3, "the old version is deleted");
            assert.ok(others.every(name => kept.includes(name)), String(kept));
        } finally {
            await rm(folder, { recursive: true });
        }
    },
    "an update in one tab is reported in the others, which lose nothing": async stage => {
        const folder = await mkdtemp(path.join(tmpdir(), "luft-page-"));
        try {
            await cp(DIST, folder, { recursive: true });
            const server = await stage.serve({}, folder), context = await stage.context();
            const first = await stage.open({ server, context });
            await first.getByText("works offline").waitFor();
            await newVersion(folder);
            const second = await stage.open({ server, context });
            await second.getByText("new version").waitFor();
            await Promise.all([second.waitForEvent("load"), second.getByRole("button", { name: "Update" }).click()]);
            await first.getByText("The page was updated in another tab").waitFor();
            assert.equal(await first.getByRole("button", { name: "Update" }).count(), 0);
            assert.equal(await second.locator(".notice.error").count(), 0, "the tab that took it");
            await type(first, "e4");
            await Promise.all([first.waitForEvent("load"), first.getByRole("button", { name: "Load the new version" }).click()]);
            assert.equal(await isNewer(first), true);
            await first.locator("section.list").getByText("e4").waitFor();
        } finally {
            await rm(folder, { recursive: true });
        }
    },
    "a failure to save is reported once": async stage => {
        const context = await stage.context();
        await withoutServiceWorker(context);
        await context.route("**/database.worker*.js", route =>
            route.fulfill({ contentType: "text/javascript", body: 'onmessage = () => postMessage({ error: "full" });' }));
        const page = await stage.open({ context }), notice = page.getByText("The browser could not save this analysis");
        await type(page, "e4");
        await notice.waitFor();
        await page.locator(".notice", { has: notice }).getByRole("button", { name: "Close" }).click();
        await type(page, "e5");
        await page.waitForTimeout(1500);
        assert.equal(await notice.count(), 0);
    },
    "the page can be installed, with icons": async stage => {
        const page = await stage.open();
        await page.getByText("works offline").waitFor();
        const session = await page.context().newCDPSession(page);
        const { errors, data } = await session.send("Page.getAppManifest");
        assert.deepEqual(errors, []);
        for (const { src } of JSON.parse(data).icons)
            assert.equal(await page.evaluate(async name => (await fetch(name)).status, src), 200, src);
        const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
        // The incognito windows of tests can never install a page.
        assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter(id => id !== "in-incognito"), []);
    },
    "a hidden tab stops after a minute and continues when it is visible": async stage => {
        const context = await stage.context();
        const page = await context.newPage();
        const { url } = await stage.serve();
        stage.watch(page, url);
        await page.clock.install();
        await page.goto(url);
        await page.clock.resume();
        await waitForLine(page, 8);
        const hide = hidden => page.evaluate(state => {
            Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }, hidden ? "hidden" : "visible");
        await hide(true);
        await page.clock.fastForward(61_000);
        await page.waitForTimeout(700);
        const before = await page.locator("#engine-facts").innerText();
        await page.waitForTimeout(1500);
        assert.equal(await page.locator("#engine-facts").innerText(), before);
        await hide(false);
        await page.waitForFunction(old => document.querySelector("#engine-facts").textContent !== old, before);
        assert.ok(await depthOf(page) > 0);
    },
    "a tab opened in the background stops after a minute": async stage => {
        const page = await (await stage.context()).newPage(), { url } = await stage.serve();
        stage.watch(page, url);
        await page.addInitScript(() => Object.defineProperty(document, "visibilityState", { value: "hidden" }));
        await page.clock.install();
        await page.goto(url);
        await page.clock.resume();
        await waitForLine(page, 8);
        await page.clock.fastForward(61_000);
        await page.waitForTimeout(700);
        const before = await page.locator("#engine-facts").innerText();
        await page.waitForTimeout(1500);
        assert.equal(await page.locator("#engine-facts").innerText(), before);
    },
};

/** Marks the page, and changes the version. */
async function newVersion(folder) {
    const replace = async (name, change) => writeFile(path.join(folder, name), change(await readFile(path.join(folder, name), "utf8")));
    await replace("index.html", html => html.replace("<html", '<html data-newer="yes"'));
    await replace("sw.js", script => script.replace(/"[0-9a-f]{12}"/, '"000000000000"'));
    assert.ok((await readdir(folder)).includes("sw.js"));
}

const isNewer = page => page.evaluate(() => document.documentElement.dataset.newer === "yes");
