// One shared stream of `/v1/events`; if it is not available, the journal is polled.

import { ApiError } from "./api.js";
import { makeSharing } from "./sharing.js";

const firstPause = 500;
const longestPause = 10_000;
/** The server writes at least every 15 s; after this much silence the connection is considered dead. */
const silenceMax = 40_000;
/** How long the server holds its answer until there is something new, and the pause between two polls. */
const pollWait = "25s";
const pollPause = 250;
/** How long the views wait for the stream to open before they load; a later stream makes them reload. */
const openingMax = 3000;
/** How long a hidden tab keeps its stream, if no other tab wants it. */
const hiddenMax = 20_000;
/** A tab hidden for longer than this reloads instead of resuming the stream. */
const resumableFor = 300_000;

/** Splits text into server-sent events (HTML, *Server-sent events*); `noteId` also gets the IDs of comments. */
export function makeEventParser(dispatch, noteId) {
    let rest = "";
    let event = { type: "message", id: null, data: [] };
    return (text) => {
        const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
        rest = lines.pop();
        for (const line of lines) {
            if (line === "") {
                if (event.id) noteId(event.id);
                if (event.data.length) dispatch({ type: event.type, id: event.id, text: event.data.join("\n") });
                event = { type: "message", id: event.id, data: [] };
                continue;
            }
            const colon = line.indexOf(":");
            if (colon === 0) continue;
            const field = colon < 0 ? line : line.slice(0, colon);
            const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
            if (field === "event") event.type = value;
            else if (field === "data") event.data.push(value);
            else if (field === "id") event.id = value;
        }
    };
}

/**
 * Emits each event of the server as `{type, id, data}`, and two of its own without an ID: `gap`, when anything may have
 * happened, and `news`, when polling has found new pushes.
 *
 * One tab reads the stream and sends what it reads to the others. When it goes, hides or ends, the next one resumes where
 * it was. `showState` gets "connecting", "live", "broken" or "resting"; `isWantedHidden()` says whether a hidden tab wants
 * events, too.
 */
export function makeEvents(api, showState, isWantedHidden = () => false) {
    const callbacks = new Set();
    let open;
    const opened = new Promise((resolve) => { open = resolve; });
    let lastId = null;
    /** The start time of the server that `lastId` is from. */
    let server = null;
    let state = null;
    let isRunning = false;
    /** Whether the page is kept by the browser to go back to. */
    let isGone = false;
    let isReading = false;
    let hasFollowers = false;
    let wake = () => {};
    let turn = new AbortController();
    let reading = new AbortController();
    let hiding = null;
    const sharing = makeSharing(receive);

    function onState(next) {
        state = next;
        showState(state);
        if (state !== "connecting") open();
        if (isReading) tellState();
    }

    function tellState() { if (hasFollowers) sharing.send({ kind: "state", state, server, lastId }); }

    function emit(event) {
        for (const callback of [...callbacks]) {
            try {
                callback(event);
            } catch (error) {
                // One view's error must not end the stream for the others.
                console.error(error);
            }
        }
    }

    /** Emits events of the server here and in the other tabs. */
    function emitEverywhere(events) {
        events.forEach(emit);
        if (hasFollowers) sharing.send({ kind: "events", events, server, lastId });
    }

    const gap = { type: "gap", id: null, data: {} };

    /** Takes a message of another tab. */
    function receive(message) {
        switch (message.kind) {
            case "hello":
                if (!isReading) return;
                hasFollowers = true;
                // A tab that is looked at is the better reader.
                if (message.isVisible && document.hidden) endTurn();
                else tellState();
                return;
            case "reads":
                greet();
                return;
            case "events":
                // From before this tab's turn: the server sends them again.
                if (isReading) return;
                ({ server, lastId } = message);
                message.events.forEach(emit);
                return;
            case "state":
                if (isReading) return;
                if (message.state === "live" && (message.lastId !== lastId || message.server !== server)) {
                    ({ server, lastId } = message);
                    emit(gap);
                }
                onState(message.state);
                return;
            default:
        }
    }

    function greet() { sharing.send({ kind: "hello", isVisible: !document.hidden }); }

    function pause(milliseconds) {
        return new Promise((resolve) => {
            const timer = setTimeout(resolve, milliseconds);
            wake = () => { clearTimeout(timer); resolve(); };
        });
    }

    /** A restarted server can't resume the events of the previous one. */
    async function recogniseServer(signal) {
        const { startedAt } = await api.get("/v1/status", { signal });
        if (startedAt !== server) lastId = null;
        server = startedAt;
    }

    async function readStream(abort) {
        await recogniseServer(abort.signal);
        const response = await api.open("/v1/events", {
            signal: abort.signal,
            headers: { Accept: "text/event-stream", ...(lastId === null ? {} : { "Last-Event-ID": lastId }) },
        });
        onState("live");
        // Anything may have happened before the stream opened.
        if (lastId === null) emitEverywhere([gap]);
        const decoder = new TextDecoder();
        let events = [];
        const parse = makeEventParser(
            ({ type, id, text }) => events.push({ type, id, data: JSON.parse(text) }), (id) => { lastId = id; });
        const reader = response.body.getReader();
        let timer;
        try {
            for (;;) {
                clearTimeout(timer);
                timer = setTimeout(() => abort.abort(), silenceMax);
                const { value, done } = await reader.read();
                if (done) return;
                const earlierId = lastId;
                parse(decoder.decode(value, { stream: true }));
                if (events.length || lastId !== earlierId) emitEverywhere(events);
                events = [];
            }
        } finally {
            clearTimeout(timer);
            abort.abort();
        }
    }

    /** Asks the journal only whether there is something new; each view loads its own data. */
    async function poll({ signal }) {
        const ask = (query) => api.get("/v1/notifications", { query: { ...query, limit: 1 }, signal });
        let { lastSequence: last } = await ask({});
        onState("live");
        emitEverywhere([gap]);
        for (;;) {
            const { lastSequence, matched } = await ask({ after: last, wait: pollWait });
            // Sequence numbers never go back: this is another server.
            if (lastSequence < last) return;
            last = lastSequence;
            if (matched > 0) emitEverywhere([{ type: "news", id: null, data: {} }]);
            await pause(pollPause);
        }
    }

    const isWanted = () => !isGone && (!document.hidden || isWantedHidden());

    /** Waits until the tab is visible again. */
    async function rest() {
        onState("resting");
        const start = performance.now();
        while (!isWanted()) await pause(longestPause);
        if (performance.now() - start > resumableFor) lastId = null;
        onState("connecting");
    }

    /** Reads until the turn is over. */
    async function read({ signal }) {
        isReading = true;
        hasFollowers = false;
        sharing.send({ kind: "reads" });
        let wait = firstPause;
        let readOn = readStream;
        while (!signal.aborted) {
            try {
                const started = performance.now();
                reading = new AbortController();
                await readOn(reading);
                if (performance.now() - started > longestPause) wait = firstPause;
            } catch (error) {
                if (error instanceof ApiError && error.status === 404 && readOn === readStream) {
                    readOn = poll;
                    continue;
                }
                if (signal.aborted) break;
                // The stream can't be resumed: start over, and have all views reload.
                if (error instanceof ApiError && error.status < 500) lastId = null;
            }
            if (signal.aborted) break;
            readOn = readStream;
            onState("broken");
            await pause(wait * (0.75 + Math.random() / 2));
            wait = Math.min(wait * 2, longestPause);
            if (!signal.aborted) onState("connecting");
        }
        isReading = false;
    }

    function endTurn() {
        turn.abort();
        reading.abort();
        wake();
    }

    async function run() {
        sharing.open();
        // A tab without the token must not keep others, which have it, from reading: it is asked for first.
        await api.get("/v1/status").catch(() => null);
        for (;;) {
            if (!isWanted()) await rest();
            turn = new AbortController();
            greet();
            await sharing.takeTurn(turn.signal, () => read(turn));
        }
    }

    addEventListener("online", () => wake());
    // A page that the browser keeps to go back to would keep its connection as well.
    addEventListener("pagehide", () => {
        isGone = true;
        endTurn();
        sharing.close();
    });
    addEventListener("pageshow", () => {
        isGone = false;
        if (isRunning) sharing.open();
        wake();
    });
    document.addEventListener("visibilitychange", () => {
        clearTimeout(hiding);
        if (document.hidden) {
            hiding = setTimeout(() => { if (!isWanted()) endTurn(); }, hiddenMax);
        } else {
            greet();
            wake();
        }
    });

    return {
        /** Resolves once events are coming, or can't come for now: what is loaded then is as new as the events. */
        opened,
        /** Whether this tab is the one that reads. */
        get isReading() { return isReading; },
        /** Calls back with each event; returns a function that ends it. */
        subscribe(callback) {
            callbacks.add(callback);
            if (!isRunning) {
                isRunning = true;
                setTimeout(open, openingMax);
                onState("connecting");
                run();
            }
            return () => callbacks.delete(callback);
        },
        /** Has all callbacks load anew what they show. */
        renew() { emit(gap); },
    };
}
