// One shared stream of `/v1/events`; if it is not available, the journal is polled.

import { ApiError } from "./api.js";

const firstPause = 500;
const longestPause = 10_000;
/** The server writes at least every 15 s; after this much silence the connection is considered dead. */
const silenceMax = 40_000;
/** How long the server holds its answer until there is something new, and the pause between two polls. */
const pollWait = "25s";
const pollPause = 250;
/** How long the views wait for the stream to open before they load; a later stream makes them reload. */
const openingMax = 3000;
/** How long a hidden tab keeps its stream: a browser has only six connections for all tabs of a server. */
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
 * `showState` gets "connecting", "live", "broken" or "resting".
 */
export function makeEvents(api, showState) {
    const callbacks = new Set();
    let open;
    const opened = new Promise((resolve) => { open = resolve; });
    let lastId = null;
    /** The start time of the server that `lastId` is from. */
    let server = null;
    let isRunning = false;
    let wake = () => {};
    let reading = new AbortController();
    let hiding = null;

    function onState(state) {
        showState(state);
        if (state !== "connecting") open();
    }

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
        if (lastId === null) emit({ type: "gap", id: null, data: {} });
        const decoder = new TextDecoder();
        const parse = makeEventParser(
            ({ type, id, text }) => emit({ type, id, data: JSON.parse(text) }), (id) => { lastId = id; });
        const reader = response.body.getReader();
        let timer;
        try {
            for (;;) {
                clearTimeout(timer);
                timer = setTimeout(() => abort.abort(), silenceMax);
                const { value, done } = await reader.read();
                if (done) return;
                parse(decoder.decode(value, { stream: true }));
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
        emit({ type: "gap", id: null, data: {} });
        for (;;) {
            const { lastSequence, matched } = await ask({ after: last, wait: pollWait });
            // Sequence numbers never go back: this is another server.
            if (lastSequence < last) return;
            last = lastSequence;
            if (matched > 0) emit({ type: "news", id: null, data: {} });
            await pause(pollPause);
        }
    }

    /** Waits until the tab is visible again. */
    async function rest() {
        onState("resting");
        const start = performance.now();
        while (document.hidden) await pause(longestPause);
        if (performance.now() - start > resumableFor) lastId = null;
        onState("connecting");
    }

    async function run() {
        let wait = firstPause;
        let read = readStream;
        for (;;) {
            try {
                const started = performance.now();
                reading = new AbortController();
                await read(reading);
                if (performance.now() - started > longestPause) wait = firstPause;
            } catch (error) {
                if (error instanceof ApiError && error.status === 404 && read === readStream) {
                    read = poll;
                    continue;
                }
                if (document.hidden) {
                    await rest();
                    continue;
                }
                // The stream can't be resumed: start over, and have all views reload.
                if (error instanceof ApiError && error.status < 500) lastId = null;
            }
            read = readStream;
            onState("broken");
            await pause(wait * (0.75 + Math.random() / 2));
            wait = Math.min(wait * 2, longestPause);
            onState("connecting");
        }
    }

    addEventListener("online", () => wake());
    // A page that the browser keeps to go back to would keep its connection as well.
    addEventListener("pagehide", () => reading.abort());
    addEventListener("pageshow", () => wake());
    document.addEventListener("visibilitychange", () => {
        clearTimeout(hiding);
        if (document.hidden) hiding = setTimeout(() => reading.abort(), hiddenMax);
        else wake();
    });

    return {
        /** Resolves once events are coming, or can't come for now: what is loaded then is as new as the events. */
        opened,
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
        renew() { emit({ type: "gap", id: null, data: {} }); },
    };
}
