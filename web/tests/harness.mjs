// Runs the scenarios: a server, a browser, pages for each scenario, and checks for what no page may do.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { existsSync } from "node:fs";
import { chromium, firefox } from "playwright-core";
import { serve } from "../tools/serve.mjs";

export const DIST = new URL("../dist", import.meta.url).pathname;
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium", FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
export const hasFirefox = existsSync(FIREFOX);
export const BLUNDER = "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17"; // Qd4 falls to a fork
export const GAME = `[White "Anna"]
[Black "Ben"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4?! {a trap} (3... Bc5 4. c3 Nf6 (4... Qf6 5. d4) 5. d3) 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1`;

/** Firefox is driven by WebDriver BiDi. It lacks what contexts with these options need, and Chromium's own protocol. */
const NOT_IN_FIREFOX = ["isMobile", "hasTouch", "colorScheme", "reducedMotion", "forcedColors", "bypassCSP", "serviceWorkers", "acceptDownloads"];
const NEEDS_CHROMIUM = /only available in Chromium|unknown command|not (yet )?supported|not implemented/i;
const launchFirefox = () => firefox.launch({ channel: "moz-firefox", executablePath: FIREFOX });

const PATIENCE = 180_000; // milliseconds for what must come: no scenario fails because the machine is busy

class Skipped extends Error {}

export async function launch(options = {}) {
    return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"], ...options });
}

/** Runs `cases`, { name: async (stage) => ... }, each on its own pages. Returns how many passed, failed, and were skipped. */
export async function runCases(cases, only, inFirefox = false) {
    const start = () => inFirefox ? launchFirefox() : launch();
    let browser = await start(), passed = 0, failed = 0, skipped = 0;
    for (const [name, act] of Object.entries(cases)) {
        if (only && !name.includes(only)) continue;
        const began = performance.now(), stage = new Stage(browser);
        try {
            await act(stage);
            stage.assertNoFaults();
            passed++;
            console.log(`ok ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
        } catch (error) {
            if (inFirefox && (error instanceof Skipped || NEEDS_CHROMIUM.test(error.message))) {
                skipped++;
                continue;
            }
            failed++;
            console.log(`FAIL ${name}: ${error.stack ?? error}`);
        } finally {
            // A browser can end by itself, for example after a scenario that filled its storage: the next one gets another.
            await stage.close().catch(error => console.log(`   the browser ended: ${error.message.split("\n")[0]}`));
            if (!browser.isConnected()) browser = await start();
        }
    }
    await browser.close();
    return { passed, failed, skipped };
}

export class Stage {
    faults = [];
    allowed = /^(data|blob):/; // addresses outside the server that a page may ask
    #servers = [];
    #contexts = [];

    constructor(browser) {
        this.browser = browser;
        this.inFirefox = browser.browserType().name() === "firefox";
    }

    async serve(options = {}, folder = DIST) {
        const server = await serve(folder, options);
        this.#servers.push(server);
        return server;
    }

    async context(options = {}) {
        const lacking = this.inFirefox ? NOT_IN_FIREFOX.filter(name => name in options) : [];
        if (lacking.length > 0) throw new Skipped(lacking.join());
        const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
        context.setDefaultTimeout(PATIENCE);
        this.#contexts.push(context);
        return context;
    }

    /** Opens a page. `at` is appended to the server's address. */
    async open({ at = "", server, context, ...options } = {}) {
        const { url } = server ?? await this.serve();
        const page = await (context ?? await this.context(options)).newPage();
        this.watch(page, url);
        await page.goto(url + at);
        return page;
    }

    /** Records script errors, console errors and requests to other origins. */
    watch(page, url) {
        page.on("pageerror", error => this.faults.push(`error: ${error.message}`));
        page.on("console", message => { if (message.type() === "error") this.faults.push(`console: ${message.text()}`); });
        page.on("request", request => {
            const to = request.url();
            if (!to.startsWith(new URL(url).origin) && !this.allowed.test(to)) this.faults.push(`request to ${to}`);
        });
    }

    assertNoFaults() { assert.deepEqual(this.faults, []); }

    async close() {
        for (const context of this.#contexts) await context.close();
        for (const server of this.#servers) await server.close();
    }
}

/** A context for scenarios that need no analysis, and reports of little effort: so they are quick. */
export async function idle(stage, { settings = {}, ...options } = {}) {
    const context = await stage.context(options);
    await context.addInitScript(text => {
        if (location.protocol.startsWith("http") && !localStorage.getItem("luft-settings")) localStorage.setItem("luft-settings", text);
    }, JSON.stringify({ engineOn: false, reportNodes: 20_000, explainNodes: 20_000, ...settings }));
    return context;
}

/** Keeps the service worker away: it would answer with the files that are there, also where a scenario has others. */
export const withoutServiceWorker = context => context.addInitScript(() => { delete Navigator.prototype.serviceWorker; });

export const open = async (stage, { at, ...options } = {}) => stage.open({ at, context: await idle(stage, options) });

// --- actions on a page ---

export async function waitForLine(page, least = 1) {
    await page.waitForFunction(depth => {
        const found = /(\d+)\//.exec(document.querySelector("#engine-facts")?.textContent ?? "");
        return found && Number(found[1]) >= depth;
    }, least, { polling: 20 });
}

export const lines = page => page.locator("section.lines ol li");
export const depthOf = async page => Number(/(\d+)\//.exec(await page.locator("#engine-facts").innerText())?.[1] ?? 0);

export async function load(page, text) {
    await page.locator("#open-button").click();
    await page.locator("#open-text").fill(text);
    await page.getByRole("button", { name: "Load" }).click();
}

export const paste = (page, text) => page.evaluate(pasted => {
    const data = new DataTransfer();
    data.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { bubbles: true });
    Object.defineProperty(event, "clipboardData", { value: data }); // Firefox copies nothing from the arguments
    document.body.dispatchEvent(event);
}, text);

/** Waits until the board has `count` pieces. */
export const pieces = (page, count) =>
    page.waitForFunction(wanted => document.querySelectorAll(".board .holder piece:not(.ghost)").length === wanted, count);

/** Opens what a report has folded away in a low window. */
export const unfold = page => page.locator("#report-more").evaluate(fold => { fold.open = true; });

export async function type(page, move) {
    await page.locator("#move-input").fill(move);
    await page.locator("#move-input").press("Enter");
}

/** The centre of a square in pixels; White is at the bottom unless `turned`. */
export async function square(page, name, turned = false, board = ".board .holder") {
    const box = await page.locator(board).boundingBox();
    let file = name.charCodeAt(0) - 97, rank = Number(name[1]) - 1;
    if (turned) [file, rank] = [7 - file, 7 - rank];
    return { x: box.x + ((file + 0.5) * box.width) / 8, y: box.y + ((7.5 - rank) * box.height) / 8 };
}

export async function click(page, from, to, turned = false) {
    for (const name of [from, to]) {
        const { x, y } = await square(page, name, turned);
        await page.mouse.click(x, y);
        await page.waitForTimeout(60);
    }
}

/** The FEN of the position, read from the dialog "Share". */
export async function fen(page) {
    await page.getByRole("button", { name: "Share" }).click();
    const value = await page.locator("#share-fen").inputValue();
    await page.keyboard.press("Escape");
    return value;
}

/** A file of games with names, dates and results. */
export const manyGames = count => Array.from({ length: count }, (_, i) =>
    `[Event "Open ${i % 10}"]\n[Date "2024.01.${String(1 + i % 28).padStart(2, "0")}"]\n[White "Müller ${i}"]\n[Black "Smith ${i}"]\n`
    + `[Result "${["1-0", "0-1", "1/2-1/2"][i % 3]}"]\n\n1. e4 {[a comment\n[in two lines]} e5 2. Nf3 (2. f4 exf4) Nc6 3. Bb5 a6 `
    + `4. Ba4 Nf6 {${"a long remark ".repeat(30)}} 5. O-O Be7 *\n`).join("\n");

/** Opens a file of games from the disk; `act` runs while it is there. */
export async function chooseFile(page, text, act) {
    const folder = await mkdtemp(path.join(tmpdir(), "luft-games-")), name = path.join(folder, "games.pgn");
    try {
        await writeFile(name, text);
        await page.locator("#open-button").click();
        await page.locator('input[type="file"]').setInputFiles(name);
        await act();
    } finally {
        await rm(folder, { recursive: true });
    }
}
