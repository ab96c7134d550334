// The service worker: the page offline, and a new version of it only when that is wanted.

import { texts } from "../texts";
import { dismiss, notices, tell } from "./notices.svelte";

let wanted = false; // by this tab: the new version

function offer(registration: ServiceWorkerRegistration): void {
    tell(texts.offline.newer, "note", {
        label: texts.offline.take,
        act: () => {
            wanted = true;
            if (registration.waiting) registration.waiting.postMessage("take over");
            else location.reload(); // another tab has taken it
        },
    });
}

/** The new version deletes the files of the old one, and a tab that still shows that needs them to keep what it has. */
function watchController(): void {
    const { serviceWorker } = navigator;
    let isFirst = !serviceWorker.controller;
    serviceWorker.addEventListener("controllerchange", () => {
        if (wanted) return location.reload();
        const offered = notices.find(notice => notice.text === texts.offline.newer);
        if (offered) dismiss(offered.id);
        if (!isFirst) tell(texts.offline.taken, "error", { label: texts.offline.reload, act: () => location.reload() });
        isFirst = false;
    });
}

function watch(registration: ServiceWorkerRegistration): void {
    const { serviceWorker } = navigator;
    if (registration.waiting && serviceWorker.controller) offer(registration);
    registration.addEventListener("updatefound", () => {
        const worker = registration.installing;
        const isFirst = !serviceWorker.controller;
        worker?.addEventListener("statechange", () => {
            if (worker.state === "installed" && !isFirst) offer(registration);
            if (worker.state === "activated" && isFirst) tell(texts.offline.ready);
        });
    });
}

export function startOffline(): void {
    if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
    watchController();
    // After the engine's files, which are then in the browser's cache already.
    const start = () => setTimeout(() => {
        navigator.serviceWorker.register("./sw.js").then(watch, () => {}); // without it the page needs the host
    }, 1500);
    if (document.readyState === "complete") start();
    else addEventListener("load", start, { once: true });
}
