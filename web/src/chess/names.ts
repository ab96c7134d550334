// What games are called: in lists, in the title of the page, as files.

type Headers = ReadonlyMap<string, string>;

/** Whether a tag says something: "?", "????.??.??" and "*" do not. */
const isKnown = ([, value]: [string, string]): boolean => !/^[?.*\s]*$/.test(value);

/** The chapter of a study, or the players, or else the event; "" where a game has none of them. */
export function nameOf(headers: Headers): string {
    const known = new Map([...headers].filter(isKnown)), white = known.get("White"), black = known.get("Black");
    // Studies of Lichess name the chapter in a tag of its own, in older files after the study's name in the event.
    const isChapter = /lichess\.org\/study\//.test(known.get("Site") ?? ""), event = known.get("Event") ?? "";
    const chapter = known.get("ChapterName") ?? (isChapter ? event.replace(/^.*?: /, "") : "");
    return chapter || (white || black ? `${white ?? "?"} – ${black ?? "?"}` : event);
}

/** What a list says of a game besides its name: players of a chapter, event, date, result. */
export function factsOf(headers: Headers): string {
    const known = new Map([...headers].filter(isKnown)), name = nameOf(headers);
    const players = ["White", "Black"].map(side => known.get(side) ?? "").filter(text => text && !name.includes(text)).join(" – ");
    const facts = [players, ...["Event", "Date", "Result"].map(tag => known.get(tag)?.replaceAll(".??", "") ?? "")];
    return facts.filter(text => text && text !== name).join(" · ");
}

/** A text as it is searched: without capitals and accents. */
export const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
