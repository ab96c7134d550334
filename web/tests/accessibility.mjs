// Accessibility: keyboard, screen reader, small screens, contrast.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { BLUNDER, GAME, idle, load, manyGames, open, pieces, type, waitForLine } from "./harness.mjs";

const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** Violations of WCAG 2.1 A and AA and of axe's best practices. */
async function violations(page) {
    await page.evaluate(axe);
    return page.evaluate(async () => {
        const { violations: found } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
        return found.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(" ")).slice(0, 3).join(" | ")}`);
    });
}

const VIEWS = {
    analyse: async page => {
        await load(page, GAME);
        await page.keyboard.press("End");
        await page.keyboard.press("ArrowLeft");
        await waitForLine(page, 4);
    },
    "analyse with its report": async page => {
        await load(page, GAME);
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.locator("#report-table").waitFor();
    },
    "analyse with what is going on": async page => {
        await load(page, BLUNDER);
        await page.locator("#overview-switch").click();
        await page.locator("#overview").getByText("threatens").waitFor();
    },
    lessons: async page => {
        await page.keyboard.press("o");
        await page.locator("#lessons a").nth(7).waitFor();
    },
    "a lesson": async page => {
        await VIEWS.lessons(page);
        await page.locator("#lessons a").nth(7).click();
        await page.locator("#reveal").click();
        await page.locator("#next-step").click();
        await page.locator("#tree-details").waitFor();
    },
    "a lesson's match": async page => {
        await VIEWS["a lesson"](page);
        await page.getByRole("button", { name: "What is it worth?" }).click();
        await page.locator("#match-button").click();
        await page.locator("#match").waitFor();
        await page.locator("#match-button").click();
    },
    training: async page => {
        await load(page, GAME);
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.getByRole("button", { name: "Learn from your mistakes" }).click();
        await page.locator("#train-hint-button").click();
        await page.locator("#train-hint").waitFor();
        await page.getByRole("button", { name: "Show the solution" }).click();
        await page.locator("#train-next").waitFor();
    },
    weaknesses: async page => {
        await VIEWS.training(page);
        await page.locator("#train-scope").selectOption("all");
        await page.locator("#weaknesses").click();
        await page.locator(".weaknesses table").first().waitFor();
    },
    play: async page => {
        await page.keyboard.press("p");
        await page.getByRole("button", { name: "Start the game" }).waitFor();
    },
    "a game": async page => {
        await page.keyboard.press("p");
        await page.locator("#play-clock").selectOption("5+3");
        await page.getByRole("button", { name: "Start the game" }).click();
        await type(page, "e4");
        await page.getByText("Your turn").waitFor(); // at 5+3 Luft may think for half a minute
    },
    "explain a move": async page => {
        await load(page, BLUNDER);
        await page.locator(".top").click({ position: { x: 1, y: 1 } }); // away from every control
        await page.keyboard.press("e");
        await page.getByRole("button", { name: "Qd4", exact: true }).click();
        await page.locator("#answer").waitFor();
    },
    techniques: async page => {
        await page.keyboard.press("e");
        await page.locator("#tab-techniques").click();
        await page.getByRole("switch", { name: /^futility/ }).click();
        await page.locator("#try-without").click();
        await page.locator("#comparisons").waitFor();
    },
    "search tree": async page => {
        await page.keyboard.press("e");
        await page.locator("#tab-tree").click();
        await page.locator("#grow-tree").click();
        await page.locator("#tree-details").waitFor();
    },
    "a list of games": async page => {
        await load(page, `${GAME}\n\n${GAME.replace("Anna", "Cleo")}`);
        await page.locator(".choice").waitFor();
    },
    settings: async page => page.keyboard.press(","),
    keys: async page => page.keyboard.press("?"),
    open: async page => page.locator("#open-button").click(),
    editor: async page => page.getByRole("button", { name: "Set up", exact: true }).click(),
    "other sites": async page => {
        await page.locator("#open-button").click();
        await page.getByRole("button", { name: "Lichess and chess.com" }).click();
        await page.locator("#remote-player").waitFor();
    },
    share: async page => page.getByRole("button", { name: "Share" }).click(),
    "the game": async page => page.locator("#game-header").click(),
    saved: async page => {
        await page.getByRole("button", { name: "Saved" }).click();
        await page.locator("#saved-bring").setInputFiles({ name: "a.pgn", mimeType: "text/plain", buffer: Buffer.from(manyGames(6)) });
        await page.locator("#saved-search").waitFor();
    },
    "nothing to practise": async page => {
        await page.getByRole("button", { name: "Train", exact: true }).click();
        await page.locator("#train-ways").waitFor();
    },
    about: async page => page.getByRole("button", { name: "About" }).click(),
};

const small = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

const LOOKS = [{ colorScheme: "light", forcedColors: "none" }, { colorScheme: "dark", forcedColors: "none" },
               { colorScheme: "light", forcedColors: "active" }, { colorScheme: "dark", forcedColors: "active" }];

const checks = Object.fromEntries(Object.keys(VIEWS).flatMap(name => [["desktop", {}], ["phone", small]].map(([device, options]) =>
    [`axe: ${name}, ${device}`, async stage => {
        // The page's content security policy would refuse to run axe.
        const context = await idle(stage, { bypassCSP: true, reducedMotion: "reduce", settings: { engineOn: true }, ...options });
        const page = await stage.open({ context });
        await waitForLine(page, 1);
        await VIEWS[name](page);
        for (const look of LOOKS) {
            await page.emulateMedia(look);
            assert.deepEqual(await violations(page), [], JSON.stringify(look));
        }
    }])));

/** Spreads two fingers on an element. */
async function pinch(page, element) {
    await element.scrollIntoViewIfNeeded();
    const box = await element.boundingBox(), session = await page.context().newCDPSession(page);
    const touch = (type, apart) => session.send("Input.dispatchTouchEvent", { type, touchPoints: apart === undefined ? []
        : [-apart, apart].map((dy, id) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 + dy, id })) });
    await touch("touchStart", 30);
    for (let apart = 40; apart <= 100; apart += 10) await touch("touchMove", apart);
    await touch("touchEnd");
    await session.detach();
}

export const accessibility = {
    ...checks,
    "by keyboard alone: moves, walking, explaining, help": async stage => {
        const page = await stage.open();
        await waitForLine(page, 4);
        const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
        await press("m");
        for (const move of ["e4", "e7e5", "Nf3"]) {
            await page.keyboard.type(move);
            await press("Enter");
        }
        assert.equal(await page.locator("#spoken").innerText().then(text => text.split(",")[0]), "2. Nf3");
        await press("Escape", "ArrowLeft", "ArrowLeft");
        assert.match(await page.locator("#spoken").innerText(), /^1\. e4/);
        await press("End", "3");
        await page.waitForFunction(() => document.querySelectorAll("section.lines ol li").length === 3);
        await press("Enter");
        assert.equal(await page.locator("section.list .pair").count(), 2);
        await press("Delete", "f", "?");
        await page.getByRole("dialog").getByText("Type a move").waitFor();
        await press("Escape", "x");
        await page.locator("#answer").waitFor();
        await press("p");
        await page.getByRole("button", { name: "Start the game" }).waitFor();
        for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement?.textContent === "Start the game")); i++) await press("Tab");
        await press("Enter");
        await page.getByText("Your turn").waitFor();
    },
    "a key right after Escape is not lost": async stage => {
        const page = await stage.open();
        await type(page, "e4");
        await page.keyboard.press("Escape");
        await page.keyboard.press("?");
        await page.getByRole("dialog").waitFor();
        // Both happen before the dialog's close event.
        await page.evaluate(() => {
            document.querySelector("dialog").close();
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "x", bubbles: true }));
        });
        await page.locator("#answer").waitFor();
    },
    "keys of one letter can be switched off: speech input types letters": async stage => {
        const page = await stage.open({ context: await idle(stage, { settings: { letters: false } }) });
        await page.locator("#play-first").waitFor();
        for (const key of ["p", "e", "?", "m"]) await page.keyboard.press(key);
        assert.equal(await page.locator("nav [aria-current]").innerText(), "Analyse");
        assert.equal(await page.locator("dialog").count(), 0);
        await page.locator("#board [data-at=e1]").focus();
        await page.keyboard.press("n");
        assert.equal(await page.evaluate(() => document.activeElement.dataset.at), "e1", "on the board neither");
        await page.getByRole("button", { name: "Settings" }).click();
        await page.getByLabel("Keys of one letter as shortcuts").check();
        await page.keyboard.press("Escape");
        await page.keyboard.press("p");
        await page.getByRole("button", { name: "Start the game" }).waitFor();
    },
    "Space and Enter press the focused control": async stage => {
        const page = await stage.open();
        await waitForLine(page, 4);
        const engine = () => page.locator("#engine-switch").getAttribute("aria-checked");
        const list = page.locator(".left details"), opens = () => list.evaluate(details => details.open);
        for (const [key, open] of [["Space", true], ["Enter", false]]) {
            await list.locator("summary").press(key);
            assert.equal(await opens(), open, key);
        }
        await page.locator(".skip").press("Enter");
        assert.equal(await page.evaluate(() => document.activeElement.role), "gridcell");
        await page.getByRole("button", { name: "Explain", exact: true }).click();
        await page.locator("#tab-techniques").click();
        const technique = page.getByRole("switch", { name: /^futility/ });
        await technique.press("Space");
        assert.equal(await technique.isChecked(), false);
        await page.getByRole("button", { name: "Analyse", exact: true }).click();
        assert.equal(await engine(), "true");
        assert.equal(await page.locator("section.list .pair").count(), 0, "no move was played");
        await page.locator("h1").click();
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press("Space");
        assert.equal(await engine(), "false");
    },
    "the focus returns to where it was before a dialog": async stage => {
        const page = await stage.open();
        await page.locator("#open-button").press("Enter");
        await page.locator("#open-text").fill(GAME);
        await page.getByRole("button", { name: "Load" }).press("Enter");
        await page.locator("section.list").getByText("Nf3#").waitFor();
        await page.waitForFunction(() => document.activeElement.id === "open-button");
    },
    "the focus is never lost: where its element goes, what was around it has it": async stage => {
        const page = await open(stage);
        const focused = () => page.evaluate(() => {
            const element = document.activeElement;
            return element === document.body ? "nothing" : element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText;
        });
        const press = async (name, now) => {
            await page.getByRole("button", { name, exact: true }).press("Enter");
            await page.waitForFunction(() => document.activeElement !== document.body);
            if (now) assert.equal(await focused(), now, name);
        };
        await press("Comment", "Comment on the position");
        await page.keyboard.type("try this");
        await page.keyboard.press("Escape");
        assert.equal(await focused(), "Analyse");
        await press("Open", "Paste a game, a position or an address: PGN, FEN, EPD, UCI moves, a link");
        await page.locator("#open-text").fill(GAME);
        await page.getByRole("button", { name: "Load" }).press("Enter");
        await page.locator("section.list").getByText("Nf3#").waitFor();
        await press("Review the game", "Report");
        await page.locator("#report-table").waitFor();
        assert.equal(await focused(), "Report");
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement.closest(".report") !== null), true, "Tab goes on from there");
        await page.keyboard.press("p");
        await press("Start the game");
        await page.waitForFunction(() => /^e[27], /.test(document.activeElement.getAttribute("aria-label"))); // the pawn before one's king
        await type(page, "e4");
        await page.locator("#play-moves li").nth(1).waitFor();
        await press("Hint");
        await page.getByText(/^Look at the \w+ on \w\d\.$/).first().waitFor();
        await page.waitForFunction(() => document.activeElement.textContent.startsWith("Hint 2 of 3"));
        await press("Resign");
        await press("Resign? Press again");
        await page.getByRole("dialog").getByRole("button", { name: "What decided it?" }).press("Enter");
        await page.locator("#report-table").waitFor();
        assert.notEqual(await focused(), "nothing");
    },
    "what the board shows is said, too: a hint, a move taken back, a game that opens": async stage => {
        const page = await open(stage), said = wanted => page.waitForFunction(
            text => new RegExp(text).test([...document.querySelectorAll("[role=status]")].map(({ textContent }) => textContent).join("\n")),
            wanted);
        await load(page, GAME);
        await said("Anna – Ben, 7 moves");
        await page.keyboard.press("p");
        await page.getByRole("button", { name: "Start the game" }).click();
        await type(page, "e4");
        await page.locator("#play-moves li").nth(1).waitFor();
        await page.getByRole("button", { name: "Hint" }).click();
        await said("Look at the [a-z]+ on [a-h][1-8]\\.");
        await page.getByRole("button", { name: "Hint" }).click();
        await said("The move is [A-Za-z]");
        await page.keyboard.press("s");
        await said("1, Black: .*White to move");
        await page.getByRole("button", { name: "Take back" }).click();
        await said("Taken back. Start position");
    },
    "nothing is said too briefly to be heard: one sentence is joined to the next, the same one comes again, a dialog begins empty": async stage => {
        const page = await open(stage), heard = () => page.evaluate(() => globalThis.heard.splice(0));
        await page.evaluate(() => {
            globalThis.heard = [];
            const note = () => globalThis.heard.push(...[...document.querySelectorAll("#spoken, #spoken-value")]
                .map(region => (region.closest("dialog") ? "dialog: " : "") + region.textContent));
            new MutationObserver(note).observe(document.body, { childList: true, characterData: true, subtree: true });
        });
        await load(page, "1. f3 {[%eval -0.6]} e5 2. g4 Qh4# 0-1");
        await page.locator("#spoken").getByText(/moves/).waitFor({ state: "attached" });
        await page.locator(".skip").press("Enter");
        for (let times = 0; times < 2; times++) {
            await heard();
            await page.keyboard.press("s");
            await page.waitForFunction(() => globalThis.heard.some(text => /No evaluation yet/.test(text)));
        }
        await page.waitForTimeout(1100); // what was said is old by then
        await heard();
        await page.keyboard.press("u");
        await page.getByRole("dialog").getByRole("button", { name: "Empty board" }).click();
        await page.waitForFunction(() => globalThis.heard.includes("dialog: Empty board"));
        assert.deepEqual((await heard()).filter(text => /^dialog: .*(evaluation|moves)/.test(text)), [], "nothing old is said in a dialog");
    },
    "a step to a marked move says why; after a reload Play says its own state, in the title, too": async stage => {
        const page = await open(stage), spoken = page.locator("#spoken");
        await load(page, "1. e4 Nf6 2. Qh5 Nxh5 3. a3 e5 4. b3 d5 0-1");
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.locator("#report-table").waitFor();
        await page.keyboard.press("Escape");
        await page.locator("section.list").getByRole("button", { name: /^e4/ }).first().click();
        for (let ply = 0; ply < 2; ply++) await page.getByRole("button", { name: "Forward", exact: true }).click();
        await spoken.getByText(/^2\. Qh5, (blunder|mistake): (?!Qh5).{5}.*\. Black is better by \d/).waitFor({ state: "attached" });
        await page.getByRole("button", { name: "Play", exact: true }).click();
        assert.equal(await page.title(), "Play – Luft");
        await page.getByRole("button", { name: "Start the game" }).click();
        await page.locator("#move-input").fill("e4");
        await page.locator("#move-input").press("Enter");
        await page.locator("#play-moves li").nth(1).waitFor();
        await page.reload();
        await spoken.getByText(/^You – Ada.*1, Black: \S+\. White to move$/).waitFor({ state: "attached" });
        assert.match(await page.title(), /^Play: You – Ada.* – Luft$/);
    },
    "what was said of another view is gone, and a game that was begun by a key goes on at the board by keys": async stage => {
        const page = await open(stage), said = () => page.locator("#spoken, #spoken-value").allInnerTexts();
        await load(page, GAME);
        await page.locator("#spoken").getByText("Anna – Ben, 7 moves").waitFor({ state: "attached" });
        await page.waitForTimeout(1100);
        await page.keyboard.press("p");
        await page.getByRole("button", { name: "Start the game" }).waitFor();
        assert.deepEqual(await said(), ["", ""]);
        await page.getByRole("button", { name: "Start the game" }).press("Enter");
        await page.waitForFunction(() => document.activeElement.matches("#board [data-at=e2]"));
        assert.match((await said())[0], /White|game/);
        for (const key of ["Enter", "ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
        await page.locator("#play-moves").getByText("e4").waitFor();
    },
    "castling, as people type it": async stage => {
        const page = await stage.open({ at: "#/analyse?fen=r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1" });
        await pieces(page, 6);
        await type(page, "o-o-o");
        await page.locator("section.list").getByText("O-O-O").waitFor();
        await type(page, "0-0");
        await page.locator("section.list").getByText("O-O", { exact: true }).waitFor();
    },
    "an illegal move shows a message": async stage => {
        const page = await stage.open();
        await type(page, "Ke3");
        await page.getByRole("alert").getByText("“Ke3” is not a legal move here.").waitFor();
    },
    "the position as a list": async stage => {
        const page = await stage.open();
        await type(page, "e4");
        await page.getByText("The position as a list").click();
        await page.getByText("pawn a2 b2 c2 d2 f2 g2 h2 e4").waitFor();
    },
    "360 pixels and fingers: nothing is wider than the screen": async stage => {
        const page = await stage.open(small);
        await waitForLine(page, 4);
        // innerWidth grows with what is too wide.
        const narrow = async where => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= small.viewport.width + 1, where);
        const box = await page.locator(".board .holder").boundingBox(), at = (file, rank) =>
            page.touchscreen.tap(box.x + ((file + 0.5) * box.width) / 8, box.y + ((7.5 - rank) * box.height) / 8);
        await at(4, 1);
        await page.waitForTimeout(80);
        await at(4, 3);
        await page.locator("section.list").getByText("e4").waitFor();
        await narrow("analyse");
        for (const dialog of ["editor", "other sites"]) {
            await VIEWS[dialog](page);
            const box = page.locator("dialog .inside");
            await box.locator("#editor-fen, #remote-player").waitFor();
            assert.ok(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), dialog);
            await narrow(dialog);
            await page.keyboard.press("Escape");
        }
        await load(page, GAME);
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.locator("#report-table").waitFor();
        await narrow("report");
        for (const view of ["Play", "Train", "Explain"]) {
            await page.getByRole("button", { name: view, exact: true }).click();
            await narrow(view);
        }
        await page.locator("#tab-tree").click();
        await page.locator("#grow-tree").click();
        await page.locator("#tree-details").waitFor();
        await narrow("tree");
        for (let i = 0; i < 2; i++) await page.locator("#box-1").tap({ position: { x: 30, y: 5 } });
        await page.getByRole("button", { name: "Whole tree" }).tap(); // the second tap opened the node
        const height = () => page.locator(".frame svg").getAttribute("height").then(Number), before = await height();
        await pinch(page, page.locator(".frame"));
        assert.ok(await height() > 1.2 * before, "two fingers zoom");
        for (const button of await page.locator("header button, .under button").all()) {
            if (!(await button.isVisible())) continue;
            const size = await button.boundingBox();
            assert.ok(size.width >= 30 && size.height >= 30, `${await button.innerText()}: ${size.width} x ${size.height}`);
        }
    },
    "settings survive": async stage => {
        const page = await stage.open();
        await page.keyboard.press(",");
        assert.equal(await page.locator("#set-sound").isChecked(), false, "silent at first");
        await page.locator("#set-board").selectOption("green");
        await page.locator("#set-pieces").selectOption("outline");
        await page.locator("#set-theme").selectOption("dark");
        await page.reload();
        assert.deepEqual(await page.evaluate(() => [document.documentElement.dataset.board, document.documentElement.dataset.theme,
            document.documentElement.classList.contains("outline")]), ["green", "dark", true]);
    },
    "moves are said in words where that is chosen; s in the entry box says the clocks": async stage => {
        const page = await open(stage), spoken = page.locator("#spoken");
        await load(page, "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. Nf3 Nc6 5. Be2 Bg4 6. O-O O-O-O 7. Nb5 Rd7 8. c4 a6 9. Nfd4? *");
        await page.getByRole("button", { name: "Settings" }).click();
        await page.locator("#set-moveWords").check();
        await page.keyboard.press("Escape");
        await page.keyboard.press("Home");
        for (const words of ["1. e4", "1, Black: d5", "2. e takes d5", "2, Black: queen takes d5", "3. knight c3", "3, Black: queen a5", "4. knight f3",
            "4, Black: knight c6", "5. bishop e2", "5, Black: bishop g4", "6. castles short", "6, Black: castles long"]) {
            await page.keyboard.press("ArrowRight");
            await spoken.getByText(new RegExp(`^${words.replace(".", "\\.")}($|,)`)).waitFor({ state: "attached" });
        }
        await page.locator("section.list").getByRole("button", { name: "knight f to d4, mistake", exact: true }).click();
        await page.keyboard.press("p");
        await page.locator("#play-clock").selectOption("5+3");
        await page.getByRole("button", { name: "Start the game" }).click();
        await type(page, "s");
        await page.locator("#spoken-value").getByText(/White's clock 5:00/).waitFor({ state: "attached" });
        assert.equal(await page.locator("#move-input").inputValue(), "");
        assert.equal(await page.locator("#move-wrong").count(), 0);
    },
    "moves are typed as they are heard, and the letters of pieces lead to one's own first": async stage => {
        const page = await open(stage), moves = page.locator("section.list");
        for (const [words, san] of [["e4", "e4"], ["d5", "d5"], ["e takes d5", "exd5"], ["Queen takes d5", "Qxd5"], ["knight c3", "Nc3"], ["queen to a5", "Qa5"],
            ["knight g f3", "Nf3"], ["Knight c6.", "Nc6"], ["bishop b5", "Bb5"], ["bishop d7", "Bd7"], ["castles short", "O-O"], ["castles long", "O-O-O"]]) {
            await type(page, words);
            await moves.locator("[aria-current]", { hasText: new RegExp(`^${san}$`) }).waitFor();
        }
        await page.keyboard.press("Escape");
        await page.keyboard.press("b");
        for (const wanted of ["f1", "d8", "h8", "a1", "f1"]) {
            await page.keyboard.press("r");
            assert.equal(await page.evaluate(() => document.activeElement.dataset.at), wanted);
        }
        await page.keyboard.press("Shift+R");
        assert.equal(await page.evaluate(() => document.activeElement.dataset.at), "a1");
        const german = await open(stage, { settings: { language: "de" } });
        await type(german, "Springer f3");
        await german.locator("section.list [aria-current]", { hasText: "Sf3" }).waitFor();
    },
    "while Why? is open, what is said, the board and the bar are of one position": async stage => {
        const page = await open(stage, { settings: { explainNodes: 20_000 } }), spoken = page.locator("#spoken");
        const shown = () => page.locator("details ul").first().evaluate(list => list.textContent);
        await load(page, "1. e4 h5 2. Qxh5 Rxh5 3. Nf3 e5 0-1");
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.locator("#report-table").waitFor();
        await page.locator("section.list").getByRole("button", { name: /^Qxh5/ }).click();
        await page.keyboard.press("x");
        await page.locator("#answer").waitFor();
        await spoken.getByText(/^Before Qxh5\. Qxh5 /).waitFor({ state: "attached" });
        assert.match(await shown(), /White:.*queen d1/);
        const bar = () => page.locator(".bar").getAttribute("aria-label");
        assert.match(await bar(), /White wins [2-7]\d/, "before the move nothing is lost");
        await page.keyboard.press("ArrowRight");
        await spoken.getByText(/^2\. Qxh5$/).waitFor({ state: "attached" });
        assert.match(await shown(), /White:.*queen h5/);
        assert.match(await bar(), /White wins \d\b/, "after it all is");
        await page.keyboard.press("ArrowRight");
        await spoken.getByText(/^2, Black: Rxh5$/).waitFor({ state: "attached" });
        await page.keyboard.press("Home");
        await spoken.getByText("Before Qxh5", { exact: true }).waitFor({ state: "attached" });
        await page.locator("section.list").getByRole("button", { name: /^h5/ }).click(); // the move before: the answer stays
        await spoken.getByText(/^1, Black: h5/).waitFor({ state: "attached" });
        assert.match(await shown(), /White:.*queen d1/);
        await page.locator("section.list").getByRole("button", { name: /^Qxh5/ }).click();
        await spoken.getByText(/^2\. Qxh5/).waitFor({ state: "attached" });
        assert.match(await shown(), /White:.*queen h5/);
    },
};
