// Games against Luft.

import assert from "node:assert/strict";
import { click, pieces, type, waitForLine } from "./harness.mjs";

const state = page => page.locator("#play-state");
const yourTurn = page => page.waitForFunction(() => /Your turn|won|Draw/.test(document.querySelector("#play-state")?.textContent ?? ""), null, { timeout: 20000 });

async function start(page, choices = {}) {
    for (const [name, value] of Object.entries(choices)) {
        if (name === "960") await page.locator("#play-960").check();
        else if (name === "array") await page.locator("#play-array").fill(value);
        else await page.locator(`#play-${name}`).selectOption(value);
    }
    await page.getByRole("button", { name: "Start the game" }).click();
}

const shownPosition = page => page.locator("details ul").evaluate(list => list.textContent);

export const playing = {
    "with queen odds, move by move, to the end; then the game is analysed": async stage => {
        const page = await stage.open({ at: "#/play" });
        await start(page, { odds: "queen", strength: "nodes-10" });
        assert.ok(!/Black.*queen d8/.test(await shownPosition(page)));
        assert.match(await shownPosition(page), /White: king e1, queen d1/);
        // Hints play for White. The engine gives queen odds and searches ten nodes a move.
        for (let move = 0; move < 120; move++) {
            await yourTurn(page);
            if (/won|Draw/.test(await state(page).innerText())) break;
            await page.getByRole("button", { name: "Hint" }).click();
            await page.waitForFunction(() => /Hint/.test(document.querySelector("#play-state").textContent), null, { timeout: 20000 });
            await type(page, (await state(page).innerText()).replace("Hint: ", ""));
        }
        await page.getByRole("dialog").locator("p", { hasText: "White wins: checkmate" }).waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Analyse this game" }).click();
        await page.locator("section.list button").first().waitFor();
        await page.getByRole("button", { name: "Review the game" }).waitFor();
    },
    "moves by mouse, on a page opened in this view": async stage => {
        const page = await stage.open({ at: "#/play" });
        await start(page, { strength: "nodes-10" });
        for (const [i, [from, to]] of [["e2", "e4"], ["d2", "d4"]].entries()) {
            await pieces(page, 32);
            await click(page, from, to);
            await page.locator("#play-moves li").nth(2 * i + 1).waitFor();
            await yourTurn(page);
        }
    },
    "take back, draw offer, resignation": async stage => {
        const page = await stage.open({ at: "#/play" });
        await start(page, { strength: "nodes-10" });
        await type(page, "e4");
        await yourTurn(page);
        assert.equal(await page.locator("#play-moves li").count(), 2);
        await page.getByRole("button", { name: "Take back" }).click();
        assert.equal(await page.locator("#play-moves li").count(), 0);
        await type(page, "d4");
        await yourTurn(page);
        await page.getByRole("button", { name: "Offer a draw" }).click();
        await state(page).getByText("Luft declines the draw.").waitFor();
        await page.getByRole("button", { name: "Resign" }).click();
        await page.getByRole("button", { name: "Resign?" }).click();
        await page.getByRole("dialog").locator("p", { hasText: "Black wins: resignation" }).waitFor();
    },
    "resigned, taken back, resigned again: each result is shown": async stage => {
        const page = await stage.open({ at: "#/play" });
        const result = page.getByRole("dialog").locator("p", { hasText: "Black wins: resignation" });
        const resign = async () => {
            await page.getByRole("button", { name: "Resign" }).click();
            await page.getByRole("button", { name: "Resign?" }).click();
        };
        await start(page, { strength: "nodes-10" });
        await type(page, "e4");
        await yourTurn(page);
        await resign();
        await result.waitFor();
        await page.keyboard.press("Escape");
        await result.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Take back" }).click();
        await resign();
        await result.waitFor({ timeout: 5000 });
    },
    "as Black, with a clock that runs": async stage => {
        const page = await stage.open({ at: "#/play" });
        await start(page, { color: "black", clock: "1+0" });
        await yourTurn(page);
        assert.equal(await page.locator("#play-moves li").count(), 1);
        await type(page, "e5");
        await yourTurn(page);
        await page.waitForTimeout(1500);
        const clocks = await page.locator(".clocks b").allInnerTexts();
        assert.ok(clocks.every(text => /^0:\d\d/.test(text)), clocks.join());
    },
    "lost on time, taken back: the clocks are restored and run": async stage => {
        const page = await stage.open({ at: "#/play" });
        const loseOnTime = async () => {
            await page.evaluate(() => {
                const now = performance.now.bind(performance);
                performance.now = () => now() + 61_000;
            });
            await page.waitForFunction(() => /Luft won/.test(document.querySelector("#play-state").textContent), null, { timeout: 20000 });
        };
        await start(page, { clock: "1+0", strength: "nodes-10" });
        for (const move of ["e4", "d4"]) {
            await type(page, move);
            await yourTurn(page);
        }
        await loseOnTime();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Take back" }).click();
        assert.equal(await page.locator("#play-moves li").count(), 2);
        const clocks = await page.locator(".clocks b").allInnerTexts();
        assert.ok(clocks.every(text => /^(1:00|0:[1-5]\d)/.test(text)), clocks.join());
        await loseOnTime();
    },
    "Chess960: castling by the king onto its rook": async stage => {
        const page = await stage.open({ at: "#/play" });
        await start(page, { 960: true, array: "518", strength: "nodes-10" });
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
};
