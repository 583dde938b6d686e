// JSON as it was sent: keeps numbers, escapes, duplicate keys and order, which JSON.parse would lose.

import { el } from "./dom.js";

const token = /\s+|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/gsy;
/** Longer documents are shown without colours. */
const highlightMax = 64_000;

function* tokens(text) {
    token.lastIndex = 0;
    while (token.lastIndex < text.length) {
        const start = token.lastIndex;
        const match = token.exec(text);
        if (!match) throw new SyntaxError(`no JSON at ${start}`);
        if (match[0].trim()) yield { text: match[0], start, end: token.lastIndex };
    }
}

/** The text of a member's value in an object's text, or null. */
export function memberText(text, name) {
    let depth = 0;
    let key = null;
    let last = null;
    let start = -1;
    for (const { text: word, start: at, end } of [...tokens(text)]) {
        if (start >= 0 && depth === 1 && (word === "," || word === "}")) return text.slice(start, last);
        if (word === ":" && depth === 1 && key === JSON.stringify(name) && start < 0) {
            start = end;
        } else {
            if ("{[".includes(word)) depth += 1;
            if ("}]".includes(word)) depth -= 1;
            if (depth === 1) key = word;
        }
        last = Math.max(end, at);
    }
    return null;
}

/** Indented lines, each a list of `{text, kind}`. */
function* layOut(text) {
    let depth = 0;
    let line = [];
    const all = [...tokens(text)];
    const indent = () => ({ text: "  ".repeat(depth), kind: "" });
    for (const [index, { text: word }] of all.entries()) {
        const next = all[index + 1]?.text;
        if (word === "{" || word === "[") {
            line.push({ text: word, kind: "" });
            depth += 1;
            if (next !== "}" && next !== "]") {
                yield line;
                line = [indent()];
            }
        } else if (word === "}" || word === "]") {
            depth -= 1;
            const previous = all[index - 1]?.text;
            if (previous !== "{" && previous !== "[") {
                yield line;
                line = [indent()];
            }
            line.push({ text: word, kind: "" });
        } else if (word === ",") {
            line.push({ text: word, kind: "" });
            yield line;
            line = [indent()];
        } else if (word === ":") {
            line.push({ text: ": ", kind: "" });
        } else if (word.startsWith('"')) {
            line.push({ text: word, kind: next === ":" ? "key" : "string" });
        } else {
            line.push({ text: word, kind: /^[tfn]/.test(word) ? "literal" : "number" });
        }
    }
    yield line;
}

/** A block of JSON, indented and coloured; other text is shown as it is. */
export function jsonBlock(text, label) {
    const block = el("pre", { class: "code json", tabindex: "0", role: "region", "aria-label": label });
    if (text.length > highlightMax) {
        block.append(text);
        return block;
    }
    let lines;
    try {
        lines = [...layOut(text)];
    } catch {
        block.append(text);
        return block;
    }
    for (const [index, line] of lines.entries()) {
        if (index) block.append("\n");
        for (const { text: part, kind } of line) {
            block.append(kind ? el("span", { class: `json-${kind}` }, part) : document.createTextNode(part));
        }
    }
    return block;
}
