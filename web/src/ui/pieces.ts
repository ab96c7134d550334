// The piece set "Outline", drawn for Luft in squares of 40 by 40, and the image that holds all pieces.

const BASE = "M9 35h22v-3.5H9z";
const SHAPES: Record<string, string> = {
    pawn: `${BASE}M20 9a5 5 0 0 1 3.2 8.8c3.4 1.8 4.6 7 5.3 13.7h-17c.7-6.7 1.9-11.9 5.3-13.7A5 5 0 0 1 20 9z`,
    knight: `${BASE}M11 31.5c0-6 4-8 6.5-11.5-2 1-4.5 3-7 2.5l-2-3.5 5-7.5.8-5 4.2 3c8 .5 12 7 11.5 22z`,
    bishop: `${BASE}M20 4.5a2.3 2.3 0 0 1 1.7 3.9c4.8 3 7 7.6 5.3 12.6-.8 2.2-2.4 3.4-2.4 5.5 0 2 1.6 3.5 3.4 5H12c1.8-1.5 `
        + "3.4-3 3.4-5 0-2.1-1.6-3.3-2.4-5.5-1.7-5 .5-9.6 5.3-12.6A2.3 2.3 0 0 1 20 4.5z",
    rook: `${BASE}M10.5 8h4v3h3.5V8h4v3h3.5V8h4v7l-3 2.5 1 14h-15l1-14-3-2.5z`,
    queen: `${BASE}M7 11l6 8 2-11 5 10 5-10 2 11 6-8-4.5 20.5h-17z`,
    king: `${BASE}M18.5 4h3v3h3v3h-3v3.5C27 10.5 33.5 13 33 19c-.3 4.5-3.5 8-5 12.5H12C10.5 27 7.3 23.5 7 19c-.5-6 6-8.5 11.5-5.5V10h-3V7h3z`,
};

function svg(path: string, color: "white" | "black"): string {
    const [fill, line] = color === "white" ? ["#fdfdfb", "#24292f"] : ["#2b3036", "#d5dade"];
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path d="${path}" fill="${fill}" stroke="${line}" `
        + 'stroke-width="1.5" stroke-linejoin="round"/></svg>';
}

const ROLES = ["king", "queen", "bishop", "knight", "rook", "pawn"]; // the order in style.css

/** All twelve pieces in one image, as a CSS value: one row per colour, White on top. `draw` returns an <svg> of `size`. */
export function sheet(size: number, draw: (role: string, color: "white" | "black") => string): string {
    const drawn = (["white", "black"] as const).flatMap((color, y) => ROLES.map((role, x) =>
        draw(role, color).replace("<svg", `<svg x="${x * size}" y="${y * size}" width="${size}" height="${size}"`)));
    const whole = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${6 * size} ${2 * size}">${drawn.join("")}</svg>`;
    return `url("data:image/svg+xml,${encodeURIComponent(whole)}")`;
}

/** The CSS rule that replaces the standard pieces inside an element of class "outline". */
export function outlineRule(): string {
    return `.outline .cg-wrap piece{background-image:${sheet(40, (role, color) => svg(SHAPES[role]!, color))}}`;
}
