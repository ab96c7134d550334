// Games against Luft.

import assert from "node:assert/strict";
import { BLUNDER, click, idle, load, open, pieces, square, type, waitForLine } from "./harness.mjs";

const state = page => page.locator("#play-state");
const yourTurn = page => page.waitForFunction(() => /Your turn|won|Draw/.test(document.querySelector("#play-state")?.textContent ?? ""));

async function start(page, choices = {}) {
    for (const [name, value] of Object.entries(choices)) {
        if (name === "960") await page.locator("#play-960").check();
        else if (name === "array") await page.locator("#play-array").evaluate((field, text) => { // fill() appends to a number in Firefox
            field.value = text;
            field.dispatchEvent(new Event("input", { bubbles: true }));
        }, value);
        else await page.locator(`#play-${name}`).selectOption(value);
    }
    await page.getByRole("button", { name: "Start the game" }).click();
}

const shownPosition = page => page.locator("details ul").evaluate(list => list.textContent);

/** Loses a queen to the engine, and resigns. */
async function blunder(stage) {
    const context = await idle(stage, { settings: { engineOn: true, explainNodes: 100_000 } });
    const page = await stage.open({ at: `#/analyse?fen=${BLUNDER.replaceAll(" ", "_")}`, context });
    await pieces(page, 24);
    await page.getByRole("button", { name: "Play from here" }).click();
    await start(page, { strength: "full" });
    await type(page, "Qd4");
    await yourTurn(page);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Resign?" }).click();
    return page;
}

export const playing = {
    "a move that is not legal says why": async stage => {
        const page = await open(stage), state = page.locator("#play-state");
        for (const [fen, from, to, words] of [
            ["4k3/4p3/8/8/8/8/4PB2/4K3 w - - 0 1", "e2", "e5", "That piece cannot go there."],
            ["4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1", "e2", "d3", "Your king would be in check after that."],
            ["4k3/4r3/8/8/8/8/3B4/4K3 w - - 0 1", "d2", "c3", "You are in check: find a move that ends it."],
        ]) {
            await page.getByRole("button", { name: "Analyse", exact: true }).click();
            await load(page, fen);
            await page.getByRole("button", { name: "Practise this" }).click();
            await yourTurn(page);
            await click(page, from, to);
            await state.getByText(words).waitFor();
            assert.equal(await page.locator("#spoken").innerText(), words);
            await type(page, "Kf1");
            await state.getByText(words).waitFor({ state: "detached" });
        }
    },
    "hints come in steps: the piece, the move, the reason; ratings are on one scale": async stage => {
        const page = await open(stage, { at: "#/play" }), hint = page.locator("#play-hint");
        assert.doesNotMatch(await page.locator("main").innerText(), /UCI_Elo/, "no second number next to the rating");
        await start(page, { strength: "700" });
        await hint.click();
        await state(page).getByText(/^Look at the (pawn|knight) on [a-h][12]\.$/).waitFor();
        await page.locator("svg.cg-shapes circle").waitFor();
        assert.equal(await page.locator("svg.cg-shapes line").count(), 0, "the move is not shown yet");
        await hint.click();
        await state(page).getByText(/^The move is \S+\.$/).waitFor();
        await page.locator("svg.cg-shapes line").first().waitFor({ state: "attached" });
        await hint.click();
        await state(page).getByText(/^The move is \S+\. (?!The reason)\S+ \S+/).waitFor();
        assert.ok(await hint.isDisabled());
        await type(page, "e4");
        await yourTurn(page);
        assert.equal(await hint.innerText(), "Hint", "the next position has hints of its own");
    },
    "with queen odds, move by move, to the end; then the game is analysed": async stage => {
        const page = await stage.open({ at: "#/play" });
        await start(page, { odds: "queen", strength: "700" });
        assert.ok(!/Black.*queen d8/.test(await shownPosition(page)));
        assert.match(await shownPosition(page), /White: king e1, queen d1/);
        assert.match((await page.locator(".player").allInnerTexts()).join("|").replace(/\s+/g, " "), /^Ada .*\|You ♕ \+9 9 ahead in material$/);
        // Hints play for White. The engine gives queen odds and searches ten nodes a move.
        for (let move = 0; move < 120; move++) {
            await yourTurn(page);
            if (/won|Draw/.test(await state(page).innerText())) break;
            await page.getByRole("button", { name: "Hint" }).click();
            await state(page).getByText("Look at the").waitFor();
            await page.getByRole("button", { name: "Hint 2 of 3" }).click();
            await state(page).getByText("The move is").waitFor();
            await type(page, /The move is (\S+)\./.exec(await state(page).innerText())[1]);
        }
        await page.getByRole("dialog").locator("p", { hasText: "checkmate." }).waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Analyse this game" }).click();
        await page.locator("section.list button").first().waitFor();
        await page.getByRole("button", { name: "Review the game" }).waitFor();
    },
    "moves by mouse, on a page opened in this view": async stage => {
        const page = await stage.open({ at: "#/play" });
        await start(page, { strength: "700" });
        for (const [i, [from, to]] of [["e2", "e4"], ["d2", "d4"]].entries()) {
            await pieces(page, 32);
            await click(page, from, to);
            await page.locator("#play-moves li").nth(2 * i + 1).waitFor();
            await yourTurn(page);
        }
    },
    "on a phone, after a reload, the board takes moves": async stage => {
        const page = await stage.open({ at: "#/play", viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
        const tap = async (...names) => {
            for (const name of names) {
                const { x, y } = await square(page, name);
                await page.touchscreen.tap(x, y);
            }
        };
        await start(page, { strength: "700" });
        await tap("e2", "e4");
        await page.locator("#play-moves li").nth(1).waitFor();
        await yourTurn(page);
        await page.reload();
        await yourTurn(page);
        await pieces(page, 32);
        await tap("d2", "d4");
        await page.locator("#play-moves li").nth(3).waitFor();
    },
    "take back, draw offer, resignation": async stage => {
        const page = await stage.open({ at: "#/play" });
        await start(page, { strength: "700" });
        await type(page, "e4");
        await yourTurn(page);
        assert.equal(await page.locator("#play-moves li").count(), 2);
        await page.getByRole("button", { name: "Take back" }).click();
        assert.equal(await page.locator("#play-moves li").count(), 0);
        await type(page, "d4");
        await yourTurn(page);
        await page.getByRole("button", { name: "Offer a draw" }).click();
        await state(page).getByText("Ada declines the draw.").waitFor();
        await page.getByRole("button", { name: "Resign" }).click();
        await page.getByRole("button", { name: "Resign?" }).waitFor();
        await page.keyboard.press("Escape");
        await type(page, "c4"); // takes the question back
        await yourTurn(page);
        await page.getByRole("button", { name: "Resign", exact: true }).click();
        await page.getByRole("button", { name: "Resign?" }).click();
        await page.getByRole("dialog").locator("p", { hasText: "you resigned." }).waitFor();
    },
    "board and clocks are on the screen together: on phones, in low windows, on a desktop": async stage => {
        for (const [width, height] of [[390, 664], [360, 640], [320, 568], [740, 360], [800, 600], [1366, 768]]) {
            const page = await stage.open({ at: "#/play", viewport: { width, height } });
            await start(page, { clock: "10+5", strength: "1800", odds: "knight" });
            const board = await page.locator(".board .holder").boundingBox();
            const players = await Promise.all([0, 1].map(place => page.locator(".player").nth(place).boundingBox()));
            const seen = `${width}x${height}: ${JSON.stringify([board, players])}`;
            for (const box of [board, ...players])
                assert.ok(box.y >= 0 && box.y + box.height <= height && box.x >= 0 && box.x + box.width <= width, seen);
            const [theirs, yours] = players, isLow = theirs.x >= board.x + board.width;
            assert.ok(isLow ? yours.y > theirs.y : theirs.y + theirs.height <= board.y && yours.y >= board.y + board.height, seen);
            await page.close();
        }
    },
    "a newcomer is offered the easiest opponent at once, and only once; each name stands at its side of the board": async stage => {
        const page = await stage.open();
        await page.locator("#play-first", { hasText: "Ada" }).click();
        await yourTurn(page);
        const [theirs, yours] = await page.locator(".player").allInnerTexts();
        assert.match(theirs, /^Ada/);
        assert.match(yours, /^You/);
        await page.getByRole("button", { name: "Flip the board" }).click();
        await page.locator(".player", { hasText: "You" }).first().waitFor();
        assert.match(await page.locator(".player").first().innerText(), /^You/);
        await page.getByRole("button", { name: "Analyse", exact: true }).click();
        await page.locator("section.list").getByText("Make a move").waitFor();
        assert.equal(await page.locator("#play-first").count(), 0);
    },
    "resigned, taken back, resigned again: each result is shown": async stage => {
        const page = await stage.open({ at: "#/play" });
        const result = page.getByRole("dialog").locator("p", { hasText: "you resigned." });
        const resign = async () => {
            await page.getByRole("button", { name: "Resign" }).click();
            await page.getByRole("button", { name: "Resign?" }).click();
        };
        await start(page, { strength: "700" });
        await type(page, "e4");
        await yourTurn(page);
        await resign();
        await result.waitFor();
        await page.keyboard.press("Escape");
        await result.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Take back" }).click();
        await resign();
        await result.waitFor();
    },
    "as Black, with a clock that runs": async stage => {
        const page = await stage.open({ at: "#/play" });
        await start(page, { color: "black", clock: "1+0" });
        await yourTurn(page);
        assert.equal(await page.locator("#play-moves li").count(), 1);
        await type(page, "e5");
        await yourTurn(page);
        await page.waitForTimeout(1500);
        const clocks = await page.locator(".player b").allInnerTexts();
        assert.ok(clocks.every(text => /^0:\d\d/.test(text)), clocks.join());
    },
    "lost on time, taken back: the clocks are restored and run": async stage => {
        const page = await stage.open({ at: "#/play" });
        const advance = milliseconds => page.evaluate(more => {
            const now = performance.now.bind(performance);
            performance.now = () => now() + more;
        }, milliseconds);
        const loseOnTime = async () => {
            await advance(61_000);
            await page.waitForFunction(() => /Ada won/.test(document.querySelector("#play-state").textContent));
        };
        await start(page, { clock: "1+0", strength: "700" });
        for (const move of ["e4", "d4"]) {
            await type(page, move);
            await yourTurn(page);
        }
        await advance(31_000);
        await page.locator("#spoken-value").getByText(/^(30|10|5) seconds left$/).waitFor({ state: "attached" });
        await loseOnTime();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Take back" }).click();
        assert.equal(await page.locator("#play-moves li").count(), 2);
        const clocks = await page.locator(".player b").allInnerTexts();
        assert.ok(clocks.every(text => /^(1:00|0:[1-5]\d)/.test(text)), clocks.join());
        await loseOnTime();
    },
    "Chess960: castling by the king onto its rook": async stage => {
        const page = await stage.open({ at: "#/play" });
        await start(page, { 960: true, array: "518", strength: "700" });
        await type(page, "Nf3");
        await yourTurn(page);
        await page.getByRole("button", { name: "Resign" }).click();
        await page.getByRole("button", { name: "Resign?" }).click();
        await page.keyboard.press("Escape");
        const other = await stage.open({ at: "#/analyse?fen=4k3/8/8/8/8/8/8/1RK3R1_w_GB_-_0_1" });
        await pieces(other, 4);
        await click(other, "c1", "g1");
        await other.locator("section.list").getByText("O-O", { exact: true }).waitFor();
        await type(other, "Ke7");
        await other.keyboard.press("Escape");
        await waitForLine(other, 4);
    },
    "opponents have names, ratings and a sentence each; newcomers are offered the lowest": async stage => {
        const page = await stage.open({ at: "#/play" }), choice = page.locator("#play-strength");
        assert.equal(await choice.inputValue(), "700");
        assert.deepEqual(await choice.locator("option").allInnerTexts(), ["Ada, about 700", "Ben, about 800", "Clara, about 900",
            "David, about 1000", "Emma, about 1200", "Felix, about 1400", "Greta, about 1600", "Hugo, about 1800", "Ida, master",
            "Luft, full strength"]);
        const seen = new Set();
        for (const value of await choice.locator("option").evaluateAll(options => options.map(option => option.value))) {
            await choice.selectOption(value);
            seen.add(await page.locator("#play-sees").innerText());
        }
        assert.equal(seen.size, 10);
        for (const words of seen) assert.match(words, /For |To see how/);
        await choice.selectOption("1600");
        assert.doesNotMatch(await page.locator("#play-sees").innerText(), /Elo/);
        await page.locator("#play-sees").getByText("nearer to 2100").waitFor();
        await start(page, { strength: "1000", odds: "knight" });
        assert.deepEqual((await page.locator(".player .name").allInnerTexts()).map(text => text.trim().replace(/\s+/g, " ")),
                         ["David (Luft, about 1000, without a knight)", "You ♘ +3 3 ahead in material"]);
    },
    "a level plays by the options of the engine, with one seed for a game; hints come from full strength": async stage => {
        const context = await stage.context();
        await context.addInitScript(() => {
            const post = Worker.prototype.postMessage;
            globalThis.levels = [];
            Worker.prototype.postMessage = function (message, ...rest) {
                if (message.what === "go") globalThis.levels.push(message.args.options);
                return post.call(this, message, ...rest);
            };
        });
        const page = await stage.open({ at: "#/play", context });
        const asked = () => page.evaluate(() => globalThis.levels.splice(0));
        await start(page, { strength: "1200" });
        await type(page, "e4");
        await yourTurn(page);
        const [level] = await asked();
        assert.equal(level.UCI_Elo, 1529); // (1200 - 350) / 0.556
        await page.getByRole("button", { name: "Hint" }).click();
        await state(page).getByText("Look at the").waitFor();
        assert.deepEqual(await asked(), [{}]);
        await page.reload();
        await page.locator("#play-moves li").nth(1).waitFor();
        await type(page, "a3");
        await page.locator("#play-moves li").nth(3).waitFor();
        assert.deepEqual(await asked(), [level], "the same opponent after a reload");
    },
    "a move made before its turn: by mouse, typed, taken back, not possible": async stage => {
        const context = await stage.context();
        await context.addInitScript(() => { // the engine gets no search until it is let go
            const post = Worker.prototype.postMessage, waiting = [], replies = ["a7a6", "b7b6", "c7c6", "h7h6"];
            Worker.prototype.postMessage = function (message, ...rest) {
                if (message.what === "go") waiting.push(() => {
                    message.args.limits.searchMoves = replies.shift(); // no check, and nothing that is in the way
                    post.call(this, message, ...rest);
                });
                else post.call(this, message, ...rest);
            };
            globalThis.letGo = () => waiting.splice(0).forEach(send => send());
        });
        const page = await stage.open({ at: "#/play", context }), moves = page.locator("#play-moves li");
        const marked = page.locator("cg-board square.current-premove:visible"), letGo = () => page.evaluate(() => globalThis.letGo());
        await start(page);
        await type(page, "e4");
        await click(page, "d2", "d4");
        await state(page).getByText("Premove: d2d4").waitFor();
        assert.equal(await marked.count(), 2);
        await letGo();
        await moves.nth(2).getByText("d4").waitFor();
        await marked.first().waitFor({ state: "detached" });
        await type(page, "Nf3");
        await state(page).getByText("Premove: Nf3").waitFor();
        await letGo();
        await moves.nth(4).waitFor();
        await type(page, "a4");
        await page.getByRole("button", { name: "Cancel the premove" }).click();
        await letGo();
        await yourTurn(page);
        assert.equal(await moves.count(), 6);
        await type(page, "h4");
        await type(page, "Qh8");
        await letGo();
        await page.locator("#spoken").getByText("The premove Qh8 is not possible.").waitFor();
        assert.equal(await moves.count(), 8);
    },
    "on a clock an opponent takes its time, but not all of it": async stage => {
        const page = await stage.open({ at: "#/play" });
        await start(page, { clock: "3+2" });
        await type(page, "e4");
        const began = Date.now();
        await yourTurn(page);
        assert.ok(Date.now() - began > 1500, "at least two fifths of its share");
        const [theirs] = await page.locator(".player b").allInnerTexts();
        assert.match(theirs, /^2:5\d|^3:0[01]/);
    },
    "after the game one tap shows what decided it": async stage => {
        const page = await blunder(stage);
        await page.getByRole("dialog").getByRole("button", { name: "What decided it?" }).click();
        await page.locator("#why #answer").getByText(/Qd4 loses the queen/).first().waitFor();
        assert.match(await page.locator("section.list [aria-current]").innerText(), /^Qd4/);
    },
    "after the game one tap leads to the training on its mistakes": async stage => {
        const page = await blunder(stage);
        await page.getByRole("dialog").getByRole("button", { name: "Learn from your mistakes" }).click();
        await page.locator("#train-place").getByText("Position 1 of 1").waitFor();
        assert.deepEqual([await page.locator("#train-scope").inputValue(), await page.locator("#train-side").inputValue()], ["game", "white"]);
    },
};
