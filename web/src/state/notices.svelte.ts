// Short messages at the edge of the page, and what the screen reader says.

export interface Notice {
    id: number;
    text: string;
    kind: "note" | "error";
    action?: { label: string; act: () => void };
}

const SHOWN_FOR = 8000; // milliseconds; errors and offers stay

export const notices: Notice[] = $state([]);
let last = 0;

export function tell(text: string, kind: Notice["kind"] = "note", action?: Notice["action"]): void {
    if (notices.some(notice => notice.text === text)) return;
    const notice: Notice = { id: ++last, text, kind, ...(action && { action }) };
    notices.push(notice);
    if (kind === "note" && !action) setTimeout(() => dismiss(notice.id), SHOWN_FOR);
}

export function dismiss(id: number): void {
    const place = notices.findIndex(notice => notice.id === id);
    if (place >= 0) notices.splice(place, 1);
}

export const spoken = $state({ text: "" });

/** For those who listen: every move, every result. */
export function say(text: string): void {
    spoken.text = text;
}
