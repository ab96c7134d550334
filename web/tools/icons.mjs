// Draws public/icon-192.png and icon-512.png from icon.svg with the installed Chromium. Run it when the icon changes.
import { chromium } from "playwright-core";
import { readFileSync, writeFileSync } from "node:fs";

const svg = readFileSync(new URL("../public/icon.svg", import.meta.url), "utf8");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const size of [192, 512]) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body{margin:0;background:#14506b}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
    writeFileSync(new URL(`../public/icon-${size}.png`, import.meta.url), await page.screenshot());
}
await browser.close();
