import * as luft from "luft-chess";

import { use } from "./use.mjs";

const [depth, nodes] = location.search.slice(1).split("&");
const workers = {
    "a worker": luft.uciWorker,
    "a worker of its own": () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }),
};
use(luft, workers, depth, nodes).then(body => fetch("/result", { method: "POST", body }));
