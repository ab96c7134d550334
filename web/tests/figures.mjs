// The figures that the page must reach, each measured here; docs/web.md has those of the last release.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { DIST, launch, lines, waitForLine } from "./harness.mjs";

const LIMITS = {
    files: 15, engineRaw: 1.15e6, engineGzip: 0.6e6, restGzip: 150e3,
    firstMove: 1500, firstMoveThrottled: 5000, stop: 100, longTask: 50, firstPaint: 500, speedSimd: 0.6, speedPlain: 0.25,
    growth: 1.1, memory: 140e6, // beyond what the process of an empty page takes: against leaks, the aim is less
};
const BENCH_DEPTH = 8; // as "Measure speed" in the settings
const ROUNDS = 3;
const REST = 30000; // milliseconds, in which the browser collects its garbage by itself

const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1];

function within(name, value, limit, unit = "") {
    console.log(`   ${name}: ${typeof value === "number" ? +value.toFixed(3) : value}${unit} (limit ${limit}${unit})`);
    assert.ok(value <= limit, `${name}: ${value}${unit}, limit ${limit}${unit}`);
}

function sizes() {
    const files = readdirSync(DIST, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
        .map(entry => path.join(entry.parentPath, entry.name));
    const of = wanted => wanted.map(name => readFileSync(name)).reduce(
        (sum, bytes) => ({ raw: sum.raw + bytes.length, gzip: sum.gzip + gzipSync(bytes, { level: 9 }).length }), { raw: 0, gzip: 0 });
    const isEngine = name => /\.(wasm|nnue)$/.test(name);
    const loaded = of(files.filter(name => isEngine(name) && !name.includes("luft-plain")));
    within("files", files.length, LIMITS.files);
    within("everything else, gzip", of(files.filter(name => !isEngine(name))).gzip, LIMITS.restGzip, " bytes");
    within("engine and network, gzip", loaded.gzip, LIMITS.engineGzip, " bytes");
    within("engine and network, raw", loaded.raw, LIMITS.engineRaw, " bytes");
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
    await page.waitForFunction(() => globalThis.firstMoveAt, null, { timeout: 30000 });
    return page.evaluate(() => globalThis.firstMoveAt);
}

/** Nodes and nodes a second of "Measure speed", the best of some rounds. */
async function benchInPage(stage, at) {
    const page = await stage.open({ at });
    await waitForLine(page, 1);
    await page.locator("#engine-switch").click();
    await page.keyboard.press(",");
    let nodes = 0, best = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
        await page.getByRole("button", { name: "Measure speed" }).click();
        await page.waitForFunction(() => /nodes a second/.test(document.querySelector("#bench-result").textContent), null, { timeout: 170000 });
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

/** Bytes of the page's process that are its own, shared pages by their part. */
async function memoryOf(browser) {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const sums = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => {
        try {
            return 1024 * Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))[1]);
        } catch {
            return 0; // it has ended
        }
    });
    await session.detach();
    return Math.max(...sums);
}

async function memoryOfEmptyPage(url) {
    const browser = await launch();
    try {
        const page = await browser.newPage();
        await page.goto(`${url}licences.txt`);
        await page.waitForTimeout(REST);
        return await memoryOf(browser);
    } finally {
        await browser.close();
    }
}

const START = "#/analyse?fen=r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R_w_KQkq_-_0_1";

export const figures = luft => ({
    "figures: sizes": async () => sizes(),
    "figures: first move": async stage => {
        await firstMove(stage); // the browser itself is warm then
        within("first move", await firstMove(stage), LIMITS.firstMove, " ms");
        within("first move at 4 Mbit/s", await firstMove(stage, 4e6), LIMITS.firstMoveThrottled, " ms");
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
    "figures: first paint from the cache, nothing shifts": async stage => {
        const page = await stage.open();
        await page.getByText("works offline").waitFor({ timeout: 30000 });
        await page.addInitScript(() => {
            globalThis.shift = 0;
            new PerformanceObserver(list => { for (const entry of list.getEntries()) globalThis.shift += entry.value; }).observe({ type: "layout-shift", buffered: true });
        });
        await page.reload();
        await waitForLine(page, 8);
        const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
        within("layout shift", await page.evaluate(() => globalThis.shift), 0.001);
        within("first paint", paint, LIMITS.firstPaint, " ms");
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
        const browser = await launch();
        try {
            const { url } = await stage.serve(), page = await browser.newPage();
            await page.goto(url + START);
            await waitForLine(page, 6);
            const walk = async count => {
                for (let i = 0; i < count; i++) {
                    await page.keyboard.press("Enter"); // the best move
                    await page.waitForTimeout(120);
                    if (await lines(page).count() === 0) await page.keyboard.press("Home");
                }
            };
            await walk(20);
            const before = await memoryOf(browser);
            await walk(200);
            for (let i = 0; i < 20; i++) {
                await page.reload();
                await waitForLine(page, 4);
            }
            await page.waitForTimeout(REST);
            const after = await memoryOf(browser), empty = await memoryOfEmptyPage(url);
            console.log(`   memory of the page's process: ${(after / 1e6).toFixed(1)} MB, of an empty page's ${(empty / 1e6).toFixed(1)} MB`);
            within("memory beyond an empty page", (after - empty) / 1e6, LIMITS.memory / 1e6, " MB");
            within("growth", after / before, LIMITS.growth);
        } finally {
            await browser.close();
        }
    },
});
