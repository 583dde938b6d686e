// Keeps a part of the page up to date: after events of the server, and at intervals.

/** Events within a burst lead to one look. */
const burstMilliseconds = 120;
/** The shortest time between looks while events keep coming. */
const steadyMilliseconds = 400;
/** Slower looks come less often, so that watching doesn't slow down a load test. */
const steadyFactor = 20;
const steadyMax = 2000;
/** The pause after a failed look. */
const failedMilliseconds = 5000;

/**
 * Calls `look(signal)` once events are coming, after each event that `concerns(event)`, and every `every` milliseconds
 * while the page is visible. Calls `failed(error)` after a failed look.
 *
 * Nothing is missed: events come before the first look; there is one look at a time, and an event during a look, whose
 * answers may be older than the event, leads to another one. A look throws once its signal is aborted, before it shows
 * anything.
 */
export function live(app, { look, concerns = () => true, every = 5000, failed }) {
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
            await look(mine.signal);
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
        /** Looks again at once. */
        now,
        /** Looks again at once, for something else; a running look is cancelled. */
        restart() {
            cancel();
            now();
        },
        /** Runs an action that changes what is shown; a look that began before it shows nothing after it. */
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
        /** Ends it. */
        stop() {
            isOver = true;
            cancel();
            unsubscribe();
            document.removeEventListener("visibilitychange", seen);
        },
    };
}
