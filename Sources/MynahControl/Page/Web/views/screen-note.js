// One notification on a lock screen, and what its user can do with it.
import { el } from "../core/dom.js";
import { refill } from "./refill.js";
import { appIcon } from "./parts.js";
import { ago, appName, localTime } from "./words.js";

const levelNames = { "time-sensitive": "Time Sensitive", critical: "Critical" };

/** A card without content; `press(sequence)` is a tap on it, `act(sequence, action, text)` a choice. */
export function noteCard({ press, act }) {
    const face = el("button", { type: "button", class: "v-note-face", recorded: true });
    const panel = el("div", { class: "v-note-actions", recorded: false });
    const clear = el("button", { type: "button", class: "v-note-clear", "aria-label": "Clear" });
    const edges = el("div", { class: "v-note-edges", "aria-hidden": "true" });
    const node = el("li", { class: "v-note" }, face, clear, panel, edges);
    face.addEventListener("click", () => press(node.sequence));
    clear.addEventListener("click", () => act(node.sequence, "dismiss"));
    face.addEventListener("keydown", (event) => {
        if (event.key === "Delete" || event.key === "Backspace") clear.click();
    });
    node.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || node.panel.hidden) return;
        event.stopPropagation();
        press(node.sequence);
        face.focus();
    });
    Object.assign(node, { face, panel, clear, edges, act });
    return node;
}

/** Updates a card. */
export function updateNoteCard(node, { note, registration, hidden, more, edges, now, locale, isOpen }) {
    node.sequence = note.sequence;
    node.dataset.sequence = String(note.sequence);
    node.dataset.level = note.interruptionLevel;
    const age = ago(Date.parse(note.updatedAt ?? note.shownAt), now, locale);
    refill(node.face, ...face(note, registration, more, age));
    node.face.setAttribute("aria-expanded", String(isOpen));
    node.face.title = `Push ${note.sequence}, shown ${localTime(note.shownAt)}`;
    node.clear.hidden = hidden > 0;
    refill(node.edges, Array.from({ length: edges }, () => el("i", {})));
    node.panel.hidden = !isOpen;
    // Keep what is being typed as long as the choices are the same.
    const choices = JSON.stringify([isOpen, note.actions, note.actionTitle]);
    if (choices === node.choices) return;
    node.choices = choices;
    node.panel.replaceChildren(...(isOpen ? actions(node, note) : []));
    if (isOpen) requestAnimationFrame(() => node.panel.scrollIntoView({ block: "nearest" }));
}

function face(note, registration, more, age) {
    const name = note.sender ?? appName(note.topic, registration);
    const level = levelNames[note.interruptionLevel];
    return [
        appIcon(note.topic, registration),
        el("span", { class: "v-note-text" },
            el("span", { class: "v-note-head" },
                el("span", { class: "v-note-app", dir: "auto" }, name),
                el("time", { datetime: note.updatedAt ?? note.shownAt }, age)),
            level ? el("span", { class: "v-note-level" }, level) : null,
            note.onWatch ? el("span", { class: "v-note-level" }, "On Apple Watch") : null,
            note.title ? el("strong", { dir: "auto" }, note.title) : null,
            note.subtitle ? el("span", { class: "v-note-subtitle", dir: "auto" }, note.subtitle) : null,
            note.body ? el("span", { class: "v-note-body", dir: "auto" }, note.body) : null,
            more ? el("span", { class: "v-note-more", dir: "auto" }, more) : null),
    ];
}

function actions(node, note) {
    const press = (action) => node.act(note.sequence, action);
    const own = note.actions.map((action) => {
        if (action.textInput) return reply(node, note, action);
        return el("button",
            { type: "button", "data-destructive": action.destructive, onClick: () => press(action.id) }, action.title);
    });
    return [
        el("button", { type: "button", onClick: () => press("default") }, note.actionTitle ?? "Open"),
        ...own.flat(),
        el("button", { type: "button", onClick: () => press("dismiss") }, "Clear"),
    ];
}

/** An action that takes a text: the button becomes a text field. */
function reply(node, note, { id, title, textInputButtonTitle, textInputPlaceholder }) {
    const input = el("input",
        { type: "text", placeholder: textInputPlaceholder ?? title, "aria-label": title, autocomplete: "off" });
    const line = el("form", { class: "v-note-reply", hidden: true, onSubmit: send }, input,
        el("button", { type: "submit", "aria-label": `Send ${title}` }, textInputButtonTitle ?? "Send"));
    const open = el("button", { type: "button", onClick: show }, `${title}…`);
    function show() {
        open.hidden = true;
        line.hidden = false;
        input.focus();
    }
    function send(event) {
        event.preventDefault();
        node.act(note.sequence, id, input.value);
    }
    return [open, line];
}
