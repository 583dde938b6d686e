// Keys that move through the lists of a view: j and k, and in a list the arrow keys.

import { isTyping } from "./shell.js";

/** What a view with `listKeys` says of them in the list of shortcuts. */
export const listShortcuts = [
    { keys: ["j", "k"], text: "Next, previous" },
    { keys: ["↓", "↑", "Home", "End"], text: "The same within a list" },
    { keys: ["Enter"], text: "Open" },
];

/**
 * Moves the focus among the visible elements that match `selector`; Enter opens one that is not itself a link or button
 * by its first link or button. Returns a function that ends it.
 */
export function listKeys(root, selector) {
    const items = () => [...root.querySelectorAll(selector)].filter((item) => item.checkVisibility());

    function move(by) {
        const all = items();
        const at = all.findIndex((item) => item.contains(document.activeElement));
        const next = all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + by))];
        if (!next) return;
        if (!next.matches("a[href], button, summary")) next.tabIndex = -1;
        next.focus();
    }

    function key(event) {
        if (isTyping(event)) return;
        const inList = event.target.closest?.(selector) !== null && root.contains(event.target);
        const actions = { j: () => move(1), k: () => move(-1) };
        if (inList) {
            Object.assign(actions, {
                ArrowDown: actions.j, ArrowUp: actions.k, Home: () => move(-Infinity), End: () => move(Infinity),
            });
        }
        if (inList && event.target.matches(selector) && !event.target.matches("a[href], button, summary")) {
            actions.Enter = () => event.target.querySelector("a[href], button:not(:disabled), summary")?.click();
        }
        const action = actions[event.key];
        if (!action) return;
        event.preventDefault();
        action();
    }

    document.addEventListener("keydown", key);
    return () => document.removeEventListener("keydown", key);
}
