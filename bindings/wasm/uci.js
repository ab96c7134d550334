// uci.mjs for `new Worker("…/uci.js")`, as pages start stockfish.js: a classic worker. Lines that come early wait.

const early = [];
onmessage = event => early.push(event);
import("./uci.mjs").then(() => early.forEach(event => onmessage(event)));
