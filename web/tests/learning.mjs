// The view "Learn": lessons, the match, what is wrong with a link.

import assert from "node:assert/strict";
import { idle, open } from "./harness.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function lesson(stage, name, options = {}) {
    const page = await open(stage, { at: `#/learn/${name}`, ...options });
    await page.locator("#learn-step").waitFor();
    return page;
}

/** Goes to a step by its button. */
async function toStep(page, name, kind) {
    await page.getByRole("button", { name: new RegExp(`^${name.replace("?", "\\?")}( 1)?$`) }).first().click(); // steps of the same kind are numbered
    await page.locator(`#learn-step[data-kind="${kind}"]`).waitFor();
}

export const learning = {
    "a lesson: guess, see, without it, turn the knob, the code, check yourself": async stage => {
        const page = await lesson(stage, "futility");
        const acted = page.locator(".moves button.acted");
        await page.locator(".moves button").first().click();
        await page.locator("#reveal").click();
        await page.locator("#guess-result").getByText(/^\d+ moves? right, \d+ wrong, \d+ not found\. Pruned \d+ of \d+ moves\.$/).waitFor();
        const [, right, missed] = /(\d+) moves? right, \d+ wrong, (\d+) not/.exec(await page.locator("#guess-result").innerText());
        assert.equal(await acted.count(), Number(right) + Number(missed));
        await page.locator("#learn-words summary").click();
        await page.locator("#learn-words dt", { hasText: "beta" }).waitFor();
        await page.locator("#learn-words summary").click();
        await toStep(page, "See", "see");
        await page.getByRole("button", { name: /^futility \d+$/, pressed: true }).waitFor();
        assert.match(await page.locator("#learn-step svg[role=img]").first().getAttribute("aria-label"), /alpha -?\d+/);
        await toStep(page, "Turn it off", "off");
        await page.locator("#same-nodes tbody tr").nth(1).waitFor();
        await toStep(page, "Turn the knob", "knob");
        const knob = page.locator("#knob"), result = page.locator("#knob-result");
        await knob.focus();
        for (const [key, bound] of [["Home", "min"], ["End", "max"]]) {
            await page.keyboard.press(key);
            await result.getByText(new RegExp(`^${await knob.getAttribute(bound)}: [\\d,]+ nodes, best \\S+ `)).waitFor();
        }
        await toStep(page, "The code", "code");
        await page.locator(".code").getByText("futility_depth = ").waitFor();
        await toStep(page, "Check yourself", "check");
        assert.equal(await page.locator(".question").count(), 3);
        for (let i = 0; i < 3; i++) {
            const question = page.locator(".question").nth(i);
            await question.locator("button").first().click();
            await question.locator(".verdict").getByText(/^(Right\.|Not so: .+\.) \S/).waitFor();
        }
    },
    "lessons say what they teach, in which order, how difficult they are, and what was done": async stage => {
        const page = await open(stage, { at: "#/learn" }), facts = page.locator("#lessons .facts");
        await page.getByText("These lessons are about the engine, not about playing chess").waitFor();
        await page.getByText("In this order").waitFor();
        assert.match(await facts.first().innerText(), /^easy$/);
        await page.locator("#lessons a").first().click();
        await page.locator("#solution button").first().click();
        await page.locator("#solution .verdict").waitFor();
        const steps = await page.locator(".steps button").count();
        await page.locator("#next-step").click();
        await page.getByRole("link", { name: /All lessons/ }).click();
        assert.match(await facts.first().innerText(), new RegExp(`^easy · 2 of ${steps} steps · [01] of 1 answer right at once$`));
        await page.reload();
        assert.match(await facts.first().innerText(), /2 of/, "kept");
        await page.locator("#lessons a").first().click();
        await page.locator("#learn-step").waitFor();
        for (let i = 0; i < steps; i++) await page.locator(".steps button").nth(i).click();
        await page.locator("#next-lesson").click();
        await page.waitForURL(/#\/learn\/move-ordering$/);
        await page.getByRole("link", { name: /All lessons/ }).click();
        assert.match(await facts.first().innerText(), /✓ done/);
    },
    "every lesson takes an answer where it predicts and where it checks, and says what the board shows": async stage => {
        const page = await open(stage, { at: "#/learn" });
        for (const link of await page.locator("#lessons a").evaluateAll(links => links.map(found => found.hash))) {
            await page.evaluate(to => { location.hash = to; }, link);
            await page.locator(`#learn-step[data-kind="predict"]`).waitFor();
            await page.locator(".places").getByText("to move").first().waitFor();
            assert.ok(await page.locator("#solution button").count() >= 2 || await page.locator("#reveal").count() === 1, link);
            assert.equal(await page.locator("#learn-step details:not(.run)").count(), 0, link);
            const turned = () => page.locator(".board .cg-wrap").first().evaluate(board => board.classList.contains("orientation-black"));
            const before = await turned();
            await page.locator("#next-step").click();
            assert.equal(await turned(), before, `${link}: the board stays as it is`);
            await page.locator(".steps button").last().click();
            await page.locator(`#learn-step[data-kind="check"]`).waitFor();
            assert.deepEqual(await page.locator(".question").evaluateAll(all => all.map(question => question.querySelectorAll("button").length >= 2)), [true, true, true], link);
            assert.doesNotMatch(await page.locator("#learn-step").innerText(), /docs\/|results\//, link);
            await page.evaluate(() => { location.hash = "#/learn"; });
            await page.locator("#lessons").waitFor();
        }
    },
    "a lesson without a guess says what was right, and lights what a rule tried": async stage => {
        const page = await lesson(stage, "futility");
        await page.locator("#reveal").click();
        await page.locator("#guess-result").getByText("You guessed no move. Pruned").waitFor();
        const right = await page.locator("#guess-right").innerText();
        assert.equal(right.split(", ").length, await page.locator(".moves button.acted").count());
        await page.locator("#next-step").click();
        await page.locator('#learn-step[data-kind="see"]').getByText(right.replace(/^The moves: /, "").split(", ")[0]).first().waitFor();
        for (const [name, rule] of [["null-move", "null move"], ["late-move-reductions", "late move reductions"]]) {
            await page.evaluate(to => { location.hash = `#/learn/${to}`; }, name);
            await page.locator("#solution button").first().click();
            const answer = (await page.locator("#solution .verdict").innerText()).replace(/^(Right|Not so: [^.]+)\. /, "");
            await page.locator("#next-step").click();
            await page.locator("#learn-step").getByText(answer).waitFor();
            await page.getByRole("button", { name: new RegExp(`^${rule} [1-9]\\d*$`), pressed: true }).waitFor();
            await page.locator("#rule-details").getByText(/something tried or changed at [1-9]\d* nodes?\./).waitFor();
        }
    },
    "a match plays until it is stopped": async stage => {
        const page = await lesson(stage, "null-move");
        await toStep(page, "What is it worth?", "worth");
        await page.locator("#match-nodes").selectOption("100");
        await page.locator("#match-button").click();
        await page.locator("#match-games").getByText(/^\d+ games: \d+ won, \d+ drawn, \d+ lost with it\./).waitFor();
        await page.waitForFunction(() => Number(/^\d+/.exec(document.querySelector("#match-games").textContent)[0]) >= 4);
        await page.locator("#match-button").getByText("Stop").click();
        await page.locator("#match-button").getByText("Start").waitFor();
        assert.ok(await page.locator("#ladder tbody tr").count() > 0);
    },
    "the first lesson shows the Elo of each rung of its table": async stage => {
        const page = await lesson(stage, "bare-engine");
        await toStep(page, "Turn it off", "off");
        const names = await page.locator("#learn-step tbody").first().locator("th").allInnerTexts();
        assert.match(await page.locator("#learn-step").innerText(), /without all of them[^]*with nothing but \w+[^]*\nand table cutoffs, [^]*\nand /);
        await toStep(page, "What is it worth?", "worth");
        assert.deepEqual(await page.locator("#rungs tbody th").allInnerTexts(), names.slice(1));
    },
    "lessons by keyboard and link: the list, back, a link that is wrong": async stage => {
        const page = await open(stage);
        await page.keyboard.press("o");
        const first = page.locator("#lessons a").first();
        await first.waitFor();
        assert.equal(await page.locator("#lessons a").count(), 12);
        await first.press("Enter");
        await page.locator("#learn-step").waitFor();
        assert.match(page.url(), /#\/learn\/bare-engine$/);
        await page.locator("#next-step").press("Enter");
        await page.keyboard.press("ArrowRight");
        assert.equal(await page.locator('.steps [aria-current="step"]').evaluate(it => [...it.parentElement.children].indexOf(it)), 2);
        await page.goBack();
        await first.waitFor();
        await page.evaluate(() => { location.hash = "#/learn/nul-move"; });
        await page.locator("#learn-error").getByText("There is no lesson “nul-move”. The link may be from another version.").waitFor();
        await page.keyboard.press("a");
        await page.locator("#open-button").waitFor();
    },
    "challenges: an exercise, one's own position, what is wrong with it, a broken link": async stage => {
        const page = await open(stage, { at: "#/learn" });
        await page.locator("#to-challenge").click();
        assert.equal(await page.locator("#exercises a").count(), 10);
        await page.locator("#exercises a").first().click();
        await page.locator("#challenge-verdict").getByText("It holds").waitFor();
        assert.match(page.url(), /technique=\w+&depth=\d+&position=\S+_[wb]_/);
        assert.equal(await page.locator("#challenge-fen").inputValue(), decodeURIComponent(/position=(.*)$/.exec(page.url())[1]).replaceAll("_", " "));
        await page.locator(".question summary").click();
        await page.locator(".question details p").getByText(/A search to depth \d+ with all rules finds it, too/).waitFor();
        await page.locator("#challenge-fen").fill("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        await page.locator("#challenge-depth").selectOption("4");
        await page.locator("#challenge-check").click();
        await page.locator("#challenge-verdict").getByText(/With the rule and without it the engine plays the same move|does not cost the right move/).waitFor();
        await page.locator("#challenge-fen").fill("4k3/8/8/8/8/8/4P3/8 w - - 0 1");
        await page.locator("#challenge-check").click();
        await page.locator("#learn-error").getByText("king").waitFor();
        await page.evaluate(() => { location.hash = "#/learn/challenge?technique=null_move&depth=99&position=%0A@run"; });
        await page.locator("#learn-error").getByText("This link holds no challenge: it needs a technique, a depth from 2 to 12, and a position.").waitFor();
        await page.goBack();
        await page.goBack();
        await page.locator("#challenge-verdict").waitFor();
    },
    "a lesson on a phone fits, and its board stays in view": async stage => {
        const page = await lesson(stage, "late-move-reductions", PHONE);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no wider than the screen");
        await page.locator("#next-step").scrollIntoViewIfNeeded();
        const box = await page.locator(".board .holder").boundingBox();
        assert.ok(box.y >= 0 && box.y < 300, `board at ${box.y}`);
    },
};

/** What Firefox cannot do. */
export const learningOffline = {
    "a lesson that was opened works offline": async stage => {
        const context = await idle(stage), page = await stage.open({ context });
        await page.getByText("works offline").waitFor();
        await page.reload();
        await page.keyboard.press("o");
        await page.locator("#lessons a").nth(5).click();
        await page.locator("#learn-step").waitFor();
        await context.setOffline(true);
        await page.reload();
        await page.locator("#learn-step").waitFor();
        await context.setOffline(false);
    },
    "what the lessons claim holds for the network of the page": async stage => {
        const page = await open(stage, { at: "#/learn" });
        for (const link of await page.locator("#lessons a").evaluateAll(links => links.map(found => found.hash))) {
            await page.evaluate(to => { location.hash = to; }, link);
            await page.locator(`#learn-step[data-kind="predict"]`).waitFor();
            const steps = page.locator(".steps button");
            for (let i = 0; i < await steps.count(); i++) {
                await steps.nth(i).click();
                assert.equal(await page.locator(".not-so").count(), 0, `${link}, step ${i + 1}`);
            }
            await page.evaluate(() => { location.hash = "#/learn"; });
            await page.locator("#lessons").waitFor();
        }
    },
    "in German the lessons are marked as English": async stage => {
        const page = await open(stage, { at: "#/learn", locale: "de-DE" });
        await page.getByText("Die Lektionen sind auf Englisch.").waitFor();
        assert.equal(await page.locator("#lessons").evaluate(list => list.closest("[lang]").lang), "en");
    },
};
