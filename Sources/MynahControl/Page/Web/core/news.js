// What is new since the user last looked: a mark on its row, a number in the tab's title, a notification of the browser.

import { plural } from "./format.js";

const notifyKey = "mynah.notify";
/** The tag of all notifications, so that each takes the place of the one before. */
const notificationTag = "mynah";
/** Pushes within this time are told of together. */
const gatherMilliseconds = 300;
/** The shortest time between two notifications. */
const notifyPause = 5000;
/** What the title says for more. */
const countMax = 999;

/**
 * `isLooking()` says whether the pushes are in view, `summary(push)` names one in a few words, and `open(sequence)` shows
 * it. `isTeller()` says whether this tab is the one that tells of pushes, of all that the browser has.
 */
export function makeNews({ isLooking, isTeller, summary, open }) {
    const callbacks = new Set();
    let wasLooking = true;
    let title = document.title;
    let count = 0;
    /** The highest number known, and the numbers after which, and up to which, pushes are new. */
    let last = 0;
    let after = Infinity;
    let through = Infinity;
    const opened = new Set();
    let untold = [];
    let timer = 0;
    let toldAt = -Infinity;

    const canNotify = "Notification" in window && window.isSecureContext;

    function showTitle() {
        document.title = count ? `(${count > countMax ? `${countMax}+` : count}) ${title}` : title;
    }

    function changed() {
        showTitle();
        for (const callback of [...callbacks]) callback();
    }

    /** Takes note of whether the user looks; marks last until the next time that the user leaves. */
    function look() {
        if (isLooking() === wasLooking) return;
        wasLooking = !wasLooking;
        if (wasLooking) {
            through = last;
            count = 0;
        } else {
            after = through = Infinity;
            opened.clear();
        }
        changed();
    }

    function isOn() {
        try {
            return canNotify && Notification.permission === "granted" && localStorage.getItem(notifyKey) === "on";
        } catch {
            return false;
        }
    }

    function tell() {
        timer = 0;
        const pushes = untold;
        untold = [];
        if (!pushes.length || !isOn()) return;
        toldAt = performance.now();
        const push = pushes.at(-1);
        const { title: name, body } = summary(push);
        const about = [body, [push.topic, push.reason ?? push.outcome].filter(Boolean).join(" · ")];
        const text = about.filter(Boolean).join("\n");
        try {
            const note = new Notification(
                pushes.length === 1 ? name : plural(pushes.length, "new push", "new pushes"),
                { body: pushes.length === 1 ? text : `${name}\n${text}`, tag: notificationTag });
            note.onclick = () => {
                window.focus();
                open(push.sequence);
                note.close();
            };
        } catch {
            // A browser that wants a service worker for it; the title and the marks remain.
        }
    }

    return {
        look,
        /** Takes an event into account. */
        note({ type, data }) {
            if (type === "reset" && data.only.includes("notifications")) {
                count = 0;
                untold = [];
                changed();
                return;
            }
            if (type !== "notification") return;
            last = Math.max(last, data.sequence);
            if (!wasLooking) {
                if (after === Infinity) after = data.sequence - 1;
                count += 1;
                changed();
            }
            if (!isOn() || !isTeller() || (document.hasFocus() && !document.hidden)) return;
            untold.push(data);
            timer ||= setTimeout(tell, Math.max(gatherMilliseconds, toldAt + notifyPause - performance.now()));
        },
        isNew: (sequence) => sequence > after && sequence <= through && !opened.has(sequence),
        /** Takes the mark from a push. */
        markSeen(sequence) {
            if (sequence <= after || opened.has(sequence)) return;
            opened.add(sequence);
            changed();
        },
        /** Calls back when marks have changed; returns a function that ends it. */
        subscribe(callback) {
            callbacks.add(callback);
            return () => callbacks.delete(callback);
        },
        setTitle(text) {
            title = text;
            showTitle();
        },
        canNotify,
        get isOn() { return isOn(); },
        /** Turns notifications on, with the browser's question, or off; throws what is in the way. */
        async setOn(isWanted) {
            if (isWanted && await Notification.requestPermission() !== "granted") {
                throw new Error("The browser does not allow notifications of this page: allow them in its settings.");
            }
            localStorage.setItem(notifyKey, isWanted ? "on" : "off");
        },
    };
}
