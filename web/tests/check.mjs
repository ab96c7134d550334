// `make check-web`: scenarios in Chromium, then the figures. Ends with "N passed, N failed".
//     node web/tests/check.mjs NATIVE_LUFT [--only TEXT] [--scenarios] [--figures]
// NATIVE_LUFT: an x86-64-v2 build with the page's network, to compare bench and speed with.

import { accessibility } from "./accessibility.mjs";
import { analysing } from "./analysing.mjs";
import { board } from "./board.mjs";
import { explaining } from "./explaining.mjs";
import { figures } from "./figures.mjs";
import { runCases } from "./harness.mjs";
import { keeping } from "./keeping.mjs";
import { loading } from "./loading.mjs";
import { playing } from "./playing.mjs";
import { training } from "./training.mjs";
import { untrusted } from "./untrusted.mjs";
import { ways } from "./ways.mjs";

const words = process.argv.slice(2);
const only = words.includes("--only") ? words[words.indexOf("--only") + 1] : undefined;
const cases = {
    ...(words.includes("--figures") ? {} : { ...loading, ...analysing, ...board, ...keeping, ...ways, ...playing, ...training, ...explaining,
                                             ...accessibility, ...untrusted }),
    ...(words.includes("--scenarios") ? {} : figures(words[0])),
};
const { passed, failed } = await runCases(cases, only);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed || !passed ? 1 : 0;
