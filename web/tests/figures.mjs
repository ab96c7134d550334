// Measures size, time and memory of the page against limits. docs/web.md lists the figures of the last release.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { DIST, GAME, chooseFile, launch, manyGames, paste, waitForLine, withoutServiceWorker } from "./harness.mjs";

const LIMITS = {
    files: 15, engineRaw: 1.2e6, engineGzip: 0.6e6, firstGzip: 165e3, onDemandGzip: 40e3, openings: 12e3, lessons: 90e3, lessonsEngine: 350e3, lesson: 2000, gamesASecond: 20,
    firstMove: 1500, firstMoveThrottled: 5000, stop: 100, longTask: 50, file: 3000, firstPaint: 500, shift: 0.001, speedSimd: 0.6, speedPlain: 0.25,
    growth: 1.1, memory: 69e6, // bytes more than the process of an empty page
};
const BENCH_DEPTH = 8; // as "Measure speed" in the settings
const ROUNDS = 3;
const REST = 30000; // milliseconds for the browser to collect its garbage

const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1];

function within(name, value, limit, unit = "") {
    console.log(`   ${name}: ${typeof value === "number" ? +value.toFixed(3) : value}${unit} (limit ${limit}${unit})`);
    assert.ok(value <= limit, `${name}: ${value}${unit}, limit ${limit}${unit}`);
}

/** What the first load fetches, until the engine has found a move, and each script or style that is fetched on demand. */
async function sizes(stage) {
    const first = new Set(), server = await stage.serve({ onserved: file => first.add(file) });
    const context = await stage.context();
    await withoutServiceWorker(context); // its copies for offline use are no part of the first load
    await waitForLine(await stage.open({ server, context }), 8);
    const of = wanted => wanted.map(name => readFileSync(name)).reduce(
        (sum, bytes) => ({ raw: sum.raw + bytes.length, gzip: sum.gzip + gzipSync(bytes, { level: 9 }).length }), { raw: 0, gzip: 0 });
    const isEngine = name => /\.(wasm|nnue)$/.test(name), loaded = of([...first].filter(isEngine));
    within("files", first.size, LIMITS.files);
    within("everything but the engine, gzip", of([...first].filter(name => !isEngine(name))).gzip, LIMITS.firstGzip, " bytes");
    within("engine and network, gzip", loaded.gzip, LIMITS.engineGzip, " bytes");
    within("engine and network, raw", loaded.raw, LIMITS.engineRaw, " bytes");
    const assets = readdirSync(path.join(DIST, "assets")).map(name => path.join(DIST, "assets", name));
    for (const name of assets.filter(name => /\.(js|css)$/.test(name) && !first.has(name)))
        within(`on demand, ${path.basename(name)}, gzip`, of([name]).gzip, LIMITS.onDemandGzip, " bytes");
    const named = pattern => of(assets.filter(name => pattern.test(path.basename(name)))).gzip;
    const names = readdirSync(new URL("../../lessons", import.meta.url)).map(file => path.parse(file).name);
    within("lessons, gzip", named(new RegExp(`^(Learn|SearchTree|${names.join("|")})-.*\\.(js|css)$`)), LIMITS.lessons, " bytes");
    within("engine of the lessons, gzip", named(/^lessons-(?!plain).*\.wasm$/), LIMITS.lessonsEngine, " bytes");
    within("names of openings", of(assets.filter(name => /openings.*\.js$/.test(name))).raw, LIMITS.openings, " bytes");
}

/** Milliseconds from the navigation to the first move with a score. */
async function firstMove(stage, bitsPerSecond) {
    const context = await stage.context(), page = await context.newPage(), { url } = await stage.serve();
    stage.watch(page, url);
    if (bitsPerSecond) {
        const session = await context.newCDPSession(page);
        await session.send("Network.enable");
        await session.send("Network.emulateNetworkConditions", { offline: false, latency: 40,
            downloadThroughput: bitsPerSecond / 8, uploadThroughput: bitsPerSecond / 8 });
    }
    await page.addInitScript(() => {
        const look = () => {
            if (document.querySelector("section.lines ol li")) globalThis.firstMoveAt = performance.now();
            else setTimeout(look, 5);
        };
        look();
    });
    await page.goto(url);
    await page.waitForFunction(() => globalThis.firstMoveAt);
    const at = await page.evaluate(() => globalThis.firstMoveAt);
    await context.close(); // otherwise its analysis would slow down the next page
    return at;
}

/** Nodes and nodes a second of "Measure speed", the best of ROUNDS. */
async function benchInPage(stage, at) {
    const page = await stage.open({ at });
    await waitForLine(page, 1);
    await page.locator("#engine-switch").click();
    await page.keyboard.press(",");
    let nodes = 0, best = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
        await page.getByRole("button", { name: "Measure speed" }).click();
        await page.waitForFunction(() => /nodes a second/.test(document.querySelector("#bench-result").textContent));
        const [, count, speed, unit] = /([\d,]+) nodes, ([\d.]+) ([kM]?) ?nodes/.exec(await page.locator("#bench-result").innerText());
        nodes = Number(count.replaceAll(",", ""));
        best = Math.min(best, nodes / (Number(speed) * { "": 1, k: 1e3, M: 1e6 }[unit]));
    }
    return { nodes, speed: nodes / best };
}

function benchNative(luft) {
    let nodes = 0, speed = 0;
    for (let round = 0; round < ROUNDS; round++) {
        const output = execFileSync(luft, ["bench", String(BENCH_DEPTH)], { encoding: "utf8" });
        const [, count, perSecond] = /(\d+) nodes (\d+) nps\s*$/.exec(output);
        nodes = Number(count);
        speed = Math.max(speed, Number(perSecond));
    }
    return { nodes, speed };
}

/** A page controlled through CDP only: the scripts of Playwright would count as memory of the page. */
class BarePage {
    static async open(browser, url) {
        const page = await browser.newPage(), bare = new BarePage();
        bare.session = await page.context().newCDPSession(page);
        bare.browser = await browser.newBrowserCDPSession();
        await bare.session.send("Page.enable");
        await bare.go(() => bare.session.send("Page.navigate", { url }));
        return bare;
    }

    async go(act) {
        const loaded = new Promise(resolve => this.session.once("Page.loadEventFired", resolve));
        await act();
        await loaded;
    }

    reload() { return this.go(() => this.session.send("Page.reload")); }

    async evaluate(expression) {
        const { result } = await this.session.send("Runtime.evaluate", { expression, returnByValue: true });
        return result.value;
    }

    async press(key) {
        const windowsVirtualKeyCode = { Enter: 13, Home: 36 }[key];
        for (const type of ["rawKeyDown", "keyUp"])
            await this.session.send("Input.dispatchKeyEvent", { type, key, code: key, windowsVirtualKeyCode });
    }

    async waitForDepth(least) {
        const facts = 'document.querySelector("#engine-facts")?.textContent ?? ""';
        for (let i = 0; i < 600 && !(Number(/(\d+)\//.exec(await this.evaluate(facts))?.[1]) >= least); i++) await sleep(50);
    }

    /** Memory (PSS) of the page's process in bytes, before (`found`) and after (`held`) a forced garbage collection. The browser
     *  has several renderer processes: the page's is the one that uses the CPU while the page computes. */
    async memory() {
        const times = async () => new Map((await this.browser.send("SystemInfo.getProcessInfo")).processInfo
            .filter(({ type }) => type === "renderer").map(({ id, cpuTime }) => [id, cpuTime]));
        if (!this.process) {
            const before = await times();
            await this.evaluate("for (const start = performance.now(); performance.now() - start < 500;);");
            const worked = [...await times()].map(([id, time]) => [time - (before.get(id) ?? 0), id]).sort(([a], [b]) => b - a);
            this.process = worked[0][1];
        }
        // A browser ends idle service workers, but not during debugging as here.
        await this.session.send("ServiceWorker.enable");
        await this.session.send("ServiceWorker.stopAllWorkers");
        await sleep(1000);
        const read = () => 1024 * Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${this.process}/smaps_rollup`, "utf8"))[1]);
        const found = read();
        await this.session.send("HeapProfiler.collectGarbage");
        await sleep(2000);
        return { found, held: read() };
    }
}

async function memoryOfEmptyPage(url) {
    const browser = await launch();
    try {
        const page = await BarePage.open(browser, `${url}licences.txt`);
        await sleep(REST);
        return await page.memory();
    } finally {
        await browser.close();
    }
}

const START = "#/analyse?fen=r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R_w_KQkq_-_0_1";

export const figures = luft => ({
    "figures: sizes": sizes,
    "figures: first move": async stage => {
        const times = [];
        for (let round = 0; round < 5; round++) times.push(await firstMove(stage));
        within("first move, median of 5", percentile(times, 0.5), LIMITS.firstMove, " ms");
        within("first move at 4 Mbit/s", await firstMove(stage, 4e6), LIMITS.firstMoveThrottled, " ms");
    },
    "figures: a file of 10,000 games": async stage => {
        const page = await stage.open();
        await waitForLine(page, 1);
        await chooseFile(page, manyGames(10_000), async () => {
            const began = performance.now();
            await page.getByText("The file has 10000 games").waitFor();
            within("a file of 10,000 games", performance.now() - began, LIMITS.file, " ms");
        });
    },
    "figures: the first lesson, and a match at 300 nodes a move": async stage => {
        const times = [];
        for (let round = 0; round < 3; round++) {
            const began = performance.now(), page = await stage.open({ at: "#/learn/bare-engine" });
            await page.locator("#learn-step").waitFor();
            times.push(performance.now() - began);
            await page.close();
        }
        within("first lesson after its link, median of 3", percentile(times, 0.5), LIMITS.lesson, " ms");
        const page = await stage.open({ at: "#/learn/futility" });
        await page.getByRole("button", { name: "What is it worth?" }).click();
        await page.locator("#match-button").click();
        await page.waitForTimeout(10000);
        const speed = Number(/([\d.]+) games a second/.exec(await page.locator("#match-games").innerText())[1]);
        console.log(`   ${speed} games a second (at least ${LIMITS.gamesASecond})`);
        assert.ok(speed >= LIMITS.gamesASecond);
    },
    "figures: stop and long tasks": async stage => {
        const page = await stage.open();
        await waitForLine(page, 8);
        await page.evaluate(() => {
            globalThis.tasks = [];
            new PerformanceObserver(list => globalThis.tasks.push(...list.getEntries().map(entry => entry.duration))).observe({ type: "longtask" });
        });
        await page.waitForTimeout(5000);
        const longest = Math.max(0, ...await page.evaluate(() => globalThis.tasks));
        const times = [];
        for (let i = 0; i < 40; i++) {
            await page.waitForTimeout(100 + 37 * (i % 5));
            times.push(await page.evaluate(() => globalThis.luftStopTime()));
        }
        within("stop to best move, p95", percentile(times, 0.95), LIMITS.stop, " ms");
        within("longest task of the page while it analyses", longest, LIMITS.longTask, " ms");
    },
    "figures: first paint from the cache": async stage => {
        const page = await stage.open();
        await page.getByText("works offline").waitFor();
        await page.reload();
        await waitForLine(page, 8);
        const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
        within("first paint", paint, LIMITS.firstPaint, " ms");
    },
    "figures: nothing shifts when a page loads, next to busy processes": async stage => {
        const context = await stage.context(), server = await stage.serve(), busy = [];
        await context.addInitScript(() => {
            globalThis.shifts = [];
            const note = ({ value, sources }) => globalThis.shifts.push([value, ...sources.map(({ node }) => node?.className ?? node?.parentElement?.className ?? node?.nodeName)]);
            new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type: "layout-shift", buffered: true });
        });
        try {
            for (let i = 0; i < 2; i++) busy.push(spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
            for (const view of ["analyse", "play", "explain", "train", "analyse, with a game"]) {
                const page = await stage.open({ server, context, at: `#/${view.split(",")[0]}` });
                await page.locator("#engine-ready").getByText(/./).waitFor({ state: "attached" });
                if (/^a/.test(view)) await waitForLine(page, 8);
                const shifts = await page.evaluate(() => globalThis.shifts), sum = shifts.reduce((all, [value]) => all + value, 0);
                if (sum > 0) console.log(`   ${JSON.stringify(shifts)}`);
                within(`layout shift, ${view}`, sum, LIMITS.shift);
                if (view === "train") await paste(page, GAME);
                if (view === "train") await page.waitForTimeout(1500); // until it is saved
                await page.close();
            }
        } finally {
            for (const child of busy) child.kill();
        }
    },
    "figures: bench and speed": async stage => {
        const native = benchNative(luft);
        for (const [name, at, share] of [["SIMD", "", LIMITS.speedSimd], ["without SIMD", "?simd=no", LIMITS.speedPlain]]) {
            const inPage = await benchInPage(stage, at);
            assert.equal(inPage.nodes, native.nodes, `bench ${name}`);
            console.log(`   ${name}: ${(inPage.speed / native.speed).toFixed(3)} of native (${Math.round(native.speed)} nodes a second; at least ${share})`);
            assert.ok(inPage.speed >= share * native.speed, `${name}: ${inPage.speed} against ${native.speed}`);
        }
    },
    "figures: memory, 200 positions and 20 reloads": async stage => {
        const { url } = await stage.serve();
        const empty = await memoryOfEmptyPage(url); // its browser is closed first: two would share memory pages
        const browser = await launch();
        try {
            const page = await BarePage.open(browser, url + START);
            await page.waitForDepth(6);
            const walk = async count => {
                for (let i = 0; i < count; i++) {
                    await page.press("Enter"); // the best move
                    await sleep(120);
                    if (await page.evaluate('document.querySelectorAll("section.lines ol li").length') === 0) await page.press("Home");
                }
            };
            await walk(20);
            await sleep(REST);
            const before = await page.memory();
            await walk(200);
            const walked = await page.evaluate('document.querySelectorAll("section.list button").length');
            for (let i = 0; i < 20; i++) {
                await page.reload();
                await page.waitForDepth(4);
            }
            await sleep(REST);
            const after = await page.memory();
            const megabytes = ({ found, held }) => `${(found / 1e6).toFixed(1)} MB (without garbage ${(held / 1e6).toFixed(1)})`;
            console.log(`   memory of the page's process: ${megabytes(before)}, then ${megabytes(after)}, after ${walked} moves; `
                + `an empty page's: ${megabytes(empty)}`);
            within("memory beyond an empty page", (after.found - empty.found) / 1e6, LIMITS.memory / 1e6, " MB");
            within("growth", after.found / before.found, LIMITS.growth);
        } finally {
            await browser.close();
        }
    },
});
