// One shared stream of `/v1/events`; while it is not to be had, the journal is asked instead.

import { ApiError } from "./api.js";

const firstPause = 500;
const longestPause = 10_000;
/** The server writes at least every 15 s; after this much silence the connection is taken for dead. */
const silenceMax = 40_000;
const pollLimit = 1000;
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

/** `onState` gets "connecting", "live", "broken" or "resting". */
export function makeEvents(api, onState) {
    const callbacks = new Set();
    let lastId = null;
    /** When the server started that `lastId` is of. */
    let server = null;
    let isRunning = false;
    let wake = () => {};
    let reading = new AbortController();
    let hiding = null;

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
    async function recogniseServer() {
        const { startedAt } = await api.get("/v1/status");
        if (startedAt !== server) lastId = null;
        server = startedAt;
    }

    async function readStream() {
        await recogniseServer();
        const abort = reading = new AbortController();
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

    async function poll() {
        let last = (await api.get("/v1/notifications", { query: { limit: 1, order: "desc" } })).lastSequence;
        onState("live");
        emit({ type: "gap", id: null, data: {} });
        const { signal } = reading = new AbortController();
        for (;;) {
            const query = { after: last, wait: "25s", limit: pollLimit };
            const page = await api.get("/v1/notifications", { query, signal });
            for (const item of page.items) emit({ type: "notification", id: String(item.sequence), data: item });
            last = page.nextCursor ? page.items.at(-1).sequence : page.lastSequence;
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
                await read();
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
        /** Calls back with `{type, id, data}`; returns what ends that. */
        subscribe(callback) {
            callbacks.add(callback);
            if (!isRunning) {
                isRunning = true;
                onState("connecting");
                run();
            }
            return () => callbacks.delete(callback);
        },
    };
}
