// Nothing is lost: games, signs, drawings, deleted moves, places; on phones, in low windows, in two tabs.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { GAME, idle, load, manyGames, open, paste, pieces, square, type, unfold, waitForLine, withoutServiceWorker } from "./harness.mjs";

const list = page => page.locator("section.list");
const shared = async (page, act) => {
    await page.getByRole("button", { name: "Share" }).click();
    const value = await act();
    await page.keyboard.press("Escape");
    return value;
};
const pgnOf = (page, withReport = true) => shared(page, async () => {
    const report = page.locator("#share-report");
    if (await report.count() > 0) await report.setChecked(withReport);
    return page.locator("#share-pgn").inputValue();
});
const review = async page => {
    await page.getByRole("button", { name: "Review the game" }).click();
    await page.locator("#report-table").waitFor();
};
const drag = async (page, from, to, button = "right") => {
    const [a, b] = [await square(page, from), await square(page, to)];
    await page.mouse.move(a.x, a.y);
    await page.mouse.down({ button });
    await page.mouse.move(b.x, b.y, { steps: 4 });
    await page.mouse.up({ button });
};
/** What a button gives out, as a file. */
async function downloaded(page, button) {
    const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}
const savedPgns = page => page.evaluate(() => new Promise(resolve => {
    const request = indexedDB.open("luft");
    request.onsuccess = () => {
        const all = request.result.transaction("analyses").objectStore("analyses").getAll();
        all.onsuccess = () => resolve(all.result.map(({ pgn }) => pgn).sort());
    };
}));
const yourTurn = page => page.locator("#play-state").getByText("Your turn").waitFor();

/** Waits until the database holds a text. */
async function isSaved(page, text) {
    for (let tries = 0; tries < 600; tries++) {
        if ((await everything(page)).includes(text)) return;
        await page.waitForTimeout(200);
    }
    assert.fail(`${text} is not saved:\n${await everything(page)}`);
}

const OWN_GAME = `[White "Anna"]
[Black "Ben"]
[Result "0-1"]

{[%csl Ge4][%cal Re2e4] look} 1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 $5 {my trap} (3... Bc5 {sound} 4. c3) 4. Nxe5 $1 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1`;

/** A reproducible generator of numbers below n. */
function numbers(seed) {
    let state = seed;
    return n => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * n); };
}

const SEQUENCES = Number(process.env.SEQUENCES ?? 6), ACTIONS = 12;

/** All PGN in the database; "" before the page has made it. */
const everything = page => page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === "luft")) return "";
    return new Promise((resolve, reject) => {
        const request = indexedDB.open("luft");
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
            const all = request.result.transaction("analyses").objectStore("analyses").getAll();
            all.onsuccess = () => {
                request.result.close();
                resolve(all.result.map(({ pgn }) => pgn).join("\n"));
            };
        };
    });
});

const press = async (page, name) => {
    await page.locator("h1").click();
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(name);
};

/** Gives the database no more room, or room again; only Chromium can. */
const setRoom = (page, storage, room) => storage?.send("Storage.overrideQuotaForOrigin", { origin: new URL(page.url()).origin, ...room });

/** What a user may do next, in two tabs, and what happens to them. Each note that is written must be found in the end. */
const ACTS = {
    note: async (page, text) => {
        await press(page, "a");
        if (await page.locator("textarea").count() === 0) await page.getByRole("button", { name: "Comment" }).click();
        await page.locator(".side textarea").press("End");
        await page.locator(".side textarea").pressSequentially(` ${text}`);
        return text;
    },
    move: async (page, _, below) => {
        await press(page, "a");
        await type(page, ["e4", "e5", "d4", "d5", "Nf3", "Nf6", "Nc3", "Nc6", "a3", "a6", "h3", "h6"][below(12)]);
        await page.keyboard.press("Escape");
    },
    walk: async (page, _, below) => press(page, ["ArrowLeft", "ArrowRight", "Home", "End"][below(4)]),
    reload: async page => {
        await page.reload();
        await page.waitForTimeout(500);
    },
    another: async page => {
        await press(page, "a");
        await page.getByRole("button", { name: "New", exact: true }).click();
    },
    views: async page => {
        for (const key of ["e", "p", "a"]) await press(page, key);
        await page.goBack();
        await page.goForward();
    },
    remove: async page => {
        await press(page, "a");
        const button = page.getByRole("button", { name: "Delete from here" });
        if (await button.isDisabled()) return;
        await button.click();
        await page.locator(".notice").getByRole("button", { name: "Undo" }).last().click();
    },
    full: async (page, _, __, storage) => { await setRoom(page, storage, { quotaSize: 1 }); },
    room: async (page, _, __, storage) => { await setRoom(page, storage, {}); },
    kill: async page => { void page.workers()[0]?.evaluate(() => globalThis.close()).catch(() => {}); },
    saved: async (page, _, below) => {
        await press(page, "a");
        await page.getByRole("button", { name: "Saved" }).click();
        await page.waitForTimeout(300);
        const games = page.getByRole("dialog").locator(".grow"), count = await games.count();
        if (count > 0) await games.nth(below(count)).click();
        await page.keyboard.press("Escape");
        await page.waitForTimeout(300);
    },
};

export const keeping = {
    "a game against Luft goes on after a reload, with its clock and its choices": async stage => {
        const page = await open(stage, { at: "#/play" });
        assert.equal(await page.locator("#play-strength").inputValue(), "700", "newcomers are offered the lowest strength");
        assert.equal(await page.locator("#play-strength option:disabled, #play-strength optgroup").count(), 0);
        await page.locator("#play-strength").selectOption("800");
        await page.locator("#play-color").selectOption("black");
        await page.locator("#play-clock").selectOption("10+5");
        await page.getByRole("button", { name: "Start the game" }).click();
        await yourTurn(page);
        await type(page, "d5");
        await page.locator("#play-moves li").nth(2).waitFor();
        const moves = await page.locator("#play-moves").innerText();
        await page.reload();
        await yourTurn(page);
        assert.equal(await page.locator("#play-moves").innerText(), moves);
        assert.match((await page.locator(".player b").allInnerTexts()).join(), /10:0\d/);
        await type(page, "Nf6");
        await page.locator("#play-moves li").nth(4).waitFor();
        await yourTurn(page);
        await page.reload(); // right after Luft's move
        await page.locator("#play-moves li").nth(4).waitFor();
        await page.getByRole("button", { name: "Analyse", exact: true }).click();
        await page.getByRole("button", { name: "Go on with the game against Ben" }).click();
        await page.getByRole("button", { name: "Resign" }).click();
        await page.getByRole("button", { name: "Resign?" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "New game" }).click();
        for (const [name, value] of [["strength", "800"], ["color", "black"], ["clock", "10+5"]])
            assert.equal(await page.locator(`#play-${name}`).inputValue(), value);
        await page.getByRole("button", { name: "Analyse", exact: true }).click();
        await page.getByRole("button", { name: "Saved" }).click();
        await page.getByRole("dialog").getByText("played here").waitFor();
        assert.match(await page.getByRole("dialog").innerText(), /Ben \(Luft, about 800\) – You/);
    },
    "a game against Luft that was left goes on from \"Saved\", in one tab only": async stage => {
        const server = await stage.serve(), context = await idle(stage), page = await stage.open({ server, context, at: "#/play" });
        await page.getByRole("button", { name: "Start the game" }).click();
        await type(page, "e4");
        await yourTurn(page);
        await isSaved(page, "1. e4 ");
        const other = await stage.open({ server, context, at: "#/play" });
        await other.getByRole("button", { name: "Start the game" }).waitFor();
        await other.getByRole("button", { name: "Analyse", exact: true }).click();
        await other.getByRole("button", { name: "Saved" }).click();
        await other.getByRole("button", { name: /not over yet/ }).first().click();
        await other.getByText("is being played in another tab").waitFor();
        await list(other).getByText("e4").waitFor();
        await page.close();
        await other.getByRole("button", { name: "Saved" }).click();
        await other.getByRole("button", { name: /not over yet/ }).first().click();
        await other.locator("#play-moves li").nth(1).waitFor();
    },
    "a game against Luft can be looked back at": async stage => {
        const page = await open(stage, { at: "#/play" });
        await page.getByRole("button", { name: "Start the game" }).click();
        await type(page, "e4");
        await yourTurn(page);
        const at = () => page.locator("#play-moves [aria-current]").innerText();
        await page.locator("h1").click();
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press("ArrowLeft");
        assert.equal(await at(), "e4");
        await page.getByText("You are looking at an earlier position.").waitFor();
        await type(page, "d4"); // no move of the game
        assert.equal(await page.locator("#play-moves li").count(), 2);
        await page.getByRole("button", { name: "Back to the game" }).click();
        await type(page, "d4");
        await page.locator("#play-moves li").nth(2).waitFor();
    },
    "a report leaves the user's signs alone, is saved, and is removed in one step": async stage => {
        const page = await open(stage);
        await load(page, OWN_GAME);
        await list(page).getByText("Nf3#").waitFor();
        const before = await pgnOf(page);
        assert.match(before, /^\{ look \[%csl Ge4\] \[%cal Re2e4\] \} 1\. e4/m);
        await review(page);
        assert.equal(await pgnOf(page, false), before);
        const after = await pgnOf(page);
        assert.match(after, /Nd4 \$5/);
        assert.match(after, /\( \{ Luft \} \d/, "a better line is marked as Luft's");
        const signed = after.match(/\S+ \$[1-7](?: \{[^}]*\})?/g).filter(text => !before.includes(text.split(" {")[0]));
        assert.ok(signed.length > 1);
        for (const text of signed) assert.match(text, /Luft: /, "a sign of the report says that it is Luft's");
        assert.ok(await list(page).locator(".luft").count() > 1 && await list(page).locator(".better").count() > 0);
        assert.equal(await list(page).locator(".value").count(), 13, "each move has its value, but for the mate");
        await page.reload();
        await page.locator("#report-table").waitFor();
        assert.equal(await pgnOf(page), after);
        await unfold(page);
        await page.getByRole("button", { name: "Remove the report" }).click();
        assert.equal(await list(page).locator(".luft").count(), 0);
        assert.equal(await pgnOf(page), before);
        await page.locator(".notice").getByRole("button", { name: "Undo" }).click();
        assert.equal(await pgnOf(page), after);
    },
    "the game on paper: all moves, signs, comments, variations, words of the report, diagrams": async stage => {
        const page = await open(stage), sheet = page.locator(".sheet");
        const paper = async () => {
            await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
            const text = (await sheet.innerText()).replaceAll(/\s+/g, " ");
            const pictures = await sheet.locator("figure").count();
            assert.equal(await sheet.locator("button").count(), 0);
            return { text, pictures };
        };
        const end = () => page.evaluate(() => dispatchEvent(new Event("afterprint")));
        await load(page, OWN_GAME.replace("Bc4", "Bc4 $14"));
        await list(page).getByText("Nf3#").waitFor();
        await list(page).getByText("+=").waitFor();
        const { text, pictures } = await paper();
        assert.match(text, /^Anna – Ben/);
        assert.match(text, /look 1\. e4 e5 2\. Nf3 Nc6 3\. Bc4\+= Nd4!\?/);
        assert.match(text, /\(3… Bc5/);
        assert.match(text, /Nf3# 0-1$/);
        assert.equal(pictures, 1, "what was drawn at the start");
        assert.ok(await sheet.locator("figure piece").count() === 32 && await sheet.locator("figure svg line").count() === 1);
        await page.emulateMedia({ media: "print" }); // does nothing in Firefox
        assert.ok(stage.inFirefox || !await page.locator("main").isVisible());
        await page.emulateMedia({ media: "screen" });
        await end();
        await sheet.waitFor({ state: "detached" });
        await review(page);
        assert.match((await paper()).text, /Luft: .*\(Better \d/);
        await end();
        await load(page, `[Event "Philidor"]\n[SetUp "1"]\n[FEN "4k3/R7/8/3KP3/8/8/7r/8 b - - 0 1"]\n\n{Hold the sixth rank.} 1... Rh6 2. e6 Rh1 *`);
        await list(page).getByText("Rh1").waitFor();
        const exercise = await paper();
        assert.match(exercise.text, /Black to move.*Hold the sixth rank\. 1… Rh6/);
        assert.equal(exercise.pictures, 1, "the position that was set up");
        assert.equal(await sheet.locator(".main").evaluate(moves => getComputedStyle(moves).breakBefore), "page", "the solution is on the back");
        await end();
    },
    "a move that somebody tried comes after the verdict, and can be asked about": async stage => {
        const page = await open(stage), why = page.getByRole("button", { name: "Why?" });
        await load(page, "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Nf3 d6 *");
        await review(page);
        await unfold(page);
        await page.locator("#report-signs").getByText("?? from 20 %").waitFor();
        await list(page).getByRole("button", { name: "Nc6", exact: true }).first().click();
        await type(page, "h3");
        await list(page).locator(".between:has(.words) > p:last-child:not(.better)").getByText("h3", { exact: true }).first().waitFor();
        await why.click();
        await page.locator("#why").getByText("Why h3?").waitFor();
    },
    "the user's sign is on the board, not that of the report": async stage => {
        const page = await open(stage);
        await load(page, OWN_GAME);
        await review(page);
        await list(page).getByRole("button", { name: /^Nd4/ }).click();
        await page.locator(".board .holder svg").getByText("!?", { exact: true }).waitFor();
    },
    "a move in a line of the report becomes the user's when a move follows it": async stage => {
        const page = await open(stage);
        await load(page, GAME);
        await review(page);
        const better = list(page).locator(".better").first();
        await better.getByRole("button").nth(1).click();
        const san = await better.getByRole("button").nth(1).innerText();
        await page.getByRole("button", { name: "Comment" }).click();
        await page.getByLabel(`Comment on ${san}`).fill("mine");
        assert.match(await pgnOf(page, false), new RegExp(`${san.replace(/[+#=]/g, "\\$&")} \\{ mine \\}`));
        await page.keyboard.press("Control+z");
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press("Control+z");
        assert.doesNotMatch(await pgnOf(page, false), /mine/);
    },
    "the same game gives the same report": async stage => {
        const page = await open(stage, { settings: { engineOn: true } });
        await load(page, GAME);
        await review(page);
        const first = await pgnOf(page);
        await page.keyboard.press("End");
        await page.waitForTimeout(1000); // the analysis fills the table
        await page.locator("#line-count").selectOption("4");
        assert.equal(await page.getByRole("button", { name: "Review the game" }).count(), 0, "nothing is new to it");
        await unfold(page);
        await page.getByRole("button", { name: "Remove the report" }).click();
        await review(page);
        await page.locator("section.report progress").waitFor({ state: "detached" });
        assert.equal(await pgnOf(page), first);
    },
    "each sign of a report is what \"Why?\" says, too": async stage => {
        const page = await open(stage), chips = page.getByRole("group", { name: "Mistakes in this game" }).getByRole("button");
        await load(page, `1. e4 e5 2. Nf3 f6 3. a3 Ne7 4. Nxe5 fxe5 5. Qh5+ Ng6 6. Qxe5+ Be7 7. Qxg7 Rf8 8. h3 d5 *`);
        await review(page);
        await page.getByRole("button", { name: "Explain", exact: true }).click();
        const marked = await chips.allInnerTexts();
        assert.ok(marked.length > 3, marked.join());
        for (const [i, text] of marked.entries()) {
            await chips.nth(i).click();
            await page.locator("#answer").waitFor();
            const lost = Number(/Loses (\S+) % of the winning chances/.exec(await page.locator("#answer").innerText())[1]);
            assert.equal(/[?!]+$/.exec(text)[0], lost >= 20 ? "??" : lost >= 10 ? "?" : "?!", `${text}: ${lost} %`);
            assert.ok(lost >= 5, `${text}: ${lost} %`);
            await page.getByRole("button", { name: "New question" }).click();
        }
    },
    "a saved game opens where it was left": async stage => {
        const page = await open(stage), list = page.locator("section.list");
        await load(page, GAME);
        await list.getByText("exf7").or(list.getByText("Nxf7")).first().click();
        await page.getByRole("button", { name: "New", exact: true }).click();
        await page.getByRole("button", { name: "Saved" }).click();
        await page.getByRole("dialog").locator(".choice .grow").first().click();
        await page.locator("section.list [aria-current]").getByText("Nxf7").waitFor();
        await load(page, `[FEN "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"]\n\n{Back rank} *`);
        await page.getByRole("button", { name: "Saved" }).click();
        await page.getByRole("dialog").locator(".choice .grow", { hasText: "Back rank" }).waitFor();
    },
    "saved games are found, leave as one PGN, and come back, each once": async stage => {
        const page = await open(stage, { acceptDownloads: true }), games = manyGames(6).replace("[White \"Müller 3\"]", "[White \"Çelik, A.\"]");
        const saved = page.getByRole("dialog", { name: "Saved analyses" }), list = saved.locator(".choice li");
        const bring = async text => {
            const chosen = { name: "games.pgn", mimeType: "application/x-chess-pgn", buffer: Buffer.from(text) };
            await saved.locator("#saved-bring").setInputFiles(chosen);
        };
        await page.getByRole("button", { name: "Saved" }).click();
        await bring(games);
        await saved.getByText("6 games were saved.").waitFor();
        assert.equal(await list.count(), 6);
        assert.match(await list.first().innerText(), /^Müller 0 – Smith 0/, "in the order of the file");
        await saved.locator("#saved-search").fill("celik OPEN");
        await page.waitForFunction(() => document.querySelectorAll("dialog .choice li").length === 1);
        assert.match(await list.first().innerText(), /^Çelik, A\. – Smith 3/);
        const one = await downloaded(page, saved.getByRole("button", { name: /^Download PGN: Çelik/ }));
        assert.equal(one.name, "Çelik-A-Smith-3-2024-01-04.pgn");
        assert.match(one.text, /\[White "Çelik, A\."\][^]*1\. e4 \{[^]*\( 2\. f4 exf4 \)/);
        await saved.locator("#saved-search").fill("nobody");
        await saved.locator("p.soft").getByText("No saved game has these words.").waitFor();
        await saved.locator("#saved-search").fill("");
        const all = await downloaded(page, saved.getByRole("button", { name: "Download these 6 as one PGN" }));
        assert.match(all.name, /^luft-\d{4}-\d\d-\d\d\.pgn$/);
        await bring(all.text);
        await saved.getByText("No game is new. 6 were there already.").waitFor();
        const other = await open(stage);
        await other.getByRole("button", { name: "Saved" }).click();
        await other.locator("#saved-bring").setInputFiles({ name: "a.pgn", mimeType: "text/plain", buffer: Buffer.from(all.text) });
        await other.getByText("6 games were saved.").waitFor();
        const [here, there] = await Promise.all([page, other].map(savedPgns));
        assert.deepEqual(there, here);
        await bring("nothing of the kind");
        await saved.getByText("This text is neither a game (PGN) nor a position (FEN).").waitFor();
        assert.equal(await list.count(), 6);
    },
    "what is deleted comes back": async stage => {
        const page = await open(stage);
        await load(page, OWN_GAME);
        await list(page).getByRole("button", { name: /^Nd4/ }).click();
        const before = await pgnOf(page);
        await page.getByRole("button", { name: "Delete from here" }).click();
        assert.equal(await list(page).getByText("Nf3#").count(), 0);
        await page.locator(".notice").getByRole("button", { name: "Undo" }).click();
        assert.equal(await pgnOf(page), before);
        await list(page).locator("[aria-current]", { hasText: "Nd4" }).waitFor();
        await page.evaluate(() => document.activeElement.blur());
        for (const key of ["Delete", "Control+z"]) await page.keyboard.press(key);
        assert.equal(await pgnOf(page), before);
        await page.keyboard.press("Control+y");
        assert.equal(await list(page).getByText("Nf3#").count(), 0);
        await page.getByRole("button", { name: "Undo", exact: true }).first().click();
        assert.equal(await pgnOf(page), before);
        // Signs, comments and promotions, step by step.
        await page.getByRole("button", { name: "mistake", exact: true }).click();
        await page.getByRole("button", { name: "Comment" }).click();
        await page.getByLabel("Comment on Nd4").pressSequentially(" and more");
        await list(page).getByRole("button", { name: "Bc5" }).click();
        await page.getByRole("button", { name: "Promote variation" }).click();
        for (let step = 0; step < 3; step++) await page.getByRole("button", { name: "Undo", exact: true }).first().click();
        assert.equal(await pgnOf(page), before);
        await page.getByRole("button", { name: "Saved" }).click();
        await page.getByRole("button", { name: "Delete: Anna – Ben" }).click();
        await page.getByText("Nothing is saved yet.").waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
        await page.getByRole("button", { name: "Delete: Anna – Ben" }).waitFor();
    },
    "what is drawn stays: by mouse and by touch, after a reload, in PGN and links": async stage => {
        const server = await stage.serve(), context = await idle(stage, { hasTouch: true }), page = await stage.open({ server, context });
        await type(page, "e4");
        await drag(page, "g8", "f6");
        await drag(page, "e4", "e4");
        await page.getByRole("button", { name: "Draw arrows and circles" }).click();
        await page.getByRole("button", { name: "Red", exact: true }).click();
        for (const at of ["d7", "d7", "c7"]) { // the second tap removes the first circle
            const { x, y } = await square(page, at);
            await page.touchscreen.tap(x, y);
        }
        assert.match(await pgnOf(page), /1\. e4 \{ \[%csl Ge4,Rc7\] \[%cal Gg8f6\] \}/);
        await page.getByRole("button", { name: "Draw arrows and circles" }).click();
        await page.getByRole("button", { name: "Back", exact: true }).click();
        await page.locator(".cg-shapes :is(line, circle)").first().waitFor({ state: "detached" });
        await drag(page, "d2", "d4");
        await page.getByRole("button", { name: "Forward", exact: true }).click();
        await page.waitForFunction(() => document.querySelectorAll(".cg-shapes :is(line, circle)").length >= 3);
        const address = await shared(page, async () => {
            await page.waitForFunction(() => document.querySelector("#share-link")?.value);
            return page.locator("#share-link").inputValue();
        });
        await page.reload();
        await list(page).getByText("e4").waitFor();
        const pgn = await pgnOf(page);
        assert.match(pgn, /^\{ \[%cal Gd2d4\] \} 1\. e4 \{ \[%csl Ge4,Rc7\] \[%cal Gg8f6\] \}/m);
        const other = await stage.open({ server, context: await idle(stage), at: address.slice(server.url.length) });
        await list(other).locator("[aria-current]", { hasText: "e4" }).waitFor();
        assert.equal(await pgnOf(other), pgn);
    },
    "a link leads to its position, turned, with the engine off, and is saved once": async stage => {
        const server = await stage.serve(), page = await stage.open({ server });
        await load(page, GAME);
        await list(page).getByRole("button", { name: "Qf6" }).click();
        await page.getByRole("button", { name: "Flip the board" }).click();
        const address = await shared(page, async () => {
            await page.locator("#share-quiet").check();
            await page.waitForFunction(() => /engine=off/.test(document.querySelector("#share-link")?.value ?? ""));
            return page.locator("#share-link").inputValue();
        });
        const context = await stage.context(), at = address.slice(server.url.length), pupil = await stage.open({ server, context, at });
        const isThere = async () => {
            await list(pupil).locator("[aria-current]", { hasText: "Qf6" }).waitFor();
            assert.equal(await pupil.locator(".cg-wrap.orientation-black").count(), 1);
            assert.equal(await pupil.locator("#engine-switch").getAttribute("aria-checked"), "false");
        };
        await isThere();
        await type(pupil, "Nf3"); // not legal: 4... Qf6 is Black's
        await type(pupil, "d4");
        await isSaved(pupil, "5. d4");
        await pupil.goto("about:blank");
        await pupil.goto(address);
        await isThere();
        await pupil.getByRole("button", { name: "Saved" }).click();
        await pupil.getByRole("button", { name: /^Delete:/ }).first().waitFor();
        assert.equal(await pupil.getByRole("button", { name: /^Delete:/ }).count(), 1);
        await pupil.keyboard.press("Escape");
        await pupil.locator("#engine-switch").click();
        await pupil.reload();
        assert.equal(await pupil.locator("#engine-switch").getAttribute("aria-checked"), "true", "only the link's own visit is quiet");
    },
    "on a phone: mistake after mistake with the board in view, and a button that stays": async stage => {
        for (const viewport of [{ width: 360, height: 640 }, { width: 390, height: 844 }]) {
            const page = await open(stage, { viewport, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
            await load(page, GAME);
            await review(page);
            await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
            const next = page.getByRole("button", { name: "Next mistake" }), places = [];
            for (let i = 0; i < 3; i++) {
                await next.tap();
                await list(page).locator("[aria-current]").waitFor();
                const box = await page.locator(".board .holder").boundingBox(), button = await next.boundingBox();
                assert.ok(box.y >= -1 && box.y + box.height <= button.y, `the board from ${box.y} to ${box.y + box.height}, the button at ${button.y}`);
                assert.ok(button.height >= 44 && button.y + button.height <= viewport.height);
                places.push(button.y);
            }
            assert.equal(new Set(places).size, 1);
            await page.getByRole("button", { name: "Why?" }).tap();
            await page.locator("#answer").waitFor();
            const [words, left, thumb] = await Promise.all(["#answer .first", "#board", ".thumb"].map(part => page.locator(part).first().boundingBox()));
            assert.ok(words.y >= left.y + left.height - 2 && words.y + words.height <= thumb.y, `the answer from ${words.y}, the board to ${left.y + left.height}`);
        }
    },
    "a message covers no square of the board: on a phone, in a low window, on a desktop": async stage => {
        for (const [width, height] of [[390, 844], [740, 360], [1280, 800]]) {
            const page = await open(stage, { viewport: { width, height } });
            await page.locator(".notice", { hasText: "works offline" }).waitFor();
            const [board, notice] = await Promise.all([".board .holder", ".notice"].map(part => page.locator(part).first().boundingBox()));
            assert.ok(notice.y >= board.y + board.height || notice.x >= board.x + board.width, JSON.stringify([width, board, notice]));
        }
    },
    "a message in a dialog covers none of its buttons": async stage => {
        for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 664 }, { width: 740, height: 360 }]) {
            const page = await open(stage, { viewport }), dialog = page.getByRole("dialog");
            await load(page, GAME);
            await page.getByRole("button", { name: "Saved" }).click();
            await page.getByRole("button", { name: "Delete: Anna – Ben" }).click();
            await dialog.locator(".notice").getByRole("button", { name: "Undo" }).click();
            await page.getByRole("button", { name: "Delete: Anna – Ben" }).click();
            await page.keyboard.press("Escape");
            await page.locator("#open-button").click();
            const notice = await dialog.locator(".notice", { hasText: "was deleted" }).boundingBox();
            for (const button of await dialog.locator(".inside :is(button, input, textarea)").all()) {
                await button.scrollIntoViewIfNeeded();
                const box = await button.boundingBox();
                assert.ok(box.y + box.height <= notice.y + 1, `${await button.innerText()}: ${JSON.stringify([box, notice])}`);
            }
            await page.close();
        }
    },
    "the dialog that shares has one size, while it opens and while one chooses": async stage => {
        const page = await open(stage, { viewport: { width: 390, height: 844 } });
        await load(page, GAME);
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.evaluate(() => {
            globalThis.sizes = new Set();
            const look = () => {
                const inside = document.querySelector("dialog .inside")?.getBoundingClientRect();
                if (inside) globalThis.sizes.add(`${Math.round(inside.width)}x${Math.round(inside.height)}`);
                requestAnimationFrame(look);
            };
            look();
        });
        await page.getByRole("button", { name: "Share" }).click();
        await page.waitForFunction(() => document.querySelector("#share-link").value);
        for (const [id, part] of [["quiet", "engine=off"], ["hide", "hide=1"]]) {
            await page.locator(`#share-${id}`).check();
            await page.waitForFunction(text => document.querySelector("#share-link").value.includes(text), part);
        }
        assert.equal(await page.evaluate(() => globalThis.sizes.size), 1);
    },
    "several games are pasted: the first one opens, the others are offered": async stage => {
        const page = await open(stage);
        await paste(page, `${GAME}\n\n${OWN_GAME}`);
        await page.locator(".notice").getByRole("button", { name: "Show all" }).click();
        await page.getByRole("dialog").getByRole("button", { name: /Anna – Ben/ }).nth(1).click();
        await list(page).getByText("my trap").waitFor();
        await page.locator("#open-button").click();
        await page.getByRole("button", { name: "Another file" }).click();
        await page.locator("#open-text").waitFor();
    },
    "a game has a header, a title and a file name": async stage => {
        const page = await open(stage, { acceptDownloads: true });
        await load(page, '[White "Anna"]\n[WhiteElo "1500"]\n[Black "Ben"]\n[Event "Club"]\n[Date "2024.05.06"]\n\n'
            + "1. f3 {[%clk 0:09:58]} e5 {[%clk 0:09:50]} 2. g4 {[%clk 0:09:30]} Qh4#");
        const header = page.locator("#game-header");
        await header.getByText("Anna (1500)").waitFor();
        await page.keyboard.press("End");
        for (const text of ["9:30", "9:50", "Club", "2024.05.06"]) assert.ok((await header.innerText()).includes(text), text);
        assert.equal(await page.title(), "Anna – Ben – Luft");
        assert.match(await pgnOf(page), /\[Result "0-1"\]/, "the mate is a result");
        await header.click();
        await page.getByLabel("Black", { exact: true }).fill("Zoë");
        await page.keyboard.press("Escape");
        assert.equal(await page.title(), "Anna – Zoë – Luft");
        await page.getByRole("button", { name: "Share" }).click();
        const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^Download/ }).click()]);
        assert.equal(file.suggestedFilename(), "Anna-Zoë-2024-05-06.pgn");
        await page.getByRole("button", { name: "Copy" }).first().click();
        await page.getByRole("dialog").getByText("Copied.").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Undo", exact: true }).first().click();
        assert.equal(await page.title(), "Anna – Ben – Luft");
    },
    "with forced colours the board and what is chosen can be seen": async stage => {
        const page = await open(stage, { forcedColors: "active" });
        await type(page, "e4");
        const style = (selector, name) => page.locator(selector).first().evaluate((box, key) => getComputedStyle(box)[key], name);
        assert.match(await style("cg-board", "backgroundImage"), /conic/);
        assert.doesNotMatch(await style("cg-board square.last-move", "backgroundColor"), /rgba\(0, 0, 0, 0\)/);
        const current = await style("section.list [aria-current]", "backgroundColor"), other = await style("section.list", "backgroundColor");
        assert.notEqual(current, other);
        assert.notEqual(await style('nav [aria-current="page"]', "backgroundColor"), await style("nav button:not([aria-current])", "backgroundColor"));
    },
    "the board fits low and narrow windows": async stage => {
        for (const [width, height] of [[683, 384], [740, 360], [844, 390], [320, 640], [820, 600], [1366, 768], [1920, 1080]]) {
            const page = await open(stage, { viewport: { width, height } });
            await type(page, "e4");
            await list(page).getByText("e4").waitFor();
            const box = await page.locator(".board .holder").boundingBox(), size = `${width}x${height}: ${JSON.stringify(box)}`;
            assert.ok(box.y >= 0 && box.y + box.height <= height + 1 && box.x + box.width <= width, size);
            assert.ok(box.width >= Math.min(250, width - 40), size);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${size} is too wide`);
            await page.close();
        }
    },
    "two tabs with one game: both changes are kept, and seen in both": async stage => {
        const server = await stage.serve(), context = await idle(stage), first = await stage.open({ server, context });
        await type(first, "e4");
        await isSaved(first, "1. e4");
        const second = await stage.open({ server, context });
        await list(second).getByText("e4").waitFor();
        await type(second, "e5");
        await list(first).getByText("e5").waitFor(); // the first tab has no changes of its own: it follows
        // Both change the game within the delay of saving.
        await Promise.all([type(first, "c5"), type(second, "Nf3")]);
        await list(first).getByText("Nf3").waitFor();
        await list(second).getByText("c5").waitFor();
        for (const page of [first, second]) assert.match(await pgnOf(page), /1\. e4 e5 \( 1\.\.\. c5 \) 2\. Nf3/);
        // A deletion in one tab reaches the other, which has changed nothing since.
        await first.waitForTimeout(3000);
        await list(first).getByRole("button", { name: "Nf3" }).click();
        await first.getByRole("button", { name: "Delete from here" }).click();
        await list(second).getByText("Nf3").waitFor({ state: "detached" });
        await second.reload();
        await list(second).getByText("c5").waitFor();
        assert.equal(await list(second).getByText("Nf3").count(), 0);
    },
    "a request to the database that is not answered is made again, and holds up no other": async stage => {
        const context = await idle(stage);
        await context.addInitScript(() => {
            const wait = setTimeout;
            globalThis.lost = 0;
            let isWaiting = false; // the next timer is the patience with a lost request: the scenario has less
            globalThis.setTimeout = (act, time, ...given) => {
                const least = isWaiting ? Math.min(time, 1000) : time;
                isWaiting = false;
                return wait(act, least, ...given);
            };
            globalThis.Worker = class extends Worker {
                #isLost = false;
                constructor(address, options) {
                    super(address, options);
                    this.#isLost = options?.name === "analyses" && globalThis.loses > globalThis.lost;
                    if (this.#isLost) globalThis.lost++;
                    isWaiting = this.#isLost;
                }
                postMessage(...given) { if (!this.#isLost) super.postMessage(...given); }
            };
        });
        const page = await stage.open({ context }), dialog = page.getByRole("dialog");
        await type(page, "e4");
        await isSaved(page, "1. e4");
        await page.evaluate(() => { globalThis.loses = 1; });
        await type(page, "e5");
        await isSaved(page, "1. e4 e5");
        assert.equal(await page.evaluate(() => globalThis.lost), 1);
        await page.evaluate(() => { globalThis.loses = 3; });
        await page.getByRole("button", { name: "Saved" }).click();
        await dialog.getByText("The saved games cannot be read: the browser's storage does not answer.").waitFor();
        await dialog.getByRole("button", { name: "Try again" }).click();
        await dialog.getByRole("button", { name: "Delete: 1. e4 e5" }).waitFor();
        assert.equal(await dialog.getByText("cannot be read").count(), 0);
    },
    "full storage: whoever opens another game is told, and can go back": async stage => {
        const context = await stage.context();
        await withoutServiceWorker(context);
        await context.addInitScript(() => { Storage.prototype.setItem = () => { throw new Error("full"); }; });
        await context.route("**/database.worker*.js", route =>
            route.fulfill({ contentType: "text/javascript", body: 'onmessage = () => postMessage({ error: "full" });' }));
        const page = await stage.open({ context });
        await type(page, "e4");
        await page.getByRole("button", { name: "New" }).click();
        await page.locator(".notice", { hasText: "could not save the game that was open" }).getByRole("button", { name: "Undo" }).click();
        await list(page).locator("[aria-current]", { hasText: "e4" }).waitFor();
        const asked = page.waitForEvent("dialog");
        void page.close({ runBeforeUnload: true });
        const question = await asked;
        assert.equal(question.type(), "beforeunload");
        await question.dismiss();
    },
    "the end of a game fills the bar of chances, and pieces do not glide where motion is unwanted": async stage => {
        const page = await open(stage, { reducedMotion: "reduce" });
        for (const move of ["f3", "e5", "g4", "Qh4#"]) await type(page, move);
        await page.getByRole("img", { name: "White wins 0 %, draw 0 %, Black wins 100 %" }).waitFor();
        await page.getByRole("button", { name: "To the start" }).click();
        const glides = await page.evaluate(() => {
            [...document.querySelectorAll("button")].find(button => button.getAttribute("aria-label") === "To the end").click();
            return new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() =>
                resolve(document.querySelectorAll("piece.anim").length))));
        });
        assert.equal(glides, 0);
        await pieces(page, 32);
    },
    "a position of an analysis is played on, and the analysis stays": async stage => {
        const page = await open(stage);
        await paste(page, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        await pieces(page, 3);
        await page.getByRole("button", { name: "Play from here" }).click();
        await page.getByText("The game begins with the position on the board.").waitFor();
        assert.equal(await page.locator("#play-odds").count(), 0);
        await pieces(page, 3);
        await page.getByRole("button", { name: "Start the game" }).click();
        await type(page, "e4");
        await page.locator("#play-moves li").nth(1).waitFor();
        await page.getByRole("button", { name: "Analyse", exact: true }).click();
        await pieces(page, 3);
        assert.equal(await list(page).getByText("e4").count(), 0);
    },
    "nothing is lost in random sequences of what people do in two tabs": async stage => {
        const lost = [];
        for (let seed = 1; seed <= SEQUENCES; seed++) {
            const below = numbers(seed), context = await idle(stage), server = await stage.serve(), done = [], notes = [];
            const pages = [await stage.open({ server, context }), await stage.open({ server, context })];
            const storage = stage.inFirefox ? undefined : await context.newCDPSession(pages[0]);
            try {
                for (let i = 0; i < ACTIONS; i++) {
                    const tab = below(2), names = ["note", "note", "note", "move", "move", ...Object.keys(ACTS)], name = names[below(names.length)];
                    done.push(`${name}${tab}`);
                    const note = await ACTS[name](pages[tab], `note${seed}x${i}x`, below, storage);
                    if (note) notes.push(note);
                }
                await setRoom(pages[0], storage, {});
                for (const page of pages) await page.reload();
                for (const note of notes) await isSaved(pages[0], note);
            } catch (error) {
                lost.push(`seed ${seed}: ${done.join(" ")}\n${error.message}`);
            }
            await context.close();
        }
        assert.deepEqual(lost, []);
    },
    "what the analysis has found is there again after a reload, at once": async stage => {
        const context = await stage.context(), page = await stage.open({ context });
        await load(page, GAME);
        const go = async () => { // to a position without a quick mate
            await page.keyboard.press("Home");
            for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
        };
        await go();
        await waitForLine(page, 16); // by then both lines of some depth from 14 on were there at once
        await page.keyboard.press("Home"); // the position is left, and the page closes before the database has it
        await page.reload();
        await page.locator("section.list").getByText("Nf3#").waitFor();
        await page.evaluate(() => { // the search may be as deep soon
            globalThis.seen = [];
            const note = () => globalThis.seen.push(document.querySelector("#engine-facts").textContent);
            new MutationObserver(note).observe(document.querySelector("section.lines"), { subtree: true, childList: true, characterData: true });
        });
        await go();
        await page.waitForFunction(() => globalThis.seen.some(text => /Depth \d\d.* kept from /.test(text)));
        const rows = () => page.evaluate(() => new Promise(resolve => {
            indexedDB.open("luft").onsuccess = ({ target: { result } }) => {
                result.transaction("lines").objectStore("lines").getAll().onsuccess = event => { result.close(); resolve(event.target.result); };
            };
        }));
        await page.waitForFunction(() => !localStorage.getItem("luft-left-lines"));
        const row = (await rows()).find(({ lines: [first] }) => first.depth >= 14);
        assert.match(row.id, /^\S+ [wb] \S+ \S+$/);
        assert.match(row.net, /\.nnue$/);
        assert.ok(row.version && row.date > 0);
        for (const name of ["depth", "nodes", "bound", "score"]) assert.ok(Number.isFinite(row.lines[0][name]), name);
        assert.match(row.lines[0].line[0], /^[a-h][1-8][a-h][1-8]/);
        await page.evaluate(() => localStorage.setItem("luft-left-lines", '[{"id":"x","lines":[{}]}, 5, null]')); // damaged
        await page.reload();
        await waitForLine(page, 2);
    },
};
