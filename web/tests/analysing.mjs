// Opening and saving games, engine lines, variations, the report.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Chess } from "chessops/chess";
import { parseUci } from "chessops/util";
import { GAME, click, fen, idle, lines, load, open, paste, pieces, type, unfold, waitForLine } from "./harness.mjs";

/** The engine's model of the chances, by its own numbers: wins and half the draws at a score. */
function expectedOf(cp, { board }) {
    const source = name => readFileSync(new URL(`../../src/${name}`, import.meta.url), "utf8");
    const value = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };
    const material = [...board].reduce((sum, [, { role }]) => sum + value[role], 0), x = Math.min(Math.max(material, 17), 78) / 58;
    const [alpha, beta] = ["alpha", "beta"].map(name => new RegExp(`\\.${name} = {([^}]+)}`).exec(source("engine/chances.c"))[1].split(",")
        .reduce((sum, term, i) => sum + Number(term) * x ** i, 0));
    const units = cp * Number(/SCORE_UNITS_PER_PAWN = (\d+)/.exec(source("search/score.h"))[1]) / 100;
    const win = 1 / (1 + Math.exp(alpha - beta * units)), loss = 1 / (1 + Math.exp(alpha + beta * units));
    return (1 + win - loss) / 2;
}

export const analysing = {
    "a FEN is pasted": async stage => {
        const page = await stage.open();
        await paste(page, "8/8/8/4k3/8/8/4K3/4R3 w - - 0 1");
        await pieces(page, 3);
        await waitForLine(page, 8);
        assert.equal(await fen(page), "8/8/8/4k3/8/8/4K3/4R3 w - - 0 1");
    },
    "a bad FEN is refused with the engine's reason and the game stays": async stage => {
        const page = await stage.open();
        await type(page, "e4");
        await load(page, "rnbqkbnr/pppppppp/8/8/8/7/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert.match(await page.locator("#open-reason").innerText(), /rank 3 .*7/);
        await page.keyboard.press("Escape");
        assert.match(await fen(page), /4P3.* b KQkq/);
    },
    "a text that is neither game nor position is refused": async stage => {
        const page = await stage.open();
        await load(page, "good morning");
        assert.match(await page.locator("#open-reason").innerText(), /neither a game \(PGN\) nor a position/);
    },
    "a PGN with variations is read and written, and an illegal move is reported": async stage => {
        const page = await stage.open();
        await load(page, GAME);
        await page.locator("section.list").getByText("Bc5").waitFor();
        await page.getByRole("button", { name: "Share" }).click();
        const pgn = await page.locator("#share-pgn").inputValue();
        for (const part of ['[White "Anna"]', "3. Bc4 Nd4 $6 { a trap } ( 3... Bc5 4. c3 Nf6 ( 4... Qf6 5. d4 ) 5. d3 )", "Nf3# 0-1"])
            assert.ok(pgn.includes(part), `${part} in ${pgn}`);
        await page.keyboard.press("Escape");
        await load(page, "1. e4 e5 2. Nf6 Nc6");
        const problem = page.getByText("Problem in the text: line 1, move 2. illegal move 'Nf6'");
        await problem.waitFor();
        await page.locator("section.list").getByText("Not read: Nf6 Nc6").waitFor();
        await load(page, "1. d4 d5 2. c4");
        await page.locator("section.list").getByText("c4").waitFor();
        assert.equal(await problem.count(), 0, "it is about a game that is no longer open");
    },
    "a file with several games: the second one is chosen": async stage => {
        const page = await stage.open();
        await page.locator("#open-button").click();
        const buffer = Buffer.from(`${GAME}\n\n[White "Cleo"]\n[Black "Dan"]\n\n1. d4 d5 *\n`);
        await page.locator('input[type="file"]').setInputFiles({ name: "games.pgn", mimeType: "text/plain", buffer });
        await page.getByRole("button", { name: "Cleo – Dan" }).click();
        await page.locator("section.list").getByText("d5", { exact: true }).waitFor();
    },
    "a link carries the game": async stage => {
        const server = await stage.serve(), page = await stage.open({ server });
        await load(page, GAME);
        await page.getByRole("button", { name: "Share" }).click();
        await page.waitForFunction(() => document.querySelector("#share-link").value);
        const address = await page.locator("#share-link").inputValue();
        const other = await stage.open({ server, at: address.slice(server.url.length) });
        await other.locator("section.list").getByText("Nf3#").waitFor();
    },
    "a game from a link is saved once, and \"back\" and a reload show its current state": async stage => {
        const page = await stage.open({ at: "#/analyse?fen=4k3/P6p/8/8/8/8/P6P/R3K2R_w_KQ_-_0_1" });
        await pieces(page, 8);
        for (const move of ["Kd1", "Kd7"]) await type(page, move);
        await page.getByRole("button", { name: "Explain", exact: true }).click();
        await page.goBack();
        await page.waitForTimeout(500);
        await page.locator("section.list [aria-current]", { hasText: "Kd7" }).waitFor();
        for (let i = 0; i < 2; i++) {
            await page.waitForTimeout(1300);
            await page.reload();
            await page.locator("section.list").getByText("Kd7").waitFor();
        }
        await page.getByRole("button", { name: "Saved" }).click();
        await page.getByRole("button", { name: /^Delete:/ }).first().waitFor();
        assert.equal(await page.getByRole("button", { name: /^Delete:/ }).count(), 1);
    },
    "an analysis is saved, listed and opened again": async stage => {
        const page = await stage.open();
        await load(page, GAME);
        await page.locator("section.list").getByText("Nf3#").waitFor();
        await page.waitForTimeout(1300);
        await page.reload();
        await page.locator("section.list").getByText("Nf3#").waitFor();
        await page.getByRole("button", { name: "New" }).click();
        assert.equal(await page.locator("section.list").getByText("Nf3#").count(), 0);
        await page.getByRole("button", { name: "Saved" }).click();
        await page.getByRole("button", { name: /^Anna – Ben/ }).click();
        await page.locator("section.list").getByText("Nf3#").waitFor();
    },
    "the last move before a reload is saved": async stage => {
        const page = await stage.open();
        await type(page, "e4");
        await page.reload();
        await page.locator("section.list").getByText("e4").waitFor();
        await page.waitForFunction(() => !Object.keys(localStorage).some(key => key.startsWith("luft-left")));
        await page.reload();
        await page.locator("section.list").getByText("e4").waitFor();
    },
    "an analysis that is being saved when the page closes is not lost": async stage => {
        const page = await stage.open();
        await type(page, "e4");
        const left = await page.evaluate(() => {
            [...document.querySelectorAll("button")].find(button => button.textContent.trim() === "New").click();
            dispatchEvent(new Event("pagehide"));
            return Object.entries(localStorage).find(([key]) => key.startsWith("luft-left"))?.[1];
        });
        assert.match(left ?? "nothing", /1\. e4/);
    },
    "opening a game right after a move saves the old analysis": async stage => {
        const page = await stage.open();
        await type(page, "e4");
        await paste(page, GAME);
        await page.locator("section.list").getByText("Nf3#").waitFor();
        await page.getByRole("button", { name: "Saved" }).click();
        await page.getByRole("button", { name: /^Anna – Ben/ }).waitFor();
        assert.equal(await page.getByRole("button", { name: /^1\. e4/ }).count(), 1);
    },
    "closing the page does not restore a deleted analysis": async stage => {
        const page = await stage.open();
        await type(page, "e4");
        await page.evaluate(() => dispatchEvent(new Event("pagehide"))); // into the browser's cache, and back
        await page.getByRole("button", { name: "Saved" }).click();
        await page.getByRole("button", { name: "Delete: 1. e4" }).click();
        await page.getByText("Nothing is saved yet.").waitFor();
        await page.reload();
        await page.waitForFunction(() => !Object.keys(localStorage).some(key => key.startsWith("luft-left"))); // the leftover has been saved
        await page.getByRole("button", { name: "Saved" }).click();
        await page.waitForTimeout(500);
        assert.equal(await page.getByRole("button", { name: "Delete: 1. e4" }).count(), 0);
    },
    "an open analysis that was deleted stays deleted until it changes": async stage => {
        const page = await stage.open();
        await type(page, "e4");
        await page.getByRole("button", { name: "Saved" }).click();
        await page.getByRole("button", { name: "Delete: 1. e4" }).click();
        await page.getByText("Nothing is saved yet.").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Saved" }).click();
        await page.waitForTimeout(500);
        await page.getByText("Nothing is saved yet.").waitFor();
        await page.keyboard.press("Escape");
        await type(page, "e5");
        await page.getByRole("button", { name: "Saved" }).click();
        await page.getByRole("button", { name: "Delete: 1. e4 e5" }).waitFor();
    },
    "a page restored from the cache keeps its newer moves": async stage => {
        const page = await stage.open();
        await type(page, "e4");
        await page.evaluate(() => dispatchEvent(new Event("pagehide"))); // into the browser's cache, and back
        await type(page, "e5");
        await page.waitForTimeout(1300);
        await page.reload();
        await page.locator("section.list").getByText("e5").waitFor();
    },
    "the number of lines changes during a search, and the engine is switched off": async stage => {
        const page = await stage.open();
        await waitForLine(page, 6);
        await page.locator("#line-count").selectOption("5");
        await page.waitForFunction(() => document.querySelectorAll("section.lines ol li").length === 5);
        const moves = await lines(page).evaluateAll(items => items.map(item => item.querySelector("button").textContent));
        assert.equal(new Set(moves).size, 5);
        await page.locator("#line-count").selectOption("1");
        await page.waitForFunction(() => document.querySelectorAll("section.lines ol li").length === 1);
        await page.locator("#engine-switch").click();
        assert.equal(await page.locator("#engine-switch").getAttribute("aria-checked"), "false");
        assert.equal(await page.locator("#engine-facts").innerText(), "");
    },
    "lines and arrows of another position are not shown": async stage => {
        const page = await stage.open(), arrows = page.locator(".cg-shapes line");
        for (const move of ["f3", "e5", "g4"]) await type(page, move);
        await waitForLine(page, 4);
        await arrows.first().waitFor({ state: "attached" });
        await type(page, "Qh4#");
        await page.getByText("Checkmate", { exact: true }).waitFor();
        await page.waitForTimeout(200);
        assert.equal(await arrows.count(), 0);
        await page.getByRole("button", { name: "Back", exact: true }).click();
        await waitForLine(page, 4);
        await page.locator("#engine-switch").click();
        assert.ok(await lines(page).count() > 0, "known lines stay");
        await page.getByRole("button", { name: "Back", exact: true }).click();
        await page.locator("section.list [aria-current]", { hasText: "e5" }).waitFor();
        assert.equal(await lines(page).count(), 0);
        await page.getByRole("button", { name: "Forward", exact: true }).click();
        await lines(page).first().waitFor();
    },
    "the speed is measured during analysis, which then continues": async stage => {
        const page = await stage.open();
        await waitForLine(page, 6);
        await page.getByRole("button", { name: "Settings" }).click();
        await page.getByRole("button", { name: "Measure speed" }).click();
        await page.locator("#bench-result").getByText(/nodes a second/).waitFor();
        await page.keyboard.press("Escape");
        await type(page, "e4");
        await page.waitForFunction(() => /1…/.test(document.querySelector("section.lines ol").textContent));
    },
    "a game from an impossible position is refused with the reason": async stage => {
        const page = await stage.open();
        await load(page, '[FEN "4k3/8/8/P7/PPPPPPPP/8/8/4K3 w - - 0 1"]\n\n1. Kd2 Kd7 *');
        assert.match(await page.locator("#open-reason").innerText(), /White has 9 pawns/);
    },
    "games in other letters, typed moves in other spellings": async stage => {
        const page = await stage.open(), list = page.locator("section.list");
        await load(page, "1. d4 d5 2. Sf3 Sf6 3. Lf4 c5 *");
        await list.getByText("Bf4").waitFor();
        assert.equal(await page.locator(".notice.error").count(), 0);
        await load(page, "1. e4 e5 2. Se2 *"); // a German knight or a Czech bishop
        await page.getByText(/it is unclear in which language 'Se2' names a piece/).waitFor();
        await paste(page, '[FEN "4k3/P6p/8/8/8/8/P6P/R3K2R w KQ - 3 40"]');
        await pieces(page, 8);
        for (const [typed, san] of [["OO", "O-O"], ["kd7", "Kd7"], ["a8(N)", "a8=N"], ["41... kd6", "Kd6"]]) {
            await type(page, typed);
            await list.getByText(san, { exact: true }).waitFor();
        }
        await type(page, "Nb3");
        await page.getByText("“Nb3” is not a legal move here.").waitFor();
        assert.equal(await page.locator("#move-input").inputValue(), "Nb3");
    },
    "files in Latin-1 and UTF-16 are read, and exported as UTF-8": async stage => {
        const page = await stage.open({ acceptDownloads: true });
        const text = '[White "Gießen, Ömer"]\n[Black "?"]\n\n1. e4 {groß} e5 *\n';
        for (const encoding of ["latin1", "utf16le"]) {
            await page.locator("#open-button").click();
            await page.locator('input[type="file"]').setInputFiles({ name: "a.pgn", mimeType: "text/plain", buffer: Buffer.from(text, encoding) });
            await page.locator("section.list").getByText("groß").waitFor();
            await page.getByRole("button", { name: "Share" }).click();
            const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^Download/ }).click()]);
            assert.ok((await readFile(await file.path(), "utf8")).includes('[White "Gießen, Ömer"]'), encoding);
            await page.keyboard.press("Escape");
            await page.getByRole("button", { name: "New" }).click();
        }
        await page.locator("#open-button").click();
        await page.locator('input[type="file"]').setInputFiles({ name: "a.pgn", mimeType: "", buffer: Buffer.from(`1. d4 d5 *${" ".repeat(5e6)}`) });
        await page.getByText("Only the first 4 MB of the file are read.").waitFor();
        await page.locator("section.list").getByText("d5").waitFor();
        await page.locator("#open-button").click();
        await page.locator('input[type="file"]').setInputFiles({ name: "a.pgn.gz", mimeType: "", buffer: Buffer.from([0x1f, 0x8b, 8, 0, 0]) });
        await page.locator("#open-reason").getByText("gzip file").waitFor();
    },
    "the threat": async stage => {
        const page = await stage.open({ at: "#/analyse?fen=6k1/5ppp/8/8/8/8/r4PPP/6K1_w_-_-_0_1" });
        await waitForLine(page, 4);
        await page.getByRole("button", { name: "Threat" }).click();
        await page.waitForFunction(() => /Ra1#/.test(document.querySelector("section.lines ol")?.textContent ?? ""));
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press("Space"); // switches the engine off; its lines still show the threat
        await page.waitForTimeout(300);
        assert.match(await page.locator("section.lines").textContent(), /Ra1#/);
        assert.equal(await page.getByText("is in check, so there is no threat").count(), 0);
    },
    "variations: made, promoted, commented, deleted": async stage => {
        const page = await stage.open();
        for (const move of ["e4", "e5", "Nf3"]) await type(page, move);
        await page.locator("section.list").getByRole("button", { name: "e5" }).click();
        await type(page, "f4");
        await page.getByRole("button", { name: "Comment" }).click();
        await page.getByLabel("Comment on f4").fill("the gambit");
        await page.getByLabel("Comment on f4").press("Tab");
        await page.locator("section.list").getByText("the gambit").waitFor();
        await page.getByRole("button", { name: "Promote variation" }).click();
        await page.getByRole("button", { name: "Share" }).click();
        assert.match(await page.locator("#share-pgn").inputValue(), /1\. e4 e5 2\. f4 \{ the gambit \} \( 2\. Nf3 \)/);
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Delete from here" }).click();
        assert.equal(await page.locator("section.list").getByText("f4").count(), 0);
    },
    "a comment is saved when a move on the board ends its input": async stage => {
        const page = await stage.open();
        await type(page, "e4");
        await page.getByRole("button", { name: "Comment" }).click();
        await page.getByLabel("Comment on e4").pressSequentially("best by test");
        await click(page, "e7", "e5");
        await page.locator("section.list").getByText("e5").waitFor();
        await page.getByRole("button", { name: "Share" }).click();
        assert.match(await page.locator("#share-pgn").inputValue(), /1\. e4 \{ best by test \} e5/);
    },
    "a game is reviewed: accuracy, mistakes, the next mistake": async stage => {
        const page = await open(stage);
        await load(page, GAME);
        await page.evaluate(() => {
            globalThis.told = [];
            new MutationObserver(() => {
                const bar = document.querySelector("section.report progress");
                if (bar) globalThis.told.push([bar.value, bar.nextElementSibling.textContent]);
            }).observe(document.querySelector(".side"), { subtree: true, childList: true, characterData: true, attributes: true });
        });
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.locator("#report-table").waitFor();
        const [white, black] = await page.locator("#report-table tbody tr").evaluateAll(rows =>
            rows.map(row => Number(/(\d+) %/.exec(row.textContent)[1])));
        assert.ok(white < black && black <= 100, `${white} ${black}`);
        const told = await page.evaluate(() => globalThis.told), shares = told.map(([share]) => share);
        assert.deepEqual(shares, shares.toSorted((a, b) => a - b), "the bar only grows");
        assert.ok(told.some(([share, words]) => /^\d of \d mistakes explained$/.test(words) && share > 0.5 && share < 1), "what takes long at the end is seen");
        assert.ok(await page.locator("section.list .nag-4").count() >= 1);
        await page.getByRole("button", { name: "Next mistake" }).click();
        await page.locator("section.list [aria-current] .nag-2, section.list [aria-current] .nag-4, section.list [aria-current] .nag-6").first().waitFor();
        assert.ok(await page.locator("section.report .mark").count() >= 2);
        await unfold(page);
        await page.getByLabel("Only White's mistakes").check(); // White is at the bottom
        for (let i = 0; i < 4; i++) {
            await page.getByRole("button", { name: "Next mistake" }).click();
            assert.equal(await page.locator("section.list .pair [aria-current]").evaluate(move => [...move.parentElement.querySelectorAll("button")].indexOf(move)), 0);
        }
    },
    "in a low window a report leaves the moves their room, and all buttons in view": async stage => {
        for (const [height, isOpen] of [[800, false], [1200, true]]) {
            const page = await stage.open({ context: await idle(stage, { viewport: { width: 1280, height }, settings: { lines: 2 } }) });
            await load(page, GAME);
            await page.getByRole("button", { name: "Review the game" }).click();
            await page.locator("#report-table").waitFor();
            await page.getByRole("button", { name: "Next mistake" }).click();
            assert.equal(await page.getByRole("button", { name: "Remove the report" }).isVisible(), isOpen);
            const { top, bottom } = await page.locator("section.list").evaluate(list => list.getBoundingClientRect());
            assert.ok(bottom - top > 170, `the moves have ${bottom - top} pixels of ${height}`);
            for (const name of ["Next mistake", "Why?", "Learn from your mistakes", "Saved games", "Set up"]) {
                const box = await page.getByRole("button", { name, exact: true }).boundingBox();
                assert.ok(box.y + box.height <= height, `${name} ends at ${box.y + box.height} of ${height}`);
            }
        }
    },
    "a report says who was ahead at the end, and from when on a side was lost": async stage => {
        const page = await open(stage, { settings: { reportNodes: 1000 } });
        await load(page, `[Result "0-1"]\n[FEN "4k3/5ppp/8/8/8/8/4QPPP/4K3 b - - 0 10"]\n\n10... Kd7 11. Qd3+ Kc6 12. Kd2 g6 13. Kc3 g5 0-1`);
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.locator("#decided").getByText("White was ahead when the game ended: the board did not decide it.").waitFor();
        await unfold(page);
        await page.locator("#lost").getByText("From move 10 on Black was lost").waitFor();
    },
    "the report names one better move, and \"Why?\" shows its words at once": async stage => {
        const page = await open(stage);
        await load(page, `[FEN "r1bq1b1r/ppp3pp/2n1k3/3np3/2B5/2N2Q2/PPPP1PPP/R1B1K2R b KQ - 3 8"]\n\n8... Nce7 {mine} 9. d4 c6 10. Bg5 h6
            11. Bxe7 Bxe7 12. O-O-O Rf8 13. Qe4 Rxf2? 14. dxe5 Bg5+ 15. Kb1 Rd2 16. h4 *`);
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.locator("#report-table").waitFor();
        const rows = await page.locator(".between:has(.better)").evaluateAll(all => all.map(row =>
            [row.querySelector(".words")?.lastChild.textContent.trim() ?? "", row.querySelector(".better button").textContent]));
        const named = rows.map(([words, better]) => [/prefers (\S+) by|(\S+) is better|instead of (\S+)/.exec(words)?.slice(1).find(Boolean), better]);
        assert.ok(named.some(([san]) => san), JSON.stringify(rows));
        for (const [san, better] of named) assert.equal(san ?? better, better, JSON.stringify(rows));
        await page.getByRole("button", { name: "Next mistake" }).click();
        const [busy, words, known] = await page.evaluate(async () => {
            const known = [...document.querySelectorAll(".between .words")].map(row => row.lastChild.textContent.trim());
            [...document.querySelectorAll("button")].find(button => button.textContent.trim() === "Why?").click();
            await new Promise(requestAnimationFrame);
            return [document.querySelector("#answer") === null, document.querySelector("#why .known")?.textContent, known];
        });
        if (busy) assert.ok(known.includes(words), `${words}: ${known}`);
    },
    "\"Why?\" is answered next to the board, with the colours of its arrows, and the search folded": async stage => {
        const page = await open(stage), board = () => page.locator("details ul").evaluate(list => list.textContent);
        await load(page, GAME);
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.locator("#report-table").waitFor();
        await page.getByRole("button", { name: "Next mistake" }).click();
        const before = await board();
        await page.getByRole("button", { name: "Why?" }).click();
        await page.locator("#why #answer").waitFor();
        assert.equal(await page.locator("nav [aria-current]").innerText(), "Analyse");
        assert.equal(await page.locator("#why table").count(), 0);
        await page.locator("#answer .legend").getByText("the next move of the line").waitFor();
        assert.notEqual(await board(), before, "the position before the move");
        await page.keyboard.press("ArrowRight");
        await page.locator("#answer [aria-current]").waitFor();
        await page.keyboard.press("Escape");
        await page.locator("#why").waitFor({ state: "detached" });
        assert.equal(await board(), before, "the game goes on where it was");
        await page.locator("section.lines").waitFor();
        await page.getByRole("button", { name: "Why?" }).click();
        await page.locator("#why").getByRole("button", { name: "How the search saw it" }).click();
        assert.equal(await page.locator("nav [aria-current]").innerText(), "Explain");
        assert.equal(await page.locator("#treatment table").isVisible(), false, "folded");
        await page.locator("#treatment summary").click();
        await page.locator("#treatment table").waitFor();
    },
    "the next mistake takes the answer to \"Why?\" along": async stage => {
        const page = await open(stage);
        await load(page, GAME);
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.locator("#report-table").waitFor();
        assert.deepEqual((await page.locator("#report-table td:first-child").allInnerTexts()).map(text => text.trim()), ["White, Anna", "Black, Ben"]);
        await page.getByRole("button", { name: "Next mistake" }).click();
        await page.getByRole("button", { name: "Why?" }).click();
        await page.locator("#why #answer").waitFor();
        const first = await page.locator("#why .head h2").innerText();
        await page.getByRole("button", { name: "Next mistake" }).click();
        await page.waitForFunction(before => ![before, undefined].includes(document.querySelector("#why .head h2")?.innerText), first);
        await page.locator("#why #answer").waitFor();
    },
    "a report's scores jump only where it sees a mistake, and it can be made with more nodes": async stage => {
        const page = await open(stage, { settings: { reportNodes: 3000, explainNodes: 3000 } });
        await load(page, `1. e4 Nf6 2. e5 Nd5 3. d4 d6 4. Nf3 g6 5. Bc4 Nb6 6. Bb3 Bg7 7. Qe2 Nc6 8. O-O O-O 9. h3 a5 10. a4 dxe5 11. dxe5 Nd4 12. Nxd4 Qxd4
            13. Re1 e6 14. Nd2 Nd5 15. Nf3 Qc5 16. Qe4 Qb4 17. Bc4 Nb6 18. b3 Nxc4 19. bxc4 Re8 20. Rd1 Qc5 21. Qh4 b6 22. Be3 Qc6 23. Bh6 Bh8 24. Rd8 Bb7
            25. Rad1 Bg7 26. R8d7 Rf8 27. Bxg7 Kxg7 28. R1d4 Rae8 29. Qf6+ Kg8 30. h4 h5 31. Kh2 Rc8 32. Kg3 Rce8 33. Kf4 Bc8 34. Kg5 1-0`);
        await page.getByRole("button", { name: "Review the game" }).click();
        for (const nodes of ["3000", "12.0 k"]) {
            await page.locator("#report-depth").getByText(`, ${nodes} nodes`).waitFor({ state: "attached", timeout: 900_000 }); // a busy machine needs minutes
            await unfold(page);
            await page.evaluate(() => globalThis.dispatchEvent(new Event("pagehide"))); // saves
            await page.waitForTimeout(1500);
            const { line, verdicts } = await page.evaluate(() => new Promise(resolve => {
                const request = indexedDB.open("luft");
                request.onsuccess = () => {
                    const store = request.result.transaction("analyses").objectStore("analyses").getAll();
                    store.onsuccess = () => resolve(store.result.at(-1).report);
                };
            }));
            assert.equal(verdicts.length, 68);
            for (const [i, { evaluation, nag, loss }] of verdicts.entries()) {
                if (i === 0) continue;
                const change = Math.abs(evaluation.expected - verdicts[i - 1].evaluation.expected);
                if ([2, 4, 6].includes(nag)) assert.ok(Math.abs(change - loss) < 0.06, `move ${i} loses ${loss}, the graph shows ${change}`);
                else assert.ok(change < 0.05, `move ${i} has no sign, the graph shows ${change}`);
            }
            const pos = Chess.default();
            for (const [i, { evaluation: { cp, expected } }] of verdicts.entries()) {
                if (i > 0) pos.play(parseUci(line[i - 1]));
                const chances = cp === undefined ? expected : expectedOf(cp, pos);
                assert.ok(Math.abs(expected - chances) < 0.01, `position ${i}: ${cp} centipawns are ${chances}, the report says ${expected}`);
            }
            if (nodes === "3000") await page.getByRole("button", { name: "Review deeper" }).click();
        }
    },
    "a review that is stopped at once does not start again": async stage => {
        const page = await stage.open();
        await load(page, GAME);
        await page.getByRole("button", { name: "Review the game" }).waitFor();
        await page.evaluate(async () => {
            const press = name => [...document.querySelectorAll("section.report button")]
                .find(button => button.textContent.trim() === name).click();
            press("Review the game");
            await new Promise(resolve => setTimeout(resolve));
            press("Stop");
        });
        await page.waitForTimeout(1000);
        assert.equal(await page.locator("section.report progress").count(), 0);
        await page.getByRole("button", { name: "Review the game" }).waitFor();
    },
    "a review that is stopped does not store its unfinished evaluation": async stage => {
        const page = await open(stage, { settings: { reportNodes: 1e9 } });
        await load(page, GAME);
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.waitForFunction(() => document.querySelector("#engine-ready").textContent);
        await page.waitForTimeout(1000); // the first position takes forever
        await page.getByRole("button", { name: "Stop" }).click();
        await page.waitForTimeout(1000);
        assert.equal(await page.locator("section.report polyline").getAttribute("points"), "");
    },
    "with the engine off the chances are not shown as even, and a game without names takes no place on a phone": async stage => {
        const page = await open(stage, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }), bar = page.locator(".board-row .bar");
        assert.match(await bar.getAttribute("aria-label"), /not known/);
        assert.deepEqual(await bar.locator("div").evaluateAll(all => all.map(({ style }) => style.transform)), ["scaleY(0)", "scaleY(0)"]);
        const [first, header] = await Promise.all(["#play-first", "#game-header"].map(part => page.locator(part).boundingBox()));
        assert.ok(first.y < header.y, "what a newcomer looks for comes first");
    },
    "promotion, by mouse": async stage => {
        const page = await stage.open({ at: "#/analyse?fen=8/4P1k1/8/8/8/8/6K1/8_w_-_-_0_1" });
        await pieces(page, 3);
        await click(page, "e7", "e8");
        await page.getByRole("button", { name: "knight", exact: true }).click();
        await page.locator("section.list").getByText("e8=N+").waitFor();
    },
};
