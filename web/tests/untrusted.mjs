// Untrusted text: it stays text, nothing in it runs, it names no file, and damaged games break nothing.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import { build } from "vite";
import { Luft } from "../../bindings/wasm/luft.mjs";
import { DIST, GAME, fen, load, type, waitForLine } from "./harness.mjs";

const MARKUP = `<img src=x onerror="globalThis.caught=1"><script>globalThis.caught=2</script>`;
const HOSTILE = `[Event "${MARKUP.replaceAll('"', '\\"')}"]
[White "${MARKUP.replaceAll('"', '\\"')}"]
[Black "../../../etc/passwd"]
[Site "javascript:globalThis.caught=3"]
[Result "0-1"]

{${MARKUP}} 1. f3 {${MARKUP}} e5 $4 (1... d5 {javascript:globalThis.caught=3}) 2. g4 Qh4# {${MARKUP}} 0-1`;

/** Games of other variants, and games longer than the stack is deep; with the number of plies that are read, -1: no game. */
const ODD = {
    "no kings in another variant": ['[Variant "Antichess"]\n[FEN "8/8/8/8/8/8/8/Q6q w - - 0 1"]\n\n1. Qxh1 *', -1],
    "an empty FEN": ['[FEN ""]\n\n1. e4 e5 *', 2],
    "pieces in hand": ['[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4 *', -1],
    "other goals": ['[Variant "Three-check"]\n\n1. e4 e5 *', -1],
    "names of JavaScript": ['[__proto__ "x"]\n[constructor "y"]\n\n1. e4 *', 1],
    "12,000 plies": ["Nf3 Nf6 Ng1 Ng8 ".repeat(3000), 10000],
    "a thousand variations in each other": ["1. e4 " + "(1. d4 d5 (1... Nf6 ".repeat(500), 1],
    "German": ["1. d4 d5 2. Sf3 Sf6 3. Lf4 c5 *", 6],
    "figurines": ["1. d4 d5 2. ♘f3 ♞f6 *", 4],
    "a variation before the first move": ["(1. d4 d5) 1. e4 e5 *", 2],
    "other spellings": ['[FEN "4k3/P6p/8/8/8/8/P6P/R3K2R w KQ - 3 40"]\n\n40. OO Kd7 41. a8(Q) *', 3],
};
const CHESS960 = `[FEN "4k3/P6p/8/8/8/8/P6P/R3K2R w KQ - 3 40"]
[SetUp "1"]
[Variant "Chess960"]

{before} 40. a8=Q+ $1 {[%eval 9.5,20] [%clk 0:10:00] [%cal Ga1a8,Rb2b3]} 40... Kd7 ; to the end
41. O-O-O+ $14 (41. O-O) Kc7 *`;
const PIECES = ["{", "}", "(", ")", "[", "]", '"', "\\", ";", "$", "%", "\n", "\r\n\r\n", "*", "1-0", "--", "Z0", "@", "O-O", "e4", "Nf3", "e8=Q",
                "[%eval #-3]", "[%eval 1.5,99]", "[%clk 9:99:99]", "[%csl Ra1]", '[Variant "Atomic"]\n', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n',
                '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"]\n', "<b>", "\0", "\u202e", "\ufeff", "99999999999"];

const linkTo = game => `#/analyse?g=${deflateRawSync(game).toString("base64url")}`;

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

/** Modules of src/chess, compiled as in the page, and the page's engine as their reader. */
async function modules() {
    const compiled = await Promise.all(["pgn", "link", "position", "divide"].map(async name => {
        const entry = new URL(`../src/chess/${name}.ts`, import.meta.url).pathname;
        const [{ output }] = await build({ configFile: false, logLevel: "error", publicDir: false,
                                           build: { write: false, minify: false, lib: { entry, formats: ["es"] } } });
        return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
    }));
    const assets = await readdir(path.join(DIST, "assets")), asset = pattern => readFile(path.join(DIST, "assets", assets.find(name => pattern.test(name))));
    const engine = (await Luft.load(await asset(/^luft-(?!plain).*wasm$/), await asset(/nnue$/))).engine({ UCI_Chess960: true });
    return { ...Object.assign({}, ...compiled), engine, read: text => engine.read(text) };
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
        assert.match(file.suggestedFilename(), /^[a-z0-9-]+\.pgn$/i);
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
        await page.getByText("The link cannot be read").waitFor();
        const other = await stage.open({ at: `#/analyse?fen=${encodeURIComponent(`8/8/8/8/8/8/8/${MARKUP}`)}` });
        await other.locator(".notice.error").waitFor();
        const third = await stage.open({ at: `#/analyse?text=${encodeURIComponent(HOSTILE)}` });
        await third.locator("section.list").getByText("Qh4#").waitFor();
        assert.equal(await third.evaluate(() => globalThis.caught), undefined);
        await type(other, "e4");
        assert.match(await fen(other), /^rnbqkbnr\/.* b /);
        assert.equal(await other.evaluate(() => globalThis.caught), undefined);
    },
    "a link that would freeze the page is refused, or cut": async stage => {
        const page = await stage.open();
        for (const [game, seen] of [
            ["1. e4 " + "(1. d4 d5 (1... Nf6 ".repeat(2000), "a variation cannot be read to its end"],
            ["(".repeat(300000), "no closing parenthesis"],
            [`1. e4 {${"a".repeat(900000)}} e5`, "aaaaa …"],
            [`1. e4 {${"a".repeat(5e6)}} e5`, "holds more than the page opens"],
            ["Nf3 Nf6 Ng1 Ng8 ".repeat(10000), "more moves than the page can show"],
            ["1. e4 " + "(1. d4) ".repeat(100000), "d4"],
            ["1. e4 e5 " + "{a} $1 ".repeat(100000), "e5"],
        ]) {
            await page.evaluate(hash => { location.hash = hash; }, linkTo(game));
            await page.waitForFunction(text => [...document.querySelectorAll("section.list, .notice")].some(box => box.innerText.includes(text)), seen);
            await page.waitForFunction(() => !location.hash.includes("?"));
            for (const notice = page.locator(".notice.stays").first(); await notice.count() > 0;)
                await notice.getByRole("button", { name: "Close" }).click();
        }
        await type(page, "a3");
        await page.locator("section.list [aria-current]", { hasText: "a3" }).waitFor();
    },
    "a game that could not be drawn is not opened again by itself": async stage => {
        const server = await stage.serve(), context = await stage.context(), list = page => page.locator("section.list");
        await context.addInitScript(() => { if (location.href !== "about:blank" && localStorage.getItem("stuck")) globalThis.requestAnimationFrame = () => 0; });
        for (const link of [linkTo("1. e4 e5 2. Nf3"), ""]) {
            const stuck = await stage.open({ server, context, at: "#/analyse" });
            if (!link) {
                await load(stuck, "1. d4 d5 2. Nf3");
                await list(stuck).getByText("Nf3").waitFor();
                await stuck.waitForTimeout(1300); // until it is saved
            }
            await stuck.evaluate(() => localStorage.setItem("stuck", "yes"));
            await stuck.goto("about:blank");
            await stuck.goto(server.url + link);
            await list(stuck).getByText("Nf3").waitFor();
            await stuck.waitForTimeout(1300);
            await stuck.evaluate(() => localStorage.removeItem("stuck"));
            for (let visit = 0; visit < 2; visit++) {
                await stuck.goto("about:blank");
                await stuck.goto(server.url + link);
                await stuck.getByText("could not show this game the last time").waitFor();
                assert.equal(await list(stuck).getByText("Nf3").count(), 0);
            }
            await stuck.getByRole("button", { name: "Saved" }).click();
            await stuck.getByRole("button", { name: link ? /^1\. e4/ : /^1\. d4/ }).first().click();
            await list(stuck).getByText("Nf3").waitFor();
            await stuck.reload();
            await list(stuck).getByText("Nf3").waitFor();
            await stuck.close();
        }
    },
    "a thousand damaged links": async stage => {
        const { linkContent, unpackGame, read, treeOf } = await modules(), below = numbers(2);
        const starts = [linkTo(GAME), linkTo(CHESS960), "#/analyse?fen=4k3/P6p/8/8/8/8/P6P/R3K2R_w_KQ_-_0_1", "#/explain?fen=&g=%",
                        "#/play?g=AA&fen=x"];
        const broken = () => {
            const kind = below(3), start = starts[below(starts.length)];
            if (kind === 0) return damaged(start, below);
            if (kind === 1) return linkTo(damaged([GAME, CHESS960][below(2)], below));
            const bytes = deflateRawSync(GAME);
            for (let n = 1 + below(4); n > 0; n--) bytes[below(bytes.length)] = below(256);
            return `#/analyse?g=${bytes.toString("base64url")}`;
        };
        let games = 0;
        for (let i = 0; i < 1000; i++) {
            const { game, fen } = linkContent(broken());
            const text = fen ?? (game && await unpackGame(game).catch(() => "")) ?? "";
            assert.ok(text.length <= 1 << 20);
            try {
                for (const found of read(text).games) {
                    treeOf(found);
                    games++;
                }
            } catch (error) {
                assert.match(error.message, /^it is /); // a web page, a file of some program
            }
        }
        assert.ok(games > 300, `${games} games`);
        const page = await stage.open();
        for (let i = 0; i < 100; i++) {
            const hash = await page.evaluate(wanted => { location.hash = wanted; return location.hash; }, broken());
            const { game, fen } = linkContent(hash);
            if (game || fen) await page.waitForFunction(old => location.hash !== old, hash);
        }
        await page.getByRole("button", { name: "Analyse", exact: true }).click();
        await page.getByRole("button", { name: "New" }).click();
        await type(page, "e4");
        await page.locator("section.list").getByText("e4").waitFor();
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
        const { read, treeOf, titleOf, titleOfGame, writePgn } = await modules();
        for (const [name, [text, plies]] of Object.entries(ODD)) {
            const { games: [game], problems, lost } = read(text);
            assert.equal(game ? treeOf(game).tree.mainline.length : -1, plies, name);
            if (!game) {
                assert.match(problems[0], /the variant '(Antichess|Crazyhouse|Three-check)' is not chess as we play it/);
                assert.equal(lost, 1);
                continue;
            }
            const { tree, missing } = treeOf(game);
            assert.equal(missing, plies === 10000 ? 2000 : 0, name);
            assert.equal(treeOf(read(writePgn(tree)).games[0]).tree.mainline.length, plies, name);
            assert.equal(titleOf(tree), titleOfGame(game));
        }
        const page = await stage.open();
        await load(page, ODD["no kings in another variant"][0]);
        await page.getByText("the variant 'Antichess' is not chess as we play it").waitFor();
    },
    "the corpus of games and positions is read as by the programs": async () => {
        const { engine, read, treeOf, readMove, uciOf, divide } = await modules();
        const ofTags = /^(tag-(indented|no-opening|word|wrapped)|file-markdown)/; // lines among tags that are none: see below
        const essence = ({ tags, fen, result, line }) => [tags, fen, result, line.map(move => move.uci)];
        const folder = await mkdtemp(path.join(tmpdir(), "luft-reading-"));
        const movesOf = lan => lan.split(" ").filter(move => move);
        try {
            execFileSync("tar", ["xf", new URL("../../tests/e2e/support/reading.tar", import.meta.url).pathname, "-C", folder]);
            const corpus = JSON.parse(await readFile(path.join(folder, "expected.json"), "utf8"));
            for (const [name, expected] of Object.entries(corpus)) {
                const bytes = await readFile(path.join(folder, name));
                if (expected.refused) {
                    let reason = "neither a position nor a game", found = 0;
                    try {
                        found = read(bytes).games.length;
                    } catch (error) {
                        reason = error.message;
                    }
                    assert.ok(found === 0 && reason.includes(expected.refused), `${name}: ${reason}`);
                    continue;
                }
                const { games, problems, lost } = read(bytes);
                for (const [i, game] of games.entries()) {
                    const { tree } = treeOf(game), pos = tree.root.position, wanted = expected.games?.[i];
                    if (expected.positions) assert.equal(game.fen, expected.positions[i], name);
                    if (!wanted) continue;
                    assert.equal(game.result, wanted[1], name);
                    const moves = movesOf(wanted[0]).map(text => {
                        const move = readMove(pos, text);
                        pos.play(move);
                        return uciOf(move);
                    });
                    assert.deepEqual(tree.mainline.map(node => node.uci), moves, name);
                }
                assert.equal(games.length, (expected.games ?? expected.positions).length, name);
                const parts = divide(bytes); // as the page divides large files, which come from programs that know what a tag is
                if (parts.length > 1 && !bytes.includes(0) && !ofTags.test(name))
                    assert.deepEqual(parts.flatMap(range => read(bytes.subarray(...range)).games.map(essence)), games.map(essence), name);
                assert.equal(lost > 0, expected.lost, name);
                const ofVariations = /a variation cannot be read to its end/; // the programs do not look into variations
                const found = [...games.flatMap(game => game.problems), ...problems].filter(line => !ofVariations.test(line));
                assert.equal(found.length, expected.problems.length, `${name}: ${found.join("\n")}`);
                found.forEach((line, n) => assert.ok(line.includes(expected.problems[n]), `${name}: ${line}`));
            }
        } finally {
            await rm(folder, { recursive: true });
            engine.close();
        }
    },
    "four thousand damaged positions: page and engine know the same legal moves": async () => {
        const { engine, read, treeOf, legalMoves, uciOf } = await modules(), below = numbers(3);
        const rows = (await readFile(new URL("../../tests/perft/perft.txt", import.meta.url), "utf8")).split("\n");
        const fens = rows.filter(row => !row.startsWith("#") && row.includes("|")).map(row => row.split("|")[1].trim());
        let positions = 0;
        for (let i = 0; i < 4000; i++) {
            let text = fens[below(fens.length)];
            for (let n = below(4); n > 0; n--) {
                const at = below(text.length);
                text = text.slice(0, at) + "pnbrqkPNBRQK12345678/ wb-KQkqabcdefgh36"[below(39)] + text.slice(at + below(2));
            }
            for (const game of read(text).games) {
                const { root } = treeOf(game).tree, ours = legalMoves(root.position).map(uciOf).toSorted();
                assert.equal(read(root.fen).games[0].fen, game.fen, "what the page shows is read as it is");
                engine.setPosition(game.fen);
                assert.deepEqual(ours, engine.legalMoves.toSorted(), text);
                positions++;
            }
        }
        assert.ok(positions > 1000, `${positions} positions`);
    },
    "two thousand damaged games are read, written and read again alike": async () => {
        const { read, treeOf, titleOf, writePgn } = await modules(), below = numbers(1);
        let games = 0;
        for (let i = 0; i < 2000; i++) {
            const text = damaged([GAME, CHESS960][below(2)], below);
            for (const game of read(text).games) {
                const { tree } = treeOf(game);
                titleOf(tree);
                if (tree.mainline.length === 0) continue;
                const written = writePgn(tree), again = read(written).games.map(game => treeOf(game).tree), why = JSON.stringify([text, written]);
                games++;
                assert.equal(again.length, 1, why);
                assert.deepEqual(content(again[0].root), content(tree.root), why);
                // Writing removes braces from comments, so the second reading may find another annotation; the third finds no more.
                const third = treeOf(read(writePgn(again[0])).games[0]).tree;
                assert.deepEqual(content(third.root, true), content(again[0].root, true), why);
            }
        }
        assert.ok(games > 1000, `${games} games`);
    },
};
