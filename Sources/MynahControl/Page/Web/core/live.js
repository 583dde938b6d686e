// Keeps a part of the page up to date: after events of the server (events.js, which reconnects and
// reports a gap), and at intervals.

/** Events within a burst lead to one refresh. */
const burstMilliseconds = 120;
/** The shortest time between refreshes while events keep coming. */
const steadyMilliseconds = 400;
/** Slow refreshes are made less often, so that watching doesn't slow down a load test. */
const steadyFactor = 20;
const steadyMax = 2000;
/** The pause after a failed refresh. */
const failedMilliseconds = 5000;

/**
 * Calls `refresh(signal)` once the stream is open, after each event that `concerns(event)`, and every `every`
 * milliseconds while the page is visible. Calls `failed(error)` after a failed refresh.
 *
 * Nothing is missed: the stream opens before the first refresh. There is one refresh at a time; its answers may be older
 * than an event that arrives meanwhile, which leads to another one. Once its signal is aborted, a refresh throws before
 * it shows anything.
 */
export function live(app, { refresh, concerns = () => true, every = 5000, failed }) {
    let current = null;
    let isWanted = false;
    let isReady = false;
    let isOver = false;
    let held = 0;
    let timer = 0;

    async function now() {
        if (!isReady || isOver) return;
        if (current || held > 0) {
            isWanted = true;
            return;
        }
        clearTimeout(timer);
        isWanted = false;
        const mine = new AbortController();
        current = mine;
        let pause = every;
        const began = performance.now();
        try {
            await refresh(mine.signal);
            if (isWanted) pause = steadyPause(performance.now() - began);
        } catch (error) {
            if (!mine.signal.aborted) failed(error);
            pause = failedMilliseconds;
        }
        if (current !== mine) return;
        current = null;
        schedule(pause);
    }

    function steadyPause(took) {
        return Math.min(Math.max(took * steadyFactor, steadyMilliseconds), steadyMax);
    }

    function schedule(delay) {
        clearTimeout(timer);
        timer = setTimeout(() => (document.hidden && !isWanted ? schedule(every) : now()), delay);
    }

    function cancel() {
        clearTimeout(timer);
        current?.abort();
        current = null;
    }

    const unsubscribe = app.events.subscribe((event) => {
        const isGeneral = event.type === "reset" || event.type === "gap" || event.type === "news";
        if (isWanted || !(isGeneral || concerns(event))) return;
        isWanted = true;
        if (!current && held === 0) schedule(burstMilliseconds);
    });
    const seen = () => {
        if (!document.hidden) now();
    };
    document.addEventListener("visibilitychange", seen);
    app.events.opened.then(() => {
        isReady = true;
        now();
    });

    return {
        /** Refreshes at once. */
        now,
        /** Refreshes at once with another query; a running refresh is cancelled. */
        restart() {
            cancel();
            now();
        },
        /** Runs an action that changes the data; a refresh that began before it is cancelled. */
        async during(action) {
            held += 1;
            cancel();
            try {
                return await action();
            } finally {
                held -= 1;
                if (held === 0) now();
            }
        },
        /** Ends the refreshes. */
        stop() {
            isOver = true;
            cancel();
            unsubscribe();
            document.removeEventListener("visibilitychange", seen);
        },
    };
}
