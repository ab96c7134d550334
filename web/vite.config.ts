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

/** The engine's own constant. */
const unitsPerPawn = /SCORE_UNITS_PER_PAWN = (\d+)/.exec(readFileSync(here("../src/search/score.h"), "utf8"))![1]!;

export default defineConfig({
    define: { UNITS_PER_PAWN: unitsPerPawn },
    base: "./", // works in any folder of any server
    plugins: [svelte(), pieces(), ascii(), licences(), preload(), serviceWorker()],
    resolve: { alias: { "@engine": process.env.LUFT_WEB_ENGINE ?? here("../build/web") } },
    worker: { format: "es" },
    assetsInclude: ["**/*.nnue"],
    build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
});
