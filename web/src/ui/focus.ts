// Keeps the keyboard's place. The browser gives the focus to the whole page when the focused element is removed or disabled,
// and a reader of the page would begin again at its top.

const PLACES = "section, dialog, main, [role=group], [role=toolbar], [role=tabpanel]";

const isGone = (element: Element): boolean => !element.isConnected || element.matches(":disabled");
const isNowhere = (): boolean => document.activeElement === document.body || document.activeElement === null;

/** Focuses an element that usually is none of the stops of Tab: the next Tab goes on from there. */
export function focusPlace(place: HTMLElement): void {
    if (!place.hasAttribute("tabindex")) {
        place.tabIndex = -1;
        place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
    }
    place.focus({ preventScroll: true });
}

/** Leaves a text field for the part of the page around it, where keys are commands. */
export function leaveField(field: HTMLElement): void {
    const place = field.parentElement?.closest<HTMLElement>(PLACES);
    if (place) focusPlace(place);
    else field.blur();
}

/**
 * From now on, when the focused element vanishes, the nearest part of the page that held it is focused. An element that was
 * only disabled gets the focus back, if it is still there by then. Returns a function that ends this.
 */
export function keepFocus(): () => void {
    let trail: HTMLElement[] = []; // the focused element, and all that contain it
    let left: { element: HTMLElement; place: HTMLElement } | undefined; // where the focus went from a disabled element

    function remember(event: FocusEvent): void {
        const target = event.target as HTMLElement;
        if (left?.place !== target) left = undefined;
        trail = [];
        for (let at: HTMLElement | null = target; at; at = at.parentElement) trail.push(at);
    }

    /** A user who presses on an empty place leaves the element, too: then it is still there. */
    function forget(event: FocusEvent): void {
        if (!event.relatedTarget) setTimeout(() => { if (isNowhere() && trail[0] && !isGone(trail[0])) trail = []; });
    }

    const watcher = new MutationObserver(() => {
        if (left && !isGone(left.element)) {
            const { element, place } = left;
            left = undefined;
            if (document.activeElement === place) element.focus({ preventScroll: true });
        }
        const [element] = trail;
        if (!element || !isGone(element)) return;
        const place = trail.find(outer => outer.isConnected && outer.matches(PLACES));
        trail = [];
        if (!place || !(isNowhere() || document.activeElement === element)) return;
        if (element.isConnected) left = { element, place };
        focusPlace(place);
    });
    watcher.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
    document.addEventListener("focusin", remember);
    document.addEventListener("focusout", forget);
    return () => {
        watcher.disconnect();
        document.removeEventListener("focusin", remember);
        document.removeEventListener("focusout", forget);
    };
}
