// Pauses the engine when the page has been hidden for a minute, until it is visible again.

const REST_AFTER = 60_000; // milliseconds

/** Calls `rest` when the state changes. Returns a function that ends it. */
export function watchHidden(rest: (hidden: boolean) => void): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
        clearTimeout(timer);
        if (document.visibilityState === "hidden") timer = setTimeout(() => rest(true), REST_AFTER);
        else rest(false);
    };
    look(); // the page may have been opened in the background
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
}
