// The Explain view: a move, techniques, the search tree.

import assert from "node:assert/strict";
import { BLUNDER, click, load, open, paste, pieces, type } from "./harness.mjs";

const at = `#/explain?fen=${BLUNDER.replaceAll(" ", "_")}`;
const shapes = page => page.locator("svg.cg-shapes g line, .cg-shapes line").count();

/** Two moves, one of them cut by a rule that also skipped a third. The second line is no JSON, a1a9 no move. */
const TRACE = [
    { ply: 2, move: "g8h7", depth: 0, alpha: -30000, beta: -40, static: -50, score: -50 }, "{oh",
    { ply: 1, move: "a1a8", depth: 1, alpha: -30000, beta: 30000, score: -50 },
    { ply: 1, move: "a1b1", depth: 1, alpha: -30000, beta: -50, score: 20, nodes: 4, rule: "my_rule", numbers: { margin: 20, alpha: 10 } },
    { ply: 1, skipped: ["a1c1"], rule: "my_rule", numbers: { margin: 30 } },
    { ply: 1, move: "a1a9", depth: 1, alpha: -30000, beta: -50, score: 20 },
    { ply: 0, fen: "6k1/5pp1/8/8/8/8/8/R5K1 w - - 0 1", depth: 2, alpha: -30000, beta: 30000, score: 50, nodes: 7 },
].map(line => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

export const explaining = {
    "a blunder played on the board is explained in words and ply by ply": async stage => {
        const page = await stage.open({ at });
        await pieces(page, 24);
        await click(page, "d2", "d4");
        await page.getByText("Qd4 loses the queen for a knight.").first().waitFor();
        await page.locator("#answer").getByText(/Nf3\+ forks the king on g1 and the queen on d4/).waitFor();
        assert.ok(await shapes(page) >= 1, "arrows");
        for (const san of ["Qd4", "Nf3+", "Kh1"]) {
            await page.keyboard.press("ArrowRight");
            assert.match(await page.locator("#answer [aria-current]").innerText(), new RegExp(san.replace("+", "\\+")));
        }
        assert.ok(await page.locator("table tbody tr").count() > 5);
        await page.locator("#rules > summary").click();
        await page.getByText(/\b(searched|skipped) [KQRBN]?[a-h]?x?[a-h][1-8]/).first().waitFor(); // which one depends on the search
        await page.getByRole("button", { name: "Add to the game" }).click();
        await page.locator("section.list").getByText("Nf3+").waitFor();
    },
    "the last move of a game, by key": async stage => {
        const page = await stage.open({ at: `#/analyse?fen=${BLUNDER.replaceAll(" ", "_")}` });
        await pieces(page, 24);
        await type(page, "Qd4");
        await page.locator("section.list").getByText("Qd4").waitFor();
        await page.keyboard.press("Escape");
        await page.locator("h1").click();
        await page.keyboard.press("x");
        await page.getByText("Qd4 loses the queen for a knight.").first().waitFor();
    },
    "a technique is switched off: both searches are compared": async stage => {
        const page = await stage.open({ at });
        await pieces(page, 24);
        await page.locator("#tab-techniques").click();
        assert.match(await page.getByRole("switch").first().locator("..").innerText(), /^null move/, "what books begin with comes first");
        await page.getByText("What the words mean").click();
        assert.match(await page.locator("#explain-panel dl").innerText(), /^beta\n.*cut/m);
        await page.getByRole("switch", { name: /^late move reductions/ }).click();
        await page.locator("#try-without").click();
        await page.locator("#comparisons tbody tr").nth(1).waitFor();
        const rows = await page.locator("#comparisons tbody tr").allInnerTexts();
        assert.match(rows[0], /with all/);
        assert.match(rows[1], /late move reductions/);
        assert.match(rows[1], /×|times/);
    },
    "each technique in turn, until it is cancelled: the rows found stay": async stage => {
        const page = await stage.open({ at });
        await pieces(page, 24);
        await page.locator("#tab-techniques").click();
        await page.locator("#try-each").click();
        await page.locator("#comparisons tbody tr").nth(2).waitFor();
        await page.locator(".busy").getByText(/^\s*\d+ of \d+ techniques/).waitFor();
        await page.getByRole("button", { name: "Cancel" }).click();
        await page.waitForFunction(() => !document.querySelector(".busy"));
        assert.ok(await page.locator("#comparisons tbody tr").count() >= 3);
    },
    "a mistake of the game is chosen, and a rule of the answer switched off": async stage => {
        const page = await stage.open();
        await load(page, `[FEN "${BLUNDER}"]\n\n17. Qd4?? *`);
        await page.locator("section.list").getByText("Qd4").waitFor();
        await page.getByRole("button", { name: "Explain", exact: true }).click();
        await page.getByRole("button", { name: "17. Qd4??" }).click();
        await page.getByText("Qd4 loses the queen for a knight.").first().waitFor();
        await page.locator("#treatment > summary").click();
        await page.getByText(/Qd4 was move \d+ of 37/).waitFor();
        await page.locator("#rules > summary").click();
        const rule = page.getByRole("button", { name: /^search without it/ }).first();
        const name = (await rule.innerText()).split("\n").pop().replace("search without it", "").trim();
        await rule.click();
        await page.locator("#comparisons tbody tr").nth(1).getByText(name).waitFor();
    },
    "scores of a tree are rounded as the engine does it": async stage => {
        const page = await open(stage);
        await page.getByRole("button", { name: "Analyse", exact: true }).click();
        await load(page, "r3r1k1/1q1bbpp1/2np1n1p/1p2p3/p2PP3/P2QBN1P/1PBN1PP1/2R1R1K1 b - - 1 20"); // a half was rounded here with one network
        await page.getByRole("button", { name: "Explain", exact: true }).click();
        await page.locator("#tab-tree").click();
        await page.locator("#grow-tree").click();
        await page.waitForFunction(() => {
            const [, found] = /best \S+ (\S+)$/.exec(document.querySelector("#tree-size")?.textContent) ?? [];
            return document.querySelector("#box-0")?.getAttribute("aria-label").endsWith(found);
        });
    },
    "the tree: drawn, walked by keys, described, compared": async stage => {
        const page = await stage.open({ at });
        await pieces(page, 24);
        await page.locator("#tab-tree").click();
        await page.locator("#tree-without").selectOption("futility");
        await page.locator("#grow-tree").click();
        await page.locator("#tree-details").waitFor();
        assert.ok(await page.locator(".frame g").count() > 10);
        const cut = await page.locator(".frame g.box").evaluateAll(boxes => boxes.filter(box => box.querySelector("text")
            && box.querySelector("text").getBBox().width > box.querySelector("rect").getBBox().width).map(box => box.textContent));
        assert.deepEqual(cut, [], "no name of a rule is cut");
        await page.locator(".frame").focus();
        await page.keyboard.press("ArrowRight");
        const first = await page.locator("#tree-details .words b").first().innerText();
        assert.notEqual(first, "At the root");
        // Scores of nodes are in units of the search: turned into pawns as the engine does it.
        const [, all, drawn1] = /^Depths 1 to \d+: (\S+) nodes\. Drawn, depth \d+ alone: (\S+), best/.exec(await page.locator("#tree-size").innerText());
        assert.ok(Number(all.replace(/\D/g, "")) > Number(drawn1.replace(/\D/g, "")), "two counts, and what each is");
        const best = /best \S+ (\S+)$/.exec(await page.locator("#tree-size").innerText())[1];
        assert.ok((await page.locator("#box-0").getAttribute("aria-label")).endsWith(best), best);
        const drawn = await page.locator(".frame svg").getAttribute("height");
        await page.keyboard.press("+");
        assert.ok(Number(await page.locator(".frame svg").getAttribute("height")) > Number(drawn));
        await page.getByRole("button", { name: "Without futility" }).click();
        await page.getByRole("button", { name: "Fit" }).click();
        assert.ok(await page.locator(".frame g.cut").count() > 0, "nodes that a rule ended");
        await page.locator(".frame g.cut").first().dispatchEvent("click");
        await page.locator("#tree-details .end").waitFor();
        const rule = page.locator(".rules button").first();
        await rule.click();
        assert.ok(await page.locator(".frame g.dim").count() > 0, "what the rule did not do is dim");
        assert.equal(await page.locator(".frame g.chosen:not(.dim)").count(), 1, "the first of it is chosen");
        await page.locator("#rule-details").getByText(/[1-9]\d* (nodes? ended|moves? skipped)/).waitFor();
        await rule.click();
        assert.equal(await page.locator(".frame g.dim").count(), 0);
        const whole = await page.locator(".frame g").count();
        await page.locator(".frame").focus();
        for (const key of ["Home", "ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
        await page.getByRole("button", { name: "Whole tree" }).waitFor();
        assert.ok(await page.locator(".frame g").count() < whole);
        await page.locator("#tree-details ol button").first().click();
        assert.equal(await page.locator("#tree-details .path button").count(), 3);
        await page.locator("#tree-details .path button").first().click();
        assert.equal(await page.locator("#tree-details .words b").first().innerText(), "At the root");
        assert.equal(await page.locator(".frame g").first().getAttribute("id"), "box-0");
    },
    "the last question counts, whatever is being computed": async stage => {
        const page = await stage.open({ at });
        await pieces(page, 24);
        for (const move of ["a3", "h3", "Qd4"]) await type(page, move);
        await page.getByText("Qd4 loses the queen for a knight.").first().waitFor();
        await page.locator("#tab-tree").click();
        await page.locator("#tree-depth").selectOption("8");
        await page.locator("#grow-tree").click();
        await page.locator("#tab-move").click();
        await type(page, "a3");
        await page.locator("#answer").getByText(/^a3 /).first().waitFor();
    },
    "a late answer is not shown for another game": async stage => {
        const context = await stage.context();
        await context.addInitScript(() => localStorage.setItem("luft-settings", JSON.stringify({ explainNodes: 600_000 })));
        const page = await stage.open({ context, at });
        await pieces(page, 24);
        await type(page, "Qd4");
        await page.locator(".busy").waitFor();
        await paste(page, '[FEN "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"]\n\n1. a4 Kd7 *');
        await pieces(page, 3);
        assert.equal(await page.locator(".busy").count(), 1, "still computing");
        await page.locator(".busy").waitFor({ state: "detached" });
        await page.waitForTimeout(200);
        assert.equal(await page.locator("#answer").count(), 0);
        await pieces(page, 3);
        await page.getByRole("button", { name: "a4", exact: true }).click();
        await page.locator("#answer").getByText(/a4/).first().waitFor();
    },
    "a move on the board asks about the position shown": async stage => {
        const page = await stage.open({ at });
        await pieces(page, 24);
        await page.getByRole("button", { name: "Analyse", exact: true }).click();
        await type(page, "Qd4");
        await page.locator("section.list").getByText("Qd4").waitFor();
        await page.getByRole("button", { name: "Explain", exact: true }).click();
        await page.locator("#why-last").click();
        await page.getByText("Qd4 loses the queen for a knight.").first().waitFor();
        await click(page, "a2", "a3"); // White's move, as the board shows
        await page.locator("#answer").getByText(/^a3 /).first().waitFor();
        assert.equal(await page.locator("#why-move option", { hasText: /^Qd4$/ }).count(), 1);
        for (let i = 0; i < 2; i++) await page.locator("#step-forward").click();
        await click(page, "h3", "h4");
        await page.waitForTimeout(500);
        await page.locator("#answer").getByText(/^a3 /).first().waitFor();
        assert.match(await page.locator(".steps").innerText(), /2 \//);
    },
    "an explanation that is cancelled": async stage => {
        const page = await stage.open({ at });
        await pieces(page, 24);
        await page.locator("#tab-tree").click();
        await page.locator("#tree-depth").selectOption("8");
        await page.locator("#tab-techniques").click();
        await page.getByRole("switch", { name: /^late move reductions/ }).click();
        await page.locator("#try-without").click();
        await page.getByRole("button", { name: "Cancel" }).click();
        await page.waitForFunction(() => !document.querySelector(".busy"));
        await page.locator("#tab-move").click();
        await click(page, "d2", "d4");
        await page.getByText("Qd4 loses the queen for a knight.").first().waitFor();
    },
    "the trace of another engine opens as a tree; what is wrong in it costs a sentence": async stage => {
        const page = await open(stage);
        await paste(page, TRACE);
        await page.locator("#tree-size").getByText("7 nodes to depth 2, best Ra8+ +0.50").waitFor();
        await page.getByText("2 lines of the trace could not be read, first line 2 (JSON).").waitFor();
        await page.getByRole("button", { name: "my rule 2", exact: true }).click();
        await page.locator("#tree-details").getByText("margin 20, alpha 10").waitFor();
        assert.equal(await page.locator("g.box").count(), 5);
        const link = await page.locator("#trace-link").getAttribute("href");
        const other = await open(stage, { at: link });
        await other.locator("#tree-size").getByText("7 nodes to depth 2, best Ra8+ +0.50").waitFor();
        assert.match(other.url(), /#\/explain$/);
        await other.evaluate(cut => { location.hash = cut; }, link.slice(0, -20));
        await other.getByText("The link cannot be read: it is damaged, or holds more than the page opens.").waitFor();
        await page.keyboard.press("a");
        await paste(page, TRACE.split("\n").slice(0, 3).join("\n"));
        await page.getByText("There is no tree in this trace: it has no line with ply 0. The first one that could not be read is line 2 (JSON).").waitFor();
    },
};
