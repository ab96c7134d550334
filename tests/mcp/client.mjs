// `make check-mcp`: the tools of `luft mcp`, called by the client that most assistants are built on. It checks each result by the
// tool's schema. Ends with "N passed, N failed".
//     node client.mjs LUFT

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const FORK = "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17";
const ENDLESS = 1_000_000_000;

const client = new Client({ name: "luft-test", version: "1.0.0" });
const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);

const cases = {
    "the handshake": async () => {
        await client.connect(new StdioClientTransport({ command: process.argv[2], args: ["mcp"] }));
        assert.equal(client.getServerVersion().name, "luft");
        assert.match(client.getInstructions(), /Luft/);
        await client.ping();
    },
    "the list of tools": async () => {
        const { tools } = await client.listTools(); // from now on the client checks results by their schemas
        const names = tools.map((tool) => tool.name);
        for (const name of ["legal_moves", "analyse", "explain_move", "explain_position", "judge_game"]) assert.ok(names.includes(name), name);
        assert.ok(tools.every((tool) => tool.outputSchema));
    },
    "legal_moves": async () => {
        const { structuredContent } = await call("legal_moves", { moves: "1. e4 e5" });
        assert.equal(structuredContent.moves.length, 29);
    },
    "analyse, with progress": async () => {
        const seen = [];
        const { structuredContent } = await call("analyse", { fen: FORK, nodes: 1000000, lines: 2 },
                                                 { onprogress: (progress) => seen.push(progress) });
        assert.equal(structuredContent.lines.length, 2);
        assert.ok(seen.every(({ progress, total }) => progress <= total));
    },
    "explain_move": async () => {
        const { content, structuredContent } = await call("explain_move", { fen: FORK, move: "Qd4", nodes: 100000 });
        assert.equal(structuredContent.motif.kind, "fork");
        assert.match(content[0].text.replaceAll("\n", " "), /forks the king on g1 and the queen on d4/);
        assert.ok(JSON.stringify(structuredContent).length < 4000); // what an assistant reads
    },
    "explain_position": async () => {
        const { structuredContent } = await call("explain_position", { fen: FORK, moves: "Qd4", nodes: 20000 });
        assert.ok(structuredContent.words.length > 0);
    },
    "judge_game": async () => {
        const { structuredContent } = await call("judge_game", { pgn: "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", nodes: 5000 });
        assert.equal(structuredContent.moves.at(-1).verdict, "blunder");
    },
    "a wrong argument": async () => {
        const { isError, content } = await call("legal_moves", { moves: "1. e5" });
        assert.equal(isError, true);
        assert.match(content[0].text, /illegal move/);
    },
    "an unknown tool": async () => {
        await assert.rejects(call("castle", {}), /unknown tool/);
    },
    "a call that is aborted": async () => {
        const abort = new AbortController();
        const running = call("analyse", { nodes: ENDLESS }, { signal: abort.signal });
        setTimeout(() => abort.abort("enough"), 200);
        await assert.rejects(running, /enough/);
        await call("legal_moves", {}); // waits for no search
    },
    "a call that is not waited for": async () => {
        await assert.rejects(call("analyse", { nodes: ENDLESS }, { timeout: 200 }), /timed out/i);
        await call("legal_moves", {});
    },
    "the end": async () => {
        call("analyse", { nodes: ENDLESS }).catch(() => {});
        await client.close();
    },
};

let passed = 0, failed = 0;
for (const [name, run] of Object.entries(cases)) {
    try {
        await run();
        passed++;
        console.log(`ok   ${name}`);
    } catch (error) {
        failed++;
        console.log(`FAIL ${name}: ${error.stack}`);
    }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
