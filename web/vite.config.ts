import { svelte } from "@sveltejs/vite-plugin-svelte";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { sheet } from "./src/ui/pieces";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Emits sw.js with the list of all files and a version that is made of their contents: a cache holds one version whole. */
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

/** The twelve pieces as one picture. Chromium lays out each SVG picture as a document of its own, of 0.4 MB. */
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

/** The licences of all that is in the page, and the text of its own. */
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

/** Scripts in ASCII: Chromium keeps a script with one other letter in two bytes a letter, several times. */
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

/** The engine begins to load together with the page's code, not after it. */
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

/** As the engine has it: a score of the search that is worth a pawn. */
const unitsPerPawn = /SCORE_UNITS_PER_PAWN = (\d+)/.exec(readFileSync(here("../src/search/score.h"), "utf8"))![1]!;

export default defineConfig({
    define: { UNITS_PER_PAWN: unitsPerPawn },
    base: "./", // works in any folder of any host
    plugins: [svelte(), pieces(), ascii(), licences(), preload(), serviceWorker()],
    resolve: { alias: { "@engine": process.env.LUFT_WEB_ENGINE ?? here("../build/web") } },
    worker: { format: "es" },
    assetsInclude: ["**/*.nnue"],
    build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
});
