// Which view is shown. The address names it, so "back" and links work.

export type View = "analyse" | "play" | "explain" | "train";
export const VIEWS: readonly View[] = ["analyse", "play", "explain", "train"];

const viewOf = (hash: string): View => VIEWS.find(view => hash.startsWith(`#/${view}`)) ?? "analyse";

class Route {
    #view: View = $state(viewOf(location.hash));

    get view(): View { return this.#view; }
    set view(view: View) {
        if (view === this.#view) return;
        this.#view = view;
        history.pushState(null, "", `#/${view}`);
    }

    /** Called after "back" or a link. */
    follow(): void { this.#view = viewOf(location.hash); }
}

export const route = new Route();
