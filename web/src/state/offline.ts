// The service worker: makes the page work offline, and offers new versions.

import { texts } from "../texts";
import { notify, retract } from "./notices.svelte";

let wanted = false; // the user has chosen the new version in this tab

function offer(registration: ServiceWorkerRegistration): void {
    notify(texts.offline.newer, "note", {
        label: texts.offline.update,
        stays: true,
        act: () => {
            wanted = true;
            if (registration.waiting) registration.waiting.postMessage("take over");
            else location.reload(); // another tab has activated it
        },
    });
}

/** A new version deletes the files of the old one. Other tabs still need those to save analyses, so they ask to be reloaded. */
function watchController(): void {
    const { serviceWorker } = navigator;
    let isFirst = !serviceWorker.controller;
    serviceWorker.addEventListener("controllerchange", () => {
        if (wanted) return location.reload();
        retract(texts.offline.newer);
        if (!isFirst) notify(texts.offline.outdated, "error", { label: texts.offline.reload, act: () => location.reload() });
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
            if (worker.state === "activated" && isFirst) notify(texts.offline.ready);
        });
    });
}

export function startOffline(): void {
    if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
    watchController();
    // After the engine's files, which the browser's cache then already has.
    const start = () => setTimeout(() => {
        navigator.serviceWorker.register("./sw.js").then(watch, () => {}); // without it the page works online only
    }, 1500);
    if (document.readyState === "complete") start();
    else addEventListener("load", start, { once: true });
}
