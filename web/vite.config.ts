import { svelte } from "@sveltejs/vite-plugin-svelte";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { sheet } from "./src/ui/pieces";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Emits sw.js with the list of all files and a version: the hash of their contents. */
function serviceWorker(): Plugin {
    return {
        name: "luft-service-worker",
        apply: "build",
        enforce: "post",
        generateBundle(_, bundle) {
            const hash = createHash("sha256");
            const files = Object.values(bundle).map(file => file.fileName).concat(readdirSync(here("public"))).sort();
            for (const name of files) {
                const made = bundle[name];
                hash.update(name).update(
                    made === undefined ? readFileSync(here(`public/${name}`))
                    : made.type === "chunk" ? made.code : made.source);
            }
            const source = readFileSync(here("src/service-worker.js"), "utf8")
                .replace("__VERSION__", hash.digest("hex").slice(0, 12))
                .replace("__FILES__", JSON.stringify(files.filter(name => name !== "index.html")));
            this.emitFile({ type: "asset", fileName: "sw.js", source });
        },
    };
}

/** Joins the twelve pieces in one image. Chromium needs 0.4 MB for each SVG image, because it is a document of its own. */
function pieces(): Plugin {
    return {
        name: "luft-pieces",
        enforce: "pre",
        transform(code, id) {
            if (!id.includes("chessground.cburnett.css")) return undefined;
            const drawn = new Map([...code.matchAll(/piece\.(\w+)\.(white|black)\s*{[^}]*base64,([^'")]+)/g)].map(
                ([, role, color, text]) => [`${role} ${color}`, Buffer.from(text!, "base64").toString()]));
            const picture = sheet(45, (role, color) =>
                drawn.get(`${role} ${color}`)!.replace(/ width="45" height="45"/, ' viewBox="0 0 45 45"'));
            return { code: `.cg-wrap piece { background-image: ${picture}; }`, map: null };
        },
    };
}

/** Emits the licences of all parts of the page. */
function licences(): Plugin {
    return {
        name: "luft-licences",
        apply: "build",
        buildStart() {
            const source = readFileSync(here("src/licences.txt"), "utf8") + readFileSync(here("../LICENSE"), "utf8");
            this.emitFile({ type: "asset", fileName: "licences.txt", source });
        },
    };
}

/** Escapes non-ASCII characters: one of them makes Chromium store several copies of the script at two bytes a character. */
function ascii(): Plugin {
    return {
        name: "luft-ascii",
        apply: "build",
        generateBundle(_, bundle) {
            for (const file of Object.values(bundle))
                if (file.type === "chunk")
                    file.code = file.code.replace(/[^\x00-\x7f]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
        },
    };
}

/** A function of the sources with the comment above it, as the lessons show it. */
function cut(file: string, name: string): { line: number; text: string } {
    const lines = readFileSync(here(`../${file}`), "utf8").split("\n");
    const head = lines.findIndex(line => /^\w/.test(line) && line.includes(` ${name}(`) && !line.endsWith(";"));
    if (head < 0) throw new Error(`${file} has no function ${name}`);
    let first = head;
    while (/^( \*|\/\*)/.test(lines[first - 1]!)) first--;
    return { line: first + 1, text: lines.slice(first, lines.indexOf("}", head) + 1).join("\n") };
}

function results(name: string) {
    const [head, ...rows] = readFileSync(here(`../results/${name}.tsv`), "utf8").trimEnd().split("\n").map(line => line.split("\t"));
    return rows.map(row => Object.fromEntries(head!.map((column, i) => [column, row[i] ?? ""])));
}

/** The rungs of the first lesson, each measured against the one before. */
const rungs = () => results("experiments").filter(({ id }) => id!.startsWith("ladder-"))
    .map(({ subject, opponent, limit, games, elo, error }) => ({ subject, opponent, limit, games: Number(games), elo: Number(elo), error: Number(error) }));

/** What the last ablation in results/ says of each technique: Elo lost without it. */
function worths() {
    const found = results("ablation");
    const latest = new Map(found.filter(row => row.bench === found.at(-1)!.bench).map(row => [`${row.subject} ${row.limit}`, row]));
    return [...latest.values()].map(({ subject, limit, games, elo, error, net }) =>
        ({ technique: subject, limit, net, games: Number(games), elo: Number(elo), error: Number(error) }));
}

/** The text of a challenge, and the positions that come with it. */
function challenge() {
    const rows = readFileSync(here("../lessons/challenge/exercises.tsv"), "utf8").trimEnd().split("\n").slice(1).map(row => row.split("\t"));
    return { template: readFileSync(here("../lessons/challenge/template.txt"), "utf8"),
             exercises: rows.map(([technique, depth, fen]) => ({ technique, depth: Number(depth), fen })) };
}

/** "virtual:lessons" lists the lessons, "virtual:lesson/NAME" is one: its text, and the code that it shows. */
function lessons(): Plugin {
    const textOf = (name: string) => readFileSync(here(`../lessons/${name}.txt`), "utf8");
    const names = [...readFileSync(here("../src/learn/lessons.def"), "utf8").matchAll(/^LESSON\(\w+, "([\w-]+)"\)/gm)].map(([, name]) => name!);
    const titleOf = (name: string) => /^@title ([^@]*?)\n(?=@|\n)/m.exec(textOf(name))![1]!.replaceAll("\n", " ");
    const list = () => names.map(name => `{ name: "${name}", title: ${JSON.stringify(titleOf(name))}, load: () => import("virtual:lesson/${name}") }`);
    return {
        name: "luft-lessons",
        resolveId: id => (id.startsWith("virtual:lesson") || id === "virtual:challenge" ? `\0${id}` : undefined),
        load(id) {
            if (id === "\0virtual:lessons") return `export const lessons = [${list().join()}], worths = ${JSON.stringify(worths())}, rungs = ${JSON.stringify(rungs())};`;
            if (id === "\0virtual:challenge") return Object.entries(challenge()).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join("");
            if (!id.startsWith("\0virtual:lesson/")) return undefined;
            const text = textOf(id.split("/")[1]!), code = [...text.matchAll(/^@code (\S+) (\w+)/gm)];
            const cuts = Object.fromEntries(code.map(([, file, name]) => [`${file} ${name}`, cut(file!, name!)]));
            return `export const text = ${JSON.stringify(text)}, code = ${JSON.stringify(cuts)};`;
        },
    };
}

/** Makes the browser load the engine together with the page's code, not after it. */
function preload(): Plugin {
    return {
        name: "luft-preload",
        apply: "build",
        transformIndexHtml: {
            order: "post",
            handler(html, { bundle }) {
                const wanted = Object.keys(bundle ?? {}).filter(name => /\/luft-[^/]*\.(wasm|nnue)$/.test(name));
                return {
                    html,
                    tags: wanted.filter(name => !name.includes("luft-plain")).map(name => ({
                        tag: "link",
                        attrs: { rel: "preload", as: "fetch", href: `./${name}`, crossorigin: "" },
                        injectTo: "head" as const,
                    })),
                };
            },
        },
    };
}

/** The engine's own constants. */
const unitsPerPawn = /SCORE_UNITS_PER_PAWN = (\d+)/.exec(readFileSync(here("../src/search/score.h"), "utf8"))![1]!;
const chances = readFileSync(here("../src/engine/chances.c"), "utf8");
const chanceTerms = (name: string) => `[${new RegExp(`\\.${name} = {([^}]+)}`).exec(chances)![1]!}]`;

export default defineConfig({
    define: { UNITS_PER_PAWN: unitsPerPawn, CHANCE_ALPHA: chanceTerms("alpha"), CHANCE_BETA: chanceTerms("beta") },
    base: "./", // works in any folder of any server
    plugins: [svelte(), pieces(), lessons(), ascii(), licences(), preload(), serviceWorker()],
    resolve: { alias: { luft: here("../bindings/wasm"), "@engine": process.env.LUFT_WEB_ENGINE ?? here("../build/web") } },
    worker: { format: "es" },
    assetsInclude: ["**/*.nnue", "**/*.epd"],
    build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
});
