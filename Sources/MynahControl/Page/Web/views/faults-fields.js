// The fields of a rule: those that its preset has, and where each is in the rule. The server makes made/presets.js in
// PageFile.swift, from FaultPreset+Form.swift.
import { presetGroups } from "../made/presets.js";

const presets = presetGroups.flatMap((group) => group.presets);

/** The preset of a name. */
export function presetNamed(name) {
    return presets.find((preset) => preset.name === name);
}

/** The fields of an action: those of its presets, and one for each other member with a plain value. */
export function fieldsOf(action) {
    const alike = presets.filter(({ rule }) => rule.action.type === action.type);
    const status = action.type === "respond" ? [{ pointer: "/action/status", label: "Status", isNumber: true }] : [];
    const fields = new Map([...status, ...alike.flatMap((one) => one.fields)].map((one) => [one.pointer, one]));
    for (const [name, value] of Object.entries(action)) {
        const pointer = `/action/${name}`;
        const isPlain = typeof value === "string" || typeof value === "number";
        if (name === "type" || fields.has(pointer) || !isPlain) continue;
        fields.set(pointer, { pointer, label: name, isNumber: typeof value === "number" });
    }
    return [...fields.values()].filter(({ pointer }) => typeof valueAt({ action }, pointer) !== "object");
}

/** A copy of an object with the value at a pointer replaced, or removed if there is no value. */
export function withValue(object, pointer, value) {
    const [step, ...rest] = pointer.split("/").slice(1);
    const copy = { ...object };
    if (rest.length > 0) copy[step] = withValue(copy[step] ?? {}, `/${rest.join("/")}`, value);
    else if (value === undefined) delete copy[step];
    else copy[step] = value;
    return copy;
}

/** The value at a pointer. */
export function valueAt(object, pointer) {
    return pointer.split("/").slice(1).reduce((value, step) => value?.[step], object);
}
