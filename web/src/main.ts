import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "./style.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { settings } from "./state/settings.svelte";
import { outlineRule } from "./ui/pieces";

const pieces = document.createElement("style");
pieces.textContent = outlineRule();
document.head.append(pieces);
document.documentElement.lang = settings.language;
const target = document.getElementById("app")!;
target.replaceChildren(); // what was seen until now
mount(App, { target });
