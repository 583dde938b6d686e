// Modal dialogs; the browser's own, which traps the focus and closes with Escape.

import { el } from "./dom.js";

let number = 0;

/** Shows content in a dialog; resolves to its return value, "" if it was dismissed. */
export function showDialog(title, content, { className = "" } = {}) {
    const id = `dialog-${++number}`;
    const dialog = el(
        "dialog", { class: `dialog ${className}`, "aria-labelledby": id },
        el("form", { method: "dialog", class: "dialog-body", recorded: true }, el("h2", { id }, title), content));
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(""); });
    document.body.append(dialog);
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(dialog.returnValue);
        });
    });
}

/** Asks for confirmation; resolves to whether it was given. */
export async function confirm(title, text, { action = "OK", danger = true } = {}) {
    const answer = await showDialog(title, [
        el("p", { class: "muted" }, text),
        el("div", { class: "dialog-actions" },
            el("button", { class: "btn", value: "", recorded: true }, "Cancel"),
            el("button", {
                class: `btn btn-primary ${danger ? "btn-danger" : ""}`, value: "yes", autofocus: true, recorded: true,
            }, action)),
    ]);
    return answer === "yes";
}

/** Asks for the control token until one is entered. */
export async function askForToken(wasRefused) {
    for (;;) {
        const input = el("input", {
            class: "input mono", type: "password", autocomplete: "off", spellcheck: "false", autofocus: true,
            required: true, "aria-describedby": "token-hint", recorded: true,
        });
        await showDialog("This server needs a control token", [
            wasRefused && el("p", { class: "field-error", role: "alert" }, "That token is not correct."),
            el("label", { class: "field" }, "Token", input),
            el("p", { class: "field-hint", id: "token-hint" },
                "The value of --control-token or MYNAH_CONTROL_TOKEN. It is kept in this tab only. A link ending in ",
                el("code", {}, "/#token=…"), " contains it."),
            el("div", { class: "dialog-actions" },
                el("button", { class: "btn btn-primary", value: "yes", recorded: true }, "Open")),
        ]);
        if (input.value) return input.value;
    }
}
