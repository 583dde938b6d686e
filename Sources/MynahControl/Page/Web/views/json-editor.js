// A JSON editor with line numbers, which marks errors at their line.
import { el } from "../core/dom.js";
import { uniqueId } from "./refill.js";
import { lineOf, placeOf } from "./json-place.js";

/**
 * An editor; `text` is its content, `read()` returns the value or shows an error and returns undefined;
 * `fault(pointer, message)` marks the line of a JSON pointer; `recorded` is that of `el`.
 */
export function jsonEditor(label, { rows = 14, changed = () => {}, recorded } = {}) {
    const id = uniqueId("json");
    const gutter = el("ol", { class: "v-gutter", "aria-hidden": "true" });
    const note = el("p", { class: "field-error", id: `${id}-note`, role: "alert" });
    const area = el("textarea", {
        id, rows, spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off",
            "aria-describedby": note.id, onInput: typed, onScroll: follow, onKeydown: key, recorded,
    });
    const node = el("div", { class: "field v-json" }, el("label", { for: id }, label),
        el("div", { class: "v-json-frame" }, gutter, area), note);

    function number(wrong) {
        const lines = area.value.split("\n").length;
        while (gutter.childElementCount < lines) gutter.append(el("li", {}));
        while (gutter.childElementCount > lines) gutter.lastChild.remove();
        [...gutter.children].forEach((line, index) => line.classList.toggle("v-wrong-line", index === wrong));
    }
    function typed() {
        note.textContent = "";
        area.removeAttribute("aria-invalid");
        number();
        changed();
    }
    function follow() {
        gutter.scrollTop = area.scrollTop;
    }
    function mark(offset, message) {
        const line = lineOf(area.value, offset);
        note.textContent = `Line ${line + 1}: ${message}`;
        area.setAttribute("aria-invalid", "true");
        number(line);
        area.focus();
        area.setSelectionRange(offset, offset);
        const lineHeight = parseFloat(getComputedStyle(area).lineHeight);
        area.scrollTop = line * lineHeight - area.clientHeight / 2;
        follow();
    }
    // Tab leaves the field, as in other fields; a new line keeps the indentation of the previous one.
    function key(event) {
        if (event.key !== "Enter" || event.isComposing) return;
        const before = area.value.slice(0, area.selectionStart);
        const indentation = /[^\n]*$/.exec(before)[0].match(/^ */)[0] + (/[[{]\s*$/.test(before) ? "  " : "");
        event.preventDefault();
        area.setRangeText(`\n${indentation}`, area.selectionStart, area.selectionEnd, "end");
        typed();
    }

    Object.defineProperty(node, "text", {
        get: () => area.value,
        set: (text) => {
            if (text === area.value) return;
            area.value = text;
            note.textContent = "";
            area.removeAttribute("aria-invalid");
            number();
        },
    });
    node.read = () => {
        try {
            return JSON.parse(area.value);
        } catch (error) {
            mark(brokenAt(area.value, error), `invalid JSON: ${error.message}`);
            return undefined;
        }
    };
    node.fault = (pointer, message) => mark(pointer?.startsWith("/") ? placeOf(area.value, pointer) : 0, message);
    node.input = area;
    number();
    return node;
}

/** What is wrong with a text that is not JSON, with its line; null for JSON. */
export function jsonProblem(text) {
    try {
        JSON.parse(text);
        return null;
    } catch (error) {
        return `line ${lineOf(text, brokenAt(text, error)) + 1}: invalid JSON: ${error.message}`;
    }
}

/** Where a text stops being JSON, from the browser's error message or else from this page's own parser. */
function brokenAt(text, error) {
    const position = /position (\d+)/.exec(error.message);
    return position ? Math.min(Number(position[1]), text.length) : placeOf(text, "");
}
