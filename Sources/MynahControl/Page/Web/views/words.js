// How numbers, times and names are written.

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

/** How long ago, in a phone's words; times in milliseconds. */
export function ago(then, now) {
    const seconds = Math.floor((now - then) / 1000);
    if (seconds < 60) return "now";
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return `${minutes}m ago`;
    const hours = Math.floor(minutes / 60);
    if (hours < 24) return `${hours}h ago`;
    const days = Math.floor(hours / 24);
    return days === 1 ? "yesterday" : `${days}d ago`;
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

/** A date format of a locale, or in English if the browser doesn't know the locale. */
export function dateFormat(locale, options) {
    try {
        return new Intl.DateTimeFormat(locale, options);
    } catch {
        return new Intl.DateTimeFormat("en", options);
    }
}

const dayAndTime = dateFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A time of the API in the reader's time zone. */
export function localTime(text) {
    return dayAndTime.format(new Date(text));
}

/** The beginning and the end of a token. */
export function shortToken(token) {
    return token.length > 20 ? `${token.slice(0, 8)}…${token.slice(-6)}` : token;
}

/** The name under an app's icon: its own, or the last word of its topic. */
export function appName(topic, registration) {
    if (registration?.appName) return registration.appName;
    const words = topic.split(".");
    const suffixes = ["voip", "complication", "push-type", "pushkit", "location-query"];
    const own = words.filter((word, index) => index < 2 || !suffixes.includes(word));
    const word = own[own.length - 1] || topic;
    return word.charAt(0).toUpperCase() + word.slice(1);
}

/** One of twelve hues, always the same for a topic. */
export function hueOf(topic) {
    let hash = 0;
    for (const character of topic) hash = (hash * 31 + character.codePointAt(0)) >>> 0;
    return hash % 12;
}

/** A part of a path, percent-encoded. */
export const part = encodeURIComponent;
