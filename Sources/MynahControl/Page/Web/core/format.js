// Times, counts, sizes: how exact values are written, as the list of pushes has them. views/words.js has rounded ones,
// names, and times in a device's language.

const counts = new Intl.NumberFormat("en");
const timeOfDay = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23",
});
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

export const count = (value) => counts.format(value);

/** "1 push", "2 pushes". */
export function plural(value, one, many = `${one}s`) {
    return `${count(value)} ${value === 1 ? one : many}`;
}

export const bytes = (value) => plural(value, "byte");

/** The time of day where the reader is, with milliseconds. */
export const time = (text) => timeOfDay.format(new Date(text));

/** The date, without today's, and without this year's number. */
export function date(text, now = new Date()) {
    const then = new Date(text);
    if (then.toDateString() === now.toDateString()) return "";
    return (then.getFullYear() === now.getFullYear() ? day : dayAndYear).format(then);
}

/** The date, unless it is today, and the time of day. */
export function moment(text) {
    return [date(text), time(text)].filter(Boolean).join(", ");
}

/** A time difference: "+12 ms", "+3.400 s", "+2 h 5 min". */
export function later(milliseconds) {
    if (milliseconds < 1000) return `+${milliseconds} ms`;
    if (milliseconds < 60_000) return `+${Number((milliseconds / 1000).toFixed(3))} s`;
    const minutes = Math.round(milliseconds / 60_000);
    if (minutes < 60) return `+${minutes} min`;
    if (minutes < 60 * 48) return `+${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    return `+${Math.round(minutes / 60 / 24)} days`;
}

/** The beginning of a device token, enough to distinguish it by eye. */
export const shortToken = (token) => (token.length > 14 ? `${token.slice(0, 8)}…${token.slice(-4)}` : token);

/** Whether a push went to the followers of a channel. */
export const isBroadcast = (push) => typeof push.devices === "number";

/** How many devices, in words. */
export const deviceCount = (devices) => plural(devices, "device");

/** A device's ID, shortened if it is just the token; of a broadcast how many devices got it. */
export const deviceName = (push) => {
    if (isBroadcast(push)) return deviceCount(push.devices);
    if (!push.device) return push.token ? shortToken(push.token) : "no valid token";
    return push.device === push.token ? shortToken(push.device) : push.device;
};

/** A word for a POSIX shell. */
export const shellWord = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
