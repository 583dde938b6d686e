// A web push as a command that sends its message again.
//
// The request itself can't be written again: the journal has no signature of the token, and only the sender's library
// knows with which key it encrypted the body.

import { shellWord } from "../core/format.js";
import { urlFlag } from "./copies.js";

/** How a sender may say who it is, where nothing else is known. */
const usualSubject = "mailto:you@example.com";
/** A message to try a subscription with. */
const usualMessage = [["title", "Hello"], ["alert", "World"]];
/** The file of a text that a command's line can't have: it is no UTF-8, or begins as the name of a file does. */
const messageFile = "message";

/** An option of a command; a value that begins with a hyphen would be taken for the next option. */
function option([name, value]) {
    return `--${name}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`;
}

/**
 * `mynah send --web` with options, given as names and values.
 *
 * The subscription is what a browser has handed out, or null where it isn't known; `key` is the public key that may push
 * to it.
 */
function command(subscription, key, options, before = []) {
    // Quoted, because some shells read a comment that is pasted as a command, and a request may name any key.
    const notes = [`# key.pem is the private key of ${key ? shellWord(key) : "the applicationServerKey"}`];
    if (!subscription) notes.push("# subscription.json is what the browser has handed out");
    const send = `mynah send${urlFlag()} --web ${subscription ? "-" : "subscription.json"} --vapid-key key.pem`;
    const given = subscription ? [`echo ${shellWord(JSON.stringify(subscription))}`] : [];
    const pipe = [...given, send].join(" | \\\n  ");
    return `${[...notes, ...before, [pipe, ...options.map(option)].join(" \\\n  ")].join("\n")}\n`;
}

/** A first push to a web app. */
export function firstSend({ webPush, applicationServerKey }) {
    return command(webPush, applicationServerKey, [["subject", usualSubject], ...usualMessage]);
}

/** The same message as that of a push; `registration` is its web app, or null. */
export function sendAgain(push, registration) {
    const { claims, plaintext, applicationServerKey } = push.webPush;
    // Of a field that was sent twice the first one counts.
    const sent = ["ttl", "urgency", "topic"].map((name) => push.headers.find(([one]) => one === name)).filter(Boolean);
    const subject = typeof claims?.sub === "string" ? claims.sub : usualSubject;
    const options = [["subject", subject], ...sent];
    const before = [];
    if (plaintext === null) {
        before.push("# what it said is not known: only a push that was accepted is decrypted");
        options.push(...usualMessage);
    } else if (push.payload === null && /^@|[\0\ufffd]/.test(plaintext)) {
        before.push(`echo ${push.payloadBase64} | base64 -d >${messageFile}`);
        options.push(["body", `@${messageFile}`]);
    } else if (plaintext !== "") {
        options.push(["body", plaintext]);
    }
    return command(registration?.webPush, applicationServerKey ?? registration?.applicationServerKey, options, before);
}
