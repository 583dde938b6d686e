// Finds the place of a JSON pointer in a text, so that an error can be shown where it is.

/**
 * The offset in `text` of the value at a JSON pointer (RFC 6901), or of the nearest existing value around it; 0 if
 * the text is not JSON.
 */
export function placeOf(text, pointer) {
    const steps = pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    const reader = { text, at: 0 };
    try {
        return find(reader, steps);
    } catch (error) {
        if (error instanceof Unreadable) return reader.at;
        throw error;
    }
}

class Unreadable extends Error {}

/** The line of an offset, from 0. */
export function lineOf(text, offset) {
    return text.slice(0, offset).split("\n").length - 1;
}

function skipSpace(reader) {
    while (" \t\r\n".includes(reader.text[reader.at] ?? "x")) reader.at += 1;
}

function expect(reader, character) {
    skipSpace(reader);
    if (reader.text[reader.at] !== character) throw new Unreadable();
    reader.at += 1;
}

function next(reader) {
    skipSpace(reader);
    return reader.text[reader.at];
}

/** Reads the value at the reader's position and returns where the value at `steps` in it begins. */
function find(reader, steps) {
    skipSpace(reader);
    const start = reader.at;
    const [step, ...rest] = steps;
    const opening = next(reader);
    let found;
    if (opening === "{") {
        members(reader, (name, keyAt) => {
            const inner = find(reader, name === step ? rest : []);
            // The place of a member is that of its name.
            if (name === step && found === undefined) found = rest.length > 0 ? inner : keyAt;
        });
    } else if (opening === "[") {
        elements(reader, (index) => {
            const inner = find(reader, String(index) === step ? rest : []);
            if (String(index) === step) found = inner;
        });
    } else if (opening === '"') {
        string(reader);
    } else {
        word(reader);
    }
    return found ?? start;
}

function members(reader, each) {
    expect(reader, "{");
    if (next(reader) === "}") return expect(reader, "}");
    for (;;) {
        skipSpace(reader);
        const keyAt = reader.at;
        const name = string(reader);
        expect(reader, ":");
        each(name, keyAt);
        if (next(reader) === "}") return expect(reader, "}");
        expect(reader, ",");
    }
}

function elements(reader, each) {
    expect(reader, "[");
    if (next(reader) === "]") return expect(reader, "]");
    for (let index = 0; ; index += 1) {
        each(index);
        if (next(reader) === "]") return expect(reader, "]");
        expect(reader, ",");
    }
}

function string(reader) {
    const match = /"(?:[^"\\]|\\.)*"/sy;
    match.lastIndex = reader.at;
    const found = match.exec(reader.text);
    if (!found) throw new Unreadable();
    try {
        const value = JSON.parse(found[0]);
        reader.at = match.lastIndex;
        return value;
    } catch {
        throw new Unreadable();
    }
}

function word(reader) {
    const match = /(?:true|false|null|-?\d[-+.\deE]*)(?!\w)/y;
    match.lastIndex = reader.at;
    if (!match.exec(reader.text)) throw new Unreadable();
    reader.at = match.lastIndex;
}
