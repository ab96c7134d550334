import * as luft from "luft-chess";

import { use } from "./use.mjs";

const [depth, nodes] = process.argv.slice(2);
console.log(await use(luft, { "a worker in Node": luft.uciWorker }, depth, nodes));
