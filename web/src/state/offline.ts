// The service worker: the page offline, and a new version of it only when that is wanted.

import { texts } from "../texts";
import { tell } from "./notices.svelte";

function offer(worker: ServiceWorker): void {
    tell(texts.offline.newer, "note", {
        label: texts.offline.take,
        act: () => {
            navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
            worker.postMessage("take over");
        },
    });
}

function watch(registration: ServiceWorkerRegistration): void {
    const { serviceWorker } = navigator;
    if (registration.waiting && serviceWorker.controller) offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
        const worker = registration.installing;
        const isFirst = !serviceWorker.controller;
        worker?.addEventListener("statechange", () => {
            if (worker.state === "installed" && !isFirst) offer(worker);
            if (worker.state === "activated" && isFirst) tell(texts.offline.ready);
        });
    });
}

export function startOffline(): void {
    if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
    // After the engine's files, which are then in the browser's cache already.
    const start = () => setTimeout(() => {
        navigator.serviceWorker.register("./sw.js").then(watch, () => {}); // without it the page needs the host
    }, 1500);
    if (document.readyState === "complete") start();
    else addEventListener("load", start, { once: true });
}
