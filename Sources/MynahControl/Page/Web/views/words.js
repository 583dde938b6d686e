// How numbers, times and names are written for people to read at a glance: rounded, and where a device shows them in its
// language. core/format.js has exact values.

import { moment } from "../core/format.js";

/** `1 push`, `3 pushes`. */
export function count(number, one, many = `${one}s`) {
    return `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
}

/** Bytes as people read them: `412 B`, `3.4 kB`. */
export function bytes(number) {
    const units = ["B", "kB", "MB", "GB", "TB"];
    let value = number;
    let unit = 0;
    while (value >= 1000 && unit < units.length - 1) {
        value /= 1000;
        unit += 1;
    }
    const digits = unit === 0 || value >= 100 ? 0 : 1;
    return `${value.toFixed(digits)} ${units[unit]}`;
}

/** How long ago, in the words of a locale; times in milliseconds. */
export function ago(then, now, locale) {
    const seconds = Math.max(0, Math.floor((now - then) / 1000));
    const [unit, size] = seconds < 60 ? ["second", Infinity] : seconds < 3600 ? ["minute", 60]
        : seconds < 86_400 ? ["hour", 3600] : ["day", 86_400];
    const options = { numeric: "auto", style: "narrow" };
    return localized(Intl.RelativeTimeFormat, locale, options).format(-Math.floor(seconds / size), unit);
}

/** How long, in two units at most: `2 h 5 min`. */
export function span(milliseconds) {
    const units = [["d", 86_400_000], ["h", 3_600_000], ["min", 60_000], ["s", 1000]];
    const parts = [];
    let rest = Math.max(0, milliseconds);
    for (const [name, size] of units) {
        const whole = Math.floor(rest / size);
        rest -= whole * size;
        if (whole > 0) parts.push(`${whole} ${name}`);
        else if (parts.length > 0) break;
        if (parts.length === 2) break;
    }
    return parts.join(" ") || "0 s";
}

/** A format of a locale, or of English if the browser doesn't know the locale. */
function localized(Format, locale, options) {
    try {
        return new Format(locale, options);
    } catch {
        return new Format("en", options);
    }
}

export const dateFormat = (locale, options) => localized(Intl.DateTimeFormat, locale, options);

/** The time of day in a locale, without AM and PM, as on a lock screen. */
export function timeOfDay(locale, time) {
    return dateFormat(locale, { hour: "numeric", minute: "2-digit" }).formatToParts(time)
        .filter(({ type }) => type !== "dayPeriod").map(({ value }) => value).join("").trim();
}

/** A time of the API in the reader's time zone, as in the list of pushes. */
export const localTime = moment;

/** The beginning and the end of a token. */
export function shortToken(token) {
    return token.length > 20 ? `${token.slice(0, 8)}…${token.slice(-6)}` : token;
}

/** The name under an app's icon: its own, the host of a web app's origin, or the last word of its topic. */
export function appName(topic, registration) {
    if (registration?.appName) return registration.appName;
    if (topic.startsWith("https:")) return topic.replace(/^https:[/]+/, "");
    const words = topic.split(".");
    const suffixes = ["voip", "complication", "push-type", "pushkit", "location-query"];
    const own = words.filter((word, index) => index < 2 || !suffixes.includes(word));
    const word = own[own.length - 1] || topic;
    return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The name of a member or a value as a label: `Low`, `Show previews`. */
export function labelOf(name) {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the service worker of a web app does with a push that declares no notification. */
export const workers = [["shows", "Shows a notification"], ["silent", "Shows nothing"], ["none", "None"]];

/** One of twelve hues, always the same for a topic. */
export function hueOf(topic) {
    let hash = 0;
    for (const character of topic) hash = (hash * 31 + character.codePointAt(0)) >>> 0;
    return hash % 12;
}

/** The time of a clock that was read at `readAt`, in milliseconds; in a recorded run all clocks stand still. */
export function presentTime(app, { mode, now }, readAt) {
    return Date.parse(now) + (mode === "frozen" || app.isRecorded ? 0 : Date.now() - readAt);
}

/** A part of a path, percent-encoded. */
export const part = encodeURIComponent;
