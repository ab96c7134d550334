// The board, the header of a game, lists of games; large letters, low windows, what is seen before the script.

import assert from "node:assert/strict";
import { build } from "vite";
import { GAME, chooseFile, load, manyGames, open, paste, pieces, type, waitForLine } from "./harness.mjs";

const opening = page => page.locator("#opening");
const list = page => page.locator("section.list");
const spoken = page => page.locator("#spoken").innerText();

async function playAll(page, moves) {
    for (const move of moves.split(" ")) await type(page, move);
}

/** The names of openings, compiled as in the page. */
async function openings() {
    const entry = new URL("../src/chess/openings.ts", import.meta.url).pathname;
    const [{ output }] = await build({ configFile: false, logLevel: "error", publicDir: false,
                                       build: { write: false, minify: false, lib: { entry, formats: ["es"] } } });
    return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
}

const chapter = (tags, moves) => `${Object.entries(tags).map(([name, value]) => `[${name} "${value}"]\n`).join("")}\n${moves} *\n\n`;

export const board = {
    "openings: at least 150 names, by position, in two languages": async stage => {
        const { openingNames } = await openings(), english = openingNames("en"), german = openingNames("de");
        assert.ok(english.size >= 150 && german.size === english.size, `${english.size} ${german.size}`);
        for (const name of [...english.values(), ...german.values()]) assert.match(name, /^\p{Lu}[^:|]*(: \p{Lu}[^:|]*)?$/u);
        const page = await open(stage);
        assert.equal(await opening(page).innerText(), "");
        await playAll(page, "c4 Nf6 Nc3 e6 d4 Bb4"); // not the usual order
        await opening(page).getByText("Nimzo-Indian Defence", { exact: true }).waitFor();
        await playAll(page, "Qc2 b6 a3");
        await opening(page).getByText("Nimzo-Indian Defence: Classical Variation").waitFor();
        await page.getByRole("button", { name: "To the start" }).click();
        assert.equal(await opening(page).innerText(), "");
        await paste(page, "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"); // no game led here
        await page.waitForFunction(() => document.querySelectorAll(".holder piece.bishop.white").length === 2
            && document.querySelector('[data-at="b5"]').getAttribute("aria-label") === "b5, white bishop");
        await type(page, "a6");
        await opening(page).getByText("Ruy Lopez: Morphy Defence").waitFor();
        const other = await open(stage, { settings: { language: "de" } });
        await playAll(other, "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6");
        await opening(other).getByText("Sizilianische Verteidigung: Drachenvariante").waitFor();
    },
    "openings: named offline": async stage => {
        const page = await open(stage);
        await page.getByText("works offline").waitFor();
        await page.context().setOffline(true);
        await page.reload();
        await playAll(page, "e4 e6");
        await opening(page).getByText("French Defence").waitFor();
    },
    "the header is next to the board, on a desktop and on a phone, and moves nothing": async stage => {
        for (const viewport of [{ width: 1366, height: 768 }, { width: 390, height: 844 }]) {
            const page = await open(stage, { viewport });
            const header = page.locator("#game-header"), board = page.locator(".board .holder"), unnamed = await header.boundingBox();
            await load(page, GAME.replace('[Result', '[WhiteElo "1812"]\n[Event "Club"]\n[Date "2024.05.06"]\n[Result'));
            await list(page).getByText("Nf3#").waitFor();
            const before = await header.boundingBox();
            if (viewport.width > 800) assert.equal(before.height, unnamed.height); // on a phone it is small while it says nothing
            await page.keyboard.press("End");
            await opening(page).getByText("Italian Game").waitFor();
            for (const text of ["Anna (1812)", "Ben", "0-1", "Club · 2024.05.06"]) assert.ok((await header.innerText()).includes(text), text);
            const [box, frame] = [await header.boundingBox(), await board.boundingBox()];
            assert.equal(box.height, before.height);
            const gap = viewport.width > 800 ? box.x - (frame.x + frame.width) : box.y - (frame.y + frame.height);
            assert.ok(gap >= 0 && gap < 120 && box.y + box.height < viewport.height, `${JSON.stringify(box)} ${JSON.stringify(frame)}`);
            await page.close();
        }
    },
    "the title of the page names the game that is played": async stage => {
        const page = await open(stage, { at: "#/play" });
        await page.getByRole("button", { name: "Start the game" }).click();
        await page.waitForFunction(() => /^Play: (You – .+|.+ – You) – Luft$/.test(document.title));
    },
    "a file of 10,000 games: listed, searched, opened one after the other; the list stays after a reload": async stage => {
        const page = await open(stage), dialog = page.getByRole("dialog"), search = page.locator("#open-search");
        await load(page, GAME); // starts the engine
        await list(page).getByText("Nf3#").waitFor();
        await chooseFile(page, manyGames(10_000), async () => {
            await page.getByText("The file has 10000 games").waitFor();
            await search.fill("muller 9876 0-1");
            await dialog.locator(".choice li").first().waitFor({ state: "detached" });
            await search.fill("muller 9876 1-0");
            assert.match(await dialog.getByRole("button", { name: /Müller 9876/ }).innerText(), /Open 6 · 2024\.01\.21 · 1-0/);
            await dialog.getByRole("button", { name: /Müller 9876/ }).click();
            await list(page).getByText("in two lines").waitFor();
            await page.getByRole("button", { name: "Comment" }).click();
            await page.getByLabel(/^Comment on/).fill("my note");
            // The list stays: its place, its search, and what was added to a game.
            await page.getByRole("button", { name: "Next game" }).click();
            await page.locator("#game-header").getByText("Müller 9877").waitFor();
            await page.getByRole("button", { name: "Game 9878 of 10000" }).click();
            assert.equal(await search.inputValue(), "muller 9876 1-0");
            await search.fill("");
            await dialog.locator("[aria-current]", { hasText: "Müller 9877" }).waitFor();
            await dialog.getByRole("button", { name: /Müller 9876/ }).click();
            await list(page).getByText("my note").waitFor();
            await page.getByRole("button", { name: "New", exact: true }).click();
            assert.equal(await page.getByRole("button", { name: "Next game" }).count(), 0, "a new game is none of the list");
            await load(page, GAME);
            await page.locator("#open-button").click();
            await page.getByRole("button", { name: "The list of 10000 games" }).click();
            await dialog.getByRole("button", { name: /Müller 1 / }).first().click();
            await page.getByRole("button", { name: "Game 2 of 10000" }).waitFor();
        });
        await page.reload(); // the file is gone by now
        await page.getByRole("button", { name: "Game 2 of 10000" }).click();
        await search.fill("muller 9876 1-0");
        await dialog.getByRole("button", { name: /Müller 9876/ }).click();
        await list(page).getByText("my note").waitFor();
        await page.getByRole("button", { name: "Game 9877 of 10000" }).click();
        await page.getByRole("button", { name: "Close the list" }).click();
        await page.locator("#open-text").waitFor();
        await page.reload();
        await list(page).getByText("my note").waitFor();
        assert.equal(await page.getByRole("button", { name: "Next game" }).count(), 0);
    },
    "chapters of studies have their names": async stage => {
        const page = await open(stage), site = "https://lichess.org/study/abcdefgh/ijklmnop";
        await load(page, chapter({ Event: "Endgames: The square rule", Site: site, White: "?", Black: "?", Result: "*" }, "1. e4")
            + chapter({ Event: "Endgames: Réti 1921", Site: site, White: "Réti", Black: "Study", Result: "1-0" }, "1. d4")
            + chapter({ Event: "Endgames: Opposition", StudyName: "Endgames", ChapterName: "Opposition", Result: "*" }, "1. c4"));
        const dialog = page.getByRole("dialog");
        for (const name of ["The square rule", "Réti 1921", "Opposition"]) await dialog.getByRole("button", { name: new RegExp(`^${name}`) }).waitFor();
        await dialog.getByRole("button", { name: /^Opposition/ }).click();
        await list(page).getByText("c4").waitFor();
        assert.equal(await page.title(), "Opposition – Luft");
    },
    "square by square: the keyboard reads the board and moves": async stage => {
        const page = await open(stage), square = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
        const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
        await page.locator(".skip").press("Enter");
        assert.equal(await square(), "e1, white king");
        await press("ArrowUp");
        assert.equal(await square(), "e2, white pawn");
        await press("ArrowDown", "ArrowDown", "n");
        assert.equal(await square(), "g1, white knight");
        await press("Enter");
        assert.match(await spoken(page), /^white knight: (f3, h3|h3, f3)$/);
        await press("ArrowUp", "ArrowUp", "ArrowLeft");
        assert.equal(await square(), "f3, empty, can move here");
        await press("Space");
        await list(page).getByText("Nf3").waitFor();
        assert.equal(await square(), "f3, white knight");
        await press("ArrowUp", "Enter");
        assert.equal(await spoken(page), "Nothing to move here");
        assert.equal(await list(page).locator("[aria-current]").innerText(), "Nf3", "arrow keys do not walk through the game here");
        await press("f"); // the board is turned, and the focus is on the same square
        await press("ArrowUp");
        assert.equal(await square(), "f3, white knight");
        await paste(page, "8/4P1k1/8/8/8/8/6K1/8 w - - 0 1");
        await pieces(page, 3);
        await page.locator(".skip").press("Enter");
        await press("f", "p", "Enter", "ArrowUp", "Enter");
        await page.getByRole("button", { name: "queen", exact: true }).waitFor();
        await press("Tab", "Enter");
        await list(page).getByText("e8=N+").waitFor();
        assert.equal(await square(), "e8, white knight", "the focus is back on the board");
    },
    "evaluations are said": async stage => {
        const page = await open(stage, { settings: { engineOn: true } });
        await paste(page, "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
        await pieces(page, 3);
        await type(page, "Qg2");
        await page.locator("#spoken-value").getByText(/^White (mates in|is better by) \d/).waitFor();
        await page.keyboard.press("Escape");
        await waitForLine(page, 10);
        await page.keyboard.press("s");
        await page.locator("#spoken-value").getByText(/, depth \d+, \S+/).waitFor();
        await load(page, "1. f3 {[%eval -0.6]} e5 {[%eval 0.02]} 2. g4 {[%eval #-1] [%clk 0:01:05]} Qh4#");
        const said = [];
        for (let i = 0; i < 4; i++) {
            await page.getByRole("button", { name: "Forward", exact: true }).click();
            said.push(await spoken(page));
        }
        assert.deepEqual(said, ["1. f3, Black is better by 0.6", "1, Black: e5, The position is even", "2. g4, Black mates in 1", "2, Black: Qh4#, Checkmate"]);
        await page.keyboard.press("s");
        await page.locator("#spoken-value").getByText("White's clock 1:05, Black's unknown").waitFor();
    },
    "the letters and digits of the board are outside its squares, where no piece stands on them": async stage => {
        for (const viewport of [{ width: 1366, height: 768 }, { width: 320, height: 640 }]) {
            const page = await open(stage, { viewport }), board = await page.locator("cg-board").boundingBox();
            const places = await page.locator("coord").evaluateAll(all => all.map(coord => coord.getBoundingClientRect().toJSON()));
            assert.equal(places.length, 16);
            for (const { left, right, top, bottom } of places) {
                assert.ok(right <= board.x + 1 || top >= board.y + board.height - 1, JSON.stringify([left, top, board]));
                assert.ok(left >= 0 && bottom <= viewport.height);
            }
            await page.close();
        }
    },
    "views and menu are one row on the narrowest phone": async stage => {
        for (const language of ["en", "de"]) {
            const page = await open(stage, { viewport: { width: 320, height: 640 }, settings: { language } });
            const [views, menu] = await Promise.all(["nav", ".menu"].map(part => page.locator(`.top ${part}`).boundingBox()));
            assert.ok(menu.x >= views.x + views.width && menu.y < views.y + views.height, JSON.stringify([language, views, menu]));
            assert.ok(menu.x + menu.width <= 320);
        }
    },
    "one board in all views": async stage => {
        const page = await open(stage);
        await page.locator(".board .holder").evaluate(holder => (holder.marked = true));
        for (const view of ["Play", "Explain", "Analyse"]) {
            await page.getByRole("button", { name: view, exact: true }).click();
            assert.deepEqual(await page.locator(".board:not(.small) .holder").evaluateAll(all => all.map(holder => holder.marked)), [true], view);
        }
    },
    "large letters: words and buttons grow, nothing is cut off": async stage => {
        const page = await open(stage), session = await page.context().newCDPSession(page);
        const sizes = () => page.evaluate(() => ["#open-button", "section.list", "nav button", "#move-input", "coords"].map(selector =>
            parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)));
        await type(page, "e4");
        const before = await sizes();
        await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
        const after = await sizes();
        for (const [i, size] of after.entries()) assert.ok(size > 1.9 * before[i], `${i}: ${before[i]}, ${size}`);
        for (const view of ["Play", "Explain", "Analyse"]) {
            await page.getByRole("button", { name: view, exact: true }).click();
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), view);
        }
    },
    "no view is wider than a low or narrow window": async stage => {
        for (const [width, height] of [[320, 640], [683, 384], [740, 360], [390, 844]]) {
            const page = await open(stage, { viewport: { width, height } });
            const fits = async what => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what}, ${width}x${height}`);
            await load(page, GAME);
            await list(page).getByText("Nf3#").waitFor();
            await fits("analyse");
            await page.keyboard.press("p");
            await fits("play");
            await page.getByRole("button", { name: "Start the game" }).click();
            await fits("a game");
            await page.keyboard.press("e");
            for (const tab of ["move", "techniques", "tree"]) {
                await page.locator(`#tab-${tab}`).click();
                await fits(tab);
            }
            for (const key of ["?", ","]) {
                await page.keyboard.press(key);
                await page.getByRole("dialog").waitFor();
                await fits(key);
                await page.keyboard.press("Escape");
            }
            await page.close();
        }
    },
    "the board's frame and words are seen before the script runs, where they will be": async stage => {
        for (const viewport of [{ width: 1366, height: 768 }, { width: 390, height: 844 }, { width: 740, height: 360 }]) {
            const context = await stage.context({ viewport });
            let release;
            const held = new Promise(resolve => (release = resolve));
            await context.route("**/*.js", async route => { await held; await route.continue(); });
            const { url } = await stage.serve(), page = await context.newPage();
            stage.watch(page, url);
            await page.goto(url, { waitUntil: "commit" });
            await page.getByText("A chess engine in your browser").waitFor();
            const frame = await page.locator(".wait").boundingBox();
            release();
            await page.locator("#open-button").waitFor();
            assert.equal(await page.locator(".wait").count(), 0);
            const holder = await page.locator(".board .holder").boundingBox();
            for (const key of ["x", "y", "width"]) assert.ok(Math.abs(frame[key] - holder[key]) < 2, `${key}: ${frame[key]} ${holder[key]}`);
        }
    },
};
