// The names that the page itself writes into a game against Luft, in the language of this visit.

import { languages, texts, type Texts } from "../texts";
import { ODDS, OPPONENTS } from "./opponents";

const namesIn = ({ play }: Texts): string[] =>
    [play.you, play.event, ...OPPONENTS.flatMap(who => ODDS.map(odds => play.opponent(who, odds)))];

let known: ReadonlyMap<string, string> | undefined;

/** A name of the page's own in its language; any other one as it is. */
export function ownName(name: string): string {
    known ??= new Map(languages.flatMap(language => namesIn(language).map((own, i) => [own, namesIn(texts)[i]!])));
    return known.get(name) ?? name;
}

/** The title of a game against Luft. */
export const ownTitle = (title: string): string => title.split(" – ").map(ownName).join(" – ");
