// Untrusted text: it stays text, nothing in it runs, it names no file, and damaged games break nothing.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { build } from "vite";
import { GAME, fen, load, type, waitForLine } from "./harness.mjs";

const MARKUP = `<img src=x onerror="globalThis.caught=1"><script>globalThis.caught=2</script>`;
const HOSTILE = `[Event "${MARKUP.replaceAll('"', '\\"')}"]
[White "${MARKUP.replaceAll('"', '\\"')}"]
[Black "../../../etc/passwd"]
[Site "javascript:globalThis.caught=3"]
[Result "0-1"]

{${MARKUP}} 1. f3 {${MARKUP}} e5 $4 (1... d5 {javascript:globalThis.caught=3}) 2. g4 Qh4# {${MARKUP}} 0-1`;

/** Games of other variants, and games longer than the stack is deep; with the number of plies that are read. */
const ODD = {
    "no kings in another variant": ['[Variant "Antichess"]\n[FEN "8/8/8/8/8/8/8/Q6q w - - 0 1"]\n\n1. Qxh1 *', 0],
    "an empty FEN": ['[FEN ""]\n\n1. e4 e5 *', 2],
    "pieces in hand": ['[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4 *', 4],
    "an unknown variant": ['[Variant "Draughts"]\n\n1. e4 *', 0],
    "names of JavaScript": ['[__proto__ "x"]\n[constructor "y"]\n\n1. e4 *', 1],
    "12,000 plies": ["Nf3 Nf6 Ng1 Ng8 ".repeat(3000), 12000],
    "a thousand variations in each other": ["1. e4 " + "(1. d4 d5 (1... Nf6 ".repeat(500), 1],
};
const CHESS960 = `[FEN "4k3/P6p/8/8/8/8/P6P/R3K2R w KQ - 3 40"]
[SetUp "1"]
[Variant "Chess960"]

{before} 40. a8=Q+ $1 {[%eval 9.5,20] [%clk 0:10:00] [%cal Ga1a8,Rb2b3]} 40... Kd7 ; to the end
41. O-O-O+ $14 (41. O-O) Kc7 *`;
const PIECES = ["{", "}", "(", ")", "[", "]", '"', "\\", ";", "$", "%", "\n", "\r\n\r\n", "*", "1-0", "--", "Z0", "@", "O-O", "e4", "Nf3", "e8=Q",
                "[%eval #-3]", "[%eval 1.5,99]", "[%clk 9:99:99]", "[%csl Ra1]", '[Variant "Atomic"]\n', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n',
                '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"]\n', "<b>", "\0", "\u202e", "\ufeff", "99999999999"];

/** A reproducible generator of numbers below n. */
function numbers(seed) {
    let state = seed;
    return n => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * n); };
}

function damaged(text, below) {
    for (let n = 1 + below(6); n > 0; n--) {
        const at = below(text.length + 1), to = Math.min(text.length, at + below(12));
        const middle = [() => "", () => PIECES[below(PIECES.length)] + text.slice(at, to), () => text.slice(at, to).repeat(2),
                        () => String.fromCharCode(below(128))][below(4)]();
        text = text.slice(0, at) + middle + text.slice(to);
    }
    return text;
}

/** src/chess/pgn.ts, compiled as in the page. */
async function pgnModule() {
    const entry = new URL("../src/chess/pgn.ts", import.meta.url).pathname;
    const [{ output }] = await build({ configFile: false, logLevel: "error", publicDir: false,
                                       build: { write: false, minify: false, lib: { entry, formats: ["es"] } } });
    return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
}

/** The moves of a tree with their NAGs, and with comments if `whole`. */
const content = (node, whole) => node.children.map(child =>
    [child.uci, child.nags, ...(whole ? [child.commentBefore, child.comment] : []), content(child, whole)]);

export const untrusted = {
    "untrusted text stays text": async stage => {
        const page = await stage.open({ acceptDownloads: true });
        await load(page, HOSTILE);
        await page.locator("section.list").getByText("Qh4#").waitFor();
        assert.ok((await page.locator("section.list").innerText()).includes(MARKUP), "the comment is shown as it is");
        await page.keyboard.press("End");
        await page.getByRole("button", { name: "Share" }).click();
        assert.ok((await page.locator("#share-pgn").inputValue()).includes('[Black "../../../etc/passwd"]'));
        const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^Download|file/i }).click()]);
        assert.equal(file.suggestedFilename(), "luft.pgn");
        assert.ok((await readFile(await file.path(), "utf8")).includes(MARKUP));
        await page.keyboard.press("Escape");
        await page.waitForTimeout(1300);
        await page.getByRole("button", { name: "Saved" }).click();
        await page.getByRole("dialog").getByText(MARKUP).waitFor();
        await page.keyboard.press("Escape");
        await load(page, `${HOSTILE}\n\n${HOSTILE}`);
        await page.getByRole("dialog").getByText(MARKUP).first().waitFor();
        assert.deepEqual(await page.evaluate(() => [globalThis.caught, document.querySelectorAll("img[src=x], body script:not([src])").length]),
                         [undefined, 0]);
    },
    "an untrusted link opens a game or shows a message": async stage => {
        const page = await stage.open({ at: "#/analyse?g=%3Cimg%20src=x%3E" });
        await page.getByText("The link could not be read.").waitFor();
        const other = await stage.open({ at: `#/analyse?fen=${encodeURIComponent(`8/8/8/8/8/8/8/${MARKUP}`)}` });
        await other.locator(".notice.error").waitFor();
        await type(other, "e4");
        assert.match(await fen(other), /^rnbqkbnr\/.* b /);
        assert.equal(await other.evaluate(() => globalThis.caught), undefined);
    },
    "the page's policy refuses another base and other targets of forms": async stage => {
        const page = await stage.open();
        const base = await page.evaluate(() => {
            document.head.append(Object.assign(document.createElement("base"), { href: "https://elsewhere.test/" }));
            const form = Object.assign(document.createElement("form"), { action: "./elsewhere" });
            document.body.append(form);
            form.submit();
            return document.baseURI;
        });
        assert.equal(base, page.url());
        await page.waitForTimeout(300);
        assert.equal(page.url(), base);
        assert.deepEqual(stage.faults.splice(0).map(fault => /base-uri|form-action/.exec(fault)?.[0]), ["base-uri", "form-action"]);
    },
    "the address and damaged settings cannot ask for impossible memory": async stage => {
        const context = await stage.context();
        await context.addInitScript(() => localStorage.setItem("luft-settings", JSON.stringify({ hash: 1e9, lines: 1e9, language: "xx" })));
        for (const at of ["?hash=1e9", "?hash=Infinity", "?hash=-8", "?hash=16.5", ""]) {
            const page = await stage.open({ context, at });
            await waitForLine(page, 1);
            await page.getByRole("button", { name: "About" }).click();
            await page.getByText(/, 16 MB of memory/).waitFor();
            await page.close();
        }
    },
    "games of other variants and endless games": async stage => {
        const { readPgn, titleOf, writePgn } = await pgnModule();
        for (const [name, [text, plies]] of Object.entries(ODD)) {
            const [game] = readPgn(text);
            assert.equal(game.tree.mainline.length, plies, name);
            assert.ok(plies > 0 || game.problems.length > 0, name);
            assert.equal(readPgn(writePgn(game.tree))[0]?.tree.mainline.length ?? 0, plies, name);
            titleOf(game.tree);
        }
        const page = await stage.open();
        await load(page, ODD["no kings in another variant"][0]);
        await page.getByText("the start position of the game cannot be read").waitFor();
    },
    "two thousand damaged games are read, written and read again alike": async () => {
        const { readPgn, titleOf, writePgn } = await pgnModule(), below = numbers(1);
        let games = 0;
        for (let i = 0; i < 2000; i++) {
            const text = damaged([GAME, CHESS960][below(2)], below);
            for (const { tree } of readPgn(text)) {
                titleOf(tree);
                if (tree.mainline.length === 0) continue;
                const written = writePgn(tree), again = readPgn(written), why = JSON.stringify([text, written]);
                games++;
                assert.deepEqual(again.map(game => game.problems), [[]], why);
                assert.deepEqual(content(again[0].tree.root), content(tree.root), why);
                // Writing removes braces from comments, so the second reading may find another annotation; the third finds no more.
                const third = readPgn(writePgn(again[0].tree))[0].tree;
                assert.deepEqual(content(third.root, true), content(again[0].tree.root, true), why);
            }
        }
        assert.ok(games > 1000, `${games} games`);
    },
};
