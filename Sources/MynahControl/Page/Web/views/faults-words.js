// Says in words what a fault rule does, to what, and when.
import { actions } from "../made/actions.js";
import { count } from "./words.js";

/** The members of actions that are told apart from the others, besides those that the server's words name. */
const told = {
    "": ["type", "delay", "deliver", "afterPushes"],
    respond: ["answerHeaders"], resetStream: ["when"], tls: ["alert", "certificate", "stall", "slow"],
    close: ["afterBytes", "afterIdle"],
};
const placeholder = /\{(\w+)\}/g;

/** What an action does. */
export function actionWords(action) {
    const late = delayWords(action.delay);
    if (action.type === "pass" && late) return `answers ${late}`;
    const { words = String(action.type), unsaid = {} } = actions[action.type] ?? {};
    const named = [...words.matchAll(placeholder)].map(([, name]) => name);
    const rest = action.type === "settings" ? [] : Object.entries(action).filter(([name, value]) => value !== null
        && value !== unsaid[name] && ![...named, ...told[""], ...(told[action.type] ?? [])].includes(name)
        && !(action.type === "goaway" && name === "code" && value === "NO_ERROR"));
    return [
        mainWords(action, words), action.afterPushes ? `at every ${ordinal(action.afterPushes)} push of a connection` : null,
        ...Object.entries(action.answerHeaders ?? {}).map(([name, value]) => (
            value === null ? `without ${name}` : `with ${name}: ${value}`)),
        ...rest.map(([name, value]) => (value === true ? name : `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`)),
        late, action.deliver ? "and is delivered anyway" : null,
    ].filter(Boolean).join(", ");
}

/** What a rule does, each firing in turn where it has a list. */
export function ruleWords(rule) {
    if (!rule.actions) return rule.action ? actionWords(rule.action) : "nothing";
    const after = {
        pass: `then ${actions.pass.words}`, repeat: "and then from the first again", last: "and then always the last",
    }[rule.then];
    return [...rule.actions.map(actionWords), after].filter(Boolean).join("; ");
}

/** What an action does, by the server's words where they say enough. */
function mainWords(action, words) {
    switch (action.type) {
    case "resetStream":
        return filled(words, action) + (action.when === "afterHeaders" ? " after the headers" : "");
    case "settings":
        return `SETTINGS ${settingWords(action).join(", ")}`;
    case "tls":
        if (action.alert) return `TLS alert ${action.alert}`;
        if (action.certificate === "wrongHost") return "a certificate for another host";
        if (action.certificate) return `a certificate that is ${action.certificate}`;
        return action.stall ? "a handshake that never ends" : `a handshake that takes ${action.slow}`;
    case "close": {
        const how = { fin: "hangs up", rst: "TCP reset", halfOpen: "goes half-open" }[action.how] ?? "closes";
        if (action.afterBytes) return `${how} after ${count(action.afterBytes, "byte")}`;
        return action.afterIdle ? `${how} after ${action.afterIdle} of silence` : how;
    }
    default: return filled(words, action);
    }
}

/** Words with the values of an action's members in place of their names. */
function filled(words, action) {
    return words.replace(placeholder, (_, name) => action[name] ?? "").replace(/ +/g, " ").trim();
}

function settingWords({ type, delay, deliver, ...values }) {
    return Object.entries(values).map(([name, value]) => `${name} ${value}`);
}

function rateWords({ count: most, per, by }) {
    return `above ${most} per ${per}${by === "all" ? "" : ` and ${by}`}`;
}

function delayWords(delay) {
    if (!delay) return "";
    if (typeof delay === "string") return `${delay} late`;
    if (delay.uniform) return `${delay.uniform.join(" to ")} late`;
    if (delay.normal) return `about ${delay.normal[0]} late`;
    return delay.fixed ? `${delay.fixed} late` : "late";
}

/** What a rule matches, a part for each condition. */
export function matchWords(rule) {
    const { event, payload, headers, payloadIncludes, ...keys } = rule.match ?? {};
    const parts = Object.entries(keys).map(([name, matcher]) => `${name} ${matcherWords(matcher)}`);
    for (const [pointer, matcher] of Object.entries(payload ?? {})) {
        parts.push(`payload ${pointer} ${matcherWords(matcher)}`);
    }
    if (payloadIncludes) parts.push(`payload includes ${JSON.stringify(payloadIncludes)}`);
    for (const [name, matcher] of Object.entries(headers ?? {})) parts.push(`${name}: ${matcherWords(matcher)}`);
    if (rule.scope) parts.unshift(`scope ${rule.scope}`);
    if (event !== "accept" && event !== "handshake" && parts.length > 0) return parts;
    return [...parts, { accept: "every connection", handshake: "every handshake" }[event] ?? "every push"];
}

function matcherWords(matcher) {
    if (Array.isArray(matcher)) return matcher.map(matcherWords).join(" or ");
    if (matcher === null || typeof matcher !== "object") return String(matcher);
    const [[name, value] = ["", ""]] = Object.entries(matcher);
    switch (name) {
    case "prefix": return `begins with ${value}`;
    case "contains": return `has ${value}`;
    case "regex": return `matches ${value}`;
    case "not": return `is not ${matcherWords(value)}`;
    case "exists": return value ? "is there" : "is missing";
    case "gte": return `≥ ${value}`;
    case "lte": return `≤ ${value}`;
    default: return JSON.stringify(matcher);
    }
}

/** When a rule fires, a part for each condition; empty for always. */
export function scheduleWords(rule) {
    const parts = [];
    if (rule.skip > 0) parts.push(`not the first ${rule.skip}`);
    if (rule.every > 1) parts.push(`every ${ordinal(rule.every)}`);
    if (rule.probability < 1) parts.push(`${+(rule.probability * 100).toFixed(4)} % of them`);
    if (typeof rule.times === "number") parts.push(rule.times === 1 ? "once" : `at most ${rule.times} times`);
    if (rule.connections) parts.push(`on ${placeWords(rule.connections, "connection")}`);
    if (rule.keys) parts.push(`by ${placeWords(rule.keys, "key")}`);
    if (rule.rateOver) parts.push(rateWords(rule.rateOver));
    if (rule.activeFrom) parts.push(`from ${rule.activeFrom}`);
    if (rule.activeUntil) parts.push(`until ${rule.activeUntil}`);
    if (rule.rulePriority) parts.push(`rule priority ${rule.rulePriority}`);
    return parts;
}

function placeWords({ first, every, count: most }, noun) {
    if (most === 1) return `the ${ordinal(first)} ${noun} that it meets`;
    const which = every > 1 ? `the ${ordinal(first)} of every ${every} ${noun}s` : `${noun}s from the ${ordinal(first)}`;
    return `${which} that it meets${most ? `, at most ${most}` : ""}`;
}

function ordinal(number) {
    const rest = number % 100;
    const ending = rest > 10 && rest < 14 ? "th" : ["th", "st", "nd", "rd"][number % 10] ?? "th";
    return `${number}${ending}`;
}
