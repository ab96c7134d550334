// `make check-web`: scenarios in Chromium and in Firefox, then the figures. Ends with "N passed, N failed".
//     node web/tests/check.mjs NATIVE_LUFT [--only TEXT] [--scenarios] [--figures] [--firefox]
// --firefox runs nothing in Chromium.
// NATIVE_LUFT: an x86-64-v2 build with the page's network, to compare bench and speed with.

import { accessibility } from "./accessibility.mjs";
import { analysing } from "./analysing.mjs";
import { board } from "./board.mjs";
import { explaining } from "./explaining.mjs";
import { figures } from "./figures.mjs";
import { german } from "./german.mjs";
import { hasFirefox, runCases } from "./harness.mjs";
import { keeping } from "./keeping.mjs";
import { learning, learningOffline } from "./learning.mjs";
import { loading } from "./loading.mjs";
import { playing } from "./playing.mjs";
import { training } from "./training.mjs";
import { untrusted } from "./untrusted.mjs";
import { ways } from "./ways.mjs";

const words = process.argv.slice(2);
const only = words.includes("--only") ? words[words.indexOf("--only") + 1] : undefined;
const twice = { ...analysing, ...board, ...keeping, ...ways, ...playing, ...training, ...learning }; // in both browsers
const scenarios = words.includes("--figures") ? {}
    : { ...loading, ...twice, ...explaining, ...accessibility, ...german, ...untrusted, ...learningOffline };
const measured = words.includes("--scenarios") || words.includes("--firefox") ? {} : figures(words[0]);
const results = words.includes("--firefox") ? [] : [await runCases({ ...scenarios, ...measured }, only)];
if (hasFirefox && !words.includes("--figures")) {
    console.log("In Firefox:");
    const inFirefox = await runCases(twice, only, true);
    console.log(`${inFirefox.skipped} scenarios need what WebDriver BiDi lacks in this Firefox, and were skipped.`);
    results.push(inFirefox);
} else if (!hasFirefox) console.log("Skipped in Firefox, which is not installed (Debian: firefox-esr).");
const sum = what => results.reduce((all, result) => all + result[what], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") || !sum("passed") ? 1 : 0;
