// Nobody looks: after a minute the engine rests until the page is seen again.

const REST_AFTER = 60_000; // milliseconds

/** Returns the end of the watch. */
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
