// The search box: the server's own filter language, with suggestions of its keys and values. `views/pushes.js` asks the
// server for what it finds.

import { el, fill, icon } from "../core/dom.js";
import { filterKeys } from "../made/filters.js";

const typingPause = 140;
const suggestionsMax = 12;
/** How many values of a key are remembered, and how many rows of a page are searched for them. */
const valuesMax = 300;
const rememberedRows = 1000;

export const pushTypes = filterKeys.find(({ key }) => key === "pushType").values;

const quoted = (value) => (/[\s":]/.test(value) ? `"${value.replace(/["\\]/g, "\\$&")}"` : value);

/** Values seen in pushes, by the members of a row that are keys, including pushes that a search has filtered out since. */
const seen = new Map(["topic", "device", "status", "reason", "token", "scope", "fault"].map((key) => [key, new Set()]));

/** Remembers the values of rows for suggestions. */
export function rememberValues(rows) {
    for (const [key, values] of seen) {
        for (const row of rows.slice(0, rememberedRows)) {
            if (values.size === valuesMax) break;
            if (row[key] !== null && row[key] !== undefined) values.add(String(row[key]));
        }
    }
}

/** Completions at the caret: `{from, items: [{insert, name, text}]}`. */
export function suggestions(line, caret) {
    const word = /(?:^|\s)(-?)([^\s:"]*)(?::([^\s"]*))?$/.exec(line.slice(0, caret));
    if (!word) return { from: caret, items: [] };
    const [, minus, name, value] = word;
    const from = caret - minus.length - name.length - (value === undefined ? 0 : value.length + 1);
    if (value === undefined) {
        const found = filterKeys.filter(({ key }) => key.toLowerCase().startsWith(name.toLowerCase()));
        return {
            from,
            items: found.slice(0, suggestionsMax).map(({ key, text }) => (
                { insert: `${minus}${key}:`, name: `${key}:`, text, goesOn: true })),
        };
    }
    // A tilde behind the key looks for a part of the value.
    const key = filterKeys.find((one) => one.key === name.replace(/~$/, ""));
    if (!key) return { from: caret, items: [] };
    const part = value.toLowerCase();
    const values = [...new Set([...key.values, ...(seen.get(key.key) ?? [])])].filter((one) => {
        const text = one.toLowerCase();
        return one !== value && (key.key === name ? text.startsWith(part) : text.includes(part));
    });
    return {
        from,
        items: values.slice(0, suggestionsMax).map((one) => (
            { insert: `${minus}${name}:${quoted(one)} `, name: one, text: "", goesOn: false })),
    };
}

/** Calls `search(line)` shortly after typing, and `leave()` when the user leaves the box. */
export function makeSearch({ search, leave }) {
    const input = el("input", {
        class: "input search-input", type: "search", role: "combobox", autocomplete: "off", autocapitalize: "none",
        spellcheck: "false", enterkeyhint: "search", placeholder: "Search, or topic:… status:410 -shown:true",
        "aria-label": "Search pushes", "aria-expanded": "false", "aria-controls": "search-suggestions",
        "aria-autocomplete": "list", "aria-describedby": "search-problem", recorded: true,
    });
    const list = el("div", {
        class: "suggestions", role: "listbox", id: "search-suggestions", "aria-label": "Suggestions", hidden: true,
    });
    const problem = el("p", { class: "search-problem", id: "search-problem", role: "alert" });
    const element = el("div", { class: "search", role: "search" }, icon("search"), input, list, problem);
    let items = [];
    let active = -1;
    let from = 0;
    let timer = 0;

    function close() {
        items = [];
        active = -1;
        list.hidden = true;
        input.setAttribute("aria-expanded", "false");
        input.removeAttribute("aria-activedescendant");
    }

    function activate(index) {
        active = index;
        for (const [at, option] of [...list.children].entries()) {
            option.setAttribute("aria-selected", String(at === index));
            if (at === index) option.scrollIntoView({ block: "nearest" });
        }
        if (index < 0) input.removeAttribute("aria-activedescendant");
        else input.setAttribute("aria-activedescendant", `suggestion-${index}`);
    }

    function suggest() {
        ({ from, items } = suggestions(input.value, input.selectionStart));
        if (!items.length) {
            close();
            return;
        }
        fill(list, items.map(({ name, text }, index) => el(
            "div", {
                class: "suggestion", role: "option", id: `suggestion-${index}`, "aria-selected": "false",
                // The input keeps the focus.
                onmousedown: (event) => event.preventDefault(),
                onclick: () => take(index),
            },
            el("span", { class: "mono truncate" }, name), el("span", { class: "faint truncate" }, text))));
        list.hidden = false;
        input.setAttribute("aria-expanded", "true");
        activate(-1);
    }

    function apply() {
        clearTimeout(timer);
        search(input.value.trim());
    }

    function take(index) {
        const { insert, goesOn } = items[index];
        const rest = input.value.slice(input.selectionStart).trimStart();
        const caret = from + insert.length;
        input.value = input.value.slice(0, from) + insert + rest;
        input.setSelectionRange(caret, caret);
        clearTimeout(timer);
        if (goesOn) {
            suggest();
        } else {
            close();
            apply();
        }
    }

    input.addEventListener("input", () => {
        suggest();
        clearTimeout(timer);
        // Wait for the value of a key.
        if (!/(?:^|\s)-?[A-Za-z]+~?:$/.test(input.value)) timer = setTimeout(apply, typingPause);
    });
    input.addEventListener("click", suggest);
    input.addEventListener("blur", close);
    input.addEventListener("keydown", (event) => {
        if (event.isComposing) return;
        const isOpen = items.length > 0;
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            if (!isOpen) suggest();
            else activate((active + (event.key === "ArrowDown" ? 1 : -1) + items.length) % items.length);
        } else if (event.key === "Tab" && isOpen && active >= 0) {
            event.preventDefault();
            take(active);
        } else if (event.key === "Enter") {
            event.preventDefault();
            if (isOpen && active >= 0) {
                take(active);
            } else {
                apply();
                input.blur();
                leave();
            }
        } else if (event.key === "Escape") {
            event.preventDefault();
            if (isOpen) {
                close();
            } else {
                // An empty list takes no focus.
                input.blur();
                leave();
            }
        }
    });

    return {
        element,
        get value() { return input.value.trim(); },
        set(line) {
            if (input.value.trim() !== line) input.value = line;
        },
        focus() {
            input.focus();
            input.select();
        },
        showProblem(text) {
            problem.textContent = text ?? "";
            if (text) input.setAttribute("aria-invalid", "true");
            else input.removeAttribute("aria-invalid");
        },
        close: () => clearTimeout(timer),
    };
}
