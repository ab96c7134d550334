// The bookmarklet: on any page with a game, it opens the game in Luft.

/** Runs on the other page, alone: it may use nothing from outside. The text that is selected, else the first thing that has
 *  tags of PGN, else the page's address. */
function take(luft: string): void {
    const selected = String(getSelection()).trim();
    const shown = Array.from(document.querySelectorAll("textarea, input, pre, code, [class*=pgn]"),
                             element => (element as HTMLInputElement).value || element.textContent || "");
    const found = selected || shown.find(text => /\[\w+ +"/.test(text)) || location.href;
    open(`${luft}#/analyse?text=${encodeURIComponent(found)}`);
}

export const bookmarklet = (luft: string): string => `javascript:${encodeURIComponent(`(${take})(${JSON.stringify(luft)})`)}`;
