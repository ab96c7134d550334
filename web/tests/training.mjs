// Learning from mistakes, and "What is going on here?".

import assert from "node:assert/strict";
import { BLUNDER, load, open as openIdle, pieces, square, type, unfold } from "./harness.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** White hangs the queen at the end; before, little happens. */
const LESSON = `[White "Anna"]
[Black "Ben"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2 cxd4
13. cxd4 Nc6 14. Nb3 a5 15. Be3 a4 16. Nbd2 Bd7 17. Rc1 Qb7 18. Qe2 Rfe8 19. a3 h6 20. Qd3 Bf8 21. Qb3 axb3 0-1`;

const open = (stage, options = {}) => openIdle(stage, { ...options, settings: { explainNodes: 40_000, ...options.settings } });

/** Reviews LESSON and begins to practise White's mistakes. */
async function practise(page, game = LESSON) {
    await load(page, game);
    await page.getByRole("button", { name: "Review the game" }).click();
    await page.getByRole("button", { name: "Learn from your mistakes" }).click();
    await page.locator("#train-place").waitFor();
}

const place = page => page.locator("#train-place");
const state = page => page.locator("#train-state");
const next = page => page.locator("#train-next").click();
const schedule = page => page.evaluate(() => Object.values(JSON.parse(localStorage.getItem("luft-training") ?? "{}")));
const shownFen = page => page.locator("details ul").evaluate(list => list.textContent);

const isBlunder = page => page.evaluate(() => /White:.*queen d3/.test(document.querySelector("details ul").textContent));

/** Goes on to the position before the queen is lost. */
async function toBlunder(page) {
    while (!await isBlunder(page)) await page.getByRole("button", { name: "Skip" }).click();
}

export const training = {
    "a mistake of the game: a wrong try, hints in steps, the solution, and again in the same round": async stage => {
        const page = await open(stage);
        await practise(page);
        assert.equal(await page.locator("#train-side").inputValue(), "white", "the side at the bottom");
        await toBlunder(page);
        assert.match(await place(page).innerText(), /^Position \d+ of \d+$/);
        await state(page).getByText("White to move. Find a good move.").waitFor();
        await type(page, "Qb3"); // the move of the game
        await state(page).getByText(/^Qb3 loses \d+ % of the winning chances\. Try another move\./).waitFor();
        await state(page).getByText(/Black answers axb3/).waitFor();
        assert.match(await shownFen(page), /White:.*queen d3/, "the move is taken back");
        const hint = page.locator("#train-hint-button");
        await hint.click();
        await page.locator("#train-hint").getByText(/^Look at the (queen on d3|\w+ on \w\d)\.$/).waitFor();
        await page.locator("svg.cg-shapes circle").waitFor();
        await hint.click();
        await page.locator("#train-hint").getByText(/The move is \S+\./).waitFor();
        const best = /The move is (\S+)\./.exec(await page.locator("#train-hint").innerText())[1];
        await page.locator("svg.cg-shapes line").first().waitFor({ state: "attached" }); // a vertical one has no width
        await hint.click();
        await page.locator("#train-hint").getByText(/^The move is \S+\. \S+ /).waitFor();
        assert.ok(await hint.isDisabled());
        assert.doesNotMatch(await page.locator("#train-hint").innerText(), /is the best move\./, "that was said");
        await type(page, best);
        await state(page).getByText(`${best} is right.`).waitFor();
        await state(page).getByText(/In the game: Qb3, which loses \d+ %/).waitFor();
        await state(page).getByText(/Qb3 loses|Qb3 .*queen/).last().waitFor();
        assert.deepEqual(await schedule(page), [[0, 0]], "with hints it is not learned");
        await place(page).getByText(/^Position \d+ of \d+, then 1 position once more$/).waitFor();
        await page.getByRole("button", { name: "Show in the game" }).click();
        assert.match(await page.locator("section.list [aria-current]").innerText(), /^Qb3/);
    },
    "a piece that is given away in a lost game has no sign, but is practised": async stage => {
        const page = await open(stage);
        await load(page, "1. e4 h5 2. Qxh5 Rxh5 3. Nf3 e5 4. Nc3 Nf6 5. Nd4 exd4 6. a3 dxc3 0-1");
        await page.getByRole("button", { name: "Review the game" }).click();
        await unfold(page);
        await page.locator("#given").getByText(/^Given away while the game was decided: \d pieces?\./).waitFor();
        await page.locator("section.list .words").getByText("Nd4 loses a knight.").waitFor();
        assert.equal(await page.locator("section.list button").getByText(/^Nd4/).locator('[class*="nag-"]').count(), 0);
        await page.keyboard.press("Home");
        await page.keyboard.press("n");
        for (let i = 0; i < 5 && !/^Nd4/.test(await page.locator("section.list [aria-current]").innerText()); i++) await page.keyboard.press("n");
        await page.locator("#spoken").getByText(/Nd4: loses a knight; better/).waitFor({ state: "attached" });
        await page.getByRole("button", { name: "Why?", exact: true }).click();
        await page.locator("#answer").getByText("Nd4 loses a knight.").waitFor();
        await page.getByRole("button", { name: "Close", exact: true }).click();
        await page.getByRole("button", { name: "Learn from your mistakes" }).click();
        await place(page).waitFor();
        while (!/White:.*knight c3 f3/.test(await shownFen(page))) await page.getByRole("button", { name: "Skip" }).click();
        await type(page, "d3"); // it keeps what there is
        await state(page).getByText("d3 is right.").waitFor();
        await state(page).getByText("In the game: Nd4, which gives material away.").waitFor();
    },
    "whoever looks at every solution comes to the end: each mistake is asked once more": async stage => {
        const page = await open(stage);
        await practise(page);
        const all = Number(/of (\d+)/.exec(await place(page).innerText())[1]), places = [];
        for (let i = 0; i < 2 * all && await place(page).count() > 0; i++) {
            places.push(/^.*of \d+/.exec(await place(page).innerText())[0]);
            await page.getByRole("button", { name: "Show the solution" }).click();
            if (i === 0) await state(page).getByText("In the game: ").waitFor(); // it begins with a mistake
            await next(page);
        }
        await page.locator("#train-over").waitFor();
        const repeats = places.length - all;
        assert.ok(repeats > 0, places.join());
        assert.deepEqual(places, [...Array.from({ length: all }, (_, i) => `Position ${i + 1} of ${all}`),
                                  ...Array.from({ length: repeats }, (_, i) => `Once more: position ${i + 1} of ${repeats}`)]);
    },
    "any move that is about as good counts; solved at once, a mistake comes back after 1, 3 and 10 days": async stage => {
        const page = await open(stage);
        await practise(page);
        await toBlunder(page);
        await type(page, "d5"); // the search prefers Bb1, but not by much
        await state(page).getByText("d5 is right.").waitFor();
        const day = 24 * 3600 * 1000, start = new Date().setHours(0, 0, 0, 0);
        const [[solved, due]] = await schedule(page);
        assert.equal(solved, 1);
        assert.ok(Math.abs(due - start - day) <= 3600_000, "tomorrow"); // an hour where the clocks change
        for (const [times, days] of [[2, 3], [3, 10], [4, 0]]) {
            await page.evaluate(() => {
                const known = JSON.parse(localStorage.getItem("luft-training"));
                for (const entry of Object.values(known)) entry[1] = 0; // due
                localStorage.setItem("luft-training", JSON.stringify(known));
            });
            await page.locator("#train-scope").selectOption("game");
            await page.evaluate(() => document.querySelector("#train-scope").dispatchEvent(new Event("change", { bubbles: true })));
            await place(page).waitFor();
            await toBlunder(page);
            await type(page, "d5");
            await state(page).getByText("d5 is right.").waitFor();
            const [[again, then]] = await schedule(page);
            assert.equal(again, times);
            if (days) assert.ok(Math.abs(then - start - days * day) <= 3600_000, `${days} days`);
        }
        for (let i = 0; i < 20 && await page.locator("#train-over").count() === 0; i++)
            await page.locator("#train-next, .controls button:last-child").last().click();
        await page.locator("#train-over").getByText("1 position is learned").waitFor();
    },
    "quiet positions are among the mistakes, and nothing gives them away": async stage => {
        const page = await open(stage);
        await practise(page);
        const all = Number(/of (\d+)/.exec(await place(page).innerText())[1]);
        let quiet = 0;
        for (let i = 0; i < all; i++) {
            assert.match(await state(page).innerText(), /^White to move\. Find a good move\.\s+Any move/);
            await page.getByRole("button", { name: "Show the solution" }).click();
            await state(page).getByText(/In the game: |A quiet position/).waitFor();
            quiet += Number(/A quiet position/.test(await state(page).innerText()));
            await next(page);
        }
        assert.ok(quiet > 0 && quiet < all, `${quiet} of ${all}`);
    },
    "all saved games: whose mistakes, and games without a report are reviewed on request": async stage => {
        const page = await open(stage);
        await practise(page);
        await page.keyboard.press("a");
        await load(page, LESSON.replace("Ben", "Cem").replace("21. Qb3 axb3", "21. Bd1"));
        await page.locator("section.list").getByText("Bd1").waitFor();
        await page.getByRole("button", { name: "Train", exact: true }).click();
        await page.locator("#train-scope").selectOption("all");
        await page.getByText("1 saved game has no report yet.").waitFor();
        await page.getByRole("button", { name: "Review them" }).click();
        await page.waitForFunction(() => document.querySelectorAll("#train-side option").length === 6); // Anna, Ben, Cem
        assert.equal(await page.locator("#train-side").inputValue(), "Anna", "who played most games");
        await page.locator("#weaknesses").click();
        const report = page.locator(".train .weaknesses"), numberOfTables = 4;
        await report.getByText(/^Anna: 2 games, 42 moves judged\. \d+ mistakes?, \d+ of them explained\./).waitFor();
        assert.deepEqual(await report.locator("thead th:first-child").allInnerTexts(), ["Phase", "Cause", "Motif", "Piece"]);
        const sums = await report.locator("table").evaluateAll(tables => tables.map(table =>
            [...table.querySelectorAll("tbody tr")].reduce((sum, row) => sum + Number(row.cells[1].textContent), 0)));
        assert.equal(sums.length, numberOfTables);
        assert.ok(sums[0] > 0 && new Set(sums).size === 1, `each table counts all: ${sums}`);
        await report.getByText("So few mistakes say little.").waitFor();
        await page.evaluate(() => { globalThis.print = () => {}; });
        await page.getByRole("button", { name: "Print the report" }).click();
        await page.locator(".sheet figure piece").first().waitFor();
        assert.equal(await page.locator(".sheet table").count(), numberOfTables);
        assert.equal(await page.locator(".sheet button").count(), 0);
        await page.evaluate(() => dispatchEvent(new Event("afterprint")));
        await report.getByRole("button", { name: /Qb3, Anna – Ben/ }).first().click();
        await place(page).getByText(/^Position 1 of 1 · Anna – Ben/).waitFor();
        assert.ok(await isBlunder(page));
        await page.locator("#weaknesses").click();
        await page.locator("#train-side").selectOption("Ben"); // who made no mistake
        await report.getByText(/^Ben: /).waitFor();
        await page.reload();
        await report.getByText(/^Ben: /).waitFor(); // what was shown is shown again
        await page.waitForFunction(() => document.querySelector("#train-side").value === "Ben");
        await page.locator("#weaknesses").click();
        await page.locator("#train-over").waitFor();
    },
    "by fingers: the board stays above the controls, and both are on the screen": async stage => {
        const page = await open(stage, PHONE);
        await practise(page);
        await toBlunder(page);
        const board = await page.locator(".board .holder").boundingBox(), controls = await page.locator(".controls").boundingBox();
        assert.ok(board.y >= 0 && board.y + board.height <= controls.y, JSON.stringify([board, controls]));
        assert.ok(controls.y + controls.height <= 844 + 1);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1));
        for (const button of await page.locator(".controls button").all()) assert.ok((await button.boundingBox()).height >= 44);
        for (const name of ["d3", "b3"]) {
            const { x, y } = await square(page, name);
            await page.touchscreen.tap(x, y);
            await page.waitForTimeout(100);
        }
        await state(page).getByText(/^Qb3 loses/).waitFor();
        const words = await state(page).boundingBox();
        assert.ok(words.y >= board.y + board.height - 1 && words.y < controls.y, "the answer is seen");
    },
    "by keyboard and screen reader alone": async stage => {
        const page = await open(stage), spoken = page.locator("#spoken");
        await practise(page);
        await page.keyboard.press("Home");
        assert.match(await spoken.innerText(), /Position 1 of \d+\. White to move/);
        await page.keyboard.press("h");
        await spoken.getByText(/^Look at the \w+ on \w\d\.$/).waitFor();
        await page.keyboard.press("h");
        await spoken.getByText(/^The move is /).waitFor();
        const best = /The move is (\S+)\./.exec(await spoken.innerText())[1];
        await page.keyboard.press("m");
        await page.keyboard.type(best);
        await page.keyboard.press("Enter");
        await spoken.getByText(new RegExp(`^${best.replace(/[+]/g, "\\+")} is right\\. .{10}`)).waitFor();
        await page.keyboard.press("Escape");
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("n");
        await spoken.getByText(/Position 2 of/).waitFor();
        await page.keyboard.press("s");
        await spoken.getByText(/^(The solution|Best)/).waitFor();
    },
    "on the board s says the task and spoils nothing; the field for moves keeps the focus": async stage => {
        const page = await open(stage), spoken = page.locator("#spoken"), field = page.locator("#move-input");
        const isTyping = () => field.evaluate(input => input === document.activeElement);
        await practise(page);
        await page.locator(".skip").press("Enter");
        await page.keyboard.press("h");
        await spoken.getByText(/^Look at /).waitFor();
        await page.keyboard.press("s");
        await spoken.getByText(/^Position 1 of .*Find a good move\.$/).waitFor();
        assert.equal(await page.locator("#train-next").count(), 0, "not given up");
        await page.keyboard.press("m");
        await page.keyboard.type("Kh1"); // in all of these positions White has castled
        await page.keyboard.press("Enter");
        await spoken.getByText(/^Kh1 (loses|is right)/).waitFor();
        assert.ok(await isTyping(), "after an answer");
        if (await page.locator("#train-next").count() === 0) await page.getByRole("button", { name: "Show the solution" }).click();
        await page.locator("#train-next").waitFor();
        await page.keyboard.press("Escape");
        await page.keyboard.press("m");
        await spoken.getByText("Solved already. n: next", { exact: true }).waitFor();
        assert.ok(!await isTyping(), "n is a command");
        await page.keyboard.press("n");
        await spoken.getByText(/^Position 2 of/).waitFor();
    },
    "the positions of a round on paper, the solutions on a page of their own": async stage => {
        const page = await open(stage);
        await practise(page);
        const all = Number(/of (\d+)/.exec(await place(page).innerText())[1]);
        await page.evaluate(() => { globalThis.print = () => {}; });
        await page.getByRole("button", { name: "Print the positions" }).click();
        await page.locator(".sheet figure").nth(all - 1).locator("piece").first().waitFor();
        await page.emulateMedia({ media: "print" }); // does nothing in Firefox
        assert.ok(await page.locator(".sheet").isVisible());
        assert.ok(stage.inFirefox || !await page.locator("main").isVisible());
        const box = await page.locator(".sheet .holder").first().boundingBox();
        assert.ok(box.width > 200 && Math.abs(box.width - box.height) < 2, JSON.stringify(box));
        assert.match(await page.locator(".sheet ol").innerText(), /Best: .*In the game: Qb3, which loses \d+ %/);
        assert.equal(await page.locator(".sheet h2").evaluate(title => getComputedStyle(title).breakBefore), "page");
        await page.emulateMedia({ media: "screen" });
        await page.evaluate(() => dispatchEvent(new Event("afterprint")));
        await page.locator(".sheet").waitFor({ state: "detached" });
    },
    "mistakes of the other side alone are found; a date is written as PGN has it": async stage => {
        const page = await open(stage);
        await load(page, "1. f3 e5 2. g4 Qh4# 0-1");
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.getByRole("button", { name: "Learn from your mistakes" }).waitFor();
        await page.keyboard.press("f"); // Black at the bottom, who made none
        await page.getByRole("button", { name: "Learn from your mistakes" }).click();
        await page.locator("#train-place").waitFor();
        assert.equal(await page.locator("#train-side").inputValue(), "");
        await page.keyboard.press("a");
        await page.locator("#game-header").click();
        await page.locator("#header-Date").fill("13.3.2026");
        await page.evaluate(() => document.querySelector("#header-Date").dispatchEvent(new Event("change", { bubbles: true })));
        assert.equal(await page.locator("#header-Date").inputValue(), "2026.03.13");
    },
    "the side that made mistakes is practised; quiet positions can be left out": async stage => {
        const page = await open(stage);
        await load(page, "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. d3 Be7 5. O-O O-O 6. c3 d6 7. Nbd2 a6 8. h3 h6 9. Re1 Nh7 10. Nf1 Ng5 11. N3h2 Qd7 12. Ng3 Qxh3 13. gxh3 Nxh3+ *");
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.getByRole("button", { name: "Learn from your mistakes" }).click();
        await page.locator("#train-place").waitFor();
        const all = Number(/of (\d+)/.exec(await place(page).innerText())[1]);
        await page.locator("#train-decoys").uncheck();
        const left = Number(/of (\d+)/.exec(await place(page).innerText())[1]);
        assert.ok(left >= 1 && left <= all, `${left} of ${all}`);
        await page.getByRole("button", { name: "Show the solution" }).click();
        await state(page).getByText(/^In the game: /).waitFor();
        assert.equal(await state(page).getByText("A quiet position").count(), 0);
    },
    "nothing to practise: the page says why, and leads on": async stage => {
        const page = await open(stage), over = page.locator("#train-over"), ways = page.locator("#train-ways");
        await page.getByRole("button", { name: "Train", exact: true }).click();
        await over.getByText("There is no game to learn from yet.").waitFor();
        assert.equal(await page.locator("#move-input").count(), 0, "nothing is asked");
        assert.deepEqual(await ways.locator("button").allInnerTexts(), ["Open a game", "Lichess and chess.com", "Play against Luft"]);
        await ways.getByRole("button", { name: "Open a game" }).click();
        await page.locator("#open-text").fill("1. f3 e5 2. g4 Qh4# 0-1");
        await page.getByRole("button", { name: "Load" }).click();
        await page.getByRole("button", { name: "Train", exact: true }).click();
        await page.locator("#train-scope").selectOption("game");
        await over.getByText("This game has no report yet: a review").waitFor();
        const said = page.evaluate(() => new Promise(resolve => {
            const region = document.querySelector("#spoken");
            new MutationObserver(() => /review begins/.test(region.textContent) && resolve(region.textContent))
                .observe(region, { childList: true, characterData: true, subtree: true });
        }));
        await ways.getByRole("button", { name: "Review the game" }).click();
        assert.equal(await said, "The review begins: 5 positions.");
        await place(page).waitFor();
    },
    "whoever solves a position before it is due has it no sooner learned": async stage => {
        const page = await open(stage), day = 86_400_000;
        await practise(page);
        const all = Number(/of (\d+)/.exec(await place(page).innerText())[1]);
        for (let i = 0; i < 2 * all && await page.locator("#train-over").count() === 0; i++) {
            await page.getByRole("button", { name: "Show the solution" }).click();
            await next(page);
        }
        await page.evaluate(due => { // as if all had been solved
            const known = JSON.parse(localStorage.getItem("luft-training"));
            for (const key of Object.keys(known)) known[key] = [1, due];
            localStorage.setItem("luft-training", JSON.stringify(known));
        }, Date.now() + day);
        await page.locator("#train-again").click();
        await page.locator("#train-over").getByText("There is nothing to practise now: all positions come back later.").waitFor();
        await page.locator("#train-over").getByText("The next position comes back on").waitFor();
        await page.getByRole("button", { name: "Practise them today" }).click();
        await toBlunder(page);
        const before = await schedule(page);
        await type(page, "d5");
        await state(page).getByText("d5 is right.").waitFor();
        assert.deepEqual(await schedule(page), before);
    },
    "each hint says something new, also in quiet positions": async stage => {
        const page = await open(stage), hint = page.locator("#train-hint-button"), words = page.locator("#train-hint");
        await practise(page);
        const all = Number(/of (\d+)/.exec(await place(page).innerText())[1]);
        for (let i = 0; i < all; i++) {
            await hint.click();
            await words.getByText(/^Look at the/).waitFor();
            await hint.click();
            await words.getByText(/^The move is \S+\.$/).waitFor();
            await hint.click();
            await words.getByText(/^The move is \S+\. .{10}/).waitFor();
            assert.doesNotMatch(await page.locator("#spoken").innerText(), /^(The move is|\S+ is the best move\.$)/, "what was said is not said again");
            await page.getByRole("button", { name: "Skip" }).click();
        }
    },
    "what goes wrong: no help for tables that are not there": async stage => {
        const page = await open(stage);
        await practise(page);
        await page.waitForTimeout(1500);
        await page.evaluate(() => new Promise((resolve, reject) => { // as an earlier version of the page saved reports
            const request = indexedDB.open("luft");
            request.onerror = reject;
            request.onsuccess = () => {
                const store = request.result.transaction("analyses", "readwrite").objectStore("analyses");
                store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
                    if (!cursor) return resolve(request.result.close());
                    const game = cursor.value;
                    for (const verdict of game.report?.verdicts ?? []) delete verdict.why;
                    cursor.update(game);
                    cursor.continue();
                };
            };
        }));
        await page.reload();
        await page.locator("#train-scope").selectOption("all");
        await page.locator("#weaknesses").click();
        const report = page.locator(".train .weaknesses");
        await report.getByText(/ 0 of them explained\./).waitFor();
        await report.getByText("No cause is known of these mistakes").waitFor();
        assert.equal(await report.locator("table").count(), 0);
        assert.equal(await report.getByText("Missed:").count(), 0);
    },
    "the training is loaded on demand, and works offline": async stage => {
        const context = await stage.context();
        const wanted = [];
        context.on("request", request => wanted.push(request.url()));
        const page = await stage.open({ context });
        await pieces(page, 32);
        assert.ok(!wanted.some(url => /Train-/.test(url) && !/sw\.js/.test(url)), "not by the first load");
        await page.evaluate(() => navigator.serviceWorker.ready);
        await page.waitForFunction(async () => (await caches.keys()).length > 0 && navigator.serviceWorker.controller);
        await context.setOffline(true);
        await page.getByRole("button", { name: "Train", exact: true }).click();
        await page.locator("#train-scope").waitFor();
    },
    "what is going on here: threats and pieces in trouble, in words and on the board; never in a game": async stage => {
        const page = await open(stage);
        await load(page, BLUNDER);
        await pieces(page, 24);
        assert.equal(await page.locator("#overview").count(), 0, "off at first");
        await page.locator("#overview-switch").click();
        await page.locator("#overview").getByText(/Black threatens 17\.\.\. Nf3\+/).waitFor();
        await page.waitForFunction(() => document.querySelectorAll("svg.cg-shapes line").length === 1);
        assert.match(await page.locator("#spoken").innerText(), /Black threatens/);
        await type(page, "Qd4");
        await page.waitForFunction(() => /White threatens|Black can play/.test(document.querySelector("#overview").textContent));
        await page.reload();
        await page.locator("#overview").getByText(/Black can play/).waitFor(); // the switch is kept
        await page.getByRole("button", { name: "Play", exact: true }).click();
        assert.equal(await page.locator("#overview, #overview-switch, svg.cg-shapes line").count(), 0);
    },
};
