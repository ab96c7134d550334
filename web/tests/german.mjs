// German: every text has a translation, and no view shows an English one.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { BLUNDER, GAME, idle, paste, type, waitForLine } from "./harness.mjs";

const SOURCES = new URL("../src/", import.meta.url);
const source = name => readFileSync(new URL(name, SOURCES), "utf8");

/** A module of the page in JavaScript, by address; `others` are what it imports. */
function moduleOf(name, others = {}) {
    const { outputText } = ts.transpileModule(source(name), { compilerOptions: { module: "esnext", target: "es2022", removeComments: true } });
    return `data:text/javascript,${encodeURIComponent(outputText.replace(/from "(.*?)"/g, (_, from) => `from "${others[from]}"`))}`;
}

async function tables() {
    const opponents = { "./play/opponents": moduleOf("play/opponents.ts") }, german = moduleOf("texts_de.ts", opponents);
    const settings = "data:text/javascript,export const locale = 'en', settings = { language: 'en' };";
    const { texts } = await import(moduleOf("texts.ts", { ...opponents, "./state/settings.svelte": settings, "./texts_de": german }));
    return { english: texts, german: (await import(german)).german };
}

/** Texts that are the same in both languages: names, signs, and what consists of other texts. */
const SAME = /^(name|views\.analyse|settings\.(engine|efforts\.1\.1)|keys\.rows\.\d+\.0|play\.(label|array\.|opponent)|io\.(pgn|fen|link)|moves\.nags\..*|spoken\.move|report\.(graphPoint|sign)|play\.chess960|play\.clockOf|settings\.(languages\..*|pieceSets\.cburnett|megabytes|arrows)|editor\.enPassant|remote\.open|weaknesses\.(few|by\.phase)|train\.place|explain\.(columns\.iteration|columnsCompared|purposes\.move))$/;

const NAMES = /^(Lichess|chess\.com)$/;

function* untranslated(english, german, path = "") {
    for (const [name, value] of Object.entries(english)) {
        const at = path ? `${path}.${name}` : name;
        if (typeof value === "object") yield* untranslated(value, german[name], at);
        else if (String(value) === String(german[name]) && /[a-z]{2}/i.test(String(value)) && !SAME.test(at)) yield `${at}: ${value}`;
    }
}

/** The markup of a component without what stands in braces. */
function bare(markup) {
    let depth = 0, found = "";
    for (const char of markup.replace(/<(script|style)[^>]*>.*?<\/\1>|<!--.*?-->/gs, "")) {
        if (char === "{") depth++;
        if (depth === 0) found += char;
        if (char === "}") depth--;
    }
    return found;
}

const words = /\b(the|and|of|with|your|this|that|is|are|from|for|you|not)\b/i; // none of them is German
const move = /(?<!\w)[QRN][a-h1-8]?x?[a-h][1-8]/; // with an English letter

/** Fails where the page says something in English: in letters, or to a screen reader. */
async function isGerman(page, where) {
    const texts = await page.evaluate(() => [document.title, ...document.body.innerText.split("\n"),
        ...[...document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")].flatMap(element =>
            ["aria-label", "title", "placeholder", "alt"].map(name => element.getAttribute(name) ?? ""))]);
    assert.deepEqual(texts.filter(text => words.test(text) || move.test(text)), [], where);
}

export const german = {
    "every text has a German one, and no component has words of its own": async () => {
        const { english, german: other } = await tables();
        assert.deepEqual([...untranslated(english, other)], []);
        for (const folder of ["", "ui/", "views/"]) {
            for (const name of readdirSync(new URL(folder || "./", SOURCES)).filter(file => file.endsWith(".svelte"))) {
                const markup = bare(source(folder + name));
                const attributes = [...markup.matchAll(/(?:aria-label|title|placeholder|alt)="([^"]*)"/g)].map(([, text]) => text);
                const between = markup.replace(/<[^>]*>/g, "\n").split("\n");
                assert.deepEqual([...attributes, ...between].filter(text => /[a-z]{2}/i.test(text) && !NAMES.test(text)), [], name);
            }
        }
        const names = ["line.c", "motif.c", "explanation.c"].flatMap(file =>
            [...readFileSync(new URL(`../../src/explain/${file}`, SOURCES), "utf8").matchAll(/\[(?:CAUSE|MOTIF|REASON)_\w+\] = "(.*?)"/g)].map(([, name]) => name));
        const good = ["best", "as good as the best"]; // no mistake has one
        assert.ok(names.length > 30);
        assert.deepEqual(names.filter(name => !(name in other.weaknesses.names) && !good.includes(name)), []);
    },
    "in German no view says anything in English": async stage => {
        const { german: texts } = await tables(), context = await idle(stage, { locale: "de-DE", settings: { engineOn: true } });
        const page = await stage.open({ context });
        const button = name => page.getByRole("button", { name, exact: true });
        await waitForLine(page, 4);
        await isGerman(page, "at first");
        for (const key of [",", "?"]) {
            await page.keyboard.press(key);
            await page.getByRole("dialog").waitFor();
            await isGerman(page, `the dialog of ${key}`);
            await page.keyboard.press("Escape");
        }
        await paste(page, GAME);
        await page.locator("section.list").getByText("Sf3#").waitFor();
        for (const name of [texts.io.open, texts.io.share, texts.io.kept, texts.editor.open, texts.menu.about]) {
            await button(name).click();
            await page.getByRole("dialog").waitFor();
            await isGerman(page, name);
            await page.keyboard.press("Escape");
        }
        await page.locator("#open-button").click();
        await button(texts.remote.title).click();
        await page.locator("#remote-player").waitFor();
        await isGerman(page, "other sites");
        await page.keyboard.press("Escape");
        await button(texts.report.make).click();
        await page.locator("#report-table").waitFor();
        await isGerman(page, "report");
        await button(texts.report.learn).click();
        await page.locator("#train-hint-button").click();
        await page.locator("#train-hint").waitFor();
        await isGerman(page, "training");
        await page.locator("#train-scope").selectOption("all");
        await page.locator("#weaknesses").click();
        await page.locator(".weaknesses table").first().waitFor();
        await isGerman(page, "weaknesses");
        await page.keyboard.press("a");
        await paste(page, BLUNDER);
        await page.locator("#overview-switch").click();
        await page.locator("#overview").getByText("droht").first().waitFor();
        await isGerman(page, "overview");
        await type(page, "Qd4");
        await page.keyboard.press("Escape");
        await page.keyboard.press("x");
        await page.locator("#answer").waitFor();
        await isGerman(page, "explanation");
        await page.keyboard.press("e"); // the answer stands next to the game
        await page.locator("#tab-techniques").click();
        await isGerman(page, "techniques");
        await page.locator("#tab-tree").click();
        await page.locator("#grow-tree").click();
        await page.locator("#tree-details").waitFor();
        await isGerman(page, "tree");
        await page.keyboard.press("p");
        await isGerman(page, "play");
        await button(texts.play.start).click();
        await type(page, "e4");
        await page.locator("#play-moves li").nth(1).waitFor();
        await button(texts.play.resign).click();
        await button(texts.play.resignSure).click();
        await page.getByRole("dialog").waitFor();
        await isGerman(page, "the end of a game");
    },
    "after a switch of language the report and the page's own names are in the new one": async stage => {
        const { german: texts, english } = await tables(), context = await idle(stage), page = await stage.open({ context });
        await page.keyboard.press("p");
        await page.getByRole("button", { name: english.play.start, exact: true }).click();
        await type(page, "e4");
        await page.locator("#play-moves li").nth(1).waitFor();
        await page.getByRole("button", { name: english.play.resign, exact: true }).click();
        await page.getByRole("button", { name: english.play.resignSure }).click();
        await page.getByRole("dialog").waitFor();
        await page.keyboard.press("Escape");
        await page.keyboard.press("a");
        await paste(page, GAME);
        await page.getByRole("button", { name: english.report.make }).click();
        await page.locator("#report-table").waitFor();
        const notes = page.locator("section.list .words");
        const inEnglish = await notes.allInnerTexts();
        assert.ok(inEnglish.some(text => words.test(text)), inEnglish.join());
        await page.keyboard.press(",");
        await page.locator("#set-language").selectOption("de");
        await page.locator("#report-table").getByText(texts.report.accuracy, { exact: true }).waitFor();
        await page.locator("#rewording").waitFor({ state: "detached" });
        await notes.nth(inEnglish.length - 1).waitFor();
        await isGerman(page, "the report");
        const inGerman = await notes.allInnerTexts();
        assert.equal(inGerman.length, inEnglish.length);
        await page.reload();
        await page.locator("#report-table").waitFor();
        assert.equal(await page.locator("#rewording").count(), 0, "they were saved");
        assert.deepEqual(await notes.allInnerTexts(), inGerman);
        await page.getByRole("button", { name: texts.io.kept, exact: true }).click();
        await page.locator("dialog .choice").getByText(`${texts.play.you} – Ada (Luft, etwa 700)`).click();
        await page.locator("#game-header").getByText(texts.play.you).waitFor();
        await isGerman(page, "a game that was played");
    },
};
