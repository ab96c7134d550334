// Files that the page gives to the user.

/** Saves a text as a file, where the browser puts what is downloaded. */
export function saveFile(text: string, name: string): void {
    const url = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
    Object.assign(document.createElement("a"), { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}
