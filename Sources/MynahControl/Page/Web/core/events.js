// One shared stream of `/v1/events`; while it is not to be had, the journal is asked instead.

import { ApiError } from "./api.js";

const firstPause = 500;
const longestPause = 10_000;
/** The server writes at least every 15 s; after this much silence the connection is taken for dead. */
const silenceMax = 40_000;
/** How long the journal holds its answer until there is something new, and the pause between two questions. */
const pollWait = "25s";
const pollPause = 250;
/** So long what is asked waits for events to be told; when they are told later, everything is asked again. */
const openingMax = 3000;
/** So long a tab that nobody sees keeps its stream: a browser has only six connections for all tabs of a server. */
const hiddenMax = 20_000;
/** After so long out of sight, what there is now is asked for, in place of all that happened. */
const resumableFor = 300_000;

/** Splits text into server-sent events (HTML, *Server-sent events*); `noteId` gets those of comments, too. */
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
 * Tells each event of the server as `{type, id, data}`, and two of its own without an id: `gap`, when anything may have
 * happened, and `news`, when there are further pushes of which nothing else is told.
 *
 * `showState` gets "connecting", "live", "broken" or "resting".
 */
export function makeEvents(api, showState) {
    const callbacks = new Set();
    let open;
    const opened = new Promise((resolve) => { open = resolve; });
    let lastId = null;
    /** When the server started that `lastId` is of. */
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
                // One view's mistake must not end the stream for the others.
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

    /** Another server, perhaps on the same port, goes on with nothing of the one before. */
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
        // Whatever happened before there was a stream to tell of it.
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

    /** Asks the journal for no more than whether there is something new: everybody looks for what is theirs. */
    async function poll({ signal }) {
        const ask = (query) => api.get("/v1/notifications", { query: { ...query, limit: 1 }, signal });
        let { lastSequence: last } = await ask({});
        onState("live");
        emit({ type: "gap", id: null, data: {} });
        for (;;) {
            const { lastSequence, matched } = await ask({ after: last, wait: pollWait });
            // Numbers never go back: this is another server.
            if (lastSequence < last) return;
            last = lastSequence;
            if (matched > 0) emit({ type: "news", id: null, data: {} });
            await pause(pollPause);
        }
    }

    /** Until somebody looks again. */
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
                // What was to be resumed from is gone: begin anew, and let everybody look again.
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
    document.addEventListener("visibilitychange", () => {
        clearTimeout(hiding);
        if (document.hidden) hiding = setTimeout(() => reading.abort(), hiddenMax);
        else wake();
    });

    return {
        /** Resolves once what happens is told, or cannot be for now: what is asked then is as new as the events. */
        opened,
        /** Calls back with each event; returns what ends that. */
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
    };
}
