// Start here: creates what the views share, shows the frame, and switches views.

import { makeApi } from "./core/api.js";
import { askForToken, confirm, showDialog } from "./core/dialogs.js";
import { beginRecorded, el, fill, icon, svg } from "./core/dom.js";
import { makeEvents } from "./core/events.js";
import { makeNews } from "./core/news.js";
import { makeHash, parseHash } from "./core/router.js";
import { makeShell } from "./core/shell.js";
import { takeTokenFromAddress } from "./core/token.js";
import { copyText, toast } from "./core/toast.js";
import { summary } from "./pushes/summary.js";
import apiView from "./views/api.js";
import clock from "./views/clock.js";
import connect from "./views/connect.js";
import connections from "./views/connections.js";
import devices from "./views/devices.js";
import faults from "./views/faults.js";
import pushes from "./views/pushes.js";

/** In the order in which they are listed. */
const views = [
    pushes, devices, faults, connections, clock, connect, apiView,
];

takeTokenFromAddress();

let place = parseHash(location.hash);
let current = null;

const api = makeApi(askForToken);
const news = makeNews({
    isLooking: () => !document.hidden && current?.view === pushes,
    isTeller: () => events.isReading,
    summary,
    open: (sequence) => app.navigate(makeHash(["pushes", String(sequence)])),
});
const shell = makeShell(views, api, { currentView: () => current?.view, moved: () => events.renew(), news });
const events = makeEvents(api, shell.showConnection, () => news.isOn);

/** What every view gets. */
const app = {
    api, events, news, el, svg, fill, icon, toast, confirm, showDialog, copyText,
    /** Whether the server shows a recorded run, which can't be changed. */
    get isRecorded() { return shell.isRecorded; },
    /** The parts of the address's path, the view's name first. */
    get route() { return place.route; },
    /** The parameters of the address, as URLSearchParams. */
    get query() { return place.query; },
    navigate(hash) {
        if (location.hash === hash) return;
        location.hash = hash;
    },
    /** Changes the address without a history entry and without switching views. */
    replace(route, query) {
        const hash = makeHash(route, query);
        history.replaceState(null, "", hash);
        place = parseHash(hash);
    },
};

function leave() {
    const cleanup = typeof current?.mounted === "function" ? current.mounted : current?.mounted?.cleanup;
    current = null;
    cleanup?.();
}

/**
 * Shows the view that the address names; a mounted view that handles routes itself stays.
 *
 * A part of the address that begins with `+` names a form, which a recorded run lacks.
 */
function follow() {
    place = parseHash(location.hash);
    if (app.isRecorded && place.route[1]?.startsWith("+")) app.replace([place.route[0]]);
    const view = views.find((one) => one.id === place.route[0]) ?? views[0];
    if (current?.view === view && current.mounted?.route) {
        current.mounted.route();
        return;
    }
    leave();
    const root = shell.enter(view);
    current = { view, mounted: null };
    news.look();
    current.mounted = view.mount(root, app);
    if (!app.isRecorded) return;
    // There may be nothing in it that takes the focus, by which keys could scroll it.
    for (const body of root.querySelectorAll(".view-body")) body.tabIndex = 0;
}

addEventListener("hashchange", () => {
    takeTokenFromAddress();
    if (current) follow();
});
document.addEventListener("visibilitychange", news.look);
events.subscribe(shell.noteEvent);
events.subscribe(news.note);
await shell.begun;
if (app.isRecorded) beginRecorded();
follow();
