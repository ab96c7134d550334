// Ways in: what is pasted, set up, linked, shared by other apps or fetched from two sites that are asked for it.

import assert from "node:assert/strict";
import { GAME, idle, load, paste, pieces, square, type, waitForLine } from "./harness.mjs";

const MARKUP = `<img src=x onerror="globalThis.caught=1">`;
const list = page => page.locator("section.list");
const game = (white, black, moves = "1. e4 e5 2. Nf3", more = "") => `[Event "Rated"]\n[White "${white}"]\n[Black "${black}"]\n${more}\n${moves} *\n`;

async function quiet(stage, options) {
    const context = await stage.context(options);
    await context.addInitScript(() => {
        if (location.protocol.startsWith("http") && !localStorage.getItem("luft-settings"))
            localStorage.setItem("luft-settings", JSON.stringify({ engineOn: false }));
    });
    return context;
}
const open = async (stage, { at, ...options } = {}) => stage.open({ at, context: await quiet(stage, options) });

/** Stands in for Lichess and chess.com: answers by the path, and notes what was asked. */
async function standIn(stage, page, answers) {
    const asked = [];
    const sites = /^https:\/\/(lichess\.org|api\.chess\.com)\//;
    stage.allowed = new RegExp(`${stage.allowed.source}|${sites.source}`);
    await page.context().route(sites, async route => {
        const { hostname, pathname } = new URL(route.request().url()), answer = answers[hostname + pathname];
        const [status, body] = Array.isArray(answer) ? answer : answer === undefined ? [404, "not found"] : [200, answer];
        asked.push(hostname + pathname);
        if (status === 0) await route.abort();
        else await route.fulfill({ status, body, headers: { "Access-Control-Allow-Origin": "*" } });
    });
    return asked;
}

const ask = async (page, site, player) => {
    await page.locator("#remote-site").selectOption(site);
    await page.locator("#remote-player").fill(player);
    await page.getByRole("button", { name: "Fetch the games" }).click();
};
const reason = (page, text) => page.locator("#remote-reason").getByText(text).waitFor();

/** A refused request is an error in the console, as it should be. */
const forgive = (stage, pattern) => { stage.faults = stage.faults.filter(fault => !pattern.test(fault)); };

export const ways = {
    "PGN, FEN, EPD and UCI moves are pasted": async stage => {
        const page = await open(stage);
        for (const [text, seen, count] of [
            ["1. e4 c5 2. Nf3", "Nf3", 32],
            ["4k3/8/8/8/8/8/4P3/4K3 w - -", undefined, 3],
            ["4k3/8/8/8/8/8/4P3/4K2R w K - bm O-O; id \"castles\";", "castles", 4],
            ["e2e4 e7e5 g1f3 b8c6", "Nc6", 32],
            ["position startpos moves d2d4 d7d5 c2c4", "c4", 32],
            ["position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4 e8d7", "Kd7", 3],
            ["1. e2-e4 e7-e5 2. Sg1-f3", "Nf3", 32],
        ]) {
            await page.getByRole("button", { name: "New", exact: true }).click();
            await paste(page, text);
            if (seen) await list(page).getByText(seen).first().waitFor();
            await pieces(page, count);
            assert.equal(await page.locator(".notice.error").count(), 0, text);
        }
    },
    "of addresses: a position in one is opened, of others the page says how to share the game": async stage => {
        const page = await open(stage), error = text => page.locator(".notice.error").getByText(text).waitFor();
        await paste(page, "https://lichess.org/analysis/standard/4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1");
        await pieces(page, 3);
        await paste(page, "https://www.chess.com/analysis?fen=4k3%2F8%2F8%2F8%2F8%2F8%2F3PP3%2F4K3+w+-+-+0+1&flip=false");
        await pieces(page, 4);
        await load(page, "https://elsewhere.test/game/1234");
        await page.locator("#open-reason").getByText("share or copy the game itself").waitFor();
        await page.keyboard.press("Escape");
        for (const [address, words] of [
            ["https://lichess.org/abcdEFGH", "allow the page to fetch it, or copy its PGN there with “Share & export”"],
            ["https://lichess.org/@/Anna", "names neither a game nor a study"],
            ["See my game: https://www.chess.com/game/live/123456", "choose “Share” there, then “PGN”"],
            ["https://elsewhere.test/game/1234", "share or copy the game itself"],
        ]) {
            await paste(page, address);
            await error(words);
        }
        await pieces(page, 4);
        await page.locator(".notice").getByRole("button", { name: "Allow …" }).click();
        await page.locator("#remote-allowed").waitFor();
        assert.equal(await page.locator("#remote-allowed").isChecked(), false);
        assert.ok(await page.getByRole("button", { name: "Fetch the games" }).isDisabled());
    },
    "with consent, a player's latest games come from Lichess and chess.com": async stage => {
        const page = await open(stage), month = (name, games) => [`api.chess.com/pub/player/zoe/games/${name}`, JSON.stringify({ games })];
        const asked = await standIn(stage, page, {
            "lichess.org/api/games/user/Anna": [game("Ben", "anna"), game("Anna", "Cleo"), game(MARKUP.replaceAll('"', '\\"'), "Anna")].join("\n"),
            "lichess.org/api/games/user/Nobody": "",
            "lichess.org/api/games/user/Hasty": [429, "slow"],
            "api.chess.com/pub/player/zoe/games/archives": JSON.stringify({ archives: ["https://elsewhere.test/steal",
                ...["2023/12", "2024/01", "2024/02"].map(name => `https://api.chess.com/pub/player/zoe/games/${name}`)] }),
            ...Object.fromEntries([month("2024/02", [{ rules: "chess", pgn: game("Zoe", "A") }, { rules: "bughouse", pgn: game("Zoe", "B") }]),
                month("2024/01", Array.from({ length: 30 }, (_, i) => ({ rules: "chess", pgn: game("Zoe", `C${i}`) }))), month("2023/12", [])]),
            "api.chess.com/pub/player/odd/games/archives": "{}",
            "api.chess.com/pub/player/away/games/archives": [0],
        });
        await type(page, "a3");
        await page.locator("#open-button").click();
        await page.getByRole("button", { name: "Lichess and chess.com" }).click();
        await page.locator("#remote-allowed").check();
        for (const [site, name, words] of [["lichess", "Nobody", "There are no games of “Nobody”"], ["lichess", "Hasty", "asks to wait"],
            ["chesscom", "Unknown", "knows no such player"], ["chesscom", "odd", "cannot be read"], ["chesscom", "away", "cannot be reached"],
            ["lichess", "../x", "is no name of a player"]]) {
            await ask(page, site, name);
            await reason(page, words);
        }
        forgive(stage, /status of (429|404)|ERR_FAILED|CORS request did not succeed/);
        assert.equal(await list(page).getByText("a3").count(), 1, "what was there stays");
        await ask(page, "lichess", "Anna");
        await page.getByText("The file has 3 games").waitFor();
        await page.getByRole("dialog").getByText(MARKUP).waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Ben – anna" }).click();
        await list(page).getByText("Nf3").waitFor();
        assert.equal(await page.locator(".cg-wrap.orientation-black").count(), 1, "the player is at the bottom");
        await page.locator("#open-button").click();
        await page.getByRole("button", { name: "Another file" }).click();
        await page.getByRole("button", { name: "Lichess and chess.com" }).click();
        assert.equal(await page.locator("#remote-player").inputValue(), "Anna");
        await ask(page, "chesscom", "Zoe");
        await page.getByText("The file has 20 games").waitFor();
        assert.match(await page.getByRole("dialog").locator(".choice button").first().innerText(), /Zoe – A/);
        assert.deepEqual(asked.slice(-3).map(path => path.split("/").slice(-2).join("/")), ["games/archives", "2024/02", "2024/01"]);
        assert.equal(await page.evaluate(() => globalThis.caught), undefined);
    },
    "with consent, a pasted game or study of Lichess is fetched": async stage => {
        const page = await open(stage);
        const asked = await standIn(stage, page, {
            "lichess.org/game/export/abcdEFGH": game("Dora", "Emil"),
            "lichess.org/api/study/studyAbC/chapterX.pgn": `[Event "Study: one"]\n[Orientation "black"]\n\n{ [%cal Ge2e4] look } 1. d4 d5 *\n`,
            "lichess.org/api/study/studyAbC.pgn": `[Event "Study: one"]\n\n1. d4 *\n\n[Event "Study: two"]\n\n1. c4 *\n`,
        });
        await paste(page, "https://lichess.org/abcdEFGH");
        await page.locator(".notice").getByRole("button", { name: "Allow …" }).click();
        assert.deepEqual(asked, []);
        await page.locator("#remote-allowed").check();
        await page.keyboard.press("Escape");
        for (const address of ["https://lichess.org/abcdEFGH", "https://lichess.org/abcdEFGHijkl/black#12"]) {
            await page.getByRole("button", { name: "New", exact: true }).click();
            await paste(page, address);
            await page.locator("#game-header").getByText("Dora").waitFor();
        }
        await load(page, "https://lichess.org/study/studyAbC/chapterX");
        await list(page).getByText("look").waitFor();
        assert.equal(await page.locator(".cg-wrap.orientation-black").count(), 1);
        await paste(page, "https://lichess.org/study/studyAbC");
        await page.locator(".notice").getByRole("button", { name: "Show all" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Study: two" }).click();
        await list(page).getByText("c4").waitFor();
        await paste(page, "https://lichess.org/study/private1");
        await page.locator(".notice.error").getByText("lichess.org knows no such player or game").waitFor();
        forgive(stage, /status of 404/);
        await list(page).getByText("c4").waitFor();
        await page.reload();
        await list(page).getByText("c4").waitFor();
    },
    "the policy lets requests go to the two sites only": async stage => {
        const page = await open(stage);
        const refused = await page.evaluate(async addresses => Promise.all(addresses.map(address => fetch(address).then(() => "", () => address))),
                                            ["https://elsewhere.test/", "https://lichess.org.elsewhere.test/", "https://www.chess.com/"]);
        assert.equal(refused.filter(address => address).length, 3);
        assert.ok(stage.faults.every(fault => /connect-src|request to|Fetch API cannot load/.test(fault)));
        const policy = await page.evaluate(() => document.querySelector('meta[http-equiv="Content-Security-Policy"]').content);
        assert.deepEqual(/connect-src ([^;]*)/.exec(policy)[1].split(" "), ["'self'", "https://lichess.org", "https://api.chess.com"]);
        assert.doesNotMatch(/script-src ([^;]*)/.exec(policy)[1], /unsafe-inline|'unsafe-eval'/);
        stage.faults = [];
    },
    "the board editor: by mouse, by finger, by keyboard; what is impossible is refused": async stage => {
        const page = await open(stage, { hasTouch: true }), value = () => page.locator("#editor-fen").inputValue();
        const tool = name => page.getByRole("button", { name, exact: true });
        const at = async where => {
            if (typeof where === "string") return square(page, where, false, ".field .holder");
            const box = await where.boundingBox();
            return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        };
        const drag = async (from, to) => {
            const [a, b] = [await at(from), await at(to)];
            await page.mouse.move(a.x, a.y);
            await page.mouse.down();
            await page.mouse.move(b.x, b.y, { steps: 4 });
            await page.mouse.up();
        };
        const press = async name => {
            const { x, y } = await at(name);
            await page.mouse.click(x, y);
        };
        const becomes = wanted => page.waitForFunction(text => document.querySelector("#editor-fen").value === text, wanted);
        await page.getByRole("button", { name: "Set up", exact: true }).click();
        await page.getByRole("button", { name: "Empty board" }).click();
        await tool("white king").tap();
        const { x, y } = await at("e1");
        await page.touchscreen.tap(x, y);
        await becomes("8/8/8/8/8/8/8/4K3 w - - 0 1");
        await tool("white rook").click();
        for (const name of ["a1", "h1", "h2", "h2"]) await press(name); // the second press removes it
        await becomes("8/8/8/8/8/8/8/R3K2R w - - 0 1");
        await drag(tool("black king"), "e8");
        await becomes("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
        const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
        await page.locator('.field [data-at="d7"]').focus();
        await page.keyboard.press("p");
        assert.equal(await focused(), "d7, black pawn");
        for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "P"]) await page.keyboard.press(key);
        assert.equal(await focused(), "e5, white pawn");
        await page.keyboard.press("Delete");
        assert.equal(await focused(), "e5, empty");
        await page.keyboard.press("P");
        await tool("Move pieces").click();
        await drag("d7", "d5");
        await becomes("4k3/8/8/3pP3/8/8/8/R3K2R w - - 0 1");
        await page.locator("#editor-passed").selectOption("d6");
        for (const name of ["White O-O", "White O-O-O"]) await page.getByLabel(name, { exact: true }).check();
        assert.equal(await value(), "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1");
        await drag("a1", page.locator("#editor-turn")); // off the board
        await becomes("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1");
        await page.locator("#editor-turn").selectOption("black");
        assert.equal(await value(), "4k3/8/8/3pP3/8/8/8/4K2R b K - 0 1");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Set up", exact: true }).click();
        assert.equal(await value(), "4k3/8/8/3pP3/8/8/8/4K2R b K - 0 1", "it is still there");
        await page.locator('.field [data-at="e8"]').focus();
        await page.keyboard.press("Enter");
        await page.locator('.field [data-at="e2"]').focus(); // next to the white king
        await page.keyboard.press("Enter");
        await becomes("8/8/8/3pP3/8/8/4k3/4K2R b K - 0 1");
        await page.getByRole("button", { name: "Analyse the position" }).click();
        assert.doesNotMatch(await page.locator("#editor-reason").innerText(), /line|FEN|text/, "nobody wrote a text");
        await page.locator("#editor-fen").fill(MARKUP);
        await page.locator("#editor-fen").press("Enter");
        await page.locator("#editor-reason").getByText("This is not a FEN.").waitFor();
        await page.locator("#editor-fen").fill("4k3/8/8/3pP3/8/8/8/4K2R b K - 0 1");
        await page.locator("#editor-fen").press("Enter");
        await page.getByRole("button", { name: "Analyse the position" }).click();
        await pieces(page, 5);
        await type(page, "d4");
        await type(page, "O-O");
        await list(page).getByText("O-O").waitFor();
        await page.getByRole("button", { name: "Set up", exact: true }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Play from here" }).click();
        await page.getByText("The game begins with the position on the board.").waitFor();
        await pieces(page, 5);
    },
    "any position is played on or practised: of an analysis, an explanation, a game": async stage => {
        const page = await open(stage);
        await load(page, "1. e4 e5 2. Qh5 Ke7");
        await list(page).getByRole("button", { name: "Ke7" }).click();
        await page.getByRole("button", { name: "Practise this" }).click();
        await page.locator("#play-state").getByText("Your turn").waitFor();
        await type(page, "Qxe5#");
        await page.getByRole("dialog").getByText("checkmate").first().waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Back", exact: true }).click();
        await page.getByRole("button", { name: "Play from here" }).click();
        await page.getByText("The game begins with the position on the board.").waitFor();
        assert.match(await page.locator(".board [role=grid]").getAttribute("aria-label"), /White to move/);
        await page.getByRole("button", { name: "Explain", exact: true }).click();
        await page.getByRole("button", { name: "Why Ke7?" }).click();
        await page.locator("#answer").getByRole("button", { name: "Practise this" }).click();
        await page.locator("#play-state").getByText("Your turn").waitFor();
        assert.equal(await page.locator(".cg-wrap.orientation-black").count(), 1, "Black has the move");
    },
    "what other apps share is opened: words with an address, a game, a file": async stage => {
        const server = await stage.serve(), context = await quiet(stage), page = await stage.open({ server, context });
        await page.getByText("works offline").waitFor();
        await page.close();
        const share = async fields => {
            const other = await context.newPage();
            stage.watch(other, server.url);
            await other.goto(`${server.url}licences.txt`); // a page that may send forms
            await other.evaluate(([action, fields]) => {
                const form = Object.assign(document.createElement("form"), { action, method: "POST", enctype: "multipart/form-data" });
                for (const [name, value, file] of fields) {
                    const input = Object.assign(document.createElement("input"), { name, type: file ? "file" : "hidden" });
                    if (file) {
                        const files = new DataTransfer();
                        files.items.add(new File([value], file));
                        input.files = files.files;
                    } else input.value = value;
                    form.append(input);
                }
                document.body.append(form);
                form.submit();
            }, [server.url, fields]);
            return other;
        };
        const shared = await share([["title", "A game"], ["text", GAME]]);
        await list(shared).getByText("Nf3#").waitFor();
        assert.equal(await shared.evaluate(() => location.search), "");
        await shared.reload();
        await list(shared).getByText("Nf3#").waitFor();
        const file = await share([["file", game("Anna", "Ben") + game("Cleo", "Dan"), "two.pgn"]]);
        await file.getByText("There are 2 games.").waitFor();
        const address = await share([["text", "Look at this game"], ["url", "https://www.chess.com/game/live/1"]]);
        await address.getByText("choose “Share” there").waitFor();
        const { share_target: target, file_handlers: [files] } = await (await page.context().request.get(`${server.url}manifest.webmanifest`)).json();
        assert.deepEqual([target.method, target.params.text, target.params.files[0].name], ["POST", "text", "file"]);
        assert.deepEqual(Object.values(files.accept).flat(), [".pgn", ".pgn", ".fen", ".epd"]);
        forgive(stage, /status of 404/); // the icon of a text file
    },
    "files that the system hands over are opened, several as one": async stage => {
        const context = await quiet(stage);
        await context.addInitScript(texts => {
            const files = texts.map(text => ({ getFile: async () => new File([text], "a.pgn") }));
            Object.defineProperty(globalThis, "launchQueue", { value: { setConsumer: take => take({ files }) } });
        }, [game("Anna", "Ben"), game("Cleo", "Dan", "1. d4")]);
        const page = await stage.open({ context });
        await page.getByText("There are 2 games.").waitFor();
        await page.locator(".notice").getByRole("button", { name: "Show all" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Cleo – Dan" }).click();
        await list(page).getByText("d4").waitFor();
    },
    "the bookmarklet opens what is selected, or the PGN of another page, or its address": async stage => {
        const server = await stage.serve(), context = await quiet(stage), page = await stage.open({ server, context });
        await page.locator("#open-button").click();
        await page.getByRole("button", { name: "Lichess and chess.com" }).click();
        const code = decodeURIComponent((await page.locator("#bookmarklet").getAttribute("href")).slice("javascript:".length));
        await page.locator("#bookmarklet").click();
        await page.getByText("Here it does nothing").waitFor();
        for (const [body, before, check] of [
            [`<textarea>${game("Anna", "Ben")}</textarea><p>1. d4 d5</p>`, "", opened => list(opened).getByText("Nf3").waitFor()],
            ["<p>1. d4 d5 2. c4</p>", "getSelection().selectAllChildren(document.querySelector('p'))", opened => list(opened).getByText("c4").waitFor()],
            ["<p>Hello</p>", "", opened => opened.getByText("share or copy the game itself").waitFor()],
        ]) {
            const elsewhere = await context.newPage();
            await elsewhere.route("https://elsewhere.test/**", route => route.fulfill({ contentType: "text/html", body }));
            await elsewhere.goto("https://elsewhere.test/game");
            const [opened] = await Promise.all([context.waitForEvent("page"), elsewhere.evaluate(`${before}; ${code}`)]);
            stage.watch(opened, server.url);
            await check(opened);
            await opened.waitForFunction(() => location.hash === "#/analyse");
            await elsewhere.close();
        }
    },
    "a link leads to its move although what was saved of it has changed, and into a line of the report": async stage => {
        const server = await stage.serve(), context = await quiet(stage), page = await stage.open({ server, context });
        await load(page, GAME);
        await list(page).getByRole("button", { name: "Qf6" }).click();
        const address = async () => {
            await page.getByRole("button", { name: "Share" }).click();
            await page.waitForFunction(() => document.querySelector("#share-link")?.value);
            const value = await page.locator("#share-link").inputValue();
            await page.keyboard.press("Escape");
            return value;
        };
        const link = await address(), pupil = await stage.open({ server, context: await quiet(stage), at: link.slice(server.url.length) });
        const isThere = () => list(pupil).locator("[aria-current]", { hasText: "Qf6" }).waitFor();
        await isThere();
        await pupil.getByRole("button", { name: "Promote variation" }).click();
        await pupil.keyboard.press("Home");
        await pupil.waitForTimeout(1300);
        await pupil.goto("about:blank");
        await pupil.goto(link);
        await isThere();
        await page.evaluate(() => localStorage.setItem("luft-settings", JSON.stringify({ engineOn: false, reportNodes: 20_000, explainNodes: 20_000 })));
        await page.reload();
        await list(page).getByText("Nf3#").waitFor();
        await page.getByRole("button", { name: "Review the game" }).click();
        await page.locator("#report-table").waitFor();
        await list(page).locator(".better button").first().click();
        const san = await list(page).locator("[aria-current]").innerText();
        const other = await stage.open({ server, context: await quiet(stage), at: (await address()).slice(server.url.length) });
        await list(other).locator("[aria-current]", { hasText: san }).waitFor();
    },
    "a link hides what follows until a good move is found": async stage => {
        const context = await quiet(stage), page = await stage.open({ context });
        await load(page, "[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 {What now?} 4. Nxd4 (4. Nxe5? {falls to Qg5} Qg5) 4... exd4 5. O-O 0-1");
        await page.locator("section.list").getByText("O-O").waitFor();
        for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
        await page.getByRole("button", { name: "Share" }).click();
        await page.locator("#share-hide").check();
        await page.waitForFunction(() => /hide=1/.test(document.querySelector("#share-link")?.value ?? ""));
        const link = await page.locator("#share-link").inputValue();

        const pupil = await stage.open({ context: await stage.context() }), list = pupil.locator("section.list"), puzzle = pupil.locator(".puzzle");
        await pupil.goto(`${new URL(pupil.url()).origin}/${link.slice(link.indexOf("#"))}`);
        await puzzle.getByText("White to move. Find a good move.").waitFor();
        const isHidden = async () => {
            assert.match((await list.innerText()).replace(/\s+/g, " "), /Nd4 What now\?$/);
            assert.equal(await pupil.locator("section.lines, section.report, .tools").count(), 0);
        };
        await isHidden();
        for (const key of ["ArrowRight", "End", "n", " ", "ArrowDown", "Delete"]) await pupil.keyboard.press(key);
        await isHidden();
        await pupil.keyboard.press("ArrowLeft");
        assert.equal(await list.locator("[aria-current]").innerText(), "Bc4");
        await type(pupil, "Nf6"); // is a move there, but not asked for
        await pupil.reload();
        await puzzle.getByText("White to move. Find a good move.").waitFor();
        await pupil.getByRole("button", { name: "Back to the puzzle" }).click();
        await isHidden();
        await pupil.getByRole("button", { name: "Saved" }).click();
        await pupil.getByRole("dialog").getByText(/^Puzzle: What now\?/).first().waitFor();
        assert.doesNotMatch(await pupil.getByRole("dialog").innerText(), /1\. e4/, "the list does not show the solution");
        await pupil.keyboard.press("Escape");
        await type(pupil, "Qe2"); // loses the queen
        await puzzle.getByText("Qe2 is not the move that is looked for.").waitFor();
        await type(pupil, "Nxe5");
        await puzzle.getByText(/^Nxe5 is not the move that is looked for\..*falls to Qg5$/).waitFor();
        await isHidden();
        await type(pupil, "Nxd4");
        await puzzle.getByText("Nxd4 is right. The answer is exd4. Go on.").waitFor();
        assert.equal(await list.locator("[aria-current]").innerText(), "exd4");
        assert.equal(await list.getByText("O-O").count(), 0);
        await type(pupil, "O-O");
        await pupil.getByText("O-O is right.").waitFor();
        assert.equal(await list.locator("[aria-current]").innerText(), "O-O");
        await pupil.locator("#engine-switch").waitFor();
        assert.equal(await list.getByText("Qe2").count(), 0, "wrong tries are not kept");
        await pupil.goto(`${new URL(pupil.url()).origin}/${link.slice(link.indexOf("#"))}`);
        await pupil.getByRole("button", { name: "Show the solution" }).click();
        await list.getByText("O-O").waitFor();
        assert.equal(await list.locator("[aria-current]").innerText(), "Nd4");
    },
    "a puzzle that was being saved while the page closed keeps its name": async stage => {
        const context = await idle(stage), page = await stage.open({ context });
        await load(page, "1. e4 e5 2. Nf3 Nc6 {What now?} 3. Bc4 *");
        await list(page).getByText("Bc4").waitFor();
        for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
        await page.getByRole("button", { name: "Share" }).click();
        await page.locator("#share-hide").check();
        await page.waitForFunction(() => /hide=1/.test(document.querySelector("#share-link")?.value ?? ""));
        const link = await page.locator("#share-link").inputValue(), pupil = await stage.open({ context: await idle(stage) });
        await pupil.goto(`${new URL(pupil.url()).origin}/${link.slice(link.indexOf("#"))}`);
        const saved = pupil.getByRole("dialog").locator(".choice .grow");
        const isListed = async () => {
            await pupil.getByRole("button", { name: "Saved" }).click();
            await saved.getByText(/^Puzzle: What now\?/).waitFor();
            assert.equal(await saved.count(), 1);
            assert.doesNotMatch(await saved.innerText(), /e4/, "the list does not show the solution");
            await pupil.keyboard.press("Escape");
        };
        await pupil.locator(".puzzle").getByText("White to move. Find a good move.").waitFor();
        await isListed();
        // The database has it, and the page had no time to notice; once with a place that the database does not know.
        for (const at of [undefined, "2"]) {
            await pupil.evaluate(at => new Promise(resolve => {
                indexedDB.open("luft").onsuccess = ({ target: { result } }) => {
                    result.transaction("analyses").objectStore("analyses").getAll().onsuccess = ({ target: { result: [game] } }) => {
                        const base = game.revision - 1;
                        localStorage.setItem(`luft-left ${game.id} x`, JSON.stringify({ game: { ...game, ...(at && { at }) }, base }));
                        result.close();
                        resolve();
                    };
                };
            }), at);
            await pupil.reload();
            await pupil.locator(".puzzle").getByText("White to move. Find a good move.").waitFor();
            await isListed();
        }
    },
    "a long link opens, its sender is warned, and where a chat has cut it, it shows nothing": async stage => {
        const context = await idle(stage), page = await stage.open({ context });
        let words = "What now? ", state = 1; // words that cannot be packed
        while (words.length < 40_000) words += (state = Math.imul(state, 1664525) + 1013904223 >>> 0).toString(36);
        await load(page, `1. e4 e5 {${words}} 2. Nf3 Nc6 *`);
        await list(page).getByText("Nf3").waitFor();
        for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowRight");
        await page.getByRole("button", { name: "Share" }).click();
        await page.locator("#share-hide").check();
        await page.waitForFunction(() => /hide=1/.test(document.querySelector("#share-link")?.value ?? ""));
        const link = await page.locator("#share-link").inputValue(), hash = link.slice(link.indexOf("#"));
        assert.ok(link.length > 20_000, `${link.length} characters`);
        await page.getByText(`The link has ${link.length.toLocaleString("en")} characters. Browsers open it`).waitFor();
        for (const length of [hash.length - 1, 8000, 2000]) {
            const pupil = await stage.open({ context: await idle(stage), at: hash.slice(0, length) });
            await pupil.getByText("The link cannot be read: it is damaged").waitFor();
            assert.equal(await list(pupil).getByText("Nf3").count(), 0);
        }
        const pupil = await stage.open({ context: await idle(stage) });
        await pupil.goto(`${new URL(pupil.url()).origin}/${hash}`);
        await pupil.locator(".puzzle").getByText("White to move. Find a good move.").waitFor();
        assert.equal(await list(pupil).getByText("Nf3").count(), 0);
    },
    "arrows of the author lie on top": async stage => {
        const page = await stage.open();
        await load(page, `${game("Anna", "Ben", "{[%cal Gd2d4]} 1. d4 d5")}\n${game("Cleo", "Dan")}`);
        await page.getByRole("dialog").getByRole("button", { name: "Anna" }).click();
        await page.keyboard.press("Home");
        await waitForLine(page);
        await page.locator("svg.cg-shapes-below line").first().waitFor({ state: "attached" });
    },
    "one link carries all chapters, with what was added to them": async stage => {
        const page = await open(stage);
        await load(page, `${game("Anna", "Ben")}\n${game("Cleo", "Dan", "1. d4 d5 2. c4")}`);
        await page.getByRole("dialog").getByRole("button", { name: "Anna" }).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.keyboard.press("End");
        await list(page).locator("[aria-current]", { hasText: "Nf3" }).waitFor();
        await type(page, "Nc6");
        await page.getByRole("button", { name: "Next game" }).click();
        await page.locator("#game-header").getByText("Cleo").waitFor();
        await page.keyboard.press("End");
        await page.getByRole("button", { name: "Share" }).click();
        const pgn = () => page.locator("#share-pgn").inputValue();
        assert.doesNotMatch(await pgn(), /Anna/, "one game");
        await page.locator("#share-all").check();
        await page.waitForFunction(() => /Anna[^]*Nc6[^]*Cleo/.test(document.querySelector("#share-pgn").value));
        assert.ok(await page.locator("#share-hide").isDisabled(), "a puzzle is one game");
        await page.locator("#share-quiet").check();
        await page.waitForFunction(() => /[?&]game=2&.*engine=off/.test(document.querySelector("#share-link").value));
        const link = await page.locator("#share-link").inputValue();
        const pupil = await stage.open({ context: await stage.context() });
        await pupil.goto(`${new URL(pupil.url()).origin}/${link.slice(link.indexOf("#"))}`);
        await pupil.locator("#game-header").getByText("Cleo").waitFor();
        await pupil.getByRole("button", { name: "Game 2 of 2" }).waitFor();
        await list(pupil).locator("[aria-current]", { hasText: "c4" }).waitFor();
        assert.equal(await pupil.locator("#engine-switch").getAttribute("aria-checked"), "false");
        await pupil.getByRole("button", { name: "Previous game" }).click();
        await list(pupil).getByText("Nc6").waitFor();
        assert.equal(await pupil.locator("#engine-switch").getAttribute("aria-checked"), "false", "in every chapter");
    },
    "a corrected link takes the place of the one before; what was added to that stays": async stage => {
        const page = await open(stage), pupil = await open(stage), saved = pupil.locator("dialog .choice li");
        await load(page, "1. e4 e5 2. Nf3 Nc6 *");
        await list(page).getByText("Nc6").waitFor();
        const send = async comment => {
            await page.keyboard.press("End");
            if (comment) {
                if (await page.getByLabel(/^Comment on/).count() === 0) await page.getByRole("button", { name: "Comment", exact: true }).click();
                await page.getByLabel(/^Comment on/).fill(comment);
                await page.keyboard.press("Escape");
            }
            await page.getByRole("button", { name: "Share" }).click();
            await page.waitForFunction(() => /[?&]id=/.test(document.querySelector("#share-link")?.value ?? ""));
            const link = await page.locator("#share-link").inputValue();
            await page.keyboard.press("Escape");
            await pupil.goto(`${new URL(pupil.url()).origin}/?${Math.random()}${link.slice(link.indexOf("#"))}`);
            await list(pupil).getByText(comment || "Nc6").first().waitFor();
        };
        const isOne = async () => {
            await pupil.getByRole("button", { name: "Saved" }).click();
            await saved.first().waitFor();
            assert.equal(await saved.count(), 1);
            await pupil.keyboard.press("Escape");
        };
        await send("");
        await isOne();
        await send("The main line");
        await pupil.getByText("The sender has corrected this game: this is the new one.").waitFor();
        await isOne();
        await type(pupil, "Bb5"); // the pupil's own
        await list(pupil).getByText("Bb5").waitFor();
        await send("Black is fine");
        await pupil.getByText("What you had added to it is still there.").waitFor();
        await list(pupil).getByText("Bb5").waitFor();
        await isOne();
        await pupil.reload();
        await list(pupil).getByText("Black is fine").waitFor();
        await list(pupil).getByText("Bb5").waitFor();
    },
    "a puzzle does not refuse a move that is as good as the solution": async stage => {
        const page = await open(stage), fen = "6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1"; // two rooks mate, each
        await load(page, `[SetUp "1"]\n[FEN "${fen}"]\n\n1. Ra8# *`);
        await list(page).getByText("Ra8#").waitFor();
        await page.keyboard.press("ArrowLeft");
        await page.getByRole("button", { name: "Share" }).click();
        await page.locator("#share-hide").check();
        await page.waitForFunction(() => /hide=1/.test(document.querySelector("#share-link")?.value ?? ""));
        const link = await page.locator("#share-link").inputValue();
        await page.locator("#share-rivals").getByText(/^Besides Ra8#, Rb8#/).waitFor();
        await page.goto(`${new URL(page.url()).origin}/?pupil${link.slice(link.indexOf("#"))}`);
        await page.locator(".puzzle").getByText("White to move").waitFor();
        await type(page, "Rb8");
        await page.locator(".puzzle").getByText("Rb8# is good, too, but another move is looked for here.").waitFor();
        await type(page, "Ra8");
        await page.getByText("Ra8# is right.").waitFor();
    },
    "of a file with games that cannot be read the others are opened, and what is missing is reported": async stage => {
        const page = await open(stage), atomic = game("Un", "Readable", "1. e4", '[Variant "Atomic"]\n');
        await load(page, `${atomic}\n${game("Anna", "Ben")}\n1. d4 d5 1-0\n\n1. c4 c5 *\n\n${game("Cleo", "Dan")}`);
        await page.getByText("'Atomic' is not chess as we play it").first().waitFor();
        await page.locator("#game-header").getByText("Anna").waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "1. c4 c5" }).click();
        await list(page).getByText("c5").waitFor();
        const positions = Array.from({ length: 501 }, (_, i) => `4k3/8/8/8/8/8/4P3/4K3 w - - 0 ${i + 1}`).join("\n");
        await paste(page, positions);
        await page.getByText("Only the first 500 games and positions").waitFor();
        await pieces(page, 3);
        await paste(page, "1. e4 e5 *\n\n[Variant \"Atomic\"]\n\n1. e4 *");
        await list(page).getByText("e5").waitFor();
    },
};
