// Which view is shown. The address names it, so "back" and links work.

export type View = "analyse" | "play" | "explain" | "train" | "learn";
export const VIEWS: readonly View[] = ["analyse", "play", "explain", "train", "learn"];

const LESSON = /^#\/learn\/(.+)/;
const viewOf = (hash: string): View => VIEWS.find(view => hash.startsWith(`#/${view}`)) ?? "analyse";

class Route {
    #view: View = $state(viewOf(location.hash));
    #lesson = $state(LESSON.exec(location.hash)?.[1] ?? "");

    get view(): View { return this.#view; }
    set view(view: View) {
        if (view === this.#view) return;
        this.#view = view;
        this.#lesson = "";
        history.pushState(null, "", `#/${view}`);
    }

    /** The lesson that is open in the view "learn", or a challenge with what its link says; "": the list of them. */
    get lesson(): string { return this.#lesson; }
    set lesson(name: string) {
        [this.#view, this.#lesson] = ["learn", name];
        history.pushState(null, "", name ? `#/learn/${name}` : "#/learn");
    }

    /** Called after "back" or a link. */
    follow(): void {
        this.#view = viewOf(location.hash);
        this.#lesson = LESSON.exec(location.hash)?.[1] ?? "";
    }
}

export const route = new Route();
