// Short news in a corner, read out by screen readers.

import { el } from "./dom.js";

const shownFor = { info: 3500, error: 8000 };
const atOnce = 4;
let area = null;

export function toast(text, { kind = "info" } = {}) {
    if (!area) {
        area = el("div", { class: "toasts", role: "status", "aria-live": "polite" });
        document.body.append(area);
    }
    const element = el("div", { class: `toast toast-${kind}` }, text);
    area.append(element);
    while (area.children.length > atOnce) area.firstChild.remove();
    setTimeout(() => element.remove(), shownFor[kind] ?? shownFor.info);
}

/** Puts text into the clipboard and says so. */
export async function copyText(text, what) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        // Without TLS a browser has no clipboard for addresses other than this machine's.
        const field = el("textarea", { "aria-hidden": "true", class: "visually-hidden" });
        field.value = text;
        (document.querySelector("dialog[open]") ?? document.body).append(field);
        field.select();
        const done = document.execCommand("copy");
        field.remove();
        if (!done) {
            toast(`The browser does not let this page copy ${what}.`, { kind: "error" });
            return;
        }
    }
    toast(`Copied ${what}.`);
}
