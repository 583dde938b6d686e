// Short messages in a corner, which screen readers announce.

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

/** Copies text to the clipboard and confirms it. */
export async function copyText(text, what) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        // Without TLS, browsers have the clipboard API only on localhost.
        const field = el("textarea", { "aria-hidden": "true", class: "visually-hidden", recorded: true });
        field.value = text;
        (document.querySelector("dialog[open]") ?? document.body).append(field);
        field.select();
        const done = document.execCommand("copy");
        field.remove();
        if (!done) {
            toast(`The browser does not allow this page to copy ${what}.`, { kind: "error" });
            return;
        }
    }
    toast(`Copied ${what}.`);
}
